"""Every fault x every tool, once and for ever: a true outcome, no storm, and the next call works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from desk import Desk
from faults.silence import denies, tells_nothing
from faults.table import CALLS, FAULTS, PAGE, Fault, page

pytestmark = pytest.mark.anyio
Standin = Any

MOST_REQUESTS = 16  # related objects ask five questions, each tried three times
# One tool of each provider at every run; all of them take a minute and run by themselves.
EVERY_TIME = {"smithsonian_search_objects", "libofcongress_search"}
# What they cannot tell is a verdict, and no failure of the call.
ANSWERS_ALL_THE_SAME = {"heritage_verify"}
CASES = [
    pytest.param(
        tool,
        fault,
        id=f"{tool}-{fault.kind}",
        marks=[] if tool in EVERY_TIME else [pytest.mark.heavy],
    )
    for tool in CALLS
    for fault in FAULTS
]


@pytest.fixture
def desk(quick: None) -> Callable[[], Desk]:
    return Desk


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting between tries takes no time here; the tries themselves are counted."""
    monkeypatch.setattr("heritage_gateway.http.retry.delay", lambda *_, **__: 0.0)


def test_every_tool_has_a_call() -> None:
    assert set(Desk().tools) == set(CALLS)


def test_the_page_about_faults_is_made_from_the_table() -> None:
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.standin
@pytest.mark.parametrize(("tool", "fault"), CASES)
async def test_a_fault_that_lasts_is_told_truly(
    tool: str, fault: Fault, standin: Standin, desk: Callable[[], Desk]
) -> None:
    for host in ("si", "loc", "tile", "id"):
        standin.fault(fault.kind, host=host, times=-1)
    async with desk() as place:
        answer = await place.call(tool, **CALLS[tool])
    assert standin.requests <= MOST_REQUESTS
    if not fault.reasons:
        assert not answer.is_error
        return
    if tool in ANSWERS_ALL_THE_SAME:
        assert tells_nothing(answer.structure) or fault.denies, answer.text
        assert "exists" not in {item["verdict"] for item in answer.structure["items"]}
        return
    assert answer.is_error, answer.text
    assert answer.reason in fault.reasons, answer.text
    error = answer.structure["error"]
    assert error["data"]["recovery"]["hint"] in answer.text
    assert (
        error["data"]["retryable"] == (error["code"] in {-32000, -32003, -32004})
        or answer.reason == "upstream_blocked"
    )
    if fault.rests and answer.reason in {"rate_limit_exceeded", "upstream_blocked"}:
        assert error["data"]["retry_after"] > 0


@pytest.mark.standin
@pytest.mark.parametrize(("tool", "fault"), CASES)
async def test_one_fault_alone_heals_or_is_told_and_the_next_call_works(
    tool: str, fault: Fault, standin: Standin, desk: Callable[[], Desk]
) -> None:
    for host in ("si", "loc", "tile", "id"):
        standin.fault(fault.kind, host=host, times=1)
    async with desk() as place:
        answer = await place.call(tool, **CALLS[tool])
        if fault.heals or not fault.reasons:
            assert not answer.is_error, answer.text
        elif answer.is_error:
            assert answer.reason in fault.reasons, answer.text
        assert not denies(answer.structure) or fault.denies, answer.text
        following = await place.call(tool, **CALLS[tool])
        if not fault.rests:
            assert not following.is_error, following.text
        elif following.is_error:
            assert following.reason in fault.reasons
