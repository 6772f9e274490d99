"""Hosts that say stop: nothing is sent to them, what is known is still served, others are not touched."""

from __future__ import annotations

import re

import httpx
import pytest

from conftest import Standin
from desk import Desk
from hurry import Hurry
from loc.reading_room import (
    BROWSE,
    CALLS,
    CATALOGUE,
    GAZETTE,
    ITEM,
    PAGE,
    PAPERS,
    SEARCH,
    SUBJECTS,
    asked,
)

pytestmark = [pytest.mark.anyio, pytest.mark.standin]

STOPS = {
    "429": "rate_limit_exceeded",
    "403-cloudflare": "upstream_blocked",
    "captcha-200": "upstream_blocked",
}
stopped = pytest.mark.parametrize("kind", STOPS)


@stopped
async def test_one_stop_stops_the_whole_host_for_an_hour_and_nothing_else(
    kind: str, standin: Standin
) -> None:
    hurry = Hurry()
    async with hurry.desk() as desk:
        standin.fault(kind, host="loc", path="^/item/")
        first = await desk.call(ITEM, **CALLS[ITEM])
        assert first.reason == STOPS[kind]
        assert standin.requests == 1, "a stop is never answered by asking again"
        for tool in CATALOGUE:
            answer = await desk.call(tool, **CALLS[tool])
            error = answer.structure["error"]
            assert error["data"]["reason"] == STOPS[kind]
            assert error["data"]["retryable"] is True
            assert 3500 < error["data"]["retry_after"] <= 3600
            assert re.search(r"until \d\d:\d\d UTC \(60 minutes from now\)", error["message"])
            assert error["message"] in answer.text
        assert standin.requests == 1
        assert not (await desk.call(SUBJECTS, **CALLS[SUBJECTS])).is_error
        assert not (await desk.call("smithsonian_search_objects", query="vega")).is_error
        hurry.passed += 3601
        assert not (await desk.call(ITEM, **CALLS[ITEM])).is_error


@pytest.mark.parametrize(
    "kind", ["429", *(pytest.param(kind, marks=pytest.mark.heavy) for kind in list(STOPS)[1:])]
)
@pytest.mark.parametrize("tool", CALLS)
async def test_what_was_fetched_before_is_served_with_its_age(
    kind: str, tool: str, standin: Standin
) -> None:
    hurry = Hurry()
    async with hurry.desk() as desk:
        fresh = await desk.call(tool, **CALLS[tool])
        assert "fetched" not in fresh.structure.get("notice", "")
        hurry.passed += 240
        for host in ("loc", "id", "tile"):
            standin.fault(kind, host=host, times=-1)
        await desk.call(ITEM, item_id="98688726")
        await desk.call(SUBJECTS, query="unheard of")
        await desk.call(PAGE, page_url=f"{GAZETTE}?sp=3")
        before = standin.requests
        kept = await desk.call(tool, **CALLS[tool])
        assert not kept.is_error
        assert standin.requests == before
        assert re.search("fetched [45] minutes ago", kept.structure["notice"])
        assert kept.structure["notice"] in kept.text


async def test_a_stop_of_the_text_service_leaves_the_catalogue_alone(standin: Standin) -> None:
    async with Desk() as desk:
        standin.fault("429", host="tile")
        told = (await desk.call(PAGE, **CALLS[PAGE])).structure
        assert (told["ocr_available"], told["ocr_text"]) == (True, "")
        assert not (await desk.call(SEARCH, **CALLS[SEARCH])).is_error
        again = await desk.call(PAGE, page_url=f"{GAZETTE}?sp=3")
        assert "Nothing is sent to it until" in again.structure["notice"]
        assert [one.host for one in asked(standin)].count("tile") == 1


async def test_a_403_without_a_page_for_people_is_a_block_too(standin: Standin) -> None:
    standin.fault("custom", host="loc", status=403, body='{"message": "no"}')
    async with Desk() as desk:
        assert (await desk.call(SEARCH, **CALLS[SEARCH])).reason == "upstream_blocked"
        assert (await desk.call(ITEM, **CALLS[ITEM])).reason == "upstream_blocked"
    assert standin.requests == 1


async def test_every_request_asks_for_data_of_its_kind_and_names_this_project(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        for tool, given in CALLS.items():
            assert not (await desk.call(tool, **given)).is_error
    for one in asked(standin):
        if one.host != "loc":
            continue
        assert "fo=json" in one.query
        assert "at=" in one.query
        if not one.path.startswith(("/item/", "/resource/")):
            assert re.search(r"(?:^|&)c=\d+", one.query)
            assert "at=results,pagination,search".replace(",", "%2C") in one.query
    for host in ("loc", "tile", "id"):
        (agent,) = standin.get("stats")["hosts"][host]["headers"]["user-agent"]
        assert re.fullmatch(r"heritage-gateway/[0-9.]+\S*", agent)


@pytest.mark.parametrize("tool", [SEARCH, PAPERS, BROWSE])
async def test_the_same_question_is_asked_once(tool: str, standin: Standin) -> None:
    async with Desk() as desk:
        await desk.call(tool, **CALLS[tool])
        await desk.call(tool, **CALLS[tool])
    assert standin.requests == 1


async def test_a_redirect_to_another_host_is_not_followed() -> None:
    """loc.gov sends some addresses elsewhere; only the three hosts of the list are asked."""
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.host)
        return httpx.Response(302, headers={"location": "https://evil.example/item/1/"})

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        assert (await desk.call(ITEM, item_id="1234567")).reason == "upstream_unavailable"
    assert sent == ["www.loc.gov"]
