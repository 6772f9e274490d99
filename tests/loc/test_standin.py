"""Every fault that the stand-in can play, on every tool: the right word, few requests, and no end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.tool import Answer
from hurry import Hurry
from loc.reading_room import BROWSE, CALLS, CATALOGUE, ITEM, PAGE, PAPERS, SEARCH, SUBJECT, SUBJECTS

pytestmark = [pytest.mark.anyio, pytest.mark.standin]

UNAVAILABLE, MALFORMED = "upstream_unavailable", "upstream_malformed"
LIMITED, BLOCKED = "rate_limit_exceeded", "upstream_blocked"
MISSING = {ITEM: "item_not_found", PAGE: "page_not_found", SUBJECT: "not_found"}
PATHS = {
    SEARCH: ("loc", "^/search/"),
    ITEM: ("loc", "^/item/"),
    PAPERS: ("loc", "^/newspapers/"),
    PAGE: ("loc", "^/resource/"),
    BROWSE: ("loc", "^/collections/"),
    SUBJECTS: ("id", "suggest"),
    SUBJECT: ("id", "^/authorities/"),
}


@dataclass(frozen=True)
class Fault:
    """`sent` counts the requests of one call while the fault lasts; `rests`: the next call waits."""

    kind: str
    reason: str
    sent: int = 1
    rests: bool = False
    more: dict[str, Any] = field(default_factory=dict[str, Any])


FAULTS = (
    Fault("429", LIMITED, rests=True),
    Fault("429", LIMITED, rests=True, more={"retry_after": "1"}),
    Fault("429", LIMITED, rests=True, more={"retry_after": "7200"}),
    Fault("403-cloudflare", BLOCKED, rests=True),
    Fault("captcha-200", BLOCKED, rests=True),
    Fault("html-200", UNAVAILABLE),
    Fault("truncate", MALFORMED, 2),
    Fault("truncate-length", UNAVAILABLE, 2),
    Fault("reset", UNAVAILABLE, 2),
    Fault("garbage", MALFORMED),
    Fault("error-in-200:SOMETHING", MALFORMED),
    Fault("400", "invalid_input"),
    Fault("404", "missing"),
    Fault("404-router", UNAVAILABLE, 2),
    Fault("500", UNAVAILABLE),
    Fault("502", UNAVAILABLE, 2),
    Fault("503", UNAVAILABLE, 2),
    Fault("503", UNAVAILABLE, 2, more={"retry_after": "1"}),
    Fault("504", UNAVAILABLE, 2),
    Fault("520", UNAVAILABLE),
    Fault("custom", MALFORMED, more={"body": "null"}),
    Fault("custom", MALFORMED, more={"body": '[1, "x"]'}),
    Fault("custom", MALFORMED, more={"body": '"busy"'}),
    Fault("custom", MALFORMED, more={"body": '{"message": "busy"}'}),
)
PASSING = tuple(fault for fault in FAULTS if fault.kind in {"truncate", "reset", "503"})
KINDS = [
    # variants of a kind, and kinds that are one to us
    pytest.param(fault, marks=pytest.mark.heavy)
    if fault.more or fault.kind in {"502", "504", "404-router"}
    else fault
    for fault in FAULTS
]


def named(fault: Fault) -> str:
    return " ".join((fault.kind, *fault.more.values()))


def expected(fault: Fault, tool: str) -> tuple[str, int]:
    """The reason and the requests: only an id or an address can be missing, never a search."""
    reason = MISSING.get(tool, UNAVAILABLE) if fault.reason == "missing" else fault.reason
    if fault.kind == "400" and tool not in CATALOGUE:
        reason = UNAVAILABLE
    older_too = tool == SUBJECTS and not fault.rests
    return reason, fault.sent * (2 if older_too else 1)


every_tool = pytest.mark.parametrize("tool", CALLS)


async def call(desk: Desk, tool: str) -> Answer:
    return await desk.call(tool, **CALLS[tool])


@every_tool
@pytest.mark.parametrize("fault", KINDS, ids=named)
async def test_a_fault_is_told_for_what_it_is_and_is_over_when_it_is_over(
    fault: Fault, tool: str, standin: Standin
) -> None:
    host, path = PATHS[tool]
    standin.fault(fault.kind, host=host, path=path, times=-1, **fault.more)
    hurry = Hurry()
    async with hurry.desk() as desk:
        answer = await call(desk, tool)
        assert (answer.reason, standin.requests) == expected(fault, tool), answer.text
        assert standin.base.removeprefix("http://") not in answer.text
        for word in ("<html", "Traceback", "JSONDecode", "busy"):
            assert word not in answer.text
        standin.post("reset")
        if fault.rests:
            again = await call(desk, tool)
            assert (again.reason, standin.requests) == (fault.reason, 0)
            assert "Nothing is sent to it until" in again.text
            assert " UTC (" in again.text
            hurry.passed += again.structure["error"]["data"]["retry_after"] + 0.1
        told = await call(desk, tool)
        assert not told.is_error, told.text
        assert standin.requests > 0, "a failed answer was kept"


@pytest.mark.parametrize("tool", [SEARCH, PAGE, SUBJECTS, SUBJECT])
@pytest.mark.parametrize("fault", [one for one in PASSING if not one.more], ids=named)
async def test_a_fault_that_passes_is_not_seen(fault: Fault, tool: str, standin: Standin) -> None:
    host, path = PATHS[tool]
    standin.fault(fault.kind, host=host, path=path, times=1, **fault.more)
    async with Hurry().desk() as desk:
        assert not (await call(desk, tool)).is_error
    assert standin.requests == 2 + (tool == PAGE)


@pytest.mark.parametrize("tool", [SEARCH, PAPERS, BROWSE])
async def test_a_search_that_could_not_be_run_is_never_an_empty_one(
    tool: str, standin: Standin
) -> None:
    """It comes as 200 with no results, and tells by no-cache alone that it is no answer."""
    standin.fault("empty-nocache", host="loc")
    async with Hurry().desk() as desk:
        answer = await call(desk, tool)
        assert (answer.reason, standin.requests) == (UNAVAILABLE, 1)
        assert answer.structure["error"]["data"]["retryable"] is True
        assert "says nothing about what the Library holds" in answer.text
        assert not (await call(desk, tool)).is_error, "it was kept"


@pytest.mark.parametrize("tool", [SEARCH, PAPERS, BROWSE])
@pytest.mark.parametrize(
    "body",
    [
        '{"results": null, "pagination": {"of": 3}}',
        '{"pagination": {"of": 3, "perpage": 25}, "search": {}}',
        '{"results": [], "pagination": {"of": 12, "total": 1, "perpage": 25}, "search": {"hits": 12}}',
        '{"results": []}',
    ],
)
async def test_results_that_are_null_missing_or_fewer_than_counted_are_no_answer(
    body: str, tool: str, standin: Standin
) -> None:
    standin.fault("custom", host="loc", body=body)
    async with Hurry().desk() as desk:
        answer = await call(desk, tool)
        assert (answer.reason, standin.requests) == (MALFORMED, 1)


@pytest.mark.parametrize("tool", [ITEM, PAGE])
async def test_an_empty_record_is_missing_and_one_that_failed_is_not(
    tool: str, standin: Standin
) -> None:
    for body in ("{}", '{"item": {}, "resources": []}', '{"item": null}', '{"status": 404}'):
        standin.fault("custom", host="loc", body=body)
        async with Desk() as desk:
            assert (await call(desk, tool)).reason == MISSING[tool], body
    standin.fault("empty-nocache", host="loc")
    async with Desk() as desk:
        answer = await call(desk, tool)
    assert answer.reason in {MALFORMED, UNAVAILABLE}


async def test_a_slow_answer_ends_with_the_deadline_and_hurts_nobody_else(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_CALL_DEADLINE", "0.2")
    standin.fault("slow:1", host="loc", path="^/search")
    async with Desk() as desk:
        answer = await call(desk, SEARCH)
        assert answer.reason == "upstream_timeout"
        assert answer.structure["error"]["data"]["retryable"] is True
        assert not (await call(desk, ITEM)).is_error


# -- the text of a page --------------------------------------------------------------------------------

TEXT_FAULTS = tuple(
    fault
    for fault in FAULTS
    if fault.kind not in {"400", "404", "404-router", "502", "504", "custom"} and not fault.more
)


@pytest.mark.parametrize("fault", TEXT_FAULTS, ids=named)
async def test_a_text_that_cannot_be_fetched_is_there_all_the_same(
    fault: Fault, standin: Standin
) -> None:
    standin.fault(fault.kind, host="tile", times=-1, **fault.more)
    hurry = Hurry()
    async with hurry.desk() as desk:
        answer = await call(desk, PAGE)
        told = answer.structure
        assert not answer.is_error
        assert (told["ocr_available"], told["ocr_text"]) == (True, "")
        assert told["notice"].startswith("The text exists but could not be fetched:")
        assert ("Nothing is sent to it until" in told["notice"]) == fault.rests
        assert standin.get("stats")["hosts"]["tile"]["status"].values()
        assert standin.requests == 1 + fault.sent
        standin.post("reset")
        hurry.passed += 3 * 3600
        assert (await call(desk, PAGE)).structure["ocr_text"]


@pytest.mark.parametrize("kind", ["404", "custom"])
async def test_a_text_that_is_missing_at_its_own_address_is_no_page_without_text(
    kind: str, standin: Standin
) -> None:
    standin.fault(kind, host="tile", body='{"other": {"height": 1}}')
    async with Desk() as desk:
        told = (await call(desk, PAGE)).structure
    assert (told["ocr_available"], told["ocr_text"]) == (True, "")
    assert "could not be fetched" in told["notice"]
