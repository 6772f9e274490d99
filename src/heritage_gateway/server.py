"""The MCP server: what is served, in which order, is read in `build`."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

from fastmcp import FastMCP
from fastmcp.exceptions import NotFoundError
from fastmcp.server.dependencies import get_context
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.server.providers import LocalProvider
from fastmcp.server.providers import Provider as FastMCPProvider
from fastmcp.skills import Skill
from fastmcp.skills.provider import SkillCatalogProvider
from fastmcp.tools import Tool as FastMCPTool
from fastmcp.tools.base import ToolResult
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    ImageContent,
    TextContent,
    ToolAnnotations,
)
from opentelemetry import trace
from pydantic import PrivateAttr
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from heritage_gateway import __version__
from heritage_gateway.federation import federated
from heritage_gateway.guides import above_told, guides, houses_told
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House
from heritage_gateway.status import status
from heritage_gateway.templates import provider_template, skills_template
from heritage_gateway.tool import Answer, AnyTool, Border

# Lists change only with a new start, but the status resource, which has the same hint, moves on.
_LIST_LIFETIME = 60
_FIRST_NOTE = 3.0  # seconds after which a waiting client hears of it, and again and again
_NOTES = 5.0
JPEG = "image/jpeg"
_READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=True)


class GatewayTool(FastMCPTool):
    """Our tool in FastMCP's clothes: the border decides everything, this only translates."""

    _tool: AnyTool = PrivateAttr()
    _border: Border = PrivateAttr()

    @classmethod
    def make(cls, tool: AnyTool, border: Border, *, with_output_schema: bool) -> Self:
        made = cls(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            parameters=tool.input_schema,
            output_schema=tool.output_schema if with_output_schema else None,
            annotations=_READ_ONLY,
            tags={tool.name.split("_", 1)[0]},
        )
        made._tool = tool
        made._border = border
        return made

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        noting = asyncio.create_task(_note_progress())
        try:
            return _result(await self._border.call(self._tool, arguments))
        finally:
            noting.cancel()


async def _note_progress() -> None:
    """Tell a client that waits for a limiter or a slow upstream, so that it does not give up."""
    waited = _FIRST_NOTE
    await asyncio.sleep(_FIRST_NOTE)
    with suppress(Exception):  # who does not listen any more misses nothing
        while True:
            told = f"waiting for the catalogue, {waited:.0f} s"
            await get_context().report_progress(waited, None, told)
            await asyncio.sleep(_NOTES)
            waited += _NOTES


def _result(answer: Answer) -> ToolResult:
    if answer.is_error:  # a returned error leaves the span unset otherwise
        trace.get_current_span().set_attribute("error.type", str(answer.reason))
    text = TextContent(type="text", text=answer.text)
    if answer.jpeg is not None:
        data = b64encode(answer.jpeg).decode("ascii")
        return ToolResult(content=[text, ImageContent(type="image", data=data, mime_type=JPEG)])
    return ToolResult(
        content=[text],
        structured_content=answer.structure,
        is_error=answer.is_error,
    )


class UnknownTool(Middleware):
    """The protocol wants JSON-RPC -32602 for an unknown tool; FastMCP answers a tool error."""

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        try:
            return await call_next(context)
        except NotFoundError:
            name = context.message.name
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {name}") from None


class _NoState:
    """We keep no session state; FastMCP's store would import a cache library on the first list."""

    async def get(self, key: str, **_: Any) -> None:
        return None

    async def put(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("session state is switched off")


class Gateway(FastMCP[Any]):
    """FastMCP without its session store: 100 ms and 6 MB less on the first tools/list.

    `_state_store` is private to FastMCP; a test pins what we know of it, and the dependency is
    held below the next minor release.
    """

    @property
    def _state_store(self) -> Any:
        return _NoState()


def build(house: House, services: Services, *, extra: Iterable[FastMCPProvider] = ()) -> Gateway:
    """The whole server. `extra` providers are for tests, such as conformance fixtures."""
    settings = services.settings
    border = Border(deadline=settings.call_deadline, budget=settings.answer_budget)
    above = federated(house, services)
    skills = guides(house, _names(house, above))

    @asynccontextmanager
    async def lifespan(_server: FastMCP[Any]) -> AsyncGenerator[dict[str, Any]]:
        try:
            yield {}
        finally:
            await services.aclose()

    server = Gateway(
        "heritage-gateway",
        version=__version__,
        instructions=instructions(house, above, skills),
        lifespan=lifespan,
        middleware=[UnknownTool()],
        on_duplicate="error",
        mask_error_details=True,
        cache_ttl=_LIST_LIFETIME,
        cache_scope="public",
    )
    shown = settings.output_schemas == "on"
    for provider in house.providers:
        room = _room(house.tools(provider), border, with_output_schemas=shown)
        for template in provider.templates:
            room.add_template(provider_template(template))
        server.add_provider(room)
    server.add_provider(_room(above, border, with_output_schemas=shown))
    if skills:
        catalog = {path: Skill.from_files(files) for path, files in skills.items()}
        server.add_provider(SkillCatalogProvider(catalog))
        templates = LocalProvider()
        templates.add_template(skills_template(skills))
        server.add_provider(templates)
    for other in extra:
        server.add_provider(other)

    state = LocalProvider()

    @state.resource(
        "heritage://status",
        name="status",
        description="Requests sent and free for each host, rests, kept answers: for planning.",
        mime_type="application/json",
    )
    async def standing() -> str:  # pyright: ignore[reportUnusedFunction]
        return json.dumps(await status(house, services), indent=1)

    server.add_provider(state)

    @server.custom_route("/health", methods=["GET"])
    async def health(_request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return JSONResponse({"status": "ok", "version": __version__})

    return server


def _room(tools: Iterable[AnyTool], border: Border, *, with_output_schemas: bool) -> LocalProvider:
    room = LocalProvider()
    for tool in tools:
        room.add_tool(GatewayTool.make(tool, border, with_output_schema=with_output_schemas))
    return room


def _names(house: House, above: Iterable[AnyTool]) -> set[str]:
    """All tools that are served."""
    own = (tool for provider in house.providers for tool in house.tools(provider))
    return {tool.name for tool in (*own, *above)}


def instructions(
    house: House, above: Iterable[AnyTool], skills: Mapping[str, Mapping[str, str]]
) -> str:
    """What an agent reads before the first call: the houses, and how answers are to be read."""
    parts = houses_told(house, _names(house, above))
    if told := above_told([tool.name for tool in above], skills):
        parts.append(told)
    parts += [f"Not available now: {sentence}" for sentence in house.failures.values()]
    parts.append(
        "An error never means that nothing exists: read its reason and hint. "
        "Totals are the catalogue's own; a notice names what an answer left out and the exact way to get it."
    )
    return "\n".join(parts)
