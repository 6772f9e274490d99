"""Walking several searches as one list: nothing lost, nothing twice, whatever the pages' sizes."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import virtual_time
from heritage_gateway.errors import GatewayError, Reason, UpstreamUnavailable
from heritage_smithsonian import walk as room
from heritage_smithsonian.query import Filters, Lucene, build
from heritage_smithsonian.signals import Signal
from heritage_smithsonian.source import Found, MirrorFault, Source
from heritage_smithsonian.walk import DEPTH, LIFETIME, Walk, Walks

ANCHOR = "r0"
FILTERS = (
    Filters(culture="C"),
    Filters(name="N"),
    Filters(topic="T"),
    Filters(date="1920s", object_type="Maps"),
)


def signal(number: int) -> Signal:
    lucene = build("", FILTERS[number])
    assert isinstance(lucene, Lucene)
    return Signal(f"signal {number}", "", FILTERS[number], lucene)


SIGNALS = tuple(map(signal, range(4)))


def broken() -> GatewayError:
    return UpstreamUnavailable("It failed.", "Come back.")


@dataclass
class FakeEdan:
    """Each signal's rows by number. `most` is the longest page sent; `counts` are wrong where given."""

    lists: Sequence[Sequence[int]]
    most: int = 1000
    counts: dict[int, int] = field(default_factory=dict[int, int])
    failing: set[tuple[int, int]] = field(
        default_factory=set[tuple[int, int]]
    )  # signal, from start
    trouble: GatewayError | None = None
    slow: set[int] = field(default_factory=set[int])
    asked: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    deadlines: list[float] = field(default_factory=list[float])

    async def search(self, lucene: Lucene, *, start: int, rows: int) -> Found:
        number = next(n for n, signal in enumerate(SIGNALS) if signal.lucene == lucene)
        self.asked.append((number, start, rows))
        self.deadlines.append(anyio.current_effective_deadline())
        await asyncio.sleep(10_000 if number in self.slow else 0.01 * (number + 1))
        if any(failing == number and start >= since for failing, since in self.failing):
            raise self.trouble or broken()
        assert rows <= 1000
        page = self.lists[number][start : start + min(rows, self.most)]
        total = self.counts.get(number, len(self.lists[number]))
        return Found(total, tuple(self._row(name) for name in page))

    def _row(self, name: int) -> dict[str, Any]:
        indexed: dict[str, list[str]] = {}
        for number, held in enumerate(self.lists):
            if name in held:
                for term in FILTERS[number].terms():
                    indexed[term.field] = [term.value]
        return {"url": f"edanmdm:r{name}", "content": {"indexedStructured": indexed}}

    @property
    def wanted(self) -> tuple[Signal, ...]:
        return SIGNALS[: len(self.lists)]

    @property
    def source(self) -> Source:
        return cast(Source, self)


@contextmanager
def windows(first: int, window: int, depth: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "FIRST_WINDOW", first)
        patch.setattr(room, "WINDOW", window)
        patch.setattr(room, "DEPTH", depth)
        yield


def in_turn(lists: Iterable[Sequence[int]]) -> list[str]:
    """The list as it should be, worked out the plain way."""
    streams = [[f"r{name}" for name in held] for held in lists]
    out: list[str] = []
    turn = 0
    while any(streams):
        for offset in range(len(streams)):
            stream = streams[(turn + offset) % len(streams)]
            while stream and (stream[0] == ANCHOR or stream[0] in out):
                stream.pop(0)
            if stream:
                out.append(stream.pop(0))
                turn = (turn + offset) % len(streams) + 1
                break
    return out


async def pages(walks: Walks, edan: FakeEdan, sizes: Sequence[int]) -> list[str]:
    """Page on by what was returned, as a caller does, until a page comes back empty."""
    got: list[str] = []
    turn = 0
    while True:
        size = sizes[turn % len(sizes)]
        walk = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=not got)
        known = await walk.upto(len(got) + size + 1)
        page = known[len(got) : len(got) + size]
        assert walk.ceiling >= len(known)
        if not page:
            return got
        got += [relative.row.record_id for relative in page]
        turn += 1


rows = st.lists(st.integers(0, 25), max_size=25, unique=True)
sizes = st.lists(st.integers(1, 9), min_size=1, max_size=5)


@settings(max_examples=60)
@given(st.lists(rows, min_size=1, max_size=4), sizes, st.integers(1, 30))
def test_pages_of_any_sizes_make_the_same_list_without_loss_or_repetition(
    lists: list[list[int]], sizes: list[int], most: int
) -> None:
    with windows(3, 7, 18):
        edan = FakeEdan(lists, most=most)
        got = virtual_time.run(pages(Walks(virtual_time.clock), edan, sizes))
    assert got == in_turn(held[:18] for held in lists)
    assert all(start + size <= 18 for _, start, size in edan.asked)


@settings(max_examples=40)
@given(
    st.lists(rows, min_size=1, max_size=4),
    sizes,
    st.dictionaries(st.integers(0, 3), st.integers(0, 60), max_size=4),
)
def test_a_wrong_count_neither_repeats_an_object_nor_walks_for_ever(
    lists: list[list[int]], sizes: list[int], counts: dict[int, int]
) -> None:
    with windows(3, 7, 18):
        edan = FakeEdan(lists, counts=counts)
        got = virtual_time.run(pages(Walks(virtual_time.clock), edan, sizes))
    assert len(got) == len(set(got))
    assert set(got) <= {f"r{name}" for held in lists for name in held} - {ANCHOR}
    if all(counts.get(number, 99) >= len(held) for number, held in enumerate(lists)):
        assert got == in_turn(held[:18] for held in lists)


@settings(max_examples=40)
@given(st.lists(rows, min_size=2, max_size=4), sizes, st.integers(0, 3))
def test_one_signal_that_fails_at_the_beginning_is_left_out_to_the_end(
    lists: list[list[int]], sizes: list[int], failing: int
) -> None:
    failing %= len(lists)

    async def story() -> list[str]:
        edan = FakeEdan(lists, failing={(failing, 0)})
        walks = Walks(virtual_time.clock)
        walk = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True)
        assert list(walk.failures) == [f"signal {failing}"]
        first = [relative.row.record_id for relative in (await walk.upto(2))[:2]]
        edan.failing.clear()  # it answers again, but this walk has begun without it
        rest: list[str] = []
        for size in sizes * 30:
            walk = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=False)
            at = len(first) + len(rest)
            known = await walk.upto(at + size + 1)
            rest += [relative.row.record_id for relative in known[at : at + size]]
        anew = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True)
        assert not anew.failures
        return first + rest

    with windows(3, 7, 18):
        got = virtual_time.run(story())
    assert got == in_turn(held[:18] for n, held in enumerate(lists) if n != failing)


def test_one_that_fails_in_the_middle_fails_the_page_and_loses_nothing() -> None:
    lists = [list(range(0, 40, 2)), list(range(0, 40, 3))]
    edan = FakeEdan(lists, failing={(1, 3)})

    async def story() -> list[str]:
        walks = Walks(virtual_time.clock)
        walk = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True)
        with pytest.raises(UpstreamUnavailable):
            await walk.upto(30)
        served = [relative.row.record_id for relative in walk.merged]
        edan.failing.clear()
        got = await pages(walks, edan, [5])
        assert got[: len(served)] == served
        return got

    with windows(3, 7, 18):
        assert virtual_time.run(story()) == in_turn(held[:18] for held in lists)


def test_after_a_mirror_broke_in_the_middle_the_next_page_begins_anew_in_what_serves() -> None:
    mirror, live = FakeEdan([list(range(40))], failing={(0, 3)}), FakeEdan([list(range(40))])

    async def story() -> None:
        walks = Walks(virtual_time.clock)
        walk = await walks.of(ANCHOR, mirror.wanted, mirror.source, afresh=True)
        with pytest.raises(MirrorFault):
            await walk.upto(30)
        again = await walks.of(ANCHOR, live.wanted, live.source, afresh=False)
        assert again.source is live.source
        assert len(await again.upto(30)) >= 30

    with windows(3, 50, 50):
        mirror.trouble = MirrorFault("It is damaged.", "Build it anew.")
        virtual_time.run(story())


def test_when_every_signal_fails_so_does_the_call_and_the_next_one_asks_again() -> None:
    edan = FakeEdan([[1], [2]], failing={(0, 0), (1, 0)})

    async def story() -> None:
        walks = Walks(virtual_time.clock)
        with pytest.raises(UpstreamUnavailable):
            await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True)
        edan.failing.clear()
        assert await pages(walks, edan, [5]) == ["r1", "r2"]

    virtual_time.run(story())


@settings(max_examples=30)
@given(st.lists(rows, min_size=1, max_size=4))
def test_each_row_names_every_signal_that_it_shares_and_no_other(lists: list[list[int]]) -> None:
    async def story(edan: FakeEdan) -> Walk:
        walk = await Walks(virtual_time.clock).of(ANCHOR, edan.wanted, edan.source, afresh=True)
        await walk.upto(1000)
        return walk

    walk = virtual_time.run(story(FakeEdan(lists)))
    for relative in walk.merged:
        name = int(relative.row.record_id[1:])
        assert relative.signals == tuple(
            f"signal {n}" for n, held in enumerate(lists) if name in held
        )


def test_no_more_than_five_thousand_rows_of_a_signal_are_looked_at() -> None:
    edan = FakeEdan([range(1, 6002), range(0, 12_000, 4)])

    async def story() -> Walk:
        walk = await Walks(virtual_time.clock).of(ANCHOR, edan.wanted, edan.source, afresh=True)
        await walk.upto(20_000)
        return walk

    walk = virtual_time.run(story())
    got = [relative.row.record_id for relative in walk.merged]
    expected = {f"r{n}" for n in range(1, 5001)} | {f"r{n}" for n in range(4, 12_000, 4)}
    assert len(got) == len(set(got))
    assert set(got) == expected
    assert [stream.total for stream in walk.streams] == [6001, 3000]
    assert [stream.is_cut for stream in walk.streams] == [True, False]
    starts = [start for number, start, _ in edan.asked if not number]
    assert starts == [0, 100, 1000, 2000, 3000, 4000]
    assert max(start + size for _, start, size in edan.asked) == DEPTH


def test_a_second_page_asks_nothing_when_the_first_window_holds_it() -> None:
    edan = FakeEdan([range(500), range(300, 900)])

    async def story() -> tuple[int, int]:
        walks = Walks(virtual_time.clock)
        walk = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True)
        await walk.upto(11)
        before = len(edan.asked)
        walk = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=False)
        await walk.upto(101)
        return before, len(edan.asked)

    assert virtual_time.run(story()) == (2, 2)


def test_pages_asked_for_at_once_share_one_walk() -> None:
    """Were there two, one could lack a signal that the other has."""
    edan = FakeEdan([range(50), range(30, 90)])

    async def story() -> set[int]:
        walks = Walks(virtual_time.clock)
        begun = await asyncio.gather(
            *(walks.of(ANCHOR, edan.wanted, edan.source, afresh=not n) for n in range(5))
        )
        return {id(walk) for walk in begun}

    assert len(virtual_time.run(story())) == 1
    assert len(edan.asked) == 2


def test_a_list_that_is_paged_through_slowly_stays_and_one_begun_anew_is_asked_anew() -> None:
    edan = FakeEdan([range(50)])

    async def story() -> None:
        walks = Walks(virtual_time.clock)
        first = await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True)
        for _ in range(5):
            await asyncio.sleep(LIFETIME * 0.9)
            assert await walks.of(ANCHOR, edan.wanted, edan.source, afresh=False) is first
        assert await walks.of(ANCHOR, edan.wanted, edan.source, afresh=True) is not first

    virtual_time.run(story())


def test_a_signal_that_hangs_is_left_out_before_the_call_runs_out_of_time() -> None:
    edan = FakeEdan([[1, 2], [3]], slow={0})

    async def story() -> Walk:
        with anyio.fail_after(45):
            return await Walks(virtual_time.clock).of(ANCHOR, edan.wanted, edan.source, afresh=True)

    walk = virtual_time.run(story())
    assert [stream.signal.label for stream in walk.streams] == ["signal 1"]
    assert walk.failures["signal 0"].reason is Reason.UPSTREAM_TIMEOUT


def test_every_search_knows_the_deadline_of_its_call() -> None:
    """Without it, a queue longer than the deadline would be waited in instead of refused."""
    edan = FakeEdan([[1], [2], [3]])

    async def story() -> None:
        with anyio.fail_after(45):
            await Walks(virtual_time.clock).of(ANCHOR, edan.wanted, edan.source, afresh=True)

    virtual_time.run(story())
    assert len(edan.deadlines) == 3
    assert all(math.isfinite(deadline) for deadline in edan.deadlines)


def test_a_long_walk_keeps_no_whole_records() -> None:
    edan = FakeEdan([range(300)])

    async def story() -> Walk:
        walk = await Walks(virtual_time.clock).of(ANCHOR, edan.wanted, edan.source, afresh=True)
        await walk.upto(10)
        return walk

    (stream,) = virtual_time.run(story()).streams
    assert len(stream._ahead) < 100
    assert not any(isinstance(getattr(kept, "row", None), dict) for kept in stream._ahead)


def test_rows_that_do_not_bear_a_signal_out_raise_a_doubt() -> None:
    class Deaf(FakeEdan):
        def _row(self, name: int) -> dict[str, Any]:
            return {"url": f"edanmdm:r{name}", "content": {}}

    edan = Deaf([[1, 2]])

    async def story() -> Walk:
        return await Walks(virtual_time.clock).of(ANCHOR, edan.wanted, edan.source, afresh=True)

    (stream,) = virtual_time.run(story()).streams
    assert stream.doubts == (
        '2 of 2 rows do not carry culture="C" in the record\'s own index: do not count them as filtered.',
    )
