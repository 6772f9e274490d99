"""Pages of a mirror: to the last row, each once, in every order, and cut to the budget."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_smithsonian.wire import number
from sources.houses import BROWSE, PUBLISHED, RELATED, SEARCH, TERMS, desk_of
from sources.questions import objects, terms

pytestmark = [pytest.mark.anyio, pytest.mark.standin, pytest.mark.captured]


@pytest.fixture
async def desk(standin: Standin, mirror: Path, no_budget: None) -> AsyncIterator[Desk]:
    async with desk_of("mirror", mirror) as found:
        yield found


async def walked(desk: Desk, size: int, **asked: Any) -> list[str]:
    """All ids of a list, paged as the notices say."""
    names: list[str] = []
    more = True
    while more:
        answer = await desk.call(SEARCH, **asked, rows=size, start=len(names))
        names += [row["record_id"] for row in answer.structure["objects"]]
        more = answer.structure["truncated"]
        assert (f"start={len(names)} gets the next page" in answer.structure["notice"]) == more
        assert answer.structure["total_count"] == answer.structure.get(
            "truncationCeiling", answer.structure["total_count"]
        )
    assert len(names) == answer.structure["total_count"]
    return names


@pytest.mark.parametrize("size", [7, 50, 333])
@pytest.mark.parametrize("sort", ["relevance", "newest", "updated"])
async def test_pages_of_any_size_hold_each_row_once(size: int, sort: str, desk: Desk) -> None:
    unit = "NASM" if size < 100 else "HMSG"
    asked = {"query": "", "filters": {"unit_code": unit}, "sort": sort}
    names = await walked(desk, size, **asked)
    assert len(set(names)) == len(names) == terms("unit_code")[unit]
    assert names == await walked(desk, size * 3 + 1, **asked), "in the same order in every call"


@pytest.mark.heavy
@pytest.mark.parametrize("size", [100, 999])
@pytest.mark.parametrize("query", ["", "portrait", "NOT portrait"])
async def test_long_lists_hold_each_row_once(size: int, query: str, desk: Desk) -> None:
    names = await walked(desk, size, query=query)
    assert len(set(names)) == len(names)
    if not query:
        assert len(names) == len(objects())


@pytest.mark.parametrize(("sort", "key"), [("newest", "timestamp"), ("updated", "lastTimeUpdated")])
async def test_rows_come_in_the_order_asked(sort: str, key: str, desk: Desk) -> None:
    times = {one["url"].partition(":")[2]: number(one[key]) or 0 for one in objects()}
    names = await walked(desk, 1000, query="painting", sort=sort)
    assert [times[name] for name in names] == sorted((times[n] for n in names), reverse=True)


async def test_random_pages_are_drawn_anew(desk: Desk) -> None:
    drawn = []
    for _ in range(6):
        answer = await desk.call(SEARCH, query="", sort="random", rows=20)
        names = [row["record_id"] for row in answer.structure["objects"]]
        assert len(set(names)) == 20
        assert "drawn anew" in answer.structure["notice"]
        drawn.append(tuple(names))
    assert len(set(drawn)) > 1
    units = {row["unit_code"] for row in answer.structure["objects"]}
    assert len(units) > 2, "from all of the catalogue, not from one file of it"
    whole = await desk.call(SEARCH, query="", filters={"unit_code": "FBR"}, sort="random")
    assert len(whole.structure["objects"]) == terms("unit_code")["FBR"]


@pytest.mark.parametrize("start", [12, 13, 10**6 - 5, 10**6, 10**12, 2**53 - 1])
@pytest.mark.parametrize("sort", ["relevance", "updated"])
async def test_a_start_past_the_end_is_an_empty_page(start: int, sort: str, desk: Desk) -> None:
    """However far: the engine makes room for all rows before it, and a server must not fall by that."""
    asked = {"query": "", "filters": {"unit_code": "FBR"}, "sort": sort}
    answer = await desk.call(SEARCH, **asked, start=start)
    assert answer.structure["objects"] == []
    assert answer.structure["total_count"] == terms("unit_code")["FBR"] == 12
    assert answer.structure["truncated"] is False
    assert "The last valid start is 11." in answer.structure["notice"]
    last = await desk.call(SEARCH, **asked, start=11, rows=10**6)
    assert len(last.structure["objects"]) == 1


@pytest.mark.parametrize("start", [10**6, 2**53 - 1])
async def test_other_lists_end_as_well(start: int, desk: Desk) -> None:
    browsed = await desk.call(BROWSE, mode="topic", value="Women", start=start)
    listed = await desk.call(TERMS, field="topic", start=start)
    related = await desk.call(RELATED, id="nasm_A19670093000", start=start)
    for answer, rows in ((browsed, "sample_objects"), (listed, "terms"), (related, "related")):
        assert answer.structure[rows] == []
        assert "last valid start is" in answer.structure["notice"]


async def test_more_than_the_cap_is_served_at_the_cap(desk: Desk) -> None:
    answer = await desk.call(SEARCH, query="", rows=5000)
    assert len(answer.structure["objects"]) == answer.structure["cap"] == 1000
    assert answer.structure["notice"].startswith("rows=5000 was asked;")
    assert answer.structure["notice"].endswith(f"mirror of {PUBLISHED}.")


@pytest.mark.parametrize("budget", ["2000", "6000"])
async def test_pages_cut_to_the_budget_lose_and_repeat_nothing(
    budget: str, standin: Standin, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", budget)
    asked = {"query": "", "filters": {"unit_code": "NASM"}}
    async with desk_of("mirror", mirror) as desk:
        first = await desk.call(SEARCH, **asked, rows=1000)
        assert 0 < len(first.structure["objects"]) < terms("unit_code")["NASM"]
        assert first.structure["notice"].startswith("The page was cut to")
        assert first.structure["sources"] == ["oa_mirror"]
        assert first.structure["notice"].endswith(f"mirror of {PUBLISHED}.")
        names = await walked(desk, 1000, **asked)
    assert len(set(names)) == len(names) == terms("unit_code")["NASM"]
