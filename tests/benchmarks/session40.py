"""What a research session of forty calls costs: upstream requests by host, and tokens of the answers.

    python tests/benchmarks/session40.py [--twice]

Plays the calls of ../shared/benchmarks/session40.json through the real server, in memory, against the
stand-in, and prints a line a call. With --twice the session is played again on the same server.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastmcp import Client
from mcp_types import TextContent

from heritage_gateway.budget import tokens
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings

SESSION = Path(__file__).parents[3] / "shared" / "benchmarks" / "session40.json"
HOSTS = {
    "SMITHSONIAN_BASE_URL": "si",
    "SMITHSONIAN_IDS_URL": "ids",
    "SMITHSONIAN_BULK_URL": "s3",
    "LOC_BASE_URL": "loc",
    "LOC_TILE_URL": "tile",
    "LOC_ID_URL": "id",
}


@dataclass
class Played:
    """One call: what it was, what it cost upstream, and how large its answer is."""

    tool: str
    arguments: dict[str, Any]
    requests: Counter[str]
    tokens: float
    reason: str | None
    structure: dict[str, Any] = field(repr=False)


def calls() -> list[tuple[str, dict[str, Any]]]:
    return [(tool, given) for tool, given in json.loads(SESSION.read_text("utf-8"))["calls"]]


def filled(given: Any, played: Sequence[Mapping[str, Any] | None]) -> Any:
    """Arguments with `{"$": [n, path...]}` replaced by a value of the answer to call n."""
    if isinstance(given, dict) and set(given) == {"$"}:
        number, *path = given["$"]
        value: Any = played[number]
        for step in path:
            if step == "first_item":
                value = next(entry for entry in value if entry["is_item"])
            else:
                value = value[step]
        return value
    if isinstance(given, dict):
        return {name: filled(value, played) for name, value in given.items()}
    return given


def seen(base: str) -> Counter[str]:
    """Requests by host since the stand-in's last reset."""
    with urllib.request.urlopen(f"{base}/_standin/stats") as answer:
        told = json.loads(answer.read())["hosts"]
    return Counter({host: sum(found["status"].values()) for host, found in told.items()})


async def play(base: str, provider: str = "", *, rounds: int = 1) -> list[list[Played]]:
    """The session, `rounds` times on one server; of one provider alone where its prefix is given.

    The settings of this process must point to the stand-in at `base`.
    """
    services = Services(GatewaySettings.read())
    told: list[list[Played]] = []
    async with Client(build(load(services), services)) as client:
        for _ in range(rounds):
            answers: list[Mapping[str, Any] | None] = []
            told.append([])
            for tool, given in calls():
                if not tool.startswith(provider):
                    answers.append(None)
                    continue
                arguments = filled(given, answers)
                before = seen(base)
                result = await client.call_tool(tool, arguments, raise_on_error=False)
                structure = result.structured_content or {}
                text = "".join(b.text for b in result.content if isinstance(b, TextContent))
                reason = structure["error"]["data"]["reason"] if result.is_error else None
                told[-1].append(
                    Played(
                        tool,
                        arguments,
                        seen(base) - before,
                        tokens(text, structure),
                        reason,
                        structure,
                    )
                )
                answers.append(structure)
    return told


def requests(played: Sequence[Played]) -> Counter[str]:
    return sum((one.requests for one in played), Counter[str]())


def lines(played: Sequence[Played]) -> Iterator[str]:
    for number, one in enumerate(played):
        sent = " ".join(f"{host} {count}" for host, count in sorted(one.requests.items())) or "-"
        said = f" {one.reason}" if one.reason else ""
        yield f"{number:2} {one.tool:32} {sent:12} {one.tokens:8,.0f}{said}"
    sent = " ".join(f"{host} {count}" for host, count in sorted(requests(played).items())) or "none"
    yield f"requests: {sent}; tokens: {sum(one.tokens for one in played):,.0f}"


def main() -> None:
    sys.path.insert(0, str(SESSION.parents[1]))
    from standin import create_app, running

    with running(create_app()) as base:
        for variable, path in HOSTS.items():
            os.environ[variable] = f"{base}/{path}"
        os.environ["HERITAGE_RATE_LIMITS"] = "off"
        for played in asyncio.run(play(base, rounds=2 if "--twice" in sys.argv else 1)):
            print("\n".join(lines(played)))


if __name__ == "__main__":
    main()
