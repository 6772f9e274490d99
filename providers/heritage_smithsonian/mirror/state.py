"""Which version of each file of the bucket an index holds, kept beside it.

A row is written after the commit of what it tells, so a killed build does some work twice and none too
few. `stale` are keys that a file no longer names: they are deletions only when the whole unit has been
read, for a changed record may have moved to another file of it.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from heritage_gateway.index import IndexFault

_FILE = "state.sqlite3"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    unit TEXT NOT NULL, name TEXT NOT NULL, etag TEXT NOT NULL, published TEXT,
    records INTEGER NOT NULL, stale BLOB, PRIMARY KEY (unit, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class FileState:
    """`etag` is empty for a file that must be read again."""

    unit: str
    name: str
    etag: str
    published: datetime | None
    records: int
    stale: frozenset[int] = frozenset()

    @property
    def batch(self) -> str:
        return f"{self.unit}/{self.name}"


class State:
    """The files of one generation, and what it is being built for. All raise `IndexFault`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with _told():
            self._base = sqlite3.connect(
                folder / _FILE, isolation_level=None, check_same_thread=False
            )
        try:
            with _told():
                self._base.executescript(_SCHEMA)
        except IndexFault:
            self._base.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def files(self) -> Mapping[str, FileState]:
        """By batch, "nasm/3f"."""
        with _told():
            rows = self._base.execute(
                "SELECT unit, name, etag, published, records, stale FROM files"
            ).fetchall()
        found = (
            FileState(
                unit,
                name,
                etag,
                published and datetime.fromisoformat(published),
                records,
                _keys(stale),
            )
            for unit, name, etag, published, records, stale in rows
        )
        return {file.batch: file for file in found}

    def put(self, files: Iterable[FileState], gone: Collection[str] = ()) -> None:
        """Rows are replaced, those of `gone` batches removed, all in one step."""
        rows = [
            (
                *(file.unit, file.name, file.etag, file.published and file.published.isoformat()),
                *(file.records, array("Q", sorted(file.stale)).tobytes() if file.stale else None),
            )
            for file in files
        ]
        names = [batch.split("/") for batch in gone]
        with _told():
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._base.executemany("DELETE FROM files WHERE unit = ? AND name = ?", names)
            self._base.execute("COMMIT")

    def fact(self, name: str) -> str | None:
        with _told():
            row = self._base.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return row and str(row[0])

    def remember(self, name: str, value: str) -> None:
        with _told():
            self._base.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


@contextmanager
def _told() -> Generator[None]:
    try:
        yield
    except sqlite3.Error as error:
        problem = str(error)
    else:
        return
    raise IndexFault(f"What the mirror knows of its files cannot be read or written: {problem}.")


def _keys(blob: bytes | None) -> frozenset[int]:
    return frozenset(array("Q", blob)) if blob else frozenset()
