"""Bringing the mirror up to date: only changed files are fetched, only changed records written.

The work is done in a generation of its own, which begins to serve when it is whole; until then the
former one does, whatever becomes of this process. A later run goes on where a killed one stopped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from heritage_gateway.errors import GatewayError, NothingFound, Refused, UpstreamError
from heritage_gateway.http import Downloaded
from heritage_gateway.index import Entry, IndexFault, Writer
from heritage_gateway.threads import settled
from heritage_smithsonian.mirror.bucket import Bucket, Shard
from heritage_smithsonian.mirror.progress import Progress
from heritage_smithsonian.mirror.shard import (
    Doubtful,
    ShardRecords,
    read,
    refuse_loss,
    write,
)
from heritage_smithsonian.mirror.state import FileState, State

PARALLEL = 6  # downloads at a time, and files that wait on the disk
COMMIT_EVERY = 250_000  # records; a killed build loses no more than these
LEARN_FROM = 1_000  # records that a unit's dictionary is learnt from
_GIVE_UP_AFTER = 5  # files in a row that could not be fetched


def is_new(shard: Shard, known: Mapping[str, FileState]) -> bool:
    """Another version than the one known, as far as the listing tells."""
    held = known.get(shard.batch)
    return held is None or shard.etag is None or held.etag != shard.etag


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
    has_changed: bool = False  # the generation is another one than before
    _known: dict[str, FileState] = field(default_factory=dict[str, FileState])
    _former: dict[str, int] = field(default_factory=dict[str, int])
    _orphans: set[int] = field(default_factory=set[int])
    _done: list[FileState] = field(default_factory=list[FileState])
    _uncommitted: int = 0
    _waiting: list[tuple[FileState, ShardRecords]] = field(
        default_factory=list[tuple[FileState, ShardRecords]]
    )

    async def run(self, units: Mapping[str, Sequence[Shard]]) -> None:
        """`units` are all files that the bucket has of each. Raises `SyncFault`.

        Whoever stops it in good order, such as a bucket that went down, loses nothing.
        """
        self._known = dict(self.state.files())
        for file in self._known.values():
            held = file.records + len(file.stale)
            self._former[file.unit] = self._former.get(file.unit, 0) + held
            self._orphans |= file.stale
        changed = [
            shard for shards in units.values() for shard in shards if is_new(shard, self._known)
        ]
        sizes = [shard.size for shard in changed]
        whole = sum(size or 0 for size in sizes) if None not in sizes else None
        self.progress.begin(len(changed), whole)
        self.downloads.mkdir(parents=True, exist_ok=True)
        try:
            await self._read(changed, units)
        except (SyncFault, asyncio.CancelledError):
            await settled(self._write_waiting)
            await settled(self._commit)
            raise

    async def _read(self, changed: Iterable[Shard], units: Mapping[str, Sequence[Shard]]) -> None:
        """Units in which nothing has changed may still have files that went, or work left over."""
        left, unit = dict(units), ""
        async with aclosing(self._fetched(changed)) as fetched:
            async for shard, outcome in fetched:
                if unit and shard.unit != unit:
                    await self._close(unit, left.pop(unit))
                unit = shard.unit
                await settled(self._take, shard, outcome)
        for rest, shards in left.items():
            await self._close(rest, shards)
        await settled(self._commit)

    # -- fetching ----------------------------------------------------------------------------------

    async def _fetched(
        self, shards: Iterable[Shard]
    ) -> AsyncGenerator[tuple[Shard, Downloaded | GatewayError]]:
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
        known = self._known.get(shard.batch)
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
        batch, file = shard.batch, self._file(shard)
        if isinstance(outcome, GatewayError):
            if not (isinstance(outcome, NothingFound) and shard.guessed):
                self._fault(batch, outcome.message)
            self.progress.done(batch, 0)
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
            self._refuse(batch, doubt)
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
            done = write(self.writer, shard, accept_loss=self.accept_loss, orphans=self._orphans)
        except Doubtful as doubt:
            self._refuse(state.batch, doubt)
            return
        self.tally.written += done.written
        self._uncommitted += done.written
        self._orphans |= done.stale
        self._done.append(replace(state, records=done.records, stale=done.stale))
        self.progress.done(state.batch, done.written)

    def _commit(self) -> None:
        """Nothing is written that is not told of in the end, so nothing told means nothing written."""
        if self._done:
            self.writer.commit()
            self._put(self._done)
            self._done.clear()
            self._uncommitted = 0

    def _put(self, files: Collection[FileState], gone: Collection[str] = ()) -> None:
        self.state.put(files, gone)
        self._known.update((file.batch, file) for file in files)
        for batch in gone:
            del self._known[batch]
        self.has_changed = True

    # -- deletions, a whole unit at a time ---------------------------------------------------------

    async def _close(self, unit: str, shards: Sequence[Shard]) -> None:
        """All files of the unit have been looked at; what none of them names any more goes."""
        doubles = await settled(self._clear, unit, shards)
        if doubles:
            async with aclosing(self._fetched(doubles)) as fetched:
                async for shard, outcome in fetched:
                    await settled(self._take, shard, outcome)
            await settled(self._clear, unit, shards, True)

    def _clear(self, unit: str, shards: Collection[Shard], last: bool = False) -> list[Shard]:
        """Gives the files that must be read first: they name what another file has, or had."""
        self._write_waiting()
        self._commit()
        listed = {shard.batch: shard for shard in shards}
        here = [file for file in self._known.values() if file.unit == unit]
        gone = [file.batch for file in here if file.batch not in listed]
        if not gone and not any(file.stale for file in here):
            return []
        if any(fault.partition("/")[0] == unit for fault in self.tally.faults):
            return []  # a record may have moved to the file that could not be read
        try:
            going = self._going(unit, here, gone)
        except Doubtful as doubt:
            self._fault(unit, f"Nothing of it is deleted: {doubt}.")
            return []
        if going and not last:
            looked = (file for file in here if file.batch in listed)
            if doubles := [file for file in looked if self._has_doubles(file)]:
                self._orphans |= going
                self._put([replace(file, etag="") for file in doubles])
                return [listed[file.batch] for file in doubles]
        for key in going:
            self.writer.delete(key)
        self.writer.commit()
        self.tally.deleted += len(going)
        self._put([replace(file, stale=frozenset()) for file in here if file.stale], gone)
        return []

    def _going(
        self, unit: str, files: Collection[FileState], gone: Collection[str]
    ) -> frozenset[int]:
        """Raises `Doubtful` where a file or the unit would lose more than half."""
        going: set[int] = set()
        for file in files:
            if not file.stale and file.batch not in gone:
                continue
            members = frozenset(self.writer.members(file.batch))
            if file.batch in gone and not self.accept_loss:
                refuse_loss(len(members), 0, f"{file.batch}, which is no longer there,")
            going |= members if file.batch in gone else members & file.stale
        if not self.accept_loss:
            now = sum(file.records for file in files if file.batch not in gone)
            refuse_loss(self._former.get(unit, 0), now, unit)
        return frozenset(going)

    def _has_doubles(self, file: FileState) -> bool:
        """It names more records than came in it last."""
        return file.records > len(frozenset(self.writer.members(file.batch)) - file.stale)

    def _refuse(self, batch: str, doubt: Doubtful) -> None:
        self._fault(batch, f"It is refused, and its former data kept: {doubt}.")
        self.progress.done(batch, 0)

    def _fault(self, name: str, sentence: str) -> None:
        self.tally.faults[name] = sentence
        self.progress.say(f"{name}: {sentence}")
