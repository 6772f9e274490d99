"""One folder, the states of an index in it, and which of them serves.

    current.json       names the generation that serves; replaced in one step, so readers see the old
                       one or the new one and nothing between
    generations/000N/  one state: never changed once it has served
    working.json       names the generation that is being built, if any

A new generation starts as hard links to the files of the one before: an index is made of files that
are written once, so what has not changed takes no room and no time. The generation that served before
stays until the next switch, for readers that are still at it.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from heritage_gateway.index.engine import Busy, IndexFault

_CURRENT, _WORKING, _GENERATIONS = "current.json", "working.json", "generations"
# Written anew in place; every other file of an index is written once, under a name of its own.
_REWRITTEN = frozenset({"meta.json", ".managed.json", "state.sqlite3"})


@dataclass(frozen=True, slots=True)
class Generations:
    """The states of one index under `folder`."""

    folder: Path

    @property
    def current(self) -> Path | None:
        """The generation that serves; None where none does yet."""
        return self._named(_CURRENT)

    @property
    def working(self) -> Path | None:
        """The one that a build left unfinished, or is at work on; never the one that serves, though a
        switch that was killed half-way leaves it named.
        """
        named = self._named(_WORKING)
        return None if named == self.current else named

    def stamp(self) -> object:
        """Changes when another generation begins to serve; cheap enough to be asked at every call."""
        try:
            found = (self.folder / _CURRENT).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size

    def fork(self, *, afresh: bool = False) -> Path:
        """A generation to be built: a copy of the current one, or an empty one."""
        made = self._fresh()
        current = None if afresh else self.current
        if current is not None:
            _link_tree(current, made)
        made.mkdir(parents=True, exist_ok=True)
        self._name(_WORKING, made)
        return made

    def abandon(self) -> None:
        """The unfinished generation is forgotten."""
        working = self.working
        (self.folder / _WORKING).unlink(missing_ok=True)
        if working is not None:
            shutil.rmtree(working, ignore_errors=True)

    def switch(self, made: Path) -> None:
        """From now on `made` serves. What neither serves nor served just before is removed."""
        before = self.current
        _sync_tree(made)
        self._name(_CURRENT, made)
        (self.folder / _WORKING).unlink(missing_ok=True)
        self.sweep(keep=before)

    def sweep(self, *, keep: Path | None = None) -> None:
        """Remove generations that nobody can come to any more, also those of killed builds."""
        kept = {path for path in (self.current, self.working, keep) if path is not None}
        root = self.folder / _GENERATIONS
        for path in root.iterdir() if root.is_dir() else ():
            if path not in kept:
                shutil.rmtree(path, ignore_errors=True)

    def drop(self) -> None:
        """Everything goes; a reader that has it open keeps it until it closes."""
        (self.folder / _CURRENT).unlink(missing_ok=True)
        for path in (self.folder / _WORKING, self.folder / _GENERATIONS):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Generator[None]:
        """One builder at a time; the lock falls with its process. Raises `Busy`, `IndexFault`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(self.folder / "builder.lock", timeout=0, isolation_level=None)
        except (OSError, sqlite3.OperationalError):
            raise IndexFault(f"Nothing can be written in {self.folder}.") from None
        with closing(lock):
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                raise Busy("Another process is at work on this folder.") from None
            yield

    def _named(self, pointer: str) -> Path | None:
        try:
            told: Any = json.loads((self.folder / pointer).read_text("utf-8"))
            name = cast(dict[str, Any], told)["generation"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        path = self.folder / _GENERATIONS / str(name)
        return path if path.is_dir() else None

    def _name(self, pointer: str, made: Path) -> None:
        write_whole(self.folder / pointer, json.dumps({"generation": made.name}))

    def _fresh(self) -> Path:
        """A name above all others, so that a left-over never passes for the new one."""
        root = self.folder / _GENERATIONS
        taken = [int(path.name) for path in _children(root) if path.name.isdigit()]
        return root / f"{max(taken, default=0) + 1:06d}"


def write_whole(file: Path, text: str) -> None:
    """The whole text or the former one, whatever happens in between."""
    partial = file.with_name(f"{file.name}.part")
    file.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)


def is_part_of_index(path: Path) -> bool:
    """Locks and half-written files are nobody's."""
    return not path.name.endswith((".lock", ".part", "-journal"))


def _children(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _link_tree(source: Path, target: Path) -> None:
    """Hard links where the file system has them, else copies; made whole under another name first."""
    partial = target.with_name(f"{target.name}.part")
    shutil.rmtree(partial, ignore_errors=True)
    for path in source.rglob("*"):
        there = partial / path.relative_to(source)
        if path.is_dir() or not is_part_of_index(path):
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        if path.name in _REWRITTEN or not _linked(path, there):
            shutil.copy2(path, there)
    partial.mkdir(parents=True, exist_ok=True)
    partial.replace(target)


def _linked(source: Path, target: Path) -> bool:
    try:
        os.link(source, target)
    except OSError:
        return False
    return True


def _sync_tree(folder: Path) -> None:
    """To the disk before a pointer names it: else a power cut could leave the name without the files."""
    for path in (folder, *folder.rglob("*")):
        if os.name == "nt" and path.is_dir():
            continue
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
