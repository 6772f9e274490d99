"""How far a sync is: bars on a terminal, plain lines everywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Protocol, Self

_LINE_EVERY = 10.0  # seconds between plain lines
_PRINT = partial(print, flush=True)  # a pipe is read while the sync runs


class Progress(Protocol):
    def begin(self, files: int, bytes_: int | None) -> None:
        """So many files are to be fetched, with so many bytes where that is known."""
        ...

    def arrived(self, bytes_: int) -> None: ...

    def done(self, batch: str, written: int) -> None:
        """A file is dealt with, and so many of its records were written."""
        ...

    def say(self, sentence: str) -> None: ...


class Silent:
    """For those who do not look."""

    def begin(self, files: int, bytes_: int | None) -> None:
        pass

    def arrived(self, bytes_: int) -> None:
        pass

    def done(self, batch: str, written: int) -> None:
        pass

    def say(self, sentence: str) -> None:
        pass


class Lines:
    """A line every few seconds, for logs and pipes."""

    def __init__(
        self, write: Callable[[str], object] = _PRINT, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._write = write
        self._clock = clock
        self._began = self._told = clock()
        self._files = self._files_done = self._bytes = self._written = 0
        self._expected: int | None = None

    def begin(self, files: int, bytes_: int | None) -> None:
        self._began = self._told = self._clock()
        self._files, self._expected = files, bytes_
        size = "" if bytes_ is None else f", {bytes_ / 1e6:,.1f} MB"
        self._write(f"{files:,} files to fetch{size}.")

    def arrived(self, bytes_: int) -> None:
        self._bytes += bytes_

    def done(self, batch: str, written: int) -> None:
        self._files_done += 1
        self._written += written
        now = self._clock()
        if now - self._told >= _LINE_EVERY or self._files_done == self._files:
            self._told = now
            self._write(self._line(batch, now - self._began))

    def say(self, sentence: str) -> None:
        self._write(sentence)

    def _line(self, batch: str, seconds: float) -> str:
        rate = self._bytes / seconds / 1e6 if seconds > 0 else 0.0
        left = seconds / self._files_done * max(self._files - self._files_done, 0)
        return (
            f"{batch}: {self._files_done:,} of {self._files:,} files, {self._bytes / 1e6:,.1f} MB, "
            f"{rate:,.1f} MB/s, {self._written:,} records written, {left:,.0f} s left"
        )


class Bars:
    """Bars with rate, bytes and time left."""

    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - an extra, and only where a person looks
        from rich.progress import (  # noqa: PLC0415 - the same
            BarColumn,
            DownloadColumn,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )
        from rich.progress import Progress as RichProgress  # noqa: PLC0415 - the same

        console = Console(stderr=True)
        self._bars = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._fetching = self._bars.add_task("fetching", total=None, start=False)
        self._files = self._files_done = self._written = 0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def begin(self, files: int, bytes_: int | None) -> None:
        self._bars.start_task(self._fetching)
        self._bars.update(self._fetching, total=bytes_)
        self._files = files

    def arrived(self, bytes_: int) -> None:
        self._bars.advance(self._fetching, bytes_)

    def done(self, batch: str, written: int) -> None:
        self._files_done += 1
        self._written += written
        self._bars.update(
            self._fetching,
            description=f"{batch}, file {self._files_done:,} of {self._files:,}, "
            f"{self._written:,} records written",
        )

    def say(self, sentence: str) -> None:
        self._bars.console.print(sentence, highlight=False, markup=False)


def is_terminal() -> bool:
    return sys.stderr.isatty()
