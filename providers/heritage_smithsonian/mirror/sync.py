"""Bringing the mirror up to date: only changed files are fetched, only changed records written.

The work is done in a generation of its own, which begins to serve when it is whole; until then the
former one does, whatever becomes of this process. A later run goes on where a killed one stopped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from heritage_gateway.errors import GatewayError, NothingFound, Refused, UpstreamError
from heritage_gateway.http import Downloaded
from heritage_gateway.index import Entry, IndexFault, Writer
from heritage_smithsonian.mirror.bucket import Bucket, Shard
from heritage_smithsonian.mirror.progress import Progress
from heritage_smithsonian.mirror.shard import (
    Doubtful,
    ShardRecords,
    read,
    refuse_loss,
    remove_stale,
    write,
)
from heritage_smithsonian.mirror.state import FileState, State

PARALLEL = 6  # downloads at a time, and files that wait on the disk
COMMIT_EVERY = 250_000  # records; a killed build loses no more than these
LEARN_FROM = 1_000  # records that a unit's dictionary is learnt from
_GIVE_UP_AFTER = 5  # files in a row that could not be fetched


class SyncFault(IndexFault):
    """The sync cannot go on; the message says why in one sentence, and what was done is kept."""


@dataclass(slots=True)
class Tally:
    """What one run has done, and what it had to leave. `faults` are sentences by batch or unit."""

    fetched: int = 0
    bytes: int = 0
    written: int = 0
    deleted: int = 0
    unchanged: int = 0
    faults: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Build:
    """The files of some units, brought into one generation."""

    bucket: Bucket
    writer: Writer
    state: State
    downloads: Path
    progress: Progress
    accept_loss: bool = False
    tally: Tally = field(default_factory=Tally)
    _known: dict[str, FileState] = field(default_factory=dict[str, FileState])
    _former: dict[str, int] = field(default_factory=dict[str, int])
    _done: list[FileState] = field(default_factory=list[FileState])
    _uncommitted: int = 0
    _waiting: list[tuple[FileState, ShardRecords]] = field(
        default_factory=list[tuple[FileState, ShardRecords]]
    )

    async def run(self, units: Mapping[str, Sequence[Shard]]) -> None:
        """`units` are all files that the bucket has of each; raises `SyncFault`."""
        self._known = dict(self.state.files())
        for file in self._known.values():
            self._former[file.unit] = self._former.get(file.unit, 0) + file.records
        changed = [shard for shards in units.values() for shard in shards if self._is_new(shard)]
        sizes = [shard.size for shard in changed]
        whole = sum(size or 0 for size in sizes) if None not in sizes else None
        self.progress.begin(len(changed), whole)
        self.downloads.mkdir(parents=True, exist_ok=True)
        unit = ""
        async for shard, outcome in self._fetched(changed):
            if unit and shard.unit != unit:
                await asyncio.to_thread(self._close, unit, units[unit])
            unit = shard.unit
            await asyncio.to_thread(self._take, shard, outcome)
        if unit:
            await asyncio.to_thread(self._close, unit, units[unit])
        await asyncio.to_thread(self._close_rest, units)

    def _is_new(self, shard: Shard) -> bool:
        known = self._known.get(_batch(shard))
        return known is None or shard.etag is None or known.etag != shard.etag

    # -- fetching ----------------------------------------------------------------------------------

    async def _fetched(
        self, shards: Iterable[Shard]
    ) -> AsyncIterator[tuple[Shard, Downloaded | GatewayError]]:
        """In the order given, some ahead of the one that is being read."""
        window: deque[tuple[Shard, asyncio.Task[Downloaded | GatewayError]]] = deque()
        failures = 0
        try:
            for shard in (*shards, None):
                if shard is not None:
                    window.append((shard, asyncio.create_task(self._fetch(shard))))
                while window and (shard is None or len(window) >= PARALLEL):
                    first, task = window.popleft()
                    outcome = await task
                    failures = failures + 1 if isinstance(outcome, UpstreamError) else 0
                    if failures >= _GIVE_UP_AFTER and isinstance(outcome, GatewayError):
                        raise SyncFault(f"{outcome.message} Run the sync again later to go on.")
                    yield first, outcome
        finally:
            for _, task in window:
                task.cancel()
            await asyncio.gather(*(task for _, task in window), return_exceptions=True)

    async def _fetch(self, shard: Shard) -> Downloaded | GatewayError:
        known = self._known.get(_batch(shard))
        etag = known.etag if known is not None and known.etag else None
        try:
            return await self.bucket.fetch(
                shard, self._file(shard), etag=etag, on_bytes=self.progress.arrived
            )
        except GatewayError as error:
            if not isinstance(error, UpstreamError | NothingFound | Refused):
                raise SyncFault(f"{error.message} {error.hint}") from None
            return error

    def _file(self, shard: Shard) -> Path:
        return self.downloads / f"{shard.unit}-{shard.name}.txt"

    # -- writing -----------------------------------------------------------------------------------

    def _take(self, shard: Shard, outcome: Downloaded | GatewayError) -> None:
        batch, file = _batch(shard), self._file(shard)
        if isinstance(outcome, GatewayError):
            if not (isinstance(outcome, NothingFound) and shard.guessed):
                self._fault(batch, outcome.message)
            return
        if not outcome.changed:
            self.tally.unchanged += 1
            self.progress.done(batch, 0)
            return
        self.tally.fetched += 1
        self.tally.bytes += outcome.size or 0
        state = FileState(
            *(shard.unit, shard.name, outcome.etag or shard.etag or ""),
            published=outcome.last_modified or shard.last_modified,
            records=0,
        )
        try:
            self._waiting.append((state, read(file, batch)))
        except Doubtful as doubt:
            self._fault(batch, f"It is refused, and its former data kept: {doubt}.")
        file.unlink(missing_ok=True)
        if sum(len(shard.entries) for _, shard in self._waiting) >= LEARN_FROM:
            self._write_waiting()

    def _write_waiting(self) -> None:
        """Small files together, so that there is enough to learn a dictionary from."""
        waiting, self._waiting = self._waiting, []
        kinds: dict[str, list[Entry]] = {}
        for _, shard in waiting:
            for made in shard.entries.values():
                kinds.setdefault(made.kind, []).append(made)
        for kind, entries in kinds.items():
            self.writer.learn(kind, [made.record for made in entries[:LEARN_FROM]])
        for state, shard in waiting:
            self._write(state, shard)
        if self._uncommitted >= COMMIT_EVERY:
            self._commit()

    def _write(self, state: FileState, shard: ShardRecords) -> None:
        try:
            done = write(self.writer, shard, accept_loss=self.accept_loss)
        except Doubtful as doubt:
            self._fault(state.batch, f"It is refused, and its former data kept: {doubt}.")
            return
        self.tally.written += done.written
        self._uncommitted += done.written
        etag = "" if done.again else state.etag
        self._done.append(replace(state, etag=etag, records=done.records, stale=done.stale))
        self.progress.done(state.batch, done.written)

    def _commit(self) -> None:
        self.writer.commit()
        self.state.put(self._done)
        self._known.update((file.batch, file) for file in self._done)
        self._done.clear()
        self._uncommitted = 0

    # -- deletions, a whole unit at a time ---------------------------------------------------------

    def _close(self, unit: str, shards: Collection[Shard]) -> None:
        """All files of the unit have been looked at; what no file names any more goes."""
        self._write_waiting()
        here = {file.batch: file for file in (*self._known.values(), *self._done)}
        here = {batch: file for batch, file in here.items() if file.unit == unit}
        listed = {_batch(shard) for shard in shards}
        gone = [file for batch, file in here.items() if batch not in listed]
        if not any(file.stale for file in here.values()) and not gone:
            return
        self._commit()
        if any(fault.partition("/")[0] == unit for fault in self.tally.faults):
            return  # a record may have moved to the file that could not be read
        try:
            stale = self._stale(unit, here.values(), gone)
        except Doubtful as doubt:
            self._fault(unit, f"Nothing of it is deleted: {doubt}.")
            return
        self.tally.deleted += sum(
            remove_stale(self.writer, batch, keys) for batch, keys in stale.items()
        )
        self.writer.commit()
        cleared = [replace(file, stale=frozenset()) for file in here.values() if file.stale]
        self.state.put(cleared, [file.batch for file in gone])
        self._known.update((file.batch, file) for file in cleared)
        for file in gone:
            del self._known[file.batch]

    def _stale(
        self, unit: str, files: Collection[FileState], gone: Collection[FileState]
    ) -> dict[str, Collection[int]]:
        """Raises `Doubtful` where a file or the unit would lose more than half."""
        stale: dict[str, Collection[int]] = {file.batch: file.stale for file in files if file.stale}
        for file in gone:
            members = self.writer.members(file.batch)
            if not self.accept_loss:
                refuse_loss(len(members), 0, f"{file.batch}, which is no longer there,")
            stale[file.batch] = members
        if not self.accept_loss:
            lost = sum(
                len(frozenset(self.writer.members(batch)) & frozenset(keys))
                for batch, keys in stale.items()
            )
            former = self._former.get(unit, 0)
            refuse_loss(former, former - lost, unit)
        return stale

    def _close_rest(self, units: Mapping[str, Sequence[Shard]]) -> None:
        """Units of which nothing was fetched may still have files that went, or work left over."""
        for unit in sorted({file.unit for file in self._known.values()}):
            if unit in units:
                self._close(unit, units[unit])
        self._commit()

    def _fault(self, name: str, sentence: str) -> None:
        self.tally.faults[name] = sentence
        self.progress.say(f"{name}: {sentence}")


def _batch(shard: Shard) -> str:
    return f"{shard.unit}/{shard.name}"
