"""What is known of each file: kept in one step or not at all, and never read wrongly."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from heritage_gateway.index import IndexFault
from heritage_smithsonian.mirror.state import FileState, State

MOMENT = datetime(2026, 3, 1, 4, 5, 6, tzinfo=UTC)
LARGE = frozenset({0, 1, 2**63, 2**64 - 1})


def file(name: str, etag: str = '"1"', stale: frozenset[int] = frozenset()) -> FileState:
    return FileState("nasm", name, etag, MOMENT, 7, stale)


def test_files_are_told_as_they_were_put_also_to_the_next_process(tmp_path: Path) -> None:
    files = [file("00"), file("ff", "", LARGE), FileState("saam", "00", '"x"', None, 0)]
    with State(tmp_path) as state:
        state.put(files)
        state.remember("purpose", "all")
    with State(tmp_path) as state:
        assert state.files() == {"nasm/00": files[0], "nasm/ff": files[1], "saam/00": files[2]}
        assert (state.fact("purpose"), state.fact("other")) == ("all", None)


def test_files_are_replaced_and_those_that_went_removed(tmp_path: Path) -> None:
    with State(tmp_path) as state:
        state.put([file("00", stale=LARGE), file("01"), file("02")])
        state.put([file("00", '"2"')], ["nasm/01", "nasm/never"])
        assert state.files() == {"nasm/00": file("00", '"2"'), "nasm/02": file("02")}


def test_a_step_that_fails_is_not_taken_by_half(tmp_path: Path) -> None:
    broken = FileState("nasm", "02", None, None, 0)  # type: ignore[arg-type]
    with State(tmp_path) as state:
        state.put([file("00")])
        with pytest.raises(IndexFault):
            state.put([file("00", '"2"'), broken], ["nasm/00"])
    with State(tmp_path) as state:
        assert state.files() == {"nasm/00": file("00")}


@pytest.mark.parametrize("damage", [b"no database at all, by no means", b"SQLite format 3\0junk"])
def test_a_damaged_file_is_told_in_a_sentence(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "state.sqlite3").write_bytes(damage * 100)
    with pytest.raises(IndexFault, match=r"^What the mirror knows of its files cannot .*\.$"):
        State(tmp_path)


def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path) -> None:
    with State(tmp_path) as state:
        other = sqlite3.connect(tmp_path / "state.sqlite3", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        state._base.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(IndexFault, match=r"cannot be read or written: database is locked\.$"):
            state.put([file("00")])
        other.close()
        state.put([file("00")])
