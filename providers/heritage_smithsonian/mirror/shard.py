"""One file of the bucket: read whole before anything of it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heritage_gateway.errors import UpstreamMalformed
from heritage_gateway.index import Entry, Writer, key_of
from heritage_smithsonian.mirror.entry import entry

SLIGHT = 2  # records that a file may lose without being doubted, however small it is


class Doubtful(Exception):
    """A file that is refused; what the index holds of it is kept. The message says why."""


@dataclass(frozen=True, slots=True)
class ShardRecords:
    """The newest version of each record in a file, by key."""

    batch: str
    entries: Mapping[int, Entry]


@dataclass(frozen=True, slots=True)
class Written:
    """`stale` are keys that came in this file before, and do not now."""

    records: int
    written: int
    stale: frozenset[int]


def read(file: Path, batch: str) -> ShardRecords:
    """The same record may stand on two lines; the larger lastTimeUpdated wins. Raises `Doubtful`."""
    found: dict[int, Entry] = {}
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text:
                continue
            try:
                made = entry(text, batch)
            except UpstreamMalformed:
                cut = "" if line.endswith(b"\n") else ", which is cut off"
                raise Doubtful(f"line {number} is no record{cut}") from None
            key = key_of(made.id)
            if key not in found or made.updated >= found[key].updated:
                found[key] = made
    return ShardRecords(batch, found)


def refuse_loss(former: int, now: int, what: str) -> None:
    """Half of it gone is likelier a fault than a fact. Raises `Doubtful`."""
    if former - now > SLIGHT and now * 2 < former:
        raise Doubtful(f"{what} held {former:,} records and has only {now:,} now")


def write(
    writer: Writer, shard: ShardRecords, *, accept_loss: bool, orphans: set[int] | None = None
) -> Written:
    """Write what has changed. Raises `Doubtful` before anything is written.

    Where two files name a record, the newer version is kept. `orphans` are keys that their file
    names no more: whichever file names one takes it, and it is one no longer.
    """
    entries = shard.entries
    former = frozenset(writer.members(shard.batch))
    if not accept_loss:
        refuse_loss(len(former), len(entries), "it")
    held = writer.held(entries)
    left = orphans if orphans is not None else set[int]()
    changed: list[Entry] = []
    for key, made in entries.items():
        there = held.get(key)
        if there is not None and there.signature == made.signature:
            continue
        is_elsewhere = there is not None and key not in former and key not in left
        if is_elsewhere and there is not None and there.updated > made.updated:
            continue
        changed.append(made)
        left.discard(key)
    writer.upsert(*changed)
    return Written(len(entries), len(changed), former - frozenset(entries))
