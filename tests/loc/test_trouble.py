"""Troubles that others have reported in public, each as the behaviour that rules its kind out.

The numbers are those of the project's list of reports (G4, and G9 to G15).
"""

from __future__ import annotations

import json
import logging
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from conftest import Standin
from desk import Desk
from heritage_loc.settings import ENDPOINT, LocSettings
from hurry import Hurry
from loc.heading_service import HeadingService
from loc.reading_room import (
    BROWSE,
    CALLS,
    ITEM,
    PAGE,
    PAPERS,
    SEARCH,
    SUBJECTS,
    asked,
    in_mood,
)

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin


@upstream
@pytest.mark.parametrize("status", [400, 404, 520])
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        (SEARCH, {"query": "lomax"}),
        (PAPERS, {"query": "president"}),
        (BROWSE, {}),
        (SUBJECTS, {"query": "folk"}),
    ],
)
async def test_g4_past_the_end_is_an_empty_page_with_the_true_total(
    tool: str, given: dict[str, Any], status: int, standin: Standin
) -> None:
    """G4: it was told as "no results, check your spelling"."""
    async with Desk() as desk:
        with in_mood(standin, past_end=status):
            first = (await desk.call(tool, **given, page=1)).structure
            past = (await desk.call(tool, **given, page=9999)).structure
    total = "total_matches" if tool == SUBJECTS else "total"
    assert past[total] == first[total] > 0
    assert not past.get("truncated")
    assert not past.get("has_next")
    assert past["shown"] == 0
    assert "page=9999 lies past the end" in past["notice"]
    assert "The last valid page is" in past["notice"]


async def test_g9_totals_are_read_from_the_count_of_items() -> None:
    """G9: `total` is the number of pages, `results` a range for display, `last` is wrong."""
    rows = [{"id": f"http://www.loc.gov/item/20017{n:05}/", "title": "x"} for n in range(25)]
    paging = {
        "of": 2363,
        "total": 95,
        "results": "1 - 25",
        "perpage": 25,
        "last": "https://www.loc.gov/search/?sp=4",
    }

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"results": rows, "pagination": paging, "search": {}})

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        told = (await desk.call(SEARCH, query="x", page=4)).structure
    assert (told["total"], told["totalCount"], told["pages"]) == (2363, 2363, 95)
    assert told["has_next"] is True


@upstream
async def test_g9_the_ceiling_is_told_with_a_way_to_split(standin: Standin) -> None:
    """G9: pages beyond the 100,000th item cannot be had, and good deep ones were thrown away."""
    async with Desk() as desk:
        with in_mood(standin, inflate=2000):
            deep = (await desk.call(SEARCH, query="lomax everything", page=3999)).structure
            last = (await desk.call(SEARCH, query="lomax everything", page=4000)).structure
    assert len(deep["items"]) > 20
    assert (deep["has_next"], last["has_next"], last["pages"]) == (True, False, 4000)
    assert "split the search by dates, subject or place" in last["notice"]


@upstream
async def test_g10_an_id_with_slashes_survives_search_item_and_encoding(standin: Standin) -> None:
    """G10: it was cut to its last segment, and encoded as one (the template's own test is with the item's)."""
    name = "sn85025570/1894-06-07/ed-1"
    async with Desk() as desk:
        page = (await desk.call(PAGE, **CALLS[PAGE])).structure
        assert page["item_id"] == name
        for given in (name, name.replace("/", "%2F")):
            assert (await desk.call(ITEM, item_id=given)).structure["item_id"] == name
    sent = [one.path for one in asked(standin) if one.path.startswith("/item/")]
    assert sent == [f"/item/{name}/"]


async def test_g11_a_text_is_json_and_date_and_number_come_from_the_address() -> None:
    """G11: the service was taken for XML; an answer without a date had none; a miss read as no text."""
    segment = "/service/ndnp/example/0001.xml"
    service = "https://tile.loc.gov/text-services/word-coordinates-service"
    texts = [httpx.Response(500), httpx.Response(200, json={segment: {"full_text": "Words."}})]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == "tile.loc.gov":
            return texts.pop(0)
        resource = {"fulltext_file": f"{service}?segment={segment}&full_text=1&format=alto_xml"}
        return httpx.Response(200, json={"resource": resource})

    address = "https://www.loc.gov/resource/sn00000001/1901-02-03/ed-2/?sp=7"
    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        missed = (await desk.call(PAGE, page_url=address)).structure
        told = (await desk.call(PAGE, page_url=address)).structure
    assert (missed["ocr_available"], missed["ocr_text"]) == (True, "")
    assert "The text exists but could not be fetched" in missed["notice"]
    assert (told["ocr_text"], told["ocr_available"]) == ("Words.", True)
    assert (told["date"], told["sequence"], told["edition"]) == ("1901-02-03", 7, "2")


async def test_g12_headings_are_never_names_and_never_falsely_none() -> None:
    """G12: names rank above the headings, and a small count cuts the headings off."""
    service = HeadingService("suggest2")
    service.names = 20
    async with Desk(transport=service.transport) as desk:
        told = (await desk.call(SUBJECTS, query="voyages and travels", limit=3)).structure
        assert [one["label"] for one in told["subjects"]] == ["Voyages and travels"]
        service.names = 80
        hidden = (await desk.call(SUBJECTS, query="jazz", limit=3)).structure
    assert hidden["subjects"] == []
    assert "only names" in hidden["notice"]
    assert "narrower query" in hidden["notice"]
    for url in service.asked:
        if url.path == "/suggest/":
            assert url.params["memberOf"].startswith("http://")
            assert url.params["count"] == "50"


@upstream
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("403-cloudflare", "upstream_blocked"),
        ("captcha-200", "upstream_blocked"),
        ("html-200", "upstream_unavailable"),
    ],
)
@pytest.mark.parametrize("tool", [SEARCH, ITEM])
async def test_g13_a_page_for_people_is_told_in_words_and_asked_once(
    kind: str, reason: str, tool: str, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    """G13: it ended in a JSON error with its trace, after a storm of repetitions."""
    standin.fault(kind, host="loc", times=-1)
    with caplog.at_level(logging.WARNING):
        async with Desk() as desk:
            answer = await desk.call(tool, **CALLS[tool])
            if reason == "upstream_blocked":
                assert (await desk.call(tool, **CALLS[tool])).reason == reason
            other = await desk.call("smithsonian_search_objects", query="vega")
    assert answer.reason == reason
    assert [one.host for one in asked(standin)].count("loc") == 1
    assert not other.is_error
    assert caplog.text == ""
    assert not [word for word in ("json", "Traceback", "<html", "<title") if word in answer.text]


def test_g14_the_text_service_has_a_pace_of_its_own() -> None:
    """G14: one rule for all hosts is too slow for texts and too fast for the rest."""
    settings = LocSettings()
    www = settings.www(rate_limits=True).paces[ENDPOINT]
    tile = settings.tile(rate_limits=True).paces[ENDPOINT]
    assert tile.admits(60) > 3 * www.admits(60)
    assert www.admits(10) <= 9.5
    assert www.admits(60) <= 19
    assert tile.admits(60) <= 142


@upstream
@pytest.mark.parametrize(("retry_after", "minutes"), [("", 60), ("300", 5), ("7200", 120)])
async def test_g14_a_stop_has_a_stated_end(
    retry_after: str, minutes: int, standin: Standin
) -> None:
    """G14: "about 1 hour" was said always; a block of a burst lasts five minutes."""
    standin.fault("429", host="loc", retry_after=retry_after)
    hurry = Hurry()
    async with hurry.desk() as desk:
        answer = await desk.call(ITEM, **CALLS[ITEM])
        assert f"{minutes} minutes from now" in answer.text or minutes == 120
        wait = answer.structure["error"]["data"]["retry_after"]
        assert abs(wait - 60 * minutes) < 5
        hurry.passed += wait - 5
        assert (await desk.call(ITEM, **CALLS[ITEM])).reason == "rate_limit_exceeded"
        assert standin.requests == 1
        hurry.passed += 6
        assert not (await desk.call(ITEM, **CALLS[ITEM])).is_error


@upstream
async def test_g15_parameters_that_do_nothing_are_not_sent(standin: Standin) -> None:
    """G15: start_date, front_pages_only and the like are dropped there without a word."""
    async with Desk() as desk:
        await desk.call(SEARCH, query="map", date_start=1900, date_end=1901, location="ohio")
        await desk.call(
            PAPERS, query="the", date_start=1900, date_end=1901, state="ohio", front_pages=True
        )
    known = {"q", "dates", "fa", "sb", "dl", "c", "sp", "at", "fo"}
    for one in asked(standin):
        assert set(parse_qs(one.query)) <= known
        assert "dates=1900/1901" in one.query
        assert one.query.count("?") == 0


@pytest.mark.parametrize("tool", [SEARCH, PAPERS])
async def test_g15_rows_outside_the_dates_are_never_passed_off(tool: str) -> None:
    """G15: 359 rows of 1883 to 1946 passed for those of 1900 and 1901."""
    years = (1883, 1899, 1900, 1901, 1946)
    rows = [
        {
            "id": f"http://www.loc.gov/resource/sn00000001/{year}-02-03/ed-1/?sp=1",
            "url": f"https://www.loc.gov/resource/sn00000001/{year}-02-03/ed-1/?sp=1",
            "title": f"Image 1 of The example, {year}",
            "type": ["segment"],
            "date": f"{year}-02-03",
        }
        for year in years
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        paging = {"of": 359, "total": 15, "perpage": 25}
        search = {"hits": 359, "query": "x", "dates": None}
        body = {"results": rows, "pagination": paging, "search": search}
        return httpx.Response(200, content=json.dumps(body))

    given = {"query": "x", "date_start": 1900, "date_end": 1901}
    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        answered = await desk.call(tool, **given)
        assert answered.reason == "upstream_malformed"
        assert "3 of 5 rows lie outside 1900/1901" in answered.text
        assert "none is shown" in answered.text
        del rows[0], rows[-1]
        few = await desk.call(tool, **given, page=2)
    assert "1 of 3 rows lie outside 1900/1901" in few.structure["notice"]
