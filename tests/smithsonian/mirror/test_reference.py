"""The captured records in both engines: every question that a tool can ask has one answer."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from core.index.engines import Embedded, filled
from core.index.reference import Reference, words_of
from heritage_gateway.index import Clause, Entry, Reader
from heritage_smithsonian.mirror.entry import LAYOUT, entry
from heritage_smithsonian.query import FILTER_FIELDS, Filters, Lucene, build
from shared import captured_records

QUERIES, VERY_MANY = 2_000, 20_000
PAGE = 50  # records of a page are compared where no more were found


@dataclass(frozen=True, slots=True)
class Both:
    entries: Sequence[Entry]
    embedded: Reader
    reference: Reader


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    lines = [json.dumps(record).encode() for record in captured_records()]
    entries = [entry(line, "captured") for line in lines]
    embedded = Embedded(LAYOUT, tmp_path_factory.mktemp("mirror"))
    return Both(
        [one for one in entries if one.listed],
        filled(embedded, entries, commits=3),
        filled(Reference(LAYOUT), entries),
    )


class Asking:
    """Questions about a record that is there, and mostly such as find it."""

    def __init__(self, entries: Sequence[Entry], seed: int) -> None:
        self._entries = entries
        self._draw = random.Random(seed)

    def question(self) -> tuple[str, Filters]:
        draw, about = self._draw, self._draw.choice(self._entries)
        pieces = [self._piece(about) for _ in range(draw.choice((0, 1, 1, 1, 2, 2, 3)))]
        if draw.random() < 0.3:
            pieces.append(self._excluded(draw.choice(self._entries)))
        draw.shuffle(pieces)
        return " ".join(pieces), self._filters(about, draw.choice((0, 0, 1, 1, 2)))

    def _text(self, about: Entry) -> str:
        return self._draw.choice([text for text in (about.title, *about.texts) if text.strip()])

    def _word(self, about: Entry) -> str:
        return self._draw.choice(self._text(about).split())

    def _piece(self, about: Entry) -> str:
        draw = self._draw
        match draw.randrange(8):
            case 0 | 1 | 2:
                return self._word(about)
            case 3:
                return draw.choice(words_of(self._text(about)) or ["*"])
            case 4 | 5:
                typed = self._text(about).replace('"', " ").replace("\\", " ").split()
                start = draw.randrange(len(typed) or 1)
                return f'"{" ".join(typed[start : start + draw.randint(1, 4)])}"'
            case 6:
                word = self._word(about)
                return f"{word[: draw.randint(1, 6)]}*"
            case _:
                field, value = draw.choice(about.terms)
                quoted = value.replace("\\", "\\\\").replace('"', '\\"')
                return f'{field}:"{quoted}"'

    def _excluded(self, about: Entry) -> str:
        pieces = [self._piece(about) for _ in range(self._draw.choice((1, 1, 2)))]
        if len(pieces) > 1 and self._draw.random() < 0.3:
            pieces.append(f"NOT {self._piece(about)}")
        return f"NOT ({' '.join(pieces)})" if len(pieces) > 1 else f"NOT {pieces[0]}"

    def _filters(self, about: Entry, number: int) -> Filters:
        draw = self._draw
        own = [(field, value) for field, value in about.terms if field in FILTER_FIELDS]
        chosen = dict(draw.choices(own, k=number)) if own else {}
        if "scientific_name" in chosen and draw.random() < 0.5:
            chosen["scientific_name"] = chosen["scientific_name"].partition(" ")[0]
        online, cc0 = draw.random() < 0.1, draw.random() < 0.1
        return replace(_filters(chosen), online_only=online, cc0_only=cc0)


def _filters(chosen: Mapping[str, Any]) -> Filters:
    return Filters(**chosen)


def _compared(both: Both, clauses: Sequence[Clause], draw: random.Random) -> int:
    one, other = (
        reader.search(clauses, start=0, rows=PAGE) for reader in (both.embedded, both.reference)
    )
    assert one.total == other.total
    if one.total <= PAGE:
        assert sorted(one.records) == sorted(other.records)
    field, size = draw.choice(LAYOUT.fields), draw.choice((1, 10, 10_000))
    assert both.embedded.facet(clauses, field, size=size) == both.reference.facet(
        clauses, field, size=size
    )
    return one.total


def _asked(both: Both, number: int, seed: int) -> list[int]:
    asking, draw, totals = Asking(both.entries, seed), random.Random(seed), list[int]()
    for _ in range(number):
        built = build(*asking.question())
        if isinstance(built, Lucene):
            clauses = (*built.clauses, *map(Clause, built.filters))
            totals.append(_compared(both, clauses, draw))
    return totals


@pytest.mark.captured
def test_whatever_is_asked_of_the_captured_records_has_one_answer(both: Both) -> None:
    totals = _asked(both, QUERIES, seed=1)
    assert len(totals) > 0.9 * QUERIES
    assert sum(total > 0 for total in totals) > 0.6 * len(totals)


@pytest.mark.heavy
@pytest.mark.captured
def test_whatever_is_asked_very_often_has_one_answer(both: Both) -> None:
    _asked(both, VERY_MANY, seed=2)


@pytest.mark.captured
def test_the_vocabularies_are_the_same(both: Both) -> None:
    for field in LAYOUT.fields:
        assert both.embedded.vocabulary(field) == both.reference.vocabulary(field)
        whole = both.embedded.facet((), field, size=100_000)
        assert sorted(whole.counts) == both.reference.vocabulary(field)
        assert whole.complete


@pytest.mark.captured
def test_every_term_of_the_captured_records_finds_as_many_as_it_counts(both: Both) -> None:
    for field in ("unit_code", "culture", "object_type", "date", "online_media_type"):
        for term, count in both.embedded.vocabulary(field):
            built = build("", _filters({field: term}))
            assert isinstance(built, Lucene)
            clauses = list(map(Clause, built.filters))
            assert both.embedded.search(clauses, start=0, rows=0).total == count


@pytest.mark.captured
def test_every_record_is_had_by_its_names_and_what_is_not_listed_by_them_alone(both: Both) -> None:
    for record in captured_records():
        kept = both.embedded.get(record["url"])
        assert kept == both.embedded.get(record["id"]) == both.reference.get(record["url"])
        assert kept is not None
        assert json.loads(kept) == record
    assert both.embedded.search((), start=0, rows=0).total == len(both.entries)
    assert both.embedded.stats().entries == len(captured_records()) > len(both.entries)
