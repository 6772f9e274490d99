from __future__ import annotations

import asyncio
import errno
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.http.museum import HOSTS, KEY, Answer, page, upstream, website
from core.virtual_time import clock, now
from heritage_gateway.errors import (
    GatewayError,
    NothingFound,
    RateLimited,
    Reason,
    Refused,
    UpstreamBlocked,
    UpstreamError,
    UpstreamMalformed,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from heritage_gateway.http import Downloaded, Downloads

pytestmark = pytest.mark.anyio

OLD, NEW = '"old"', '"new"'
BODY = bytes(range(256)) * 200
DAY = "Thu, 01 Jan 2026 00:00:00 GMT"


@dataclass
class Depot:
    """A host with one file. Answers that were given come first, then it serves the file.

    `drops_after`: so many bytes of a body come, then the line breaks off.
    """

    body: bytes = BODY
    etag: str | None = NEW
    first: list[Answer] = field(default_factory=list[Answer])
    drops_after: int | None = None
    ranges: bool = True
    minds_if_range: bool = True
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])
    times: list[float] = field(default_factory=list[float])

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.times.append(round(clock(), 3))
        if self.first:
            answer = self.first.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer if isinstance(answer, httpx.Response) else await answer(request)
        return self.served(request)

    def served(self, request: httpx.Request) -> httpx.Response:
        headers = {"content-type": "text/plain", "last-modified": DAY}
        if self.etag:
            headers["etag"] = self.etag
            if request.headers.get("if-none-match") == self.etag:
                return httpx.Response(304, headers=headers)
        asked = request.headers.get("range")
        same = not self.minds_if_range or request.headers.get("if-range") == self.etag
        if not (asked and same and self.ranges):
            return self.flowing(200, headers, self.body)
        start, size = int(asked.removeprefix("bytes=").removesuffix("-")), len(self.body)
        if start >= size:
            return httpx.Response(416, headers={"content-range": f"bytes */{size}"})
        headers["content-range"] = f"bytes {start}-{size - 1}/{size}"
        return self.flowing(206, headers, self.body[start:])

    def flowing(self, status: int, headers: dict[str, str], body: bytes) -> httpx.Response:
        headers["content-length"] = str(len(body))
        return httpx.Response(status, headers=headers, content=pieces(body, self.drops_after))

    def downloads(self, **changes: Any) -> Downloads:
        return Downloads(
            upstream(**changes),
            allowed_hosts=HOSTS,
            user_agent="heritage-gateway/test",
            transport=httpx.MockTransport(self),
            clock=clock,
            now=now,
            chance=lambda: 0.5,
        )

    async def fetch(self, to: Path, etag: str | None = None, **changes: Any) -> Downloaded:
        async with self.downloads(**changes) as downloads:
            return await downloads.fetch("/bulk/00.txt", to, etag=etag)

    async def failing(self, to: Path, kind: type[GatewayError], **changes: Any) -> GatewayError:
        """The error of a download, after a look at all that could be printed of it."""
        with pytest.raises(kind) as caught:
            await self.fetch(to, **changes)
        seen: BaseException | None = caught.value
        while seen is not None:
            told = f"{seen} {seen.args} {getattr(seen, 'hint', '')}"
            assert not any(word in told for word in (KEY, "s3cret", "https:", "/bulk"))
            seen = seen.__cause__ or seen.__context__
        assert str(to) not in f"{caught.value.message} {caught.value.hint}"
        return caught.value

    def asked(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.requests]


async def pieces(
    body: bytes, drops_after: int | None = None, size: int = 4096
) -> AsyncIterator[bytes]:
    for at in range(0, len(body[:drops_after]), size):
        await asyncio.sleep(0)
        yield body[:drops_after][at : at + size]
    if drops_after is not None and drops_after < len(body):
        raise httpx.ReadError("peer closed https://museum.example/bulk s3cret")


def left(to: Path, body: bytes, etag: str | None) -> None:
    """What a process that was ended leaves."""
    to.with_name(f"{to.name}.part").write_bytes(body)
    if etag is not None:
        to.with_name(f"{to.name}.part.etag").write_text(etag)


def held(to: Path) -> bytes | None:
    return to.read_bytes() if to.exists() else None


def keep(to: Path, body: bytes) -> None:
    to.write_bytes(body)


def litter(to: Path) -> list[str]:
    """What lies beside the file."""
    return sorted(path.name for path in to.parent.iterdir() if path != to)


@pytest.fixture
def to(tmp_path: Path) -> Path:
    folder = tmp_path / "shards"
    folder.mkdir()
    return folder / "00.txt"


# a clean line


async def test_a_file_arrives_whole_and_leaves_nothing_beside_it(to: Path) -> None:
    depot = Depot()
    assert await depot.fetch(to) == Downloaded(
        changed=True, etag=NEW, last_modified=datetime(2026, 1, 1, tzinfo=UTC), size=len(BODY)
    )
    assert held(to) == BODY
    assert litter(to) == []
    assert depot.asked("accept-encoding") == ["identity"]
    assert depot.asked("x-api-key") == [KEY]
    assert depot.asked("range") == depot.asked("if-none-match") == [None]


async def test_the_folder_is_made(tmp_path: Path) -> None:
    to = tmp_path / "nasm" / "00.txt"
    await Depot().fetch(to)
    assert held(to) == BODY


async def test_an_empty_file_is_a_file(to: Path) -> None:
    fetched = await Depot(body=b"").fetch(to)
    assert (fetched.changed, fetched.size, held(to)) == (True, 0, b"")


async def test_every_byte_is_told_as_it_comes(to: Path) -> None:
    counts: list[int] = []
    async with Depot().downloads() as downloads:
        await downloads.fetch("/bulk/00.txt", to, on_bytes=counts.append)
    assert sum(counts) == len(BODY)
    assert len(counts) > 5


async def test_the_former_file_stays_until_the_new_one_is_whole(to: Path) -> None:
    keep(to, b"former")
    seen: list[bytes | None] = []
    async with Depot().downloads() as downloads:
        await downloads.fetch("/a", to, on_bytes=lambda _: seen.append(held(to)))
    assert set(seen) == {b"former"}
    assert held(to) == BODY


async def test_the_bytes_are_on_the_disk_before_they_get_the_name(
    to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(to.exists()))
    await Depot().fetch(to)
    assert synced == [False]


async def test_a_known_version_is_not_sent_again(to: Path) -> None:
    keep(to, b"as it was")
    depot = Depot()
    fetched = await depot.fetch(to, NEW)
    assert (fetched.changed, fetched.etag, fetched.size) == (False, NEW, None)
    assert held(to) == b"as it was"
    assert depot.asked("if-none-match") == [NEW]


async def test_another_version_than_the_known_one_is_fetched(to: Path) -> None:
    fetched = await Depot().fetch(to, OLD)
    assert (fetched.changed, fetched.etag) == (True, NEW)
    assert held(to) == BODY


async def test_data_that_come_compressed_all_the_same_are_unpacked(to: Path) -> None:
    import gzip

    packed = gzip.compress(BODY)
    sent = {"content-encoding": "gzip", "content-length": str(len(packed)), "etag": NEW}
    depot = Depot(first=[httpx.Response(200, headers=sent, content=pieces(packed))])
    assert (await depot.fetch(to)).size == len(BODY)
    assert held(to) == BODY


async def test_many_files_come_at_a_time(to: Path) -> None:
    async with Depot().downloads() as downloads:
        places = [to.with_name(f"{number:02x}.txt") for number in range(20)]
        await asyncio.gather(*(downloads.fetch("/bulk/00.txt", place) for place in places))
    assert all(place.read_bytes() == BODY for place in places)


# a line that breaks off


async def test_what_an_ended_process_left_is_continued(to: Path) -> None:
    left(to, BODY[:30_000], NEW)
    depot = Depot()
    fetched = await depot.fetch(to)
    assert (fetched.size, held(to)) == (len(BODY), BODY)
    assert depot.asked("range") == ["bytes=30000-"]
    assert depot.asked("if-range") == [NEW]
    assert litter(to) == []


async def test_a_cancelled_download_is_continued_later(to: Path) -> None:
    async with Depot().downloads() as downloads:
        task = asyncio.ensure_future(
            downloads.fetch("/bulk/00.txt", to, on_bytes=lambda _: task.cancel())
        )
        with pytest.raises(asyncio.CancelledError):
            await task
    assert litter(to) == ["00.txt.part", "00.txt.part.etag"]
    depot = Depot()
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == ["bytes=4096-"]


async def test_a_download_cancelled_at_its_very_end_is_whole_or_was_none(
    to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(os, "fsync", lambda _: loop.call_soon_threadsafe(task.cancel))
    async with Depot().downloads() as downloads:
        task: asyncio.Task[Downloaded] = asyncio.ensure_future(downloads.fetch("/bulk/00.txt", to))
        with pytest.raises(asyncio.CancelledError):
            await task
    assert held(to) == BODY
    assert litter(to) == []


async def test_a_line_that_drops_every_few_bytes_ends_up_complete(to: Path) -> None:
    depot = Depot(drops_after=5000)
    fetched = await depot.fetch(to, attempts=2)
    assert (fetched.size, held(to)) == (len(BODY), BODY)
    assert len(depot.requests) == -(-len(BODY) // 5000)


async def test_bytes_that_came_count_even_where_only_one_attempt_is_made(to: Path) -> None:
    await Depot(drops_after=20_000).fetch(to, attempts=1)
    assert held(to) == BODY


async def test_a_file_that_changed_meanwhile_begins_anew(to: Path) -> None:
    left(to, b"x" * 30_000, OLD)
    depot = Depot()
    assert (await depot.fetch(to)).etag == NEW
    assert held(to) == BODY
    assert len(depot.requests) == 1


async def test_a_file_that_changes_while_the_line_drops_is_never_mixed(to: Path) -> None:
    depot = Depot(body=b"x" * 9000, etag=OLD, drops_after=5000)

    async def change(request: httpx.Request) -> httpx.Response:
        answer = depot.served(request)
        depot.body, depot.etag = BODY, NEW
        return answer

    depot.first = [change]
    await depot.fetch(to)
    assert held(to) == BODY


async def test_a_host_that_minds_no_if_range_does_not_mix_versions_either(to: Path) -> None:
    left(to, b"x" * 30_000, OLD)
    depot = Depot(minds_if_range=False)
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == ["bytes=30000-", None]


async def test_a_range_that_is_beyond_the_file_begins_anew(to: Path) -> None:
    left(to, BODY, NEW)
    depot = Depot()
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == [f"bytes={len(BODY)}-", None]


@pytest.mark.parametrize(
    "sent", ["bytes 0-51199/51200", "bytes 30001-51199/51200", "pages 1-2/3", ""]
)
async def test_a_piece_that_does_not_fit_is_thrown_away(to: Path, sent: str) -> None:
    left(to, BODY[:30_000], NEW)
    piece = httpx.Response(206, headers={"content-range": sent, "etag": NEW}, content=b"y" * 99)
    depot = Depot(first=[piece])
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == ["bytes=30000-", None]


async def test_a_piece_that_ends_early_is_continued(to: Path) -> None:
    left(to, BODY[:30_000], NEW)
    sent = {"content-range": f"bytes 30000-39999/{len(BODY)}", "etag": NEW}
    depot = Depot(first=[httpx.Response(206, headers=sent, content=BODY[30_000:40_000])])
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == ["bytes=30000-", "bytes=40000-"]


async def test_a_body_shorter_than_announced_is_continued_and_never_taken(to: Path) -> None:
    sent = {"content-length": str(len(BODY)), "etag": NEW}
    depot = Depot(first=[httpx.Response(200, headers=sent, content=pieces(BODY[:7000]))])
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == [None, "bytes=7000-"]


async def test_a_body_that_stays_short_is_an_error(to: Path) -> None:
    sent = {"content-length": str(len(BODY))}
    shorts: list[Answer] = [
        httpx.Response(200, headers=sent, content=pieces(BODY[:7000])) for _ in range(9)
    ]
    error = await Depot(first=shorts).failing(to, UpstreamUnavailable)
    assert "sent less of a file than it announced" in error.message
    assert held(to) is None


async def test_a_body_longer_than_announced_is_thrown_away(to: Path) -> None:
    sent = {"content-length": "100", "etag": NEW}
    depot = Depot(first=[httpx.Response(200, headers=sent, content=pieces(BODY))])
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == [None, None]


@pytest.mark.parametrize("etag", [None, 'W/"new"'])
async def test_without_a_version_that_promises_the_same_bytes_it_begins_anew(
    to: Path, etag: str | None
) -> None:
    depot = Depot(etag=etag)
    depot.first = [dropping(depot, 20_000)]
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == [None, None]


@pytest.mark.parametrize("label", [None, "", "new", '"new"\r\nX-Evil: 1', '"né"'])
async def test_bytes_of_an_unknown_version_are_not_continued(to: Path, label: str | None) -> None:
    left(to, b"x" * 30_000, label)
    depot = Depot()
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("range") == [None]


async def test_a_version_without_bytes_is_nothing(to: Path) -> None:
    to.with_name("00.txt.part.etag").write_text(NEW)
    depot = Depot()
    await depot.fetch(to)
    assert depot.asked("range") == [None]
    assert litter(to) == []


def dropping(depot: Depot, after: int) -> Callable[[httpx.Request], Awaitable[httpx.Response]]:
    async def answer(request: httpx.Request) -> httpx.Response:
        depot.drops_after = after
        try:
            return depot.served(request)
        finally:
            depot.drops_after = None

    return answer


# attempts that bring nothing


async def test_a_host_that_is_busy_for_a_moment_is_asked_again(to: Path) -> None:
    depot = Depot(first=[page(503, "<Error><Code>SlowDown</Code></Error>"), page(500, "x")])
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.times == [0, 0.5, 1.5]


async def test_the_wait_that_a_host_asks_for_is_kept(to: Path) -> None:
    depot = Depot(first=[page(503, "x", retry_after="7"), page(429, "x", retry_after="30")])
    await depot.fetch(to)
    assert depot.times == [0, 7.5, 38.5]


async def test_a_limit_without_a_wait_is_given_the_rest_of_the_policy(to: Path) -> None:
    depot = Depot(first=[page(429, "x")])
    await depot.fetch(to, rest_after_429=20.0)
    assert depot.times == [0, 20.5]


async def test_a_wait_of_hours_is_told_and_not_waited(to: Path) -> None:
    error = await Depot(first=[page(429, "x", retry_after="7200")]).failing(to, RateLimited)
    assert error.retry_after == 7200


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (page(503, "x"), UpstreamUnavailable),
        (page(500, "x"), UpstreamUnavailable),
        (page(429, "x", retry_after="1"), RateLimited),
        (httpx.ConnectError("https://museum.example s3cret"), UpstreamUnavailable),
        (httpx.ReadTimeout("https://museum.example s3cret"), UpstreamTimeout),
    ],
)
async def test_failures_without_end_end(
    to: Path, answer: Answer, kind: type[UpstreamError]
) -> None:
    depot = Depot(first=[answer] * 50)
    await depot.failing(to, kind)
    assert len(depot.requests) == 3
    assert litter(to) == []


async def test_failures_after_bytes_are_counted_from_there_and_the_bytes_stay(to: Path) -> None:
    depot = Depot()
    depot.first = [page(503), page(503), dropping(depot, 20_000), *[page(503)] * 50]
    await depot.failing(to, UpstreamUnavailable)
    assert len(depot.requests) == 6
    assert to.with_name("00.txt.part").stat().st_size == 20_000
    depot = Depot()
    await depot.fetch(to)
    assert depot.asked("range") == ["bytes=20000-"]


async def test_who_begins_again_and_again_gets_nowhere(to: Path) -> None:
    depot = Depot(etag=None, drops_after=20_000)
    await depot.failing(to, UpstreamUnavailable)
    assert len(depot.requests) == 4

    depot = Depot(drops_after=20_000, ranges=False)
    await depot.failing(to, UpstreamUnavailable)
    assert len(depot.requests) == 4


async def test_pieces_that_never_fit_end_too(to: Path) -> None:
    depot = Depot()

    async def unfitting(request: httpx.Request) -> httpx.Response:
        if request.headers.get("range"):
            return httpx.Response(206, headers={"content-range": "bytes 1-2/3"})
        return await dropping(depot, 20_000)(request)

    depot.first = [unfitting] * 50
    with pytest.raises(UpstreamError):
        await depot.fetch(to)
    assert len(depot.requests) < 8


# what is no file


async def test_a_file_that_is_not_there_is_told_apart_and_not_asked_for_again(to: Path) -> None:
    for status in (404, 410):
        depot = Depot(first=[page(status, "<Error><Code>NoSuchKey</Code></Error>")] * 5)
        error = await depot.failing(to, NothingFound)
        assert error.reason is Reason.NOT_FOUND
        assert len(depot.requests) == 1


async def test_a_file_that_may_not_be_had_is_told_apart(to: Path) -> None:
    depot = Depot(first=[page(403, "<Error><Code>AccessDenied</Code></Error>")] * 5)
    await depot.failing(to, Refused)
    assert len(depot.requests) == 1


async def test_other_refusals_are_not_asked_for_again(to: Path) -> None:
    for status in (400, 405, 412, 204, 206, 304):
        depot = Depot(first=[page(status)] * 5)
        error = await depot.failing(to, UpstreamUnavailable)
        assert f"status {status}" in error.message
        assert len(depot.requests) == 1


async def test_a_web_page_is_no_data_and_costs_no_byte_of_what_is_there(to: Path) -> None:
    left(to, BODY[:30_000], NEW)
    keep(to, b"former")
    spoken = httpx.Response(200, content=pieces(b"\n<!DOCTYPE html><html>Log in", size=3))
    for answer in (website(200, "Log in"), spoken, website(404)):
        error = await Depot(first=[answer]).failing(to, UpstreamUnavailable)
        assert "web page where data was due" in error.message
    assert held(to) == b"former"
    depot = Depot()
    await depot.fetch(to)
    assert depot.asked("range") == ["bytes=30000-"]


async def test_a_page_that_wants_to_see_a_human_is_a_block(to: Path) -> None:
    for status in (200, 403, 503):
        depot = Depot(first=[website(status, "Just a moment...")] * 5)
        await depot.failing(to, UpstreamBlocked)
        assert len(depot.requests) == 1


async def test_a_broken_compression_is_malformed(to: Path) -> None:
    sent = {"content-encoding": "gzip"}
    depot = Depot(first=[httpx.Response(200, headers=sent, content=pieces(BODY))])
    await depot.failing(to, UpstreamMalformed)
    assert held(to) is None


# where it leads


async def test_a_redirect_to_a_foreign_host_is_refused(to: Path) -> None:
    depot = Depot(first=[httpx.Response(307, headers={"location": "https://evil.example/00"})] * 5)
    error = await depot.failing(to, UpstreamUnavailable)
    assert "redirected to a host outside its list" in error.message
    assert len(depot.requests) == 1


async def test_a_redirect_within_the_list_is_followed_and_carries_no_key_abroad(to: Path) -> None:
    left(to, BODY[:30_000], NEW)
    moved = httpx.Response(303, headers={"location": "https://ids.museum.example/00.txt"})
    depot = Depot(first=[moved])
    await depot.fetch(to)
    assert held(to) == BODY
    assert depot.asked("x-api-key") == [KEY, None]
    assert depot.asked("range") == ["bytes=30000-"] * 2


async def test_redirects_in_a_circle_end(to: Path) -> None:
    moved = httpx.Response(307, headers={"location": "https://museum.example/api/bulk/00.txt"})
    error = await Depot(first=[moved] * 50).failing(to, UpstreamUnavailable)
    assert "redirected in a circle" in error.message


async def test_a_path_that_would_lead_elsewhere_is_refused_unsent(to: Path) -> None:
    depot = Depot()
    async with depot.downloads() as downloads:
        with pytest.raises(GatewayError):
            await downloads.fetch("/bulk/../secret", to)
    assert depot.requests == []


def test_a_host_outside_its_own_list_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="missing in the list of hosts"):
        Downloads(upstream(), allowed_hosts=frozenset({"other.example"}), user_agent="x")


async def test_the_log_holds_neither_address_nor_key(
    to: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await Depot(first=[httpx.ConnectError("https://museum.example s3cret")]).fetch(to)
    told = [record.getMessage() for record in caplog.records if "museum" in record.getMessage()]
    assert [line.rpartition(" in ")[0] for line in told] == [
        "museum.example download: ConnectError",
        "museum.example download: 200",
    ]
    assert not any(word in caplog.text for word in ("https:", "/bulk", KEY))


# the disk


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
async def test_a_full_disk_is_told_as_such_and_blamed_on_nobody(
    to: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def full(_: int) -> None:
        raise OSError(number, os.strerror(number), str(to))

    monkeypatch.setattr(os, "fsync", full)
    depot = Depot()
    error = await depot.failing(to, GatewayError)
    assert not isinstance(error, UpstreamError)
    assert "The disk is full" in error.message
    assert "museum" not in error.message
    assert len(depot.requests) == 1
    assert litter(to) == ["00.txt.part", "00.txt.part.etag"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
async def test_a_disk_that_fills_up_while_bytes_come_is_told_as_such(to: Path) -> None:
    to.with_name("00.txt.part").symlink_to("/dev/full")
    depot = Depot()
    error = await depot.failing(to, GatewayError)
    assert "The disk is full" in error.message
    assert len(depot.requests) == 1


async def test_a_place_that_cannot_be_written_is_told_as_such(to: Path) -> None:
    to.parent.rmdir()
    to.parent.write_text("a file where a folder was due")
    error = await Depot().failing(to, GatewayError)
    assert not isinstance(error, UpstreamError)
    assert "The disk refused" in error.message
