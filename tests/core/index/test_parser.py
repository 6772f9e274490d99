"""A typed query is read to its end, and what was read otherwise than typed is said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.index import (
    OR_NOTE,
    Clause,
    Everything,
    Grammar,
    Group,
    Node,
    Phrase,
    Term,
    Word,
    parse,
)

GRAMMAR = Grammar(
    frozenset({"topic", "tax_sub-family", "media"}), frozenset({("media", "*"), ("media", "CC0")})
)


def read(typed: str) -> list[Node | tuple[str, Node]]:
    """The nodes; what is excluded stands behind a "not"."""
    clauses, _ = parse(typed, GRAMMAR)
    return [("not", clause.node) if clause.negative else clause.node for clause in clauses]


def notes(typed: str) -> Sequence[str]:
    return parse(typed, GRAMMAR)[1]


@pytest.mark.parametrize(
    ("typed", "nodes"),
    [
        ("topic:Quilts", [Term("topic", "Quilts")]),
        ('topic:"Log cabin"', [Term("topic", "Log cabin")]),
        ('topic:"  Log   cabin "', [Term("topic", "Log cabin")]),
        ("tax_sub-family:Felinae", [Term("tax_sub-family", "Felinae")]),
        ("topic:(Quilts Women)", [Term("topic", "Quilts"), Term("topic", "Women")]),
        ("-topic:Quilts", [("not", Term("topic", "Quilts"))]),
        ("NOT topic:Quilts", [("not", Term("topic", "Quilts"))]),
        ("topic:a:b", [Term("topic", "a:b")]),
        ('topic:"a\\"b"', [Term("topic", 'a"b')]),
        ("topic:a\\:b", [Term("topic", "a:b")]),
        ("media:*", [Term("media", "*", literal=True)]),
        ("media:CC0", [Term("media", "CC0", literal=True)]),
        ('media:"*"', [Term("media", "*")]),
        ("topic:*", [Term("topic", "*")]),
    ],
)
def test_a_field_of_the_catalogue_has_exact_terms(
    typed: str, nodes: list[Node | tuple[str, Node]]
) -> None:
    assert read(typed) == nodes


@pytest.mark.parametrize("typed", ["other:Quilts", "Topic:Quilts", "topi:c", "http://x", "12:30"])
def test_any_other_colon_is_part_of_a_word(typed: str) -> None:
    assert read(typed) == [Word(typed)]


def test_without_a_grammar_no_field_is_known() -> None:
    assert parse("topic:Quilts media:*") == parse("topic:Quilts media:*", Grammar())
    assert parse("topic:Quilts")[0] == (Clause(Word("topic:Quilts")),)


def test_a_field_without_a_value_is_a_word() -> None:
    assert read("topic: quilt") == [Word("topic:"), Word("quilt")]


@pytest.mark.parametrize(
    ("typed", "nodes"),
    [
        ("quilt*", [Word("quilt", prefix=True)]),
        ("quilt**", [Word("quilt", prefix=True)]),
        ("quilt\\*", [Word("quilt*")]),
        ("qu*lt", [Word("qu*lt")]),
        ("UH-1*", [Word("UH-1", prefix=True)]),
        ("*", [Everything()]),
        ("* *", [Everything()]),
        ("* quilt", [Word("quilt")]),
        ("NOT *", [("not", Everything())]),
        ("*:", [Everything()]),
        ("*:*", [Everything()]),
    ],
)
def test_a_star_at_the_end_of_a_word_alone_is_a_wildcard(
    typed: str, nodes: list[Node | tuple[str, Node]]
) -> None:
    assert read(typed) == nodes


@pytest.mark.parametrize(
    ("typed", "nodes"),
    [
        ("a -b", [Word("a"), ("not", Word("b"))]),
        ("a NOT -b", [Word("a"), ("not", Word("b"))]),
        ('-"a b"', [("not", Phrase("a b"))]),
        ("-(a)", [("not", Word("a"))]),
        ("-(-a)", [Word("a")]),
        ("-(a b)", [("not", Group((Clause(Word("a")), Clause(Word("b")))))]),
        ("not a", [Word("not"), Word("a")]),
        ("a-b", [Word("a-b")]),
        ("--a", [Word("--a")]),
        ("(a (b) c)", [Word("a"), Word("b"), Word("c")]),
        ("NOT (a (b c))", [("not", Group(tuple(Clause(Word(w)) for w in "abc")))]),
    ],
)
def test_what_is_excluded_is_read_with_its_brackets(
    typed: str, nodes: list[Node | tuple[str, Node]]
) -> None:
    assert read(typed) == nodes


def test_brackets_nested_without_end_are_read() -> None:
    for bracket in ("NOT (", "-(", "topic:(", ")", '"', "NOT ", "-"):
        clauses, told = parse(bracket * 20_000 + "a" + ")" * 20_000, GRAMMAR)
        assert len(clauses) <= 1
        assert told
    assert parse("(" * 20_000 + "a" + ")" * 20_000, GRAMMAR) == ((Clause(Word("a")),), ())


def test_or_does_not_widen_and_that_is_said() -> None:
    assert read("a OR b || c") == read("a b c")
    assert notes("a OR b || c") == (OR_NOTE,)


# -- whatever is typed -----------------------------------------------------------------------------

WORDS = st.from_regex(r"[a-z]{1,6}(-[0-9]{1,2})?", fullmatch=True)
NODES = st.recursive(
    st.one_of(
        st.builds(Word, WORDS, st.booleans()),
        st.builds(Phrase, st.lists(WORDS, min_size=1, max_size=3).map(" ".join)),
        st.builds(Term, st.sampled_from(sorted(GRAMMAR.fields)), st.text('aZ\\"', min_size=1)),
        st.just(Term("media", "*", literal=True)),
    ),
    lambda nodes: st.builds(
        Group,
        st.lists(st.builds(Clause, nodes, st.booleans()), min_size=2, max_size=3).map(
            lambda clauses: tuple(_sound(clause) for clause in clauses)
        ),
    ),
    max_leaves=6,
)


def _sound(clause: Clause) -> Clause:
    """A group stands only under a NOT."""
    return Clause(clause.node, clause.negative or isinstance(clause.node, Group))


def _typed(clause: Clause) -> str:
    negation = "NOT " if clause.negative else ""
    match clause.node:
        case Word(text, prefix):
            return f"{negation}{text}{'*' if prefix else ''}"
        case Phrase(text):
            return f'{negation}"{text}"'
        case Term(field, value, literal=True):
            return f"{negation}{field}:{value}"
        case Term(field, value):
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'{negation}{field}:"{quoted}"'
        case Everything():
            return f"{negation}*"
        case Group(clauses):
            return f"{negation}({' '.join(map(_typed, clauses))})"


CLAUSES = st.lists(st.builds(Clause, NODES, st.booleans()).map(_sound), min_size=1, max_size=5)


@given(CLAUSES)
def test_what_is_typed_soundly_is_read_as_meant_and_nothing_is_said(clauses: list[Clause]) -> None:
    typed = " ".join(map(_typed, clauses))
    assert parse(typed, GRAMMAR) == (tuple(clauses), ())


@given(
    CLAUSES,
    st.sampled_from(
        ["(", ")", '"', "OR a", "AND", "NOT", "()", "NOT (", "a*b", "topic:a*", "topic:(a b)"]
    ),
)
def test_what_is_mended_is_said(clauses: list[Clause], flaw: str) -> None:
    typed = " ".join(map(_typed, clauses))
    mended, told = parse(f"{typed} {flaw}", GRAMMAR)
    assert told
    assert all(note.endswith(".") for note in told)
    assert mended[: len(clauses)] == tuple(clauses)


@given(st.text() | st.text('ab ()"\\*:-+!&|~^?/[]{}', max_size=60) | st.text(st.characters()))
def test_nothing_that_can_be_typed_fails(typed: str) -> None:
    clauses, told = parse(typed, GRAMMAR)
    assert all(note.endswith(".") for note in told)
    _looked_at(clauses)


def _looked_at(clauses: Sequence[Clause]) -> None:
    """No group is empty, stands without a NOT, or holds less than two; no word is without a letter."""
    for clause in clauses:
        match clause.node:
            case Group(inner):
                assert clause.negative
                assert len(inner) >= 2
                _looked_at(inner)
            case Word(text) | Phrase(text):
                assert any(map(str.isalnum, text))
            case Term(field, value):
                assert field in GRAMMAR.fields
                assert value
            case Everything():
                pass
