"""What a zero says, and whether it is true: every call that a hint names is made."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.tool import Answer
from heritage_smithsonian.units import NAMES

pytestmark = [pytest.mark.standin, pytest.mark.anyio]

SEARCH, BROWSE, TERMS = (
    "smithsonian_search_objects",
    "smithsonian_browse_category",
    "smithsonian_list_terms",
)
_CALL = re.compile(
    r'smithsonian_list_terms field="(?P<field>\w+)"(?: contains="(?P<contains>[^"]*)")?'
    r"(?: rows=(?P<rows>\d+))?(?: lists (?P<count>\d+) (?P<other>other )?terms?\.)?"
)
_NEVER = re.compile(
    r"does not exist|do not exist|there (?:is|are) no|nothing exists", re.IGNORECASE
)


async def at_once(_seconds: float) -> None:
    """Instead of the wait before a second attempt."""


def hint(answer: Answer) -> str:
    """What to do next; it stands in the text as well."""
    said: str = answer.structure["error"]["data"]["recovery"]["hint"]
    assert f"Next: {said}" in answer.text
    assert not _NEVER.search(said)
    assert "  " not in said
    assert "…" not in "".join(call.group() for call in _CALL.finditer(said))
    return said


async def keep_its_promises(desk: Desk, said: str, value: str) -> int:
    """Make every call that the hint names; what it says of the answer must be so."""
    calls = list(_CALL.finditer(said))
    for call in calls:
        given = {key: call[key] for key in ("field", "contains", "rows") if call[key]}
        answer = await desk.call(TERMS, **given)
        assert not answer.is_error
        told = answer.structure
        if call["rows"]:
            assert told["total"] == int(call["rows"]) == len(told["terms"])
        if call["count"]:
            everything = (await desk.call(TERMS, **given, rows=900)).structure["terms"]
            others = [term for term in everything if term != value]
            assert len(others if call["other"] else everything) == int(call["count"])
            assert others
    return len(calls)


async def zero(desk: Desk, reason: str = "invalid_filter", query: str = "", **filters: Any) -> str:
    answer = await desk.call(SEARCH, query=query, filters=filters)
    assert answer.reason == reason
    return hint(answer)


async def no_category(desk: Desk, mode: str, value: str) -> str:
    answer = await desk.call(BROWSE, mode=mode, value=value)
    assert answer.reason == "invalid_category"
    return hint(answer)


FIELDS = {"museum": "unit_code", "culture": "culture", "period": "date", "topic": "topic"}


@pytest.mark.parametrize(
    ("mode", "value", "contains"),
    [
        ("culture", "Japaneseness", "Japanese"),
        ("topic", "Landscapez", "Landscape"),
        ("period", "1850", "1850"),
        ("museum", "HMSGX", "HMSG"),
    ],
)
async def test_what_is_no_term_leads_to_the_call_that_lists_its_neighbours(
    mode: str, value: str, contains: str, standin: Standin
) -> None:
    async with Desk() as desk:
        browsed = await no_category(desk, mode, value)
        searched = await zero(desk, **{FIELDS[mode]: value})
        assert browsed == searched
        assert f'"{value}" is not a term of {FIELDS[mode]}.' in browsed
        assert f'{TERMS} field="{FIELDS[mode]}" contains="{contains}" lists ' in browsed
        assert await keep_its_promises(desk, browsed, value)


@pytest.mark.parametrize("field", ["place", "online_media_type"])
async def test_the_other_listed_fields_are_looked_up_too(field: str, standin: Standin) -> None:
    async with Desk() as desk:
        (term,) = (await desk.call(TERMS, field=field, rows=1)).structure["terms"]
        said = await zero(desk, **{field: f"{term}zz"})
        assert f"is not a term of {field}." in said
        assert await keep_its_promises(desk, said, f"{term}zz")


async def test_a_term_without_a_retrievable_object_is_said_to_be_one(standin: Standin) -> None:
    async with Desk() as desk:
        for said in (
            await zero(desk, unit_code="AAA"),
            await no_category(desk, "museum", "AAA"),
            await zero(desk, query="*", unit_code="AAA"),
        ):
            assert '"AAA" is a term of unit_code, but no object that can be retrieved' in said
            assert await keep_its_promises(desk, said, "AAA")


async def test_beside_other_conditions_a_term_is_counted_alone(standin: Standin) -> None:
    """The one request goes to the vocabulary; once that is at hand, to the count of the term."""
    async with Desk() as desk:
        cold = await zero(desk, query="quilt", unit_code="AAA")
        assert '"AAA" is a term of unit_code.' in cold
        warm = await zero(desk, query="quilt", unit_code="AAA")
        assert "no object that can be retrieved carries it" in warm
        alive = await zero(desk, query="zzqx", unit_code="NASM")
        found = await desk.call(BROWSE, mode="museum", value="NASM", rows=1)
        total = found.structure["total_count"]
        assert f'"NASM" is a term of unit_code, with {total} objects.' in alive
        assert "Each filter alone may match: leave one out, or search with fewer words." in alive


async def test_another_letter_case_is_named(standin: Standin) -> None:
    async with Desk() as desk:
        terms = (await desk.call(TERMS, field="topic", contains="landscapes")).structure["terms"]
        assert "Landscapes" in terms
        said = await zero(desk, topic="lAndscapes")
        assert '"lAndscapes" is not a term of topic. In other letter case it is: ' in said
        assert '"Landscapes"' in said
        assert await keep_its_promises(desk, said, "lAndscapes")


async def test_a_part_that_lists_more_than_eight_hundred_terms_is_not_offered(
    standin: Standin,
) -> None:
    """And it is not said that no term holds it."""
    async with Desk() as desk:
        crowded = await desk.call(TERMS, field="topic", contains="ing", rows=1)
        assert crowded.structure["total"] > 801
        said = await zero(desk, topic="ingxq")
        assert "The parts of it stand in more than 800 terms each." in said
        assert not _CALL.search(said)


async def test_where_no_neighbour_is_found_that_alone_is_said(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, topic="qzxqzx")
    assert said == (
        '"qzxqzx" is not a term of topic. No neighbouring term of topic was found by the parts of it.'
    )


async def test_a_name_of_several_units_lists_them_all(standin: Standin) -> None:
    async with Desk() as desk:
        for said in (
            await zero(desk, unit_code="natural history"),
            await no_category(desk, "museum", "natural history"),
        ):
            for code, name in NAMES.items():
                assert (f"{code} ({name})" in said) == code.startswith("NMNH")
            assert f'{TERMS} field="unit_code" contains="natural history" lists 11 terms.' in said
            assert await keep_its_promises(desk, said, "natural history") == 2


async def test_a_code_that_was_replaced_names_the_present_one(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, unit_code="OFEO-SG")
        assert "Smithsonian Gardens is now found under HAC." in said
        assert await keep_its_promises(desk, said, "OFEO-SG")


async def test_a_name_that_was_read_as_a_code_is_said_in_the_failure_too(standin: Standin) -> None:
    async with Desk() as desk:
        said = await no_category(desk, "museum", "freer")
        assert said.startswith('"freer" was read as NMAA, National Museum of Asian Art.')
        assert await keep_its_promises(desk, said, "NMAA")


# -- fields without a vocabulary -------------------------------------------------------------------


async def test_candidates_come_from_the_same_search_without_filters(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, query="portrait", object_type="Paintingz")
        seen = await desk.call(SEARCH, query="portrait", rows=1)
        total = seen.structure["total_count"]
        listed = re.findall(r'"([^"]+)"', said.partition('"portrait": ')[2].partition(". ")[0])
        assert f"object_type terms seen in the first 100 of {total} objects" in said
        assert "Paintings" in listed
        for kind in listed:  # a candidate does match the words
            found = await desk.call(SEARCH, query="portrait", filters={"object_type": kind})
            assert not found.is_error


async def test_a_medium_lists_the_types_found_by_its_own_words_likest_first(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        said = await no_category(desk, "medium", "painting")
        assert re.search(r'"painting": "Paintings"[,.]', said)
        assert "Letter case and plural make separate terms." in said
        for kind in re.findall(r'"([^"]+)"', said)[1:]:
            assert not (await desk.call(BROWSE, mode="medium", value=kind, rows=1)).is_error


async def test_names_are_offered_as_they_are_indexed(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, name="Amelia Earhart")
        assert '"Earhart, Amelia"' in said
        assert not (await desk.call(SEARCH, query="", filters={"name": "Earhart, Amelia"})).is_error


async def test_where_nothing_matches_without_filters_either_that_is_said(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, query="zzqx", object_type="Paintings")
        assert 'Without filters nothing matches "zzqx" either: use other words.' in said
        said = await no_category(desk, "medium", "zzqx")
        assert 'Without filters nothing matches "zzqx" either: use other words.' in said


async def test_what_is_not_seen_in_a_sample_is_not_said_to_be_nowhere(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, query="portrait", scientific_name="Panthera")
        assert "No scientific_name term was seen in the first 100 of " in said


async def test_or_that_was_left_out_is_named_beside_the_filters(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, query="zzqx OR quilt", unit_code="SAAM")
    assert said.startswith("OR does not widen a search here")


async def test_filters_on_media_say_what_they_leave_out(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, query="zzqx", cc0_only=True, online_only=True)
    assert "cc0_only leaves out everything without such media; try without it." in said
    assert "online_only leaves out everything without such media; try without it." in said


async def test_blanks_at_the_ends_of_a_value_show_and_are_named(standin: Standin) -> None:
    """Else it would read as if the term itself were none."""
    async with Desk() as desk:
        answer = await desk.call(BROWSE, mode="topic", value=" Landscapes ")
        assert 'No object has topic=" Landscapes ".' in answer.text
        assert (
            '" Landscapes " is not a term of topic. Without the blanks at its ends it is one.'
            in hint(answer)
        )


async def test_a_value_that_reads_like_an_operator_is_looked_for_as_a_word(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        assert "object_type terms seen in " in await no_category(desk, "medium", "NOT")
        assert '"?!" holds no word to look for.' in await no_category(desk, "medium", "?!")


async def test_a_code_that_is_known_anyway_is_not_sent_to_be_looked_up(standin: Standin) -> None:
    async with Desk() as desk:
        said = await zero(desk, object_type="Paintings", unit_code="NZP")
    assert '"NZP" is the code of Smithsonian\'s National Zoo' in said
    assert "Look whether" not in said


# -- what it costs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "filters", "warm"),
    [
        ("", {"topic": "qzxqzx"}, 0),
        ("", {"unit_code": "AAA"}, 0),
        ("portrait", {"object_type": "Paintingz"}, 0),
        ("", {"culture": "zzqx", "place": "zzqx", "topic": "zzqx", "unit_code": "AAA"}, 1),
        ("zzqx", {"name": "x", "object_type": "y", "topic": "z", "date": "q"}, 0),
        ("zzqx", {"cc0_only": True}, 0),
    ],
)
async def test_a_hint_costs_one_request_at_most_and_none_once_it_is_known(
    query: str, filters: dict[str, Any], warm: int, standin: Standin
) -> None:
    async with Desk() as desk:
        await zero(desk, query=query, **filters)
        cold = standin.requests
        assert cold <= 2
        await zero(desk, query=query, **filters)
        assert standin.requests - cold <= warm  # one vocabulary more is at hand with each call
        for _ in range(4):
            await zero(desk, query=query, **filters)
        settled = standin.requests
        await zero(desk, query=query, **filters)
        assert standin.requests == settled


@pytest.mark.parametrize(
    ("path", "filters", "said"),
    [
        (
            "^/terms/topic",
            {"topic": "Quiltz"},
            f'Look whether "Quiltz" is a term: {TERMS} field="topic" contains="Quiltz".',
        ),
        (
            "^/search",
            {"object_type": "Paintingz"},
            "What object_type terms there are could not be looked up now.",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["500", "error-in-200:OVER_RATE_LIMIT", "truncate"])
async def test_a_failure_of_the_extra_look_leaves_the_zero_standing(
    path: str, filters: dict[str, str], said: str, kind: str, standin: Standin
) -> None:
    standin.fault(kind, host="si", path=path, times=-1, after=int(path == "^/search"))
    async with Desk(sleep=at_once) as desk:
        assert await zero(desk, **filters) == said


async def test_an_empty_vocabulary_is_no_proof_that_a_term_is_none(standin: Standin) -> None:
    body = json.dumps({"status": 200, "responseCode": 1, "response": {"terms": []}})
    standin.fault(
        "custom",
        host="si",
        path="^/terms",
        times=-1,
        status=200,
        body=body,
        type="application/json",
    )
    async with Desk() as desk:
        said = await zero(desk, date="192O")
    assert said == f'Look whether "192O" is a term: {TERMS} field="date" contains="192O".'


# -- hostile values --------------------------------------------------------------------------------

HOSTILE = [
    '"Bob" says "hi"',
    "quilt\n# A heading\n- **done**",
    "[quilt](http://example.org) ![x](http://example.org/y)",
    "<b>quilt</b> `code` ~~gone~~ _emphasis_",
    "quilt \\",
    '\\" AND topic:"x',
    "quilt " * 333,
    "q" * 2000,
    "\u202equilt\u2066",
    "漢字 ß İ",
    "*",
]


@pytest.mark.parametrize("field", ["topic", "unit_code", "object_type"])
async def test_hostile_values_stay_harmless_and_their_hints_true(
    field: str, standin: Standin
) -> None:
    async with Desk() as desk:
        for value in HOSTILE:
            answer = await desk.call(SEARCH, query="", filters={field: value})
            said = hint(answer)
            assert len(answer.text.split("\n")) == 2
            assert len(said) < 1500
            assert not re.search(r"(?<!\\)(\*\*|`|\]\(|<b>|~~)", answer.text)
            assert await keep_its_promises(desk, said, value) <= 2
