"""libofcongress_search_subjects through the border: plain words, pages, and the older service."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.http import AnswerCache
from hurry import Hurry
from loc.heading_service import HeadingService
from loc.reading_room import SEARCH, SUBJECTS
from mirror import unsaid

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin


async def told(service: HeadingService, **given: Any) -> dict[str, Any]:
    async with Desk(transport=service.transport) as desk:
        answer = await desk.call(SUBJECTS, **given)
    assert not answer.is_error, answer.text
    assert unsaid(answer) == []
    return answer.structure


@pytest.mark.parametrize(
    ("query", "label", "via"),
    [
        ("movies", "Motion pictures", "Movies"),
        ("world war ii", "World War, 1939-1945", "World War II, 1939-1945"),
        ("aerial photography", "Photography, Aerial", None),
        ("air photography", "Photography, Aerial", "Air photography"),
        ("Cats", "Cats", None),
        ("motion pictures", "Motion pictures", None),
        ("jazz", "Jazz", None),
        ("JOURNEYS", "Voyages and travels", "Journeys"),
    ],
)
async def test_plain_words_find_the_heading_and_say_through_what(
    query: str, label: str, via: str | None
) -> None:
    first = (await told(HeadingService(), query=query))["subjects"][0]
    assert first["label"] == label
    assert first.get("matched_variant") == via
    assert first["uri"].startswith("http://id.loc.gov/authorities/subjects/sh")


async def test_the_heading_itself_comes_first_and_subdivided_ones_last() -> None:
    labels = [one["label"] for one in (await told(HeadingService(), query="jazz"))["subjects"]]
    assert labels == ["Jazz", "Jazz musicians", "Jazz--History and criticism"]


async def test_a_plural_that_finds_nothing_is_tried_as_a_beginning_and_told() -> None:
    service = HeadingService()
    found = await told(service, query="caterpillarses")
    assert found["subjects"] == []
    found = await told(service, query="labors movements")
    assert [one["label"] for one in found["subjects"]] == ["Labor movement"]
    assert '"labor movement", taken as beginnings of words' in found["notice"]
    assert found["effectiveQuery"] == "labor movement"


async def test_a_stem_never_reaches_into_another_word() -> None:
    """Movies, cut to "mov", found the labor movement."""
    service = HeadingService(headings={"Labor movement": (), "Cats": ()})
    found = await told(service, query="movies")
    assert (found["subjects"], found["total"]) == ([], 0)
    assert 'No subject heading holds all words of "movies"' in found["notice"]


MANY = {f"Example {letter}{n:02}": () for n in range(63) for letter in "ba"} | {
    f"Example {n}--History": () for n in range(10)
}


@pytest.mark.parametrize("limit", [1, 7, 10, 50])
async def test_page_after_page_holds_every_heading_once(limit: int) -> None:
    service = HeadingService(headings=dict(MANY))
    got: list[str] = []
    async with Desk(transport=service.transport) as desk:
        for page in range(1, 200):
            answer = await desk.call(SUBJECTS, query="example", limit=limit, page=page)
            told = answer.structure
            assert told["total_matches"] == 136
            assert told["total"] == told["shown"] == len(told["subjects"])
            got += [one["label"] for one in told["subjects"]]
            if not told["truncated"]:
                break
            assert f"page={page + 1} gets the next headings." in told["notice"]
        assert page == -(-136 // limit)
        assert sorted(got) == sorted(MANY)
        assert len(service.asked) == 3, "a pool serves all its pages"
        past = (await desk.call(SUBJECTS, query="example", limit=limit, page=page + 1)).structure
    assert past["subjects"] == []
    assert f"The last valid page is {page}." in past["notice"]


@upstream
async def test_pages_of_the_stand_in_do_not_overlap(standin: Standin) -> None:
    got: list[str] = []
    async with Desk() as desk:
        for page in range(1, 20):
            told = (await desk.call(SUBJECTS, query="authority", limit=20, page=page)).structure
            got += [one["uri"] for one in told["subjects"]]
            if not told["truncated"]:
                break
    assert len(got) == len(set(got)) == 50
    assert "counts 101 headings and does not give those after 50" in told["notice"]


async def test_a_cut_page_of_headings_is_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "500")
    service = HeadingService(headings=dict(MANY))
    got: list[str] = []
    given = {"limit": 50, "page": 1}
    async with Desk(transport=service.transport) as desk:
        while True:
            told = (await desk.call(SUBJECTS, query="example", **given)).structure
            got += [one["label"] for one in told["subjects"]]
            notice = told.get("notice", "")
            if found := re.search(r"limit=(\d+) page=(\d+) continues it", notice):
                given = {"limit": int(found[1]), "page": int(found[2])}
            elif told["truncated"]:
                given["page"] += 1
            else:
                break
    assert sorted(got) == sorted(MANY)


# -- the older service ---------------------------------------------------------------------------------


async def test_where_the_newer_service_fails_the_older_one_is_asked_for_its_whole_pool() -> None:
    """G12: names and children's headings rank before the subjects, so a small count finds none."""
    service = HeadingService("suggest2")
    found = await told(service, query="voyages and travels", limit=3)
    assert [one["label"] for one in found["subjects"]] == ["Voyages and travels"]
    assert "total_matches" not in found
    assert "the older one was asked, which gives fewer headings" in found["notice"]
    assert service.asked[-1].params["count"] == "50"


async def test_a_full_pool_without_a_subject_is_not_read_as_none() -> None:
    service = HeadingService("suggest2")
    service.names = 60
    found = await told(service, query="cats", limit=5)
    assert found["subjects"] == []
    assert "The pool of 50 candidates" in found["notice"]
    assert "Try a narrower query" in found["notice"]
    assert "No subject heading" not in found["notice"]


async def test_a_full_pool_may_hide_more() -> None:
    service = HeadingService("suggest2", headings=dict(MANY))
    found = await told(service, query="example", limit=10)
    assert len(found["subjects"]) == 10
    assert found["truncated"] is True
    assert "More headings may match than the pool held" in found["notice"]
    last = await told(service, query="example", limit=10, page=5)
    assert (len(last["subjects"]), last["truncated"]) == (3, False)
    past = await told(service, query="example", limit=10, page=6)
    assert "The last valid page is 5." in past["notice"]


async def test_where_both_fail_it_is_an_outage() -> None:
    async with Desk(transport=HeadingService("suggest2", "suggest").transport) as desk:
        answer = await desk.call(SUBJECTS, query="cats")
    assert answer.reason == "upstream_unavailable"
    assert "says nothing about which headings exist" in answer.text or "Try again" in answer.text


@upstream
async def test_only_subject_headings_come_from_the_stand_ins_older_service(
    standin: Standin,
) -> None:
    standin.fault("503", host="id", path="suggest2", times=-1)
    async with Hurry().desk() as desk:
        found = (await desk.call(SUBJECTS, query="folk", limit=50)).structure
    assert found["subjects"]
    assert all("/authorities/subjects/" in one["uri"] for one in found["subjects"])


# -- what is kept, and what is refused ---------------------------------------------------------------------


async def test_headings_are_kept_28_days_and_none_for_minutes() -> None:
    service = HeadingService()
    hurry = Hurry()
    cache = AnswerCache(clock=hurry.clock)
    async with Desk(transport=service.transport, clock=hurry.clock, cache=cache) as desk:
        for query in ("jazz", "xyzzy"):
            await desk.call(SUBJECTS, query=query)
        assert len(service.asked) == 2
        hurry.passed += 27 * 86_400
        await desk.call(SUBJECTS, query="jazz")
        assert len(service.asked) == 2
        await desk.call(SUBJECTS, query="xyzzy")
        assert len(service.asked) == 3
        hurry.passed += 2 * 86_400
        await desk.call(SUBJECTS, query="jazz")
        assert len(service.asked) == 4


@pytest.mark.parametrize(
    "given",
    [
        {"query": ""},
        {"query": "--"},
        {"query": "jazz", "limit": 51},
        {"query": "jazz", "limit": 0},
        {"query": "jazz", "page": 0},
        {"query": "jazz", "offset": 1},
        {"query": "x" * 501},
    ],
)
async def test_what_cannot_be_asked_is_refused_unsent(given: dict[str, Any]) -> None:
    service = HeadingService()
    async with Desk(transport=service.transport) as desk:
        answer = await desk.call(SUBJECTS, **given)
    assert answer.reason == "invalid_input"
    assert service.asked == []


@upstream
async def test_a_label_is_a_subject_of_the_search(standin: Standin) -> None:
    async with Desk() as desk:
        found = (await desk.call(SUBJECTS, query="folk music")).structure["subjects"]
        labels = [one["label"] for one in found]
        assert "Folk music" in labels
        answer = await desk.call(
            SEARCH, query="the", subject=found[labels.index("Folk music")]["label"]
        )
    assert answer.structure["total"] > 0
