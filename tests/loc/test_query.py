"""What is sent: always the blocks and the page size, only filters that are applied."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_loc.query import (
    FACETS,
    NEWSPAPER_ROUTES,
    Facet,
    NewspaperQuery,
    SearchQuery,
    Span,
    facet,
    span,
)

YEAR = st.integers(1, 9999)


def reason(*, start: int | str | None = None, end: int | str | None = None) -> Reason:
    with pytest.raises(InvalidRequest) as caught:
        span(start, end)
    return caught.value.reason


# -- searches ----------------------------------------------------------------------------------------


def test_a_search_asks_for_its_blocks_and_its_page_size() -> None:
    assert SearchQuery(query=" lomax\n songs ").request == (
        "/search/",
        {
            "q": "lomax songs",
            "c": "25",
            "sp": "1",
            "at": "results,pagination,search",
            "fo": "json",
        },
    )


def test_a_format_or_a_collection_is_a_path() -> None:
    assert SearchQuery(query="x", format="film").request.path == "/film-and-videos/"
    assert SearchQuery(query="x", collection_slug="bain").request.path == "/collections/bain/"


def test_format_and_collection_exclude_each_other() -> None:
    with pytest.raises(InvalidRequest) as caught:
        _ = SearchQuery(query="x", format="film", collection_slug="bain").request
    assert caught.value.reason == Reason.INCOMPATIBLE_FILTERS


def test_a_slug_cannot_leave_its_path() -> None:
    with pytest.raises(InvalidRequest):
        _ = SearchQuery(query="x", collection_slug="../item/1").request


def test_filters_dates_and_order_have_parameters_of_their_own() -> None:
    params = SearchQuery(
        query="x",
        dates=span(1900, 1910),
        facets=(facet("subject", "Cats"), facet("location", "Boston", negative=True)),
        sort="date_desc",
        limit=100,
        page=3,
    ).request.params
    assert params["fa"] == "subject:cats|location!:boston"
    assert params["dates"] == "1900/1910"
    assert params["sb"] == "date_desc"
    assert (params["c"], params["sp"]) == ("100", "3")
    assert not {"start_date", "end_date", "qs", "ops"} & params.keys()


@pytest.mark.parametrize("route", NEWSPAPER_ROUTES)
def test_newspapers_are_asked_for_pages_on_either_route(route: str) -> None:
    path, params = NewspaperQuery(query="x", route=route).request
    assert path == route
    assert params["dl"] == "page"
    assert params["at"] == "results,pagination,search"
    assert "sb" not in params


# -- facets ------------------------------------------------------------------------------------------


def test_a_facet_that_would_be_ignored_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="state"):
        facet("state", "ohio")


def test_an_empty_value_is_refused() -> None:
    with pytest.raises(InvalidRequest) as caught:
        facet("subject", " | ")
    assert caught.value.reason == Reason.INVALID_FILTER


@given(st.sampled_from(sorted(FACETS)), st.text(max_size=20), st.text(max_size=20))
def test_no_value_becomes_a_second_filter(name: str, one: str, other: str) -> None:
    try:
        sent = SearchQuery(query="x", facets=(facet(name, one), facet(name, other)))
    except InvalidRequest:
        return
    parts = sent.request.params["fa"].split("|")
    assert len(parts) == 2
    for part, found in zip(parts, sent.facets, strict=True):
        assert part.partition(":")[::2] == (name, found.value)
        assert found.value == found.value.lower()


def test_colons_and_double_spaces_of_titles_are_kept() -> None:
    title = "clara barton papers:  diaries and journals, 1849-1911"
    assert facet("partof", title) == Facet("partof", title)


# -- dates -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "sent"),
    [
        (1900, 1910, "1900/1910"),
        (1900, 1900, "1900/1900"),
        (1900, None, "1900/2100"),
        (None, 1910, "1000/1910"),
        (None, 900, "0001/0900"),
        (3000, None, "3000/9999"),
        ("1906-04-18", "1906-04-20", "1906-04-18/1906-04-20"),
        ("1906-04-18", None, "1906-04-18/2100"),
        (1906, "1906-04-20", "1906/1906-04-20"),
        ("1906-04-18", 1906, "1906-04-18/1906"),
        (1900, 9999, "1900/9999"),
    ],
)
def test_both_ends_are_sent_whatever_was_left_open(
    start: int | str | None, end: int | str | None, sent: str
) -> None:
    assert str(span(start, end)) == sent


def test_no_end_is_no_filter() -> None:
    assert span(None, None) is None


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (1910, 1900),
        ("1906-04-20", "1906-04-18"),
        ("1906-04-20", 1905),
        (0, None),
        (-5, 10),
        (None, 10_000),
        (2**53, None),
        ("1906", None),
        ("1906-02-30", None),
        ("1906/1907", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_what_is_no_range_is_refused(start: int | str | None, end: int | str | None) -> None:
    assert reason(start=start, end=end) == Reason.INVALID_DATE_RANGE


@given(st.none() | YEAR, st.none() | YEAR)
def test_a_range_holds_its_ends_and_is_in_order(start: int | None, end: int | None) -> None:
    try:
        found = span(start, end)
    except InvalidRequest:
        assert start is not None
        assert end is not None
        assert start > end
        return
    if found is None:
        return
    assert len(found.start) == len(found.end) == 4
    assert found.start <= found.end
    for year in (start, end):
        assert year is None or found.holds(f"{year:04}")


@given(st.dates(), st.dates(), st.dates())
def test_a_day_is_in_a_range_or_not(one: date, other: date, day: date) -> None:
    start, end = sorted((str(one), str(other)))
    assert Span(start, end).holds(str(day)) is (start <= str(day) <= end)


def test_a_date_touches_a_range_as_far_as_it_reaches() -> None:
    asked = Span("1906-04-18", "1906-12-31")
    assert asked.holds("1906")
    assert asked.holds("1906-04")
    assert asked.holds("1906-04-17") is False
    assert asked.holds("1907") is False
    assert asked.holds("ca. 1906") is None
    assert asked.meets("1900", "1910")
