"""Many desks are opened here: what is the same for all of them is looked up once."""

from __future__ import annotations

import ssl
from functools import cache
from importlib.metadata import EntryPoint

import pytest

from heritage_gateway import registry
from heritage_gateway.http import connection

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
