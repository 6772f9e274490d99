"""A file that is still arriving: kept beside its place until it is whole.

`NAME.part` holds the bytes and `NAME.part.etag` which version of the thing they belong to, so that
another process can go on where one was ended. Bytes whose version is not known cannot be continued.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from heritage_gateway.errors import GatewayError, Reason

_STRONG = re.compile(r'"[!\x23-\x7e]*"')  # a weak one does not promise the same bytes
_FULL = {errno.ENOSPC, errno.EDQUOT}


class Part:
    """`size` bytes of version `etag` are there. `gained` says whether the last writing got further.

    Bytes count as gained when they continue what was there, or belong to the first beginning: who
    begins again and again gets nowhere.
    """

    def __init__(self, to: Path) -> None:
        self._to = to
        self._file = to.with_name(f"{to.name}.part")
        self._label = to.with_name(f"{to.name}.part.etag")
        self._open: BinaryIO | None = None
        self._begun = False
        self._counts = False
        self.gained = False
        with _told():
            self.etag = self._labelled()
            self.size = self._file.stat().st_size if self.etag else 0

    def begin(self, etag: str | None) -> None:
        """An empty file; what was there is of no use any more."""
        self._counts, self._begun = not self._begun, True
        self.gained = False
        with _told():
            self.close()
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._label.unlink(missing_ok=True)  # first, so that it never stands beside other bytes
            self._open = self._file.open("wb")
            self.size, self.etag = 0, None
            if etag is not None and _STRONG.fullmatch(etag):
                self._label.write_text(etag, encoding="ascii")
                self.etag = etag

    def resume(self) -> None:
        self._counts, self.gained = True, False
        with _told():
            self.close()
            self._open = self._file.open("ab")

    def write(self, chunk: bytes) -> None:
        """Into the system's memory, so it does not wait for the disk unless that is far behind."""
        opened = self._opened()
        with _told():
            opened.write(chunk)
        self.size += len(chunk)
        self.gained = self.gained or (self._counts and bool(chunk))

    def close(self) -> None:
        """After it only bytes that can be continued count."""
        opened, self._open = self._open, None
        if self.etag is None:
            self.size = 0
        if opened is not None:
            with _told():
                opened.close()

    def complete(self) -> None:
        """Make it the file itself, surely on the disk; this waits, so it belongs in a thread."""
        opened, self._open = self._opened(), None
        with _told():
            with opened:
                opened.flush()
                os.fsync(opened.fileno())
            self._file.replace(self._to)
            self._label.unlink(missing_ok=True)

    def discard(self) -> None:
        """Forget what was there."""
        self.size, self.etag, self.gained = 0, None, False
        with _told():
            self.close()
            self._label.unlink(missing_ok=True)
            self._file.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._open is None:
            raise ValueError("nothing was begun or resumed")
        return self._open

    def _labelled(self) -> str | None:
        if not self._file.is_file() or not self._label.is_file():
            return None
        label = self._label.read_bytes()[:1024].decode("ascii", "replace")
        return label if _STRONG.fullmatch(label) else None


@contextmanager
def _told() -> Generator[None]:
    """What the disk refuses is no fault of any host, and is said in words without its paths."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise GatewayError(
                Reason.INTERNAL,
                "The disk is full, so what was downloaded cannot be kept.",
                "Free some space, or choose another folder, and start again; what has arrived "
                "there is kept.",
            ) from error
        raise GatewayError(
            Reason.INTERNAL,
            f"The disk refused what was downloaded ({type(error).__name__}).",
            "Look whether the folder can be written to, and start again.",
        ) from error
