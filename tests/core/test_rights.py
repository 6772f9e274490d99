"""Rules against statements: the first rule wins, and what is quoted is the record's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import Rights, Statement, judge, rule, told

RULES = (
    rule("closed", "restricted", r"\bclosed\b", "access"),
    rule("free", "free_to_use", r"\bpublic domain\b"),
    rule("terms", "conditions", r"\bterms\b"),
)


def test_the_first_rule_wins_whatever_the_order_of_the_statements() -> None:
    said = [Statement("use", "Terms apply."), Statement("access", "It is closed.")]
    assert judge(said, RULES).verdict == Verdict("restricted", "It is closed.", "access")
    assert judge(said[:1], RULES).rule == "terms"


def test_a_rule_of_one_field_does_not_see_another() -> None:
    found = judge([Statement("use", "The box is closed.")], RULES)
    assert (found.verdict, found.rule) == (Verdict("unknown", "The box is closed.", "use"), "")


@pytest.mark.parametrize("said", [[], [Statement("use", "  ")]])
def test_where_nothing_is_said_nothing_is_known(said: list[Statement]) -> None:
    assert judge(said, RULES).verdict == Verdict("unknown")


def test_of_a_long_statement_the_sentence_is_quoted() -> None:
    words = f"{'Much is said here. ' * 40}It is in the public domain. {'And here. ' * 40}"
    found = judge([Statement("use", words)], RULES).verdict
    assert found.words == "It is in the public domain."


@given(st.text(max_size=2_000), st.sampled_from(["use", "access"]))
def test_any_words_are_judged_and_quoted_in_a_line_of_bounded_length(words: str, key: str) -> None:
    found = judge([Statement(key, words)], RULES).verdict
    assert len(found.words) <= 400
    assert "\n" not in found.words
    assert Rights.of(found).told == told(found)
