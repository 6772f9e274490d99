"""`call`: one tool call from the shell, through the very border that serves agents."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, cast

from heritage_gateway.cli.house import opened
from heritage_gateway.settings import GatewaySettings

_USAGE = 2


def add_to(commands: Any) -> None:
    parser = commands.add_parser("call", help="call one tool: call TOOL key=value ...")
    parser.add_argument("tool", metavar="TOOL")
    parser.add_argument(
        "pairs", nargs="*", metavar="key=value", help="filters.unit_code=NASM for nested keys"
    )
    parser.add_argument("--json", metavar="OBJECT", help="the arguments as one JSON object")
    parser.add_argument(
        "--structured", action="store_true", help="print the structured answer instead of the text"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    try:
        given = collected(arguments.pairs, arguments.json)
    except ValueError as error:
        print(f"heritage-gateway: {error}", file=sys.stderr)
        return _USAGE
    return asyncio.run(_call(arguments.tool, given, settings, structured=arguments.structured))


async def _call(
    name: str, given: dict[str, Any], settings: GatewaySettings, *, structured: bool
) -> int:
    async with opened(settings) as place:
        tool = place.tools.get(name)
        if tool is None:
            nearest = get_close_matches(name, list(place.tools), n=1, cutoff=0.3)
            offer = f" Did you mean {nearest[0]}?" if nearest else ""
            print(f"heritage-gateway: no tool is called {name!a}.{offer}", file=sys.stderr)
            return _USAGE
        answer = await place.border.call(tool, given)
    shown = (
        json.dumps(answer.structure, indent=2, ensure_ascii=False) if structured else answer.text
    )
    sys.stdout.buffer.write(f"{shown}\n".encode(errors="replace"))
    return 1 if answer.is_error else 0


def collected(pairs: Sequence[str], text: str | None) -> dict[str, Any]:
    """Arguments from `key=value` words and a JSON object. Raises ValueError in one sentence."""
    try:
        given: Any = json.loads(text) if text else {}
    except ValueError:
        raise ValueError("--json is not a JSON object.") from None
    if not isinstance(given, dict):
        raise ValueError("--json is not a JSON object.")
    for pair in pairs:
        path, sign, value = pair.partition("=")
        if not sign or not path:
            raise ValueError(f"{pair!a} is not of the form key=value.")
        *outer, last = path.split(".")
        place = cast(dict[str, Any], given)
        for name in outer:
            inner = place.setdefault(name, {})
            if not isinstance(inner, dict):
                raise ValueError(f"{path!a} names a key inside a plain value.")
            place = cast(dict[str, Any], inner)
        place[last] = value
    return cast(dict[str, Any], given)
