"""Whatever is typed, every engine finds the same by it: the same totals, the same records."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.index.engines import Embedded, filled
from core.index.reference import Reference, words_of
from heritage_gateway.index import Entry, Grammar, Layout, Reader, key_of, parse

LAYOUT = Layout(
    "things",
    1,
    facets=("topic", "unit"),
    terms=("species",),
    broad=frozenset({"species"}),
)
GRAMMAR = Grammar(
    frozenset({"topic", "unit", "species", "colour"}),
    frozenset({("topic", "*"), ("colour", "*"), ("unit", "NASM")}),
)
WORDS = (
    *("quilt", "quilts", "quilter", "Quilt", "log", "cabin", "UH-1H", "1H", "uh", "Łódź", "Lodz"),
    *("Straße", "æra", "Ærø", "don't", "O’Keeffe", "65-10126", "3.5", "a", "b", "née", "Москва"),
    *("漢字", "C++", "AND", "or", "not", "x_y", "50%", "İzmir", "ΟΔΟΣ"),
)
VALUES = ("Quilts", "quilts", "Log cabin", 'a"b', "a\\b", "*", "(x)", "Łódź", "NASM", " x", "a:b")
SPECIES = ("Canis", "Canis lupus", "Canis lupus × x", "Canisius", "Salix × fragilis", "Salix")


def entries() -> Iterator[Entry]:
    draw = random.Random(11)

    def text(most: int) -> str:
        signs = (" ", " ", " ", ", ", "-", ". ", " (", "; ")
        return "".join(
            draw.choice(WORDS) + draw.choice(signs) for _ in range(draw.randint(0, most))
        )

    for number in range(150):
        terms = [("topic", draw.choice(VALUES)) for _ in range(draw.randint(0, 3))]
        terms += [("unit", draw.choice(("NASM", "NMAH")))] * draw.randint(0, 1)
        terms += [("species", draw.choice(SPECIES)) for _ in range(draw.randint(0, 2))]
        terms += [("colour", draw.choice(VALUES))] * draw.randint(0, 1)
        texts = [text(6) for _ in range(draw.randint(0, 4))]
        name = str(number)
        yield Entry(name, name.encode(), text(3), texts, terms, listed=number % 20 != 0)


class Both(NamedTuple):
    embedded: Reader
    reference: Reader


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The same entries in both, with some written twice and some deleted, in several parts."""
    readers = list[Reader]()
    for engine in (Embedded(LAYOUT, tmp_path_factory.mktemp("index")), Reference(LAYOUT)):
        filled(engine, entries(), commits=4)
        writer = engine.writer()
        for number in range(0, 150, 7):
            writer.delete(key_of(str(number)))
        writer.upsert(Entry("3", b"3", "quilt log cabin", terms=[("topic", "Quilts")]))
        writer.commit()
        writer.close()
        readers.append(engine.reader())
    return Both(*readers)


TEXTS = [text for entry in entries() for text in (entry.title, *entry.texts) if text]
WORD = st.sampled_from(WORDS) | st.sampled_from(sorted({w for t in TEXTS for w in words_of(t)}))
PHRASE = st.builds(
    lambda text, start, length: " ".join(text.split()[start : start + length]),
    st.sampled_from(TEXTS),
    st.integers(0, 4),
    st.integers(1, 4),
)
VALUE = st.sampled_from((*VALUES, *SPECIES))
PIECE = st.one_of(
    WORD,
    WORD.map(lambda word: f"{word[: len(word) // 2 + 1]}*"),
    WORD.map(lambda word: f"-{word}"),
    PHRASE.map(lambda phrase: f'"{phrase}"'),
    st.builds("{}:{}".format, st.sampled_from(sorted(GRAMMAR.fields)), VALUE),
    st.builds('{}:"{}"'.format, st.sampled_from(sorted(GRAMMAR.fields)), VALUE),
    st.sampled_from(
        [
            *("NOT", "NOT (", "-(", "(", ")", "))", "AND", "OR", '"', "*", "-*", "topic:("),
            *("topic:*", "colour:*", "NOT topic:*", "~2", "\\", "&", "-", "()", "NOT ()", "--x"),
            *("+", "q*lt"),
        ]
    ),
)
TYPED = st.one_of(
    st.lists(PIECE, max_size=3).map(" ".join),
    st.lists(PIECE, max_size=9).map(" ".join),
    st.lists(PIECE, max_size=5).map("".join),
)


def _alike(both: Both, typed: str) -> int:
    clauses, told = parse(typed, GRAMMAR)
    assert all(note.endswith(".") for note in told)
    one, other = (reader.search(clauses, start=0, rows=1_000) for reader in both)
    assert one.total == other.total == len(one.records)
    assert sorted(one.records) == sorted(other.records)
    for field in LAYOUT.fields:
        for size in (2, 100):
            counts = [reader.facet(clauses, field, size=size) for reader in both]
            assert counts[0] == counts[1]
    return one.total


@settings(max_examples=400)
@given(TYPED)
def test_engines_find_the_same_by_whatever_is_typed(both: Both, typed: str) -> None:
    _alike(both, typed)


@settings(max_examples=200)
@given(st.text('ab "()*-:\\+&|~NOTRhql1łŁßé', max_size=30) | st.text(max_size=12))
def test_engines_find_the_same_by_odd_signs(both: Both, typed: str) -> None:
    """Not by marks and the newest letters, of which every system has an opinion of its own."""
    _alike(
        both, "".join(s for s in typed if unicodedata.category(s) not in {"Mn", "Mc", "Me", "Cn"})
    )


@pytest.mark.parametrize(
    "typed",
    ["", "*", "NOT quilt", "quilt -topic:*", "-(quilt -(log cabin))", "species:Canis", "uh-1*"],
)
def test_engines_find_something_and_the_same_by_common_questions(both: Both, typed: str) -> None:
    assert _alike(both, typed) > 0


@pytest.mark.heavy
@settings(max_examples=10_000)
@given(TYPED)
def test_engines_find_the_same_by_very_many_questions(both: Both, typed: str) -> None:
    _alike(both, typed)


@settings(max_examples=100)
@given(TYPED, st.integers(1, 40))
def test_pages_of_whatever_is_typed_make_up_the_whole(both: Both, typed: str, rows: int) -> None:
    clauses, _ = parse(typed, GRAMMAR)
    for reader in both:
        whole = reader.search(clauses, start=0, rows=1_000).records
        parts = [
            record
            for start in range(0, len(whole) + 1, rows)
            for record in reader.search(clauses, start=start, rows=rows).records
        ]
        assert parts == list(whole)
