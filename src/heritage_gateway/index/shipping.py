"""An index for several machines: one publishes its files, and each other fetches those that it lacks.

Files of the generation that was published before stay until the next one, for those who are still
fetching them. A fetched generation serves when all of it has been checked, and not earlier.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from heritage_gateway.index.engine import IndexFault
from heritage_gateway.index.generations import Generations
from heritage_gateway.index.published import (
    FILES,
    LIST,
    Missing,
    Place,
    Published,
    check,
    is_sound,
    place_of,
    size_of,
)
from heritage_gateway.index.sums import Sum, is_written_once, read_sums, write_sums

_LONGEST_LIST = 8 * 1024 * 1024  # bytes; a file takes about 150 of them
_MB = 1e6


@dataclass(frozen=True, slots=True)
class Shipment:
    """`copied` files went over, of `size` bytes in all; `kept` ones were there already."""

    copied: int
    size: int
    kept: int
    changed: bool = True


def _unheard(_sentence: str) -> None:
    """For those who do not want to know."""


# -- publishing ------------------------------------------------------------------------------------


def publish(generation: Path, place: Place, *, say: Callable[[str], object] = _unheard) -> Shipment:
    """Raises `IndexFault`; what went over until then need not go again."""
    mine = Published(generation.name, read_sums(generation))
    for name, one in mine.files.items():
        check(name, one)
    former = _former(place)
    lacking = {place_of(one): name for name, one in mine.files.items() if not _has(place, one)}
    sizes = {name: mine.files[name].size for name in lacking.values()}
    count = _Count(sizes, say)
    _refuse_full(place.room(), count.size)
    for where, name in sorted(lacking.items(), key=lambda pair: sizes[pair[1]]):
        if not is_sound(generation / name, mine.files[name]):
            raise IndexFault(
                f"{name} is not as it was built, or gone, so nothing new is published."
            )
        place.put(generation / name, where)
        count.done(name)
    kept = len(mine.places) - len(lacking)
    if former is not None and former.files == mine.files:
        return Shipment(len(lacking), count.size, kept, changed=bool(lacking))
    if not all(_has(place, one) for one in mine.files.values()):
        raise IndexFault("Files that were sent are gone; somebody else publishes there too.")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / LIST).write_text(mine.text(), "utf-8")
        place.put(Path(folder) / LIST, LIST)
    place.tidy(mine.places | (former.places if former is not None else set[str]()))
    return Shipment(len(lacking), count.size, kept)


def _former(place: Place) -> Published | None:
    """What is published there now. Something else of that name is never overwritten."""
    try:
        return _listed(place)
    except Missing:
        return None


def _has(place: Place, one: Sum) -> bool:
    return place.held(place_of(one)) == one.size


# -- pulling ---------------------------------------------------------------------------------------


def pull(
    place: Place,
    generations: Generations,
    *,
    first: str,
    accept: Callable[[Path], object],
    say: Callable[[str], object] = _unheard,
) -> Shipment:
    """Make what is published serve here.

    `accept` is given the new generation as soon as its file `first` is there, and raises `IndexFault`
    for one that is of no use here. Also raises `Busy`; what was fetched until then is kept.
    """
    if (generations.folder / FILES).is_dir():
        raise IndexFault(
            "The folder holds a published index; one that serves needs another folder."
        )
    with generations.locked():
        wanted = _listed(place)
        serving = generations.current
        if serving is not None and _serves(serving, wanted):
            return Shipment(0, 0, len(wanted.files), changed=False)
        if first not in wanted.files:
            raise IndexFault(f"What is published lacks {first}, so it is no index of this kind.")
        made = generations.working
        if made is None or made == serving:  # it was killed just after it began to serve
            made = generations.fork(afresh=True)
        _clear(made, wanted)
        _bring(place, made, first, wanted.files[first])
        try:
            accept(made)
        except IndexFault:
            generations.abandon()
            raise
        shipment = _fill(made, serving, wanted, place, say)
        write_sums(made, wanted.files)
        generations.switch(made)
    size = shipment.size + wanted.files[first].size
    return Shipment(shipment.copied + 1, size, shipment.kept - 1)


def _fill(
    made: Path,
    serving: Path | None,
    wanted: Published,
    place: Place,
    say: Callable[[str], object],
) -> Shipment:
    """Files at the top say what the others are, so they come last."""
    if serving is not None:
        _reuse(serving, made, wanted)
    lacking = [name for name in wanted.files if not (made / name).is_file()]
    count = _Count({name: wanted.files[name].size for name in lacking}, say)
    _refuse_full(shutil.disk_usage(made).free, count.size)
    for name in sorted(lacking, key=lambda name: ("/" not in name, name)):
        _bring(place, made, name, wanted.files[name])
        count.done(name)
    return Shipment(len(lacking), count.size, len(wanted.files) - len(lacking))


def _serves(serving: Path, wanted: Published) -> bool:
    """As its sums say, and its files are there; their bytes are what `verify` looks at."""
    if _sums(serving) != wanted.files:
        return False
    return all(size_of(serving / name) == one.size for name, one in wanted.files.items())


def _clear(made: Path, wanted: Published) -> None:
    """Of an unfinished generation, of whatever origin, only sound files of the wanted one are kept.

    Those at the top go, and go first: beside files of another generation they would tell a lie.
    """
    arriving = {f"{one.sha256}.part" for one in wanted.files.values()}
    for path in sorted(made.rglob("*"), key=lambda path: len(path.parts)):
        name = path.relative_to(made).as_posix()
        if not path.is_file() or name.partition(".part")[0] + ".part" in arriving:
            continue
        one = wanted.files.get(name)
        if "/" not in name or one is None or not is_sound(path, one):
            path.unlink()


def _reuse(serving: Path, made: Path, wanted: Published) -> None:
    """What serves here already takes no way and, being written once, no room."""
    held = _sums(serving)
    for name, one in wanted.files.items():
        there = made / name
        if "/" not in name or there.is_file() or held.get(name) != one:
            continue
        if not is_sound(serving / name, one):
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        if is_written_once(name):
            try:
                os.link(serving / name, there)
            except OSError:  # no links between these
                pass
            else:
                continue
        shutil.copyfile(serving / name, there)


def _bring(place: Place, made: Path, name: str, one: Sum) -> None:
    arriving = made / f"{one.sha256}.part"
    if not is_sound(arriving, one):
        try:
            place.fetch(place_of(one), arriving, most=one.size)
        except Missing:
            raise IndexFault(
                f"The published file {name} is not there; a newer state may have been published "
                "meanwhile, so pull again."
            ) from None
    if not is_sound(arriving, one):
        arriving.unlink(missing_ok=True)
        raise IndexFault(
            f"The published file {name} is not what its checksum says; remove {place_of(one)} there "
            "and publish again."
        )
    (made / name).parent.mkdir(parents=True, exist_ok=True)
    arriving.replace(made / name)


def _listed(place: Place) -> Published:
    """Raises `Missing` where nothing is published."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / LIST
        try:
            place.fetch(LIST, to, most=_LONGEST_LIST)
        except Missing:
            raise Missing("No index is published there.") from None
        return Published.parse(to.read_text("utf-8", "replace"))


# -- what is here ----------------------------------------------------------------------------------


def _sums(folder: Path) -> Mapping[str, Sum]:
    try:
        return read_sums(folder)
    except IndexFault:
        return {}


def _refuse_full(free: int | None, needed: int) -> None:
    if free is not None and needed > free:
        raise IndexFault(
            f"The disk is too small: {needed / _MB:,.1f} MB are to come, and {free / _MB:,.1f} MB "
            "are free."
        )


class _Count:
    """How far the copying is, in words."""

    def __init__(self, sizes: Mapping[str, int], say: Callable[[str], object]) -> None:
        self.size = sum(sizes.values())
        self._sizes = sizes
        self._say = say
        self._files = self._bytes = 0
        if sizes:
            say(f"{len(sizes):,} files to copy, {self.size / _MB:,.1f} MB.")

    def done(self, name: str) -> None:
        self._files += 1
        self._bytes += self._sizes[name]
        self._say(
            f"{name}: {self._files:,} of {len(self._sizes):,} files, {self._bytes / _MB:,.1f} of "
            f"{self.size / _MB:,.1f} MB"
        )
