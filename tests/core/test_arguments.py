"""Callers are forgiven where nothing is lost, and told by name where something would be."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import InvalidRequest, Reason


class Filters(Arguments):
    unit_code: str | None = None
    date: str | None = None
    online_only: bool | None = None


class Input(Arguments):
    query: str
    filters: Filters | None = None
    rows: Count = Field(20)
    start: Offset = Field(0)


def refused(**arguments: Any) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as caught:
        Input.parse(arguments)
    assert caught.value.reason is Reason.INVALID_INPUT
    return caught.value


@pytest.mark.parametrize("nothing", [None, ""])
def test_null_and_blank_count_as_absent_for_optional_arguments(nothing: Any) -> None:
    asked = Input.parse({"query": "", "rows": nothing, "start": nothing, "filters": nothing})
    assert asked == Input(query="")


def test_null_and_blank_count_as_absent_inside_nested_objects() -> None:
    asked = Input.parse({"query": "x", "filters": {"unit_code": "", "date": None}})
    assert asked.filters == Filters()


def test_numbers_in_text_are_numbers() -> None:
    assert Input.parse({"query": "x", "rows": "20", "start": "40"}).start == 40


def test_an_object_sent_as_a_json_string_is_parsed() -> None:
    asked = Input.parse({"query": "x", "filters": '{"unit_code": "NASM"}'})
    assert asked.filters == Filters(unit_code="NASM")


def test_an_unknown_key_is_refused_and_the_nearest_offered() -> None:
    error = refused(query="x", filters={"unitcode": "NASM"})
    assert error.message == (
        "`filters.unitcode` is not an argument of this tool; did you mean `filters.unit_code`?"
    )
    assert "filters {unit_code, date, online_only}" in error.hint


def test_an_unknown_key_is_refused_even_when_it_is_null() -> None:
    assert "`date_decade`" in refused(query="x", date_decade=None).message


def test_a_renamed_filter_key_is_never_dropped_in_silence() -> None:
    assert "did you mean `filters.date`?" in refused(query="x", filters={"dates": "1920s"}).message


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ({"unit_code": "NASM"}, "filters.unit_code"),
        ({"date_decade": "1920s"}, "filters.date"),
        ({"filters": {"row": 5}}, "rows"),
        ({"filter": {}}, "filters"),
    ],
)
def test_a_key_in_the_wrong_place_is_offered_where_it_belongs(
    given: dict[str, Any], nearest: str
) -> None:
    assert f"did you mean `{nearest}`?" in refused(query="x", **given).message


def test_nothing_is_offered_for_a_key_like_no_other() -> None:
    assert "did you mean" not in refused(query="x", filters={"zzz": 1}).message


def test_a_missing_argument_is_named() -> None:
    assert refused(rows=5).message == "`query` is missing."


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"rows": 0}, "`rows` is wrong: greater than or equal to 1 is expected."),
        ({"rows": "many"}, "`rows` is wrong: a valid integer is expected."),
        ({"rows": True}, "`rows` is wrong: a whole number is expected"),
        ({"rows": 2.5}, "`rows` is wrong: a valid integer is expected."),
        ({"start": -1}, "`start` is wrong"),
        ({"start": 2**60}, "`start` is wrong"),
        ({"start": float("inf")}, "`start` is wrong"),
        ({"query": 5}, "`query` is wrong: a valid string is expected."),
        ({"filters": "NASM"}, "`filters` is wrong: "),
        ({"filters": [1]}, "`filters` is wrong: "),
        ({"filters": {"online_only": "perhaps"}}, "`filters.online_only` is wrong"),
    ],
)
def test_a_wrong_value_is_told_by_its_full_path(arguments: dict[str, Any], told: str) -> None:
    assert told in refused(**{"query": "x", **arguments}).message


@pytest.mark.parametrize("text", ["a\x00b", "\x1b[31m", "\ud800", "\x7f"])
def test_text_that_cannot_be_sent_is_refused_and_not_echoed(text: str) -> None:
    error = refused(query=text)
    assert error.message == "`query` is wrong: text holds a control character."


def test_control_characters_in_a_key_are_not_echoed() -> None:
    assert "\x1b" not in refused(query="x", **{"\x1b[31mrows": 1}).message


def test_line_ends_in_a_query_are_only_blanks() -> None:
    assert Input.parse({"query": "civil\nwar\tquilt"}).query == "civil\nwar\tquilt"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["query", "filters", "rows", "start", "other"]), JSON))
def test_whatever_is_sent_is_taken_or_refused_by_name(arguments: dict[str, Any]) -> None:
    try:
        Input.parse(arguments)
    except InvalidRequest as error:
        assert error.message.startswith("`")
        assert not {unicodedata.category(sign) for sign in error.message} & {"Cc", "Cs"}
