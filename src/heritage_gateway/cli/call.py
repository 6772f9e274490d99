"""`call`: one tool call from the shell, through the very border that serves agents."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from heritage_gateway.cli.house import opened
from heritage_gateway.settings import GatewaySettings
from heritage_gateway.tool import Answer

_USAGE = 2


def add_to(commands: Any) -> None:
    parser = commands.add_parser("call", help="call one tool: call TOOL key=value ...")
    parser.add_argument("tool", metavar="TOOL")
    parser.add_argument(
        "pairs",
        nargs="*",
        metavar="key=value",
        help="filters.unit_code=NASM for nested keys; a key given again makes a list",
    )
    parser.add_argument("--json", metavar="OBJECT", help="the arguments as one JSON object")
    parser.add_argument(
        "--structured", action="store_true", help="print the structured answer instead of the text"
    )
    parser.add_argument("--save", metavar="FILE", help="write the picture of an answer to a file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    try:
        given = collected(arguments.pairs, arguments.json)
    except ValueError as error:
        print(f"heritage-gateway: {error}", file=sys.stderr)
        return _USAGE
    answer = asyncio.run(_call(arguments.tool, given, settings))
    if answer is None:
        return _USAGE
    shown = (
        json.dumps(answer.structure, indent=2, ensure_ascii=False)
        if arguments.structured and answer.jpeg is None
        else answer.text
    )
    sys.stdout.buffer.write(f"{shown}\n".encode(errors="replace"))
    sys.stdout.flush()
    return _saved(answer, arguments.save) if not answer.is_error else 1


def _saved(answer: Answer, path: str | None) -> int:
    """A shell shows no picture: it goes to a file, or the way to one is told."""
    if answer.jpeg is None:
        if path is None:
            return 0
        print("heritage-gateway: the answer holds no picture, so none was saved.", file=sys.stderr)
        return 1
    size = f"{len(answer.jpeg):,} bytes of JPEG"
    if path is None:
        print(f"heritage-gateway: the picture is {size}; --save FILE writes it.", file=sys.stderr)
        return 0
    try:
        Path(path).write_bytes(answer.jpeg)
    except OSError as error:
        told = error.strerror or type(error).__name__
        print(f"heritage-gateway: {path!a} cannot be written: {told}.", file=sys.stderr)
        return 1
    print(f"heritage-gateway: {size} were written to {path!a}.", file=sys.stderr)
    return 0


async def _call(name: str, given: dict[str, Any], settings: GatewaySettings) -> Answer | None:
    """None for a tool that there is not, of which it tells."""
    async with opened(settings) as place:
        tool = place.tools.get(name)
        if tool is None:
            nearest = get_close_matches(name, list(place.tools), n=1, cutoff=0.3)
            offer = f" Did you mean {nearest[0]}?" if nearest else ""
            print(f"heritage-gateway: no tool is called {name!a}.{offer}", file=sys.stderr)
            return None
        return await place.border.call(tool, given)


def collected(pairs: Sequence[str], text: str | None) -> dict[str, Any]:
    """Arguments from `key=value` words and a JSON object. Raises ValueError in one sentence."""
    try:
        given: Any = json.loads(text) if text else {}
    except ValueError:
        raise ValueError("--json is not a JSON object.") from None
    if not isinstance(given, dict):
        raise ValueError("--json is not a JSON object.")
    several: dict[str, list[str]] = {}
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
        values = several.setdefault(path, [])
        values.append(value)
        place[last] = values if len(values) > 1 else value
    return cast(dict[str, Any], given)
