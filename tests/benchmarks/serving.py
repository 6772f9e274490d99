"""What serving costs, beside a bare server with one echo tool in the same run.

    python tests/benchmarks/serving.py

Prints medians over several spawns: seconds from spawn to the first tools/list, resident memory then,
and the time of a 20-row search over stdio with an upstream that answers at once. Then the same search
for a client that only writes and reads lines, once its rows are at hand: the best of many calls, and
the parts of it that are ours. Figures of a busy machine drift; the ratio to the bare server is what to
look at.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.lean import GATEWAY, per_call
from heritage_gateway.budget import tokens
from heritage_smithsonian.normalise import object_row
from heritage_smithsonian.tools.search_objects import Output, render

SEARCH = "smithsonian_search_objects"
SPAWNS = 5
CALLS = 200
BARE = """
from fastmcp import FastMCP
server = FastMCP("bare")
@server.tool
def echo(text: str) -> str:
    return text
server.run(transport="stdio", show_banner=False)
"""


def row(number: int) -> dict[str, Any]:
    """A record of ordinary size, about 3 kB, with an image."""
    name = f"nmah_{number}"
    files = "https://ids.si.edu/ids/download?id=" + name
    labels = ("High-resolution TIFF", "High-resolution JPEG", "Screen Image", "Thumbnail Image")
    image = {
        "type": "Images",
        "idsId": name,
        "content": f"https://ids.si.edu/ids/deliveryService?id={name}",
        "usage": {"access": "CC0"},
        "resources": [{"label": label, "url": f"{files}.{label[:4]}"} for label in labels],
    }
    notes = [{"label": "Description", "content": "A plain quilt in several colours. " * 40}]
    return {
        "id": f"ld1-{number}",
        "title": f"Quilt {number}",
        "unitCode": "NMAH",
        "type": "edanmdm",
        "url": f"edanmdm:{name}",
        "content": {
            "descriptiveNonRepeating": {
                "record_ID": name,
                "unit_code": "NMAH",
                "title": {"label": "Title", "content": f"Quilt {number}"},
                "data_source": "National Museum of American History",
                "record_link": f"https://americanhistory.si.edu/collections/{name}",
                "metadata_usage": {"access": "CC0"},
                "online_media": {"mediaCount": 1, "media": [image]},
            },
            "indexedStructured": {"object_type": ["Quilts"], "date": ["1920s"]},
            "freetext": {"notes": notes},
        },
    }


class Instant(BaseHTTPRequestHandler):
    """Answers every search with the same 20 rows."""

    body = json.dumps(
        {
            "status": 200,
            "responseCode": 1,
            "response": {"rows": [row(number) for number in range(20)], "rowCount": 500},
        }
    ).encode()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@contextmanager
def upstream() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Instant)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


@dataclass
class Spawn:
    """One start: seconds to the first tools/list, megabytes then, milliseconds a call."""

    listed: float
    memory: float
    call: float


async def spawn(command: str, *words: str, tool: str, env: dict[str, str]) -> Spawn:
    transport = StdioTransport(command, list(words), env={**os.environ, **env}, keep_alive=False)
    started = time.perf_counter()
    async with Client(transport) as client:
        await client.list_tools()
        listed = time.perf_counter() - started
        memory = resident(command, words)
        times: list[float] = []
        for number in range(CALLS):
            given = {"text": str(number)} if tool == "echo" else {"query": f"quilt {number}"}
            began = time.perf_counter()
            await client.call_tool(tool, given)
            times.append(time.perf_counter() - began)
    return Spawn(listed, memory, statistics.median(times) * 1000)


def resident(command: str, words: tuple[str, ...]) -> float:
    """Megabytes of the child that runs this command; 0 where /proc is absent."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            line = (status.parent / "cmdline").read_bytes().split(b"\0")
            facts = status.read_text()
        except OSError:
            continue
        if f"PPid:\t{os.getpid()}\n" in facts and words[-1].encode() in b" ".join(line):
            kilobytes = int(facts.split("VmRSS:")[1].split()[0])
            return kilobytes / 1024
    return 0.0


def lean(bare_file: Path, env: dict[str, str]) -> Iterator[str]:
    bare = (sys.executable, str(bare_file))
    (echo,) = per_call("echo", [{"text": "x"}], rounds=CALLS, env={}, command=bare)
    (call,) = per_call(SEARCH, [{"query": "quilt"}], rounds=CALLS, env=env)
    yield f"lean client, rows at hand: bare server {echo:.2f} ms, heritage-gateway {call:.2f} ms"
    records = [row(number) for number in range(20)]
    output = Output(objects=[object_row(record) for record in records], total_count=500)
    text, structure = render(output), output.structure()
    parts = {
        "normalise": best(lambda: [object_row(record) for record in records]),
        "text": best(lambda: render(output)),
        "structure": best(output.structure),
        "size": best(lambda: tokens(text, structure)),
    }
    yield "of it " + ", ".join(f"{name} {took:.2f} ms" for name, took in parts.items())


def best(work: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(CALLS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times) * 1000


async def main() -> None:
    with upstream() as address, tempfile.TemporaryDirectory() as folder:
        bare_file = Path(folder) / "bare.py"
        bare_file.write_text(BARE)
        env = {
            "SMITHSONIAN_BASE_URL": address,
            "HERITAGE_RATE_LIMITS": "off",
            "HERITAGE_CACHE": "memory",
        }
        bare: list[Spawn] = []
        ours: list[Spawn] = []
        for _ in range(SPAWNS):  # in turn, so that a drifting machine drifts for both
            bare.append(await spawn(sys.executable, str(bare_file), tool="echo", env={}))
            ours.append(await spawn(*GATEWAY, tool=SEARCH, env=env))
        told = list(lean(bare_file, env))
    for name, spawns in (("bare server, echo", bare), ("heritage-gateway, 20 rows", ours)):
        print(
            f"{name}: first tools/list {statistics.median(s.listed for s in spawns):.2f} s, "
            f"{statistics.median(s.memory for s in spawns):.0f} MB, "
            f"a call {statistics.median(s.call for s in spawns):.2f} ms"
        )
    print("\n".join(told))


if __name__ == "__main__":
    asyncio.run(main())
