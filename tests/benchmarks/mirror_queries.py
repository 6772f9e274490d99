"""What people may ask a mirror, as data: named kinds of questions, each of which finds something.

The words and values are read off a few records of the made-up corpus; the same seed gives the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from benchmarks.mirror_records import MEAN, records, url
from benchmarks.mirror_vocabulary import COMMON, world

SAMPLE = 400
PLAIN = re.compile(r"\b[a-z]{3,}\b")
PAIR = re.compile(r"\b[a-z]{3,} [a-z]{3,}(?: [a-z]{3,})?\b")
FACETS = ["topic", "place", "name", "object_type", "culture", "date", "scientific_name"]
COUNTED = ["topic", "object_type", "unit_code"]
DEEP = (10_000, 100_000)
EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Ask:
    """A question: words as typed, exact values by field, and the page that is wanted.

    Where `facet` is set, its values are to be counted over what matches, or, for the kind "vocabulary
    substring", those that hold `query` are to be listed. For "get by id" the query is a record's url.
    """

    query: str
    filters: Mapping[str, str] = field(default_factory=dict)
    start: int = 0
    rows: int = 20
    facet: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A record as a question sees it: its words by rank, its phrases and its values."""

    words: Mapping[str, int]
    phrases: Sequence[str]
    values: Sequence[tuple[str, str]]

    def ranked(self, low: int, high: int) -> list[str]:
        return [word for word, rank in self.words.items() if low <= rank < high]


def queries(
    count: int, *, mean: int = MEAN, seed: int = 1, first: int = 0
) -> dict[str, tuple[Ask, ...]]:
    """Questions to the records that `records` gives for the same arguments.

    A deep page lies past the end where there are too few records.
    """
    seen = _sample(count, mean, seed, first)
    often = [word for word in world().words.terms[:400] if PLAIN.fullmatch(word) and word.isascii()]
    asker = Asker(Random(seed), seen, often)
    ids = [url(first + asker.chance.randrange(count), seed=seed) for _ in range(20)]
    everywhere = (EVERYTHING, *often[:4])
    counted = [EVERYTHING] * 3 + [COMMON] * 3 + often[10:14]
    return {
        "rare word": asker.words(50, low=30_000, high=250_000),
        "common word": (Ask(COMMON), *(Ask(word) for word in often[3:60:3])),
        "2 words": asker.words(30, low=50, high=5_000, many=2),
        "3 words": asker.words(20, low=5, high=1_500, many=3),
        "exact facet": asker.ask(30, asker.value),
        "big facet": tuple(Ask(EVERYTHING, {name: text}) for name, text in _large(seen, 10)),
        "facet and text": asker.ask(40, asker.value_and_word),
        "NOT": asker.ask(20, asker.without),
        "phrase": asker.ask(20, asker.phrase),
        "prefix": asker.ask(20, asker.prefix),
        "deep page": tuple(Ask(query, start=start) for start in DEEP for query in everywhere),
        "facet counts": tuple(
            Ask(query, rows=0, facet=COUNTED[place % 3]) for place, query in enumerate(counted)
        ),
        "vocabulary substring": asker.ask(20, asker.substring),
        "get by id": tuple(Ask(one, rows=1) for one in ids),
        "1000 rows": tuple(Ask(word, rows=1_000) for word in (EVERYTHING, COMMON, *often[5:20:5])),
    }


@dataclass(frozen=True, slots=True)
class Asker:
    """Makes questions out of what some records hold; None where a record is no good for one."""

    chance: Random
    seen: Sequence[Seen]
    often: Sequence[str]

    def ask(self, many: int, make: Callable[[Seen], Ask | None]) -> tuple[Ask, ...]:
        """So many different ones, or fewer if there are no more."""
        found: dict[str, Ask] = {}
        for _ in range(50 * many):
            if len(found) < many and (ask := make(self.chance.choice(self.seen))):
                found.setdefault(repr(ask), ask)
        return tuple(found.values())

    def words(self, count: int, *, low: int, high: int, many: int = 1) -> tuple[Ask, ...]:
        def make(one: Seen) -> Ask | None:
            words = one.ranked(low, high)
            return Ask(" ".join(self.chance.sample(words, many))) if len(words) >= many else None

        return self.ask(count, make)

    def value(self, one: Seen) -> Ask | None:
        values = [pair for pair in one.values if pair[0] in FACETS]
        return Ask(EVERYTHING, dict([self.chance.choice(values)])) if values else None

    def value_and_word(self, one: Seen) -> Ask | None:
        words = one.ranked(20, 5_000)
        return (
            Ask(self.chance.choice(words), dict([self.chance.choice(one.values)]))
            if words
            else None
        )

    def without(self, one: Seen) -> Ask | None:
        words = one.ranked(10, 1_000)
        others = [word for word in self.often[20:] if word not in one.words]
        return (
            Ask(f"{self.chance.choice(words)} NOT {self.chance.choice(others)}") if words else None
        )

    def phrase(self, one: Seen) -> Ask | None:
        return Ask(f'"{self.chance.choice(one.phrases)}"') if one.phrases else None

    def prefix(self, one: Seen) -> Ask | None:
        words = [word for word in one.ranked(500, 100_000) if len(word) > 5]
        return (
            Ask(self.chance.choice(words)[: self.chance.randrange(3, 6)] + "*") if words else None
        )

    def substring(self, one: Seen) -> Ask | None:
        name, text = self.chance.choice(one.values)
        parts = PLAIN.findall(text)
        return Ask(self.chance.choice(parts)[:5], facet=name) if parts and name in FACETS else None


def _sample(count: int, mean: int, seed: int, first: int) -> list[Seen]:
    step = max(1, count // SAMPLE)
    numbers = range(first, first + count, step)
    return [
        _seen(json.loads(line))
        for number in numbers
        for line in records(1, mean=mean, seed=seed, first=number)
    ]


def _seen(record: Mapping[str, Any]) -> Seen:
    content = record["content"]
    texts = [str(entry["content"]) for entries in content["freetext"].values() for entry in entries]
    found = [word for text in (record["title"], *texts) for word in PLAIN.findall(text)]
    words = {word: _ranks()[word] for word in found if word in _ranks()}
    phrases = [pair for text in texts for pair in PAIR.findall(text)]
    return Seen(words, phrases, tuple(_values(record, content)))


def _values(record: Mapping[str, Any], content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "unit_code", record["unitCode"]
    if "online_media" in content.get("descriptiveNonRepeating", {}):
        yield "media_usage", "CC0"
    indexed = content.get("indexedStructured", {})
    for name in (*FACETS, "online_media_type"):
        for text in indexed.get(name, ()):
            yield name, text


def _large(seen: Sequence[Seen], many: int) -> Sequence[tuple[str, str]]:
    """The values of most records, at most two of a field."""
    counts = Counter(pair for one in seen for pair in one.values)
    fields: Counter[str] = Counter()
    found: list[tuple[str, str]] = []
    for name, text in (pair for pair, _ in counts.most_common()):
        fields[name] += 1
        if fields[name] <= 2 and len(found) < many:
            found.append((name, text))
    return found


@cache
def _ranks() -> Mapping[str, int]:
    return {word: rank for rank, word in enumerate(world().words.terms)}
