"""An index in a folder that may only be read, made readable: the engine wants to lock what it reads.

A shadow is a private folder that leads to the same files, with a copy of the one that lists them, so
that the lock finds a place. Nobody writes to the index through it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_LIST = "meta.json"  # may be replaced where it lies; what it names stays as it is
_WRITERS = frozenset({".managed.json"})  # only a writer needs it, and others may not read it
_PREFIX = "heritage-index-"


def shadow_of(index: Path) -> Path:
    """A new folder for this person alone, to be removed by the caller. Raises `OSError`."""
    shadow = Path(tempfile.mkdtemp(prefix=_PREFIX))
    try:
        shutil.copyfile(index / _LIST, shadow / _LIST)
        for path in index.iterdir():
            if path.name not in {_LIST, *_WRITERS} and not path.name.endswith(".lock"):
                _lead(shadow / path.name, path.absolute())
    except OSError:
        shutil.rmtree(shadow, ignore_errors=True)
        raise
    return shadow


def _lead(link: Path, target: Path) -> None:
    """Not every system lets everybody make links."""
    for made in (os.symlink, os.link):
        try:
            made(target, link)
        except (OSError, NotImplementedError):
            continue
        return
    shutil.copyfile(target, link)
