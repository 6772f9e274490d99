"""Every guide: short, true to the tools it names and that are served, and read by clients of either era."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from jsonschema import Draft202012Validator
from mcp.shared.exceptions import MCPError

from conftest import Standin
from desk import Desk
from heritage_gateway.errors import Reason
from heritage_gateway.plugin import Services
from heritage_gateway.registry import ABOVE, load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings

ROOT = Path(__file__).parents[2]
PROVIDERS = ROOT / "providers"
CORE = ROOT / "src" / "heritage_gateway"
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


GUIDES = [
    Guide(file)
    for file in (
        *sorted(PROVIDERS.glob("*/skills/*/SKILL.md")),
        *sorted(CORE.glob("skills/*/SKILL.md")),
    )
]
CALLS = [call for guide in GUIDES for call in guide.calls]
every_guide = pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)


def test_every_provider_has_one_and_the_tools_above_them_too() -> None:
    assert {guide.file.parents[2].name for guide in GUIDES} == {
        *(folder.name for folder in PROVIDERS.iterdir() if (folder / "plugin.py").exists()),
        CORE.name,
    }


@every_guide
def test_it_is_short_and_begins_with_name_and_description(guide: Guide) -> None:
    assert len(guide.text) < 6_000
    found = re.match(r"---\nname: (\S+)\ndescription: (.+)\n---\n\n# ", guide.text)
    assert found
    assert found[1] == guide.name
    assert 40 < len(found[2]) < 1024
    assert ": " not in found[2], "a colon would end the value of a plain YAML scalar"


TOOL = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


@pytest.mark.anyio
@every_guide
async def test_it_names_all_its_tools_and_no_other_that_does_not_exist(guide: Guide) -> None:
    async with Desk() as desk:
        prefixes = tuple({name.split("_")[0] + "_" for name in desk.tools})
        named = {name for name in TOOL.findall(guide.text) if name.startswith(prefixes)}
        assert named <= desk.tools.keys()
        own = {name for name in desk.tools if name.startswith(guide.prefix)}
        assert own <= named
        assert named - own <= set(ABOVE), "a house knows the tools above, and no other house"


FORMS = {"ead_", "ark"}  # of ids and links


@pytest.mark.anyio
@every_guide
async def test_every_argument_field_and_word_that_it_quotes_exists(guide: Guide) -> None:
    async with Desk() as desk:
        schemas = [(tool.input_schema, tool.output_schema) for tool in desk.tools.values()]
    known = set(re.findall(r"\w+", json.dumps(schemas))) | set(Reason) | set(desk.tools) | FORMS
    prose = re.sub(r"```json\n.*?```", "", guide.text, flags=re.DOTALL)
    assert set(re.findall(r"`(\w+)[^`\n]*`", prose)) <= known


@pytest.mark.anyio
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call['tool']}-{len(str(call))}")
async def test_every_call_in_it_is_valid(call: dict[str, Any]) -> None:
    assert set(call) == {"tool", "arguments"}
    async with Desk() as desk:
        Draft202012Validator(desk.tools[call["tool"]].input_schema).validate(call["arguments"])


@pytest.mark.standin
@pytest.mark.anyio
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call['tool']}-{len(str(call))}")
async def test_every_call_in_it_finds_something(call: dict[str, Any], standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(call["tool"], **call["arguments"])
    assert not answer.is_error
    if answer.jpeg is not None:
        return
    told = answer.structure
    lists = (
        *("objects", "terms", "images", "sample_objects", "related", "dates"),
        *("items", "subjects", "collections", "passages", "resource_links"),
        *("lists", "citations"),
    )
    assert any(told.get(name) for name in lists)
    assert not told.get("failed"), "every id of it is cited"
    assert all(one["state"] == "answered" and one["total"] for one in told.get("lists", []))
    if call["tool"] == "heritage_verify":
        assert {one["verdict"] for one in told["items"]} == {"exists"}


@every_guide
def test_there_are_at_least_five_recipes_and_each_has_a_call(guide: Guide) -> None:
    recipes = re.split(r"\n\d\. \*\*", guide.text)[1:]
    assert re.findall(r"\n(\d)\. \*\*", guide.text) == [str(n + 1) for n in range(len(recipes))]
    assert len(recipes) in range(5, 9)
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


async def served(client: Client[Any]) -> dict[str, str]:
    """The guides that a server has, by name."""
    found: dict[str, str] = {}
    for resource in await client.list_resources():
        name, _, file = str(resource.uri).removeprefix("skill://").partition("/")
        if file == "SKILL.md":
            (content,) = await client.read_resource(resource.uri)
            found[name] = getattr(content, "text", "")
    return found


HOUSES = {"libofcongress-guide", "smithsonian-guide"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ({}, HOUSES | {"heritage-guide"}),
        ({"HERITAGE_TOOLS": "contract"}, HOUSES),
        ({"HERITAGE_PROVIDERS": "loc"}, {"libofcongress-guide"}),
        (
            {"HERITAGE_PROVIDERS": "smithsonian", "HERITAGE_TOOLS": "contract"},
            {"smithsonian-guide"},
        ),
        ({"HERITAGE_DISABLE_TOOLS": ",".join(ABOVE)}, HOUSES),
        *(({"HERITAGE_DISABLE_TOOLS": name}, HOUSES | {"heritage-guide"}) for name in ABOVE),
        *(
            ({"HERITAGE_DISABLE_TOOLS": name}, HOUSES | {"heritage-guide"})
            for name in (
                *("smithsonian_search_objects", "smithsonian_get_media"),
                *("libofcongress_search", "libofcongress_search_newspapers"),
            )
        ),
    ],
    ids=lambda given: "+".join(sorted(given)),
)
async def test_neither_guides_nor_instructions_name_a_tool_that_is_not_served(
    environment: dict[str, str], names: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = set(Desk().tools)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    services = Services(GatewaySettings.read())
    async with Client(build(load(services), services)) as client:
        tools = {tool.name for tool in await client.list_tools()}
        guides = await served(client)
        assert set(guides) == names
        told = str(client.instructions)
        assert set(re.findall(r"skill://([^/]+)/SKILL.md", told)) == names
        for text in (*guides.values(), told):
            assert set(TOOL.findall(text)) & everything <= tools
        assert set(TOOL.findall(told)) & set(ABOVE) == tools & set(ABOVE)
        for text in guides.values():
            assert re.findall(r"\n(\d)\. \*\*", text)[0] == "1"
