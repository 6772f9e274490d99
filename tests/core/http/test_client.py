from __future__ import annotations

import asyncio
import logging
import time

import httpx
import pytest

from core.http.museum import KEY, data, failing, museum, page, upstream, website
from core.virtual_time import clock
from heritage_gateway.errors import (
    InvalidRequest,
    RateLimited,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import AnswerCache, HttpClient, Reply, Statistics

pytestmark = pytest.mark.anyio

OK = page(body={"ok": True})


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


async def test_a_kept_answer_tells_its_age_while_the_host_rests() -> None:
    host = museum(OK, page(429))
    async with host.client() as client:
        first = await client.fetch("/a", endpoint="search", read=data, ttl=600)
        await asyncio.sleep(40)
        kept = await client.fetch("/a", endpoint="search", read=data, ttl=600)
        assert (first.age, kept.age) == (None, None)
        with pytest.raises(RateLimited):
            await client.get("/b", endpoint="search", read=data)
        await asyncio.sleep(5)
        kept = await client.fetch("/a", endpoint="search", read=data, ttl=600)
        assert kept.value == {"ok": True}
        assert kept.age == pytest.approx(45)
    assert client.sent == 2


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
    assert raw == ["/api/item/a%2Fb/edanmdm%3Anmah_1/%C3%A9/", "/api/s?q=a%20b%26c:%22d%22&fo=json"]
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


async def test_a_redirect_that_is_not_followed_is_a_reply_like_any_other() -> None:
    host = museum(page(302, location="/api/b", x_uri="the heading"))
    async with host.client() as client:
        reply = await client.get("/a", endpoint="search", read=lambda reply: reply, follow=False)
    assert (reply.status, reply.headers["x-uri"]) == (302, "the heading")
    assert len(host.requests) == 1


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
