"""smithsonian_find_related on real records: whole result sets, in pages of many sizes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.tool import Answer

pytestmark = [pytest.mark.standin, pytest.mark.anyio]

RELATED, SEARCH = "smithsonian_find_related", "smithsonian_search_objects"
# Overlapping signals, a party by name and one in words, the anchor inside all of them.
SMALL, MIDDLE, LARGE = "fsg_F1900.47", "saam_1985.66.227", "saam_1918.5.72"
ALONE = "nzp_NZP-20190822_001RP"  # its index is empty


async def at_once(_seconds: float) -> None:
    """Instead of the wait before a second attempt."""


async def unchecked(desk: Desk, **arguments: Any) -> Answer:
    """As `call`, without holding each of many pages against the schemas."""
    return await desk.border.call(desk.tools[RELATED], arguments)


async def walked(desk: Desk, anchor: str, sizes: Sequence[int]) -> list[dict[str, Any]]:
    """Page on by the number returned until nothing remains, as an agent does."""
    got: list[dict[str, Any]] = []
    for turn in range(10_000):
        limit = sizes[turn % len(sizes)]
        answer = await unchecked(desk, id=anchor, start=len(got), limit=limit)
        told = answer.structure
        assert told["shown"] == len(told["related"]) <= limit
        got += told["related"]
        if not told["truncated"]:
            assert "truncationCeiling" not in told
            return got
        assert told["related"]
        assert told["truncationCeiling"] >= len(got) + 1
        assert f"start={len(got)} gets the next page." in told["notice"]
    raise AssertionError("it never ends")


async def whole(desk: Desk, query: str, **filters: Any) -> set[str]:
    got: set[str] = set()
    while True:
        given = {"query": query, "filters": filters, "rows": 1000, "start": len(got)}
        told = (await desk.border.call(desk.tools[SEARCH], given)).structure
        got |= {row["record_id"] for row in told["objects"]}
        if not told["truncated"]:
            return got


@pytest.mark.parametrize(
    ("anchor", "sizes"),
    [
        (SMALL, (1,)),
        (SMALL, (3,)),
        (SMALL, (2, 1, 5)),
        (MIDDLE, (7,)),
        (MIDDLE, (50, 3, 10, 1, 7)),
        (LARGE, (50,)),
    ],
)
async def test_a_whole_set_is_neither_short_nor_double(
    anchor: str, sizes: tuple[int, ...], standin: Standin
) -> None:
    async with Desk() as desk:
        got = [row["record_id"] for row in await walked(desk, anchor, sizes)]
        told = (await desk.call(RELATED, id=anchor, limit=1)).structure
        expected: set[str] = set()
        for signal in told["signals"]:
            asked = signal["search_continuation"]
            expected |= await whole(desk, asked["query"], **asked.get("filters", {}))
    assert len(got) == len(set(got))
    assert set(got) == expected - {anchor}


@pytest.mark.heavy
@pytest.mark.parametrize("anchor", [SMALL, MIDDLE, LARGE, "npg_NPG.65.60", "NMAI_142931"])
async def test_pages_of_every_size_make_the_same_list(anchor: str, standin: Standin) -> None:
    async with Desk() as desk:
        lists = [await walked(desk, anchor, (size,)) for size in (1, 3, 7, 10, 50, 1000)]
        lists.append(await walked(desk, anchor, (1, 50, 3, 10, 7)))
    assert all(each == lists[0] for each in lists)


async def test_the_first_pages_hold_every_signal(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(RELATED, id=MIDDLE, limit=6)).structure
    shared = {signal for row in told["related"] for signal in row["similarity_signals"]}
    larger = {signal["signal"] for signal in told["signals"] if signal["row_count"] > 1}
    assert shared == larger
    assert len(shared) == 3


async def test_what_a_row_shares_is_found_by_that_signals_search(standin: Standin) -> None:
    async with Desk() as desk:
        rows = await walked(desk, MIDDLE, (50,))
        told = (await desk.call(RELATED, id=MIDDLE, limit=1)).structure
        for signal in told["signals"]:
            asked = signal["search_continuation"]
            found = await whole(desk, asked["query"], **asked.get("filters", {}))
            sharing = {
                row["record_id"] for row in rows if signal["signal"] in row["similarity_signals"]
            }
            assert sharing == found - {MIDDLE}


@pytest.mark.parametrize("anchor", [SMALL, MIDDLE, LARGE, "NMAI_142931"])
async def test_each_continuation_gives_the_total_that_its_signal_states(
    anchor: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(RELATED, id=anchor, limit=2)
        for signal in answer.structure["signals"]:
            found = await desk.call(SEARCH, **signal["search_continuation"])
            assert found.structure["total_count"] == signal["row_count"]
            spoken = json.dumps(signal["search_continuation"], separators=(",", ":"))
            assert spoken in answer.text


async def test_a_first_page_costs_one_request_a_signal_and_the_second_none(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        first = await desk.call(RELATED, id=MIDDLE)
        assert standin.requests == 1 + len(first.structure["signals"])
        before = standin.requests
        for start in (10, 20, 30):
            await desk.call(RELATED, id=MIDDLE, start=start)
        assert standin.requests == before


async def test_after_a_search_that_showed_it_the_anchor_costs_no_request(standin: Standin) -> None:
    async with Desk() as desk:
        await desk.call(SEARCH, query="Thunder god")
        before = standin.requests
        told = (await desk.call(RELATED, id=SMALL)).structure
        assert standin.requests == before + len(told["signals"])


async def test_it_is_truncated_up_to_the_last_object_and_not_beyond(standin: Standin) -> None:
    async with Desk() as desk:
        total = len(await walked(desk, SMALL, (50,)))
        assert (await desk.call(RELATED, id=SMALL, limit=total - 1)).structure["truncated"]
        exact = (await desk.call(RELATED, id=SMALL, limit=total)).structure
        assert exact["truncated"] is False
        assert exact["shown"] == total
        last = (await desk.call(RELATED, id=SMALL, limit=1, start=total - 1)).structure
        assert (last["truncated"], last["shown"]) == (False, 1)
        for start in (total, total + 1, 10**6):
            past = await desk.call(RELATED, id=SMALL, limit=1, start=start)
            assert past.structure["related"] == []
            assert past.structure["truncated"] is False
            assert f"start={start} lies past the end" in past.structure["notice"]
            assert "last valid start is" in past.text


async def test_a_record_without_any_signal_is_a_success_that_says_so(standin: Standin) -> None:
    async with Desk() as desk:
        for start in (0, 5):
            answer = await desk.call(RELATED, id=ALONE, start=start)
            told = answer.structure
            assert not answer.is_error
            assert told["related"] == told["signals"] == told["search_signals_used"] == []
            assert "names no culture, party or topic" in told["notice"]
            assert told["notice"] in answer.text
            assert told["truncated"] is False


async def test_an_archive_that_finds_nothing_says_what_searches_cover(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(RELATED, id="ead_component:sova-naa-1974-28-ref832")).structure
    assert told["related"] == []
    assert "finds no object but this one" in told["notice"]
    assert "folders and boxes of archives do not show" in told["notice"]


async def test_a_failed_signal_is_named_in_safe_words_and_left_out(standin: Standin) -> None:
    standin.fault("500", host="si", path="^/search", query="Japanese", times=-1)
    async with Desk(sleep=at_once) as desk:
        answer = await desk.call(RELATED, id=SMALL)
        told = answer.structure
        assert 'The signal "culture: Japanese" failed and is left out: ' in told["notice"]
        assert told["notice"] in answer.text
        assert "http" not in told["notice"]
        assert "culture: Japanese" in told["search_signals_used"]
        assert "culture: Japanese" not in {signal["signal"] for signal in told["signals"]}
        assert not any("culture" in s for row in told["related"] for s in row["similarity_signals"])
        standin.post("reset")
        middle = (await desk.call(RELATED, id=SMALL, start=1)).structure
        assert "culture: Japanese" in middle["notice"]
        assert "begin again with start=0" in middle["notice"]
        anew = (await desk.call(RELATED, id=SMALL)).structure
        assert len(anew["signals"]) == len(anew["search_signals_used"])


async def test_when_all_signals_fail_the_call_fails(standin: Standin) -> None:
    standin.fault("503", host="si", path="^/search", times=-1)
    async with Desk(sleep=at_once) as desk:
        answer = await desk.call(RELATED, id=SMALL)
    assert answer.reason == "upstream_unavailable"
    assert answer.structure["error"]["data"]["retryable"] is True


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nasm_A0", "not_found"), (" ", "invalid_id"), ("a b", "invalid_id"), ("..", "invalid_id")],
)
async def test_an_anchor_that_is_none_is_refused(name: str, reason: str, standin: Standin) -> None:
    async with Desk() as desk:
        assert (await desk.call(RELATED, id=name)).reason == reason


async def test_more_than_a_thousand_are_served_as_a_thousand(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(RELATED, id=SMALL, limit=5000)).structure
    assert told["notice"].startswith("limit=5000 was asked; a page holds at most 1,000 objects.")
    assert told["cap"] == 1000
    assert told["truncated"] is False


async def test_a_page_that_the_budget_cuts_goes_on_where_it_was_cut(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Desk() as desk:
        expected = await walked(desk, SMALL, (50,))
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "1000")
    async with Desk() as desk:
        first = (await desk.call(RELATED, id=SMALL, limit=50)).structure
        assert first["cap"] == first["shown"] < len(expected)
        assert await walked(desk, SMALL, (50,)) == expected
