"""Does this exist: after a look-up, never by a guess, and an outage never reads as "there is none"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import anyio
import pytest

from conftest import Standin
from core.houses import Shelf, crashing, down, house, many, none, provider, queued, unmirrored
from core.virtual_time import run
from desk import Desk, check
from heritage_gateway.capability import Creator, Listed, Results, Work
from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.federation.verify import verify
from heritage_gateway.registry import House
from heritage_gateway.tool import Answer, Border
from loc.reading_room import in_mood

NAME = "heritage_verify"
MOTHER = Work(
    "ab_1",
    "photograph",
    "Mother of seven children. Migrant family in the valley",
    "https://ab.example/ab_1",
    creators=(Creator("Lange, Dorothea, 1895-1965"),),
    date="March 1936",
    iso="1936-03",
)


def shelf(**more: Any) -> Shelf:
    return Shelf({"ab_1": MOTHER, "77": MOTHER}, prefix="ab", **more)


def listed(*rows: Listed, total: int | None = None) -> Any:
    async def answering(query: str, _count: int) -> Results:
        wanted = set(re.findall(r"\w+", query.casefold()))
        found = [row for row in rows if wanted <= set(re.findall(r"\w+", row.title.casefold()))]
        return Results(len(found) if total is None else total, tuple(found))

    return answering


ROW = Listed("ab_1", MOTHER.title, MOTHER.link, "1930s", "Photographs")


def asked(place: House, what: object, **claimed: str) -> Answer:
    tool = verify(place)

    async def call() -> Answer:
        return await Border(40, 20_000).call(tool, {"what": what, **claimed})

    answer = run(call())
    check(tool, answer)
    assert answer.is_error or unmirrored(answer) == []
    return answer


def one(place: House, what: str, **claimed: str) -> dict[str, Any]:
    answer = asked(place, what, **claimed)
    (item,) = answer.structure["items"]
    return dict(item)


# -- ids and links ---------------------------------------------------------------------------------


def test_an_id_that_is_there_exists_with_what_its_record_says() -> None:
    item = one(house(provider("ab", shelf=shelf())), "ab_1")
    assert item["verdict"] == "exists"
    assert (item["house"], item["id"]) == ("House of ab", "ab_1")
    assert (item["title"], item["date"], item["link"]) == (
        MOTHER.title,
        "March 1936",
        MOTHER.link,
    )
    assert item["tried"] == ["House of ab, record ab_1: found."]
    assert item["differences"] == item["candidates"] == []


def test_an_id_that_only_one_house_has_is_looked_up_there_alone() -> None:
    other = Shelf({}, prefix="cd")
    item = one(house(provider("ab", shelf=shelf()), provider("cd", shelf=other)), "ab_2")
    assert item["verdict"] == "not_found"
    assert item["tried"][0] == "House of ab, record ab_2: no such record."
    assert item["why"] == "House of ab has no record with this id."
    assert other.asked == []


def test_an_id_that_several_may_have_is_looked_up_in_all_of_them() -> None:
    first, second = Shelf({}), Shelf({})
    place = house(provider("ab", shelf=first), provider("cd", shelf=second))
    item = one(place, "1234")
    assert item["verdict"] == "not_found"
    assert first.asked == second.asked == ["1234"]
    assert len(item["tried"]) == 2


def test_an_outage_of_one_that_may_have_it_is_never_not_found() -> None:
    place = house(provider("ab", shelf=Shelf({})), provider("cd", shelf=Shelf({}, down=True)))
    item = one(place, "1234")
    assert item["verdict"] == "cannot_tell"
    assert "House of cd, record 1234: no answer (upstream_unavailable)" in item["tried"][1]


def test_an_outage_of_the_other_does_not_hide_what_was_found() -> None:
    place = house(provider("ab", shelf=shelf()), provider("cd", shelf=Shelf({}, down=True)))
    assert one(place, "77")["verdict"] == "exists"


def test_a_house_that_is_switched_off_may_have_the_id() -> None:
    item = one(house(provider("ab", shelf=Shelf({})), off=("cd",)), "1234")
    assert item["verdict"] == "cannot_tell"
    assert "cd" in item["why"]


def test_what_two_houses_have_is_told_of_both() -> None:
    place = house(provider("ab", shelf=shelf()), provider("cd", shelf=shelf()))
    item = one(place, "77")
    assert item["verdict"] == "exists"
    assert [other["house"] for other in item["candidates"]] == ["House of cd"]


def test_a_slow_house_is_no_absence() -> None:
    class Slow(Shelf):
        async def work(self, given: str) -> Work:
            await anyio.sleep(3600)
            return await super().work(given)

    item = one(house(provider("ab", shelf=Slow({}, prefix="ab"))), "ab_1")
    assert item["verdict"] == "cannot_tell"
    assert "did not answer within 36 seconds" in item["tried"][0]


@pytest.mark.parametrize("what", ["https://other.example/1", "XYZ-12345-q"])
def test_what_is_of_no_house_cannot_be_told(what: str) -> None:
    item = one(house(provider("ab", ("a", crashing), shelf=shelf())), what)
    assert (item["verdict"], item["tried"]) == ("cannot_tell", [])


@pytest.mark.parametrize(
    ("claimed", "differing"),
    [
        ({"title": "Mother of Seven Children"}, []),
        ({"title": "Father of two"}, ["title"]),
        ({"date": "1936"}, []),
        ({"date": "1930s"}, []),
        ({"date": "Mar. 1936"}, []),
        ({"date": "April 1936"}, ["date"]),
        ({"date": "1941"}, ["date"]),
        ({"title": "Something else", "date": "ca. 1850"}, ["title", "date"]),
        ({"date": "undated"}, []),
    ],
)
def test_a_claim_that_differs_from_the_record_is_pointed_out(
    claimed: dict[str, str], differing: list[str]
) -> None:
    item = one(house(provider("ab", shelf=shelf())), "ab_1", **claimed)
    assert item["verdict"] == "exists"
    assert [each["field"] for each in item["differences"]] == differing
    for each in item["differences"]:
        assert each["claimed"] == claimed[each["field"]]


def test_a_citation_is_held_against_the_record_of_its_link() -> None:
    place = house(provider("ab", shelf=shelf()))
    said = 'Lange, Dorothea. "Father of two." 1850. https://ab.example/ab_1. Accessed 3 May 2024.'
    item = one(place, said)
    assert [each["field"] for each in item["differences"]] == ["title", "date"]
    good = "Lange, Dorothea. Mother of seven children. Mar. 1936. https://ab.example/ab_1."
    assert one(place, good)["differences"] == []


# -- citations without an id -----------------------------------------------------------------------


def by_title(*rows: Listed, **more: Any) -> House:
    return house(provider("ab", ("a", listed(*rows)), shelf=shelf(**more)))


def test_a_title_that_one_record_has_is_that_record() -> None:
    item = one(by_title(ROW), "Lange, Dorothea. “Mother of seven children.” 1936.")
    assert (item["verdict"], item["id"]) == ("exists", "ab_1")
    assert item["tried"][0] == 'List a, searched for "Mother of seven children": 1 found.'


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Evans, Walker. “Mother of seven children.” 1936.", "another creator"),
        ("“Mother of seven children.” May 1936.", "another date"),
        ("“Mother of seven.” 1936.", "first that hold its words"),
        ("Mother", "first that hold its words"),
    ],
)
def test_what_contradicts_or_is_vague_is_a_candidate_only(said: str, why: str) -> None:
    item = one(by_title(ROW), said)
    assert item["verdict"] == "cannot_tell"
    assert why in item["why"]
    assert [each["id"] for each in item["candidates"]] == ["ab_1"]
    assert "id" not in item


def test_a_title_with_a_comma_in_it_names_nobody() -> None:
    module = replace(
        MOTHER,
        title="Command Module, Apollo 11",
        creators=(Creator("North American Rockwell", is_body=True),),
    )
    row = replace(ROW, title=module.title)
    shelved = Shelf({"ab_1": module}, prefix="ab")
    item = one(house(provider("ab", ("a", listed(row)), shelf=shelved)), module.title)
    assert (item["verdict"], item["id"]) == ("exists", "ab_1")


def test_a_short_title_alone_is_not_believed() -> None:
    row = Listed("ab_9", "Untitled", "https://cd.example/9", "1936")
    place = house(provider("ab", ("a", listed(row)), shelf=shelf()))
    assert one(place, "Untitled")["verdict"] == "cannot_tell"
    assert one(place, "“Untitled.” 1936.")["verdict"] == "exists"


def test_two_of_one_title_are_told_apart_by_their_date_or_not_at_all() -> None:
    other = Listed("ab_2", MOTHER.title, "https://cd.example/2", "1950s")
    item = one(by_title(ROW, other), "Mother of seven children")
    assert (item["verdict"], len(item["candidates"])) == ("cannot_tell", 2)
    assert one(by_title(ROW, other), "“Mother of seven children,” 1936")["id"] == "ab_1"


def test_a_title_that_nobody_has_is_not_found_after_fewer_words_were_tried() -> None:
    place = house(provider("ab", ("a", none), ("b", none), shelf=shelf()))
    item = one(place, "“An invented treatise on clockwork pigeons.” 1912.")
    assert item["verdict"] == "not_found"
    assert len(item["tried"]) == 4


def test_a_title_like_it_is_a_candidate_and_forbids_not_found() -> None:
    item = one(by_title(ROW), "Mother of eight children")
    assert item["verdict"] == "cannot_tell"
    assert [each["id"] for each in item["candidates"]] == ["ab_1"]


@pytest.mark.parametrize("trouble", [down, queued, crashing])
def test_a_search_that_failed_is_never_not_found(trouble: Any) -> None:
    place = house(provider("ab", ("a", none), ("b", trouble), shelf=shelf()))
    item = one(place, "An invented treatise on clockwork pigeons")
    assert item["verdict"] == "cannot_tell"
    assert "List b" in item["why"]
    assert item.get("retry_after") == (90 if trouble is queued else None)


def test_a_list_that_is_switched_off_is_never_not_found() -> None:
    place = house(provider("ab", ("a", none), shelf=shelf()), off=("cd",))
    assert one(place, "An invented treatise on clockwork")["verdict"] == "cannot_tell"


def test_rows_that_hold_the_words_are_no_proof() -> None:
    place = house(provider("ab", ("a", many), shelf=shelf()))
    item = one(place, "An invented treatise on clockwork pigeons")
    assert item["verdict"] == "cannot_tell"
    assert len(item["candidates"]) == 5


def test_a_wrong_id_under_a_true_title_names_the_true_record() -> None:
    item = one(by_title(ROW), "“Mother of seven children.” 1936. https://ab.example/ab_404")
    assert item["verdict"] == "cannot_tell"
    assert [each["id"] for each in item["candidates"]] == ["ab_1"]
    item = one(by_title(ROW), "“Quite another thing entirely.” https://ab.example/ab_404")
    assert item["verdict"] == "not_found"


# -- numbers, letter case, what stands around an id ------------------------------------------------

NUMBERED = replace(MOTHER, identifier="LOT 12-345")


def numbered(*rows: Listed, works: dict[str, Work] | None = None) -> House:
    shelved = Shelf(works or {"ab_1": NUMBERED}, prefix="ab")

    async def everywhere(query: str, count: int) -> Results:
        found = await listed(*rows)(query, count)
        return found if found.total or "345" not in query else Results(len(rows), rows)

    return house(provider("ab", ("a", everywhere), shelf=shelved))


@pytest.mark.parametrize("said", ["(ab_1).", "‘ab_1’", "AB_1", "Ab_1", "lccn:ab_1", "[ab_1]"])
def test_marks_around_an_id_and_its_letter_case_are_no_reason_for_not_found(said: str) -> None:
    class AnyCase(Shelf):
        def claim(self, given: str) -> Any:
            return super().claim(given.lower())

    place = house(provider("ab", shelf=AnyCase({"ab_1": MOTHER}, prefix="ab")))
    assert one(place, said)["verdict"] == "exists"


def test_a_link_with_words_behind_it_is_that_link() -> None:
    item = one(
        house(provider("ab", shelf=shelf())), "https://ab.example/ab_1 (accessed 5 May 2024)"
    )
    assert (item["verdict"], item["differences"]) == ("exists", [])


def test_a_number_that_is_no_id_is_searched_for_before_a_verdict() -> None:
    shelved = Shelf({"ab_1": replace(MOTHER, identifier="12345")}, prefix="ab")

    async def holding(_query: str, _count: int) -> Results:
        return Results(1, (ROW,))

    assert one(house(provider("ab", ("a", holding), shelf=shelved)), "12345")["id"] == "ab_1"
    item = one(house(provider("ab", ("a", holding), shelf=shelf())), "12345")
    assert (item["verdict"], item["candidates"][0]["id"]) == ("cannot_tell", "ab_1")
    item = one(house(provider("ab", ("a", none), shelf=shelf())), "12345")
    assert item["verdict"] == "not_found"
    assert "House of ab has no record with this id." in item["why"]
    item = one(house(provider("ab", ("a", down), shelf=shelf())), "12345")
    assert item["verdict"] == "cannot_tell"


def test_a_year_alone_is_too_vague() -> None:
    item = one(house(provider("ab", ("a", none), shelf=shelf())), "1894")
    assert (item["verdict"], "A year alone" in item["why"]) == ("cannot_tell", True)


def test_a_record_with_another_number_than_the_cited_one_is_not_that_record() -> None:
    item = one(
        numbered(ROW), "Lange, Dorothea. “Mother of seven children.” 1936. Museum, LOT 99-345."
    )
    assert item["verdict"] == "cannot_tell"
    assert "another number" in item["why"]
    assert [each["id"] for each in item["candidates"]] == ["ab_1"]


def test_of_several_with_a_title_it_is_the_one_whose_number_is_cited() -> None:
    other = Listed("ab_2", MOTHER.title, "https://ab.example/ab_2", "1936")
    works = {"ab_1": NUMBERED, "ab_2": replace(NUMBERED, id="ab_2", identifier="LOT 12-346.1")}
    place = numbered(ROW, other, works=works)
    for number, found in (("LOT 12-345", "ab_1"), ("LOT 12-346.1", "ab_2")):
        item = one(place, f"“Mother of seven children.” 1936. Museum, {number}.")
        assert (item["verdict"], item.get("id")) == ("exists", found)
    item = one(place, "“Mother of seven children.” 1936. Museum, LOT 12-346.")
    assert item["verdict"] == "cannot_tell"


def test_the_creator_is_checked_by_the_id_of_a_row_whose_link_names_no_record() -> None:
    row = replace(ROW, link="https://elsewhere.example/1")
    assert one(by_title(row), "Lange, Dorothea. *Mother of seven children*. 1936.")["id"] == "ab_1"
    item = one(by_title(row), "Smith, John. *Mother of seven children*. 1936.")
    assert (item["verdict"], "another creator" in item["why"]) == ("cannot_tell", True)


def test_a_title_that_is_there_with_another_date_says_so() -> None:
    item = one(by_title(replace(ROW, date="1936")), "“Mother of seven children.” 1850.")
    assert (item["verdict"], item["why"]) == (
        "cannot_tell",
        "A record has this title, but another date.",
    )
    assert item["differences"] == [{"field": "date", "claimed": "1850", "recorded": "1936"}]


def test_a_page_is_rightly_named_by_its_newspaper() -> None:
    page = replace(
        MOTHER,
        kind="newspaper_page",
        title="Image 1 of The Evening News (Town), January 3, 1900",
        container="The Evening News",
        date="1900-01-03",
        page="1",
    )
    place = house(provider("ab", shelf=Shelf({"ab_1": page}, prefix="ab")))
    said = "*The Evening News* (Town). January 3, 1900, p. 1. https://ab.example/ab_1."
    assert one(place, said)["differences"] == []
    other = one(place, said.replace("Evening", "Morning"))
    assert [each["field"] for each in other["differences"]] == ["title"]


def test_a_plain_title_with_a_name_behind_it_is_found_by_its_title() -> None:
    item = one(by_title(ROW), "Mother of seven children, Dorothea Lange, 1936")
    assert (item["verdict"], item["id"]) == ("exists", "ab_1")
    assert one(by_title(ROW), "Mother of seven children, Walker Evans")["verdict"] == "cannot_tell"


def test_what_a_list_leaves_out_of_its_count_is_searched_before_a_verdict() -> None:
    async def everything(_query: str, _count: int) -> Results:
        return Results(1, (ROW,))

    place = provider("ab", ("a", none), shelf=shelf())
    wide = replace(place.searching[0], everything=everything)
    assert one(house(replace(place, searching=(wide,))), "Mother of seven children")["id"] == "ab_1"


def test_a_request_that_a_catalogue_could_not_read_says_nothing_of_the_id() -> None:
    class Misread(Shelf):
        async def work(self, given: str) -> Work:
            raise InvalidRequest(Reason.INVALID_INPUT, f"{given} was not read.", "Rephrase it.")

    item = one(house(provider("ab", shelf=Misread({}, prefix="ab"))), "ab_1..2")
    assert item["verdict"] == "cannot_tell"
    assert item["tried"][0].startswith("House of ab, record ab_1..2: no answer (invalid_input)")


def test_an_answer_beyond_the_budget_is_cut_and_says_how_to_go_on() -> None:
    tool = verify(house(provider("ab", shelf=shelf())))

    async def call() -> Answer:
        return await Border(40, 700).call(tool, {"what": [f"ab_{number}" for number in range(10)]})

    answer = run(call())
    check(tool, answer)
    shown = len(answer.structure["items"])
    rest = answer.structure["continue"]["arguments"]["what"]
    assert 0 < shown < 10
    assert rest == [f"ab_{number}" for number in range(shown, 10)]
    assert "cut" in answer.structure["notice"]


# -- the call --------------------------------------------------------------------------------------


def test_several_are_checked_in_one_call_and_stay_in_order() -> None:
    answer = asked(house(provider("ab", shelf=shelf())), ["ab_2", "ab_1", "ab_2"])
    verdicts = [item["verdict"] for item in answer.structure["items"]]
    assert verdicts == ["not_found", "exists", "not_found"]


@pytest.mark.parametrize("what", [[], ["  "], ["ab_1"] * 11, 7, [7]])
def test_what_cannot_be_checked_is_refused(what: object) -> None:
    assert asked(house(provider("ab", shelf=shelf())), what).reason == "invalid_input"


def test_a_claim_on_several_is_refused() -> None:
    answer = asked(house(provider("ab", shelf=shelf())), ["ab_1", "ab_2"], title="x")
    assert answer.reason == "invalid_input"


def test_a_list_may_come_as_a_json_string() -> None:
    answer = asked(house(provider("ab", shelf=shelf())), '["ab_1", "ab_2"]')
    assert len(answer.structure["items"]) == 2


# -- the built-in houses ---------------------------------------------------------------------------

REAL = ["https://www.loc.gov/item/2007680728/", "nasm_A19670093000"]
FALSE = ["https://www.loc.gov/item/99999999/", "nasm_X1"]


async def verdicts(desk: Desk, *what: str) -> list[str]:
    answer = await desk.call(NAME, what=list(what))
    return [item["verdict"] for item in answer.structure["items"]]


@pytest.mark.anyio
@pytest.mark.standin
async def test_the_built_in_houses_tell_true_from_false(standin: Standin) -> None:
    async with Desk() as desk:
        told = await verdicts(desk, *REAL, *FALSE, "Lockheed Vega 5B, Amelia Earhart, 1927")
        assert told == ["exists", "exists", "not_found", "not_found", "exists"]
        invented = "Smith, John. “Zzqx Treatise on Clockwork Pigeonry.” 1912."
        assert await verdicts(desk, invented) == ["not_found"]


@pytest.mark.anyio
@pytest.mark.standin
@pytest.mark.parametrize("form", ["json", "html"])
async def test_the_library_says_with_404_that_it_has_no_such_item_in_data_and_in_a_page(
    form: str, standin: Standin
) -> None:
    with in_mood(standin, item_404=form):
        async with Desk() as desk:
            assert await verdicts(desk, FALSE[0]) == ["not_found"]


@pytest.mark.anyio
@pytest.mark.standin
@pytest.mark.parametrize(
    "kind", ["500", "403-cloudflare", "429", "html-200", "reset", "404-router"]
)
async def test_an_outage_of_one_house_leaves_the_other_useful(kind: str, standin: Standin) -> None:
    for host, expected in (
        ("loc", ["cannot_tell", "exists", "cannot_tell", "not_found"]),
        ("si", ["exists", "cannot_tell", "not_found", "cannot_tell"]),
    ):
        standin.post("reset")
        standin.fault(kind, host=host, times=-1)
        async with Desk() as desk:
            assert await verdicts(desk, *REAL, *FALSE) == expected
