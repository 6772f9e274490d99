"""libofcongress_search_newspapers through the border: pages, papers, days, and rows chosen here."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.budget import tokens
from loc.reading_room import PAGE, PAPERS, asked, in_mood
from mirror import unsaid

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin

GAZETTE = "sn85025570"


def parameters(standin: Standin) -> list[dict[str, str]]:
    return [{name: v[0] for name, v in parse_qs(one.query).items()} for one in asked(standin)]


# -- rows ------------------------------------------------------------------------------------------------


@upstream
async def test_rows_are_pages_with_the_passage_that_holds_the_words(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAPERS, query="president", limit=40)
    told = answer.structure
    assert unsaid(answer) == []
    assert told["total"] == told["totalCount"] == 148
    kinds = {one["excerpt_kind"] for one in told["items"] if "excerpt_kind" in one}
    assert "match" in kinds
    for one in told["items"]:
        assert re.fullmatch(r"https://www\.loc\.gov/resource/\S+\?sp=[1-9][0-9]*", one["url"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", one["date"])
        assert one["states"]
        assert len(one.get("description", "")) <= 502
        if one.get("excerpt_kind") == "match":
            assert "president" in one["description"].lower()
            assert "[[" not in one["description"]
    (found,) = parameters(standin)
    assert found["dl"] == "page"


@upstream
@pytest.mark.parametrize("limit", [37, 100])
async def test_page_after_page_holds_every_page_once(
    limit: int, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")
    got: list[str] = []
    async with Desk() as desk:
        for page in range(1, 100):
            told = (await desk.call(PAPERS, query="president", limit=limit, page=page)).structure
            got += [one["url"] for one in told["items"]]
            if not told["has_next"]:
                break
    assert (len(got), len(set(got)), page) == (148, 148, told["pages"])


@upstream
@pytest.mark.parametrize("status", [400, 404, 520])
async def test_past_the_end_is_an_empty_page(status: int, standin: Standin) -> None:
    async with Desk() as desk:
        with in_mood(standin, past_end=status):
            told = (await desk.call(PAPERS, query="president", page=99)).structure
    assert (told["items"], told["total"], told["has_next"]) == ([], 148, False)
    assert "The last valid page is 6." in told["notice"]


@upstream
async def test_nothing_is_told_with_what_was_asked(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAPERS, query="xyzzyplugh", state="OH", language="german")
    assert unsaid(answer) == []
    told = answer.structure
    assert (told["total"], told["items"]) == (0, [])
    assert "with location_state:oh, language:german" in told["notice"]
    assert "full name" in told["notice"]


@upstream
async def test_one_letter_words_stand_in_the_texts(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(PAPERS, query="J", limit=1)).structure
    assert told["total"] > 0
    assert "one-letter" not in told.get("notice", "")


@upstream
async def test_a_page_cut_to_the_budget_is_read_on(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")
    async with Desk() as desk:
        whole = (await desk.call(PAPERS, query="president", limit=100)).structure["items"]
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "4000")
    got: list[dict[str, Any]] = []
    given: dict[str, Any] = {"limit": 100, "page": 1}
    async with Desk() as desk:
        while len(got) < len(whole):
            answer = await desk.call(PAPERS, query="president", **given)
            assert tokens(answer.text, answer.structure) <= 4000
            got += answer.structure["items"]
            notice = answer.structure["notice"]
            if found := re.search(r"limit=(\d+) page=(\d+) continues it", notice):
                given |= {"limit": int(found[1]), "page": int(found[2])}
            else:
                given["page"] += 1
    assert [one["url"] for one in got[:100]] == [one["url"] for one in whole]


# -- filters -----------------------------------------------------------------------------------------------


@upstream
@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"date_start": 1900, "date_end": 1910}, {"dates": "1900/1910"}),
        ({"date_start": 1900}, {"dates": "1900/2100"}),
        ({"date_from": "1906-04-20", "date_to": "1906-04-20"}, {"dates": "1906-04-20/1906-04-20"}),
        ({"date_from": "1906-04-20", "date_end": 1906}, {"dates": "1906-04-20/1906"}),
        ({"state": " New York "}, {"fa": "location_state:new york"}),
        ({"language": "German"}, {"fa": "language:german"}),
        ({"lccn": "SN83030214"}, {"fa": "number_lccn:sn83030214"}),
        (
            {"state": "ohio", "language": "english", "lccn": "sn83035644"},
            {"fa": "location_state:ohio|language:english|number_lccn:sn83035644"},
        ),
        ({"sort": "date"}, {"sb": "date"}),
        ({"sort": "date_desc"}, {"sb": "date_desc"}),
    ],
)
async def test_filters_are_sent_by_names_that_the_site_applies(
    given: dict[str, Any], sent: dict[str, str], standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAPERS, query="the", limit=5, **given)
    assert not answer.is_error
    assert answer.structure["items"]
    # on a busy machine one that the test before sent again may still come in
    own = [found for found in parameters(standin) if sent.items() <= found.items()]
    assert own
    for found in own:
        assert not found.keys() & {"start_date", "end_date", "location_state", "front_pages_only"}
        assert "qs" not in found


@upstream
async def test_rows_obey_days_state_language_and_order(standin: Standin) -> None:
    async with Desk() as desk:
        days = await desk.call(PAPERS, query="the", date_from="1900-01-01", date_to="1909-06-30")
        ohio = await desk.call(PAPERS, query="the", state="Ohio", limit=100)
        ordered = await desk.call(PAPERS, query="the", sort="date_desc", limit=100)
    assert days.structure["items"]
    for one in days.structure["items"]:
        assert "1900-01-01" <= one["date"] <= "1909-06-30"
    assert ohio.structure["items"]
    for one in ohio.structure["items"]:
        assert "ohio" in one["states"]
    dates = [one["date"] for one in ordered.structure["items"]]
    assert dates == sorted(dates, reverse=True)


@upstream
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"date_start": 1910, "date_end": 1900}, "invalid_date_range"),
        ({"date_from": "1910-01-01", "date_to": "1909-12-31"}, "invalid_date_range"),
        ({"date_from": "1906-02-30"}, "invalid_date_range"),
        ({"date_from": "April 1906"}, "invalid_date_range"),
        ({"date_from": "1906-04-20", "date_start": 1900}, "invalid_date_range"),
        ({"date_to": "1906-04-20", "date_end": 1910}, "invalid_date_range"),
        ({"lccn": "sn1"}, "invalid_input"),
        ({"lccn": "sn85025570|language:german"}, "invalid_input"),
        ({"sort": "title"}, "invalid_input"),
        ({"from_row": 5}, "invalid_input"),
        ({"newspaper_title": " - "}, "invalid_input"),
        ({"front_page": True}, "invalid_input"),
        ({"query": "..."}, "invalid_input"),
    ],
)
async def test_what_cannot_be_asked_is_refused_before_any_request(
    given: dict[str, Any], reason: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAPERS, **{"query": "the", **given})
    assert (answer.reason, standin.requests) == (reason, 0)


# -- papers by name ------------------------------------------------------------------------------------------


@upstream
@pytest.mark.parametrize("typed", ["The Redwood Gazette", "redwood gazette", "REDWOOD  gazette"])
async def test_a_name_that_one_paper_has_becomes_its_number(typed: str, standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(PAPERS, query="the", newspaper_title=typed)).structure
    assert {one["lccn"] for one in told["items"]} == {GAZETTE}
    assert "filtered_here" not in told
    assert f"(lccn {GAZETTE})" in told["notice"]
    listing, search = parameters(standin)
    assert (listing["dl"], search["fa"]) == ("title", f"number_lccn:{GAZETTE}")


@upstream
async def test_a_number_in_place_of_a_name_is_taken_for_one(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(PAPERS, query="the", newspaper_title=f" {GAZETTE}")).structure
    assert {one["lccn"] for one in told["items"]} == {GAZETTE}
    assert "read as an LCCN" in told["notice"]
    assert standin.requests == 1


@upstream
@pytest.mark.parametrize(
    ("typed", "told"),
    [("herald", "lccn= asks for one exactly"), ("xyzzy times", "No paper of the title list")],
)
async def test_a_name_of_several_or_of_none_is_looked_for_in_the_rows(
    typed: str, told: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAPERS, query="the", newspaper_title=typed, limit=100)
        alone = (await desk.call(PAPERS, query="the", limit=1)).structure
    assert unsaid(answer) == []
    found = answer.structure
    assert found["filtered_here"] is True
    assert found["total"] == alone["total"], "the total stays upstream's"
    assert told in found["notice"]
    for one in found["items"]:
        assert set(typed.split()) <= set(re.findall(r"\w+", one["newspaper_title"]))
    assert bool(found["items"]) == (typed == "herald")
    assert standin.requests <= 1 + 3 + 1


@upstream
async def test_when_the_list_of_papers_fails_rows_are_chosen_here(standin: Standin) -> None:
    standin.fault("500", host="loc", query="dl=title")
    async with Desk() as desk:
        answer = await desk.call(PAPERS, query="the", newspaper_title="redwood gazette")
    told = answer.structure
    assert {one["lccn"] for one in told["items"]} == {GAZETTE}
    assert told["filtered_here"] is True
    assert "The list of papers could not be read just now" in told["notice"]


async def walked(desk: Desk, limit: int, **given: Any) -> list[str]:
    """All that are chosen, by the notice's own words."""
    got: list[str] = []
    at = 0
    for _ in range(500):
        answer = await desk.call(PAPERS, limit=limit, from_row=at, **given)
        told = answer.structure
        got += [one["url"] for one in told["items"]]
        found = re.search(r"from_row=(\d+) goes on", told["notice"])
        assert bool(found) == told["has_next"]
        if not found:
            return got
        assert int(found[1]) > at
        at = int(found[1])
    raise AssertionError("it never ends")


@upstream
@pytest.mark.parametrize(
    "limit",
    [pytest.param(3, marks=pytest.mark.heavy), 20, pytest.param(100, marks=pytest.mark.heavy)],
)
@pytest.mark.parametrize(
    "given",
    [{"front_pages": True}, pytest.param({"newspaper_title": "herald"}, marks=pytest.mark.heavy)],
)
async def test_walking_by_row_neither_loses_nor_repeats(
    given: dict[str, Any], limit: int, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")
    expected: list[str] = []
    async with Desk() as desk:
        for page in (1, 2, 3):
            told = await desk.call(PAPERS, query="the", limit=100, page=page)
            for one in told.structure["items"]:
                words = re.findall(r"\w+", one["newspaper_title"])
                if one["page_number"] == 1 if "front_pages" in given else "herald" in words:
                    expected.append(one["url"])
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "6000")
    async with Desk() as desk:
        got = await walked(desk, limit, query="the", **given)
    assert got == expected
    assert len(got) > 20 or "front_pages" not in given


@upstream
async def test_a_page_number_counts_chosen_rows_too(standin: Standin) -> None:
    """The contract knows pages alone."""
    async with Desk() as desk:
        whole = await desk.call(PAPERS, query="the", front_pages=True, limit=12)
        pages = [
            (await desk.call(PAPERS, query="the", front_pages=True, limit=4, page=page)).structure
            for page in (1, 2, 3)
        ]
    rows = [one["url"] for page in pages for one in page["items"]]
    assert rows == [one["url"] for one in whole.structure["items"]]
    assert all(page["has_next"] and page["pages"] > page["page"] for page in pages)


@upstream
async def test_past_the_end_of_the_rows_is_told(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAPERS, query="president", front_pages=True, from_row=5000)
    told = answer.structure
    assert (told["items"], told["has_next"]) == ([], False)
    assert "from_row=5000 lies past the end: 148 rows in all." in told["notice"]


@upstream
async def test_at_most_three_requests_are_spent_on_a_page_of_chosen_rows(standin: Standin) -> None:
    async with Desk() as desk:
        with in_mood(standin, inflate=2000):
            given = {"query": "the everything", "newspaper_title": "xyzzy times"}
            told = (await desk.call(PAPERS, **given)).structure
            assert standin.requests == 1 + 3
            assert (told["items"], told["has_next"], told["filtered_here"]) == ([], True, True)
            assert told["total"] == 558_000
            assert "rows, 1 to 300 were looked at" in told["notice"]
            assert "from_row=300 goes on." in told["notice"]
            last = (await desk.call(PAPERS, **given, from_row=99_950)).structure
            assert last["has_next"] is False
            assert "goes on" not in last["notice"]
            assert "split the search" in last["notice"]


# -- routes --------------------------------------------------------------------------------------------------


def page_row(number: int) -> dict[str, Any]:
    return {
        "id": f"http://www.loc.gov/resource/sn00000001/1901-02-03/ed-1/?sp={number}",
        "url": f"https://www.loc.gov/resource/sn00000001/1901-02-03/ed-1/?sp={number}&q=fire",
        "title": f"Image {number} of The example (Nowhere, Ohio), February 3, 1901",
        "type": ["segment"],
        "date": "1901-02-03",
        "partof_title": ["the example (nowhere, ohio) 1900-1910"],
        "location_state": ["ohio"],
        "description": ["The opening of the page"],
    }


def issue_row() -> dict[str, Any]:
    return {
        "id": "http://www.loc.gov/item/sn00000001/1901-02-03/ed-1/",
        "url": "https://www.loc.gov/item/sn00000001/1901-02-03/ed-1/",
        "title": "The example (Nowhere, Ohio), February 3, 1901",
        "type": ["issue"],
    }


class TwoRoutes:
    """A catalogue of which only one route answers with pages."""

    def __init__(self, pages_at: str | None) -> None:
        self.pages_at = pages_at
        self.paths: list[str] = []

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.answer)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.paths.append(request.url.path)
        is_right = request.url.path == self.pages_at
        rows = [page_row(1), page_row(2)] if is_right else [issue_row()]
        paging = {"of": len(rows), "total": 1, "perpage": 25}
        return httpx.Response(200, json={"results": rows, "pagination": paging, "search": {}})


OLD, NEW = "/newspapers/", "/collections/chronicling-america/"


@pytest.mark.parametrize(("route", "asked"), [(OLD, [OLD, OLD]), (NEW, [OLD, NEW, NEW])])
async def test_the_route_with_pages_is_recognised_once_and_remembered(
    route: str, asked: list[str]
) -> None:
    library = TwoRoutes(route)
    async with Desk(transport=library.transport) as desk:
        first = await desk.call(PAPERS, query="fire")
        second = await desk.call(PAPERS, query="flood")
    assert library.paths == asked
    for answer in (first, second):
        assert [one["page_number"] for one in answer.structure["items"]] == [1, 2]
        assert {one["excerpt_kind"] for one in answer.structure["items"]} == {"opening"}


async def test_issues_at_both_routes_are_no_answer() -> None:
    library = TwoRoutes(None)
    async with Desk(transport=library.transport) as desk:
        answer = await desk.call(PAPERS, query="fire")
    assert answer.reason == "upstream_malformed"
    assert library.paths == [OLD, NEW]


async def test_a_row_that_is_no_page_is_left_out_and_counted() -> None:
    """Rows are counted as the catalogue counts them, or walking on would repeat some."""

    def answer(request: httpx.Request) -> httpx.Response:
        rows = [page_row(1), issue_row(), page_row(2), page_row(3)]
        paging = {"of": 4, "total": 1, "perpage": 100}
        return httpx.Response(200, json={"results": rows, "pagination": paging, "search": {}})

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        given = {"query": "fire", "newspaper_title": "example"}
        first = (await desk.call(PAPERS, **given, limit=2)).structure
        assert [one["page_number"] for one in first["items"]] == [1, 2]
        assert "from_row=3 goes on." in first["notice"]
        second = (await desk.call(PAPERS, **given, limit=2, from_row=3)).structure
        assert [one["page_number"] for one in second["items"]] == [3]
        assert second["has_next"] is False


async def test_pages_in_place_of_the_list_of_papers_name_their_paper() -> None:
    """Where dl=title does nothing, page rows come."""

    def answer(request: httpx.Request) -> httpx.Response:
        rows = [page_row(1) | {"number_lccn": ["sn00000001"]}]
        paging = {"of": 1, "total": 1, "perpage": 100}
        return httpx.Response(200, json={"results": rows, "pagination": paging, "search": {}})

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        told = (await desk.call(PAPERS, query="fire", newspaper_title="the example")).structure
    assert "The paper is the example (nowhere, ohio) 1900-1910 (lccn sn00000001)." in told["notice"]


@upstream
async def test_a_url_is_what_the_other_tool_takes(standin: Standin) -> None:
    async with Desk() as desk:
        rows = (await desk.call(PAPERS, query="president", limit=3)).structure["items"]
        for one in rows:
            page = await desk.call(PAGE, page_url=one["url"], find="president")
            assert page.structure["page_url"] == one["url"]
            assert page.structure["passages"]
