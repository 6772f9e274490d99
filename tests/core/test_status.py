"""What an agent is told to plan with, and what a person may see and clear."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from mcp_types import TextResourceContents

from heritage_gateway.cli import main
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings

Standin = Any
SEARCH = ("call", "smithsonian_search_objects", "query=quilt", "rows=2")


async def status() -> dict[str, Any]:
    services = Services.shared(GatewaySettings.read())
    async with Client(build(load(services), services)) as client:
        await client.call_tool("smithsonian_search_objects", {"query": "quilt"})
        (content,) = await client.read_resource("heritage://status")
    assert isinstance(content, TextResourceContents)
    found: dict[str, Any] = json.loads(content.text)
    return found


@pytest.mark.anyio
@pytest.mark.standin
async def test_the_status_tells_what_was_sent_and_what_is_kept(standin: Standin) -> None:
    found = await status()
    hosts = {host["host"]: host for host in found["hosts"]}
    assert set(hosts) == {
        *("www.loc.gov", "tile.loc.gov", "id.loc.gov", "api.si.edu", "ids.si.edu"),
    }
    assert hosts["api.si.edu"]["requests_sent"] == 1
    assert hosts["www.loc.gov"]["requests_sent"] == 0
    assert hosts["api.si.edu"]["resting_until"] is None
    assert found["kept_answers"]["where"] == "disk"
    assert found["kept_answers"]["entries"] == 1


@pytest.mark.anyio
@pytest.mark.standin
async def test_the_status_tells_what_is_free_where_calls_are_paced(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_RATE_LIMITS", "on")
    hosts = {host["host"]: host for host in (await status())["hosts"]}
    assert hosts["api.si.edu"]["requests_free_now"] == 19, "DEMO_KEY has twenty at once"
    assert hosts["www.loc.gov"]["requests_free_now"] == 4


@pytest.mark.standin
def test_answers_outlive_the_command_and_can_be_cleared(
    standin: Standin, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(SEARCH) == 0
    assert main(SEARCH) == 0
    assert standin.requests == 1
    assert main(["cache", "status"]) == 0
    assert main(["cache", "clear"]) == 0
    told = capfdbinary.readouterr().out.decode()
    assert "1 answers, " in told
    assert "1 answers forgotten." in told
    assert main(SEARCH) == 0
    assert standin.requests == 2


@pytest.mark.standin
@pytest.mark.parametrize("where", ["memory", "off"])
def test_without_the_disk_nothing_is_left_behind(
    standin: Standin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str
) -> None:
    monkeypatch.setenv("HERITAGE_CACHE", where)
    main(SEARCH)
    main(SEARCH)
    assert standin.requests == 2
    assert not list(tmp_path.rglob("answers*"))


@pytest.mark.standin
def test_a_key_is_in_no_file_no_output_and_no_log(
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "SECRETSECRET")
    monkeypatch.setenv("HERITAGE_LOG_LEVEL", "DEBUG")
    caplog.set_level("DEBUG")
    for words in (SEARCH, ("doctor",), ("providers",), ("call", "smithsonian_get_object", "id=x")):
        main(words)
    standin.fault("429", host="si", times=1)
    main(("call", "smithsonian_search_objects", "query=panda"))
    out, err = capfdbinary.readouterr()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    for told in (out, err, caplog.text.encode(), *(path.read_bytes() for path in files)):
        assert b"SECRETSECRET" not in told


@pytest.mark.anyio
@pytest.mark.standin
async def test_a_client_that_waits_hears_of_it(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heritage_gateway.server._FIRST_NOTE", 0.05)
    monkeypatch.setattr("heritage_gateway.server._NOTES", 0.05)
    standin.fault("slow:0.4", host="si", times=1)
    heard: list[str | None] = []

    async def hear(_progress: float, _total: float | None, message: str | None) -> None:
        heard.append(message)

    services = Services(GatewaySettings.read())
    async with Client(build(load(services), services)) as client:
        await client.call_tool(
            "smithsonian_search_objects", {"query": "quilt"}, progress_handler=hear
        )
    assert heard
    assert "waiting for the catalogue" in str(heard[0])


@pytest.mark.standin
def test_titles_in_any_script_come_through_a_console_that_knows_few(
    standin: Standin, tmp_path: Path
) -> None:
    """Windows consoles are still set to cp1252; a process of its own reads that when it starts."""
    title = "葛飾北斎 — Ελένη ©"
    row = {
        "url": "edanmdm:nmah_1",
        "unitCode": "NMAH",
        "type": "edanmdm",
        "content": {"descriptiveNonRepeating": {"title": {"label": "Title", "content": title}}},
    }
    body = {"status": 200, "responseCode": 1, "response": {"rows": [row], "rowCount": 1}}
    standin.fault("custom", host="si", times=1, status=200, body=json.dumps(body))
    called = subprocess.run(
        [Path(sys.executable).with_name("heritage-gateway"), *SEARCH],
        env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )
    assert called.returncode == 0, called.stderr
    assert title in called.stdout.decode("utf-8")


@pytest.mark.anyio
@pytest.mark.standin
async def test_a_key_is_in_no_traceback_of_a_fault_of_our_own(
    standin: Standin, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "SECRETSECRET")
    caplog.set_level("DEBUG")
    services = Services(GatewaySettings.read())
    house = load(services)
    monkeypatch.setattr(
        "heritage_smithsonian.catalogue.object_row", lambda _row: 1 / 0
    )  # a fault of our own, logged with its trace
    async with Client(build(house, services)) as client:
        result = await client.call_tool(
            "smithsonian_search_objects", {"query": "quilt"}, raise_on_error=False
        )
    assert result.is_error
    assert "ZeroDivisionError" in caplog.text
    assert "SECRETSECRET" not in caplog.text + str(result)
