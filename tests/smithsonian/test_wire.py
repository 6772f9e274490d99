"""Readers of EDAN's rows take every shape."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from heritage_smithsonian import wire

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "label", "flag", "type", "media", "indexedContent"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(JSON)
def test_no_reader_fails_on_any_shape(value: object) -> None:
    readers = (wire.text, wire.strings, wire.labelled, wire.decimal, wire.yes)
    for read in readers:
        read(value)
    row = {"content": {"descriptiveNonRepeating": value, "freetext": value}}
    for part in (wire.content, wire.descriptive, wire.freetext, wire.indexed, wire.is_archival):
        part(row)
        part({"content": value, "type": value, "url": value})


@given(JSON)
def test_what_a_reader_of_decimals_gives_is_finite(value: object) -> None:
    found = wire.decimal(value)
    assert found is None or math.isfinite(found)


def test_names_are_strings_or_objects() -> None:
    mixed = ["Warhol, Andy", {"type": "personal_main", "content": "Haring, Keith"}, {}, None, ""]
    assert wire.strings(mixed) == ("Warhol, Andy", "Haring, Keith")


def test_an_entry_without_content_is_skipped_and_a_bare_string_has_no_label() -> None:
    block = [{"label": "Date", "content": " "}, "1847", {"label": "Date", "content": 1847}]
    assert wire.labelled(block) == (wire.Entry("", "1847"), wire.Entry("Date", "1847"))


def test_flags_and_the_index_form_of_archives_are_read() -> None:
    (entry,) = wire.labelled(
        {
            "label": "Collection Creator",
            "content": "Blue Eagle, Acee, 1907-1959",
            "flag": ["inherited"],
            "indexedContent": "Blue Eagle, Acee",
        }
    )
    assert entry.flags == ("inherited",)
    assert entry.indexed == "Blue Eagle, Acee"


def test_only_plain_decimals_are_coordinates() -> None:
    assert wire.decimal({"type": "decimal", "content": "-10.7417"}) == -10.7417
    assert wire.decimal(10.58) == 10.58
    for odd in (
        "inf",
        "nan",
        "1e3",
        "1_0",
        "10 35 N",
        {"type": "degrees", "content": "10"},
        math.inf,
    ):
        assert wire.decimal(odd) is None


def test_archives_write_their_booleans_as_words() -> None:
    assert wire.yes("true")
    assert wire.yes(True)
    assert not wire.yes("false")
    assert not wire.yes(None)
