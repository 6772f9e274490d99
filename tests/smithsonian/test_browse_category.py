"""smithsonian_browse_category: each way to browse, and what its numbers are counted from."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Standin
from desk import Desk

pytestmark = [pytest.mark.standin, pytest.mark.anyio]

BROWSE, SEARCH = "smithsonian_browse_category", "smithsonian_search_objects"
MODES = [
    ("museum", "unit_code", "HMSG"),
    ("culture", "culture", "Japanese"),
    ("period", "date", "1920s"),
    ("medium", "object_type", "Paintings"),
    ("topic", "topic", "Landscapes"),
]


@pytest.mark.parametrize(("mode", "field", "value"), MODES)
async def test_a_category_counts_what_a_search_by_its_field_counts(
    mode: str, field: str, value: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(BROWSE, mode=mode, value=value, rows=5)
        found = await desk.call(SEARCH, query="", filters={field: value}, rows=5)
    told = answer.structure
    assert (told["mode"], told["value"]) == (mode, value)
    assert told["total_count"] == found.structure["total_count"]
    shown = [row["record_id"] for row in told["sample_objects"]]
    assert shown == [row["record_id"] for row in found.structure["objects"]]
    assert standin.requests == 1  # the same question
    for row in told["sample_objects"]:
        assert f"record_id {row['record_id']}" in answer.text


@pytest.mark.parametrize(("mode", "field", "value"), MODES[1:])
async def test_the_breakdown_says_that_it_is_an_estimate_and_from_how_many_rows(
    mode: str, field: str, value: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(BROWSE, mode=mode, value=value, rows=3)
        told = answer.structure
        assert told["total_count"] > 3
        assert (
            "museum_breakdown is an estimate from the 3 rows read here, not from all "
            f"{told['total_count']:,} objects."
        ) in told["notice"]
        assert sum(share["count"] for share in told["museum_breakdown"]) == 3
        assert told["notice"] in answer.text
        one = (await desk.call(BROWSE, mode=mode, value=value, rows=1)).structure
        assert "from the one row read here" in one["notice"]
        whole = (await desk.call(BROWSE, mode=mode, value=value, rows=1000)).structure
    expected: dict[str, int] = {}
    async with Desk() as desk:
        found = await desk.call(SEARCH, query="", filters={field: value}, rows=1)
        for share in whole["museum_breakdown"]:
            given = {field: value, "unit_code": share["unit_code"]}
            counted = await desk.call(SEARCH, query="", filters=given, rows=1)
            expected[share["unit_code"]] = counted.structure["total_count"]
    if found.structure["total_count"] <= 1000:
        assert "museum_breakdown counts the whole category." in whole["notice"]
        assert {s["unit_code"]: s["count"] for s in whole["museum_breakdown"]} == expected


async def test_every_unit_of_the_breakdown_stands_in_the_text(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(BROWSE, mode="period", value="1920s", rows=200)
    for share in answer.structure["museum_breakdown"]:
        line = f"- breakdown: {share['museum_name']} ({share['unit_code']}) {share['count']:,}"
        assert line in answer.text.split("\n")


async def test_a_museum_has_no_breakdown(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(BROWSE, mode="museum", value="HMSG", rows=1)).structure
    assert told["museum_breakdown"] == []
    assert "breakdown" not in told["notice"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("air and space", "NASM"),
        ("National Portrait Gallery", "NPG"),
        ("hirshhorn", "HMSG"),
        ("Nmai", "NMAI"),
        ("saam", "SAAM"),
    ],
)
async def test_a_museum_is_known_by_its_name_and_that_is_said(
    words: str, code: str, standin: Standin
) -> None:
    async with Desk() as desk:
        told = (await desk.call(BROWSE, mode="museum", value=words, rows=1)).structure
    assert told["value"] == code
    assert f'"{words}" was read as {code}, ' in told["notice"]
    assert {row["unit_code"] for row in told["sample_objects"]} == {code}


async def test_an_exact_code_always_wins(standin: Standin) -> None:
    async with Desk() as desk:
        for code in ("FSG", "SIA", "ACM"):
            told = (await desk.call(BROWSE, mode="museum", value=code, rows=1)).structure
            assert told["value"] == code
            assert "was read as" not in told.get("notice", "")


@pytest.mark.parametrize("mode", ["museum", "culture", "period", "medium", "topic"])
@pytest.mark.parametrize("value", ["", "  ", "x" * 2001])
async def test_what_can_be_no_term_is_refused_before_any_request(
    mode: str, value: str, standin: Standin
) -> None:
    async with Desk() as desk:
        answer = await desk.call(BROWSE, mode=mode, value=value)
    assert answer.reason == "invalid_category"
    assert standin.requests == 0


async def test_pages_make_the_whole_category(standin: Standin) -> None:
    async with Desk() as desk:
        got: list[str] = []
        told: dict[str, Any] = {"truncated": True}
        while told["truncated"]:
            given = {"mode": "museum", "value": "NASM", "rows": 50, "start": len(got)}
            told = (await desk.call(BROWSE, **given)).structure
            got += [row["record_id"] for row in told["sample_objects"]]
        assert len(got) == len(set(got)) == told["total_count"]
        past = await desk.call(BROWSE, mode="culture", value="Japanese", start=10_000)
    assert past.structure["sample_objects"] == past.structure["museum_breakdown"] == []
    assert "lies past the end" in past.text
    assert past.structure["total_count"] > 0
