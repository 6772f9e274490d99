"""Coverage-guided fuzzing of every tool's arguments through the border.

    PYTHONPATH=tests python tests/faults/fuzz_border.py -runs=20000

Ends with a traceback and a file of the bytes that did it, if any input makes a tool crash.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

import atheris

os.environ["HERITAGE_RATE_LIMITS"] = "off"  # nothing is sent, so nothing is paced
for host in ("SMITHSONIAN_BASE_URL", "LOC_BASE_URL", "LOC_TILE_URL", "LOC_ID_URL"):
    os.environ[host] = "http://127.0.0.1:9"

with atheris.instrument_imports(
    include=["heritage_gateway", "heritage_smithsonian", "heritage_loc"]
):
    import httpx

    from desk import Desk


def nowhere(_request: httpx.Request) -> httpx.Response:
    return httpx.Response(500)


LOOP = asyncio.new_event_loop()
DESK = Desk(transport=httpx.MockTransport(nowhere))
TOOLS = sorted(DESK.tools)
ARGUMENTS = {name: sorted(tool.input.model_fields) for name, tool in DESK.tools.items()}


def one_input(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    name = provider.PickValueInList(TOOLS)
    arguments: dict[str, object] = {}
    for _ in range(provider.ConsumeIntInRange(0, 5)):
        key = provider.PickValueInList(ARGUMENTS[name])
        text = provider.ConsumeUnicode(60)
        try:
            arguments[key] = json.loads(text) if provider.ConsumeBool() else text
        except (ValueError, RecursionError):
            arguments[key] = text
    answer = LOOP.run_until_complete(DESK.border.call(DESK.tools[name], arguments))
    if answer.reason == "internal":
        raise AssertionError((name, arguments))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
