from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.virtual_time import VirtualLoop, clock, now, run
from heritage_gateway.errors import RateLimited, UpstreamBlocked
from heritage_gateway.http import Limiter, Pace, Rest
from heritage_gateway.notice import duration

pytestmark = pytest.mark.anyio

EVER = float("inf")


async def test_a_burst_passes_at_once_and_the_rest_at_the_rate() -> None:
    limiter = Limiter(Pace(3, 20, 60), name="loc")
    times = []
    for _ in range(6):
        await limiter.turn(EVER)
        times.append(round(clock(), 3))
    assert times == [0, 0, 0, 3, 6, 9]


async def test_turns_come_in_the_order_of_arrival() -> None:
    limiter = Limiter(Pace(1, 1, 1), name="loc")
    order: list[int] = []

    async def call(number: int) -> None:
        await limiter.turn(EVER)
        order.append(number)

    async def latecomer() -> None:
        await asyncio.sleep(1.5)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.be_busy(1)  # a place is free by now, and nobody who waits for it has woken up
        await call(99)

    await asyncio.gather(latecomer(), *(call(number) for number in range(5)))
    assert order == [0, 1, 2, 3, 4, 99]


async def test_a_wait_longer_than_allowed_is_refused_at_once_with_its_length() -> None:
    limiter = Limiter(Pace(2, 1, 10), name="www.loc.gov")
    for _ in range(2):
        await limiter.turn(0)
    queued = [asyncio.create_task(limiter.turn(EVER)) for _ in range(2)]
    await asyncio.sleep(4)
    before = clock()
    with pytest.raises(RateLimited) as caught:
        await limiter.turn(25.9)
    assert clock() == pytest.approx(before, abs=1e-6)
    assert caught.value.retry_after == pytest.approx(26, abs=1e-3)
    assert "26 seconds" in caught.value.message
    assert "own pacing of calls to www.loc.gov" in caught.value.message
    assert not caught.value.transient
    await limiter.turn(26.1)
    assert clock() == pytest.approx(30, abs=1e-3)
    await asyncio.gather(*queued)


async def test_a_cancelled_waiter_frees_its_place() -> None:
    limiter = Limiter(Pace(1, 1, 10), name="loc")
    await limiter.turn(0)
    queued = [asyncio.create_task(limiter.turn(EVER)) for _ in range(3)]
    await asyncio.sleep(1)
    assert limiter.wait() == pytest.approx(39, abs=1e-3)
    queued[0].cancel()
    queued[1].cancel()
    await asyncio.wait(queued[:2])
    assert limiter.wait() == pytest.approx(19, abs=1e-3)
    await queued[2]
    assert clock() == pytest.approx(10, abs=1e-3)


async def test_what_the_host_says_remains_is_the_most_that_passes_now() -> None:
    limiter = Limiter(Pace(1000, 1000, 3600), name="si")
    await limiter.observe(2)
    await limiter.turn(0)
    await limiter.turn(0)
    with pytest.raises(RateLimited):
        await limiter.turn(1)
    assert limiter.wait() == pytest.approx(3.6, abs=1e-3)


async def test_a_high_remainder_takes_nothing_away_and_a_negative_one_is_zero() -> None:
    limiter = Limiter(Pace(2, 1, 1), name="si")
    await limiter.observe(5000)
    await limiter.turn(0)
    await limiter.observe(-3)
    with pytest.raises(RateLimited):
        await limiter.turn(0.5)


async def test_who_waits_already_is_not_set_back_by_zeros() -> None:
    limiter = Limiter(Pace(1, 1, 10), name="si")
    await limiter.turn(0)
    queued = asyncio.create_task(limiter.turn(EVER))
    for _ in range(9):
        await asyncio.sleep(1)
        await limiter.observe(0)
    await queued
    assert clock() == pytest.approx(10, abs=1e-3)


@given(
    burst=st.integers(1, 6),
    rate=st.integers(1, 20),
    per=st.sampled_from([1.0, 10.0, 60.0]),
    gaps=st.lists(st.floats(0, 20), min_size=1, max_size=40),
    remainders=st.lists(st.integers(0, 5), max_size=3),
)
@settings(max_examples=60, deadline=None)
def test_no_window_ever_admits_more_than_the_pace_says(
    burst: int, rate: int, per: float, gaps: list[float], remainders: list[int]
) -> None:
    pace = Pace(burst, rate, per)
    times: list[float] = []

    async def call(limiter: Limiter) -> None:
        await limiter.turn(EVER)
        times.append(clock())

    async def story() -> None:
        limiter = Limiter(pace, name="loc")
        tasks = []
        for number, gap in enumerate(gaps):
            await asyncio.sleep(gap)
            tasks.append(asyncio.create_task(call(limiter)))
            if number < len(remainders):
                await limiter.observe(remainders[number])
        await asyncio.gather(*tasks)

    run(story())
    assert len(times) == len(gaps)
    assert all(earlier <= later for earlier, later in pairwise(times))
    for start in range(len(times)):
        for end in range(start, len(times)):
            assert end - start + 1 <= pace.admits(times[end] - times[start]) + 1e-6


def limited(transient: bool = False) -> RateLimited:
    return RateLimited("The host says stop.", "Wait.", transient=transient)


async def test_a_rest_refuses_until_its_end_and_names_it() -> None:
    rest = Rest(clock=clock, now=now)
    rest.check()
    assert rest.until is None
    rest.rest(300, UpstreamBlocked("The host wants a human.", "Wait."))
    await asyncio.sleep(100.5)
    with pytest.raises(UpstreamBlocked) as caught:
        rest.check()
    assert caught.value.retry_after == pytest.approx(199.5, abs=1e-3)
    assert caught.value.message == (
        "The host wants a human. Nothing is sent to it until 00:05 UTC (4 minutes from now)."
    )
    assert caught.value.hint == "Wait."
    await asyncio.sleep(199.5)
    rest.check()
    assert rest.until is None


async def test_a_shorter_rest_does_not_end_a_longer_one() -> None:
    rest = Rest(clock=clock, now=now)
    rest.rest(60, limited())
    rest.rest(5, limited(transient=True))
    await asyncio.sleep(6)
    with pytest.raises(RateLimited) as caught:
        rest.check()
    assert not caught.value.transient
    rest.rest(600, limited(transient=True))
    with pytest.raises(RateLimited, match="until 00:11 UTC") as longer:
        rest.check()
    assert longer.value.transient


async def test_no_host_is_left_alone_for_more_than_a_day() -> None:
    rest = Rest(clock=clock, now=now)
    rest.rest(1e9, limited())
    await asyncio.sleep(86_400)
    rest.check()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "1 second"),
        (0.2, "1 second"),
        (1.2, "2 seconds"),
        (90, "90 seconds"),
        (121, "3 minutes"),
        (3600, "60 minutes"),
        (7201, "3 hours"),
        (EVER, "an unknown time"),
    ],
)
def test_waits_are_spelled_rounded_up(seconds: float, words: str) -> None:
    assert duration(seconds) == words
