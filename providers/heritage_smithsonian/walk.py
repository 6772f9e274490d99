"""Related objects as one list: the rows of several searches, interleaved, each object once.

The order depends on nothing but the searches, so pages of any size, in any mixture, neither lose nor
repeat an object. Rows are fetched in windows whose bounds are fixed too; the first is large enough
for several pages, so that a second page costs no request.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heritage_gateway.errors import GatewayError
from heritage_smithsonian.edan import Edan
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.normalise import object_row, record_id
from heritage_smithsonian.obedience import carries
from heritage_smithsonian.signals import Signal
from heritage_smithsonian.wire import Raw

DEPTH = 5000  # rows of one signal that are looked at
FIRST_WINDOW = 100
WINDOW = 1000  # the API's largest page
LIFETIME = 600.0  # seconds; as long as its searches are kept
_MOST_WALKS = 16


@dataclass(slots=True)
class Stream:
    """The rows of one signal, fetched as far as they were needed."""

    signal: Signal
    edan: Edan
    total: int = 0  # as upstream counts, the anchor included
    rows: list[Raw] = field(default_factory=list[Raw])
    position: int = 0  # rows already merged
    _first: frozenset[str] = frozenset()
    _ended: bool = False

    @property
    def reach(self) -> int:
        return min(self.total, DEPTH) if not self._ended else len(self.rows)

    async def open(self) -> None:
        """The true count and the first window. Raises `GatewayError`."""
        self.total = await self._window(0, FIRST_WINDOW)
        self._first = frozenset(map(record_id, self.rows))

    def found(self, row: Raw) -> bool:
        """Does the signal find this row? The row's own index tells; words are looked up in the
        first window, whose bounds are fixed, so that the answer does not depend on how far was
        walked.
        """
        filters = self.signal.lucene.filters
        if not filters:
            return record_id(row) in self._first
        return all(carries(row, term) for term in filters)

    async def peek(self) -> Raw | None:
        """The next row, fetched if it must be; None at the end. Raises `GatewayError`."""
        while self.position >= len(self.rows):
            start = len(self.rows)
            if start >= self.reach:
                return None
            size = min(WINDOW - start % WINDOW, DEPTH - start)
            await self._window(start, size)
            if len(self.rows) == start:  # fewer rows than were counted: there are no more to have
                self._ended = True
        return self.rows[self.position]

    async def _window(self, start: int, size: int) -> int:
        found = await self.edan.search(self.signal.lucene.q, start=start, rows=size)
        self.rows += found.rows
        return found.total


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
    streams: Sequence[Stream]
    failures: dict[str, GatewayError]
    began: float
    merged: list[Relative] = field(default_factory=list[Relative])
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
            while len(self.merged) < number and await self._step():
                pass
        return self.merged

    async def _step(self) -> bool:
        """Merge the next object: the signals take turns. False when all are at their end."""
        for offset in range(len(self.streams)):
            turn = (self._turn + offset) % len(self.streams)
            stream = self.streams[turn]
            while (row := await stream.peek()) is not None:
                stream.position += 1
                name = record_id(row)
                if name == self.anchor or name in self._seen:
                    continue
                self._seen.add(name)
                self._turn = turn + 1
                self.merged.append(Relative(object_row(row), self._shared(row, stream)))
                return True
        return False

    def _shared(self, row: Raw, finder: Stream) -> tuple[str, ...]:
        return tuple(
            stream.signal.label for stream in self.streams if stream is finder or stream.found(row)
        )


@dataclass(slots=True)
class Walks:
    """The walks begun lately, so that the next page goes on where the last one ended."""

    edan: Edan
    clock: Callable[[], float]
    _kept: OrderedDict[str, Walk] = field(default_factory=OrderedDict[str, Walk])

    async def of(self, anchor: str, wanted: Sequence[Signal], *, afresh: bool) -> Walk:
        """The walk of a record; a page from the start asks failed signals again (`afresh`).

        Raises `GatewayError` when no signal could be asked.
        """
        if not wanted:
            return Walk(anchor, (), {}, self.clock())
        walk = self._kept.get(anchor)
        if walk is None or self._is_old(walk) or (afresh and walk.failures):
            walk = await self._begin(anchor, wanted)
            if not walk.streams:
                raise next(iter(walk.failures.values()))
            self._kept[anchor] = walk
        self._kept.move_to_end(anchor)
        while len(self._kept) > _MOST_WALKS:
            self._kept.popitem(last=False)
        return walk

    def _is_old(self, walk: Walk) -> bool:
        return self.clock() - walk.began > LIFETIME

    async def _begin(self, anchor: str, wanted: Sequence[Signal]) -> Walk:
        streams = [Stream(signal, self.edan) for signal in wanted]
        outcomes = await asyncio.gather(
            *(stream.open() for stream in streams), return_exceptions=True
        )
        answering: list[Stream] = []
        failures: dict[str, GatewayError] = {}
        for stream, outcome in zip(streams, outcomes, strict=True):
            if isinstance(outcome, GatewayError):
                failures[stream.signal.label] = outcome
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                answering.append(stream)
        return Walk(anchor, answering, failures, self.clock())
