"""The bucket's snapshots one after the other: after each, the mirror holds exactly what it has."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.index.embedded import EmbeddedReader
from heritage_gateway.plugin import Services
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian.mirror.bucket import Bucket, Listing
from heritage_smithsonian.mirror.entry import LAYOUT, decoded
from heritage_smithsonian.mirror.progress import Silent
from heritage_smithsonian.mirror.upkeep import Outcome, Upkeep, Wish
from heritage_smithsonian.settings import SmithsonianSettings
from smithsonian.mirror.pretend_bucket import HEAP

pytestmark = [pytest.mark.anyio, pytest.mark.heavy, pytest.mark.standin]

UNITS = ("FBR", "NASM", "NPG")
SEARCH = "smithsonian_search_objects"


@pytest.fixture(autouse=True)
def _first_snapshot(standin: Standin) -> Iterator[None]:
    yield
    standin.post("snapshot", {"snapshot": 1})


async def synced(folder: Path) -> tuple[Outcome, Listing]:
    services = Services(GatewaySettings.read())
    try:
        async with aclosing(Bucket.over(services, SmithsonianSettings.read())) as bucket:
            listing = await bucket.listing(UNITS)
            upkeep = Upkeep(folder, heap=HEAP)
            return await upkeep.sync(bucket, Wish(UNITS), Silent()), listing
    finally:
        await services.aclose()


def served(standin: Standin, listing: Listing) -> dict[str, dict[str, Any]]:
    """All records in the files themselves."""
    found: dict[str, dict[str, Any]] = {}
    for shard in listing.shards:
        with urllib.request.urlopen(f"{standin.base}/s3/{shard.key}") as answer:
            for line in answer.read().splitlines():
                row = json.loads(line)
                found[row["url"]] = row
    return found


def held(folder: Path, urls: list[str]) -> dict[str, Any]:
    current = Upkeep(folder).generations.current
    assert current is not None
    reader = EmbeddedReader(current, LAYOUT)
    assert reader.stats().entries == len(urls), "none is missing, and none left over"
    lines = {url: reader.get(url) for url in urls}
    assert None not in lines.values()
    return {url: decoded(line) for url, line in lines.items() if line is not None}


def told(row: dict[str, Any]) -> dict[str, Any]:
    """All of a record but when it was last taken in, which alone is no change."""
    return {key: value for key, value in row.items() if key != "lastTimeUpdated"}


def fetched(standin: Standin) -> int:
    log = standin.get("log?n=5000")
    return sum(1 for line in log if line["path"].endswith(".txt"))


async def test_each_snapshot_is_held_to_the_letter_and_only_what_changed_is_fetched(
    standin: Standin, tmp_path: Path
) -> None:
    folder = tmp_path / "mirror"
    before: dict[str, str | None] = {}
    for number in (1, 2, 3):
        standin.post("snapshot", {"snapshot": number})
        standin.post("reset")
        outcome, listing = await synced(folder)
        versions = {shard.key: shard.etag for shard in listing.shards}
        changed = [key for key, etag in versions.items() if before.get(key) != etag]
        assert outcome.tally.fetched == fetched(standin) == len(changed)
        assert 0 < len(changed) < len(versions) or number == 1
        assert outcome.tally.faults == {}
        truth = served(standin, listing)
        mirrored = held(folder, list(truth))
        assert {url: told(row) for url, row in mirrored.items()} == {
            url: told(row) for url, row in truth.items()
        }
        before = versions
    standin.post("reset")
    outcome, _ = await synced(folder)
    assert (outcome.renewed, fetched(standin)) == (False, 0)


async def test_a_server_sees_the_new_one_and_a_list_that_is_being_read_stays_as_it_was(
    standin: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mirror"
    await synced(folder)
    monkeypatch.setenv("HERITAGE_SMITHSONIAN_MIRROR_DIR", str(folder))
    monkeypatch.setenv("HERITAGE_SMITHSONIAN_SOURCE", "mirror")
    async with Desk() as desk:

        async def page(query: str, start: int) -> tuple[int, list[str]]:
            answer = await desk.call(SEARCH, query=query, start=start, rows=100)
            objects = [row["record_id"] for row in answer.structure["objects"]]
            return int(answer.structure["total_count"]), objects

        total, rows = await page("portrait", 0)
        assert total > 300, "several pages"
        for number in (2, 3):
            standin.post("snapshot", {"snapshot": number})
            await synced(folder)
            same, more = await page("portrait", len(rows))
            assert same == total
            rows += more
        while more:
            same, more = await page("portrait", len(rows))
            assert same == total
            rows += more
        assert len(rows) == len(set(rows)) == total
        revised, _ = await page('"revised 3"', 0)
        assert revised > 0, "another list is of the newest"
        anew, first = await page("portrait", 0)
        assert (anew, first) != (total, rows[: len(first)])
