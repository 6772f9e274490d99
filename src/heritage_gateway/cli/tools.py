"""`tools`: what is served, as a table or as the schemas."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

from heritage_gateway.cli.house import opened
from heritage_gateway.settings import GatewaySettings
from heritage_gateway.tool import AnyTool


def add_to(commands: Any) -> None:
    parser = commands.add_parser("tools", help="list the tools that are served")
    parser.add_argument("--json", action="store_true", help="names, descriptions and schemas")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    tools = asyncio.run(_tools(settings))
    if arguments.json:
        print(json.dumps([_described(tool) for tool in tools], indent=2))
    for tool in () if arguments.json else tools:
        print(f"{tool.name}\n    {tool.description.split(chr(10), 1)[0]}")
    return 0


async def _tools(settings: GatewaySettings) -> list[AnyTool]:
    async with opened(settings) as place:
        return list(place.tools.values())


def _described(tool: AnyTool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
    }
