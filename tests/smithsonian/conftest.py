"""Many desks are opened here: what is the same for all of them is looked up once."""

from __future__ import annotations

import gc
import ssl
from functools import cache
from importlib.metadata import EntryPoint

import pytest

from heritage_gateway import registry
from heritage_gateway.http import connection
from shared import captured_records

_installed = registry.installed
_trust = connection._trust


@cache
def _installed_once() -> dict[str, EntryPoint]:
    return _installed()


@cache
def _trust_once() -> ssl.SSLContext:
    return _trust()


@pytest.fixture(autouse=True)
def _looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "installed", _installed_once)
    monkeypatch.setattr(connection, "_trust", _trust_once)


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
