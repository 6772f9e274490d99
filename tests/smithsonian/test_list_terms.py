"""smithsonian_list_terms: whole vocabularies in pages, units by their names, and what is kept."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from conftest import Standin
from core import virtual_time
from desk import Desk
from heritage_gateway.http import AnswerCache
from heritage_smithsonian.edan import EMPTY_LIFETIME, TERMS_LIFETIME
from heritage_smithsonian.units import NAMES
from recording.page import MAINTENANCE, Page
from smithsonian.pretend_catalogue import PretendCatalogue, envelope

TERMS = "smithsonian_list_terms"


def upstream(*terms: object) -> Page:
    return envelope({"terms": list(terms)})


def desk_of(*script: Any, **services: Any) -> tuple[Desk, PretendCatalogue]:
    catalogue = PretendCatalogue(cards=[], script=list(script))
    return Desk(transport=catalogue.transport, **services), catalogue


async def paged(desk: Desk, **arguments: Any) -> list[str]:
    got: list[str] = []
    while True:
        told = (await desk.call(TERMS, start=len(got), **arguments)).structure
        got += told["terms"]
        assert told["shown"] == len(told["terms"])
        if not told["truncated"]:
            return got
        assert f"start={len(got)} gets the next page." in told["notice"]


@pytest.mark.standin
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("field", "rows"),
    [("date", 1), ("date", 7), ("unit_code", 10), ("culture", 50), ("topic", 40_000)],
)
async def test_pages_of_any_size_give_the_whole_vocabulary_in_its_order(
    field: str, rows: int, standin: Standin
) -> None:
    async with Desk() as desk:
        got = await paged(desk, field=field, rows=rows)
        edan = desk.tools[TERMS].handle.__self__.catalogue.edan  # type: ignore[attr-defined]
        assert tuple(got) == edan.known_terms(field).terms
        assert len(got) == (await desk.call(TERMS, field=field)).structure["total"]
    assert standin.requests == 1


@pytest.mark.anyio
async def test_more_than_forty_thousand_are_served_as_forty_thousand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "0")
    desk, _ = desk_of(upstream(*(f"t{n}" for n in range(40_002))))
    async with desk:
        told = (await desk.call(TERMS, field="topic", rows=100_000)).structure
    assert (told["shown"], told["cap"], told["total"]) == (40_000, 40_000, 40_002)
    assert told["notice"].startswith("rows=100000 was asked; a page holds at most 40,000 terms.")
    assert told["notice"].endswith("2 more match; start=40000 gets the next page.")


@pytest.mark.anyio
async def test_a_page_past_the_end_is_empty_and_names_the_last_start() -> None:
    desk, _ = desk_of(upstream("a", "b"))
    async with desk:
        answer = await desk.call(TERMS, field="date", start=2)
    assert answer.structure["terms"] == []
    assert answer.structure["total"] == 2
    assert answer.structure["truncated"] is False
    assert "The last valid start is 1." in answer.text


@pytest.mark.standin
@pytest.mark.anyio
async def test_units_carry_their_museums_names_and_are_found_by_them(standin: Standin) -> None:
    async with Desk() as desk:
        for part in ("air and SPACE", "natural history", "nmah", "archives"):
            answer = await desk.call(TERMS, field="unit_code", contains=part)
            told = answer.structure
            assert told["terms"]
            assert list(told["labels"]) == told["terms"]
            for code in told["terms"]:
                name = NAMES.get(code, code)
                assert told["labels"][code] == name
                assert f"- {code}: " in answer.text.replace("\\", "")
                assert part.casefold() in f"{code}\n{name}".casefold()
        assert "labels" not in (await desk.call(TERMS, field="date")).structure


@pytest.mark.standin
@pytest.mark.anyio
async def test_a_part_that_no_term_holds_is_a_success_with_a_way_on(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(TERMS, field="topic", contains="Landscapez")
        told = answer.structure
        assert (told["terms"], told["total"], told["truncated"]) == ([], 0, False)
        offered = re.search(r'contains="(.+?)" lists (\d+)\.$', told["notice"])
        assert offered
        found = await desk.call(TERMS, field="topic", contains=offered[1])
        assert found.structure["total"] == int(offered[2]) > 0
        told = (await desk.call(TERMS, field="topic", contains="qzxqzx")).structure
        assert told["notice"].endswith("smithsonian_search_objects finds words in whole records.")


@pytest.mark.standin
@pytest.mark.anyio
async def test_a_name_by_which_people_know_a_unit_leads_to_its_code(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(TERMS, field="unit_code", contains="udvar hazy")).structure
        assert "Units known by that name: NASM (National Air and Space Museum)." in told["notice"]
        told = (await desk.call(TERMS, field="unit_code", contains="qzx")).structure
        assert told["notice"].endswith(
            'smithsonian_list_terms field="unit_code" lists them all, with their names.'
        )
        everything = (await desk.call(TERMS, field="unit_code")).structure
        assert everything["truncated"] is False


@pytest.mark.anyio
async def test_terms_that_are_marked_up_are_exact_in_the_structure_and_harmless_in_the_text() -> (
    None
):
    odd = ['a "b"', "*", "c\\d", "<i>e</i>", "two\nlines\n# three"]
    desk, _ = desk_of(upstream(*odd))
    async with desk:
        answer = await desk.call(TERMS, field="topic")
    assert answer.structure["terms"] == odd
    assert len(answer.text.split("\n")) == 1 + len(odd)
    assert "\n# " not in answer.text


def test_a_vocabulary_is_kept_for_a_day() -> None:
    async def story() -> list[int]:
        desk, catalogue = desk_of(
            upstream("a"), upstream("a", "b"), cache=AnswerCache(clock=virtual_time.clock)
        )
        totals: list[int] = []
        async with desk:
            for pause in (0, TERMS_LIFETIME - 10, 20):
                await asyncio.sleep(pause)
                totals.append((await desk.call(TERMS, field="date")).structure["total"])
        assert len(catalogue.requests) == 2
        return totals

    assert virtual_time.run(story()) == [1, 1, 2]


def test_an_empty_vocabulary_is_an_error_and_kept_for_seconds_only() -> None:
    async def story() -> list[object]:
        desk, catalogue = desk_of(
            upstream(), upstream("a"), cache=AnswerCache(clock=virtual_time.clock)
        )
        heard: list[object] = []
        async with desk:
            for pause in (0, 1, EMPTY_LIFETIME):
                await asyncio.sleep(pause)
                answer = await desk.call(TERMS, field="date", contains="a")
                heard.append(answer.reason or answer.structure["total"])
        assert len(catalogue.requests) == 2
        return heard

    assert virtual_time.run(story()) == ["no_terms", "no_terms", 1]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "failure",
    [
        MAINTENANCE,
        Page(500, "{}"),
        envelope(None),
        envelope({"terms": None}),
        Page(200, '{"status": 200, "responseCode": 1, "response": {"terms": ["a",'),
    ],
)
async def test_a_failure_is_no_empty_list_and_is_not_kept(failure: Page) -> None:
    async def at_once(_seconds: float) -> None: ...

    desk, _ = desk_of(failure, failure, failure, upstream("a"), sleep=at_once)
    async with desk:
        reasons = []
        for _ in range(4):
            answer = await desk.call(TERMS, field="date")
            reasons.append(answer.reason)
            if not answer.is_error:
                break
    assert reasons[-1] is None
    assert set(reasons[:-1]) <= {"upstream_unavailable", "upstream_malformed"}


@pytest.mark.standin
@pytest.mark.anyio
async def test_eleven_calls_at_once_are_one_request(standin: Standin) -> None:
    async with Desk() as desk:
        answers = await asyncio.gather(
            *(desk.call(TERMS, field="topic", start=n) for n in range(11))
        )
    assert standin.requests == 1
    assert not any(answer.is_error for answer in answers)


@pytest.mark.anyio
@pytest.mark.parametrize("part", ["x" * 100_000, "ab " * 30_000, "\\", '"', "\u202e", "İ"])
async def test_a_hostile_part_is_answered_briefly(part: str) -> None:
    desk, _ = desk_of(upstream("one", "two"))
    async with desk:
        answer = await desk.call(TERMS, field="topic", contains=part)
    assert not answer.is_error
    assert len(answer.text) < 500
    assert json.dumps(answer.structure).count("\\n") == 0
