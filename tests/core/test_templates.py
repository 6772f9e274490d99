"""Templates with a reserved variable: many segments in one, and nothing beyond what was there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from fastmcp import Client, FastMCP
from fastmcp.server.providers import LocalProvider
from mcp.shared.exceptions import MCPError

from heritage_gateway.templates import ReservedTemplate, skills_template

pytestmark = pytest.mark.anyio

Era = Literal["auto", "legacy"]
eras = pytest.mark.parametrize("era", ["auto", "legacy"])


@asynccontextmanager
async def client(template: ReservedTemplate, era: Era) -> AsyncGenerator[Client[Any]]:
    server = FastMCP[Any]("t", mask_error_details=True)
    room = LocalProvider()
    room.add_template(template)
    server.add_provider(room)
    async with Client(server, mode=era) as connected:
        yield connected


async def read(connected: Client[Any], uri: str) -> str:
    (content,) = await connected.read_resource(uri)
    return str(content.text)  # type: ignore[union-attr]


GUIDES = {"one": {"SKILL.md": "one", "deep/er/more.md": "déeper"}}


@eras
async def test_a_file_is_read_by_its_path_however_deep(era: Era) -> None:
    async with client(skills_template(GUIDES), era) as connected:
        (listed,) = await connected.list_resource_templates()
        assert listed.uri_template == "skill://{+path}"
        assert await read(connected, "skill://one/SKILL.md") == "one"
        assert await read(connected, "skill://one/deep/er/more.md") == "déeper"


@eras
@pytest.mark.parametrize(
    "uri",
    [
        "skill://one/OTHER.md",
        "skill://one",
        "skill://one/../../secret.md",
        "skill://../secret.md",
        "skill://one/%2e%2e/%2e%2e/secret.md",
        "skill://%2Fetc/passwd",
    ],
)
async def test_what_is_not_there_is_a_protocol_error_that_names_the_address(
    uri: str, era: Era
) -> None:
    async with client(skills_template(GUIDES), era) as connected:
        with pytest.raises(MCPError) as caught:
            await connected.read_resource(uri)
    assert caught.value.error.code == -32602
    assert "uri" in caught.value.error.data


async def test_a_value_comes_decoded_with_its_slashes() -> None:
    heard: list[str] = []

    async def keep(value: str) -> str:
        heard.append(value)
        return value

    template = ReservedTemplate.make(
        "x://item/{+item_id}", keep, name="item", description="An item.", mime="text/plain"
    )
    async with client(template, "auto") as connected:
        for uri in ("x://item/a/b/c", "x://item/a%2Fb/c%20d"):
            await connected.read_resource(uri)
    assert heard == ["a/b/c", "a/b/c d"]


def test_a_template_without_a_reserved_variable_is_refused() -> None:
    async def never(_value: str) -> str:
        raise AssertionError

    with pytest.raises(ValueError, match="no reserved variable"):
        ReservedTemplate.make("x://{item}", never, name="x", description="x", mime="text/plain")
