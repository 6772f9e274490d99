"""The server as a client sees it, over both protocol eras."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from fastmcp import Client
from fastmcp.client.client import CallToolResult
from fastmcp.utilities.tests import asgi_server
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from core.stranger import plugin
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House
from heritage_gateway.server import Gateway, build
from heritage_gateway.settings import GatewaySettings

pytestmark = pytest.mark.anyio


def served(**settings: Any) -> Gateway:
    services = Services(GatewaySettings(**settings))
    house = House(
        (plugin(services),),
        {"broken": "broken could not be loaded."},
        disabled=services.settings.disable_tools,
    )
    return build(house, services)


@asynccontextmanager
async def client(
    mode: Literal["auto", "legacy"] = "auto", **settings: Any
) -> AsyncGenerator[Client[Any]]:
    async with Client(served(**settings), mode=mode) as connected:
        yield connected


def said(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def reason(result: CallToolResult) -> str:
    assert result.is_error
    assert result.structured_content is not None
    return str(result.structured_content["error"]["data"]["reason"])


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Literal["auto", "legacy"]:
    era: Literal["auto", "legacy"] = request.param
    return era


async def test_an_answer_comes_as_text_and_as_structure(mode: Literal["auto", "legacy"]) -> None:
    async with client(mode) as connected:
        result = await connected.call_tool("stranger_greet", {"name": "Ada"})
        assert result.structured_content == {"greeting": "Good day, Ada"}
        assert said(result) == "# Good day, Ada"


async def test_a_failure_comes_with_its_envelope(mode: Literal["auto", "legacy"]) -> None:
    async with client(mode) as connected:
        result = await connected.call_tool(
            "stranger_greet", {"name": "nobody"}, raise_on_error=False
        )
        assert reason(result) == "not_found"
        assert said(result).startswith("Error (not_found): Nobody is here.")


async def test_bad_arguments_come_as_an_envelope_too(mode: Literal["auto", "legacy"]) -> None:
    async with client(mode) as connected:
        result = await connected.call_tool("stranger_greet", {"nane": "Ada"}, raise_on_error=False)
        assert reason(result) == "invalid_input"
        assert "did you mean `name`?" in said(result)


async def test_an_unknown_tool_is_a_protocol_error(mode: Literal["auto", "legacy"]) -> None:
    async with client(mode) as connected:
        with pytest.raises(MCPError) as caught:
            await connected.call_tool("stranger_gret", {"name": "Ada"})
        assert caught.value.error.code == -32602


async def test_tools_are_read_only_and_carry_our_schemas() -> None:
    async with client() as connected:
        (tool,) = await connected.list_tools()
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        assert tool.annotations.open_world_hint
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert "anyOf" in tool.output_schema


async def test_output_schemas_can_be_left_out_of_the_list() -> None:
    async with client(output_schemas="off") as connected:
        (tool,) = await connected.list_tools()
        assert tool.output_schema is None
        result = await connected.call_tool("stranger_greet", {"name": "Ada"})
        assert result.structured_content == {"greeting": "Good day, Ada"}


async def test_a_tool_can_be_switched_off() -> None:
    async with client(disable_tools=("stranger_greet",)) as connected:
        assert await connected.list_tools() == []


async def test_the_instructions_say_which_provider_is_missing() -> None:
    assert "Not available now: broken could not be loaded." in str(served().instructions)


async def test_http_serves_the_same_and_guards_its_host() -> None:
    async with asgi_server(served(), stateless_http=True, host_origin_protection=True) as running:
        async with running.client() as connected:
            result = await connected.call_tool("stranger_greet", {"name": "Ada"})
            assert result.structured_content == {"greeting": "Good day, Ada"}
        async with running.http_client() as http:
            health = await http.get("/health")
            assert health.json()["status"] == "ok"
            foreign = await http.post("/mcp", headers={"Host": "evil.example"}, json={})
            assert foreign.status_code == 421
            origin = await http.post("/mcp", headers={"Origin": "https://evil.example"}, json={})
            assert origin.status_code == 403


async def test_the_private_part_of_the_library_that_we_replace_is_still_there() -> None:
    """When this fails, look again at `Gateway._state_store` before the pin is moved."""
    import fastmcp

    assert fastmcp.__version__.startswith("4.2.")
    assert "_state_store" in vars(fastmcp.FastMCP("x")) or hasattr(fastmcp.FastMCP, "_state_store")
