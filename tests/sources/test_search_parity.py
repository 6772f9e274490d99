"""Every search means the same to the live API and to a mirror of the same day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from heritage_gateway.tool import Answer
from sources.differences import (
    Allowed,
    is_firewall,
    is_straddling,
    undated,
    without_provenance,
)
from sources.houses import BROWSE, SEARCH, Both
from sources.questions import MAKERS, Question, questions, terms

pytestmark = [pytest.mark.anyio, pytest.mark.standin, pytest.mark.captured]

# Rows; longer lists are held against each other by their totals, and some are walked.
PAGE, LARGE_PAGE, LONG_PAGE = 25, 150, 1000


def rows(answer: Answer) -> dict[str, dict[str, Any]]:
    return {row["record_id"]: row for row in answer.structure.get("objects", ())}


def total(answer: Answer) -> int:
    return int(answer.structure.get("total_count", 0))


def compared(question: Question, live: Answer, mirror: Answer, size: int) -> Allowed | None:
    """The difference that is allowed, None where there is none. Fails on every other."""
    if is_firewall(live):
        return Allowed.FIREWALL
    here, there = rows(live), rows(mirror)
    assert all(here[name] == there[name] for name in here.keys() & there.keys()), question
    whole = max(total(live), total(mirror)) <= size
    strays = here.keys() ^ there.keys() if whole else set[str]()
    if total(live) != total(mirror) or strays:
        assert whole, (question, total(live), total(mirror))
        assert is_straddling(question, strays), (question, total(live), total(mirror), strays)
        return Allowed.STRADDLING
    assert mirror.reason == live.reason, question
    if live.is_error:
        assert mirror.structure["error"]["message"] == live.structure["error"]["message"]
        return Allowed.HINT
    assert undated(mirror.structure["notice"]) == live.structure.get("notice", ""), question
    return Allowed.ORDER if list(here) != list(there) else None


async def differences(both: Both, asked: Sequence[Question], size: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for question in asked:
        answers = await both.call(SEARCH, **question.arguments, rows=size)
        if size < max(map(total, answers)) <= LONG_PAGE and total(answers[0]) != total(answers[1]):
            answers = await both.call(SEARCH, **question.arguments, rows=LONG_PAGE)
            found[compared(question, *answers, LONG_PAGE) or "equal"] += 1
        else:
            found[compared(question, *answers, size) or "equal"] += 1
    return found


@pytest.mark.parametrize("kind", MAKERS)
async def test_searches_find_the_same(kind: str, both: Both) -> None:
    asked = questions(kind)
    found = await differences(both, asked, PAGE)
    assert found.total() == len(asked)
    assert set(found) <= {"equal", Allowed.ORDER, Allowed.HINT, Allowed.STRADDLING}


@pytest.mark.heavy
@pytest.mark.parametrize("kind", MAKERS)
async def test_many_searches_find_the_same(kind: str, both: Both) -> None:
    found = await differences(both, questions(kind, times=4), LARGE_PAGE)
    assert set(found) <= {"equal", Allowed.ORDER, Allowed.HINT, Allowed.STRADDLING}


async def test_a_phrase_that_spans_two_texts_is_the_live_apis_alone(both: Both) -> None:
    """Titles end in "portrait", and the next text is the code of the museum."""
    question = Question('"portrait NPG"')
    live, mirror = await both.call(SEARCH, **question.arguments, rows=LONG_PAGE)
    assert (total(live), mirror.reason) == (35, "no_results")
    assert compared(question, live, mirror, LONG_PAGE) == Allowed.STRADDLING
    nowhere = Question('"portrait of nobody"')
    assert not is_straddling(nowhere, rows(live)), "no other difference passes for this one"


async def test_what_a_firewall_refuses_is_a_question_like_others_to_a_mirror(both: Both) -> None:
    live, mirror = await both.call(SEARCH, query="union select")
    assert is_firewall(live)
    assert mirror.reason in {None, "no_results"}


@pytest.mark.parametrize("query", ["*", "portrait", "NOT portrait"])
@pytest.mark.heavy
async def test_long_lists_hold_the_same_rows_to_their_end(query: str, both: Both) -> None:
    found: list[dict[str, Any]] = []
    for desk in (both.live, both.mirror):
        every: dict[str, Any] = {}
        more = True
        while more:
            page = await desk.call(SEARCH, query=query, rows=LONG_PAGE, start=len(every))
            every |= rows(page)
            more = page.structure["truncated"]
        found.append(every)
    assert found[0] == found[1]


@pytest.mark.parametrize("start", [0, 5, 20, 10**6, 2**53 - 1])
async def test_pages_say_the_same_of_what_remains(start: int, both: Both) -> None:
    asked: dict[str, Any] = {"query": "", "filters": {"unit_code": "NMNHMAMMALS"}}
    live, mirror = await both.call(SEARCH, **asked, rows=3, start=start)
    told = [without_provenance(answer.structure) for answer in (live, mirror)]
    for structure in told:
        structure.pop("objects")
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("mode", "field"),
    [
        *[("museum", "unit_code"), ("culture", "culture"), ("period", "date")],
        *[("medium", "object_type"), ("topic", "topic")],
    ],
)
async def test_categories_hold_as_many_objects(mode: str, field: str, both: Both) -> None:
    for value in (*[*terms(field)][:4], "Nothing of that name", "nasm "):
        live, mirror = await both.call(BROWSE, mode=mode, value=value, rows=5)
        assert live.reason == mirror.reason
        if live.is_error:
            assert live.structure["error"]["message"] == mirror.structure["error"]["message"]
        else:
            assert live.structure["total_count"] == mirror.structure["total_count"]
            assert live.structure["value"] == mirror.structure["value"]
