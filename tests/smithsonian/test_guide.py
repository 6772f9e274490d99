"""The guide: short, true to the tools it names, and reachable by a client of either era."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from mcp.shared.exceptions import MCPError

from conftest import Standin
from desk import Desk
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian import plugin

ADDRESS = "skill://smithsonian-guide/SKILL.md"
FILE = Path(plugin.__file__).with_name("skills") / "smithsonian-guide" / "SKILL.md"
TEXT = FILE.read_text("utf-8")
CALLS: list[dict[str, Any]] = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
]
eras = pytest.mark.parametrize("era", ["auto", "legacy"])


def test_it_is_short_and_begins_with_name_and_description() -> None:
    assert len(TEXT) < 6_000
    found = re.match(r"---\nname: (\S+)\ndescription: (.+)\n---\n\n# ", TEXT)
    assert found
    assert found[1] == FILE.parent.name
    assert 40 < len(found[2]) < 1024
    assert ": " not in found[2], "a colon would end the value of a plain YAML scalar"


async def arguments_of(schema: dict[str, Any]) -> set[str]:
    names = set(schema.get("properties", {}))
    for inner in schema.get("properties", {}).values():
        for part in (inner, *inner.get("anyOf", [])):
            names |= await arguments_of(part)
    return names


@pytest.mark.anyio
async def test_every_tool_and_argument_that_it_names_exists() -> None:
    async with Desk() as desk:
        assert set(re.findall(r"smithsonian_[a-z]+_[a-z]+", TEXT)) == {
            name for name in desk.tools if name.startswith("smithsonian_")
        }
        for call in CALLS:
            known = await arguments_of(desk.tools[call["tool"]].input_schema)
            given = call["arguments"]
            assert set(given) | set(given.get("filters", {})) <= known


@pytest.mark.standin
@pytest.mark.anyio
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call['tool']}-{len(str(call))}")
async def test_every_call_in_it_finds_something(call: dict[str, Any], standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(call["tool"], **call["arguments"])
    assert not answer.is_error
    told = answer.structure
    lists = ("objects", "terms", "images", "sample_objects", "related", "dates")
    assert any(told.get(name) for name in lists)


def test_there_are_five_recipes_and_each_has_a_call() -> None:
    recipes = re.split(r"\n\d\. \*\*", TEXT)[1:]
    assert len(recipes) == 5
    assert all("```json" in recipe for recipe in recipes)


@pytest.mark.anyio
@eras
async def test_a_client_reads_it_by_its_address(era: Literal["auto", "legacy"]) -> None:
    services = Services(GatewaySettings())
    async with Client(build(load(services), services), mode=era) as client:
        listed = {str(resource.uri) for resource in await client.list_resources()}
        assert ADDRESS in listed
        templates = {found.uri_template for found in await client.list_resource_templates()}
        assert "skill://{+path}" in templates
        (content,) = await client.read_resource(ADDRESS)
        assert content.text == TEXT
        for unknown in ("skill://smithsonian-guide/OTHER.md", "skill://nothing"):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(unknown)
            assert caught.value.error.code == -32602
            assert caught.value.error.data == {"uri": unknown}
