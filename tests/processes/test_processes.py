"""Several processes behind one address: one budget, nobody blocked, and the dead give way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SCALE = 0.05  # the stand-in's windows of 10 and 60 seconds last half a second and three
CALLER = Path(__file__).with_name("caller.py")

pytestmark = [pytest.mark.heavy, pytest.mark.standin]


@pytest.fixture
def strict() -> Iterator[str]:
    """A stand-in that blocks like the Library does, in hurried time."""
    from standin import create_app, running

    with running(create_app(enforce_limits="both", window_scale=SCALE)) as base:
        yield base


def stats(base: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{base}/_standin/stats") as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def start(base: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, CALLER, base, str(folder), str(SCALE)], stdout=subprocess.PIPE, text=True
    )


def test_four_processes_with_twenty_calls_each_break_no_limit(strict: str, tmp_path: Path) -> None:
    processes = [start(strict, tmp_path) for _ in range(4)]
    outcomes = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    told = [what for outcome in outcomes for what, _ in outcome]
    assert len(told) == 80
    assert set(told) <= {"200", "refused"}, "every caller was served or told its wait"
    found = stats(strict)
    assert found["violations"] == {}
    assert set(found["hosts"]["loc"]["status"]) == {"200"}
    assert found["total"] == told.count("200")


def test_a_killed_process_frees_its_places(strict: str, tmp_path: Path) -> None:
    killed = start(strict, tmp_path)
    for _ in range(200):
        if stats(strict)["total"]:
            break
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    killed.communicate()
    began = time.monotonic()
    outcome = json.loads(start(strict, tmp_path).communicate(timeout=120)[0])
    assert [what for what, _ in outcome] == ["200"] * 20
    # Its own twenty turns, and the lease of the dead; not the dead one's turns too.
    assert time.monotonic() - began < 20 * 4 * SCALE + 3 + 4
    assert stats(strict)["violations"] == {}
