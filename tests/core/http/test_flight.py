from __future__ import annotations

import asyncio
import gc

import anyio
import httpx
import pytest

from core.http.museum import Museum, data, museum, page
from core.virtual_time import clock
from heritage_gateway.errors import RateLimited, UpstreamTimeout, UpstreamUnavailable
from heritage_gateway.http import HttpClient

pytestmark = pytest.mark.anyio

OK = page(body={"ok": True})


class Slow:
    """Answers after so many seconds, and notes a call that was given up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.cancelled: list[float] = []

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        patience = request.extensions["timeout"]["read"]
        try:
            await asyncio.sleep(min(self.seconds, patience))
        except asyncio.CancelledError:
            self.cancelled.append(round(clock(), 3))
            raise
        if patience < self.seconds:
            raise httpx.ReadTimeout("too slow")
        return OK


async def ask(client: HttpClient, within: float = float("inf"), endpoint: str = "search") -> object:
    with anyio.fail_after(within):
        return await client.get("/a", endpoint=endpoint, read=data)


async def test_many_who_ask_the_same_send_one_request() -> None:
    host = museum(Slow(3))
    async with host.client() as client:
        assert await asyncio.gather(*(ask(client) for _ in range(11))) == [{"ok": True}] * 11
    assert client.sent == 1


async def test_a_failure_reaches_all_and_is_not_kept() -> None:
    host = museum(page(500), OK)
    async with host.client() as client:
        results = await asyncio.gather(*(ask(client) for _ in range(3)), return_exceptions=True)
        assert [type(result) for result in results] == [UpstreamUnavailable] * 3
        assert await ask(client) == {"ok": True}
    assert client.sent == 2


@pytest.mark.parametrize("leaver", [0, 1])
async def test_one_who_leaves_does_not_take_the_answer_from_the_others(leaver: int) -> None:
    slow = Slow(3)
    async with museum(slow).client() as client:
        calls = [asyncio.create_task(ask(client)) for _ in range(3)]
        await asyncio.sleep(1)
        calls[leaver].cancel()
        results = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(results.pop(leaver), asyncio.CancelledError)
    assert results == [{"ok": True}] * 2
    assert client.sent == 1
    assert not slow.cancelled


async def test_when_the_last_one_leaves_the_request_is_given_up_at_once() -> None:
    slow = Slow(10)
    async with museum(slow).client() as client:
        calls = [asyncio.create_task(ask(client)) for _ in range(2)]
        await asyncio.sleep(1)
        calls[0].cancel()
        await asyncio.sleep(1)
        calls[1].cancel()
        await asyncio.wait(calls)
        await asyncio.sleep(0)
        assert slow.cancelled == [2]
        slow.seconds = 0
        assert await ask(client) == {"ok": True}
    assert client.sent == 2


async def test_a_call_after_the_last_one_left_starts_anew_at_once() -> None:
    slow = Slow(5)
    async with museum(slow).client() as client:
        call = asyncio.create_task(ask(client))
        await asyncio.sleep(1)
        call.cancel()
        again = asyncio.create_task(ask(client))  # begins while the first is being given up
        assert await again == {"ok": True}
    assert client.sent == 2


async def test_the_deadline_of_the_only_caller_ends_the_request() -> None:
    slow = Slow(100)
    async with museum(slow).client(attempts=1) as client:
        with pytest.raises((TimeoutError, UpstreamTimeout)):
            await ask(client, within=5)
        assert clock() == pytest.approx(5, abs=1e-3)
        await asyncio.sleep(1)
        assert client.sent == 1


async def test_one_with_more_time_does_not_inherit_the_time_out_of_the_starter() -> None:
    host = museum(Slow(8))
    async with host.client(attempts=1) as client:
        hasty = asyncio.create_task(ask(client, within=5))
        await asyncio.sleep(1)
        patient = asyncio.create_task(ask(client, within=30))
        results = await asyncio.gather(hasty, patient, return_exceptions=True)
    assert isinstance(results[0], TimeoutError | UpstreamTimeout)
    assert results[1] == {"ok": True}
    assert host.times == [0, 5]


async def test_one_with_more_time_does_not_inherit_a_refusal_of_the_own_queue() -> None:
    host = museum()
    async with host.client() as client:
        await client.get("/first", endpoint="item", read=data)
        hasty = ask(client, within=5, endpoint="item")
        patient = ask(client, within=30, endpoint="item")
        results = await asyncio.gather(hasty, patient, return_exceptions=True)
        assert isinstance(results[0], TimeoutError | RateLimited)
        assert results[1] == {"ok": True}
    assert host.times == [0, 10]


async def test_one_with_less_time_leaves_alone() -> None:
    host = museum(Slow(8))
    async with host.client() as client:
        patient = asyncio.create_task(ask(client, within=30))
        await asyncio.sleep(1)
        with pytest.raises(TimeoutError):
            await ask(client, within=2)
        assert await patient == {"ok": True}
    assert client.sent == 1


async def test_retries_and_queueing_give_up_with_the_last_caller() -> None:
    host: Museum = museum(page(503))
    async with host.client(attempts=9, backoff=4) as client:
        call = asyncio.create_task(ask(client))
        await asyncio.sleep(5)
        call.cancel()
        await asyncio.sleep(60)
    assert host.times == [0, 4]


async def test_a_failure_that_nobody_waits_for_is_no_unseen_exception() -> None:
    unseen: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))

    class Stubborn:
        async def __call__(self, request: httpx.Request) -> httpx.Response:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                raise httpx.ReadError("closing") from None
            return OK

    async with museum(Stubborn()).client(attempts=1) as client:
        call = asyncio.create_task(ask(client))
        await asyncio.sleep(1)
        call.cancel()
        await asyncio.sleep(1)
    del call  # its traceback holds the flight
    gc.collect()
    assert not unseen
