"""`demo`: a short research session through the real server, on recorded or live answers."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from heritage_gateway.cli.serve import quiet_fastmcp
from heritage_gateway.errors import MEANINGS, Reason
from heritage_gateway.http import RecordedTransport
from heritage_gateway.plugin import Demo, Services
from heritage_gateway.registry import House, load
from heritage_gateway.settings import GatewaySettings

# After those of the providers, so that what they fetched costs nothing to cite.
ABOVE = Demo(
    recording=Path(__file__).parents[1] / "demo" / "answers.json",
    calls=(
        ("heritage_search", {"query": "america", "rows": 1}),
        ("heritage_cite", {"ids": ["nasm_A19670093000", "lomaxbib000097"], "style": "apa"}),
    ),
)

_ANSWERS = {MEANINGS[reason].code for reason in (Reason.NOT_FOUND, Reason.INVALID_INPUT)}


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "demo", help="show a short session as an agent sees it; needs no key and no network"
    )
    parser.add_argument("--live", action="store_true", help="ask the live services instead")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    # What is recorded is shown whole, whatever tools, providers or sizes are set for serving.
    shown = settings if arguments.live else GatewaySettings.model_construct()
    return asyncio.run(_show(shown, live=arguments.live))


async def _show(settings: GatewaySettings, *, live: bool) -> int:
    recorded = RecordedTransport()
    services = Services.shared(settings) if live else Services(settings, transport=recorded)
    house = load(services)
    if not live:
        for demo in _demos(house):
            recorded.add_file(demo.recording)
    quiet_fastmcp(settings)
    _say(
        "heritage-gateway: a short session, as an agent sees it "
        + ("(live services)." if live else "(recorded answers; --live asks the live services).")
    )
    return await _session(house, services)


async def _session(house: House, services: Services) -> int:
    """1 if upstream gave no answer to some call; a request that is refused with a hint is one."""
    from fastmcp import Client  # noqa: PLC0415 - only what serves pays for fastmcp

    from heritage_gateway.server import build  # noqa: PLC0415

    failed = 0
    async with Client(build(house, services)) as client:
        served = {tool.name for tool in await client.list_tools()}
        for demo in _demos(house):
            for name, arguments in demo.calls:
                if name not in served:
                    continue
                _say(f"\n> {name} {json.dumps(arguments, ensure_ascii=False)}\n")
                result = await client.call_tool(name, arguments, raise_on_error=False)
                _say("\n".join(getattr(part, "text", "") for part in result.content))
                failed += result.is_error and not _is_answer(result.structured_content)
    return 1 if failed else 0


def _is_answer(structure: dict[str, Any] | None) -> bool:
    reason = Reason((structure or {})["error"]["data"]["reason"])
    return MEANINGS[reason].code in _ANSWERS


def _demos(house: House) -> list[Demo]:
    return [*(provider.demo for provider in house.providers if provider.demo is not None), ABOVE]


def _say(text: str) -> None:
    """UTF-8 whatever the console says, since titles come in any script."""
    sys.stdout.buffer.write(f"{text}\n".encode(errors="replace"))
    sys.stdout.buffer.flush()
