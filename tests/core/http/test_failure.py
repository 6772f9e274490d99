from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator

import anyio
import httpx
import pytest

from core.http.museum import data, failing, museum, page, upstream, website
from core.virtual_time import clock
from heritage_gateway.errors import (
    RateLimited,
    UpstreamBlocked,
    UpstreamError,
    UpstreamMalformed,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from heritage_gateway.http import AnswerCache, HttpClient, Pace, Statistics

pytestmark = pytest.mark.anyio

OK = page(body={"ok": True})


# generic failures


@pytest.mark.parametrize(
    ("answer", "kind", "words", "requests"),
    [
        (httpx.ReadTimeout("s3cret"), UpstreamTimeout, "within 20 seconds", 3),
        (httpx.ConnectTimeout("s3cret"), UpstreamTimeout, "could not be reached in time", 3),
        (httpx.PoolTimeout("s3cret"), UpstreamTimeout, "did not answer", 3),
        (httpx.ConnectError("s3cret"), UpstreamUnavailable, "could not be reached", 3),
        (httpx.ReadError("s3cret"), UpstreamUnavailable, "broke off", 3),
        (httpx.RemoteProtocolError("s3cret"), UpstreamUnavailable, "broke off", 3),
        (httpx.ProxyError("s3cret"), UpstreamUnavailable, "proxy refused", 3),
        (httpx.LocalProtocolError("s3cret"), UpstreamUnavailable, "in this way", 1),
        (httpx.DecodingError("s3cret"), UpstreamMalformed, "compression", 1),
        (page(502), UpstreamUnavailable, "status 502", 3),
        (page(503), UpstreamUnavailable, "status 503", 3),
        (website(504), UpstreamUnavailable, "status 504", 3),
        (page(404, x_cf_routererror="unknown_route"), UpstreamUnavailable, "behind its gateway", 3),
        (page(500), UpstreamUnavailable, "status 500", 1),
        (page(520), UpstreamUnavailable, "status 520", 1),
        (page(407), UpstreamUnavailable, "credentials", 1),
        (website(200), UpstreamUnavailable, "web page", 1),
        (website(200, "captcha"), UpstreamBlocked, "human", 1),
        (website(403, "Just a moment..."), UpstreamBlocked, "human", 1),
        (page(403, cf_mitigated="challenge"), UpstreamBlocked, "human", 1),
        (page(429), RateLimited, "rate limit", 1),
    ],
)
async def test_each_failure_has_its_kind_its_words_and_its_number_of_tries(
    answer: httpx.Response | Exception, kind: type[UpstreamError], words: str, requests: int
) -> None:
    host = museum(answer)
    error = await failing(host, kind)
    assert type(error) is kind
    assert words in error.message
    assert "museum" in error.message
    assert error.message.endswith(".")
    assert error.hint.endswith(".")
    assert len(host.requests) == requests


async def test_tries_are_counted_and_spread() -> None:
    host = museum(httpx.ConnectError("x"))
    await failing(host, UpstreamUnavailable, attempts=5)
    assert host.times == [0, 0.5, 1.5, 3.5, 7.5]


async def test_no_try_follows_that_the_deadline_would_cut() -> None:
    host = museum(page(503))
    async with host.client(attempts=9) as client:
        with anyio.fail_after(1.6), pytest.raises(UpstreamUnavailable):
            await client.get("/a", endpoint="search", read=data)
    assert host.times == [0, 0.5, 1.5]


async def test_the_read_timeout_is_never_longer_than_the_time_left() -> None:
    host = museum(httpx.ReadTimeout("x"), OK)
    async with host.client() as client:
        with anyio.fail_after(7):
            await client.get("/a", endpoint="search", read=data)
    timeouts = [request.extensions["timeout"] for request in host.requests]
    assert timeouts[0]["read"] == pytest.approx(7)
    assert timeouts[0]["connect"] == pytest.approx(7)
    assert timeouts[1]["read"] == pytest.approx(6.5)
    async with museum().client() as client:
        await client.get("/a", endpoint="search", read=data)


async def test_a_wait_that_the_host_asks_for_is_kept_if_it_fits() -> None:
    host = museum(page(503, retry_after="4"), OK)
    async with host.client() as client:
        with anyio.fail_after(10):
            assert await client.get("/a", endpoint="search", read=data) == {"ok": True}
    assert host.times == [0, 4.5]


async def test_a_wait_that_does_not_fit_is_told_instead() -> None:
    host = museum(page(503, retry_after="30"))
    async with host.client() as client:
        with anyio.fail_after(10), pytest.raises(UpstreamUnavailable) as caught:
            await client.get("/a", endpoint="search", read=data)
    assert clock() == pytest.approx(0, abs=1e-3)
    assert caught.value.retry_after == 30
    assert "30 seconds" in caught.value.hint


# limits and blocks


async def test_a_limit_without_a_wait_rests_the_host_and_is_never_tried_again() -> None:
    host = museum(page(429), OK)
    async with host.client() as client:
        with pytest.raises(RateLimited, match="until 00:01 UTC") as caught:
            await client.get("/a", endpoint="search", read=data)
        assert caught.value.retry_after == pytest.approx(60, abs=1e-3)
        assert caught.value.hint == "Use a key of your own."
        await asyncio.sleep(59)
        with pytest.raises(RateLimited, match="1 second"):
            await client.get("/b", endpoint="item", read=data)
        assert client.sent == 1
        assert client.statistics().resting_until is not None
        await asyncio.sleep(1.1)
        await client.get("/b", endpoint="item", read=data)
        assert client.statistics() == Statistics(2, 0, None)


async def test_a_limit_with_a_wait_that_fits_is_waited_out_by_all() -> None:
    host = museum(page(429, retry_after="5"), OK)
    async with host.client() as client:

        async def later() -> object:
            await asyncio.sleep(2)
            return await client.get("/b", endpoint="search", read=data)

        with anyio.fail_after(20):
            first = client.get("/a", endpoint="search", read=data)
            assert list(await asyncio.gather(first, later())) == [{"ok": True}] * 2
    assert host.times == [0, 5.5, 5.5]


async def test_a_limit_with_a_wait_that_does_not_fit_is_told() -> None:
    host = museum(page(429, retry_after="Thu, 01 Jan 2026 00:10:00 GMT"))
    async with host.client() as client:
        with anyio.fail_after(20), pytest.raises(RateLimited, match="until 00:10 UTC") as caught:
            await client.get("/a", endpoint="search", read=data)
    assert caught.value.retry_after == pytest.approx(600, abs=1e-3)
    assert len(host.requests) == 1


async def test_a_limit_is_not_waited_out_where_the_policy_forbids_it() -> None:
    host = museum(page(429, retry_after="0"))
    error = await failing(host, RateLimited, retry_429=False)
    assert len(host.requests) == 1
    assert error.retry_after == pytest.approx(1, abs=1e-3)


async def test_a_block_rests_the_host_for_its_own_time() -> None:
    host = museum(website(403, "Just a moment..."), OK)
    async with host.client(rest_after_block=300) as client:
        for _ in range(3):
            with pytest.raises(UpstreamBlocked, match="until 00:05 UTC"):
                await client.get("/a", endpoint="search", read=data)
        assert client.sent == 1
        await asyncio.sleep(300)
        await client.get("/a", endpoint="search", read=data)


async def test_nothing_queued_is_sent_after_the_host_said_stop() -> None:
    async def stop(_: httpx.Request) -> httpx.Response:
        await asyncio.sleep(1)  # so that the others are in the queue already
        return page(429)

    host = museum(stop)
    async with host.client() as client:
        calls = [client.get(f"/{n}", endpoint="item", read=data) for n in range(3)]
        results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results] == [RateLimited] * 3
    assert len(host.requests) == 1


async def test_each_class_of_addresses_has_its_own_pace() -> None:
    host = museum()
    async with host.client() as client:
        items = [client.get(f"/i/{n}", endpoint="item", read=data) for n in range(3)]
        searches = [client.get(f"/s/{n}", endpoint="search", read=data) for n in range(3)]
        await asyncio.gather(*items, *searches)
    assert host.times == [0, 0, 0, 0, 10, 20]


async def test_a_queue_longer_than_the_deadline_refuses_unsent() -> None:
    host = museum()
    async with host.client() as client:
        await client.get("/a", endpoint="item", read=data)
        with anyio.fail_after(5), pytest.raises(RateLimited, match="own pacing") as caught:
            await client.get("/b", endpoint="item", read=data)
    assert clock() == pytest.approx(0, abs=1e-3)
    assert caught.value.hint == (
        "Nothing was sent. Try again in 10 seconds. Use a key of your own."
    )
    assert caught.value.retry_after == pytest.approx(10, abs=1e-3)
    assert len(host.requests) == 1


async def test_the_remaining_quota_of_the_host_steers_the_pace() -> None:
    host = museum(page(body=1, x_ratelimit_remaining="1"))
    async with host.client(paces={"search": Pace(50, 1, 100)}) as client:
        await client.get("/a", endpoint="search", read=data)
        await client.get("/b", endpoint="search", read=data)
        with anyio.fail_after(9), pytest.raises(RateLimited):
            await client.get("/c", endpoint="search", read=data)


async def test_no_pace_is_kept_where_the_policy_turns_it_off() -> None:
    host = museum()
    client = HttpClient(
        upstream(base_url="http://127.0.0.1:8765/si", paced=False),
        allowed_hosts=frozenset({"127.0.0.1:8765"}),
        cache=AnswerCache(),
        user_agent="x",
        transport=httpx.MockTransport(host),
    )
    async with client:
        for n in range(5):
            await client.get(f"/{n}", endpoint="item", read=data)
    assert host.times == [0] * 5


# bodies


async def test_a_body_above_the_limit_is_not_read_to_its_end() -> None:
    read: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        for n in range(1000):
            read.append(n)
            yield b"x" * 1024

    host = museum(httpx.Response(200, content=endless()))
    error = await failing(host, UpstreamMalformed, max_body=10 * 1024)
    assert "more than 0.00977 MiB" in error.message
    assert len(read) <= 12
    assert len(host.requests) == 1


async def test_a_body_that_is_announced_above_the_limit_is_not_read_at_all() -> None:
    read: list[bytes] = []

    async def large() -> AsyncIterator[bytes]:
        read.append(b"x")
        yield b"x"

    answer = httpx.Response(200, content=large(), headers={"content-length": "20000"})
    error = await failing(museum(answer), UpstreamMalformed, max_body=10 * 1024)
    assert "which is not read" in error.message
    assert read == []


async def test_a_body_is_measured_unpacked() -> None:
    packed = gzip.compress(b" " * 100_000)
    answer = httpx.Response(200, content=packed, headers={"content-encoding": "gzip"})
    await failing(museum(answer), UpstreamMalformed, max_body=50_000)
