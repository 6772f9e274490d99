"""smithsonian_search_objects at the border: what is sent, what is served, and what is refused unsent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import httpx
import pytest

from core.virtual_time import VirtualLoop
from desk import Desk
from heritage_gateway.budget import tokens
from mirror import unsaid
from recording.maker import virtual_desk
from smithsonian.catalogue_cards import CARDS
from smithsonian.pretend_catalogue import PretendCatalogue, envelope

pytestmark = pytest.mark.anyio

SEARCH, GET = "smithsonian_search_objects", "smithsonian_get_object"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"loop_factory": VirtualLoop}


@pytest.fixture
def catalogue() -> PretendCatalogue:
    return PretendCatalogue()


@pytest.fixture
def desk(catalogue: PretendCatalogue) -> Callable[[], Any]:
    return lambda: virtual_desk(transport=catalogue.transport)


def ids(structure: dict[str, Any]) -> list[str]:
    return [row["record_id"] for row in structure["objects"]]


ODD: tuple[dict[str, Any], ...] = (
    {"query": ""},
    {"query": "  * "},
    {"query": "hokusai"},
    {"query": 'a "b c'},
    {"query": ") OR (unit_code:NASM"},
    {"query": "x", "filters": {"topic": 'a "b" \\ c'}},
    {"query": "", "filters": {"culture": "*"}},
    {"query": "", "filters": {"place": "New York) OR (x"}},
    {"query": "NOT", "filters": {"date": "1920s", "cc0_only": True}},
    {"query": "a:b &fq=x", "filters": {"online_only": True, "name": "Warhol, Andy"}},
    {"query": "vega", "rows": 10**9, "start": 2**53 - 1},
)


@pytest.mark.parametrize("given", ODD, ids=str)
async def test_only_what_upstream_understands_is_sent(
    given: dict[str, Any], catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        await opened.call(SEARCH, **given)
    for request in catalogue.requests:
        asked = dict(request.url.params)
        if not request.url.path.endswith("/search"):
            continue
        assert set(asked) == {"q", "start", "rows"}
        assert asked["q"].strip()
        assert int(asked["rows"]) <= 1000
        assert "api_key" not in str(request.url)
        assert request.headers["x-api-key"] == "DEMO_KEY"


async def test_filters_are_exact_quoted_terms_beside_the_bracketed_words(
    catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    filters = {"cc0_only": True, "topic": 'Early "Tomb" Age', "unit_code": "NASM"}
    async with desk() as opened:
        await opened.call(SEARCH, query="red vega", filters={**filters, "online_only": True})
    assert catalogue.asked[0] == (
        '(red vega) AND unit_code:"NASM" AND topic:"Early \\"Tomb\\" Age"'
        " AND online_media_type:* AND media_usage:CC0"
    )


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card["url"])
async def test_a_search_and_all_its_records_cost_one_request(
    card: dict[str, Any], catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    """By the id of the row, with the prefix, with blanks around: it is the same record."""
    async with desk() as opened:
        found = await opened.call(SEARCH, query="")
        assert len(found.structure["objects"]) == len(CARDS)
        row = next(row for row in found.structure["objects"] if row["title"] == card["title"])
        for given in (row["record_id"], card["url"], f"  {card['url']} "):
            record = await opened.call(GET, id=given)
            assert record.structure["record_id"] == row["record_id"]
    assert len(catalogue.requests) == 1


async def test_the_same_question_is_asked_once_at_a_time_and_kept(
    catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    answers: list[str] = []

    async def ask(opened: Desk) -> None:
        answers.append((await opened.call(SEARCH, query="panda")).text)

    async with desk() as opened:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(ask, opened)
        await ask(opened)
    assert len(set(answers)) == 1
    assert len(catalogue.requests) == 1


async def test_a_row_says_the_same_in_text_and_in_structure(desk: Callable[[], Any]) -> None:
    async with desk() as opened:
        answer = await opened.call(SEARCH, query="")
    assert unsaid(answer) == []
    rows = {row["record_id"]: row for row in answer.structure["objects"]}
    assert rows["dpo_3d_rover"]["holding_museum_name"] == "National Air and Space Museum"
    assert {name for name, row in rows.items() if not row["has_media"]} == {
        "npg_S_NPG.2002.184.54",
        "chndm_1974-100-11",
        "ead_component:sova-naa-1974-28-ref832",
    }
    assert rows["fsg_F1900.47"]["date"] == "1700s", "the first index term, which is no dating"
    assert "date" not in rows["NMAI_76890"]
    assert all("held by" in line for line in answer.text.splitlines() if "dpo_3d" in line)


@pytest.mark.parametrize(
    "given",
    [
        {"rows": "3", "start": "1"},
        {"rows": 3.0, "start": 1, "filters": None},
        {"rows": 3, "start": 1, "filters": ""},
        {"rows": 3, "start": 1, "filters": "{}"},
        {"rows": 3, "start": 1, "filters": {"topic": None, "place": ""}},
    ],
    ids=str,
)
async def test_what_can_only_mean_one_thing_is_taken_for_it(
    given: dict[str, Any], desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        answer = await opened.call(SEARCH, query="", **given)
        plain = await opened.call(SEARCH, query="", rows=3, start=1)
    assert answer.structure == plain.structure
    assert answer.structure["shown"] == 3


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "`query` is missing"),
        ({"query": "x", "rows": 0}, "`rows` is wrong"),
        ({"query": "x", "rows": 2.5}, "`rows` is wrong"),
        ({"query": "x", "rows": True}, "`rows` is wrong"),
        ({"query": "x", "start": -1}, "`start` is wrong"),
        ({"query": "x", "start": 2**53}, "`start` is wrong"),
        ({"query": ["x"]}, "`query` is wrong"),
        ({"query": "x", "limit": 5}, "`limit` is not an argument"),
        ({"query": "x", "filters": {"unitcode": "NASM"}}, "did you mean `filters.unit_code`?"),
        ({"query": "x", "filters": {"cc0_only": "perhaps"}}, "`filters.cc0_only` is wrong"),
        ({"query": "x", "filters": {"topic": 7}}, "`filters.topic` is wrong"),
        ({"query": "x", "filters": [1]}, "`filters` is wrong"),
        ({"query": "a\x00b"}, "control character"),
        ({"query": "()"}, "holds nothing that can be searched for"),
        ({"query": "x" * 2001}, "2,001 characters long"),
    ],
    ids=str,
)
async def test_what_means_nothing_is_refused_by_name_and_never_sent(
    given: dict[str, Any], told: str, catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        answer = await opened.call(SEARCH, **given)
    assert answer.reason == "invalid_input"
    assert told in answer.text
    assert catalogue.requests == []


async def test_pages_follow_one_another_without_loss_or_repetition(
    desk: Callable[[], Any],
) -> None:
    shown: list[str] = []
    async with desk() as opened:
        while True:
            answer = await opened.call(SEARCH, query="", rows=4, start=len(shown))
            shown += ids(answer.structure)
            if not answer.structure["truncated"]:
                break
            assert f"start={len(shown)} gets the next page." in answer.structure["notice"]
            assert answer.structure["truncationCeiling"] == len(CARDS)
    assert shown == [card["url"].removeprefix("edanmdm:") for card in CARDS]
    assert "notice" not in answer.structure


@pytest.mark.parametrize("budget", [250, 600, 1500])
async def test_a_page_cut_to_the_budget_goes_on_where_it_stopped(
    budget: int, desk: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", str(budget))
    shown: list[str] = []
    async with desk() as opened:
        while True:
            answer = await opened.call(SEARCH, query="", start=len(shown))
            page = ids(answer.structure)
            assert tokens(answer.text, answer.structure) <= budget or len(page) == 1
            shown += page
            if not answer.structure["truncated"]:
                break
            assert answer.structure["shown"] == answer.structure["cap"] == len(page)
            assert answer.structure["notice"].startswith("The page was cut to")
    assert shown == [card["url"].removeprefix("edanmdm:") for card in CARDS]


async def test_the_cap_is_named_first_and_the_way_on_after_it(desk: Callable[[], Any]) -> None:
    many = [{**card, "url": f"edanmdm:many_{n}"} for n in range(90) for card in CARDS]
    async with virtual_desk(transport=PretendCatalogue(many).transport) as opened:
        answer = await opened.call(SEARCH, query="", rows=5000)
    said = answer.structure["notice"]
    assert said.startswith("rows=5000 was asked; a page holds at most 1,000 objects.")
    assert said.endswith(f"start={answer.structure['shown']} gets the next page.")
    assert answer.structure["total_count"] == len(many)


async def test_rows_that_upstream_left_out_are_not_taken_for_none(
    catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    catalogue.script = [envelope({"rows": [], "rowCount": 7, "message": "content found"})]
    async with desk() as opened:
        assert (await opened.call(SEARCH, query="")).reason == "upstream_malformed"
        assert not (await opened.call(SEARCH, query="")).is_error


async def test_a_row_that_is_no_record_is_borne(
    catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    rows = [None, "x", {}, {"url": 7}, CARDS[0]]
    catalogue.script = [envelope({"rows": rows, "rowCount": 5, "message": "content found"})]
    async with desk() as opened:
        answer = await opened.call(SEARCH, query="")
    assert "nasm_A19670093000" in ids(answer.structure)


async def test_what_was_read_as_a_code_is_said_where_nothing_matched_too(
    desk: Callable[[], Any],
) -> None:
    async with desk() as opened:
        answer = await opened.call(SEARCH, query="zzz", filters={"unit_code": "freer"})
    assert answer.reason == "invalid_filter"
    assert '"freer" was read as NMAA, National Museum of Asian Art.' in answer.text


@pytest.mark.parametrize("filters", [{"culture": "Nope"}, {"object_type": "Nope"}], ids=str)
async def test_a_certain_zero_is_said_although_the_help_is_slow(
    filters: dict[str, str], catalogue: PretendCatalogue
) -> None:
    async def slow_after_the_first(request: httpx.Request) -> httpx.Response:
        if catalogue.requests:
            await anyio.sleep(600)
        return catalogue(request)

    async with virtual_desk(transport=httpx.MockTransport(slow_after_the_first)) as opened:
        before = anyio.current_time()
        answer = await opened.call(SEARCH, query="", filters=filters)
        assert anyio.current_time() - before == pytest.approx(10, abs=0.1)
    assert answer.reason == "invalid_filter"
