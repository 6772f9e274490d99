from __future__ import annotations

import asyncio
import gzip
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

import anyio
import httpx
import pytest

from core.http.museum import KEY, Museum, data, museum, page, upstream, website
from core.virtual_time import clock
from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    RateLimited,
    UpstreamBlocked,
    UpstreamError,
    UpstreamMalformed,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from heritage_gateway.http import AnswerCache, HttpClient, Pace, Reply, Statistics

pytestmark = pytest.mark.anyio

OK = page(body={"ok": True})


async def failing(host: Museum, kind: type[UpstreamError], **changes: Any) -> UpstreamError:
    async with host.client(**changes) as client:
        with pytest.raises(kind) as caught:
            await client.get("/search", params={"q": "s3cret query"}, endpoint="search", read=data)
    error = caught.value
    seen: BaseException | None = error
    while seen is not None:
        told = f"{seen} {seen.args} {getattr(seen, 'hint', '')}"
        assert not any(word in told for word in (KEY, "s3cret", "https:", "/search"))
        seen = seen.__cause__ or seen.__context__
    return error


# what a reader gets


async def test_a_reader_gets_every_reply_that_is_no_generic_failure() -> None:
    for status in (200, 400, 401, 403, 404, 410, 304):
        async with museum(
            website(status) if status == 404 else page(status, "x")
        ).client() as client:
            assert (
                await client.get("/a", endpoint="search", read=lambda reply: reply.status) == status
            )


async def test_what_a_reader_raises_arrives_and_is_not_retried() -> None:
    host = museum(page(404))
    async with host.client() as client:
        with pytest.raises(InvalidRequest, match="404"):
            await client.get("/a", endpoint="search", read=data, ttl=60)
        with pytest.raises(InvalidRequest, match="404"):
            await client.get("/a", endpoint="search", read=data, ttl=60)
    assert client.sent == 2


async def test_a_transient_failure_of_the_reader_is_retried() -> None:
    host = museum(page(body='{"ok": tr'), OK)
    async with host.client() as client:
        assert await client.get("/a", endpoint="search", read=data) == {"ok": True}
    assert host.times == [0, 0.5]


async def test_garbled_data_is_not_asked_for_again() -> None:
    host = museum(page(body="{]"))
    await failing(host, UpstreamMalformed)
    assert len(host.requests) == 1


async def test_a_fault_of_our_own_reader_is_not_dressed_up() -> None:
    def broken(_: Reply) -> str:
        raise KeyError("missing")

    async with museum().client() as client:
        with pytest.raises(KeyError):
            await client.get("/a", endpoint="search", read=broken)


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
    host = museum(page(429))
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


async def test_a_shared_pace_holds_all_classes_together() -> None:
    host = museum()
    async with host.client(shared_pace=Pace(2, 1, 5)) as client:
        items = [client.get(f"/i/{n}", endpoint="item", read=data) for n in range(2)]
        searches = [client.get(f"/s/{n}", endpoint="search", read=data) for n in range(3)]
        await asyncio.gather(*items, *searches)
    assert len(host.times) == 5
    assert host.times[:4] == [0, 0, 5, 10]


async def test_a_queue_longer_than_the_deadline_refuses_unsent() -> None:
    host = museum()
    async with host.client() as client:
        await client.get("/a", endpoint="item", read=data)
        with anyio.fail_after(5), pytest.raises(RateLimited, match="own pacing") as caught:
            await client.get("/b", endpoint="item", read=data)
    assert clock() == pytest.approx(0, abs=1e-3)
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


async def test_a_body_is_measured_unpacked() -> None:
    packed = gzip.compress(b" " * 100_000)
    answer = httpx.Response(200, content=packed, headers={"content-encoding": "gzip"})
    await failing(museum(answer), UpstreamMalformed, max_body=50_000)


# the cache


async def test_an_answer_is_asked_for_once_in_its_lifetime() -> None:
    host = museum()
    async with host.client() as client:
        for _ in range(3):
            await client.get("/a", params={"x": "1", "y": "2"}, endpoint="search", read=data, ttl=9)
        await client.get("/a", params={"y": "2", "x": "1"}, endpoint="search", read=data, ttl=9)
        assert client.statistics() == Statistics(1, 3, None)
        await client.get("/a", params={"x": "1"}, endpoint="search", read=data, ttl=9)
        await client.get("/b", params={"x": "1", "y": "2"}, endpoint="search", read=data, ttl=9)
        assert client.sent == 3
        await asyncio.sleep(9)
        await client.get("/b", params={"x": "1", "y": "2"}, endpoint="search", read=data, ttl=9)
        assert client.sent == 4


async def test_the_lifetime_may_depend_on_the_value() -> None:
    def lifetime(value: object) -> float:
        return 100 if value else 5

    host = museum(page(body=[]), page(body=["found"]))
    async with host.client() as client:
        for _ in range(2):
            assert await client.get("/a", endpoint="search", read=data, ttl=lifetime) == []
        await asyncio.sleep(6)
        for _ in range(2):
            assert await client.get("/a", endpoint="search", read=data, ttl=lifetime) == ["found"]
            await asyncio.sleep(90)
    assert client.sent == 2


async def test_an_answer_without_a_lifetime_is_not_kept() -> None:
    async with museum().client() as client:
        await client.get("/a", endpoint="search", read=data)
        await client.get("/a", endpoint="search", read=data)
    assert client.sent == 2


async def test_what_is_remembered_is_what_get_finds() -> None:
    async with museum().client() as client:
        assert client.recall("/a", {"x": "1"}) is None
        client.remember("/a", {"x": "1"}, "seeded", ttl=60, size=10)
        client.remember("/b", None, "plain", ttl=60, size=10)
        assert client.recall("/a", {"x": "1"}) == "seeded"
        assert await client.get("/a", params={"x": "1"}, endpoint="item", read=data) == "seeded"
        assert await client.get("/b", params={}, endpoint="item", read=data) == "plain"
    assert client.sent == 0


async def test_two_hosts_may_share_one_cache() -> None:
    cache = AnswerCache(clock=clock)
    one = museum().client(cache=cache)
    other = museum(page(body=2)).client(cache=cache, base_url="https://ids.museum.example")
    async with one, other:
        await one.get("/a", endpoint="search", read=data, ttl=60)
        assert await other.get("/a", endpoint="search", read=data, ttl=60) == 2


async def test_a_size_hint_replaces_the_size_of_the_body() -> None:
    async with museum().client(cache=AnswerCache(100, clock)) as client:
        await client.get("/a", endpoint="search", read=data, ttl=60, size_hint=101)
        assert client.recall("/a", None) is None


# addresses and hosts


async def test_the_path_reaches_the_wire_as_given() -> None:
    host = museum()
    async with host.client() as client:
        await client.get("/item/a%2Fb/edanmdm%3Anmah_1/%C3%A9/", endpoint="search", read=data)
        await client.get(
            "/s", params={"q": 'a b&c:"d"', "fo": "json"}, endpoint="search", read=data
        )
    raw = [request.url.raw_path.decode() for request in host.requests]
    assert raw == ["/api/item/a%2Fb/edanmdm%3Anmah_1/%C3%A9/", "/api/s?q=a+b%26c%3A%22d%22&fo=json"]
    assert dict(host.requests[1].url.params) == {"q": 'a b&c:"d"', "fo": "json"}


@pytest.mark.parametrize("path", ["/a/../b", "/a/%2E%2e/b", "/./a", "/a/.."])
async def test_a_path_that_would_lead_elsewhere_is_refused_unsent(path: str) -> None:
    async with museum().client() as client:
        with pytest.raises(InvalidRequest):
            await client.get(path, endpoint="search", read=data)
    assert client.sent == 0


async def test_misuse_is_told_to_the_programmer() -> None:
    async with museum().client() as client:
        with pytest.raises(KeyError, match="unknown"):
            await client.get("/a", endpoint="unknown", read=data)
        for path in ("a", "https://evil.example/", "/a?b=c", "/a#b"):
            with pytest.raises(ValueError, match="slash"):
                await client.get(path, endpoint="search", read=data)
    with pytest.raises(ValueError, match="list of hosts"):
        museum().client(base_url="https://evil.example")


async def test_a_redirect_within_the_list_is_followed_and_carries_no_key_abroad() -> None:
    there = page(302, location="https://ids.museum.example/b", content="x")
    back = page(302, location="https://museum.example/api/c")
    host = museum(there, back, OK)
    async with host.client() as client:
        assert await client.get("/a", endpoint="search", read=data) == {"ok": True}
    hosts = [(request.url.host, request.headers.get("x-api-key")) for request in host.requests]
    assert hosts[:2] == [("museum.example", KEY), ("ids.museum.example", None)]
    assert hosts[2][0] == "museum.example"
    assert {request.headers["user-agent"] for request in host.requests} == {"heritage-gateway/test"}
    assert client.sent == 3


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/x",
        "http://169.254.169.254/latest",
        "https://museum.example:8443/",
        "https://museum.example@evil.example/",
        "http://localhost/",
    ],
)
async def test_a_redirect_to_a_host_outside_the_list_is_not_followed(location: str) -> None:
    host = museum(page(302, location=location))
    error = await failing(host, UpstreamUnavailable)
    assert "redirected to a host outside its list" in error.message
    assert "evil" not in error.message
    assert len(host.requests) == 1


async def test_a_downgraded_redirect_carries_no_key() -> None:
    host = museum(page(302, location="http://museum.example/api/a"), OK)
    async with host.client() as client:
        await client.get("/a", endpoint="search", read=data)
    assert "x-api-key" not in host.requests[1].headers


async def test_redirects_in_a_circle_end() -> None:
    host = museum(page(302, location="/api/search"))
    error = await failing(host, UpstreamUnavailable)
    assert "circle" in error.message
    assert len(host.requests) == 6


async def test_a_redirect_to_something_else_than_the_web_is_refused() -> None:
    await failing(museum(page(302, location="ftp://museum.example/a")), UpstreamUnavailable)
    await failing(museum(page(302, location="https://[museum")), UpstreamUnavailable)


async def test_no_log_line_holds_an_address_a_header_or_a_query(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with museum(httpx.ReadError("s3cret"), OK).client() as client:
        await client.get("/secret-path", params={"q": "s3cret"}, endpoint="search", read=data)
    assert [
        record.getMessage() for record in caplog.records if "museum" in record.getMessage()
    ] == [
        "museum.example search: ReadError in 0 ms",
        "museum.example search: 200 in 0 ms",
    ]
    for word in ("s3cret", "secret", "http:", "https:"):
        assert word not in caplog.text.replace("heritage_gateway.http:", "")


# the life of a client


async def test_a_closed_client_opens_again() -> None:
    client = museum().client()
    for _ in range(2):
        async with client:
            await client.get("/a", endpoint="search", read=data)
    assert client.sent == 2


async def test_closing_ends_the_calls_that_are_on_their_way() -> None:
    async def slow(_: httpx.Request) -> httpx.Response:
        await asyncio.sleep(60)
        return OK

    client = museum(slow).client()
    call = asyncio.create_task(client.get("/a", endpoint="search", read=data))
    await asyncio.sleep(1)
    await client.aclose()
    with pytest.raises(UpstreamUnavailable, match="shutting down"):
        await call


def test_a_client_needs_no_loop_and_no_connection_to_be_built() -> None:
    started = time.perf_counter()
    client = HttpClient(
        upstream(),
        allowed_hosts=frozenset({"Museum.Example"}),
        cache=AnswerCache(),
        user_agent="x",
    )
    assert time.perf_counter() - started < 0.02
    assert client.statistics() == Statistics(0, 0, None)


def test_errors_are_the_houses_own() -> None:
    assert issubclass(UpstreamError, GatewayError)
    assert Reply(200, {}, b"1").json() == 1
