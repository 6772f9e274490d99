"""Fixtures for the whole suite: no network, no settings of the person who runs it, no waiting."""

from __future__ import annotations

import gc
import json
import os
import socket
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from heritage_gateway import registry
from shared import CAPTURED, STANDIN, captured_records

# The machine may be busy, and drawing from all of Unicode is slow the first time.
hypothesis.settings.register_profile(
    "suite", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("suite")

_NEEDS = {"standin": STANDIN, "captured": CAPTURED}
_PREFIXES = (
    "HERITAGE_",
    "SMITHSONIAN_",
    "LOC_",
    "FASTMCP_",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the shared folder where it is absent; where CI has it, nothing may be skipped."""
    for item in items:
        for mark, path in _NEEDS.items():
            if item.get_closest_marker(mark) and not path.exists():
                item.add_marker(pytest.mark.skip(reason=f"{path.name} is not beside this checkout"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """With HERITAGE_TEST_NO_SKIPS set, a skip is a failure."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if (
        report.skipped
        and os.environ.get("HERITAGE_TEST_NO_SKIPS")
        and not hasattr(report, "wasxfail")
    ):
        report.outcome = "failed"
        report.longrepr = f"skipped, where nothing may be skipped: {item.nodeid}"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.upper().startswith(_PREFIXES) and not name.startswith("HERITAGE_TEST_"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Limits and answers of one test are none of another's."""
    monkeypatch.setenv("HERITAGE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HERITAGE_SMITHSONIAN_MIRROR_DIR", str(tmp_path / "mirror"))


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6} and not str(address[0]).startswith(
            ("127.", "::1", "localhost")
        ):
            raise OSError("tests do not reach the network")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@dataclass(frozen=True)
class Standin:
    """The running stand-in: its address, and its control endpoints."""

    base: str

    def post(self, path: str, body: dict[str, Any] | None = None) -> None:
        request = urllib.request.Request(
            f"{self.base}/_standin/{path}", json.dumps(body or {}).encode(), method="POST"
        )
        urllib.request.urlopen(request).read()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.base}/_standin/{path}") as answer:
            return json.loads(answer.read())

    def fault(self, kind: str, **where: Any) -> None:
        self.post("fault", {"kind": kind, **where})

    @property
    def requests(self) -> int:
        """Requests since the last reset."""
        return int(self.get("stats")["total"])


@pytest.fixture(scope="session")
def _standin_address() -> Iterator[str]:
    from standin import create_app, running

    with running(create_app()) as base:
        yield base


@pytest.fixture
def standin(_standin_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standin]:
    """A clean stand-in; the settings of this process point to it, unpaced."""
    place = Standin(_standin_address)
    place.post("reset")
    for variable, path in {
        "SMITHSONIAN_BASE_URL": "si",
        "SMITHSONIAN_IDS_URL": "ids",
        "SMITHSONIAN_BULK_URL": "s3",
        "LOC_BASE_URL": "loc",
        "LOC_TILE_URL": "tile",
        "LOC_ID_URL": "id",
    }.items():
        monkeypatch.setenv(variable, f"{place.base}/{path}")
    monkeypatch.setenv("HERITAGE_RATE_LIMITS", "off")
    yield place
    place.post("reset")


# -- what is the same for all is looked up once ---------------------------------------------------

_installed = registry.installed


@cache
def _installed_once() -> dict[str, EntryPoint]:
    return _installed()


@pytest.fixture(autouse=True)
def _looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "installed", _installed_once)


@pytest.fixture(autouse=True)
def _large_data_is_no_garbage(request: pytest.FixtureRequest) -> None:
    """Millions of captured values stay for the session; to search them for garbage took a fifth of it."""
    if "standin" in request.fixturenames:
        request.getfixturevalue("_standin_address")
        _kept("standin")
    if request.node.get_closest_marker("captured"):
        captured_records()
        _kept("captured")


@cache
def _kept(_name: str) -> None:
    gc.freeze()
