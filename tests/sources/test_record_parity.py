"""Every record reads the same from both sources, archives and old names of records included."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from heritage_gateway.tool import Answer
from shared import captured_records
from sources.differences import undated, without_provenance
from sources.houses import GET, MEDIA, RELATED, Both

pytestmark = [pytest.mark.anyio, pytest.mark.standin, pytest.mark.captured]


def told(answer: Answer) -> dict[str, Any]:
    """An answer or failure without what says which copy it came from."""
    if not answer.is_error:
        return without_provenance(answer.structure)
    error = answer.structure["error"]
    hint = undated(error["data"]["recovery"]["hint"])
    return {**error, "data": {**error["data"], "recovery": {"hint": hint}}}


def names(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The ways to name a record: its id, its whole address, and the name of its row."""
    for number, record in enumerate(records):
        url = str(record["url"])
        yield (url.removeprefix("edanmdm:"), url, str(record["id"]))[number % 3]


@pytest.mark.parametrize("tool", [GET, MEDIA])
async def test_records_read_the_same(tool: str, both: Both) -> None:
    archives = [one for one in captured_records() if one["type"] != "edanmdm"]
    for name in names([*captured_records()[::150], *archives[::70]]):
        live, mirror = await both.call(tool, id=name)
        assert told(live) == told(mirror), name


@pytest.mark.heavy
@pytest.mark.parametrize("tool", [GET, MEDIA])
async def test_every_captured_record_reads_the_same(tool: str, both: Both) -> None:
    assert len(captured_records()) > 3000
    asked = tuple(names(captured_records()))
    for start in range(0, len(asked), 32):
        some = asked[start : start + 32]
        for live, mirror in await asyncio.gather(*(both.call(tool, id=name) for name in some)):
            assert told(live) == told(mirror)


@pytest.mark.parametrize("name", ["nasm_A0", "edanmdm:", "a b", "", "ld1-0", "NASM_A0"])
@pytest.mark.parametrize("tool", [GET, MEDIA, RELATED])
async def test_what_is_no_record_fails_for_the_same_reason(
    tool: str, name: str, both: Both
) -> None:
    live, mirror = await both.call(tool, id=name)
    assert live.reason == mirror.reason
    assert live.reason in {"not_found", "invalid_id"}


async def walked(both: Both, name: str) -> None:
    """Same signals, same counts, and the same relatives over the whole list."""
    live, mirror = await both.call(RELATED, id=name, limit=1000)
    assert live.structure["signals"] == mirror.structure["signals"]
    assert live.structure["search_signals_used"] == mirror.structure["search_signals_used"]
    assert live.structure["anchor"] == mirror.structure["anchor"]
    listed = []
    for desk, answer in ((both.live, live), (both.mirror, mirror)):
        rows = list(answer.structure["related"])
        while answer.structure["truncated"]:
            answer = await desk.call(RELATED, id=name, limit=1000, start=len(rows))  # noqa: PLW2901
            rows += answer.structure["related"]
        listed.append({row["record_id"]: row for row in rows})
        assert len(listed[-1]) == len(rows), "each object once"
    assert listed[0].keys() == listed[1].keys()
    for key, row in listed[0].items():
        ours = listed[1][key]
        assert without_signals(row) == without_signals(ours)
        # A word signal looks at its first window alone, whose rows depend on the order.
        assert exact(row) == exact(ours), key


def without_signals(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "similarity_signals"}


def exact(row: dict[str, Any]) -> set[str]:
    kinds = ("culture: ", "topic: ", "period: ")
    return {said for said in row["similarity_signals"] if said.startswith(kinds)}


async def test_objects_have_the_same_relatives(both: Both) -> None:
    for record in captured_records()[::500]:
        await walked(both, record["url"])


@pytest.mark.heavy
async def test_many_objects_have_the_same_relatives(both: Both) -> None:
    for record in captured_records()[::30]:
        await walked(both, record["url"])
