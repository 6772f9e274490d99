"""Each configuration block of README.md starts a server that a real MCP client can use.

The command in the blocks is that of a clone set up as README.md says; here it is replaced by the console
script of the environment that runs the tests, which is the same script.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from desk import Desk
from docs.blocks import Block, blocks

DOCUMENTED = "/path/to/heritage-gateway/.venv/bin/heritage-gateway"
SCRIPT = Path(sys.executable).parent / "heritage-gateway"
CLIENTS = ("Claude Desktop", "Claude Code", "Cursor", "VS Code")


@dataclass(frozen=True)
class Start:
    """What a client would start: a command, its arguments and its environment."""

    client: str
    form: str
    command: str
    arguments: list[str]
    environment: dict[str, str] = field(default_factory=dict[str, str])


def starts() -> list[Start]:
    found: list[Start] = []
    for block in blocks():
        if block.heading in CLIENTS:
            found += _of_shell(block) if block.language == "sh" else _of_json(block)
    return found


def _of_json(block: Block) -> list[Start]:
    config: dict[str, Any] = json.loads(block.text)
    form = "servers" if block.heading == "VS Code" else "mcpServers"
    asked = {f"${{input:{one['id']}}}": "" for one in config.pop("inputs", [])}
    assert list(config) == [form]
    return [
        Start(
            block.heading,
            form,
            server["command"],
            server.get("args", []),
            {name: _expanded(value, asked) for name, value in server.get("env", {}).items()},
        )
        for server in config[form].values()
    ]


def _expanded(value: str, asked: dict[str, str]) -> str:
    """Values as the client passes them: prompts answered with Enter, variables that are not set."""
    for name, answer in asked.items():
        value = value.replace(name, answer)
    return re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", value)


def _of_shell(block: Block) -> list[Start]:
    return [_added(block, shlex.split(command)) for command in block.commands]


def _added(block: Block, words: list[str]) -> Start:
    """`claude mcp add [options] NAME -- COMMAND [ARGUMENT...]`."""
    assert words[:3] == ["claude", "mcp", "add"]
    split = words.index("--")
    options, command = words[3:split], words[split + 1 :]
    pairs = [options[at + 1] for at, word in enumerate(options) if word == "--env"]
    assert options[-1] == "heritage"
    return Start(
        block.heading,
        "claude mcp add",
        command[0],
        command[1:],
        dict(pair.split("=", 1) for pair in pairs),
    )


def test_every_client_has_its_block() -> None:
    assert {start.client for start in starts()} == set(CLIENTS)
    assert [start.form for start in starts() if start.client == "Claude Code"] == [
        "claude mcp add",
        "claude mcp add",
        "mcpServers",
    ]


_LISTED: dict[str, set[str]] = {}


async def listed(start: Start) -> set[str]:
    """The tools of the server that a block starts; blocks that start the same share one start."""
    same = json.dumps([start.command, start.arguments, start.environment], sort_keys=True)
    if same not in _LISTED:
        transport = StdioTransport(
            str(SCRIPT), start.arguments, env=start.environment, keep_alive=False
        )
        async with Client(transport) as client:
            _LISTED[same] = {tool.name for tool in await client.list_tools()}
    return _LISTED[same]


@pytest.mark.anyio
@pytest.mark.parametrize("start", starts(), ids=lambda start: f"{start.client}, {start.form}")
async def test_a_block_starts_a_server_that_lists_its_tools(start: Start) -> None:
    assert start.command == DOCUMENTED
    assert all("$" not in value for value in start.environment.values())
    assert await listed(start) == set(Desk().tools)
