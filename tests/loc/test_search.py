"""libofcongress_search through the border: what is sent, what comes back, and what is never passed off."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.budget import tokens
from loc.reading_room import BROWSE, ITEM, PAPERS, SEARCH, asked, in_mood
from mirror import unsaid

pytestmark = [pytest.mark.anyio, pytest.mark.standin]

ROUTES = {
    "photo": "photos",
    "map": "maps",
    "newspaper": "newspapers",
    "manuscript": "manuscripts",
    "audio": "audio",
    "film": "film-and-videos",
    "book": "books",
    "notated-music": "notated-music",
}


def parameters(standin: Standin) -> list[dict[str, str]]:
    return [{name: v[0] for name, v in parse_qs(one.query).items()} for one in asked(standin)]


def body(rows: list[dict[str, Any]], of: int | None = None, **search: Any) -> str:
    """An answer that the catalogue might send."""
    total = len(rows) if of is None else of
    paging = {"of": total, "total": max(1, -(-total // 25)), "perpage": 25, "current": 1}
    return json.dumps({"results": rows, "pagination": paging, "search": {"hits": total, **search}})


def row(name: str, **fields: Any) -> dict[str, Any]:
    address = f"http://www.loc.gov/item/{name}/"
    return {"id": address, "url": address.replace("http:", "https:"), "title": name, **fields}


# -- pages ---------------------------------------------------------------------------------------------


async def test_the_text_says_all_that_the_structure_does(standin: Standin) -> None:
    async with Desk() as desk:
        for given in (
            {"query": "lomax", "limit": 30},
            {"query": "lomax", "limit": 100, "page": 2},
            {"query": "lomax", "page": 50},
            {"query": "xyzzyplugh", "subject": "Folk music--Michigan", "location": "ohio"},
            {"query": "song", "collection_slug": "alan-lomax-in-michigan", "limit": 5},
        ):
            answer = await desk.call(SEARCH, **given)
            assert unsaid(answer) == [], given


@pytest.mark.parametrize("limit", [pytest.param(7, marks=pytest.mark.heavy), 40, 100])
async def test_page_after_page_holds_everything_once(limit: int, standin: Standin) -> None:
    got: list[str] = []
    async with Desk() as desk:
        for page in range(1, 1000):
            told = (await desk.call(SEARCH, query="lomax", limit=limit, page=page)).structure
            assert told["total"] == told["totalCount"] == 189
            assert told["pages"] == -(-189 // limit)
            got += [one["id"] for one in told["items"]]
            if not told["has_next"]:
                break
            assert f"page={page + 1} gets the next items." in told["notice"]
    assert page == told["pages"]
    assert len(got) == len(set(got))
    assert 180 < len(got) <= 189  # a collection stands among its own items, under another name


@pytest.mark.parametrize("status", [400, 404, 520])
async def test_past_the_end_is_an_empty_page_whatever_the_site_says(
    status: int, standin: Standin
) -> None:
    async with Desk() as desk:
        with in_mood(standin, past_end=status):
            for more in ({}, {"collection_slug": "alan-lomax-in-michigan"}):
                told = (await desk.call(SEARCH, query="lomax", page=40, **more)).structure
                assert told["items"] == []
                assert told["total"] > 0
                assert told["has_next"] is False
                assert f"The last valid page is {told['pages']}." in told["notice"]
                assert "page=40 lies past the end" in told["notice"]


@pytest.mark.parametrize("status", [400, 404, 520])
async def test_a_later_page_of_nothing_is_nothing_and_no_error(
    status: int, standin: Standin
) -> None:
    async with Desk() as desk:
        with in_mood(standin, past_end=status):
            answer = await desk.call(SEARCH, query="xyzzyplugh", page=3)
    assert (answer.structure["total"], answer.structure["items"]) == (0, [])
    assert "lies past the end" not in answer.structure["notice"]


@pytest.mark.parametrize("kind", ["400", "404", "520", "empty-nocache"])
async def test_a_page_that_is_there_and_does_not_come_is_an_outage(
    kind: str, standin: Standin
) -> None:
    """Only the true count says whether a page lies past the end."""
    standin.fault(kind, host="loc", query="sp=2")
    async with Desk() as desk:
        for more in ({}, {"collection_slug": "alan-lomax-in-michigan"}):
            answer = await desk.call(SEARCH, query="lomax", limit=3, page=2, **more)
            assert answer.reason == "upstream_unavailable", more
            standin.post("reset")
            standin.fault(kind, host="loc", query="sp=2")


async def test_an_empty_answer_to_a_page_that_is_there_is_an_outage_too(standin: Standin) -> None:
    standin.fault("custom", host="loc", query="sp=2", body=body([], 0))
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="lomax", limit=3, page=2)
    assert answer.reason == "upstream_unavailable"


async def test_beyond_the_ceiling_no_page_is_promised_and_none_is_asked_for(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        with in_mood(standin, inflate=2000):
            first = (await desk.call(SEARCH, query="lomax everything", limit=100)).structure
            last = (
                await desk.call(SEARCH, query="lomax everything", limit=100, page=1000)
            ).structure
            before = standin.requests
            past = (
                await desk.call(SEARCH, query="lomax everything", limit=100, page=1001)
            ).structure
            assert standin.requests == before
    assert first["total"] == 378_000
    assert first["pages"] == 1000
    assert (last["has_next"], bool(last["items"])) == (False, True)
    assert (past["items"], past["has_next"]) == ([], False)
    for told in (first, last, past):
        assert "split the search by dates, subject or place" in told["notice"]


@pytest.mark.parametrize("limit", [25, 97, pytest.param(100, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("page", [1, 2])
async def test_a_page_cut_to_the_budget_is_read_on_without_loss_or_repetition(
    limit: int, page: int, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"query": "lomax", "limit": limit, "page": page}
    async with Desk() as desk:
        whole = (await desk.call(SEARCH, **given)).structure["items"]
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "3000")
    got: list[dict[str, Any]] = []
    async with Desk() as desk:
        while len(got) < len(whole):
            answer = await desk.call(SEARCH, **given)
            told = answer.structure
            assert tokens(answer.text, told) <= 3000
            assert unsaid(answer) == []
            assert len(told["items"]) == told["shown"] > 0
            got += told["items"]
            if found := re.search(r"limit=(\d+) page=(\d+) continues it", told.get("notice", "")):
                given |= {"limit": int(found[1]), "page": int(found[2])}
            else:
                given["page"] += 1
            assert given["limit"] > 4, "so few rows a page that nobody would read on"
    assert [one["id"] for one in got[: len(whole)]] == [one["id"] for one in whole]


async def test_rows_that_are_one_item_under_two_names_are_one_row(standin: Standin) -> None:
    rows = [
        row(
            "2001700001",
            aka=["http://www.loc.gov/item/2001700001/", "http://lccn.loc.gov/2001700001"],
        ),
        {"id": "http://lccn.loc.gov/2001700001", "url": "//lccn.loc.gov/2001700001", "title": "x"},
        row("2001700002"),
    ]
    standin.fault("custom", host="loc", body=body(rows))
    async with Desk() as desk:
        told = (await desk.call(SEARCH, query="x")).structure
    assert [one["id"] for one in told["items"]] == ["2001700001", "2001700002"]
    assert told["total"] == 3


async def test_a_cut_counts_merged_rows_as_the_site_does(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten names for five items: after three rows of ours, six of the site's are used up."""
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "700")
    rows = []
    for number in range(5):
        name = f"200170000{number}"
        rows.append(row(name, description=["long " * 60]))
        rows.append(row(name, aka=[f"http://www.loc.gov/item/{name}/"]))
    standin.fault("custom", host="loc", body=body(rows))
    async with Desk() as desk:
        told = (await desk.call(SEARCH, query="x", limit=10)).structure
    assert told["truncated"] is True
    shown = told["shown"]
    found = re.search(r"limit=(\d+) page=(\d+) continues it", told["notice"])
    assert found
    size, page = int(found[1]), int(found[2])
    assert size * (page - 1) in {2 * shown - 1, 2 * shown}


# -- filters -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ROUTES)
async def test_a_format_has_its_own_route(form: str, standin: Standin) -> None:
    async with Desk() as desk:
        await desk.call(SEARCH, query="the", format=form, limit=1)
    assert [one.path for one in asked(standin)] == [f"/{ROUTES[form]}/"]


async def test_a_collection_is_searched_alone_and_told(standin: Standin) -> None:
    async with Desk() as desk:
        address = "https://www.loc.gov/collections/alan-lomax-in-michigan/about-this-collection/"
        for given in ("alan-lomax-in-michigan", address):
            answer = await desk.call(SEARCH, query="song", collection_slug=given)
            assert answer.structure["effectiveCollectionSlug"] == "alan-lomax-in-michigan"
    assert {one.path for one in asked(standin)} == {"/collections/alan-lomax-in-michigan/"}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"format": "map", "collection_slug": "aaron-copland"}, "incompatible_filters"),
        ({"date_start": 1901, "date_end": 1900}, "invalid_date_range"),
        ({"date_start": 0}, "invalid_date_range"),
        ({"date_end": 12345}, "invalid_date_range"),
        ({"date_start": True}, "invalid_input"),
        ({"format": "painting"}, "invalid_input"),
        ({"collection_slug": "../item/1"}, "invalid_input"),
        ({"collection_slug": "https://evil.example/collections/x/"}, "invalid_input"),
        ({"sort": "newest"}, "invalid_input"),
        ({"limit": 0}, "invalid_input"),
        ({"limit": 101}, "invalid_input"),
        ({"page": 0}, "invalid_input"),
        ({"page": 2**60}, "invalid_input"),
        ({"subjects": "jazz"}, "invalid_input"),
        ({"query": ""}, "invalid_input"),
        ({"query": " - | "}, "invalid_input"),
        ({"query": "x" * 501}, "invalid_input"),
        ({"query": "a\x00b"}, "invalid_input"),
        ({"subject": " -- "}, None),
        ({"location": " | "}, "invalid_filter"),
    ],
)
async def test_what_cannot_be_asked_is_refused_before_any_request(
    given: dict[str, Any], reason: str | None, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, **{"query": "lomax", "limit": 1, **given})
    assert answer.reason == reason
    assert standin.requests == (reason is None)


async def test_null_and_blank_count_as_absent_and_numbers_may_be_text(standin: Standin) -> None:
    blank = dict.fromkeys(("format", "date_start", "subject", "location", "collection_slug"), "")
    async with Desk() as desk:
        plain = await desk.call(SEARCH, query="lomax", limit=2)
        for value in ("", None):
            given = dict.fromkeys(blank, value)
            answer = await desk.call(SEARCH, query="lomax", limit="2", page="1", **given)
            assert answer.structure == plain.structure
    assert standin.requests == 1


@pytest.mark.parametrize("page", [1, 7])
async def test_an_unknown_slug_is_said_to_be_one(page: int, standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="jazz", collection_slug="no-such", page=page)
    assert answer.reason == "collection_not_found"
    assert BROWSE in answer.text


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"date_start": 1900, "date_end": 1910}, "1900/1910"),
        ({"date_start": 1900}, "1900/2100"),
        ({"date_end": 1910}, "1000/1910"),
        ({"date_end": 900}, "0001/0900"),
    ],
)
async def test_years_go_into_one_range_with_both_ends(
    given: dict[str, int], sent: str, standin: Standin
) -> None:
    async with Desk() as desk:
        await desk.call(SEARCH, query="map", **given)
    (found,) = parameters(standin)
    assert found["dates"] == sent
    assert not found.keys() & {"start_date", "end_date"}


async def test_rows_obey_the_dates(standin: Standin) -> None:
    async with Desk() as desk:
        told = (
            await desk.call(SEARCH, query="map", date_start=1850, date_end=1890, limit=100)
        ).structure
        everything = (await desk.call(SEARCH, query="map", limit=1)).structure
    assert 0 < told["total"] < everything["total"]
    for one in told["items"]:
        assert 1850 <= int(one["date"][:4]) <= 1890


@pytest.mark.parametrize(
    ("sort", "sent"),
    [
        ("relevance", None),
        ("date", "date"),
        ("date_desc", "date_desc"),
        ("title", "title_s"),
        ("title_desc", "title_s_desc"),
    ],
)
async def test_an_order_is_sent_by_its_name_there(
    sort: str, sent: str | None, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="lomax", sort=sort, limit=30)
    assert parameters(standin)[0].get("sb") == sent
    if sort.startswith("title"):
        titles = [one["title"].casefold() for one in answer.structure["items"]]
        assert titles == sorted(titles, reverse=sort.endswith("desc"))


# -- headings ------------------------------------------------------------------------------------------


async def test_every_part_of_a_heading_is_sent_as_a_subject(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="the", subject="Folk music--Michigan", limit=1)
    assert answer.structure["total"] > 0
    (found,) = parameters(standin)
    assert found["fa"] == "subject:folk music|subject:michigan"
    assert 'applied as subject "folk music", subject "michigan".' in answer.structure["notice"]


async def test_years_that_the_index_lacks_are_left_out_and_named(standin: Standin) -> None:
    heading = "Mexico--History--Conquest, 1519-1540"
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="the", subject=heading, limit=1)
    assert answer.structure["total"] > 0
    first, second = parameters(standin)
    assert first["fa"] == "subject:mexico|subject:history|subject:conquest, 1519-1540"
    assert second["fa"] == "subject:mexico|subject:history|subject:conquest"
    assert 'The index has no "conquest, 1519-1540".' in answer.structure["notice"]


async def test_a_place_is_tried_last_and_after_three_requests_it_ends(standin: Standin) -> None:
    heading = "Folk songs--1900-1950--Texas"
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="the", subject=heading, limit=1)
    assert answer.structure["total"] == 0
    assert [found["fa"] for found in parameters(standin)] == [
        "subject:folk songs|subject:1900-1950|subject:texas",
        "subject:folk songs|subject:texas",
        "subject:folk songs|location:texas",
    ]
    told = answer.structure["notice"]
    assert 'Applied as subject "folk songs", subject "texas" or' in told
    assert 'location "texas" it found nothing either.' in told


async def test_a_later_page_is_of_the_way_that_found_something(standin: Standin) -> None:
    heading = "United States--1861-1865"
    given = {"query": "map", "subject": heading, "limit": 1}
    async with Desk() as desk:
        first = await desk.call(SEARCH, **given)
        assert first.structure["total"] > 1
        seen = standin.requests
        second = await desk.call(SEARCH, **given, page=2)
        assert standin.requests == seen + 1
    assert second.structure["total"] == first.structure["total"]
    assert second.structure["items"] != first.structure["items"]
    async with Desk() as desk:
        standin.post("reset")
        assert (await desk.call(SEARCH, **given, page=2)).structure == second.structure
        assert standin.requests <= 3


async def test_a_place_that_no_item_has_finds_nothing_and_says_what_was_asked(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="lomax", location="Atlantis", date_start=1900)
    told = answer.structure
    assert (told["total"], told["items"], told["has_next"]) == (0, [], False)
    assert 'matches "lomax" with location:atlantis, dates 1900/2100' in told["notice"]
    assert "leave out a filter" in told["notice"]
    assert "A location is one plain name" in told["notice"]


async def test_headings_of_newspapers_are_explained(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="lomax", format="newspaper", subject="Jazz")
    assert "describe the paper, not the page" in answer.structure["notice"]
    assert PAPERS in answer.structure["notice"]


# -- what the site makes of a question -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("lomax OR copland", "takes OR out"),
        ("lomax NOT copland", "takes NOT out"),
        ("lomax -copland", "takes a leading - out"),
        ("lomax | copland", "takes | out"),
        ("(lomax)", "takes brackets out"),
        ("lomax b", "no one-letter words (b), so these say nothing"),
        ("a b", "(a, b), so this query can find nothing"),
    ],
)
async def test_words_that_are_taken_out_are_named(query: str, told: str, standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query=query, limit=1)
    assert told in answer.structure["notice"]
    assert answer.structure["effectiveQuery"] == query


async def test_one_sign_is_a_word_where_signs_are_words(standin: Standin) -> None:
    async with Desk() as desk:
        for query in ("\u8336", '"a b" lomax', "well-known"):
            notice = (await desk.call(SEARCH, query=query, limit=1)).structure.get("notice", "")
            assert "takes " not in notice
            assert "\u8336" not in notice.split("matches")[0]


async def test_rows_outside_the_dates_are_an_error_when_they_are_most(standin: Standin) -> None:
    rows = [row(f"20017000{n:02}", date=f"{1700 + n}") for n in range(10)]
    standin.fault("custom", host="loc", body=body(rows, dates="1900/1910"))
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="x", date_start=1900, date_end=1910)
        assert answer.reason == "upstream_malformed"
        assert "10 of 10 rows lie outside 1900/1910" in answer.text
        assert "2001700" not in answer.text


async def test_a_few_rows_outside_the_dates_are_named(standin: Standin) -> None:
    rows = [row(f"20017000{n:02}", date=f"{1900 + n}") for n in range(10)]
    rows.append(row("2001700099", date="1750"))
    standin.fault("custom", host="loc", body=body(rows))
    async with Desk() as desk:
        told = (await desk.call(SEARCH, query="x", date_start=1900, date_end=1910)).structure
    assert "1 of 11 rows lie outside 1900/1910" in told["notice"]


async def test_rows_that_lack_a_filters_value_are_never_passed_off(standin: Standin) -> None:
    rows = [row(f"20017000{n:02}", location=["ohio"]) for n in range(4)]
    standin.fault("custom", host="loc", body=body(rows))
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="x", location="Texas")
    assert answer.reason == "upstream_malformed"
    assert '4 of 4 rows lack location "texas"' in answer.text


@pytest.mark.parametrize(
    ("echo", "given", "told"),
    [
        ({"query": ""}, {}, "did not repeat the words of the query"),
        ({"query": "x", "dates": None}, {"date_start": 1900}, "did not repeat the dates 1900/2100"),
        ({"query": "x", "facet_limits": ""}, {"location": "ohio"}, 'the filter location "ohio"'),
    ],
)
async def test_what_the_echo_lacks_is_told(
    echo: dict[str, Any], given: dict[str, Any], told: str, standin: Standin
) -> None:
    rows = [] if given.get("location") else [row("2001700001")]
    standin.fault("custom", host="loc", body=body(rows, **echo))
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="x", **given)
    assert told in answer.structure["notice"]


async def test_a_row_says_whether_it_has_a_record_and_what_else_it_is_good_for(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        rows = (await desk.call(SEARCH, query="lomax", limit=50)).structure["items"]
        assert {one["is_item"] for one in rows} == {True, False}
        for one in rows:
            assert one["url"].startswith("https://")
            if "collection_slug" in one:
                assert not one["is_item"]
        item = next(one for one in rows if one["is_item"])
        assert not (await desk.call(ITEM, item_id=item["id"])).is_error
        collection = next(one for one in rows if "collection_slug" in one)
        inside = await desk.call(
            SEARCH, query="song", collection_slug=collection["collection_slug"]
        )
        assert not inside.is_error
