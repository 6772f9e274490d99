"""The query that is sent: whatever is typed stays inside its brackets, and the filters hold."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heritage_gateway.index import OR_NOTE, Clause, Group, Phrase, Term, Word
from heritage_smithsonian.query import Filters, Lucene, Unsearchable, build
from shared import CAPTURED

TYPED = st.one_of(
    st.text(max_size=40),
    st.text(alphabet='ab ()"\\*:-+!&|~^?/[]{}', max_size=40),
    st.lists(
        st.sampled_from(
            [
                *(
                    "a",
                    "quilt*",
                    "(",
                    ")",
                    '"',
                    "AND",
                    "OR",
                    "NOT",
                    "-",
                    "*",
                    "\\",
                    "&&",
                    "||",
                    "--x",
                ),
                *(
                    "unit_code:*",
                    "unit_code:",
                    "topic:(",
                    "-topic:Art",
                    'place:"*"',
                    "foo:bar",
                    "~3",
                ),
                *("media_usage:CC0", "online_media_type:*", 'name:"a\\', "\\(", '\\"', "!(", "+a"),
            ]
        ),
        max_size=12,
    ).map(" ".join),
    st.lists(st.sampled_from(["a", "(", ")", '"', "NOT ", "-", "topic:", "*", "\\", " "])).map(
        "".join
    ),
)
VALUE = st.text(min_size=1, max_size=12) | st.text(alphabet='a"\\*) (:', min_size=1, max_size=8)
FILTERS = st.builds(
    Filters,
    unit_code=st.none() | VALUE,
    topic=st.none() | VALUE,
    online_media_type=st.none() | VALUE,
    online_only=st.booleans(),
    cc0_only=st.booleans(),
)
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\\.', re.DOTALL)


def q(query: str, filters: Filters | None = None) -> str:
    found = build(query, filters)
    assert isinstance(found, Lucene)
    return found.q


def bare(query: str) -> str:
    """A query without its phrases and escaped characters: what is left is syntax."""
    return QUOTED.sub("_", query)


NASM = Filters(unit_code="NASM")


@pytest.mark.parametrize("query", ["", "*", " ", "(*)"])
def test_an_empty_query_asks_for_everything_or_for_the_filters_alone(query: str) -> None:
    assert q(query) == "*"
    assert q(query, NASM) == 'unit_code:"NASM"'


def test_filters_are_quoted_and_follow_in_a_fixed_order() -> None:
    every = Filters(
        online_media_type="Images",
        scientific_name="Canis",
        name="Warhol, Andy",
        topic='Early Iron Age, "Tomb Age"',
        place="*",
        culture="Argentina \\ Chile",
        date="1920s",
        object_type="Paintings",
        unit_code="NMAfA",
        online_only=True,
        cc0_only=True,
    )
    assert q("quilt", every) == (
        '(quilt) AND unit_code:"NMAfA" AND object_type:"Paintings" AND date:"1920s"'
        ' AND culture:"Argentina \\\\ Chile" AND place:"*"'
        ' AND topic:"Early Iron Age, \\"Tomb Age\\"" AND name:"Warhol, Andy"'
        ' AND scientific_name:"Canis" AND online_media_type:"Images"'
        " AND online_media_type:* AND media_usage:CC0"
    )


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("quilt", "quilt"),
        ("baby quilt", "baby quilt"),
        ('"baby quilt" cotton', '"baby quilt" cotton'),
        ("quilt*", "quilt*"),
        ("quilt NOT baby", "quilt NOT baby"),
        ("quilt -baby", "quilt NOT baby"),
        ("NOT quilt", "* NOT quilt"),
        ("quilt -(baby cotton)", "quilt NOT (baby cotton)"),
        ("NOT (NOT quilt)", "quilt"),
        ("a AND b", "a b"),
        ("((a) (b", "a b"),
        ("a) b", "a b"),
        ("AND a AND", "a"),
        ("NOT () a", "a"),
        ("Jodhpur & Udaipur", "Jodhpur Udaipur"),
        ("Quilts--History", "Quilts--History"),
        ("--x", "\\--x"),
        ("C++ [185-?]", "C\\+\\+ \\[185-\\?\\]"),
        ("Untitled: the blue", "Untitled\\: the blue"),
        ("foo:bar", "foo\\:bar"),
        ("Silhouette\\Cut-out", "Silhouette\\\\Cut-out"),
        ("a\\(b", "a\\(b"),
        ("topic:Quilts", 'topic:"Quilts"'),
        ('-topic:"Quilts--History"', '* NOT topic:"Quilts--History"'),
        ("topic:(Quilts Women)", 'topic:"Quilts" topic:"Women"'),
        ('place:"*"', 'place:"*"'),
        ("place:*", 'place:"*"'),
        ("online_media_type:*", "online_media_type:*"),
        ("media_usage:CC0", "media_usage:CC0"),
        ("media_usage:*", 'media_usage:"*"'),
        ("title:quilt", "title\\:quilt"),
        ('"a b"~3', '"a b"'),
        ("x) OR (unit_code:*", 'x unit_code:"*"'),
    ],
)
def test_free_text_is_written_anew(query: str, sent: str) -> None:
    assert q(query) == sent
    assert q(query, NASM) == f'({sent}) AND unit_code:"NASM"'


@pytest.mark.parametrize(
    "query", ["()", '"()"', '" "', "\\", "NOT", "&", "AND", "?", "~", "-", "((", '"', "NOT ()"]
)
def test_a_text_without_anything_to_look_for_does_not_ask_for_everything(query: str) -> None:
    for filters in (None, NASM):
        assert isinstance(build(query, filters), Unsearchable)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("a OR b", "OR does not widen"),
        ("a || b", "OR does not widen"),
        ('a "b', "quotation mark"),
        ("(a", "bracket without a partner was closed"),
        ("a)", "closing bracket"),
        ("a ()", "nothing searchable"),
        ("a AND", "AND or NOT"),
        ("a NOT", "AND or NOT"),
        ("a*b", "A star"),
        ("topic:Quilt*", "exact term"),
        ("topic:(a b)", "one exact term"),
        ('"a b"~2', "distance"),
        ("NOT (a " * 12, "nested"),
    ],
)
def test_what_was_mended_is_told(query: str, told: str) -> None:
    found = build(query)
    assert isinstance(found, Lucene)
    assert any(told in note for note in found.mended)
    assert all(note.endswith(".") for note in found.mended)


def test_nothing_is_told_about_a_sound_query() -> None:
    found = build('quilt "log cabin" NOT (silk velvet) topic:"Quilts" baby*')
    assert isinstance(found, Lucene)
    assert found.mended == ()
    assert found.words == ("quilt", "log cabin", "baby")
    assert found.clauses == (
        Clause(Word("quilt")),
        Clause(Phrase("log cabin")),
        Clause(Group((Clause(Word("silk")), Clause(Word("velvet")))), negative=True),
        Clause(Term("topic", "Quilts")),
        Clause(Word("baby", prefix=True)),
    )


@given(TYPED, FILTERS)
def test_brackets_balance_and_no_query_is_empty(typed: str, filters: Filters) -> None:
    found = build(typed, filters)
    if isinstance(found, Unsearchable):
        return
    assert found.q.strip()
    found.q.encode()
    depth = 0
    for character in bare(found.q):
        depth += {"(": 1, ")": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    assert '"' not in bare(found.q)


@given(TYPED, FILTERS)
def test_the_filters_come_last_and_whole(typed: str, filters: Filters) -> None:
    found, alone = build(typed, filters), build("", filters)
    assert isinstance(alone, Lucene)
    if isinstance(found, Unsearchable) or not filters.terms():
        return
    assert found.q == alone.q or (found.q.startswith("(") and found.q.endswith(f") AND {alone.q}"))


@given(TYPED, FILTERS)
def test_no_value_is_unquoted_but_the_two_literals(typed: str, filters: Filters) -> None:
    found = build(typed, filters)
    if isinstance(found, Lucene):
        for name, value in re.findall(r"([\w-]+):([^\s)]*)", bare(found.q)):
            assert value == "_" or (name, value) in {
                ("online_media_type", "*"),
                ("media_usage", "CC0"),
            }


@given(TYPED)
def test_a_query_that_was_written_anew_is_read_as_it_was_meant(typed: str) -> None:
    found = build(typed)
    if isinstance(found, Lucene):
        again = build(found.q)
        assert isinstance(again, Lucene)
        assert again.q == found.q
        assert OR_NOTE not in again.mended


# -- against the stand-in's own reading -------------------------------------------------------------


@cache
def upstream() -> Any:
    from standin import Settings
    from standin.edan import Edan

    return Edan(Settings(data=[str(CAPTURED)]))


@pytest.mark.standin
@pytest.mark.captured
@settings(max_examples=300)
@given(TYPED, st.sampled_from(["NASM", "NMAI", "FSG"]))
def test_nothing_typed_undoes_a_filter(typed: str, unit: str) -> None:
    found = build(typed, Filters(unit_code=unit))
    if isinstance(found, Lucene):
        rows, _ = upstream().find(found.q)
        assert {upstream().records[n]["unitCode"] for n in rows} <= {unit}


@pytest.mark.standin
@pytest.mark.captured
@pytest.mark.parametrize(
    "typed", ["x) OR (unit_code:*", '" OR "', "\\", "NOT", "art) OR NOT (art", '") OR ("', "a\\"]
)
def test_known_tricks_do_not_undo_a_filter(typed: str) -> None:
    found = build(typed, NASM)
    if isinstance(found, Lucene):
        rows, _ = upstream().find(found.q)
        assert {upstream().records[n]["unitCode"] for n in rows} <= {"NASM"}


@pytest.mark.standin
@pytest.mark.captured
def test_free_text_and_filters_find_what_both_ask_for() -> None:
    def found(query: str, filters: Filters) -> set[int]:
        rows, _ = upstream().find(q(query, filters))
        return set(rows)

    free, unit = found("apollo", Filters()), found("", NASM)
    assert found("apollo", NASM) == free & unit != set()
    assert found("apollo NOT command", NASM) == (free & unit) - found("command", Filters())
    assert found("NOT apollo", NASM) == unit - free
    assert found("apollo OR quilt", NASM) == found("apollo quilt", NASM)
    assert found("", replace(NASM, cc0_only=True)) == unit & found("media_usage:CC0", Filters())
    assert found("tag", Filters(place="*")) == set()
