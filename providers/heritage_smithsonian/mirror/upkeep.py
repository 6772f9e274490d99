"""What the person who runs a server does with the mirror: renew it, look at it, check it, drop it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from heritage_gateway.errors import GatewayError
from heritage_gateway.index import SHUFFLED, IndexFault
from heritage_gateway.index.embedded import ENGINE, HEAP, EmbeddedReader, EmbeddedWriter
from heritage_gateway.index.generations import Generations, write_whole
from heritage_gateway.index.sums import differences, read_sums, take, write_sums
from heritage_gateway.index.terms import dump
from heritage_smithsonian.mirror.bucket import Bucket, Listing, Shard, snapshot_id
from heritage_smithsonian.mirror.entry import LAYOUT, LAYOUT_NAME, decoded
from heritage_smithsonian.mirror.imprint import Imprint, read_imprint, refuse_foreign
from heritage_smithsonian.mirror.intake import SyncFault
from heritage_smithsonian.mirror.progress import Progress
from heritage_smithsonian.mirror.state import FileState, State
from heritage_smithsonian.mirror.sync import Build, Tally, is_new

_LAST = "last-sync.json"
_SHARE = 0.4  # of a file's bytes that its records take in the index, raw ones included
_SPARE = 2  # times that, while it is built: merges write segments anew beside the old ones
_PURPOSE = "purpose"
_MOST_UNITS = 1_000
_SAMPLE = 1_000  # records that a check unpacks


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be renewed. No `units`: what the mirror holds already, or everything."""

    units: tuple[str, ...] = ()
    everything: bool = False
    accept_loss: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """`imprint` is of the mirror that serves now; `renewed` says that it is another than before."""

    imprint: Imprint
    renewed: bool
    tally: Tally


@dataclass(frozen=True, slots=True)
class _Plan:
    """`only` names the units that the mirror is to hold, `asked` those that are renewed; none: all.

    `begun` is the unfinished build that goes on.
    """

    only: tuple[str, ...]
    asked: tuple[str, ...]
    begun: Path | None


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Upkeep:
    """One folder with a mirror in it."""

    folder: Path
    now: Callable[[], datetime] = _now
    heap: int = HEAP  # bytes that the engine takes while it writes

    @property
    def generations(self) -> Generations:
        return Generations(self.folder)

    def imprint(self) -> Imprint:
        """Of the mirror that serves. Raises `IndexFault`."""
        return self._serving()[1]

    def _serving(self) -> tuple[Path, Imprint]:
        current = self.generations.current
        if current is None:
            raise IndexFault("There is no mirror here.")
        imprint = read_imprint(current)
        refuse_foreign(imprint, engine=ENGINE, layout=LAYOUT_NAME)
        return current, imprint

    async def sync(self, bucket: Bucket, wish: Wish, progress: Progress) -> Outcome:
        """Raises `IndexFault` and `GatewayError`; what was done until then is kept."""
        with self.generations.locked():
            tally = Tally()
            try:
                with _disk():
                    outcome = await self._sync(bucket, wish, progress, tally)
            except (IndexFault, GatewayError) as error:
                with suppress(OSError):  # the disk may be full
                    self._remember(tally, error=getattr(error, "message", str(error)))
                raise
            self._remember(tally)
            return outcome

    async def _sync(self, bucket: Bucket, wish: Wish, progress: Progress, tally: Tally) -> Outcome:
        former = self._former()
        plan = self._plan(wish, former)
        listing = await bucket.listing(plan.asked or None)
        known = _files(plan.begun or (self.generations.current if former else None))
        units = _by_unit(listing, wish, plan, known)
        self._refuse_full_disk(units, known)
        made = plan.begun or self._begin(plan, former)
        downloads = self.folder / "downloads"
        with State(made) as state:
            writer = EmbeddedWriter(made, LAYOUT, heap=self.heap)
            build = Build(*(bucket, writer, state, downloads, progress), wish.accept_loss, tally)
            try:
                if made == plan.begun:
                    writer.commit()  # clears away what a killed commit left in the next one's way
                await build.run(units)
            finally:
                writer.close()
            shutil.rmtree(downloads, ignore_errors=True)
            if former is None and tally.faults and not wish.accept_loss:
                raise SyncFault(
                    f"The mirror is not whole and does not serve yet, as {_faulty(tally)} could not "
                    "be taken; run the sync again, or with --accept-loss."
                )
            is_same = made != plan.begun and not build.has_changed
            if former is not None and is_same and former.only == plan.only:
                imprint, renewed = former, False
            else:
                progress.say("Listing the vocabularies, taking checksums.")
                imprint, renewed = self._finish(made, state, plan.only), True
        if renewed:
            self.generations.switch(made)
        else:
            self.generations.abandon()
        return Outcome(imprint, renewed=renewed, tally=tally)

    def _former(self) -> Imprint | None:
        """None where there is no mirror, or one that this version cannot read."""
        with suppress(IndexFault):
            return self.imprint()
        return None

    def _plan(self, wish: Wish, former: Imprint | None) -> _Plan:
        """An unfinished build goes on if the wish is the same, or says nothing."""
        begun, units = self._unfinished(former)
        if begun is not None and wish == Wish(accept_loss=wish.accept_loss):
            return _Plan(units, units, begun)
        only = _only(self._lying(), wish)
        asked = wish.units if wish.units and former is not None and not wish.everything else only
        return _Plan(only, asked, begun if units == only else None)

    def _unfinished(self, former: Imprint | None) -> tuple[Path | None, tuple[str, ...]]:
        """The build that goes on from what serves now, if there is one, and its units.

        One that was killed just after it began to serve is still named, and must be left alone.
        """
        working = self.generations.working
        if working is not None and working != self.generations.current:
            with suppress(IndexFault, ValueError), State(working) as state:
                engine, layout, only, snapshot = json.loads(state.fact(_PURPOSE) or "")
                origin = former.snapshot if former is not None else None
                if (engine, layout, snapshot) == (ENGINE, LAYOUT_NAME, origin):
                    return working, tuple(only)
        return None, ()

    def _lying(self) -> Imprint | None:
        """Of the mirror that lies here, also one of another version: its units are built anew."""
        current = self.generations.current
        with suppress(IndexFault):
            return None if current is None else read_imprint(current)
        return None

    def _begin(self, plan: _Plan, former: Imprint | None) -> Path:
        if self.generations.working != self.generations.current:
            self.generations.abandon()
        made = self.generations.fork(afresh=former is None)
        origin = former.snapshot if former is not None else None
        with State(made) as state:
            state.remember(_PURPOSE, json.dumps([ENGINE, LAYOUT_NAME, plan.only, origin]))
        return made

    def _refuse_full_disk(
        self, units: Mapping[str, Sequence[Shard]], known: Mapping[str, FileState]
    ) -> None:
        """Before the first download; sizes are known where the bucket lists them. Raises `SyncFault`."""
        fetched = [
            shard.size or 0 for unit in units.values() for shard in unit if is_new(shard, known)
        ]
        needed = int(sum(fetched) * _SHARE * _SPARE) + max(fetched, default=0)
        free = shutil.disk_usage(self.folder).free
        if needed > free:
            raise SyncFault(
                f"The disk is too small: building takes about {needed / 1e9:,.1f} GB, and "
                f"{free / 1e9:,.1f} GB are free in {self.folder}."
            )

    def _finish(self, made: Path, state: State, only: Sequence[str]) -> Imprint:
        """The side files: vocabularies, the imprint, and the checksums of all the others."""
        reader = EmbeddedReader(made, LAYOUT)
        dump(reader, LAYOUT.fields, made)
        files = state.files()
        published = [file.published for file in files.values() if file.published]
        imprint = Imprint(
            engine=ENGINE,
            layout=LAYOUT_NAME,
            snapshot=snapshot_id({file.batch: file.etag for file in files.values()}),
            published=max(published, default=self.now()),
            built=self.now(),
            records=reader.stats().entries,
            units=dict(sorted(reader.facet((), "unit_code", size=_MOST_UNITS).counts)),
            only=tuple(only),
        )
        imprint.write(made)
        current = self.generations.current
        before = None
        if current is not None:
            with suppress(IndexFault):
                before = read_sums(current)
        write_sums(made, take(made, before))
        return imprint

    def _remember(self, tally: Tally, error: str = "") -> None:
        told = {"at": self.now().isoformat(timespec="seconds"), "error": error, **asdict(tally)}
        write_whole(self.folder / _LAST, json.dumps(told, indent=1))

    def last(self) -> Mapping[str, Any] | None:
        """What the last sync left in words: `at`, `error`, `faults` and the counts of its tally."""
        try:
            told: object = json.loads((self.folder / _LAST).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return cast(dict[str, Any], told) if isinstance(told, dict) else None

    def size(self) -> int:
        """Bytes of the generation that serves."""
        current = self.generations.current
        files = current.rglob("*") if current is not None else ()
        return sum(path.stat().st_size for path in files if path.is_file())

    def check(self) -> list[str]:
        """A sentence for everything that is not as it was built. Raises `IndexFault`."""
        current, imprint = self._serving()
        found = differences(current, read_sums(current))
        if found:
            return found
        reader = EmbeddedReader(current, LAYOUT)
        if reader.stats().entries != imprint.records:
            found.append(f"{reader.stats().entries:,} records are there, of {imprint.records:,}.")
        for record in reader.search((), start=0, rows=_SAMPLE, order=SHUFFLED).records:
            decoded(record)
        return found

    def drop(self) -> bool:
        """Was there anything? Raises `Busy` while a sync is at work."""
        if not self.folder.is_dir():
            return False
        with self.generations.locked():
            was_there = self.generations.current is not None or self.generations.working is not None
            self.generations.drop()
            shutil.rmtree(self.folder / "downloads", ignore_errors=True)
            (self.folder / _LAST).unlink(missing_ok=True)
        return was_there


@contextmanager
def _disk() -> Generator[None]:
    try:
        yield
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise SyncFault(f"The mirror cannot be written: {said}.") from error


def _only(former: Imprint | None, wish: Wish) -> tuple[str, ...]:
    """The units that the renewed mirror is to hold; none named: all. Nothing held is let go of."""
    asked: Collection[str] = wish.units
    if (
        wish.everything
        or (former is None and not asked)
        or (former is not None and not former.only)
    ):
        return ()
    held = () if former is None else former.only
    return tuple(sorted({unit.upper() for unit in (*held, *asked)}))


def _files(folder: Path | None) -> Mapping[str, FileState]:
    if folder is None:
        return {}
    with State(folder) as state:
        return state.files()


def _by_unit(
    listing: Listing, wish: Wish, plan: _Plan, known: Mapping[str, FileState]
) -> dict[str, list[Shard]]:
    """All files of each unit; a unit that is held and no longer listed has none.

    Raises `SyncFault` for a unit that was never there.
    """
    held = {file.unit for file in known.values()}
    strange = [unit for unit in listing.unknown if unit in wish.units or unit.lower() not in held]
    if strange:
        raise SyncFault(f"The bulk data have no unit {', '.join(strange)}.")
    units: dict[str, list[Shard]] = {}
    for shard in listing.shards:
        units.setdefault(shard.unit, []).append(shard)
    for unit in (code.lower() for code in plan.asked or sorted(held)):
        units.setdefault(unit, [])
    return units


def _faulty(tally: Tally) -> str:
    count = len(tally.faults)
    return "1 file" if count == 1 else f"{count:,} files"
