"""What all processes of one person share: places in each host's bucket, queues, and rests.

One SQLite file in the person's cache folder. Several agents start several servers behind one address,
and a host that blocks the address does not care which of them asked. Time is wall-clock time, the only
one that processes share. A process that is killed stops renewing its tickets, and loses its places.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heritage_gateway.http.database import opened
from heritage_gateway.http.policy import Pace

LEASE = 3.0  # seconds after which a ticket that was not renewed is nobody's
_BUSY = 5.0  # seconds to wait for another process to finish its transaction, some 0.1 ms each
_SLACK = 1e-6
_SCHEMA = """
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, level REAL NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, background INTEGER NOT NULL,
  seen REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS rests (
  host TEXT PRIMARY KEY, until REAL NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL,
  hint TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class SharedRest:
    """A host's rest as another process may have begun it; `until` is in seconds of the epoch."""

    until: float
    kind: str
    message: str
    hint: str


class Ledger:
    """`now` is in seconds of the epoch. Every method is one short transaction; raises `sqlite3.Error` where the file cannot be used."""

    def __init__(self, file: Path, *, now: Callable[[], float] = time.time) -> None:
        self._file = file
        self.now = now
        self._lock = threading.Lock()  # one connection, used from whichever worker thread is free
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    # -- turns ---------------------------------------------------------------------------------------

    def wait(self, name: str, pace: Pace, *, background: bool = False) -> float:
        """Seconds until a call that came now would have its turn."""
        with self._transaction() as rows:
            ahead = self._ahead(rows, name, None, background=background)
            return _until_free(self._level(rows, name, pace) + ahead, pace)

    def queue(self, name: str, *, background: bool = False) -> int:
        """A place in the queue: first come, first served, but whoever is waited for goes first."""
        with self._transaction() as rows:
            added = rows.execute(
                "INSERT INTO tickets (name, background, seen) VALUES (?, ?, ?)",
                (name, background, self.now()),
            )
            return int(added.lastrowid or 0)

    def ask(self, ticket: int, name: str, pace: Pace, *, background: bool = False) -> float:
        """0 when it is the ticket's turn, which is taken; else seconds after which to ask again."""
        with self._transaction() as rows:
            now = self.now()
            renewed = rows.execute("UPDATE tickets SET seen = ? WHERE id = ?", (now, ticket))
            if (
                not renewed.rowcount
            ):  # this process slept past its lease: it queues anew, at its place
                rows.execute(
                    "INSERT INTO tickets (id, name, background, seen) VALUES (?, ?, ?, ?)",
                    (ticket, name, background, now),
                )
            ahead = self._ahead(rows, name, ticket, background=background)
            level = self._level(rows, name, pace)
            wait = _until_free(level + ahead, pace)
            if ahead or wait > _SLACK:
                return max(wait, _SLACK)
            self._fill(rows, name, level + 1)
            rows.execute("DELETE FROM tickets WHERE id = ?", (ticket,))
            return 0.0

    def leave(self, ticket: int) -> None:
        with self._transaction() as rows:
            rows.execute("DELETE FROM tickets WHERE id = ?", (ticket,))

    def drain(self, name: str, pace: Pace, remaining: int) -> None:
        """Take away what the host will not serve: at most `remaining` calls are admitted now."""
        with self._transaction() as rows:
            level = self._level(rows, name, pace)
            self._fill(rows, name, max(level, pace.burst - max(remaining, 0)))

    def used(self, name: str, pace: Pace) -> float:
        """Places of the bucket that are taken now."""
        with self._transaction() as rows:
            return self._level(rows, name, pace)

    # -- rests ---------------------------------------------------------------------------------------

    def rest(self, host: str, rest: SharedRest) -> None:
        """A longer rest that runs already stays."""
        with self._transaction() as rows:
            rows.execute(
                "INSERT INTO rests VALUES (?, ?, ?, ?, ?) ON CONFLICT (host) DO UPDATE SET "
                "until = excluded.until, kind = excluded.kind, message = excluded.message, "
                "hint = excluded.hint WHERE excluded.until > until",
                (host, rest.until, rest.kind, rest.message, rest.hint),
            )

    def resting(self, host: str) -> SharedRest | None:
        with self._transaction() as rows:
            found = rows.execute(
                "SELECT until, kind, message, hint FROM rests WHERE host = ? AND until > ?",
                (host, self.now()),
            ).fetchone()
        return None if found is None else SharedRest(*found)

    # -- inside a transaction ------------------------------------------------------------------------

    def _ahead(
        self, rows: sqlite3.Connection, name: str, ticket: int | None, *, background: bool
    ) -> int:
        """Tickets that go first; those of processes that died are taken away."""
        rows.execute("DELETE FROM tickets WHERE seen < ?", (self.now() - LEASE,))
        last = 2**62 if ticket is None else ticket
        found = rows.execute(
            "SELECT count(*) FROM tickets WHERE name = ? AND "
            "(background < ? OR (background = ? AND id < ?))",
            (name, background, background, last),
        ).fetchone()
        return int(found[0])

    def _level(self, rows: sqlite3.Connection, name: str, pace: Pace) -> float:
        """What of the bucket is full now. A clock that was set back does not fill it for ever."""
        found = rows.execute("SELECT level, at FROM buckets WHERE name = ?", (name,)).fetchone()
        if found is None:
            return 0.0
        level, at = float(found[0]), float(found[1])
        return max(0.0, min(level, pace.burst) - max(0.0, self.now() - at) / pace.interval)

    def _fill(self, rows: sqlite3.Connection, name: str, level: float) -> None:
        rows.execute(
            "INSERT INTO buckets VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
            "level = excluded.level, at = excluded.at",
            (name, level, self.now()),
        )

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection]:
        with self._lock:
            rows = self._opened()
            rows.execute("BEGIN IMMEDIATE")
            try:
                yield rows
            except BaseException:
                rows.execute("ROLLBACK")
                raise
            rows.execute("COMMIT")

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                # OFF: a lost second of counting is no loss
                self._connection = opened(self._file, _SCHEMA, busy=_BUSY, synchronous="OFF")
            except OSError as error:
                raise sqlite3.OperationalError(type(error).__name__) from None
        return self._connection


def _until_free(level: float, pace: Pace) -> float:
    """Seconds until one more fits on top of `level`."""
    return max(0.0, level + 1 - pace.burst) * pace.interval
