"""libofcongress_browse_collections through the border: one list a day, filtered and paged here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.budget import tokens
from heritage_loc.formats import FORMATS
from hurry import Hurry
from loc.reading_room import BROWSE, SEARCH, asked
from mirror import unsaid

pytestmark = [pytest.mark.anyio, pytest.mark.standin]


def collections(*titles: str, of: int | None = None) -> str:
    rows: list[dict[str, Any]] = [
        {
            "id": f"http://www.loc.gov/collections/{title.lower()}/about-this-collection/",
            "url": f"https://www.loc.gov/collections/{title.lower()}/about-this-collection/",
            "items": f"https://www.loc.gov/collections/{title.lower()}/",
            "title": title,
            "count": 5,
            "original_format": ["collection"],
        }
        for title in titles
    ]
    paging = {"of": len(rows) if of is None else of, "total": 1, "perpage": 1000}
    return json.dumps({"results": rows, "pagination": paging, "search": {}})


async def test_the_list_is_fetched_once_a_day_whatever_is_asked_of_it(standin: Standin) -> None:
    hurry = Hurry()
    async with hurry.desk() as desk:
        for given in ({}, {"query": "lomax"}, {"page": 2}, {"limit": 7, "page": 3}, {"query": "x"}):
            answer = await desk.call(BROWSE, **given)
            assert not answer.is_error
            assert unsaid(answer) == []
        assert standin.requests == 1
        hurry.passed += 23 * 3600
        await desk.call(BROWSE)
        assert standin.requests == 1
        hurry.passed += 2 * 3600
        await desk.call(BROWSE)
        assert standin.requests == 2
    assert "c=1000" in asked(standin)[0].query


@pytest.mark.parametrize("limit", [1, 7, 25, 100])
async def test_page_after_page_holds_every_collection_once(limit: int, standin: Standin) -> None:
    got: list[str] = []
    async with Desk() as desk:
        for page in range(1, 100):
            told = (await desk.call(BROWSE, limit=limit, page=page)).structure
            got += [one["slug"] for one in told["collections"]]
            assert told["total"] == told["totalCount"]
            if not told["has_next"]:
                break
            assert f"page={page + 1} gets the next collections." in told["notice"]
        past = (await desk.call(BROWSE, limit=limit, page=page + 1)).structure
    assert (len(got), len(set(got)), page) == (told["total"], told["total"], told["pages"])
    assert (past["collections"], past["total"], past["has_next"]) == ([], told["total"], False)
    assert f"The last valid page is {page}." in past["notice"]


async def test_a_cut_list_is_read_on(standin: Standin, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Desk() as desk:
        whole = (await desk.call(BROWSE, limit=100)).structure["collections"]
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "2000")
    got: list[dict[str, Any]] = []
    given = {"limit": 100, "page": 1}
    async with Desk() as desk:
        while True:
            answer = await desk.call(BROWSE, **given)
            told = answer.structure
            assert tokens(answer.text, told) <= 2000
            got += told["collections"]
            if not told["has_next"]:
                break
            words = told["notice"].replace(".", " ").split()
            numbers = dict(word.split("=") for word in words if "=" in word)
            given |= {name: int(value) for name, value in numbers.items()}
    assert got == whole


@pytest.mark.parametrize("query", ["lomax", "LOMAX folk", "civil war", "papers"])
async def test_a_filter_wants_every_word(query: str, standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(BROWSE, query=query, limit=100)).structure
    for one in told["collections"]:
        text = f"{one['title']} {one.get('description', '')} {one['slug']}".lower()
        assert all(word in text for word in query.lower().split())
    assert told["collections"] or "None of the" in told["notice"]


async def test_none_is_told_with_the_number_of_collections_and_a_way_on(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(BROWSE, query="xyzzyplugh")).structure
        count = (await desk.call(BROWSE, limit=1)).structure["total"]
    assert (told["total"], told["collections"], told["pages"]) == (0, [], 0)
    assert f'None of the {count} collections holds "xyzzyplugh"' in told["notice"]
    assert SEARCH in told["notice"]


async def test_every_row_can_be_searched_and_says_which_formats_it_holds(standin: Standin) -> None:
    async with Desk() as desk:
        rows = (await desk.call(BROWSE, limit=100)).structure["collections"]
        for one in rows:
            assert one["url"] == f"https://www.loc.gov/collections/{one['slug']}/"
            assert set(one.get("formats", ())) <= set(FORMATS)
        assert any(one.get("formats") for one in rows)
        assert any(one.get("item_count") for one in rows)
        for one in rows[:3]:
            answer = await desk.call(SEARCH, query="letter", collection_slug=one["slug"])
            assert not answer.is_error


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"kind": "empty-nocache"}, "upstream_unavailable"),
        ({"kind": "html-200"}, "upstream_unavailable"),
        ({"kind": "500"}, "upstream_unavailable"),
        ({"kind": "404"}, "upstream_unavailable"),
        ({"kind": "garbage"}, "upstream_malformed"),
        ({"kind": "custom", "body": collections()}, "upstream_malformed"),
        ({"kind": "custom", "body": collections(of=584)}, "upstream_malformed"),
    ],
    ids=str,
)
async def test_a_failed_or_empty_list_is_told_and_never_kept(
    fault: dict[str, Any], reason: str, standin: Standin
) -> None:
    standin.fault(host="loc", **fault)
    async with Desk() as desk:
        answer = await desk.call(BROWSE, query="lomax")
        assert answer.reason == reason
        assert "None of the" not in answer.text
        assert (await desk.call(BROWSE, query="lomax")).structure["total"] == 3


async def test_a_list_that_is_not_whole_says_so_and_is_kept_for_minutes(standin: Standin) -> None:
    standin.fault("custom", host="loc", body=collections("Alpha", "Beta", of=584))
    hurry = Hurry()
    async with hurry.desk() as desk:
        for query, total in (("alpha", 1), ("gamma", 0)):
            told = (await desk.call(BROWSE, query=query)).structure
            assert told["total"] == total
            assert "sent only 2 of its 584 collections" in told["notice"]
        hurry.passed += 601
        whole = (await desk.call(BROWSE, query="lomax")).structure
    assert whole["total"] == 3
    assert "notice" not in whole


@pytest.mark.parametrize(
    "given", [{"limit": 0}, {"limit": 101}, {"page": 0}, {"slug": "x"}, {"query": "a\x07"}]
)
async def test_what_cannot_be_asked_is_refused_unsent(
    given: dict[str, Any], standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(BROWSE, **given)
    assert (answer.reason, standin.requests) == ("invalid_input", 0)
