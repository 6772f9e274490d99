"""Answers on disk: what is wrong with the file makes a miss, never an answer and never an error."""

from __future__ import annotations

import logging
import os
import sqlite3
from pathlib import Path

import pytest

from core.http.clock import Clock
from heritage_gateway.http import Reply, Store

DAY = 86_400.0


@pytest.fixture
def clock() -> Clock:
    return Clock(1_000_000.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.sqlite3"


def reply(body: bytes = b'{"rows": []}') -> Reply:
    headers = {"content-type": "application/json", "set-cookie": "secret=1", "x-uri": "sh1"}
    return Reply(200, headers, body, "a catalogue")


def test_a_reply_comes_back_as_it_was_with_its_age(file: Path, clock: Clock) -> None:
    store = Store(file, now=clock)
    store.put("key", reply(), 600)
    clock.now += 60
    kept = store.get("key", "a catalogue")
    assert kept is not None
    assert (kept.reply.status, kept.reply.body) == (200, b'{"rows": []}')
    assert (kept.age, kept.fresh) == (60, 540)


def test_cookies_are_not_kept(file: Path, clock: Clock) -> None:
    store = Store(file, now=clock)
    store.put("key", reply(), 600)
    kept = store.get("key", "a catalogue")
    assert kept is not None
    assert kept.reply.headers == {"content-type": "application/json", "x-uri": "sh1"}


def test_past_its_lifetime_a_reply_is_stale_and_past_the_age_it_is_gone(
    file: Path, clock: Clock
) -> None:
    store = Store(file, max_age=7 * DAY, now=clock)
    store.put("key", reply(), 600)
    clock.now += DAY
    kept = store.get("key", "a catalogue")
    assert kept is not None
    assert kept.fresh < 0
    clock.now += 7 * DAY
    assert store.get("key", "a catalogue") is None


def test_two_processes_use_one_file(file: Path, clock: Clock) -> None:
    one, other = Store(file, now=clock), Store(file, now=clock)
    one.put("key", reply(), 600)
    assert other.get("key", "a catalogue") is not None
    other.put("key", reply(b"newer"), 600)
    kept = one.get("key", "a catalogue")
    assert kept is not None
    assert kept.reply.body == b"newer"


def test_the_longest_unused_goes_first(file: Path, clock: Clock) -> None:
    store = Store(file, max_bytes=100_000, now=clock)
    for number in range(15):
        store.put(str(number), reply(os.urandom(6_000)), 600)
        clock.now += 1
        store.get("0", "a catalogue")  # is used again and again
        clock.now += 1
    store.put("last", reply(os.urandom(9_000)), 600)
    store.put("one more", reply(os.urandom(9_000)), 600)
    assert store.contents().bytes <= 100_000
    assert store.get("0", "a catalogue") is not None
    assert store.get("1", "a catalogue") is None


def test_a_reply_too_large_for_the_store_is_not_kept(file: Path, clock: Clock) -> None:
    store = Store(file, max_bytes=100_000, now=clock)
    store.put("key", reply(os.urandom(20_000)), 600)
    assert store.contents().entries == 0


def test_a_cut_or_altered_entry_is_dropped_and_never_served(file: Path, clock: Clock) -> None:
    store = Store(file, now=clock)
    store.put("key", reply(), 600)
    store.close()
    with sqlite3.connect(file) as rows:
        rows.execute("UPDATE replies SET body = substr(body, 1, 5)")
    rows.close()
    assert store.get("key", "a catalogue") is None
    assert store.contents().entries == 0


@pytest.mark.parametrize("damage", [b"", b"garbage" * 500])
def test_a_file_that_is_no_database_is_begun_anew(file: Path, clock: Clock, damage: bytes) -> None:
    store = Store(file, now=clock)
    store.put("key", reply(), 600)
    store.close()
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    file.write_bytes(damage)
    assert store.get("key", "a catalogue") is None
    store.put("key", reply(), 600)
    assert store.get("key", "a catalogue") is not None


def test_a_folder_that_cannot_be_written_turns_the_store_off_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    store = Store(tmp_path / "file" / "answers.sqlite3")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            store.put("key", reply(), 600)
            assert store.get("key", "a catalogue") is None
    assert len(caplog.records) == 1
    assert "not kept on disk" in caplog.text


def test_forgetting_says_how_much_there_was(file: Path, clock: Clock) -> None:
    store = Store(file, now=clock)
    store.put("one", reply(), 600)
    store.put("two", reply(), 600)
    assert store.clear() == 2
    assert store.contents().entries == 0
