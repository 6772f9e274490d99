"""The bucket as the stand-in has it, and as it was or may be when it does not list its files."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from conftest import Standin
from heritage_gateway.errors import (
    GatewayError,
    NothingFound,
    RateLimited,
    Refused,
    UpstreamBlocked,
    UpstreamError,
    UpstreamMalformed,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from heritage_gateway.http import Downloaded
from heritage_gateway.plugin import Services
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian.mirror.bucket import Bucket, Listing, Shard, snapshot_id
from heritage_smithsonian.settings import SmithsonianSettings
from hurry import Hurry

pytestmark = pytest.mark.anyio

HOST = "https://bucket.example"
ALL_NAMES = tuple(f"{number:02x}" for number in range(256))


# -- a bucket of the tests -------------------------------------------------------------------------


def denied(status: int = 403) -> httpx.Response:
    return httpx.Response(status, text="<Error><Code>AccessDenied</Code></Error>")


def webpage(status: int = 200, words: str = "Log in to this network") -> httpx.Response:
    return httpx.Response(status, html=f"<!DOCTYPE html><html>{words}</html>")


def entry(key: str, rest: str = "") -> str:
    return f"<Contents><Key>{key}</Key>{rest}</Contents>"


def listed(*entries: str, more: str = "<IsTruncated>false</IsTruncated>") -> httpx.Response:
    return httpx.Response(
        200,
        text='<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns='
        f'"http://s3.amazonaws.com/doc/2006-03-01/">{more}{"".join(entries)}</ListBucketResult>',
    )


def index(*lines: str) -> httpx.Response:
    return httpx.Response(200, text="".join(f"{HOST}/metadata/edan/{line}\n" for line in lines))


Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


@dataclass
class Fake:
    """`pages` answer to listings in turn, the last one for ever; `files` by what follows the root."""

    pages: list[Answer] = field(default_factory=lambda: [denied()])
    files: Mapping[str, Answer] = field(default_factory=dict[str, Answer])
    missing: Answer = field(default_factory=lambda: denied(404))
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])
    asked: int = 0

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.path == "/":
            answer = self.pages[min(self.asked, len(self.pages) - 1)]
            self.asked += 1
        else:
            key = request.url.path.removeprefix("/metadata/edan/")
            answer = self.files.get(key, self.missing)
        if isinstance(answer, Exception):
            raise answer
        if not isinstance(answer, httpx.Response):
            return answer(request)
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def params(self) -> list[dict[str, str]]:
        return [dict(request.url.params) for request in self.requests if request.url.path == "/"]

    async def listing(self, *units: str) -> Listing:
        async with shop(self) as bucket:
            return await bucket.listing(units or None)

    async def failing(self, kind: type[GatewayError], *units: str) -> GatewayError:
        with pytest.raises(kind) as caught:
            await self.listing(*units)
        assert not any(word in str(caught.value) for word in ("https:", "metadata/", "<"))
        return caught.value

    async def fetch(self, shard: Shard, to: Path) -> Downloaded:
        async with shop(self) as bucket:
            return await bucket.fetch(shard, to)


@asynccontextmanager
async def shop(fake: Fake | None = None) -> AsyncIterator[Bucket]:
    """The bucket over a fake one, else over the stand-in's."""
    hurry = Hurry()
    services = Services(
        GatewaySettings.read(),
        transport=None if fake is None else httpx.MockTransport(fake),
        clock=hurry.clock,
        now=hurry.now,
        sleep=hurry.sleep,
    )
    settings = SmithsonianSettings.read() if fake is None else SmithsonianSettings(bulk_url=HOST)
    async with aclosing(Bucket.over(services, settings)) as bucket:
        try:
            yield bucket
        finally:
            await services.aclose()


def named(listing: Listing) -> list[str]:
    return [f"{shard.unit}/{shard.name}" for shard in listing.shards]


def held(file: Path) -> bytes:
    return file.read_bytes()


# -- as it is --------------------------------------------------------------------------------------


@pytest.mark.standin
async def test_all_shards_are_listed_with_what_is_known_of_them(standin: Standin) -> None:
    async with shop() as bucket:
        listing = await bucket.listing()
    assert len(listing.shards) > 1000
    assert named(listing) == sorted(set(named(listing)))
    assert {shard.unit for shard in listing.shards} > {"nasm", "saam", "fbr"}
    assert all(shard.etag and shard.last_modified for shard in listing.shards)
    assert all(shard.size is not None and shard.size >= 0 for shard in listing.shards)
    assert (listing.guessed, listing.unknown) == ((), ())
    assert standin.requests == -(-(len(listing.shards) + 40) // 1000)


@pytest.mark.standin
async def test_units_are_listed_alone_in_any_letter_case_and_unknown_ones_named(
    standin: Standin,
) -> None:
    async with shop() as bucket:
        everything = await bucket.listing()
        some = await bucket.listing(["NASM", "saam", "Saam ", "XYZ", "na sm", "../nasm", ""])
    wanted = tuple(shard for shard in everything.shards if shard.unit in {"nasm", "saam"})
    assert some.shards == wanted
    assert some.unknown == ("XYZ", "na sm", "../nasm", "")


@pytest.mark.standin
async def test_a_shard_comes_as_listed_and_once(standin: Standin, tmp_path: Path) -> None:
    counts: list[int] = []
    to = tmp_path / "shard.txt"
    async with shop() as bucket:
        listing = await bucket.listing(["NASM"])
        shard = max(listing.shards, key=lambda shard: shard.size or 0)
        fetched = await bucket.fetch(shard, to, on_bytes=counts.append)
        again = await bucket.fetch(shard, to, etag=fetched.etag)
    assert (fetched.etag, fetched.size) == (shard.etag, shard.size)
    assert fetched.last_modified == shard.last_modified
    assert sum(counts) == shard.size
    assert f'"{hashlib.md5(held(to)).hexdigest()}"' == shard.etag
    assert (again.changed, again.etag) == (False, shard.etag)


@pytest.mark.standin
async def test_a_line_that_breaks_off_or_a_busy_bucket_costs_no_shard(
    standin: Standin, tmp_path: Path
) -> None:
    to = tmp_path / "shard.txt"
    async with shop() as bucket:
        shard = (await bucket.listing(["NASM"])).shards[0]
        for kind in ("reset", "truncate-length", "503", "429", "500"):
            standin.fault(kind, host="s3", path="[.]txt$")
        fetched = await bucket.fetch(shard, to)
    assert (fetched.etag, len(held(to))) == (shard.etag, shard.size)


@pytest.mark.standin
@pytest.mark.parametrize("status", ["404", "403", "405"])
async def test_without_listing_the_index_files_name_the_same_shards(
    standin: Standin, status: str
) -> None:
    async with shop() as bucket:
        listing = await bucket.listing(["NASM", "FBR"])
        for _ in range(2):
            fault = {"status": int(status), "body": "<Error/>", "type": "application/xml"}
            standin.fault("custom", host="s3", path="^/?$", times=-1, **fault)
            by_index = await bucket.listing(["NASM", "FBR", "XYZ"])
    assert named(by_index) == named(listing)
    assert {shard.etag for shard in by_index.shards} == {None}
    assert (by_index.guessed, by_index.unknown) == ((), ("XYZ",))


@pytest.mark.standin
@pytest.mark.parametrize("kind", ["html-200", "captcha-200", "503", "500", "reset", "429"])
async def test_a_failing_bucket_is_never_an_empty_one(standin: Standin, kind: str) -> None:
    standin.fault(kind, host="s3", times=-1)
    async with shop() as bucket:
        with pytest.raises(UpstreamError):
            await bucket.listing()
        with pytest.raises(UpstreamError):
            await bucket.listing(["NASM"])


# -- what a listing says ---------------------------------------------------------------------------


async def test_pages_are_followed_and_other_files_passed_over() -> None:
    token = "1/a+b=="
    first = listed(
        entry("metadata/edan/index.txt"),
        entry("metadata/edan/nasm/index.txt"),
        entry("metadata/edan/nasm/0a.txt", "<ETag>&quot;abc-2&quot;</ETag><Size>17</Size>"),
        entry("metadata/edan/nasm/0a.txt.bak"),
        entry("metadata/edan/nasm/"),
        entry("media/nasm/0b.txt"),
        "<Owner/>",
        more="<IsTruncated>true</IsTruncated>"
        f"<NextContinuationToken>{token}</NextContinuationToken>",
    )
    moment = "<LastModified>2026-03-01T04:05:06.000Z</LastModified>"
    fake = Fake([first, listed(entry("metadata/edan/aaa/ff.txt", moment))])
    listing = await fake.listing()
    assert listing.shards == (
        Shard("aaa", "ff", last_modified=datetime(2026, 3, 1, 4, 5, 6, tzinfo=UTC)),
        Shard("nasm", "0a", etag='"abc-2"', size=17),
    )
    assert [params.get("continuation-token") for params in fake.params] == [None, token]
    assert {params["prefix"] for params in fake.params} == {"metadata/edan/"}
    assert {params["list-type"] for params in fake.params} == {"2"}


async def test_facts_that_cannot_be_read_are_left_out() -> None:
    odd = "<ETag/><Size>large</Size><LastModified>yesterday</LastModified><New>1</New>"
    listing = await Fake([listed(entry("metadata/edan/nasm/00.txt", odd))]).listing()
    assert listing.shards == (Shard("nasm", "00"),)


async def test_a_listing_without_a_namespace_is_read_too() -> None:
    body = f"<ListBucketResult>{entry('metadata/edan/nasm/00.txt')}</ListBucketResult>"
    assert named(await Fake([httpx.Response(200, text=body)]).listing()) == ["nasm/00"]


UNREADABLE = {
    "cut": "<ListBucketResult><Contents><Key>metadata/edan/nasm/00.txt</Ke",
    "an error": "<Error><Code>AccessDenied</Code></Error>",
    "no XML": "metadata/edan/nasm/00.txt",
    "nothing": "",
    "no shard": "<ListBucketResult/>",
    "entities": '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ListBucketResult>&b;'
    "<Contents><Key>metadata/edan/evil/00.txt</Key></Contents></ListBucketResult>",
    "no token": "<ListBucketResult><IsTruncated>true</IsTruncated>"
    "<Contents><Key>metadata/edan/evil/00.txt</Key></Contents></ListBucketResult>",
    "no end": "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>1"
    "</NextContinuationToken></ListBucketResult>",
}


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
async def test_a_listing_that_cannot_be_read_gives_way_to_the_index(body: str) -> None:
    files = {"index.txt": index("nasm/index.txt"), "nasm/index.txt": index("nasm/00.txt")}
    fake = Fake([httpx.Response(200, text=body)], files)
    assert named(await fake.listing()) == ["nasm/00"]


async def test_entities_in_another_encoding_are_not_read_either() -> None:
    body = UNREADABLE["entities"].encode("utf-16")
    fake = Fake([httpx.Response(200, content=body)], {"index.txt": index("nasm/index.txt")})
    assert "evil/00" not in named(await fake.listing())


async def test_a_listing_refused_in_the_middle_is_none() -> None:
    first = listed(
        entry("metadata/edan/nasm/00.txt"),
        more="<IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken>",
    )
    files = {"index.txt": index("nasm/index.txt"), "nasm/index.txt": index(*SHARDS)}
    assert named(await Fake([first, denied()], files).listing()) == list(NAMED)


async def test_a_listing_that_fails_in_the_middle_is_a_failure() -> None:
    first = listed(
        entry("metadata/edan/nasm/00.txt"),
        more="<IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken>",
    )
    await Fake([first, denied(503)], {"index.txt": index("nasm/index.txt")}).failing(
        UpstreamUnavailable
    )


# -- what index files say --------------------------------------------------------------------------

NAMED = ("nasm/00", "nasm/01")
SHARDS = tuple(f"{name}.txt" for name in NAMED)


async def test_only_the_end_of_an_address_is_believed() -> None:
    lines = (
        "https://elsewhere.example/metadata/edan/nasm/00.txt",
        "  http://old.host/bucket/metadata/edan/nasm/01.txt\r",
        "metadata/edan/nasm/01.txt",
        "https://bucket.example/metadata/edan/saam/02.txt",
        "https://bucket.example/metadata/edan/nasm/../../secret.txt",
        "https://bucket.example/metadata/edan/nasm/03.txt.bak",
        "https://bucket.example/notmetadata/edan/nasm/04.txt",
        "https://bucket.example/metadata/edan/nasm/index.txt",
        "https://[broken/",
        "",
    )
    files = {
        "index.txt": index("nasm/index.txt", "index.txt", "sa am/index.txt"),
        "nasm/index.txt": httpx.Response(200, text="\n".join(lines)),
    }
    fake = Fake(files=files)
    assert named(await fake.listing()) == list(NAMED)
    assert {request.url.host for request in fake.requests} == {"bucket.example"}


@pytest.mark.parametrize(
    "answer", [denied(404), denied(403), denied(410), httpx.Response(200, text="")]
)
async def test_where_the_index_of_a_unit_is_missing_all_names_are_tried_and_that_is_said(
    answer: httpx.Response,
) -> None:
    files = {
        "index.txt": index("nasm/index.txt", "saam/index.txt"),
        "nasm/index.txt": answer,
        "saam/index.txt": index("saam/07.txt"),
    }
    listing = await Fake(files=files).listing()
    assert listing.guessed == ("nasm",)
    assert named(listing) == [*(f"nasm/{name}" for name in ALL_NAMES), "saam/07"]
    assert {shard.guessed for shard in listing.shards if shard.unit == "nasm"} == {True}
    assert {shard.guessed for shard in listing.shards if shard.unit == "saam"} == {False}


async def test_only_the_indexes_of_units_asked_for_are_fetched() -> None:
    files = {"index.txt": index("nasm/index.txt", "saam/index.txt")} | {
        "nasm/index.txt": index(*SHARDS)
    }
    fake = Fake(files=files)
    listing = await fake.listing("NASM", "XYZ")
    assert (named(listing), listing.unknown) == (list(NAMED), ("XYZ",))
    assert [request.url.path for request in fake.requests][1:] == [
        "/metadata/edan/index.txt",
        "/metadata/edan/nasm/index.txt",
    ]


FAILURES: dict[str, tuple[Answer, type[UpstreamError]]] = {
    "unreachable": (httpx.ConnectError("x"), UpstreamUnavailable),
    "slow": (httpx.ReadTimeout("x"), UpstreamTimeout),
    "broken off": (httpx.ReadError("x"), UpstreamUnavailable),
    "busy": (denied(503), UpstreamUnavailable),
    "failing": (denied(500), UpstreamUnavailable),
    "limited": (denied(429), RateLimited),
    "captive": (webpage(), UpstreamUnavailable),
    "a page not found": (webpage(404), UpstreamUnavailable),
    "a page refused": (webpage(403), UpstreamUnavailable),
    "challenged": (webpage(403, "Just a moment..."), UpstreamBlocked),
}


@pytest.mark.parametrize(("answer", "kind"), FAILURES.values(), ids=FAILURES)
async def test_a_bucket_that_gives_no_answer_is_not_empty(
    answer: Answer, kind: type[UpstreamError]
) -> None:
    everywhere = Fake([answer], missing=answer)
    await everywhere.failing(kind)
    await everywhere.failing(kind, "NASM")
    await Fake(files={"index.txt": answer}).failing(kind)
    await Fake(files={"index.txt": index("nasm/index.txt"), "nasm/index.txt": answer}).failing(kind)


async def test_a_bucket_that_neither_lists_nor_has_an_index_is_not_empty() -> None:
    for status in (403, 404, 405):
        for units in ((), ("NASM",)):
            await Fake(missing=denied(status)).failing(UpstreamUnavailable, *units)
    for text in ("", "nothing\n", "<ListBucketResult/>"):
        spoken = httpx.Response(200, text=text)
        await Fake([listed()], {"index.txt": spoken}).failing(UpstreamMalformed)


# -- one shard -------------------------------------------------------------------------------------


async def test_a_shard_that_is_not_there_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NothingFound):
        await Fake().fetch(Shard("nasm", "00"), tmp_path / "00.txt")


async def test_what_may_not_be_had_is_absent_only_where_its_name_was_guessed(
    tmp_path: Path,
) -> None:
    fake = Fake(missing=denied(403))
    with pytest.raises(Refused):
        await fake.fetch(Shard("nasm", "00"), tmp_path / "00.txt")
    with pytest.raises(NothingFound):
        await fake.fetch(Shard("nasm", "00", guessed=True), tmp_path / "00.txt")


async def test_a_page_instead_of_a_shard_is_neither(tmp_path: Path) -> None:
    for status in (200, 403, 404):
        with pytest.raises(UpstreamUnavailable):
            await Fake(missing=webpage(status)).fetch(
                Shard("nasm", "00", guessed=True), tmp_path / "00.txt"
            )


# -- the name of a state ---------------------------------------------------------------------------


def test_a_snapshot_is_named_by_its_keys_and_their_versions_in_any_order() -> None:
    name = snapshot_id({"a/00.txt": '"1"', "a/01.txt": '"2"'})
    assert name == hashlib.sha256(b'a/00.txt "1"\na/01.txt "2"\n').hexdigest()[:16]
    assert name == snapshot_id({"a/01.txt": '"2"', "a/00.txt": '"1"'})
    assert name != snapshot_id({"a/00.txt": '"2"', "a/01.txt": '"1"'})
    assert name != snapshot_id({"a/00.txt": '"1"'})
