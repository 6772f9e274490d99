"""A bucket in memory, so that every story of a sync is exact; and what a mirror holds, read back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from heritage_gateway.index.embedded import EmbeddedReader
from heritage_gateway.plugin import Services
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian.mirror.bucket import Bucket
from heritage_smithsonian.mirror.entry import LAYOUT, decoded
from heritage_smithsonian.mirror.progress import Lines, Progress
from heritage_smithsonian.mirror.upkeep import Outcome, Upkeep, Wish
from heritage_smithsonian.settings import SmithsonianSettings
from hurry import Hurry

HOST = "https://bucket.example"
HEAP = 30_000_000  # the least that the engine takes


def record(name: str, version: int = 1, *, unit: str = "NASM", at: int = 1000) -> bytes:
    """A line of the bulk data; `at` is the time of the last ingest, which alone is no change."""
    url = f"edanmdm:{unit.lower()}_{name}"
    row: dict[str, Any] = {
        "id": f"ld1-{name}",
        "unitCode": unit,
        "type": "edanmdm",
        "url": url,
        "title": f"{name} {version}",
        "hash": hashlib.sha1(url.encode()).hexdigest(),
        "docSignature": f"{name}-{version}",
        "timestamp": 1000,
        "lastTimeUpdated": at,
        "content": {
            "descriptiveNonRepeating": {"unit_code": unit, "record_ID": url.partition(":")[2]},
            "freetext": {"notes": [{"label": "Note", "content": f"A thing called {name}."}]},
        },
    }
    return json.dumps(row).encode() + b"\n"


def many(count: int, first: int = 0, *, version: int = 1, unit: str = "NASM") -> list[bytes]:
    return [record(f"n{number}", version, unit=unit) for number in range(first, first + count)]


@dataclass
class PretendBucket:
    """`files` by "nasm/00". `trouble` by the same name or "listing": what is answered instead."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    trouble: dict[str, int | Exception] = field(default_factory=dict[str, int | Exception])
    asked: list[str] = field(default_factory=list[str])  # files that were asked for
    kept: list[str] = field(default_factory=list[str])  # of them, those answered with 304
    lists: bool = True  # else there are only index files
    before: Callable[[str], None] = lambda _: None  # hears of each request for a file

    def put(self, name: str, *lines: bytes) -> None:
        self.files[name] = b"".join(lines)

    def fresh(self) -> list[str]:
        """What was asked for since the last time."""
        asked, self.asked = sorted(self.asked), []
        self.kept = []
        return asked

    def __call__(self, request: httpx.Request) -> httpx.Response:
        key = request.url.path.removeprefix("/metadata/edan/").removesuffix(".txt")
        name = "listing" if key in {"/", "index"} or key.endswith("/index") else key
        if name != "listing":
            self.asked.append(name)
            self.before(name)
        trouble = self.trouble.get(name, self.trouble.get("all"))
        if isinstance(trouble, Exception):
            raise trouble
        if trouble is not None:
            return httpx.Response(trouble, text="<Error/>")
        if name == "listing":
            return self._listing(key, request.url.params.get("prefix", ""))
        return self._file(name, request.headers.get("if-none-match"))

    def _listing(self, key: str, prefix: str) -> httpx.Response:
        if key != "/":
            unit = key.rpartition("/")[0]
            names = (
                [name for name in self.files if name.startswith(f"{unit}/")]
                if unit
                else sorted({f"{name.partition('/')[0]}/index" for name in self.files})
            )
            text = "".join(f"{HOST}/metadata/edan/{name}.txt\n" for name in names)
            return httpx.Response(200 if names else 404, text=text)
        if not self.lists:
            return httpx.Response(403, text="<Error/>")
        entries = (
            f"<Contents><Key>metadata/edan/{name}.txt</Key><ETag>{etag(body)}</ETag>"
            f"<Size>{len(body)}</Size><LastModified>2026-03-01T04:05:06.000Z</LastModified></Contents>"
            for name, body in sorted(self.files.items())
            if f"metadata/edan/{name}".startswith(prefix)
        )
        return httpx.Response(200, text=f"<ListBucketResult>{''.join(entries)}</ListBucketResult>")

    def _file(self, name: str, known: str | None) -> httpx.Response:
        body = self.files.get(name)
        if body is None:
            return httpx.Response(404, text="<Error/>")
        if known == etag(body):
            self.kept.append(name)
            return httpx.Response(304, headers={"etag": known})
        return httpx.Response(200, content=body, headers={"etag": etag(body)})

    async def sync(
        self,
        folder: Path,
        *units: str,
        everything: bool = False,
        accept_loss: bool = False,
        progress: Progress | None = None,
    ) -> Outcome:
        hurry = Hurry()
        services = Services(
            GatewaySettings.read(),
            transport=httpx.MockTransport(self),
            clock=hurry.clock,
            now=hurry.now,
            sleep=hurry.sleep,
        )
        wish = Wish(units, everything=everything, accept_loss=accept_loss)
        try:
            async with aclosing(
                Bucket.over(services, SmithsonianSettings(bulk_url=HOST))
            ) as bucket:
                lines = progress or Lines(lambda _: None)
                return await Upkeep(folder, heap=HEAP).sync(bucket, wish, lines)
        finally:
            await services.aclose()


def etag(body: bytes) -> str:
    return f'"{hashlib.md5(body).hexdigest()}"'


def holdings(folder: Path) -> dict[str, str]:
    """The titles of all records by the end of their url; each is there once, and can be had by id."""
    current = Upkeep(folder).generations.current
    assert current is not None
    reader = EmbeddedReader(current, LAYOUT)
    rows = [decoded(line) for line in reader.search((), start=0, rows=10_000).records]
    found = {str(row["url"]).partition("_")[2]: str(row["title"]) for row in rows}
    assert reader.stats().entries == len(rows) == len(found)
    for row in rows:
        line = reader.get(str(row["url"]))
        assert line is not None
        assert decoded(line) == row
    return found
