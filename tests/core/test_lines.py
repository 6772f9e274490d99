"""Catalogue text within a line keeps to its own place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.lines import cell, json_line


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Plain text", "Plain text"),
        ("1920s | record_id x_1", "1920s \\| record_id x_1"),
        ("a\nb", "a b"),
        ("\\|", "\\\\\\|"),
    ],
)
def test_a_fact_of_a_row_cannot_begin_another_one(value: str, written: str) -> None:
    assert cell(value) == written


@pytest.mark.parametrize(
    "value",
    ['a "b" c', "a*b*", "`code`", "[x](y)", "[x][y]", "<b>", "~~x~~", "\u202ex", "\\", "_a_"],
)
def test_json_in_a_line_is_read_back_and_none_of_it_is_live(value: str) -> None:
    line = json_line(json.dumps({"topic": value}, ensure_ascii=False))
    assert json.loads(line) == {"topic": value}
    assert not set("*`<~\u202e") & set(line)
    assert "](" not in line


@given(st.text())
def test_json_in_a_line_is_always_read_back(value: str) -> None:
    line = json_line(json.dumps([value], ensure_ascii=False))
    assert json.loads(line) == [value]
    assert len(line.splitlines()) == 1 or "\x85" in value
