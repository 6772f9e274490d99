"""Replies kept on disk between starts, shared by all processes of one person.

What is kept is the reply as it came, so that whoever reads it judges it anew. The file holds queries
and answers in clear; it is bounded in size and age, the longest unused goes first. Whatever is wrong
with an entry or with the file makes it a miss, never an answer and never an error.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from heritage_gateway.http.database import opened
from heritage_gateway.http.reply import Reply

T = TypeVar("T")
_Row = tuple[float, float, int, str, bytes, int]

_log = logging.getLogger("heritage_gateway.http")
_MIB = 1024 * 1024
_BUSY = 2.0
_BUSY_CODES = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_TRIM_TO = 0.9  # of the bound, so that not every entry needs a trim
_KEPT_HEADERS = ("content-type", "cache-control", "x-uri", "x-preflabel")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
  key TEXT PRIMARY KEY, kept REAL NOT NULL, ends REAL NOT NULL, used REAL NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL, checksum INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS by_use ON replies (used);
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply from the store: its age, and how long it is still fresh (negative: past its lifetime)."""

    reply: Reply
    age: float
    fresh: float


@dataclass(frozen=True, slots=True)
class Contents:
    """What the store holds, for people."""

    entries: int
    bytes: int
    oldest: float | None  # seconds of the epoch


class Store:
    """`max_bytes` bounds the bodies as compressed; `max_age` in seconds bounds even stale use."""

    def __init__(
        self,
        file: Path,
        *,
        max_bytes: int = 256 * _MIB,
        max_age: float = 28 * 86_400.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._file = file
        self._max_bytes = max_bytes
        self._max_age = max_age
        self._now = now
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._off = False

    def get(self, key: str, source: str) -> Kept | None:
        """A reply that was kept; also one past its lifetime, which only a failure may use."""
        row = self._try(lambda rows: self._read(rows, key))
        if row is None:
            return None
        kept, ends, *_ = row
        age = self._now() - kept
        reply = _reply(row, source) if -_BUSY <= age <= self._max_age else None
        if reply is None:
            self._try(lambda rows: rows.execute("DELETE FROM replies WHERE key = ?", (key,)))
            return None
        return Kept(reply, max(age, 0.0), ends - self._now())

    def put(self, key: str, reply: Reply, ttl: float) -> None:
        """Keep a reply; one larger than a tenth of the store is not worth what it would drive out."""
        body = zlib.compress(reply.body, 6)
        if len(body) > self._max_bytes // 10:
            return
        headers = {name: reply.headers[name] for name in _KEPT_HEADERS if name in reply.headers}
        now = self._now()
        row = (
            *(key, now, now + ttl, now, reply.status),
            *(json.dumps(headers), body, zlib.crc32(body)),
        )
        self._try(lambda rows: self._write(rows, row))

    def contents(self) -> Contents:
        found = self._try(
            lambda rows: rows.execute(
                "SELECT count(*), coalesce(sum(length(body)), 0), min(kept) FROM replies"
            ).fetchone()
        )
        return Contents(0, 0, None) if found is None else Contents(*found)

    def clear(self) -> int:
        """Forget everything; the number of entries that were there."""
        count = self.contents().entries
        self._try(lambda rows: rows.execute("DELETE FROM replies"))
        self._try(lambda rows: rows.execute("VACUUM"))
        return count

    def close(self) -> None:
        with self._lock:
            self._close()

    # -- the file ------------------------------------------------------------------------------------

    def _read(self, rows: sqlite3.Connection, key: str) -> _Row | None:
        found: _Row | None = rows.execute(
            "SELECT kept, ends, status, headers, body, checksum FROM replies WHERE key = ?", (key,)
        ).fetchone()
        if found is not None:
            rows.execute("UPDATE replies SET used = ? WHERE key = ?", (self._now(), key))
        return found

    def _write(self, rows: sqlite3.Connection, row: tuple[object, ...]) -> None:
        rows.execute("BEGIN IMMEDIATE")
        try:
            rows.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            rows.execute("DELETE FROM replies WHERE kept < ?", (self._now() - self._max_age,))
            self._trim(rows)
        except BaseException:
            rows.execute("ROLLBACK")
            raise
        rows.execute("COMMIT")

    def _trim(self, rows: sqlite3.Connection) -> None:
        (size,) = rows.execute("SELECT coalesce(sum(length(body)), 0) FROM replies").fetchone()
        if size <= self._max_bytes:
            return
        surplus = size - self._max_bytes * _TRIM_TO
        for key, length in rows.execute("SELECT key, length(body) FROM replies ORDER BY used"):
            rows.execute("DELETE FROM replies WHERE key = ?", (key,))
            surplus -= length
            if surplus <= 0:
                return

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """The work's result, or None: no fault of the file may become a fault of the answer."""
        with self._lock:
            if self._off:
                return None
            try:
                return work(self._opened())
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode in _BUSY_CODES:
                    return None  # another process is at it; this once, nothing is kept or found
                self._give_up(error.sqlite_errorname)
            except sqlite3.DatabaseError:
                self._begin_anew()
            except OSError as error:
                self._give_up(type(error).__name__)
            return None

    def _begin_anew(self) -> None:
        """A file that is no database, or a torn one, holds nothing worth having."""
        self._close()
        try:
            for suffix in ("", "-wal", "-shm"):
                self._file.with_name(self._file.name + suffix).unlink(missing_ok=True)
            self._opened()
        except (OSError, sqlite3.Error) as error:
            self._give_up(type(error).__name__)

    def _give_up(self, why: str) -> None:
        self._close()
        self._off = True
        _log.warning("answers are not kept on disk from here on: %s", why)

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = opened(self._file, _SCHEMA, busy=_BUSY, synchronous="NORMAL")
        return self._connection


def _reply(row: _Row, source: str) -> Reply | None:
    """None for an entry that was cut or altered."""
    _, _, status, headers, body, checksum = row
    if zlib.crc32(body) != checksum:
        return None
    try:
        return Reply(status, json.loads(headers), zlib.decompress(body), source)
    except (ValueError, zlib.error):
        return None
