"""Every provider's guide: short, true to the tools it names, and reachable by a client of either era."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
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

PROVIDERS = Path(__file__).parents[2] / "providers"
eras = pytest.mark.parametrize("era", ["auto", "legacy"])


@dataclass(frozen=True)
class Guide:
    """A guide's file, and its calls that can be copied."""

    file: Path

    @property
    def name(self) -> str:
        return self.file.parent.name

    @property
    def prefix(self) -> str:
        """What its tools' names begin with."""
        return self.name.removesuffix("-guide") + "_"

    @property
    def address(self) -> str:
        return f"skill://{self.name}/SKILL.md"

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")

    @property
    def calls(self) -> list[dict[str, Any]]:
        blocks = re.findall(r"```json\n(.*?)```", self.text, re.DOTALL)
        return [json.loads(block) for block in blocks]


GUIDES = [Guide(file) for file in sorted(PROVIDERS.glob("*/skills/*/SKILL.md"))]
CALLS = [call for guide in GUIDES for call in guide.calls]
every_guide = pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)


def test_every_provider_has_one() -> None:
    assert {guide.file.parents[2].name for guide in GUIDES} == {
        folder.name for folder in PROVIDERS.iterdir() if (folder / "plugin.py").exists()
    }


@every_guide
def test_it_is_short_and_begins_with_name_and_description(guide: Guide) -> None:
    assert len(guide.text) < 6_000
    found = re.match(r"---\nname: (\S+)\ndescription: (.+)\n---\n\n# ", guide.text)
    assert found
    assert found[1] == guide.name
    assert 40 < len(found[2]) < 1024
    assert ": " not in found[2], "a colon would end the value of a plain YAML scalar"


def arguments_of(schema: dict[str, Any]) -> Iterator[str]:
    yield from schema.get("properties", {})
    for inner in schema.get("properties", {}).values():
        for part in (inner, *inner.get("anyOf", [])):
            yield from arguments_of(part)


@pytest.mark.anyio
@every_guide
async def test_every_tool_and_argument_that_it_names_exists(guide: Guide) -> None:
    async with Desk() as desk:
        assert set(re.findall(rf"{guide.prefix}[a-z]+(?:_[a-z]+)*", guide.text)) - {
            guide.prefix
        } == {name for name in desk.tools if name.startswith(guide.prefix)}
        for call in guide.calls:
            known = set(arguments_of(desk.tools[call["tool"]].input_schema))
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
    lists = (
        *("objects", "terms", "images", "sample_objects", "related", "dates"),
        *("items", "subjects", "collections", "passages", "resource_links"),
    )
    assert any(told.get(name) for name in lists)


@every_guide
def test_there_are_five_recipes_and_each_has_a_call(guide: Guide) -> None:
    recipes = re.split(r"\n\d\. \*\*", guide.text)[1:]
    assert len(recipes) == 5
    assert all("```json" in recipe for recipe in recipes)


@pytest.mark.anyio
@eras
@every_guide
async def test_a_client_reads_it_by_its_address(
    guide: Guide, era: Literal["auto", "legacy"]
) -> None:
    services = Services(GatewaySettings())
    async with Client(build(load(services), services), mode=era) as client:
        listed = {str(resource.uri) for resource in await client.list_resources()}
        assert guide.address in listed
        templates = {found.uri_template for found in await client.list_resource_templates()}
        assert "skill://{+path}" in templates
        (content,) = await client.read_resource(guide.address)
        assert content.text == guide.text
        for unknown in (f"skill://{guide.name}/OTHER.md", "skill://nothing"):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(unknown)
            assert caught.value.error.code == -32602
            assert caught.value.error.data == {"uri": unknown}
