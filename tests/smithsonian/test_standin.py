"""Every fault that the stand-in can play, on search and on a record: the right word, and no storm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.tool import Answer
from hurry import Hurry

pytestmark = [pytest.mark.anyio, pytest.mark.standin]

SEARCH, GET = "smithsonian_search_objects", "smithsonian_get_object"
CALLS: dict[str, dict[str, Any]] = {SEARCH: {"query": "vega"}, GET: {"id": "nasm_A19670093000"}}


@dataclass(frozen=True)
class Fault:
    """`sent` counts the requests of one call while the fault lasts; `rests`: the next call waits."""

    kind: str
    reason: str
    sent: int = 1
    rests: bool = False
    more: dict[str, Any] = field(default_factory=dict[str, Any])


FAULTS = (
    Fault("429", "rate_limit_exceeded", rests=True),
    Fault("429", "rate_limit_exceeded", rests=True, more={"retry_after": "3600"}),
    Fault("429", "rate_limit_exceeded", 3, more={"retry_after": "1"}),  # short enough to be waited
    Fault("error-in-200:OVER_RATE_LIMIT", "rate_limit_exceeded", rests=True),
    Fault("error-in-200:API_KEY_MISSING", "api_key_missing"),
    Fault("error-in-200:API_KEY_INVALID", "api_key_invalid"),
    Fault("error-in-200:SOMETHING_ELSE", "upstream_unavailable"),
    Fault("403-cloudflare", "upstream_blocked", rests=True),
    Fault("captcha-200", "upstream_blocked", rests=True),
    Fault("html-200", "upstream_unavailable"),
    Fault("truncate", "upstream_malformed", 3),
    Fault("truncate-length", "upstream_unavailable", 3),
    Fault("reset", "upstream_unavailable", 3),
    Fault("garbage", "upstream_malformed"),
    Fault("400", "invalid_input"),
    Fault("500", "upstream_unavailable"),
    Fault("502", "upstream_unavailable", 3),
    Fault("503", "upstream_unavailable", 3),
    Fault("503", "upstream_unavailable", 3, more={"retry_after": "1"}),
    Fault("504", "upstream_unavailable", 3),
    Fault("520", "upstream_unavailable"),
    Fault("404", "upstream_unavailable", 3),
    Fault("404-router", "upstream_unavailable", 3),
)
PASSING = tuple(fault for fault in FAULTS if fault.sent == 3)


def named(fault: Fault) -> str:
    return " ".join((fault.kind, *fault.more.values()))


both = pytest.mark.parametrize("tool", [SEARCH, GET])
path = {SEARCH: "^/search", GET: "^/content/"}


async def call(desk: Desk, tool: str) -> Answer:
    return await desk.call(tool, **CALLS[tool])


@both
@pytest.mark.parametrize("fault", FAULTS, ids=named)
async def test_a_fault_is_told_for_what_it_is_and_is_over_when_it_is_over(
    fault: Fault, tool: str, standin: Standin
) -> None:
    standin.fault(fault.kind, host="si", path=path[tool], times=-1, **fault.more)
    hurry = Hurry()
    async with hurry.desk() as desk:
        answer = await call(desk, tool)
        assert (answer.reason, standin.requests) == (fault.reason, fault.sent)
        assert standin.base.removeprefix("http://") not in answer.text
        standin.post("reset")
        if fault.rests:
            again = await call(desk, tool)
            assert (again.reason, standin.requests) == (fault.reason, 0)
            assert "Nothing is sent to it until" in again.text
            hurry.passed += again.structure["error"]["data"]["retry_after"] + 0.1
        assert not (await call(desk, tool)).is_error
        assert standin.requests == 1


@both
@pytest.mark.parametrize("fault", PASSING, ids=named)
async def test_a_fault_that_passes_is_not_seen(fault: Fault, tool: str, standin: Standin) -> None:
    standin.fault(fault.kind, host="si", path=path[tool], times=2, **fault.more)
    async with Hurry().desk() as desk:
        assert not (await call(desk, tool)).is_error
    assert standin.requests == fault.sent


@both
async def test_repetitions_wait_longer_each_time(tool: str, standin: Standin) -> None:
    standin.fault("503", host="si", times=-1)
    hurry = Hurry()
    async with hurry.desk() as desk:
        await call(desk, tool)
    first, second = hurry.waits
    assert 0.3 < first < 0.7 < second < 1.3


@both
@pytest.mark.parametrize("kind", ["404", "404-router"])
async def test_a_page_with_404_is_an_outage_and_says_nothing_about_what_there_is(
    kind: str, tool: str, standin: Standin
) -> None:
    standin.fault(kind, host="si", times=-1)
    async with Hurry().desk() as desk:
        answer = await call(desk, tool)
    assert (answer.reason, standin.requests) == ("upstream_unavailable", 3)
    assert "says nothing about what the catalogue holds" in answer.text


async def test_a_search_cannot_be_missing(standin: Standin) -> None:
    """The catalogue's own 404 is an answer about a record, but an outage of a search."""
    body = '{"status": 404, "responseCode": 0, "response": {"error": "x"}}'
    standin.fault("custom", host="si", status=404, body=body, times=-1)
    async with Hurry().desk() as desk:
        assert (await call(desk, SEARCH)).reason == "upstream_unavailable"
        assert (await call(desk, GET)).reason == "not_found"
    assert standin.requests == 4


async def test_an_answer_that_counts_matches_and_sends_none_is_not_read_as_none(
    standin: Standin,
) -> None:
    body = '{"status": 200, "responseCode": 1, "response": {"rows": [], "rowCount": 12}}'
    standin.fault("custom", host="si", body=body)
    async with Hurry().desk() as desk:
        answer = await call(desk, SEARCH)
        assert answer.reason == "upstream_malformed"
        assert "12 matches" in answer.text
        assert not (await call(desk, SEARCH)).is_error, "such an answer is not kept"


@both
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("null", "upstream_malformed"),
        ("[]", "upstream_malformed"),
        ('"content found"', "upstream_malformed"),
        ("{}", "upstream_malformed"),
        ('{"status": 200, "responseCode": 1, "response": []}', "upstream_malformed"),
        ('{"status": 200, "responseCode": 1, "response": {"rows": null}}', "upstream_malformed"),
        ('{"status": 500, "responseCode": 0, "response": {"error": "x"}}', "upstream_unavailable"),
        ('{"status": 400, "responseCode": 0, "response": {"error": "x"}}', "invalid_input"),
    ],
)
async def test_a_body_of_another_shape_is_no_answer(
    body: str, reason: str, tool: str, standin: Standin
) -> None:
    """But for an empty `response` of a record, which was seen in place of a 404."""
    standin.fault("custom", host="si", body=body, times=-1)
    async with Hurry().desk() as desk:
        answer = await call(desk, tool)
    empty_record = tool == GET and '"response": []' in body
    assert answer.reason == ("not_found" if empty_record else reason)
    assert standin.requests == 1


@both
async def test_a_missing_record_or_match_is_asked_for_once(tool: str, standin: Standin) -> None:
    given = {SEARCH: {"query": "xyzzyplugh"}, GET: {"id": "nasm_A00"}}[tool]
    async with Hurry().desk() as desk:
        answer = await desk.call(tool, **given)
    assert answer.reason == {SEARCH: "no_results", GET: "not_found"}[tool]
    assert standin.requests == 1


async def test_a_slow_answer_ends_with_the_deadline_and_hurts_nobody_else(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_CALL_DEADLINE", "0.2")
    standin.fault("slow:1", host="si", path="^/search")
    async with Hurry().desk() as desk:
        answer = await call(desk, SEARCH)
        assert answer.reason == "upstream_timeout"
        assert answer.structure["error"]["data"]["retryable"] is True
        assert not (await call(desk, GET)).is_error


async def test_what_the_firewall_refuses_is_asked_once_and_blocks_nothing(standin: Standin) -> None:
    async with Hurry().desk() as desk:
        answer = await desk.call(SEARCH, query="union select")
        assert answer.reason == "invalid_input"
        assert "firewall" in answer.text
        assert standin.requests == 1
        assert not (await call(desk, SEARCH)).is_error
