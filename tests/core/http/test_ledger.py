"""Limits that several processes share: one queue, one bucket, and places that the dead give back."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.http.clock import Clock
from heritage_gateway.http import Ledger, Pace
from heritage_gateway.http.ledger import LEASE, SharedRest

PACE = Pace(burst=2, rate=1, per=4)
NAME = "host json"


@pytest.fixture
def clock() -> Clock:
    return Clock(1_000.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "limits.sqlite3"


def test_the_burst_goes_at_once_and_the_rest_in_order(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    tickets = [ledger.queue(NAME) for _ in range(4)]
    assert [ledger.ask(ticket, NAME, PACE) for ticket in tickets] == [0, 0, 4, 8]
    for _ in range(4):
        clock.now += 1
        assert ledger.ask(tickets[3], NAME, PACE) > 0, "the third was there before"
        third = ledger.ask(tickets[2], NAME, PACE)
    assert third == 0


def test_two_processes_share_one_bucket(file: Path, clock: Clock) -> None:
    one, other = Ledger(file, now=clock), Ledger(file, now=clock)
    assert one.ask(one.queue(NAME), NAME, PACE) == 0
    assert other.ask(other.queue(NAME), NAME, PACE) == 0
    assert one.wait(NAME, PACE) == other.wait(NAME, PACE) == 4


def test_a_bucket_survives_its_process(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    for _ in range(2):
        ledger.ask(ledger.queue(NAME), NAME, PACE)
    ledger.close()
    assert Ledger(file, now=clock).wait(NAME, PACE) == 4


def test_whoever_is_waited_for_goes_before_background_work(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    for _ in range(2):
        ledger.ask(ledger.queue(NAME), NAME, PACE)
    export = ledger.queue(NAME, background=True)
    person = ledger.queue(NAME)
    for _ in range(4):
        clock.now += 1
        assert ledger.ask(export, NAME, PACE, background=True) > 0
        waited = ledger.ask(person, NAME, PACE)
    assert waited == 0


def test_a_killed_process_loses_its_places(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    for _ in range(2):
        ledger.ask(ledger.queue(NAME), NAME, PACE)
    for _ in range(10):
        ledger.queue(NAME)  # a process that is killed now never asks again
    assert ledger.wait(NAME, PACE) == 44
    clock.now += LEASE + 0.1
    assert ledger.wait(NAME, PACE) == pytest.approx(4 - LEASE - 0.1)


def test_a_process_that_slept_past_its_lease_keeps_its_place(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    for _ in range(2):
        ledger.ask(ledger.queue(NAME), NAME, PACE)
    sleeper, later = ledger.queue(NAME), ledger.queue(NAME)
    clock.now += LEASE + 1
    ledger.ask(later, NAME, PACE)
    assert ledger.ask(sleeper, NAME, PACE) >= 0
    clock.now += 8
    assert ledger.ask(sleeper, NAME, PACE) == 0


def test_a_place_that_is_given_up_is_free(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    ledger.leave(ledger.queue(NAME))
    assert ledger.wait(NAME, PACE) == 0


def test_what_the_host_will_not_serve_is_taken_away(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    ledger.drain(NAME, PACE, 0)
    assert ledger.wait(NAME, PACE) == 4
    ledger.drain(NAME, PACE, 99)
    assert ledger.wait(NAME, PACE) == 4


def test_a_rest_is_known_to_all_and_survives_a_restart(file: Path, clock: Clock) -> None:
    rest = SharedRest(clock.now + 3600, "block", "It refuses.", "Wait.")
    ledger = Ledger(file, now=clock)
    ledger.rest("host", rest)
    ledger.rest("host", SharedRest(clock.now + 10, "limit", "Shorter.", ""))
    ledger.close()
    assert Ledger(file, now=clock).resting("host") == rest
    assert Ledger(file, now=clock).resting("other") is None
    clock.now += 3601
    assert Ledger(file, now=clock).resting("host") is None


def test_a_clock_that_was_set_back_blocks_nobody_for_ever(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, now=clock)
    for _ in range(2):
        ledger.ask(ledger.queue(NAME), NAME, PACE)
    clock.now -= 86_400
    assert ledger.wait(NAME, PACE) == 4


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("no folder")
    with pytest.raises(sqlite3.Error):
        Ledger(blocker / "limits.sqlite3").wait(NAME, PACE)


@given(arrivals=st.lists(st.floats(0, 10), min_size=1, max_size=60))
def test_no_window_ever_sees_more_than_the_pace_admits(
    tmp_path_factory: pytest.TempPathFactory, arrivals: list[float]
) -> None:
    clock = Clock(1_000.0)
    ledger = Ledger(tmp_path_factory.mktemp("ledger") / "limits.sqlite3", now=clock)
    times: list[float] = []
    for pause in arrivals:
        clock.now += pause
        ticket = ledger.queue(NAME)
        if ledger.ask(ticket, NAME, PACE) == 0:
            times.append(clock.now)
        else:
            ledger.leave(ticket)
    ledger.close()
    for number, first in enumerate(times):
        for count, last in enumerate(times[number:], 1):
            assert count <= PACE.admits(last - first) + 1e-6
