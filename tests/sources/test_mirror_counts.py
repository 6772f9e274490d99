"""What only a mirror can do: count. Held against counts made here from the captured records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.errors import GatewayError, InvalidRequest
from heritage_gateway.plugin import Counting
from heritage_gateway.tool import Answer
from heritage_smithsonian.obedience import index_terms
from heritage_smithsonian.source import MIRROR_FIELDS
from mirror import unsaid
from sources.houses import BROWSE, GET, MEDIA, PUBLISHED, RELATED, SEARCH, TERMS, desk_of
from sources.questions import objects, terms

pytestmark = [pytest.mark.anyio, pytest.mark.standin, pytest.mark.captured]

ONLY_HERE = ("object_type", "name", "scientific_name")
VEGA = "nasm_A19670093000"


@pytest.fixture
async def desk(standin: Standin, mirror: Path, no_budget: None) -> AsyncIterator[Desk]:
    async with desk_of("auto", mirror) as found:
        yield found


def carried(field: str, value: str, of: str) -> Counter[str]:
    """The terms of one field on all objects that carry a term of another."""
    return Counter(
        term
        for record in objects()
        if value in index_terms(record, field)
        for term in dict.fromkeys(index_terms(record, of))
    )


@pytest.mark.parametrize(
    ("mode", "field"),
    [("culture", "culture"), ("period", "date"), ("medium", "object_type"), ("topic", "topic")],
)
async def test_a_breakdown_counts_the_whole_category(mode: str, field: str, desk: Desk) -> None:
    """From a page of one row, where the live API can only guess."""
    for value, count in terms(field).most_common(6):
        answer = await desk.call(BROWSE, mode=mode, value=value, rows=1)
        shares = {s["unit_code"]: s["count"] for s in answer.structure["museum_breakdown"]}
        assert shares == carried(field, value, "unit_code")
        assert answer.structure["total_count"] == count
        assert "museum_breakdown counts the whole category." in answer.structure["notice"]
        sizes = [share["count"] for share in answer.structure["museum_breakdown"]]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("field", MIRROR_FIELDS)
async def test_vocabularies_come_with_counts(field: str, desk: Desk, standin: Standin) -> None:
    answer = await desk.call(TERMS, field=field, rows=40_000)
    assert answer.structure["counts"] == terms(field)
    assert answer.structure["terms"] == sorted(terms(field))
    assert answer.structure["total"] == len(terms(field))
    assert standin.requests == 0


@pytest.mark.parametrize("field", MIRROR_FIELDS)
async def test_vocabularies_are_sorted_by_count(field: str, desk: Desk) -> None:
    answer = await desk.call(TERMS, field=field, rows=40_000, sort="count")
    assert answer.structure["terms"] == [
        term for term, _ in sorted(terms(field).items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    second = await desk.call(TERMS, field=field, rows=2, start=1, sort="count")
    assert second.structure["terms"] == answer.structure["terms"][1:3]


async def test_parts_of_terms_are_looked_for_in_either_order(desk: Desk) -> None:
    expected = {term: n for term, n in terms("object_type").items() if "paint" in term.casefold()}
    for sort in ("index", "count"):
        found = await desk.call(TERMS, field="object_type", contains="PAINT", rows=500, sort=sort)
        assert found.structure["counts"] == expected
        assert not unsaid(found)
    none = await desk.call(TERMS, field="name", contains="xyzzyplugh")
    assert (none.structure["total"], none.is_error) == (0, False)
    assert f"None of {len(terms('name')):,} terms of name holds" in none.structure["notice"]


@pytest.mark.parametrize("field", ONLY_HERE)
@pytest.mark.parametrize("source", ["auto", "live"])
async def test_without_a_mirror_it_is_said_that_one_is_needed(
    field: str, source: str, standin: Standin
) -> None:
    async with desk_of(source) as without:
        answer = await without.call(TERMS, field=field)
        counted = await without.call(TERMS, field="unit_code", sort="count")
    assert (answer.reason, counted.reason) == ("mirror_required", "mirror_required")
    assert answer.structure["error"]["code"] == -32007
    assert "heritage-gateway mirror sync" in answer.text
    assert standin.requests == 0


async def test_hints_have_real_counts(desk: Desk, standin: Standin) -> None:
    """Cheap here, so both filters are looked up; every number is that of the records."""
    answer = await desk.call(
        SEARCH, query="", filters={"culture": "cheyenne indians", "object_type": "painting"}
    )
    assert answer.reason == "invalid_filter"
    assert '"cheyenne indians" is not a term of culture.' in answer.text
    told = re.findall(
        r'"([^"]+)" \(([\d,]+)\)', answer.structure["error"]["data"]["recovery"]["hint"]
    )
    assert told
    for term, count in told:
        known = {field: terms(field)[term] for field in ("culture", "object_type")}
        assert int(count.replace(",", "")) in known.values(), term
    assert standin.requests == 0


async def test_a_term_that_is_there_is_told_with_its_objects(desk: Desk) -> None:
    answer = await desk.call(
        SEARCH, query="xyzzyplugh", filters={"unit_code": "SAAM", "object_type": "Paintings"}
    )
    hint = answer.structure["error"]["data"]["recovery"]["hint"]
    for field, term in (("unit_code", "SAAM"), ("object_type", "Paintings")):
        assert f'"{term}" is a term of {field}, with {terms(field)[term]:,} objects.' in hint


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    (SEARCH, {"query": "portrait", "rows": 3}),
    (SEARCH, {"query": "", "filters": {"unit_code": "NASM", "cc0_only": True}, "rows": 3}),
    (TERMS, {"field": "culture", "rows": 5}),
    (TERMS, {"field": "unit_code"}),
    (TERMS, {"field": "name", "sort": "count", "rows": 5}),
    (GET, {"id": VEGA}),
    (MEDIA, {"id": VEGA}),
    (BROWSE, {"mode": "topic", "value": "Women", "rows": 3}),
    (RELATED, {"id": VEGA, "limit": 5}),
)


@pytest.mark.parametrize(("tool", "given"), CALLS, ids=lambda part: str(part)[:60])
async def test_every_answer_says_where_it_came_from_and_asks_nobody(
    tool: str, given: dict[str, Any], desk: Desk, standin: Standin
) -> None:
    answer = await desk.call(tool, **given)
    assert not answer.is_error
    assert answer.structure["sources"] == ["oa_mirror"]
    assert answer.structure["mirror_snapshot"].startswith(f"{PUBLISHED}T")
    assert answer.structure["notice"].endswith(f"Answered from a local mirror of {PUBLISHED}.")
    assert f"Source: oa_mirror, snapshot {PUBLISHED}T" in answer.text
    assert not unsaid(answer)
    assert standin.requests == 0


@pytest.mark.parametrize(
    ("tool", "given", "reason"),
    [
        (SEARCH, {"query": "xyzzyplugh"}, "no_results"),
        (SEARCH, {"query": "", "filters": {"culture": "Nobody"}}, "invalid_filter"),
        (BROWSE, {"mode": "culture", "value": "Nobody"}, "invalid_category"),
        (BROWSE, {"mode": "medium", "value": "Nothing"}, "invalid_category"),
        (MEDIA, {"id": "edanmdm:NZP_0"}, "not_found"),
    ],
)
async def test_what_is_not_found_says_of_which_day_that_is(
    tool: str, given: dict[str, Any], reason: str, standin: Standin, mirror: Path
) -> None:
    async with desk_of("mirror", mirror) as desk:
        answer: Answer = await desk.call(tool, **given)
    assert answer.reason == reason
    assert f"local mirror of {PUBLISHED}" in answer.text
    assert standin.requests == 0


async def test_live_answers_say_nothing_of_a_mirror_where_there_is_none(standin: Standin) -> None:
    async with desk_of("auto") as desk:
        for tool, given in CALLS:
            answer = await desk.call(tool, **given)
            assert "sources" not in answer.structure
            assert "mirror_snapshot" not in answer.structure
            assert "irror" not in answer.text or answer.reason == "mirror_required"


# -- counting, for tools that other houses may bring -------------------------------------------------


def counting(desk: Desk) -> Counting:
    found = next(one for one in desk.house.providers if one.name == "smithsonian").counting
    assert found is not None
    return found


@pytest.mark.parametrize("field", MIRROR_FIELDS)
async def test_all_that_match_are_broken_down(field: str, desk: Desk, standin: Standin) -> None:
    assert field in counting(desk).fields
    counts = await counting(desk).count("", {"unit_code": "SAAM"}, field, 10_000)
    expected = carried("unit_code", "SAAM", field)
    assert dict(counts.counts) == expected
    assert counts.complete
    assert counts.total == terms("unit_code")["SAAM"]
    assert PUBLISHED in counts.source
    few = await counting(desk).count("", {"unit_code": "SAAM"}, field, 1)
    assert few.complete == (len(expected) <= 1)
    assert not expected or few.counts[0][1] == max(expected.values())
    assert standin.requests == 0


async def test_everything_is_broken_down_like_any_other_question(desk: Desk) -> None:
    count = counting(desk).count
    whole, starred = [await count(query, {}, "unit_code", 1000) for query in ("", "*")]
    assert whole == starred
    assert whole.complete
    assert sum(number for _, number in whole.counts) == whole.total
    shown = [await count(f"NOT zzqxzz{n}", {}, "unit_code", 1000) for n in range(2)]
    assert all(one.counts == whole.counts for one in shown)  # counted anew by the engine
    assert not (await count("", {}, "unit_code", 2)).complete


async def test_counting_needs_a_mirror_and_a_question(desk: Desk, standin: Standin) -> None:
    with pytest.raises(InvalidRequest, match="nothing to look for"):
        await counting(desk).count('""', {}, "topic", 5)
    for source in ("auto", "live"):
        async with desk_of(source) as without:
            with pytest.raises(GatewayError, match="counts no terms") as raised:
                await counting(without).count("", {}, "topic", 5)
        assert raised.value.reason == "mirror_required"
    assert standin.requests == 0
