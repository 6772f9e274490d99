"""Words, names, places and subjects for made-up records: as many of each as the real collections have.

The first and most frequent are counted in the captured data, where it is beside the checkout; the long
tail is made up. A vocabulary is kept as JSON text, escaped as the bucket does it, and as a table in which
a term stands as often as it is drawn, so that a draw is one look.
"""

from __future__ import annotations

import gzip
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from shared import CAPTURED, captured_records

COMMON = "photograph"  # stands in COMMON_SHARE of all records, and nowhere else
COMMON_SHARE = 0.075
WORD_BITS = 22
SYLLABLES = [
    "ba",
    "bel",
    "bor",
    "ca",
    "cal",
    "chen",
    "cor",
    "da",
    "den",
    "dor",
    "dra",
    "el",
    "en",
    "er",
    "fa",
    "fel",
    "fin",
    "for",
    "ga",
    "gen",
    "gra",
    "gul",
    "ha",
    "hel",
    "hor",
    "in",
    "is",
    "ja",
    "ka",
    "kel",
    "kin",
    "la",
    "lan",
    "lem",
    "lin",
    "lo",
    "lus",
    "ma",
    "mar",
    "mel",
    "min",
    "mon",
    "mus",
    "na",
    "nel",
    "nis",
    "nor",
    "ob",
    "on",
    "or",
    "pa",
    "pel",
    "per",
    "pin",
    "por",
    "qua",
    "ra",
    "ren",
    "ri",
    "ros",
    "ru",
    "sa",
    "sel",
    "sin",
    "sol",
    "sta",
    "ta",
    "tel",
    "ten",
    "ter",
    "tor",
    "tra",
    "tu",
    "ul",
    "ur",
    "va",
    "vel",
    "vin",
    "vor",
    "wa",
    "wel",
    "win",
    "ya",
    "zan",
    "zo",
]
CONTINENTS = [
    "North America",
    "South America",
    "Europe",
    "Asia",
    "Africa",
    "Oceania",
    "Pacific Ocean",
]
PLACES = [
    "{}",
    "{}",
    "{}",
    "{}",
    "{} County",
    "{} Province",
    "{} River",
    "{} Island",
    "Mount {}",
    "{} District",
    "Lake {}",
]
SUBJECTS = ["{0} {1}", "{0} {1}", "{0}--{1}", "{0} and {1}", "{1}--History", "{1} in art"]
PEOPLES = ["{0}", "{1}", "{1} culture", "{1} people", "{0} {1}"]
NAMES = ("{0}, {1} {2}.", "{0}, {2}. {3}.", "{0}, {2}. {3}.")
PHRASES = ("{0}", "{0} {1}", "{0} {1} {2}")
GENERA = ["{}us", "{}a", "{}um", "{}ia", "{}is", "{}ella", "{}opsis", "{}oides"]
EPITHETS = ["{}us", "{}a", "{}um", "{}ensis", "{}ii", "{}iana", "{}alis", "{}ata", "{}osa"]
LETTERS = "ABCDEFGHJKLMNPRSTW"
CLEAN = re.compile(rf"\b{COMMON}\b", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+")

_ESCAPED = {ord(mark): f"\\u{ord(mark):04x}" for mark in "=&'<>"}


def gson(value: Any) -> str:
    """JSON as the bucket has it: no blanks, and = & ' < > escaped; never with the common word."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return CLEAN.sub("picture", text).translate(_ESCAPED)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms in order of rank, and a table of 2**bits of them in proportion to their frequency."""

    terms: Sequence[str]
    table: Sequence[str]
    bits: int


@dataclass(frozen=True, slots=True)
class World:
    """All that a record may hold."""

    words: Vocabulary
    topics: Vocabulary
    places: Vocabulary
    countries: Vocabulary
    names: Vocabulary
    object_types: Vocabulary
    cultures: Vocabulary
    genera: Vocabulary
    epithets: Vocabulary
    materials: Vocabulary
    dates: Vocabulary


@cache
def world() -> World:
    """The same for everybody, at every call; made in a few seconds."""
    seen = _captured()
    words = _words(seen["word"])
    tail = words[20_000:]
    capitals = [word.title() for word in tail]
    surnames, towns, stems = capitals[:60_000], capitals[60_000:110_000], tail[110_000:150_000]
    chance = Random(20_200_228)
    plain = words[50:9_000]

    def picks(options: Sequence[str]) -> Iterator[str]:
        while True:
            yield from chance.choices(options, k=4_096)

    def made(forms: Sequence[str], *parts: Sequence[str]) -> Iterator[str]:
        return (
            form.format(*part) for form, *part in zip(*map(picks, (forms, *parts)), strict=False)
        )

    return World(
        words=_zipf(_terms([], words, 250_000), WORD_BITS, 1.0),
        topics=_zipf(
            _terms(
                seen["topic"],
                made(SUBJECTS, [word.capitalize() for word in plain], words[:20_000]),
                133_113,
            ),
            20,
            0.95,
        ),
        places=_zipf(_terms(seen["place"], made(PLACES, towns), 114_000), 20, 0.9),
        countries=_zipf(_terms(seen["country"], made(PLACES, towns), 1_815), 16, 1.0),
        names=_zipf(
            _terms(
                seen["name"], made(NAMES, surnames, surnames[:2_000], LETTERS, LETTERS), 400_000
            ),
            21,
            0.85,
        ),
        object_types=_zipf(
            _terms(seen["object_type"], made(PHRASES, plain, plain, plain), 30_000), 18, 1.0
        ),
        cultures=_zipf(
            _terms(
                seen["culture"], made(PEOPLES, [word.capitalize() for word in plain], towns), 8_683
            ),
            16,
            1.0,
        ),
        genera=_zipf(
            _terms([], made(GENERA, [stem.capitalize() for stem in stems]), 60_000), 19, 0.85
        ),
        epithets=_zipf(_terms([], made(EPITHETS, stems), 20_000), 17, 0.9),
        materials=_zipf(_terms([], made(PHRASES, plain, plain, plain), 4_000), 16, 1.0),
        dates=_weighed(
            seen["date"] or {f"{year}s": year - 1700 for year in range(1710, 2020, 10)}, 16
        ),
    )


def draws(count: int, chance: Random) -> array[int]:
    """So many numbers of 32 bits."""
    return array("I", chance.randbytes(4 * count))


def _captured() -> Mapping[str, Mapping[str, int]]:
    """What was counted in the whole corpus and in the captured records, by kind of term."""
    seen: dict[str, Counter[str]] = {
        kind: Counter()
        for kind in ("word", "topic", "place", "country", "name", "object_type", "culture", "date")
    }
    path = CAPTURED / "smithsonian" / "corpus-vocabulary-2020-02.json.gz"
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as handle:
            counted = json.load(handle)
        for kind, key in (("topic", "topic"), ("country", "country_L2"), ("date", "date")):
            seen[kind].update(counted[key])
    for record in captured_records():
        indexed = record["content"].get("indexedStructured", {})
        for kind in ("topic", "place", "name", "object_type", "culture"):
            seen[kind].update(
                term for term in indexed.get(kind, ()) if isinstance(term, str) and term
            )
        for text in _texts(record["content"].get("freetext", {})):
            seen["word"].update(WORD.findall(text.lower()))
    return seen


def _texts(freetext: Mapping[str, Any]) -> Iterator[str]:
    for entries in freetext.values():
        for entry in entries:
            yield entry["content"]


def _words(counted: Mapping[str, int]) -> list[str]:
    """The captured words, the most frequent first, then made-up ones: 250,000 for sure, and no more."""
    chance = Random(1846)
    known = sorted(counted, key=lambda word: (-counted[word], word))
    words = dict.fromkeys(word for word in known if word != COMMON and word[0].islower())
    while len(words) < 250_000:
        made = "".join(chance.choices(SYLLABLES, k=chance.choice((2, 3, 3, 3, 4))))
        words.setdefault(made + ("s" if chance.random() < 0.1 else ""))
    return list(words)


def _terms(first: Mapping[str, int] | Sequence[str], more: Iterable[str], count: int) -> list[str]:
    """So many different terms as JSON text without its quotation marks: the counted, then more, which are plain."""
    ranked = (
        sorted(first, key=lambda term: (-first[term], term))
        if isinstance(first, Mapping)
        else first
    )
    terms = dict.fromkeys(gson(term)[1:-1] for term in ranked[:count])
    for term in more:
        if len(terms) >= count:
            break
        terms.setdefault(term)
    return list(terms)


def _zipf(terms: Sequence[str], bits: int, steepness: float) -> Vocabulary:
    return _table(terms, [(rank + 2.7) ** -steepness for rank in range(len(terms))], bits)


def _weighed(counted: Mapping[str, int], bits: int) -> Vocabulary:
    terms = sorted(counted, key=lambda term: (-counted[term], term))
    return _table(terms, [counted[term] for term in terms], bits)


def _table(terms: Sequence[str], weights: Sequence[float], bits: int) -> Vocabulary:
    """Every term at least once, the rest of the table by weight."""
    total, room = sum(weights), 2**bits - len(terms)
    table: list[str] = []
    reached = 0.0
    for place, (term, weight) in enumerate(zip(terms, weights, strict=True), 1):
        reached += weight
        table += [term] * (place + round(room * reached / total) - len(table))
    return Vocabulary(tuple(terms), table, bits)
