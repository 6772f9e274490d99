"""Rules against statements: the least permissive wins, and what is quoted is the record's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import Rights, Statement, judge, rule, silent, told, warns

RULES = (
    rule("closed", "restricted", r"\bclosed\b", "access"),
    rule("free", "free_to_use", r"\bpublic domain\b"),
    rule("terms", "conditions", r"\bterms\b"),
    silent("seen", r"\bseen by appointment only\b"),
)
FREE = Statement("use", "It is in the public domain.")


def test_the_least_permissive_statement_wins_whatever_the_order() -> None:
    said = [Statement("use", "Terms apply."), Statement("access", "It is closed.")]
    assert judge(said, RULES).verdict == Verdict("restricted", "It is closed.", "access")
    assert judge([FREE, *reversed(said)], RULES).rule == "closed"
    assert judge([FREE, said[0]], RULES).rule == "terms"


@pytest.mark.parametrize(
    "words",
    [
        "It is not in the public domain.",
        "It is in the public domain, except the cover.",
        "Some of it is in the public domain.",
        "Public domain; © 1990",
        "Public domain; NC",
    ],
)
def test_free_words_beside_a_warning_free_nothing(words: str) -> None:
    found = judge([Statement("use", words)], RULES)
    assert found.verdict == Verdict("conditions", words, "use")
    assert found.rule == "free; with a warning"


def test_beside_a_warning_a_later_rule_is_heard() -> None:
    assert judge([Statement("use", "Public domain; terms apply.")], RULES).rule == "terms"


def test_unread_words_count_and_silent_ones_do_not() -> None:
    unread, seen = Statement("use", "Ask Jane."), Statement("use", "Seen by appointment only.")
    assert judge([FREE, unread], RULES).verdict == Verdict("unknown", "Ask Jane.", "use")
    assert judge([FREE, seen], RULES).rule == "free"
    assert judge([seen], RULES).rule == "seen"
    assert judge([Statement("use", "Not seen by appointment only.")], RULES).rule == ""


def test_what_is_said_of_all_yields_to_what_frees_the_thing_and_to_nothing_else() -> None:
    all_of_it = Statement("all", "Terms apply.")
    assert judge([all_of_it, FREE], RULES, general=["all"]).rule == "free"
    assert judge([all_of_it, Statement("use", "Ask.")], RULES, general=["all"]).rule == "terms"
    unread = Statement("use", "Ask.")
    assert judge([FREE._replace(field="all"), unread], RULES, general=["all"]).rule == ""
    yields = (*RULES, rule("original", "unknown", r"\boriginal\b", yields=True))
    said = Statement("use", "The original is hidden.")
    assert judge([FREE, said], yields).rule == "free"
    assert judge([FREE._replace(field="all"), said], yields, general=["all"]).rule == "original"


def test_no_warning_is_read_in_an_address() -> None:
    assert not warns("See https://example.org/restricted/not-for-use for more.")
    assert warns("Restricted, see https://example.org/")


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
