"""The main job on real input: a real client searches and fetches, over stdio and over HTTP."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

import pytest
from fastmcp import Client
from fastmcp.client.client import CallToolResult
from fastmcp.client.transports import StdioTransport
from mcp_types import TextContent

from conftest import Standin
from desk import Desk
from heritage_smithsonian.settings import SIGN_UP

pytestmark = pytest.mark.standin

SCRIPT = Path(sys.executable).parent / "heritage-gateway"
KEY = "q7Zk-a-key-nobody-may-see"
SEARCH, GET = "smithsonian_search_objects", "smithsonian_get_object"
PATIENCE = 30.0  # seconds after which a process that hangs is ended

Era = Literal["auto", "legacy"]
eras = pytest.mark.parametrize("era", ["auto", "legacy"])


def environment(base: str, **more: str) -> dict[str, str]:
    """What a client hands to a server: little, and nothing of the person who runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {
        "SMITHSONIAN_BASE_URL": f"{base}/si",
        "SMITHSONIAN_API_KEY": KEY,
        "HERITAGE_RATE_LIMITS": "off",
        "HERITAGE_CACHE_DIR": tempfile.mkdtemp(prefix="heritage-gateway-"),
        **more,
    }


def said(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def research(client: Client[Any]) -> None:
    """A search, then the whole record of what it found; both in text and in structure."""
    offered = {tool.name for tool in await client.list_tools()}
    assert {SEARCH, GET} <= offered
    found = await client.call_tool(SEARCH, {"query": "lockheed vega", "rows": 5})
    assert found.structured_content is not None
    row = found.structured_content["objects"][0]
    assert f"record_id {row['record_id']}" in said(found)
    record = await client.call_tool(GET, {"id": row["record_id"]})
    assert record.structured_content is not None
    assert record.structured_content["title"] == row["title"]
    assert said(record).startswith(f"# {row['title']}")
    refused = await client.call_tool(GET, {"id": "nasm_A0"}, raise_on_error=False)
    assert refused.is_error
    assert said(refused).startswith("Error (not_found):")


@pytest.mark.anyio
@eras
async def test_a_client_searches_and_fetches_over_stdio(
    era: Era, standin: Standin, tmp_path: Path
) -> None:
    with (tmp_path / "stderr").open("w+") as log:
        transport = StdioTransport(
            str(SCRIPT), [], env=environment(standin.base), keep_alive=False, log_file=log
        )
        async with Client(transport, mode=era) as client:
            await research(client)
        log.seek(0)
        assert log.read() == ""
    assert standin.requests == 2  # the record stood in the search; the third call found nothing


@pytest.fixture(scope="module")
def served(_standin_address: str) -> Iterator[str]:
    """The address of a server over HTTP; in the end all that it said at DEBUG is looked at."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    given = environment(_standin_address, HERITAGE_LOG_LEVEL="DEBUG")
    words = [str(SCRIPT), "serve", "--http", "--port", str(port)]
    process = subprocess.Popen(words, env=given, stderr=subprocess.PIPE, text=True)
    with ended(process):
        assert process.stderr is not None
        told: list[str] = []
        for line in process.stderr:
            told.append(line)
            if "Uvicorn running" in line:
                break
        reader = threading.Thread(target=told.extend, args=(process.stderr,))
        reader.start()
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()
        reader.join(PATIENCE)
    log = "".join(told)
    assert "api.si.edu api: 404" in log, "it does speak at DEBUG"
    assert KEY not in log


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Iterator[subprocess.Popen[Any]]:
    """The process, which does not outlive the test even where it hangs."""
    guard = threading.Timer(PATIENCE, process.kill)
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        process.terminate()
        process.wait(PATIENCE)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@pytest.mark.anyio
@eras
async def test_a_client_searches_and_fetches_over_http(
    era: Era, served: str, standin: Standin
) -> None:
    async with Client(served, mode=era) as client:
        await research(client)


# -- the wire itself -------------------------------------------------------------------------------


def message(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


HELLO = message(
    1,
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
)
READY = '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'


def answered(stream: IO[str], number: int) -> dict[str, Any]:
    """The answer with this number; everything before it must be protocol too."""
    while line := stream.readline():
        heard: dict[str, Any] = json.loads(line)
        assert heard["jsonrpc"] == "2.0"
        if heard.get("id") == number:
            return heard
    raise AssertionError("the server fell silent")


def test_stdout_is_protocol_alone_and_stderr_holds_no_key_at_debug(
    standin: Standin, tmp_path: Path
) -> None:
    """The key comes as people paste it, with blanks and a line end; the stand-in refuses such."""
    given = environment(
        standin.base, HERITAGE_LOG_LEVEL="DEBUG", SMITHSONIAN_API_KEY=f"  {KEY}\r\n"
    )
    with (tmp_path / "stderr").open("w+") as log:
        process = subprocess.Popen(
            [SCRIPT],
            env=given,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        with ended(process):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(HELLO + READY)
            process.stdin.write(
                message(2, "tools/call", name=SEARCH, arguments={"query": "panda", "rows": 1})
            )
            process.stdin.flush()
            assert answered(process.stdout, 1)["result"]["serverInfo"]["name"] == "heritage-gateway"
            assert answered(process.stdout, 2)["result"]["structuredContent"]["total_count"] > 0
            standin.fault("500", host="si")
            process.stdin.write(
                message(3, "tools/call", name=GET, arguments={"id": "nasm_A19700102000"})
            )
            process.stdin.flush()
            assert answered(process.stdout, 3)["result"]["isError"] is True
            standin.fault("slow:3", host="si")
            process.stdin.write(message(4, "tools/call", name=SEARCH, arguments={"query": "vega"}))
            process.stdin.close()  # in the middle of a call
            closed = time.monotonic()
            assert process.wait(PATIENCE) == 0
            assert time.monotonic() - closed < 2.5
            for line in process.stdout:
                assert json.loads(line)["jsonrpc"] == "2.0"
        log.seek(0)
        told = log.read()
    assert "api.si.edu api: 200" in told, "it does speak at DEBUG"
    assert not re.search(KEY, told, re.IGNORECASE)
    assert "X-Api-Key" not in told


# -- without a key ---------------------------------------------------------------------------------


def call(base: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    given = environment(base, **more)
    return subprocess.run(
        [SCRIPT, "call", *words],
        env={name: value for name, value in given.items() if value},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_without_a_key_the_first_call_works(standin: Standin) -> None:
    told = call(standin.base, SEARCH, "query=hokusai", SMITHSONIAN_API_KEY="")
    assert (told.returncode, told.stderr) == (0, "")
    assert "Thunder god" in told.stdout
    assert standin.get("stats")["hosts"]["si"]["headers"]["x-api-key"] == {"present": 1}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("error-in-200:API_KEY_MISSING", "api_key_missing"),
        ("error-in-200:API_KEY_INVALID", "api_key_invalid"),
        ("error-in-200:OVER_RATE_LIMIT", "rate_limit_exceeded"),
        ("429", "rate_limit_exceeded"),
    ],
)
async def test_each_error_that_a_missing_key_causes_says_how_to_get_one(
    kind: str, reason: str, standin: Standin
) -> None:
    standin.fault(kind, host="si")
    async with Desk() as desk:
        first = await desk.call(SEARCH, query="panda")
        again = await desk.call(SEARCH, query="panda")
    assert first.reason == reason
    for answer in (first, *([again] if again.is_error else [])):
        hint = answer.structure["error"]["data"]["recovery"]["hint"]
        assert hint.count(SIGN_UP) == 1
        assert hint in answer.text
        assert f"Get a free key at {SIGN_UP} and set SMITHSONIAN_API_KEY." in hint


@pytest.mark.anyio
async def test_the_quota_of_demo_key_is_its_own_and_low(standin: Standin) -> None:
    """The pace keeps below the published 30 an hour, and what the host still offers steers it."""
    standin.post("settings", {"demo_limit": 2})
    try:
        async with Desk() as desk:
            for query in ("panda", "hokusai"):
                assert not (await desk.call(SEARCH, query=query)).is_error
            refused = await desk.call(SEARCH, query="vega")
    finally:
        standin.post("settings", {"demo_limit": 0})
    assert refused.reason == "rate_limit_exceeded"
    assert "DEMO_KEY" in refused.text
    assert "about 30 requests an hour" in refused.text
