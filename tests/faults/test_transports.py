"""The same faults through a real client, over stdio and over HTTP: the outcome is the border's."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.utilities.tests import asgi_server

from faults.silence import denies, tells_nothing
from faults.table import CALLS, FAULTS, Fault
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings

pytestmark = [pytest.mark.anyio, pytest.mark.heavy, pytest.mark.standin]
Standin = Any


@asynccontextmanager
async def connected(transport: Literal["stdio", "http"], log: Path) -> AsyncGenerator[Client[Any]]:
    if transport == "stdio":
        command = str(Path(sys.executable).with_name("heritage-gateway"))
        with log.open("w") as stderr:
            spawned = StdioTransport(
                command, ["serve"], env=dict(os.environ), keep_alive=False, log_file=stderr
            )
            async with Client(spawned) as client:
                yield client
        return
    services = Services.shared(GatewaySettings.read())
    server = build(load(services), services)
    async with (
        asgi_server(server, stateless_http=True, host_origin_protection=True) as running,
        running.client() as client,
    ):
        yield client


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("fault", FAULTS, ids=[fault.kind for fault in FAULTS])
async def test_a_fault_is_told_the_same_over_every_transport(
    transport: Literal["stdio", "http"], fault: Fault, standin: Standin, tmp_path: Path
) -> None:
    for host in ("si", "loc", "tile", "id"):
        standin.fault(fault.kind, host=host, times=-1)
    log = tmp_path / "stderr"
    async with connected(transport, log) as client:
        results = await asyncio.gather(
            *(client.call_tool(tool, given, raise_on_error=False) for tool, given in CALLS.items())
        )
        for tool, result in zip(CALLS, results, strict=True):
            told = result.structured_content or {}  # a picture comes without
            if result.is_error:
                assert told["error"]["data"]["reason"] in fault.reasons, (tool, result.content)
            elif fault.reasons:
                assert tells_nothing(told) or (fault.denies and denies(told)), (tool, told)
        standin.post("reset")
        if not fault.rests:
            after = await client.call_tool(
                "smithsonian_search_objects", {"query": "after"}, raise_on_error=False
            )
            assert after.structured_content is not None
            assert after.structured_content.get("error", {}).get("data", {}).get("reason") in {
                None,
                "no_results",
            }
    assert not log.exists() or "Traceback" not in log.read_text()
