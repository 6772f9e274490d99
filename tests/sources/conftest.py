"""Fixtures of the suite over both sources: the live API and a mirror of the same day."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from conftest import Standin
from sources.houses import Both, desk_of, shared_mirror


@pytest.fixture(scope="session")
def mirror(tmp_path_factory: pytest.TempPathFactory, _standin_address: str) -> Path:
    """The folder of a whole mirror; one for all workers. Nobody writes to it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    return shared_mirror(shared / "whole-mirror", _standin_address)


@pytest.fixture
def no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages as long as they are asked for."""
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")


@pytest.fixture
async def both(standin: Standin, mirror: Path, no_budget: None) -> AsyncIterator[Both]:
    async with desk_of("live") as live, desk_of("mirror", mirror) as mirrored:
        yield Both(live, mirrored)
