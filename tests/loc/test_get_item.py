"""libofcongress_get_item and its template: every id that a row can give, every way to be missing."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any, Literal
from urllib.parse import quote

import httpx
import pytest
from fastmcp import Client
from mcp.shared.exceptions import MCPError

from conftest import Standin
from desk import Desk
from heritage_gateway.budget import tokens
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings
from loc.reading_room import ITEM, PAPERS, SEARCH, asked, in_mood
from loc.test_address import HOSTILE_IDS
from mirror import unsaid

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin

ISSUE = "sn85025570/1894-06-07/ed-1"
CAPTURED = ("mss119730001", "73691632", "sn85059812", "2007680728")


@upstream
@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize("name", [*CAPTURED, ISSUE])
async def test_a_record_is_told_whole_in_both(name: str, modern: bool, standin: Standin) -> None:
    async with Desk() as desk:
        with in_mood(standin, modern_items=modern):
            answer = await desk.call(ITEM, item_id=name)
    assert not answer.is_error
    assert unsaid(answer) == []
    assert answer.structure["item_id"] == name
    assert answer.structure["url"] == f"https://www.loc.gov/item/{name}/"


@upstream
@pytest.mark.parametrize(
    "query", ["lomax", "map", "book", "photograph", pytest.param("the", marks=pytest.mark.heavy)]
)
async def test_every_row_that_says_so_has_a_record(query: str, standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(SEARCH, query=query, limit=12, sort="title")).structure
        names = [one["id"] for one in told["items"] if one["is_item"]]
        assert names
        for name in names:
            answer = await desk.border.call(desk.tools[ITEM], {"item_id": name})
            assert not answer.is_error, (name, answer.text)
            assert answer.structure["title"]


@upstream
async def test_every_row_without_a_record_says_so_before_it_is_asked(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(SEARCH, query="library", limit=50)).structure
        others = [one["id"] for one in told["items"] if not one["is_item"]]
        assert others
        before = standin.requests
        for name in others:
            answer = await desk.call(ITEM, item_id=name)
            assert answer.reason in {"invalid_id", "item_not_found"}, name
        sent = asked(standin)[before:]
    assert all(one.path.startswith("/item/") for one in sent)


@upstream
@pytest.mark.parametrize(
    "given",
    [
        ISSUE,
        ISSUE.replace("/", "%2F"),
        ISSUE.replace("/", "%2f"),
        f"https://www.loc.gov/item/{ISSUE}/",
        f"http://www.loc.gov/item/{ISSUE}",
        f" /item/{ISSUE}/ ",
    ],
)
async def test_an_id_with_slashes_is_one_id_however_it_is_written(
    given: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(ITEM, item_id=given)
    assert answer.structure["item_id"] == ISSUE
    assert [one.path for one in asked(standin)] == [f"/item/{ISSUE}/"]


@upstream
async def test_a_search_gives_the_whole_id_of_an_issue(standin: Standin) -> None:
    async with Desk() as desk:
        rows = (await desk.call(PAPERS, query="president", limit=3)).structure["items"]
        for one in rows:
            name = re.sub(r".*/resource/|/\?.*", "", one["url"])
            told = (await desk.call(ITEM, item_id=name)).structure
            assert told["item_id"] == name
            assert told["date"] == one["date"]


@upstream
@pytest.mark.parametrize("form", ["mixed", "json", "html"])
@pytest.mark.parametrize("name", ["1234567890", "no-such-item-1", "sn85025570/1894-06-09/ed-1"])
async def test_a_missing_item_is_missing_in_every_form(
    name: str, form: str, standin: Standin
) -> None:
    async with Desk() as desk:
        with in_mood(standin, item_404=form):
            answer = await desk.call(ITEM, item_id=name)
    assert (answer.reason, standin.requests) == ("item_not_found", 1)
    assert SEARCH in answer.text


def bare(text: str) -> str:
    """Without blanks, and the sign that a text was cut."""
    return "".join(text.replace("…", "").split())


@upstream
async def test_sections_of_a_long_record_are_followed_to_the_end(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")
    async with Desk() as desk:
        whole = (await desk.call(ITEM, item_id="73691632")).structure
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "700")
    async with Desk() as desk:
        first = await desk.call(ITEM, item_id="73691632")
        assert tokens(first.text, first.structure) <= 700
        assert [said for said in unsaid(first) if not said.startswith("shortened.")] == []
        names = [one["section"] for one in first.structure["shortened"]]
        assert names
        for name in names:
            got: list[str] = []
            given: dict[str, Any] = {"section": name}
            for _ in range(200):
                answer = await desk.call(ITEM, item_id="73691632", **given)
                part = answer.structure[name]
                got += [part] if isinstance(part, str) else [json.dumps(one) for one in part]
                way = re.search(
                    rf'item_id="73691632" section="{name}" offset=(\d+)(?: text_offset=(\d+))?',
                    answer.structure.get("notice", ""),
                )
                if way is None:
                    break
                given = {"section": name, "offset": int(way[1]), "text_offset": int(way[2] or 0)}
            expected = whole[name]
            if isinstance(expected, str):
                assert bare("".join(got)) == bare(expected)
            elif all(isinstance(one, str) for one in expected):
                pieces = "".join(json.loads(one) for one in got)
                assert pieces == "".join(expected)


async def test_an_unknown_section_is_refused_with_the_list_of_them() -> None:
    async with Desk() as desk:
        answer = await desk.call(ITEM, item_id="73691632", section="images")
    assert answer.reason == "invalid_input"
    assert "resource_links" in answer.text


async def test_the_address_of_a_page_is_sent_to_the_tool_that_reads_it() -> None:
    async with Desk() as desk:
        answer = await desk.call(ITEM, item_id="https://www.loc.gov/resource/ppmsca.09407/")
    assert answer.reason == "invalid_id"
    assert "libofcongress_get_newspaper_page reads it" in answer.text


async def test_nothing_is_sent_for_an_id_that_is_none() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError("something was sent")

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        for bad in HOSTILE_IDS:
            answered = await desk.call(ITEM, item_id=bad)
            assert answered.reason in {"invalid_id", "invalid_input"}, bad


# -- the template ----------------------------------------------------------------------------------------

eras = pytest.mark.parametrize("era", ["auto", "legacy"])
Era = Literal["auto", "legacy"]


@pytest.fixture
async def services(standin: Standin) -> AsyncIterator[Services]:
    made = Services(GatewaySettings.read())
    yield made
    await made.aclose()


@upstream
@eras
@pytest.mark.parametrize("name", ["2007680728", ISSUE, quote(ISSUE, safe=""), "mss119730001"])
async def test_a_client_reads_a_record_by_its_address(
    name: str, era: Era, services: Services
) -> None:
    async with Client(build(load(services), services), mode=era) as client:
        templates = {one.uri_template for one in await client.list_resource_templates()}
        assert "libofcongress://item/{+item_id}" in templates
        (content,) = await client.read_resource(f"libofcongress://item/{name}")
        result = await client.call_tool(ITEM, {"item_id": name})
    assert content.mime_type == "application/json"
    told = json.loads(content.text)
    assert told["item_id"] == name.replace("%2F", "/")
    assert result.structured_content is not None
    assert result.structured_content.items() >= told.items() or told.keys() >= {
        "item_id",
        "title",
        "contributors",
    }


@upstream
@eras
@pytest.mark.parametrize("name", ["no-such-item-1", "..%2F..%2Fsearch", "a%00b", "user@host"])
async def test_a_resource_that_is_none_is_no_resource(
    name: str, era: Era, services: Services
) -> None:
    uri = f"libofcongress://item/{name}"
    async with Client(build(load(services), services), mode=era) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
    assert caught.value.error.code == -32602


@upstream
@eras
async def test_an_outage_is_not_told_as_a_missing_resource(
    era: Era, services: Services, standin: Standin
) -> None:
    standin.fault("500", host="loc")
    async with Client(build(load(services), services), mode=era) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("libofcongress://item/2007680728")
    assert caught.value.error.code == -32603
    assert "not found" not in caught.value.error.message.lower()
    assert caught.value.error.data["reason"] == "upstream_unavailable"
