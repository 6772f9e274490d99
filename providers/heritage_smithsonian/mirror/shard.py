"""One file of the bucket: read whole before anything of it is believed."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from uuid import uuid4

from heritage_gateway.errors import UpstreamMalformed
from heritage_gateway.index import Document, Entry, Held, Maker, Writer, key_of
from heritage_smithsonian.mirror.entry import entry

SLIGHT = 2  # records that a file may lose without being doubted, however small it is
_LOT = 200  # records that are made into documents in one go
_NONE: Mapping[int, Held] = MappingProxyType({})


class Doubtful(Exception):
    """A file that is refused; what the index holds of it is kept. The message says why."""


class Overtaken(Exception):
    """What the index held when the file was prepared is not what it holds now; nothing is written."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The newest version of each record in a file; `sizes` are bytes of their bodies, one by one.

    The bodies lie in a file of their own, so that little goes from process to process. A record that
    the index had just so has an empty one.
    """

    batch: str
    bodies: Path
    rows: tuple[tuple[int, int, int], ...]  # key, signature, updated
    sizes: tuple[int, ...]

    def take(self) -> list[Document]:
        """Once: their file goes."""
        whole, start, made = self.bodies.read_bytes(), 0, list[Document]()
        for (key, signature, updated), size in zip(self.rows, self.sizes, strict=True):
            made.append(Document(key, signature, updated, whole[start : start + size]))
            start += size
        self.bodies.unlink()
        return made


@dataclass(frozen=True, slots=True)
class Written:
    """`stale` are keys that came in this file before, and do not now."""

    records: int
    written: int
    stale: frozenset[int]


@contextmanager
def few_collections() -> Generator[None]:
    """Millions of records make no cycle, and looking for one takes a fourth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def prepare(file: Path, batch: str, maker: Maker, known: Mapping[int, Held] = _NONE) -> Prepared:
    """All that can be done of a file without the index, in whatever process. Raises `Doubtful`.

    Of the records that are `known` just so, no documents are made. The same record may stand on two
    lines; the larger lastTimeUpdated wins, or else the later line.
    """
    newest: dict[int, Document] = {}
    with few_collections():
        for lot in _lots(_entries(file, batch)):
            for document in _documents(lot, maker, known):
                there = newest.get(document.key)
                if there is None or document.updated >= there.updated:
                    newest[document.key] = document
    bodies = file.with_suffix(
        f".{uuid4().hex}"
    )  # a killed sync may still have a process at the file
    bodies.write_bytes(b"".join(document.body for document in newest.values()))
    rows = tuple(document[:3] for document in newest.values())
    return Prepared(batch, bodies, rows, tuple(len(one.body) for one in newest.values()))


def _documents(
    entries: Sequence[Entry], maker: Maker, known: Mapping[int, Held]
) -> Iterable[Document]:
    """In their order. What is known just so has no body."""
    if not known:
        return maker.documents(entries)
    kept: dict[int, Document] = {}  # by place
    for place, made in enumerate(entries):
        key = key_of(made.id)
        if key in known and known[key].signature == made.signature:
            kept[place] = Document(key, made.signature, made.updated, b"")
    changed = [made for place, made in enumerate(entries) if place not in kept]
    documents = iter(maker.documents(changed))
    return [kept[place] if place in kept else next(documents) for place in range(len(entries))]


def first_lines(file: Path, count: int) -> list[bytes]:
    with file.open("rb") as lines:
        return [line.strip() for line in islice(lines, count)]


def _entries(file: Path, batch: str) -> Iterator[Entry]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text:
                continue
            try:
                yield entry(text, batch)
            except UpstreamMalformed:
                cut = "" if line.endswith(b"\n") else ", which is cut off"
                raise Doubtful(f"line {number} is no record{cut}") from None


def _lots(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    while lot := list(islice(entries, _LOT)):
        yield lot


def refuse_loss(former: int, now: int, what: str) -> None:
    """Half of it gone is likelier a fault than a fact. Raises `Doubtful`."""
    if former - now > SLIGHT and now * 2 < former:
        raise Doubtful(f"{what} held {former:,} records and has only {now:,} now")


def write(
    writer: Writer, shard: Prepared, *, accept_loss: bool, orphans: set[int] | None = None
) -> Written:
    """Write what has changed. Raises `Doubtful` and `Overtaken` before anything is written.

    Where two files name a record, the newer version is kept. `orphans` are keys that their file
    names no more: whichever file names one takes it, and it is one no longer.
    """
    keys = frozenset(key for key, _, _ in shard.rows)
    former = frozenset(writer.members(shard.batch))
    if not accept_loss:
        refuse_loss(len(former), len(keys), "it")
    held = writer.held(keys)
    left = orphans if orphans is not None else set[int]()
    changed: list[Document] = []
    for document in shard.take():
        there = held.get(document.key)
        if there is not None and there.signature == document.signature:
            continue
        is_elsewhere = there is not None and document.key not in former and document.key not in left
        if is_elsewhere and there is not None and there.updated > document.updated:
            continue
        if not document.body:
            raise Overtaken
        changed.append(document)
    writer.put(changed)
    left.difference_update(document.key for document in changed)
    return Written(len(keys), len(changed), former - keys)
