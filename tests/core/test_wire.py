"""Readers of raw JSON take every shape."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway import wire

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON)
def test_no_reader_fails_on_any_shape(value: object) -> None:
    readers = (wire.mapping, wire.items, wire.raw, wire.text, wire.strings, wire.link, wire.number)
    for read in readers:
        read(value)
    assert all(wire.is_raw(found) for found in wire.mappings(value))


def test_a_single_value_stands_for_a_list_of_one() -> None:
    assert wire.items({"a": 1}) == ({"a": 1},)
    assert wire.items(["a", "b"]) == ("a", "b")
    assert wire.items(None) == ()


def test_texts_are_plain_and_said_once() -> None:
    assert wire.strings(["<i>Moby</i> Dick", "Moby Dick", "", None, {}, 1851]) == (
        "Moby Dick",
        "1851",
    )


def test_counts_may_be_strings() -> None:
    assert wire.number("2") == 2
    assert wire.number(2) == 2
    assert wire.number(True) is None
    assert wire.number("many") is None


def test_only_web_addresses_are_links() -> None:
    assert wire.link("http://n2t.net/ark:/65665/x") == "http://n2t.net/ark:/65665/x"
    assert wire.link("javascript:alert(1)") == ""
    assert wire.link("https://si.edu/a b") == ""
