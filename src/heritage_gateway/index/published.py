"""The form in which an index is published, and the places where it can be: a folder is one.

    current.json     names every file of the published generation with its size and checksum;
                     replaced in one step, last of all
    files/<sha256>   the files, named for what is in them

A file that is there is never written again, so any server of files, and any cache before it, will do.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from heritage_gateway.index.engine import IndexFault
from heritage_gateway.index.generations import is_part_of_index
from heritage_gateway.index.sums import Sum, digest, parse_sums

LIST = "current.json"
FILES = "files"
_GENERATIONS = "generations"  # in the folder of an index itself
_DEEPEST = 2  # a folder and a file in it
_PART = re.compile(r"[A-Za-z0-9_.-]{0,99}[A-Za-z0-9_-]")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Place(Protocol):
    """Where an index is published. Names are those of the layout above. All raise `IndexFault`."""

    def fetch(self, name: str, to: Path, *, most: int) -> None:
        """Bring a file; of more than `most` bytes none is taken. Raises `Missing`."""
        ...

    def held(self, name: str) -> int | None:
        """The size of what is there; None where nothing is."""
        ...

    def put(self, file: Path, name: str) -> None:
        """Whole or not at all, in the place of what was there."""
        ...

    def room(self) -> int | None:
        """Free bytes; None where nobody can tell."""
        ...

    def tidy(self, keep: Collection[str]) -> None:
        """Remove files of other names, where that can be done."""
        ...


class Missing(IndexFault):
    """A place has no such file."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a list says: a generation, and its files by their paths within it."""

    generation: str
    files: Mapping[str, Sum]

    @classmethod
    def parse(cls, text: str) -> Published:
        """Raises `IndexFault` for what is no list, or names files that have no place in an index."""
        try:
            told = cast(dict[str, Any], json.loads(text))
            generation, found = str(told["generation"]), parse_sums(json.dumps(told["files"]))
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            raise IndexFault("The list of a published index cannot be read.") from None
        for name, one in found.items():
            check(name, one)
        if not found or len({name.lower() for name in found}) != len(found):
            raise IndexFault("The list of a published index is not sound.")
        return cls(generation, found)

    def text(self) -> str:
        files = {name: {"size": one.size, "sha256": one.sha256} for name, one in self.files.items()}
        return json.dumps({"generation": self.generation, "files": files}, indent=0)

    @property
    def places(self) -> set[str]:
        return {place_of(one) for one in self.files.values()}


def check(name: str, one: Sum) -> None:
    """A list may come from anywhere: no name may lead out of a generation, or to what is not its own."""
    parts = name.split("/")
    sound = len(parts) <= _DEEPEST and all(map(_PART.fullmatch, parts))
    ours = is_part_of_index(Path(name)) and ".part" not in name and name.lower() != "sums.json"
    if not sound or not ours or not _SHA256.fullmatch(one.sha256) or one.size < 0:
        raise IndexFault("The list of a published index names files that cannot be its own.")


def place_of(one: Sum) -> str:
    return f"{FILES}/{one.sha256}"


def is_sound(path: Path, one: Sum) -> bool:
    return size_of(path) == one.size and digest(path) == one.sha256


def size_of(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


# -- a folder --------------------------------------------------------------------------------------


class Folder:
    """A published index on a disk of this machine, or one that it sees as its own."""

    def __init__(self, folder: Path) -> None:
        """Raises `IndexFault` for the folder of an index itself."""
        if (folder / _GENERATIONS).is_dir():
            raise IndexFault("The folder holds an index itself, where a published one was meant.")
        self._folder = folder

    def fetch(self, name: str, to: Path, *, most: int) -> None:
        size = self.held(name)
        if size is None:
            raise Missing(f"{name} is not there.")
        if size > most:
            raise IndexFault(f"{name} is larger than announced.")
        shutil.copyfile(self._folder / name, to)

    def held(self, name: str) -> int | None:
        return size_of(self._folder / name)

    def put(self, file: Path, name: str) -> None:
        to = self._folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        partial = to.with_name(f"{to.name}.{os.getpid()}.part")  # two may publish the same
        shutil.copyfile(file, partial)
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial.replace(to)

    def room(self) -> int:
        there = next(path for path in (self._folder, *self._folder.parents) if path.exists())
        return shutil.disk_usage(there).free

    def tidy(self, keep: Collection[str]) -> None:
        for path in (self._folder / FILES).iterdir():
            if f"{FILES}/{path.name}" not in keep:
                with suppress(OSError):  # on some systems not while somebody reads it
                    path.unlink()
