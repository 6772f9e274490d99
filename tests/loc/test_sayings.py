"""What loc.gov strips and drops is said, and rows that obey outweigh what an answer lacks."""

from __future__ import annotations

import pytest

from heritage_loc.query import SearchQuery, facet, span
from heritage_loc.sayings import doubts, outside_of, stripped, unindexed
from heritage_loc.wire import Raw


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("cats OR dogs", "OR"),
        ("cats NOT dogs", "NOT"),
        ("cats -dogs", "a leading -"),
        ("cats | dogs", "|"),
        ("(cats) dogs", "brackets"),
        ("[cats]", "brackets"),
    ],
)
def test_what_is_stripped_is_named(query: str, named: str) -> None:
    (said,) = stripped(query)
    assert f"takes {named} out" in said


def test_several_are_named_in_one_sentence() -> None:
    (said,) = stripped("(cats OR dogs) -birds NOT fish")
    assert "takes OR, NOT, a leading -, brackets out" in said


@pytest.mark.parametrize(
    "query", ["", "cats and dogs", "cats or dogs", "well-known", '"cats OR (dogs)"', "1906 - 1907"]
)
def test_nothing_is_said_of_what_is_not_stripped(query: str) -> None:
    assert stripped(query) == ()


def test_one_letter_words_say_nothing_to_the_catalogue() -> None:
    assert "say nothing" in unindexed("letters of J Smith")[0]
    assert "can find nothing" in unindexed("J Q")[0]
    assert unindexed("letters of Jane") == ()
    assert unindexed("水 7") == ()


ASKED = SearchQuery(query="fire", dates=span(1900, 1910), facets=(facet("subject", "cats"),))
GOOD = {"date": "1906-04-18", "subject": ["cats", "fire"]}


def test_an_answer_that_repeats_everything_is_not_doubted() -> None:
    block = {"query": "fire", "dates": "1900/1910", "facet_limits": "subject:cats"}
    assert doubts(ASKED, block, [GOOD]).said == ()
    assert doubts(ASKED, {}, []).said == ()


def test_rows_that_obey_outweigh_a_block_that_is_silent() -> None:
    block = {"query": "fire", "dates": None, "facet_limits": ""}
    found = doubts(ASKED, block, [GOOD])
    assert found.said == ()
    assert not found.contradicted


def test_a_silent_block_without_rows_is_doubted() -> None:
    said = doubts(ASKED, {"query": "", "dates": None, "facet_limits": ""}, []).said
    assert len(said) == 3
    assert "words of the query" in said[0]
    assert "1900/1910" in said[1]
    assert 'subject "cats"' in said[2]


def test_rows_outside_of_the_dates_are_counted() -> None:
    found = doubts(ASKED, {}, [GOOD, {"date": "1883", "subject": "cats"}, {"subject": ["cats"]}])
    assert (found.outside, found.against, found.rows) == (1, 0, 3)
    assert found.contradicted
    assert found.said == ("1 of 3 rows lie outside 1900/1910: loc.gov did not apply the dates.",)


def test_a_row_with_several_dates_lies_inside_with_any() -> None:
    rows: list[Raw] = [
        {"date": "1850", "dates": ["1850-01-01T00:00:00Z", "1905"]},
        {"dates": ["[1890 TO 1901]"]},
    ]
    assert outside_of(span(1900, 1910), rows) == 0
    assert outside_of(span(1920, None), rows) == 2
    assert outside_of(None, rows) == 0


def test_rows_that_lack_what_a_filter_asked_for_are_counted() -> None:
    found = doubts(ASKED, {}, [GOOD, {**GOOD, "subject": ["dogs"]}, {"date": "1906"}])
    assert found.against == 1
    assert 'lack subject "cats"' in found.said[0]


def test_a_negative_filter_is_contradicted_by_rows_that_have_it() -> None:
    asked = SearchQuery(query="fire", facets=(facet("subject", "cats", negative=True),))
    assert doubts(asked, {}, [GOOD]).against == 1
    assert doubts(asked, {}, [{"subject": ["dogs"]}]).against == 0
