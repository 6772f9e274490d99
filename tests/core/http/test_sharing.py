"""What clients make of what is shared: limits, rests told by others, and answers that outlive a start."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.http.museum import HOSTS, data, museum, page, upstream
from core.virtual_time import clock, now
from heritage_gateway.errors import NothingFound, RateLimited, Reason, UpstreamUnavailable
from heritage_gateway.http import (
    AnswerCache,
    HttpClient,
    Ledger,
    Pace,
    Reply,
    Sharing,
    Store,
    collected_ages,
    said_of_ages,
)

pytestmark = pytest.mark.anyio


def client(host: Any, folder: Path, **changes: Any) -> HttpClient:
    """A client as a process of its own would have: nothing is shared but the folder."""
    time = asyncio.get_running_loop().time  # the files are read in threads, which have no loop
    return HttpClient(
        upstream(**changes),
        allowed_hosts=HOSTS,
        cache=AnswerCache(clock=clock),
        user_agent="heritage-gateway/test",
        transport=httpx.MockTransport(host),
        clock=clock,
        now=now,
        chance=lambda: 0.5,
        sharing=Sharing(
            Ledger(folder / "limits.sqlite3", now=time),
            Store(folder / "answers.sqlite3", now=time),
        ),
    )


async def test_an_answer_outlives_its_process(tmp_path: Path) -> None:
    host = museum(page(body={"n": 1}), page(body={"n": 2}))
    async with client(host, tmp_path) as first:
        assert await first.get("/a", endpoint="search", read=data, ttl=600) == {"n": 1}
    async with client(host, tmp_path) as second:
        dated = await second.fetch("/a", endpoint="search", read=data, ttl=600)
        assert dated.value == {"n": 1}
        assert dated.age is None, "a fresh answer is never labelled"
        assert second.sent == 0
        await asyncio.sleep(601)
        assert await second.get("/a", endpoint="search", read=data, ttl=600) == {"n": 2}


async def test_an_answer_past_its_lifetime_serves_a_failure_and_says_its_age(
    tmp_path: Path,
) -> None:
    host = museum(page(body={"n": 1}), page(503))
    async with client(host, tmp_path) as first:
        await first.get("/a", endpoint="search", read=data, ttl=600)
    async with client(host, tmp_path) as second:
        await asyncio.sleep(700)
        with collected_ages() as ages:
            dated = await second.fetch("/a", endpoint="search", read=data, ttl=600)
        assert dated.value == {"n": 1}
        assert dated.age is not None
        assert ages == [dated.age]
        assert "fetched 12 minutes ago" in said_of_ages(ages)


async def test_a_very_old_answer_serves_nothing(tmp_path: Path) -> None:
    host = museum(page(body={"n": 1}), page(503))
    async with client(host, tmp_path) as first:
        await first.get("/a", endpoint="search", read=data, ttl=600)
        await asyncio.sleep(8 * 86_400)
        with pytest.raises(UpstreamUnavailable):
            await first.get("/a", endpoint="search", read=data, ttl=600)


async def test_what_todays_reader_refuses_is_asked_for_anew(tmp_path: Path) -> None:
    def refuses(reply: Reply) -> object:
        raise NothingFound(Reason.NOT_FOUND, "Not this.", "Look.")

    host = museum(page(body={"n": 1}), page(body={"n": 2}))
    async with client(host, tmp_path) as first:
        await first.get("/a", endpoint="search", read=data, ttl=600)
    async with client(host, tmp_path) as second:
        with pytest.raises(NothingFound):
            await second.get("/a", endpoint="search", read=refuses, ttl=600)
        assert second.sent == 1


async def test_what_is_not_there_is_not_asked_for_again_for_minutes(tmp_path: Path) -> None:
    def absent(reply: Reply) -> object:
        raise NothingFound(Reason.NOT_FOUND, "Nothing here.", "Look elsewhere.")

    async with client(museum(), tmp_path) as one:
        for _ in range(3):
            with pytest.raises(NothingFound, match="Nothing here"):
                await one.get("/a", endpoint="search", read=absent, ttl=600)
        assert one.sent == 1
        await asyncio.sleep(301)
        with pytest.raises(NothingFound):
            await one.get("/a", endpoint="search", read=absent, ttl=600)
        assert one.sent == 2


async def test_a_block_stops_the_other_processes_and_survives_a_restart(tmp_path: Path) -> None:
    host = museum(page(429))
    async with client(host, tmp_path) as first:
        with pytest.raises(RateLimited):
            await first.get("/a", endpoint="search", read=data)
    async with client(museum(), tmp_path) as second:
        with pytest.raises(RateLimited) as caught:
            await second.get("/b", endpoint="search", read=data)
        assert caught.value.retry_after == pytest.approx(60, abs=1)
        assert second.sent == 0


async def test_two_clients_share_one_pace(tmp_path: Path) -> None:
    pace = {"search": Pace(2, 1, 10)}
    async with (
        client(museum(), tmp_path, paces=pace) as one,
        client(museum(), tmp_path, paces=pace) as other,
    ):
        for number in range(2):
            await one.get(f"/{number}", endpoint="search", read=data)
        standing = await other.standing()
        assert standing.free == pytest.approx(0, abs=0.1)


async def test_where_the_file_cannot_be_used_each_process_paces_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    async with client(museum(), tmp_path / "file") as alone:
        for number in range(3):
            await alone.get(f"/{number}", endpoint="search", read=data, ttl=60)
        assert alone.sent == 3
    assert caplog.text.count("not shared with other processes") <= 1
