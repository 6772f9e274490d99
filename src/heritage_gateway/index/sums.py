"""The checksums of a generation's files: what a copy, and a look at the disk, are held against."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from heritage_gateway.index.engine import IndexFault
from heritage_gateway.index.generations import is_part_of_index, write_whole

_FILE = "sums.json"


@dataclass(frozen=True, slots=True)
class Sum:
    size: int
    sha256: str


def take(folder: Path, known: Mapping[str, Sum] | None = None) -> Mapping[str, Sum]:
    """By path within the folder. Files of a `known` name and size are taken as known: they are
    written once, under names of their own.
    """
    sums: dict[str, Sum] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name == _FILE or not is_part_of_index(path):
            continue
        size = path.stat().st_size
        before = (known or {}).get(name)
        kept = before is not None and before.size == size and is_written_once(name)
        sums[name] = before if kept and before is not None else Sum(size, digest(path))
    return sums


def is_written_once(name: str) -> bool:
    """Segments carry their identity in their name."""
    stem, _, ending = name.rpartition("/")[2].partition(".")
    return len(stem) >= 32 and bool(ending)


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_sums(folder: Path, sums: Mapping[str, Sum]) -> None:
    told = {name: {"size": one.size, "sha256": one.sha256} for name, one in sums.items()}
    write_whole(folder / _FILE, json.dumps(told, indent=0))


def read_sums(folder: Path) -> Mapping[str, Sum]:
    """Raises `IndexFault`."""
    try:
        return parse_sums((folder / _FILE).read_text("utf-8"))
    except OSError:
        pass
    raise IndexFault("The list of checksums is missing.")


def parse_sums(text: str) -> Mapping[str, Sum]:
    """Raises `IndexFault`."""
    try:
        told = cast(dict[str, dict[str, Any]], json.loads(text))
        return {name: Sum(int(one["size"]), str(one["sha256"])) for name, one in told.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise IndexFault("The list of checksums cannot be read.")


def differences(folder: Path, sums: Mapping[str, Sum]) -> list[str]:
    """A sentence for each file that is missing or not what it was."""
    found: list[str] = []
    for name, expected in sums.items():
        path = folder / name
        if not path.is_file():
            found.append(f"{name} is missing.")
        elif path.stat().st_size != expected.size or digest(path) != expected.sha256:
            found.append(f"{name} has changed.")
    return found
