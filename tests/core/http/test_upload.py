"""Files go to a host by PUT, and a host that takes none says so in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.http.museum import KEY, Answer, page, upstream, website
from core.virtual_time import clock, now
from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    RateLimited,
    Refused,
    UpstreamBlocked,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from heritage_gateway.http import Uploads

pytestmark = pytest.mark.anyio

BODY = bytes(range(256)) * 10_000


@dataclass
class Shelf:
    """Gives the answers in turn, the last one for ever, and keeps what it was sent."""

    answers: Sequence[Answer] = field(default_factory=lambda: [httpx.Response(201)])
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])
    bodies: list[bytes] = field(default_factory=list[bytes])

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        self.bodies.append(await request.aread())
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else await answer(request)

    def uploads(self, **changes: Any) -> Uploads:
        return Uploads(
            upstream(**changes),
            user_agent="heritage-gateway/test",
            transport=httpx.MockTransport(self),
            now=now,
            chance=lambda: 0.5,
        )

    async def failing(self, file: Path, kind: type[GatewayError]) -> GatewayError:
        """The error of an upload, after a look at all that could be printed of it."""
        async with self.uploads() as uploads:
            with pytest.raises(kind) as caught:
                await uploads.put("/files/x", file)
        seen: BaseException | None = caught.value
        while seen is not None:
            told = f"{seen} {seen.args} {getattr(seen, 'hint', '')}"
            assert not any(word in told for word in (KEY, "s3cret", "https:", "/files"))
            seen = seen.__cause__ or seen.__context__
        assert caught.value.message.endswith(".")
        return caught.value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "file").write_bytes(BODY)
    return tmp_path / "file"


async def test_a_file_is_sent_whole_with_its_length(file: Path) -> None:
    shelf = Shelf()
    async with shelf.uploads() as uploads:
        await uploads.put("/files/x", file)
    (request,) = shelf.requests
    assert (request.method, str(request.url)) == ("PUT", "https://museum.example/api/files/x")
    assert request.headers["content-length"] == str(len(BODY))
    assert "transfer-encoding" not in request.headers
    assert request.headers["user-agent"] == "heritage-gateway/test"
    assert shelf.bodies == [BODY]


@pytest.mark.parametrize("status", [200, 201, 204])
async def test_every_yes_is_one_also_with_a_page(file: Path, status: int) -> None:
    async with Shelf([website(status)]).uploads() as uploads:
        await uploads.put("/files/x", file)


@pytest.mark.parametrize(
    ("answer", "size"),
    [
        (httpx.Response(200, headers={"content-length": "12"}), 12),
        (httpx.Response(200, headers={"content-length": "0"}), 0),
        (httpx.Response(200, headers={"content-length": "12", "content-encoding": "gzip"}), None),
        (httpx.Response(200), None),
        (httpx.Response(302, headers={"location": "/y", "content-length": "12"}), None),
        (httpx.Response(404, headers={"content-length": "12"}), None),
        (httpx.Response(403), None),
        (httpx.Response(405), None),
        (httpx.Response(501), None),
    ],
)
async def test_the_size_of_what_is_there_is_believed_only_where_it_is_told(
    answer: httpx.Response, size: int | None
) -> None:
    shelf = Shelf([answer])
    async with shelf.uploads() as uploads:
        assert await uploads.size("/files/x") == size
    assert [request.method for request in shelf.requests] == ["HEAD"]


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        (httpx.Response(200), False),
        (httpx.Response(403), False),
        (website(404), True),
        (page(410), True),
    ],
)
async def test_what_is_missing_is_told_also_with_a_page(
    answer: httpx.Response, missing: bool
) -> None:
    async with Shelf([answer]).uploads() as uploads:
        assert await uploads.is_missing("/files/x") is missing


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "asks who sends it files"),
        (403, "does not let files be written"),
        (405, "does not take files by PUT"),
        (409, "a folder that is not there"),
        (413, "as large as this one"),
        (501, "does not take files by PUT"),
        (507, "has no room left"),
        (301, "sends files on to another address"),
        (307, "sends files on to another address"),
    ],
)
async def test_a_host_that_takes_no_files_is_asked_once_and_says_so(
    file: Path, status: int, words: str
) -> None:
    shelf = Shelf(
        [httpx.Response(status, headers={"location": "https://elsewhere.example/s3cret"})]
    )
    assert words in (await shelf.failing(file, Refused)).message
    assert len(shelf.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (page(418), UpstreamUnavailable),
        (page(429), RateLimited),
        (httpx.Response(500), UpstreamUnavailable),
        (website(503, "Just a moment..."), UpstreamBlocked),
    ],
)
async def test_other_failures_are_told_like_those_of_any_request(
    file: Path, answer: httpx.Response, kind: type[UpstreamError]
) -> None:
    shelf = Shelf([answer])
    await shelf.failing(file, kind)
    assert len(shelf.requests) == 1


async def test_what_breaks_off_is_sent_again_from_its_beginning(file: Path) -> None:
    broken = httpx.WriteError("https://museum.example/files s3cret")
    shelf = Shelf([broken, httpx.Response(503), httpx.Response(204)])
    async with shelf.uploads() as uploads:
        await uploads.put("/files/x", file)
    assert shelf.bodies == [BODY, BODY, BODY]
    assert clock() == pytest.approx(1.5, abs=0.01)


async def test_a_host_that_never_answers_is_given_up(file: Path) -> None:
    shelf = Shelf([httpx.ReadTimeout("https://museum.example/files s3cret")])
    await shelf.failing(file, UpstreamTimeout)
    assert len(shelf.requests) == 3


async def test_a_path_that_leads_elsewhere_is_not_asked_for(file: Path) -> None:
    shelf = Shelf()
    async with shelf.uploads() as uploads:
        with pytest.raises(InvalidRequest):
            await uploads.put("/files/../x", file)
    assert shelf.requests == []
