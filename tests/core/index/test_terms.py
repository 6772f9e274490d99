"""The vocabulary in its file is the vocabulary of the index, whatever stands in a term."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.reference import ReferenceReader, State
from heritage_gateway.index import Entry, IndexFault, Layout, Reader
from heritage_gateway.index.terms import dump, load

LAYOUT = Layout("things", 1, facets=("topic",), terms=("tax_sub-family",))
# Line ends as they stand in files on other systems, signs that split lines elsewhere, escapes.
ODD = [
    *("a\tb", "a\nb", "a\r\nb", "\r", "\t", "\n", "\\", "\\n", "\\\\n", "\\t\t", "a\\", "\\\n"),
    *("a\x0bb", "\x0c", "\x1c\x1d\x1e", "\x85", "\u2028", "\u2029", "", " ", " a ", "é", "\ufeff"),
]


def reader(values: Sequence[str]) -> Reader:
    entries = {
        n: Entry(str(n), b"", terms=[("topic", v), ("tax_sub-family", v)])
        for n, v in enumerate(values)
    }
    return ReferenceReader(State(LAYOUT, entries))


def loaded(field: str, folder: Path) -> tuple[list[str], list[int]]:
    terms, counts = load(field, folder)
    return list(terms), list(counts)


def test_terms_come_back_in_order_with_their_counts(tmp_path: Path) -> None:
    dump(reader(["b", "a", "b", "Z"]), LAYOUT.fields, tmp_path)
    for field in LAYOUT.fields:
        assert loaded(field, tmp_path) == (["Z", "a", "b"], [1, 1, 2])


def test_odd_terms_come_back_as_they_were(tmp_path: Path) -> None:
    dump(reader(ODD), LAYOUT.fields, tmp_path)
    assert loaded("topic", tmp_path) == (sorted(ODD), [1] * len(ODD))


@given(st.lists(st.text() | st.text("\\ntr\t\n\r"), unique=True))
def test_any_terms_come_back(
    tmp_path_factory: pytest.TempPathFactory, values: Sequence[str]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any terms"
    dump(reader(values), ("topic",), folder)
    assert loaded("topic", folder)[0] == sorted(values)


def test_a_field_without_terms_has_an_empty_vocabulary(tmp_path: Path) -> None:
    dump(reader([]), LAYOUT.fields, tmp_path)
    assert loaded("topic", tmp_path) == ([], [])


def test_a_vocabulary_is_replaced_as_a_whole(tmp_path: Path) -> None:
    dump(reader(["a", "b"]), ("topic",), tmp_path)
    dump(reader(["c"]), ("topic",), tmp_path)
    assert loaded("topic", tmp_path) == (["c"], [1])
    assert [path.name for path in (tmp_path / "terms").iterdir()] == ["topic.tsv"]


def test_a_dump_that_breaks_off_leaves_the_former_vocabulary(tmp_path: Path) -> None:
    class Broken(ReferenceReader):
        def vocabulary(self, field: str) -> Sequence[tuple[str, int]]:
            raise IndexFault(f"The terms of {field} cannot be read.")

    dump(reader(["a"]), ("topic",), tmp_path)
    with pytest.raises(IndexFault):
        dump(Broken(State(LAYOUT, {})), ("topic",), tmp_path)
    assert loaded("topic", tmp_path) == (["a"], [1])


@pytest.mark.parametrize("text", ["a\n", "x\ta\n", "\n", "1\n", b"1\t\xff\n".decode("latin-1")])
def test_a_file_that_is_no_vocabulary_is_a_fault(tmp_path: Path, text: str) -> None:
    (tmp_path / "terms").mkdir()
    (tmp_path / "terms" / "topic.tsv").write_bytes(text.encode("latin-1"))
    with pytest.raises(IndexFault, match="topic"):
        load("topic", tmp_path)


def test_a_missing_vocabulary_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(IndexFault, match="The vocabulary of topic is missing"):
        load("topic", tmp_path)
