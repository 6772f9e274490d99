"""An ignored filter or order does not pass for an applied one."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.index import Term
from heritage_smithsonian.obedience import carries, doubts
from heritage_smithsonian.query import HAS_CC0_MEDIA, HAS_MEDIA_TYPE
from recording.page import Page
from shared import captured_records
from smithsonian.pretend_catalogue import PretendCatalogue, envelope

SEARCH = "smithsonian_search_objects"


def row(number: int, when: object = 0, **indexed: Any) -> dict[str, Any]:
    return {
        "url": f"edanmdm:r{number}",
        "unitCode": "NMAH",
        "timestamp": when,
        "lastTimeUpdated": when,
        "content": {"indexedStructured": indexed},
    }


def answered(*rows: dict[str, Any]) -> Page:
    return envelope({"rows": list(rows), "rowCount": len(rows), "message": "content found"})


def test_rows_that_carry_what_was_asked_raise_no_doubt() -> None:
    rows = [row(1, topic=["Maps"], name=[{"type": "personal_main", "content": "Doe, Jane"}])]
    asked = [Term("topic", "Maps"), Term("name", "Doe, Jane"), Term("unit_code", "NMAH")]
    assert doubts(rows, asked) == ()


@pytest.mark.parametrize(
    ("terms", "value", "holds"),
    [
        (["Panthera leo"], "Panthera", True),
        (["Panthera"], "Panthera", True),
        (["Pantheratus"], "Panthera", False),
        (["Panthera leo"], "panthera", False),
        ("Panthera leo", "Panthera leo", True),
        (None, "Panthera", False),
    ],
)
def test_a_genus_stands_for_its_species(terms: object, value: str, holds: bool) -> None:
    assert carries(row(1, scientific_name=terms), Term("scientific_name", value)) is holds


def test_the_two_literals_are_held_against_media() -> None:
    free = row(1, online_media_type=["Images"])
    free["content"]["descriptiveNonRepeating"] = {
        "online_media": {"media": [{"usage": {"access": "CC0"}}]}
    }
    for literal in (HAS_MEDIA_TYPE, HAS_CC0_MEDIA):
        assert carries(free, Term(*literal, literal=True))
        assert not carries(row(2), Term(*literal, literal=True))


@pytest.mark.captured
def test_captured_rows_carry_their_own_terms() -> None:
    for record in captured_records()[::50]:
        indexed = record.get("content", {}).get("indexedStructured", {})
        asked = [
            Term(name, values[0])
            for name, values in indexed.items()
            if name in ("topic", "date", "culture") and isinstance(values, list) and values
        ]
        assert doubts([record], asked) == ()


def test_one_row_and_several_are_told_in_their_own_grammar() -> None:
    rows = [row(1, topic=["Maps"]), row(2), row(3)]
    (one,) = doubts(rows[:2], [Term("topic", "Maps")])
    assert one == (
        '1 of 2 rows does not carry topic="Maps" in the record\'s own index: '
        "do not count it as filtered."
    )
    (two,) = doubts(rows, [Term("topic", "Maps")])
    assert two.startswith("2 of 3 rows do not carry")
    assert two.endswith("do not count them as filtered.")


def test_a_value_cannot_write_lines_of_its_own_into_a_doubt() -> None:
    (said,) = doubts([row(1)], [Term("topic", "x\n# **Heading** " + "y" * 500)])
    assert "\n" not in said
    assert "**" not in said.replace("\\*", "")
    assert len(said) < 250


@pytest.mark.parametrize(
    ("times", "sort", "kept"),
    [
        (("30", "20", "20", "10"), "newest", True),
        (("10", "20"), "newest", False),
        (("10", "20"), "updated", False),
        ((30, 20), "updated", True),
        (("Fri May 25 04:22:36 EDT 2018", "20", "10"), "newest", True),
        (("10", "20"), "random", True),
        (("10", "20"), None, True),
        ((), "newest", True),
    ],
)
def test_an_order_is_held_against_the_rows(
    times: tuple[object, ...], sort: str | None, kept: bool
) -> None:
    rows = [row(number, when) for number, when in enumerate(times)]
    assert (doubts(rows, (), sort) == ()) is kept


@pytest.mark.anyio
async def test_an_ignored_filter_is_said_with_the_rows_in_text_and_structure() -> None:
    catalogue = PretendCatalogue(cards=[], script=[answered(row(1, topic=["Maps"]), row(2))])
    async with Desk(transport=catalogue.transport) as desk:
        answer = await desk.call(SEARCH, query="", filters={"topic": "Maps"})
    assert '1 of 2 rows does not carry topic="Maps"' in answer.structure["notice"]
    assert answer.structure["notice"] in answer.text


@pytest.mark.anyio
async def test_an_ignored_order_is_said_too() -> None:
    catalogue = PretendCatalogue(cards=[], script=[answered(row(1, "10"), row(2, "20"))])
    async with Desk(transport=catalogue.transport) as desk:
        answer = await desk.call(SEARCH, query="", sort="newest")
    assert catalogue.requests[0].url.params["sort"] == "newest"
    assert "did not put the rows into the order sort=newest" in answer.structure["notice"]


@pytest.mark.standin
@pytest.mark.anyio
@pytest.mark.parametrize("sort", ["relevance", "newest", "updated", "random"])
async def test_each_order_gives_the_same_objects_and_no_doubt(sort: str, standin: Standin) -> None:
    async with Desk() as desk:
        plain = (
            await desk.call(SEARCH, query="", filters={"unit_code": "NASM"}, rows=1000)
        ).structure
        told = (
            await desk.call(SEARCH, query="", filters={"unit_code": "NASM"}, rows=1000, sort=sort)
        ).structure
    assert told["total_count"] == plain["total_count"]
    assert ("order sort=" in told.get("notice", "")) is False
    assert ("drawn anew" in told.get("notice", "")) is (sort == "random")


@pytest.mark.standin
@pytest.mark.anyio
async def test_a_random_page_is_not_kept_and_another_order_is_refused(standin: Standin) -> None:
    async with Desk() as desk:
        for _ in range(2):
            await desk.call(SEARCH, query="panda", sort="random")
        assert standin.requests == 2
        refused = await desk.call(SEARCH, query="panda", sort="oldest")
    assert refused.reason == "invalid_input"
    assert "`sort`" in refused.text
