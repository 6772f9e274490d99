"""Every captured record through both tools: one search tells all, and nothing more is asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from desk import Desk, check
from heritage_gateway.budget import tokens
from heritage_gateway.tool import Answer
from mirror import unsaid
from shared import captured_records

pytestmark = [pytest.mark.anyio, pytest.mark.captured]

SEARCH, GET = "smithsonian_search_objects", "smithsonian_get_object"
PAGE = 1000


class Archive:
    """Answers each search with the captured rows, in chunks as upstream would."""

    def __init__(self) -> None:
        self.sent = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent += 1
        start, rows = (int(request.url.params[name]) for name in ("start", "rows"))
        page = captured_records()[start : start + rows]
        found = {"rows": page, "rowCount": len(captured_records()), "message": "content found"}
        return httpx.Response(200, json={"status": 200, "responseCode": 1, "response": found})


@pytest.fixture
def archive() -> Archive:
    return Archive()


@pytest.fixture
async def desk(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")
    async with Desk(transport=httpx.MockTransport(archive)) as opened:
        yield opened


async def unchecked(desk: Desk, name: str, **arguments: Any) -> Answer:
    """Validation takes by far the longest, so it is done apart."""
    return await desk.border.call(desk.tools[name], arguments)


async def every_row(desk: Desk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for start in range(0, len(captured_records()), PAGE):
        page = await unchecked(desk, SEARCH, query="", rows=PAGE, start=start)
        assert unsaid(page) == []
        found += page.structure["objects"]
    return found


async def test_a_record_comes_from_the_search_that_showed_it(desk: Desk, archive: Archive) -> None:
    await agree(desk, archive, step=23)


@pytest.mark.heavy
async def test_every_record_comes_from_the_search_that_showed_it(
    desk: Desk, archive: Archive
) -> None:
    await agree(desk, archive, step=1)


async def agree(desk: Desk, archive: Archive, *, step: int) -> None:
    """In text and structure alike, and both tools agree on what they both tell."""
    rows = await every_row(desk)
    searches = archive.sent
    assert len({row["record_id"] for row in rows}) == len(rows) == len(captured_records())
    for row in chosen(rows, step):
        record = await unchecked(desk, GET, id=row["record_id"])
        assert not record.is_error
        assert unsaid(record) == [], row["record_id"]
        told = record.structure
        assert (told["record_id"], told["title"]) == (row["record_id"], row["title"])
        media = told["media_summary"]
        assert row["has_media"] == (media["count"] > 0)
        assert media["count"] >= media["cc0_image_count"] + len(media["non_image_media"])
        assert row.get("thumbnail_url") == media.get("thumbnail_url")
    assert archive.sent == searches


async def test_records_of_every_kind_are_valid_under_both_schemas(desk: Desk) -> None:
    await valid(desk, step=61)


@pytest.mark.heavy
async def test_every_record_is_valid_under_both_schemas(desk: Desk) -> None:
    await valid(desk, step=1)


async def valid(desk: Desk, *, step: int) -> None:
    rows = await every_row(desk)
    for row in chosen(rows, step):
        answer = await unchecked(desk, GET, id=row["record_id"])
        check(desk.tools[GET], answer)
        json.dumps(answer.structure, allow_nan=False)
    for start in range(0, len(rows), step):
        await desk.call(SEARCH, query="", rows=1, start=start)


def chosen(rows: list[dict[str, Any]], step: int) -> list[dict[str, Any]]:
    """One of each museum at least, and one of each `step`."""
    kinds = {row["unit_code"]: row for row in rows}.values()
    return [*kinds, *rows[::step]] if step > 1 else rows


async def test_no_record_exceeds_the_budget(archive: Archive) -> None:
    largest = sorted(captured_records(), key=lambda row: len(str(row)))[-12:]
    async with Desk(transport=httpx.MockTransport(archive)) as opened:
        for start in range(0, len(captured_records()), PAGE):
            page = await opened.call(SEARCH, query="", rows=PAGE, start=start)
            assert tokens(page.text, page.structure) <= 20_000
        for row in largest:
            record = await opened.call(GET, id=row["url"].removeprefix("edanmdm:"))
            assert tokens(record.text, record.structure) <= 20_000
            assert unsaid(record) == [], row["url"]
