"""A SQLite file in the person's cache folder, opened so that threads and processes can share it."""

import sqlite3
from pathlib import Path
from typing import Literal


def opened(
    file: Path, schema: str, *, busy: float, synchronous: Literal["OFF", "NORMAL"]
) -> sqlite3.Connection:
    """A connection in autocommit mode that any thread may use, one at a time.

    The folder is made where it is missing. `busy` is in seconds: how long to wait for another
    process. Raises OSError for the folder and `sqlite3.Error` for the file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = sqlite3.connect(file, timeout=busy, isolation_level=None, check_same_thread=False)
    try:
        rows.execute("PRAGMA journal_mode = WAL")
        rows.execute(f"PRAGMA synchronous = {synchronous}")
        rows.executescript(schema)
    except BaseException:
        rows.close()
        raise
    return rows
