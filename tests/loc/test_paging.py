"""Totals and pages that mean what they say, to the end and to the ceiling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_loc.normalise import CEILING, Paging, paging


def block(**fields: object) -> dict[str, object]:
    return {"pagination": {"perpage": 25, "current": 1, **fields}}


def test_of_counts_items_and_total_counts_pages() -> None:
    found = paging(block(of=2363, total=95, results="1 - 25"), shown=25, page=1, limit=25)
    assert (found.total, found.pages, found.has_next) == (2363, 95, True)
    assert found.counted


def test_the_last_link_is_never_believed() -> None:
    body = block(of=104, total=5, last="https://www.loc.gov/collections/x/?sp=4")
    assert paging(body, shown=25, page=4, limit=25).has_next
    assert not paging(body, shown=4, page=5, limit=25).has_next


def test_the_hits_of_the_search_block_stand_in_for_a_missing_count() -> None:
    body = {"pagination": {"perpage": 25}, "search": {"hits": 60}}
    assert paging(body, shown=25, page=1, limit=25).pages == 3


@pytest.mark.parametrize(
    ("told", "least"), [("1 - 25", 25), ("1 - 25 of 2,363", 2363), ("26 - 40", 40), ("many", 25)]
)
def test_a_range_proves_what_it_shows(told: str, least: int) -> None:
    found = paging(block(results=told), shown=25, page=1, limit=25)
    assert found.total == least
    assert not found.counted


@pytest.mark.parametrize("of", [0, None, "", -1])
def test_no_rows_and_no_count_are_none_whatever_the_pages_say(of: object) -> None:
    found = paging(block(of=of, total=1, results="0 - 0"), shown=0, page=1, limit=25)
    assert (found.total, found.pages, found.has_next) == (0, 0, False)
    assert not found.lacks_rows
    assert not found.past_end


def test_a_count_without_its_rows_is_a_fault() -> None:
    assert paging(block(of=30), shown=0, page=2, limit=25).lacks_rows
    assert paging(block(of=30), shown=0, page=3, limit=25).past_end


def test_rows_beyond_the_computed_end_are_kept() -> None:
    found = paging(block(of=50, perpage=25), shown=3, page=3, limit=25)
    assert (found.pages, found.has_next, found.past_end) == (3, False, False)


def test_nothing_beyond_the_ceiling_is_promised() -> None:
    found = paging(block(of=20_600_000, perpage=100), shown=100, page=1000, limit=100)
    assert (found.pages, found.has_next, found.beyond_ceiling) == (1000, False, True)
    assert not paging(block(of=CEILING), shown=25, page=1, limit=25).beyond_ceiling


@given(st.integers(0, 3000), st.integers(1, 150))
def test_following_the_pages_meets_every_match_once(total: int, per: int) -> None:
    met, page, more = 0, 1, True
    while more:
        shown = max(0, min(per, total - (page - 1) * per))
        found = paging(block(of=total, perpage=per), shown=shown, page=page, limit=per)
        met += shown
        more = found.has_next
        page += 1
    assert met == total
    assert page - 1 == max(1, found.pages)


@given(st.integers(0, 10**9), st.integers(1, 1000), st.integers(1, 10**6), st.integers(0, 1000))
def test_no_page_is_promised_that_cannot_be_had(
    total: int, per: int, page: int, shown: int
) -> None:
    found = Paging(total, page, per, min(shown, per))
    assert not found.has_next or (page + 1) * per <= CEILING + per
    assert not found.has_next or page * per < total
