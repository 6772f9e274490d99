"""Troubles that others have reported in public, each as the behaviour that rules its kind out.

The numbers are those of the project's list of reports (G1 and so on).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import jsonschema
import pytest
from fastmcp import Client
from mcp_types import TextContent

from conftest import Standin
from desk import Desk
from heritage_gateway.budget import tokens
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.server import Gateway, build
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian.settings import SIGN_UP
from smithsonian.cassette_cases import OWN_KEY
from smithsonian.catalogue_cards import CARDS
from smithsonian.pretend_catalogue import PretendCatalogue, key_trouble

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin

SEARCH, GET, MEDIA = (
    f"smithsonian_{verb}" for verb in ("search_objects", "get_object", "get_media")
)


def queries(standin: Standin) -> list[str]:
    return [entry["query"] for entry in standin.get("log")]


@upstream
async def test_g1_a_filter_filters(standin: Standin) -> None:
    """G1: sent as `fq`, filters are dropped in silence and the whole catalogue comes back."""
    async with Desk() as desk:
        free = (await desk.call(SEARCH, query="flight", rows=100)).structure
        answer = await desk.call(SEARCH, query="flight", rows=100, filters={"unit_code": "NASM"})
    filtered = answer.structure
    assert 0 < filtered["total_count"] < free["total_count"]
    assert {row["unit_code"] for row in filtered["objects"]} == {"NASM"}
    assert {row["unit_code"] for row in free["objects"]} > {"NASM"}
    assert "notice" not in filtered or "filtered" not in filtered["notice"]
    assert not any("fq=" in query for query in queries(standin))


async def test_g1_a_filter_that_upstream_ignores_is_told_and_not_passed_off() -> None:
    """G1, the other side: rows that do not obey are named, since upstream says nothing."""
    catalogue = PretendCatalogue()
    everything = catalogue.answer("/search", {"q": "*", "rows": "20"})
    catalogue.script = [everything]
    async with Desk(transport=catalogue.transport) as desk:
        answer = await desk.call(SEARCH, query="", filters={"unit_code": "NASM"})
    assert f"of {len(CARDS)} rows do not carry unit_code" in answer.structure["notice"]


@upstream
async def test_g2_more_than_a_thousand_rows_are_never_asked_for(standin: Standin) -> None:
    """G2: upstream answers ten rows to 1,500, without a word."""
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="", rows=1500)
    assert answer.structure["notice"].startswith("rows=1500 was asked; a page holds at most 1,000")
    assert answer.structure["shown"] > 10
    assert [query for query in queries(standin) if "rows=1000" in query]
    assert not [query for query in queries(standin) if "rows=1500" in query]


@upstream
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"query": "thunder god"}, 1),
        ({"query": "panda", "rows": 1}, 1),
        ({"query": "thunder god", "start": 5}, 0),
        ({"query": "thunder god", "rows": 5000}, 1),
    ],
    ids=["complete", "cut", "past the end", "over the cap"],
)
async def test_g3_an_answer_is_valid_with_and_without_more_to_come(
    given: dict[str, Any], shown: int, standin: Standin
) -> None:
    """G3: fields of the cut page were required of complete ones. The desk validates each answer."""
    async with Desk() as desk:
        structure = (await desk.call(SEARCH, **given)).structure
    assert (structure["shown"], len(structure["objects"])) == (shown, shown)
    assert ("truncationCeiling" in structure) == structure["truncated"]


@upstream
async def test_g4_past_the_end_is_an_empty_page_with_the_true_total(standin: Standin) -> None:
    """G4: it was told as "no results, check your spelling"."""
    async with Desk() as desk:
        total = (await desk.call(SEARCH, query="portrait", rows=1)).structure["total_count"]
        answer = await desk.call(SEARCH, query="portrait", start=total + 85)
        last = await desk.call(SEARCH, query="portrait", start=total - 1)
    assert answer.structure == {
        "objects": [],
        "total_count": total,
        "truncated": False,
        "shown": 0,
        "notice": answer.structure["notice"],
    }
    assert f"The last valid start is {total - 1}." in answer.structure["notice"]
    assert len(last.structure["objects"]) == 1


@pytest.mark.parametrize(
    ("key", "nearest"), [("date_decade", "date"), ("unitcode", "unit_code"), ("Topic", "topic")]
)
async def test_g5_a_misspelt_filter_is_named_with_the_nearest_and_never_sent(
    key: str, nearest: str
) -> None:
    """G5: it was dropped, and the answer looked filtered."""
    catalogue = PretendCatalogue()
    async with Desk(transport=catalogue.transport) as desk:
        answer = await desk.call(SEARCH, query="quilt", filters={key: "1920s"})
    assert answer.reason == "invalid_input"
    assert f"`filters.{key}`" in answer.text
    assert f"did you mean `filters.{nearest}`?" in answer.text
    assert catalogue.requests == []


@pytest.mark.parametrize(
    ("record", "count", "images", "others", "reason"),
    [
        ("chndm_1974-100-11", 0, 0, [], "no_media"),
        ("npg_S_NPG.2002.184.54", 0, 0, [], "no_media"),
        ("dpo_3d_rover", 1, 0, ["3d_voyager"], "no_images"),
        ("fbr_item_MODSI1318", 1, 0, ["Electronic resource"], "no_images"),
        ("nasm_A19700102000", 16, 14, ["3d_voyager", "3d_voyager"], None),
    ],
)
async def test_g6_what_is_counted_is_what_can_be_had(
    record: str, count: int, images: int, others: list[str], reason: str | None
) -> None:
    """G6: empty media, 3D alone, 14 images among 16 media; counts differed between tools."""
    async with Desk(transport=PretendCatalogue().transport) as desk:
        told = (await desk.call(GET, id=record)).structure["media_summary"]
        media = await desk.call(MEDIA, id=record)
    assert (told["count"], told["cc0_image_count"]) == (count, images)
    assert [other["type"] for other in told["non_image_media"]] == others
    assert media.reason == reason
    if reason is None:
        assert len(media.structure["images"]) == images
    assert all(other in media.text for other in others) or reason is None


@upstream
@pytest.mark.parametrize("rows", [100, 1000])
async def test_g7_no_answer_floods_its_reader(
    rows: int, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G7: NASM writes up to 83 kB a record; a page is cut at a row and says where it goes on."""
    async with Desk() as desk:
        answer = await desk.call(SEARCH, query="", rows=rows, filters={"unit_code": "NASM"})
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "4000")
    async with Desk() as desk:
        longest = await desk.call(GET, id="nasm_A19280021000")
    assert tokens(answer.text, answer.structure) <= 20_000
    shown = answer.structure["shown"]
    assert answer.structure["truncated"] is True
    assert f"start={shown} gets the next page." in answer.structure["notice"]
    assert tokens(longest.text, longest.structure) <= 4_000
    assert 'smithsonian_get_object id="nasm_A19280021000" section="notes"' in longest.text


@dataclass(frozen=True)
class KeyTrouble:
    code: str
    status: int
    reason: str
    own_key: bool = False


@pytest.mark.parametrize(
    "trouble",
    [
        KeyTrouble("API_KEY_MISSING", 200, "api_key_missing"),
        KeyTrouble("API_KEY_INVALID", 403, "api_key_invalid", own_key=True),
        KeyTrouble("API_KEY_DISABLED", 403, "api_key_invalid", own_key=True),
        KeyTrouble("OVER_RATE_LIMIT", 200, "rate_limit_exceeded"),
        KeyTrouble("OVER_RATE_LIMIT", 429, "rate_limit_exceeded", own_key=True),
    ],
    ids=lambda trouble: f"{trouble.code} in {trouble.status}",
)
@pytest.mark.parametrize("tool", [SEARCH, GET])
async def test_g8_trouble_with_the_key_has_a_word_of_its_own_and_a_way_out(
    trouble: KeyTrouble, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8: it came inside HTTP 200, was retried blindly, and promised DEMO_KEY a thousand calls."""
    if trouble.own_key:
        monkeypatch.setenv("SMITHSONIAN_API_KEY", OWN_KEY)
    catalogue = PretendCatalogue(script=[key_trouble(trouble.code, trouble.status)])
    given = {SEARCH: {"query": "panda"}, GET: {"id": "nasm_A19670093000"}}[tool]
    async with Desk(transport=catalogue.transport) as desk:
        answer = await desk.call(tool, **given)
    assert answer.reason == trouble.reason
    assert len(catalogue.requests) == 1
    assert OWN_KEY not in answer.text
    limited, own_key = trouble.code == "OVER_RATE_LIMIT", trouble.own_key
    assert answer.structure["error"]["data"]["retryable"] is limited
    assert ("Wait:" in answer.text) == limited
    assert (SIGN_UP in answer.text) == (not (limited and own_key))
    assert ("about 30 requests an hour per address" in answer.text) == (limited and not own_key)


@upstream
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("403-cloudflare", "upstream_blocked"),
        ("captcha-200", "upstream_blocked"),
        ("html-200", "upstream_unavailable"),
    ],
)
@pytest.mark.parametrize("tool", [SEARCH, GET])
async def test_g13_a_page_for_people_is_told_in_words_and_asked_once(
    kind: str, reason: str, tool: str, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    """G13: it ended in a JSON error with its trace, after a storm of repetitions."""
    standin.fault(kind, host="si", times=-1)
    given = {SEARCH: {"query": "panda"}, GET: {"id": "nasm_A19670093000"}}[tool]
    with caplog.at_level(logging.WARNING):
        async with Desk() as desk:
            answer = await desk.call(tool, **given)
            if reason == "upstream_blocked":
                assert (await desk.call(tool, **given)).reason == reason
    assert answer.reason == reason
    assert standin.requests == 1
    assert caplog.text == ""
    assert not [word for word in ("json", "Traceback", "<html", "<title") if word in answer.text]
    assert ("Nothing is sent to it until" in answer.text) == (reason == "upstream_blocked")


# -- as a client has it ----------------------------------------------------------------------------

FAILURES: dict[str, tuple[str, dict[str, Any]]] = {
    "invalid_input": (SEARCH, {"query": "x", "filters": {"topics": "y"}}),
    "no_results": (SEARCH, {"query": "zeppelin"}),
    "invalid_filter": (SEARCH, {"query": "", "filters": {"unit_code": "XYZ"}}),
    "invalid_id": (GET, {"id": " "}),
    "not_found": (GET, {"id": "nasm_A0"}),
    "rate_limit_exceeded": (GET, {"id": "nasm_A1"}),
}


@pytest.fixture
def served() -> Gateway:
    catalogue = PretendCatalogue()
    services = Services(GatewaySettings.read(), transport=catalogue.transport)
    return build(load(services), services)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("reason", FAILURES)
async def test_g16_a_failure_keeps_its_reason_in_structure_and_in_text(
    reason: str, mode: Literal["auto", "legacy"]
) -> None:
    """G16: clients validate the structure of errors too, and some show the text alone."""
    tool, given = FAILURES[reason]
    catalogue = PretendCatalogue()
    if reason == "rate_limit_exceeded":
        catalogue.script = [key_trouble("OVER_RATE_LIMIT")]
    services = Services(GatewaySettings.read(), transport=catalogue.transport)
    async with Client(build(load(services), services), mode=mode) as client:
        schemas = {listed.name: listed.output_schema for listed in await client.list_tools()}
        result = await client.call_tool(tool, given, raise_on_error=False)
    assert result.is_error
    schema, structure = schemas[tool], result.structured_content
    assert schema is not None
    assert structure is not None
    jsonschema.validate(structure, schema)
    error = structure["error"]
    assert error["data"]["reason"] == reason
    (block,) = result.content
    assert isinstance(block, TextContent)
    lines = block.text.splitlines()
    assert lines[:2] == [
        f"Error ({reason}): {error['message']}",
        f"Next: {error['data']['recovery']['hint']}",
    ]
    assert ("retry_after" in error["data"]) == block.text.endswith("Wait: 60 seconds.")
    if reason == "invalid_input":
        assert "`filters.topics`" in error["message"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_g18_every_client_can_read_the_list_of_tools(
    mode: Literal["auto", "legacy"], served: Gateway
) -> None:
    """G18: one schema that a client cannot read has cost it all tools."""
    async with Client(served, mode=mode) as client:
        tools = await client.list_tools()
    assert {SEARCH, GET} <= {tool.name for tool in tools}
    for tool in tools:
        assert len(tool.name) <= 40
        assert not {"anyOf", "oneOf", "allOf", "not"} & tool.input_schema.keys()
        for schema in (tool.input_schema, tool.output_schema or {"type": "object"}):
            assert schema["type"] == "object"
            assert "draft-07" not in str(schema.get("$schema"))
            for node in nodes(schema):
                assert not {"$ref", "$defs"} & node.keys()
                assert not isinstance(node.get("type"), list)


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from nodes(part)
