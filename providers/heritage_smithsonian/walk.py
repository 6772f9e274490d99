"""Related objects as one list: the rows of several searches, interleaved, each object once.

The order depends on nothing but the searches, so pages of any size, in any mixture, neither lose nor
repeat an object. Rows are fetched in windows whose bounds are fixed too; the first is large enough
for several pages, so that a second page costs no request.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

import anyio

from heritage_gateway.errors import GatewayError, UpstreamTimeout
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.normalise import object_row, record_id
from heritage_smithsonian.obedience import carries, doubts
from heritage_smithsonian.signals import Signal
from heritage_smithsonian.source import MirrorFault, Source

DEPTH = 5000  # rows of one signal that are looked at
FIRST_WINDOW = 100
WINDOW = 1000  # the API's largest page
LIFETIME = 600.0  # seconds since the last page; a walk from the start is no older either
_MOST_WALKS = 16
_SHARE = 0.75  # of the time that is left; a signal that takes longer is left out, the others serve


@dataclass(frozen=True, slots=True)
class _Sighting:
    """What is kept of a fetched row: whole records would fill the memory of a long walk."""

    name: str
    row: ObjectRow
    carried: frozenset[str]  # labels of the signals whose terms the row's own index holds


@dataclass(slots=True)
class Stream:
    """The rows of one signal, fetched as far as they were needed.

    `kin` are all signals of the walk: each row is held against every one when it comes in.
    """

    signal: Signal
    kin: Sequence[Signal]
    source: Source
    total: int = 0  # as upstream counts, the anchor included
    doubts: tuple[str, ...] = ()  # where the first rows do not bear the search out
    _ahead: deque[_Sighting] = field(default_factory=deque[_Sighting])
    _fetched: int = 0
    _first: frozenset[str] = frozenset()
    _ended: bool = False

    @property
    def reach(self) -> int:
        return self._fetched if self._ended else max(min(self.total, DEPTH), self._fetched)

    @property
    def is_cut(self) -> bool:
        """Are there objects beyond the depth that is looked at?"""
        return self.total > DEPTH

    async def open(self) -> None:
        """The true count and the first window. Raises `GatewayError`."""
        await self._window(FIRST_WINDOW)
        self._first = frozenset(sighting.name for sighting in self._ahead)

    def found(self, sighting: _Sighting) -> bool:
        """Does the signal find this row? The row's own index tells; words are looked up in the
        first window, whose bounds are fixed, so that the answer does not depend on how far was
        walked.
        """
        if not self.signal.lucene.filters:
            return sighting.name in self._first
        return self.signal.label in sighting.carried

    async def peek(self) -> _Sighting | None:
        """The next row, fetched if it must be; None at the end. Raises `GatewayError`."""
        while not self._ahead:
            start = self._fetched
            if start >= self.reach:
                return None
            await self._window(min(WINDOW - start % WINDOW, DEPTH - start))
            if self._fetched == start:  # fewer rows than were counted: there are no more to have
                self._ended = True
        return self._ahead[0]

    def advance(self) -> None:
        """Past the row that `peek` showed."""
        self._ahead.popleft()

    async def _window(self, size: int) -> None:
        lucene = self.signal.lucene
        found = await self.source.search(lucene, start=self._fetched, rows=size)
        if not self._fetched:
            self.total = found.total
            self.doubts = doubts(found.rows, lucene.filters)
        for row in found.rows:
            carried = frozenset(
                kin.label
                for kin in self.kin
                if kin.lucene.filters and all(carries(row, term) for term in kin.lucene.filters)
            )
            self._ahead.append(_Sighting(record_id(row), object_row(row), carried))
        self._fetched += len(found.rows)


@dataclass(frozen=True, slots=True)
class Relative:
    """An object of the walk, with every answering signal that it shares."""

    row: ObjectRow
    signals: tuple[str, ...]


@dataclass(slots=True)
class Walk:
    """The merged list of one anchor, as far as it was walked.

    `failures` are the signals that could not be asked when the walk began; they stay out of it to
    its end, or an object would be lost or come twice.
    """

    anchor: str
    source: Source
    streams: Sequence[Stream]
    failures: dict[str, GatewayError]
    began: float
    used: float
    merged: list[Relative] = field(default_factory=list[Relative])
    is_broken: bool = False  # its mirror cannot be read any more
    _seen: set[str] = field(default_factory=set[str])
    _turn: int = 0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def ceiling(self) -> int:
        """An upper bound of the list: what every signal alone would give."""
        return sum(stream.reach for stream in self.streams)

    async def upto(self, number: int) -> Sequence[Relative]:
        """At least so many objects from the beginning, fewer only if there are no more.

        Raises `GatewayError` when a search of the walk fails; what was merged stays.
        """
        async with self._lock:
            try:
                while len(self.merged) < number and await self._step():
                    pass
            except MirrorFault:
                self.is_broken = True
                raise
        return self.merged

    async def _step(self) -> bool:
        """Merge the next object: the signals take turns. False when all are at their end."""
        for offset in range(len(self.streams)):
            turn = (self._turn + offset) % len(self.streams)
            stream = self.streams[turn]
            while (sighting := await stream.peek()) is not None:
                stream.advance()
                if sighting.name == self.anchor or sighting.name in self._seen:
                    continue
                self._seen.add(sighting.name)
                self._turn = turn + 1
                self.merged.append(Relative(sighting.row, self._shared(sighting, stream)))
                return True
        return False

    def _shared(self, sighting: _Sighting, finder: Stream) -> tuple[str, ...]:
        return tuple(
            stream.signal.label
            for stream in self.streams
            if stream is finder or stream.found(sighting)
        )


@dataclass(slots=True)
class Walks:
    """The walks begun lately, so that the next page goes on where the last one ended."""

    clock: Callable[[], float]
    _kept: OrderedDict[str, Walk] = field(default_factory=OrderedDict[str, Walk])
    _doors: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock]
    )

    async def of(
        self, anchor: str, wanted: Sequence[Signal], source: Source, *, afresh: bool
    ) -> Walk:
        """The walk of a record; a page from the start asks failed signals again (`afresh`).

        A walk goes on in the source that it began in. Raises `GatewayError` when no signal could
        be asked.
        """
        if not wanted:
            return Walk(anchor, source, (), {}, self.clock(), self.clock())
        door = self._doors.setdefault(anchor, asyncio.Lock())
        async with door:  # pages asked for at the same time are pages of the same walk
            return await self._of(anchor, wanted, source, afresh=afresh)

    async def _of(
        self, anchor: str, wanted: Sequence[Signal], source: Source, *, afresh: bool
    ) -> Walk:
        walk = self._kept.get(anchor)
        if walk is None or self._is_old(walk, source, afresh=afresh):
            walk = await self._begin(anchor, wanted, source)
            if not walk.streams:
                raise next(iter(walk.failures.values()))
            self._kept[anchor] = walk
        walk.used = self.clock()
        self._kept.move_to_end(anchor)
        while len(self._kept) > _MOST_WALKS:
            self._kept.popitem(last=False)
        return walk

    def _is_old(self, walk: Walk, source: Source, *, afresh: bool) -> bool:
        """A list that is being paged through stays; one that is begun anew is asked anew."""
        if walk.is_broken or (afresh and (walk.failures or walk.source is not source)):
            return True
        return self.clock() - (walk.began if afresh else walk.used) > LIFETIME

    async def _begin(self, anchor: str, wanted: Sequence[Signal], source: Source) -> Walk:
        streams = [Stream(signal, wanted, source) for signal in wanted]
        outcomes: dict[str, GatewayError] = {}
        left = (anyio.current_effective_deadline() - anyio.current_time()) * _SHARE

        async def attempt(stream: Stream) -> None:
            try:
                with anyio.fail_after(None if math.isinf(left) else left):
                    await stream.open()
            except GatewayError as error:
                outcomes[stream.signal.label] = error
            except TimeoutError:
                outcomes[stream.signal.label] = _too_slow()

        # Not by `asyncio.gather`: its tasks know nothing of the deadline around this call.
        async with anyio.create_task_group() as group:
            for stream in streams:
                group.start_soon(attempt, stream)
        failures = {
            signal.label: outcomes[signal.label] for signal in wanted if signal.label in outcomes
        }
        answering = [stream for stream in streams if stream.signal.label not in failures]
        now = self.clock()
        return Walk(anchor, source, answering, failures, now, now)


def _too_slow() -> UpstreamTimeout:
    return UpstreamTimeout(
        "The Smithsonian's catalogue did not answer this search in time.",
        "This says nothing about what the catalogue holds; call again in a moment.",
    )
