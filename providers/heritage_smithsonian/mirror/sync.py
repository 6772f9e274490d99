"""Bringing the mirror up to date: only changed files are fetched, only changed records written.

The work is done in a generation of its own, which begins to serve when it is whole; until then the
former one does, whatever becomes of this process. A later run goes on where a killed one stopped.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections import deque
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from heritage_gateway.errors import GatewayError, NothingFound
from heritage_gateway.http import Downloaded
from heritage_gateway.index import Held, Writer
from heritage_gateway.threads import settled
from heritage_smithsonian.mirror.bucket import Bucket, Shard
from heritage_smithsonian.mirror.entry import by_kind
from heritage_smithsonian.mirror.intake import Intake, SyncFault
from heritage_smithsonian.mirror.progress import Progress
from heritage_smithsonian.mirror.shard import (
    Doubtful,
    Overtaken,
    Prepared,
    Written,
    few_collections,
    first_lines,
    prepare,
    refuse_loss,
    write,
)
from heritage_smithsonian.mirror.state import FileState, State

COMMIT_EVERY = 500_000  # records; a killed build loses no more than these
LEARN_FROM = 1_000  # records that a unit's dictionary is learnt from
WORTH_A_PROCESS = 1_000_000  # bytes; smaller files are prepared before another process has begun
_AHEAD = 256_000_000  # bytes of files that are prepared while the engine is at the ones before


def is_new(shard: Shard, known: Mapping[str, FileState]) -> bool:
    """Another version than the one known, as far as the listing tells."""
    held = known.get(shard.batch)
    return held is None or shard.etag is None or held.etag != shard.etag


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
    _came: dict[str, FileState] = field(default_factory=dict[str, FileState])  # and not yet written
    _learnt: set[str] = field(default_factory=set[str])

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
            with few_collections():
                await self._read(changed, units)
        except (SyncFault, asyncio.CancelledError):
            await settled(self._write_rest)
            await settled(self._commit)
            raise

    async def _read(self, changed: Iterable[Shard], units: Mapping[str, Sequence[Shard]]) -> None:
        """Units in which nothing has changed may still have files that went, or work left over."""
        left, unit = dict(units), ""
        intake = self._intake()
        async with aclosing(self._prepared(intake, changed)) as prepared:
            async for state, shard in prepared:
                if unit and state.unit != unit:
                    await self._close(unit, left.pop(unit))
                unit = state.unit
                await settled(self._write, state, shard)
        intake.raise_if_ended()
        for rest, shards in left.items():
            await self._close(rest, shards)
        await settled(self._commit)

    # -- what comes --------------------------------------------------------------------------------

    def _intake(self) -> Intake:
        return Intake(self.bucket, self._file, self._etag, self.progress.arrived)

    def _etag(self, batch: str) -> str | None:
        """Of the version at hand."""
        known = self._known.get(batch)
        return known.etag if known is not None and known.etag else None

    def _file(self, batch: str) -> Path:
        return self.downloads / f"{batch.replace('/', '-')}.txt"

    def _arrived(self, shard: Shard, outcome: Downloaded | GatewayError) -> FileState | None:
        """What is to be read; None where nothing is."""
        batch = shard.batch
        if isinstance(outcome, GatewayError):
            if not (isinstance(outcome, NothingFound) and shard.guessed):
                self._fault(batch, outcome.message)
            self.progress.done(batch, 0)
            return None
        if not outcome.changed:
            self.tally.unchanged += 1
            self.progress.done(batch, 0)
            return None
        self.tally.fetched += 1
        self.tally.bytes += outcome.size or 0
        state = FileState(
            *(shard.unit, shard.name, outcome.etag or shard.etag or ""),
            published=outcome.last_modified or shard.last_modified,
            records=0,
        )
        self._came[batch] = state
        return state

    # -- preparing, in other processes -------------------------------------------------------------

    async def _prepared(
        self, intake: Intake, shards: Iterable[Shard]
    ) -> AsyncGenerator[tuple[FileState, Prepared]]:
        """In the order given; those after the one that is being written are prepared meanwhile."""
        window: deque[tuple[FileState, int, asyncio.Task[Prepared]]] = deque()
        processes = CapacityLimiter(os.cpu_count() or 1)
        try:
            async with aclosing(self._lots(intake, shards)) as lots:
                async for lot in lots:
                    for state in lot:
                        held = await settled(self._held, state.batch)
                        task = asyncio.create_task(self._prepare(state, held, processes))
                        window.append((state, self._file(state.batch).stat().st_size, task))
                    while window and (not lot or window[0][2].done() or _size(window) > _AHEAD):
                        state, _, task = window.popleft()
                        try:
                            yield state, await task
                        except Doubtful as doubt:
                            self._refuse(state.batch, doubt)
        finally:
            for _, _, task in window:
                task.cancel()
            await asyncio.gather(*(task for _, _, task in window), return_exceptions=True)

    async def _lots(
        self, intake: Intake, shards: Iterable[Shard]
    ) -> AsyncGenerator[Sequence[FileState]]:
        """Files that came, and at their end an empty lot.

        The first ones of a unit wait until there are enough to learn its dictionary from.
        """
        lot: list[FileState] = []
        sample: list[bytes] = []
        async with aclosing(intake.outcomes(shards)) as fetched:
            async for shard, outcome in fetched:
                if lot and lot[0].unit != shard.unit:
                    await settled(self._learn, lot[0].unit, sample)
                    yield lot
                    lot, sample = [], []
                state = self._arrived(shard, outcome)
                if state is None:
                    continue
                lot.append(state)
                if state.unit not in self._learnt:
                    missing = LEARN_FROM - len(sample)
                    sample += await settled(first_lines, self._file(state.batch), missing)
                    if len(sample) < LEARN_FROM:
                        continue
                await settled(self._learn, state.unit, sample)
                yield lot
                lot, sample = [], []
        if lot:
            await settled(self._learn, lot[0].unit, sample)
            yield lot
        yield ()

    def _learn(self, unit: str, lines: Sequence[bytes]) -> None:
        if unit not in self._learnt:
            for kind, records in by_kind(lines).items():
                self.writer.learn(kind, records)
            self._learnt.add(unit)

    def _held(self, batch: str) -> Mapping[int, Held]:
        return self.writer.held(self.writer.members(batch))

    async def _prepare(
        self, state: FileState, held: Mapping[int, Held], processes: CapacityLimiter
    ) -> Prepared:
        file = self._file(state.batch)
        work = (file, state.batch, self.writer.maker(), held)
        if file.stat().st_size < WORTH_A_PROCESS:
            return await settled(prepare, *work)
        try:
            return await to_process.run_sync(prepare, *work, cancellable=True, limiter=processes)
        except BrokenWorkerProcess:
            raise SyncFault(
                "A process that prepares records was ended from outside; run the sync again."
            ) from None

    # -- writing -----------------------------------------------------------------------------------

    def _write(self, state: FileState, shard: Prepared) -> None:
        try:
            done = self._put_records(state, shard)
        except Doubtful as doubt:
            self._refuse(state.batch, doubt)
            return
        self._drop(state.batch)
        self.tally.written += done.written
        self._uncommitted += done.written
        self._orphans |= done.stale
        self._done.append(replace(state, records=done.records, stale=done.stale))
        self.progress.done(state.batch, done.written)
        if self._uncommitted >= COMMIT_EVERY:
            self._commit()

    def _put_records(self, state: FileState, shard: Prepared) -> Written:
        try:
            return write(self.writer, shard, accept_loss=self.accept_loss, orphans=self._orphans)
        except Overtaken:
            anew = prepare(self._file(state.batch), state.batch, self.writer.maker())
            return write(self.writer, anew, accept_loss=self.accept_loss, orphans=self._orphans)

    def _write_rest(self) -> None:
        """What came and is quickly written; larger files come again with the next run."""
        for state in list(self._came.values()):
            file = self._file(state.batch)
            if file.stat().st_size < WORTH_A_PROCESS:
                try:
                    self._write(state, prepare(file, state.batch, self.writer.maker()))
                except Doubtful as doubt:
                    self._refuse(state.batch, doubt)

    def _drop(self, batch: str) -> None:
        self._came.pop(batch, None)
        self._file(batch).unlink(missing_ok=True)

    def _commit(self) -> None:
        """Nothing is written that is not told of in the end, so nothing told means nothing written."""
        if self._done:
            self.writer.commit()
            self._put(self._done)
            self._done.clear()
            self._uncommitted = 0
            gc.collect()

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
            intake = self._intake()
            async with aclosing(self._prepared(intake, doubles)) as prepared:
                async for state, shard in prepared:
                    await settled(self._write, state, shard)
            intake.raise_if_ended()
            await settled(self._clear, unit, shards, True)

    def _clear(self, unit: str, shards: Collection[Shard], last: bool = False) -> list[Shard]:
        """Gives the files that must be read first: they name what another file has, or had."""
        listed = {shard.batch: shard for shard in shards}
        known = self._known | {file.batch: file for file in self._done}
        here = [file for file in known.values() if file.unit == unit]
        gone = [file.batch for file in here if file.batch not in listed]
        if not gone and not any(file.stale for file in here):
            return []
        self._commit()
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
        self._drop(batch)
        self._fault(batch, f"It is refused, and its former data kept: {doubt}.")
        self.progress.done(batch, 0)

    def _fault(self, name: str, sentence: str) -> None:
        self.tally.faults[name] = sentence
        self.progress.say(f"{name}: {sentence}")


def _size(window: Iterable[tuple[FileState, int, object]]) -> int:
    return sum(size for _, size, _ in window)
