"""Questions made from the captured records: what a person would type, and what nobody should."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from heritage_smithsonian.obedience import index_terms
from heritage_smithsonian.query import FILTER_FIELDS
from shared import captured_records

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class Question:
    query: str = ""
    filters: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def arguments(self) -> dict[str, Any]:
        return {"query": self.query, **({"filters": self.filters} if self.filters else {})}


@cache
def objects() -> tuple[dict[str, Any], ...]:
    """Captured records that searches cover."""
    return tuple(record for record in captured_records() if record["type"] == "edanmdm")


@cache
def terms(name: str) -> Counter[str]:
    """Every index term of a field with the number of objects that carry it, counted here."""
    return Counter(
        term for record in objects() for term in dict.fromkeys(index_terms(record, name))
    )


@cache
def texts(number: int) -> tuple[str, ...]:
    """The free texts of a record, each by itself."""
    blocks = objects()[number]["content"].get("freetext", {}).values()
    return tuple(
        str(entry["content"])
        for block in blocks
        for entry in block
        if isinstance(entry, dict) and entry.get("content")
    )


@cache
def words() -> Counter[str]:
    """Words with the number of objects whose titles and free texts hold them."""
    return Counter(
        word
        for number, record in enumerate(objects())
        for word in {w for text in (record["title"], *texts(number)) for w in _WORD.findall(text)}
    )


def _words_of(chance: random.Random) -> list[str]:
    number = chance.randrange(len(objects()))
    return [w for t in (objects()[number]["title"], *texts(number)) for w in _WORD.findall(t)]


def _drawn(chance: random.Random, counted: Counter[str], count: int) -> list[str]:
    """Some of the commonest, some that occur once, and some from between."""
    ordered = [term for term, _ in counted.most_common()]
    share = max(count // 4, 1)
    some = [*ordered[:share], *ordered[-share:]]
    return [*some, *chance.sample(ordered, min(max(count - len(some), 0), len(ordered)))]


# -- free text -------------------------------------------------------------------------------------


def single_words(chance: random.Random, count: int) -> Iterator[Question]:
    for word in _drawn(chance, words(), count):
        yield Question(chance.choice((str.lower, str.upper, str))(word))


def several_words(chance: random.Random, count: int) -> Iterator[Question]:
    """Of one object, so that something is found, and of two, so that perhaps nothing is."""
    for number in range(count):
        held = _words_of(chance) + (_words_of(chance) if number % 4 == 0 else [])
        size = min(len(held), chance.randint(2, 4))
        yield Question(" ".join(chance.sample(held, size)))


def phrases(chance: random.Random, count: int) -> Iterator[Question]:
    for _ in range(count):
        number = chance.randrange(len(objects()))
        text = chance.choice((objects()[number]["title"], *texts(number))).split()
        start, size = chance.randrange(len(text)), chance.randint(2, 4)
        yield Question('"' + " ".join(text[start : start + size]).replace('"', " ") + '"')


def joined_words(chance: random.Random, count: int) -> Iterator[Question]:
    """Hyphens, slashes, points, apostrophes, digits: words of several words."""
    found = sorted(
        {
            word
            for number in range(len(objects()))
            for word in f"{objects()[number]['title']} {' '.join(texts(number))}".split()
            if re.search(r"\w[^\w\s]+\w", word) and len(word) < 40 and "://" not in word
        }
    )
    yield from map(Question, chance.sample(found, count))


def accents(chance: random.Random, count: int) -> Iterator[Question]:
    """Words that are not ASCII, as they stand and as a plain keyboard would have them."""
    found = sorted({word for word in words() if not word.isascii()})
    for word in chance.sample(found, min(count // 2, len(found))):
        yield Question(word)
        yield Question(word.encode("ascii", "replace").decode().replace("?", ""))


def exclusions(chance: random.Random, count: int) -> Iterator[Question]:
    common = [word for word, _ in words().most_common(400)]
    for number in range(count):
        one, two, three = chance.sample(common, 3)
        yield Question(
            (
                f"{one} NOT {two}",
                f"{one} -{two}",
                f"{one} NOT ({two} {three})",
                f"NOT {one}",
                f"NOT {one} -{two}",
                f'{one} NOT "{two} {three}"',
                f"({one} NOT {two}) {three}",
                f"{one} NOT (NOT {two})",
                f"{one} NOT ({two} NOT {three})",
            )[number % 9]
        )


def stars(chance: random.Random, count: int) -> Iterator[Question]:
    long = sorted(word for word in words() if len(word) > 5)
    for number, word in enumerate(chance.sample(long, count)):
        stem = word[: chance.randint(2, 5)]
        yield Question(
            (f"{stem}*", f"{stem.upper()}* {chance.choice(_words_of(chance))}", f"NOT {stem}*")[
                number % 3
            ]
        )


_ODD = (
    *("", "*", "* *", "*:*", "portrait *", "a", "of the", "and", "or", "AND", "portrait AND"),
    *("portrait OR mask", "portrait || mask", "portrait && oil", "NOT", "portrait NOT"),
    *('"portrait', 'portrait"', "(portrait", "portrait)", ") OR (portrait", "((portrait))"),
    *("portrait:oil", "nosuchfield:oil", "http://n2t.net", "port*rait", "*rait", "p?rtrait"),
    *("portrait~", "portrait~2", '"oil canvas"~3', "portrait^4", "[1900 TO 1910]", "{a TO b}"),
    *("+portrait", "!portrait", "portrait -", "--portrait", "portrait - oil", "a-b", "&", "/"),
    *("portrait\\", '\\"portrait', "portrait\\:", "portrait & oil", "portrait + oil", "…", "¿"),
    *("1914", "1,000", "0.5", "19th", "nasm_A19670093000", "NASM", "smithsonian", "xyzzyplugh"),
    *("portrait\u00a0oil", "portrait\u200boil", "portrait\toil", "POR\u0301TRAIT", "ﬁne", "№"),
    *('""', "()", "( )", '"*"', '"-"', "NOT ()", "not portrait", "portrait not", "é" * 30),
)


def oddities(_: random.Random, __: int) -> Iterator[Question]:
    """Texts that a careless query builder lets out of their brackets, or loses."""
    yield from map(Question, _ODD)


# -- filters ---------------------------------------------------------------------------------------


def one_filter(chance: random.Random, count: int) -> Iterator[Question]:
    """Values as they are; and such as differ from one by a sign, so that they find nothing."""
    for name in FILTER_FIELDS:
        for term in _drawn(chance, terms(name), count // len(FILTER_FIELDS)):
            yield Question(filters={name: term})


def loud_filters(chance: random.Random, count: int) -> Iterator[Question]:
    """Real values with signs that a query language knows: quotes, brackets, colons, commas, stars."""
    for name in FILTER_FIELDS:
        loud = sorted(term for term in terms(name) if re.search(r"[^\w\s.-]", term))
        rare = [term for term in loud if re.search(r"[\"\\*():\[\]/&|!~^+?]", term)]
        for term in (
            *chance.sample(loud, min(count // 18, len(loud))),
            *chance.sample(rare, min(count // 18, len(rare))),
        ):
            yield Question(filters={name: term})


def wrong_filters(chance: random.Random, count: int) -> Iterator[Question]:
    for name in FILTER_FIELDS:
        for number in range(count // len(FILTER_FIELDS)):
            term = chance.choice(sorted(terms(name)))
            wrong = (
                term.swapcase(),
                f"{term} ",
                f" {term}",
                f"{term}*",
                f'{term}"',
                f"{term}\\",
                term[:-1] or "x",
                f'{term}" OR "',
                term.split()[0],
                "*",
                "Nothing of that name",
                f"{term}\n",
            )
            yield Question(filters={name: wrong[number % len(wrong)]})


def genera(chance: random.Random, count: int) -> Iterator[Question]:
    """A genus finds its species; a species no other, and the half of a genus nothing."""
    known = sorted(terms("scientific_name"))
    for term in chance.sample(known, min(count // 4, len(known))):
        first, _, rest = term.partition(" ")
        for value in (term, first, first[:-1], f"{first} {rest[:2]}", first.lower()):
            yield Question(filters={"scientific_name": value.strip() or "x"})


def media_filters(chance: random.Random, count: int) -> Iterator[Question]:
    for number in range(count):
        flags = ({"cc0_only": True}, {"online_only": True}, {"cc0_only": True, "online_only": True})
        name = chance.choice(FILTER_FIELDS)
        more = {} if number < len(flags) else {name: chance.choice(sorted(terms(name)))}
        yield Question(filters={**flags[number % len(flags)], **more})


def combinations(chance: random.Random, count: int) -> Iterator[Question]:
    """Several filters of one object, with a word of it or without."""
    for number in range(count):
        at = chance.randrange(len(objects()))
        held = {n: f for n in FILTER_FIELDS if (f := index_terms(objects()[at], n))}
        names = chance.sample(sorted(held), min(len(held), chance.randint(2, 4)))
        chosen: dict[str, Any] = {name: chance.choice(held[name]) for name in names}
        found = _WORD.findall(objects()[at]["title"])
        word = chance.choice(found) if found and number % 2 else ""
        if number % 5 == 0:
            chosen["culture"] = chance.choice(sorted(terms("culture")))
        yield Question(f"NOT {word}" if word and number % 3 == 0 else word, chosen)


def typed_fields(chance: random.Random, count: int) -> Iterator[Question]:
    """`field:value` within the text, for fields with a filter and for others."""
    more = ("data_source", "language", "tax_kingdom", "tax_order", "tax_family", "geo_age-era")
    names = [name for name in (*FILTER_FIELDS, *more, "usage_flag") if terms(name)]
    for number in range(count):
        name = names[number % len(names)]
        term = chance.choice(sorted(terms(name))).replace("\\", "\\\\").replace('"', '\\"')
        yield Question(
            (
                f'{name}:"{term}"',
                f'portrait {name}:"{term}"',
                f'NOT {name}:"{term}"',
                f"{name}:{term.split()[0]}",
                f'{name}:("{term}")',
                f"{name}:({term})",
                f"{name}:*",
            )[(number // len(names)) % 7]
        )
    yield from map(Question, ("media_usage:CC0", "NOT media_usage:CC0", "online_media_type:*"))
    yield from map(Question, ('media_usage:"CC0"', 'usage:"CC0"', "unit_code:NASM NOT vega"))


Maker = Callable[[random.Random, int], Iterator[Question]]
MAKERS: dict[str, tuple[Maker, int]] = {
    "single words": (single_words, 16),
    "several words": (several_words, 16),
    "phrases": (phrases, 16),
    "joined words": (joined_words, 12),
    "accents": (accents, 8),
    "exclusions": (exclusions, 9),
    "stars": (stars, 9),
    "oddities": (oddities, 1),
    "one filter": (one_filter, 27),
    "loud filters": (loud_filters, 18),
    "wrong filters": (wrong_filters, 18),
    "genera": (genera, 12),
    "media filters": (media_filters, 9),
    "combinations": (combinations, 16),
    "typed fields": (typed_fields, 24),
}


def questions(kind: str, *, times: int = 1) -> Sequence[Question]:
    """Always the same ones; `times` as many for the exhaustive part."""
    make, count = MAKERS[kind]
    return tuple(make(random.Random(kind), count * times))
