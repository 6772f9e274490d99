"""The bucket of the bulk metadata: which files it has, and one of them brought to the disk.

Each unit has up to 256 files, its shards, named by two hex digits. Listing was not allowed until 2021;
for such times there are index files, some of which have been missing. There is no manifest and no date.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Self

from heritage_gateway.errors import (
    NothingFound,
    Reason,
    Refused,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import (
    Downloaded,
    Downloads,
    HttpClient,
    Pace,
    Reply,
    Upstream,
    is_loopback,
)
from heritage_gateway.plugin import Services
from heritage_smithsonian.settings import SmithsonianSettings

ENDPOINT = "bulk"

_ROOT = "metadata/edan/"
_UNIT = re.compile(r"[a-z0-9_-]+")
_SHARD = re.compile(rf"{_ROOT}({_UNIT.pattern})/([0-9a-f]{{2}})\.txt")
_UNIT_INDEX = re.compile(rf"(?:^|/){_ROOT}({_UNIT.pattern})/index\.txt$")
_SHARD_LINE = re.compile(rf"(?:^|/)({_SHARD.pattern})$")
_NAMES = tuple(f"{number:02x}" for number in range(256))
_TITLE = "The Smithsonian's bulk metadata"
_LATER = "Try again later; what is on this machine stays as it is."


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of a unit: `unit` in lower case, `name` two hex digits, `etag` with its quotes.

    A `guessed` one was named by nobody and may not be there.
    """

    unit: str
    name: str
    etag: str | None = None
    size: int | None = None
    last_modified: datetime | None = None
    guessed: bool = False

    @property
    def key(self) -> str:
        return f"{_ROOT}{self.batch}.txt"

    @property
    def batch(self) -> str:
        """Its name in the index: "nasm/3f"."""
        return f"{self.unit}/{self.name}"


@dataclass(frozen=True, slots=True)
class Listing:
    """`shards` by unit and name. `guessed` are units whose index is missing, so that all names are
    tried; `unknown` are codes, as they were asked for, of which the bucket has nothing.
    """

    shards: tuple[Shard, ...]
    guessed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def bulk(settings: SmithsonianSettings, *, paced: bool) -> Upstream:
    """The bucket as a host to be reached; it needs no key."""
    return Upstream(
        name="smithsonian-open-access",
        title="the Smithsonian's bulk metadata",
        base_url=settings.bulk_url,
        paces={ENDPOINT: Pace(burst=50, rate=50, per=1)},
        read_timeout=60.0,
        attempts=6,
        backoff=1.0,
        paced=paced,
        rate_limit_hint="Start again later; what has arrived is kept.",
    )


def snapshot_id(etags: Mapping[str, str]) -> str:
    """A name for the state of the bucket, from the ETag of each key: equal states, equal names."""
    lines = sorted(f"{key} {etag}\n" for key, etag in etags.items())
    return sha256("".join(lines).encode()).hexdigest()[:16]


class Bucket:
    """Lists with the client, fetches with the downloads; how many at a time is the caller's."""

    def __init__(self, client: HttpClient, downloads: Downloads) -> None:
        self._client = client
        self._downloads = downloads

    @classmethod
    def over(cls, services: Services, settings: SmithsonianSettings) -> Self:
        """The bucket that the settings name; it is to be closed (`aclosing`), apart from the services."""
        paced = services.settings.rate_limits == "on" or not is_loopback(settings.bulk_url)
        upstream = bulk(settings, paced=paced)
        downloads = Downloads(
            upstream,
            allowed_hosts=frozenset({upstream.host}),
            user_agent=services.user_agent,
            transport=services.transport,
            clock=services.clock,
            now=services.now,
            sleep=services.sleep,
        )
        return cls(services.client(upstream), downloads)

    async def aclose(self) -> None:
        await self._downloads.aclose()

    async def listing(self, units: Collection[str] | None = None) -> Listing:
        """All shards, or those of the units, by codes such as NASM in any letter case.

        Raises an `UpstreamError` where the bucket gives no usable answer; that never means that
        there are no shards.
        """
        asked = None if units is None else {unit.strip().lower(): unit for unit in units}
        try:
            shards = await self._listed(asked)
        except UpstreamMalformed:
            shards = None
        return await self._indexed(asked) if shards is None else _listing(shards, asked)

    async def fetch(
        self,
        shard: Shard,
        to: Path,
        *,
        etag: str | None = None,
        on_bytes: Callable[[int], object] | None = None,
    ) -> Downloaded:
        """Bring a shard to a file, as `Downloads.fetch` does; `etag` is of the version at hand.

        Raises `NothingFound` for one that is not there. A bucket that may not be listed answers 403
        for what it does not have, so for a guessed shard that means the same.
        """
        try:
            return await self._downloads.fetch(f"/{shard.key}", to, etag=etag, on_bytes=on_bytes)
        except Refused as refused:
            if not shard.guessed:
                raise
            message, hint = refused.message, refused.hint
        raise NothingFound(Reason.NOT_FOUND, message, hint)

    # -- by listing --------------------------------------------------------------------------------

    async def _listed(self, asked: Mapping[str, str] | None) -> list[Shard] | None:
        """None where the bucket does not list, or lists nothing at all."""
        if asked is None:
            return await self._pages(_ROOT) or None
        shards: list[Shard] = []
        for unit in filter(_UNIT.fullmatch, asked):
            found = await self._pages(f"{_ROOT}{unit}/")
            if found is None:
                return None
            shards += found
        return shards

    async def _pages(self, prefix: str) -> list[Shard] | None:
        shards: list[Shard] = []
        params = {"list-type": "2", "prefix": prefix}
        seen: set[str] = set()
        while True:
            page = await self._client.get("/", params=params, endpoint=ENDPOINT, read=_page)
            if page is None:
                return None
            shards += page.shards
            if page.token is None:
                return shards
            if page.token in seen:
                raise _unreadable("its listing has no end")
            seen.add(page.token)
            params = {**params, "continuation-token": page.token}

    # -- by index files ----------------------------------------------------------------------------

    async def _indexed(self, asked: Mapping[str, str] | None) -> Listing:
        units = await self._index("")
        known = sorted({match[1] for line in units or () if (match := _UNIT_INDEX.search(line))})
        if not known:
            raise _unreadable("it neither lists its files nor has an index of them")
        shards: list[Shard] = []
        guessed: list[str] = []
        for unit in known if asked is None else [unit for unit in known if unit in asked]:
            lines = await self._index(f"{unit}/", missing=(403, 404, 410))
            named = [match for line in lines or () if (match := _SHARD_LINE.search(line))]
            found = [Shard(unit, match[3]) for match in named if match[2] == unit]
            if not found:  # units without any shard are not known of
                guessed.append(unit)
                found = [Shard(unit, name, guessed=True) for name in _NAMES]
            shards += found
        return _listing(shards, asked, guessed)

    async def _index(self, folder: str, *, missing: Collection[int] = ()) -> list[str] | None:
        """The lines of an index file; None where it is missing.

        They are addresses, of which only the end is looked at, as it may name any host.
        """

        def lines(reply: Reply) -> list[str] | None:
            if reply.status in missing and not reply.is_html:
                return None
            if reply.status != 200:
                raise UpstreamUnavailable(
                    f"{_TITLE} could not be listed (status {reply.status}).", _LATER
                )
            return [line.strip() for line in reply.body.decode("utf-8", "replace").splitlines()]

        return await self._client.get(f"/{_ROOT}{folder}index.txt", endpoint=ENDPOINT, read=lines)


@dataclass(frozen=True, slots=True)
class _Page:
    shards: tuple[Shard, ...]
    token: str | None


def _page(reply: Reply) -> _Page | None:
    """A page of ListObjectsV2; None where the bucket does not list. Other files are passed over."""
    if reply.status != 200:
        return None
    root = _xml(reply.body)
    if root.tag.rpartition("}")[2] != "ListBucketResult":
        raise _unreadable("its listing is something else")
    shards = (_shard(entry) for entry in root.iterfind("{*}Contents"))
    token = None
    if _text(root, "IsTruncated").lower() == "true":
        token = _text(root, "NextContinuationToken")
        if not token:
            raise _unreadable("its listing breaks off")
    return _Page(tuple(shard for shard in shards if shard), token)


def _xml(body: bytes) -> ET.Element:
    """A document type could define entities that blow up, so there must be none."""
    try:
        text = body.decode("utf-8-sig")
        if "<!doctype" not in text.lower():
            return ET.fromstring(text)  # noqa: S314 - see above
        transient = False
    except (ET.ParseError, ValueError):
        transient = True  # most likely cut
    raise _unreadable("its listing cannot be read", transient=transient)


def _shard(entry: ET.Element) -> Shard | None:
    match = _SHARD.fullmatch(_text(entry, "Key"))
    if match is None:
        return None
    etag, size = _text(entry, "ETag").strip('"'), _text(entry, "Size")
    return Shard(
        match[1],
        match[2],
        etag=f'"{etag}"' if etag else None,
        size=int(size) if re.fullmatch(r"[0-9]{1,18}", size) else None,
        last_modified=_moment(_text(entry, "LastModified")),
    )


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _text(element: ET.Element, name: str) -> str:
    return (element.findtext(f"{{*}}{name}") or "").strip()


def _listing(
    shards: Iterable[Shard], asked: Mapping[str, str] | None, guessed: Iterable[str] = ()
) -> Listing:
    found = {shard.key: shard for shard in shards}
    units = {shard.unit for shard in found.values()}
    unknown = () if asked is None else (code for unit, code in asked.items() if unit not in units)
    return Listing(tuple(found[key] for key in sorted(found)), tuple(guessed), tuple(unknown))


def _unreadable(why: str, *, transient: bool = False) -> UpstreamMalformed:
    return UpstreamMalformed(f"{_TITLE} could not be listed: {why}.", _LATER, transient=transient)
