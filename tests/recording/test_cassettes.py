"""Every recorded answer is played through the real border, wholly and without a network."""

from __future__ import annotations

import json
import os
import socket
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.virtual_time import VirtualLoop
from desk import Desk
from heritage_gateway.errors import Reason
from recording.case import Case, House
from recording.houses import HOUSES, everything
from recording.maker import (
    CASSETTES,
    file_of,
    made,
    played,
    player,
    record,
    recording,
    surroundings,
    the_demo,
    virtual_desk,
)
from smithsonian.cassette_cases import OWN_KEY

LIVE = os.environ.get("HERITAGE_TEST_CASSETTES")
FOLDER = Path(LIVE) if LIVE else CASSETTES
ALL = list(everything())
PLAYED = [(house, case) for house, case in ALL if case.can_be_live or not LIVE]

own_records = pytest.mark.skipif(bool(LIVE), reason="speaks of the committed cassettes")


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"loop_factory": VirtualLoop}


def path(told: object) -> str:
    return told.name if isinstance(told, House) else getattr(told, "path", "")


def interactions(file: Path) -> list[dict[str, Any]]:
    told: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    assert told["version"] == 1
    found: list[dict[str, Any]] = told["interactions"]
    return found


@pytest.fixture
def _no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a played cassette opens no connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.anyio
@pytest.mark.usefixtures("_no_socket")
@pytest.mark.parametrize(("house", "case"), PLAYED, ids=path)
async def test_a_cassette_is_played_to_its_end_and_tells_what_it_should(
    house: House, case: Case
) -> None:
    file = file_of(house, case, FOLDER)
    with surroundings(case.environment), player().use_cassette(str(file)) as cassette:
        async with virtual_desk() as desk:
            answer = await played(case, desk)
    assert cassette.all_played
    assert answer.reason != "internal"
    if LIVE:
        return
    assert answer.reason == case.reason
    assert cassette.play_count == len(cassette)
    assert case.requests in (None, cassette.play_count)
    assert [words for words in case.tells if words not in answer.text] == []


@own_records
@pytest.mark.parametrize(("house", "case"), ALL, ids=path)
def test_a_cassette_is_what_its_maker_makes(house: House, case: Case) -> None:
    assert interactions(file_of(house, case)) == made(house, case)["interactions"]


@own_records
def test_every_cassette_has_a_case_and_every_case_a_name_of_its_own() -> None:
    files = {file for file in CASSETTES.rglob("*.*") if file.parent != CASSETTES}
    assert files == {file_of(house, case) for house, case in ALL}
    assert len(files) == len(ALL)


# Refused before any request, or told for want of an answer, so that there is nothing to record.
UNSENT = {
    *("invalid_id", "invalid_date_range", "incompatible_filters", "invalid_page_url"),
    *("mirror_required", "upstream_timeout"),  # when it is late, nothing has come
}
# It answers in an outage, too: by what it cannot tell.
ANSWERS_ALL_THE_SAME = {"heritage_verify"}


def test_every_reason_that_takes_a_request_has_a_case_with_every_tool_that_declares_it() -> None:
    told = {(case.tool, case.reason) for _, case in ALL}
    for tool in Desk().tools.values():
        declared = {reason.value for reason in tool.reasons} - UNSENT
        assert declared - {reason for name, reason in told if name == tool.name} == set(), tool.name


def test_every_tool_has_an_answer_and_every_common_fault() -> None:
    cases = Counter(case.tool for _, case in ALL)
    common = {Reason.RATE_LIMIT_EXCEEDED.value, Reason.UPSTREAM_UNAVAILABLE.value, None}
    for name in Desk().tools:
        assert cases[name] >= 8, name
        expected = {None} if name in ANSWERS_ALL_THE_SAME else common
        assert expected <= {case.reason for _, case in ALL if case.tool == name}, name


@own_records
@pytest.mark.parametrize("house", HOUSES, ids=path)
def test_the_recording_of_a_demo_is_what_its_maker_makes(house: House) -> None:
    demo = the_demo(house)
    assert json.loads(demo.recording.read_text("utf-8")) == json.loads(recording(house, demo))


def test_no_cassette_holds_a_key_or_a_name_of_who_asked() -> None:
    secrets = (OWN_KEY, "demo_key'", "x-api-key", "user-agent")
    for file in FOLDER.rglob("*.yaml"):
        text = file.read_text("utf-8").lower()
        assert not [word for word in secrets if word in text]
        for line in text.splitlines():
            assert not line.startswith("    uri:") or "api_key" not in line


@pytest.mark.anyio
@pytest.mark.standin
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_the_same_cases_are_recorded_from_a_living_service_and_played(
    standin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the page beside the cassettes has it, but with the stand-in as the service."""
    names = {"full_page", "images_and_3d", "not_found", "after_a_search", "photograph"}
    names |= {"by_link_and_id", "object", "chicago"}
    chosen = [
        replace(house, cases=[case for case in house.cases if case.name in names])
        for house in HOUSES
    ]
    cases = [(house, case) for house in chosen for case in house.cases]
    assert {house.name for house, _ in cases} == {house.name for house in HOUSES}
    monkeypatch.setenv("SMITHSONIAN_API_KEY", OWN_KEY)
    monkeypatch.setattr("recording.maker.HOUSES", chosen)
    await record(tmp_path)
    sent = standin.requests
    assert sent >= len(cases)
    addresses = {
        name: value for name, value in os.environ.items() if name.endswith(("_URL", "RATE_LIMITS"))
    }
    for house, case in cases:
        file = file_of(house, case, tmp_path)
        assert OWN_KEY not in file.read_text("utf-8")
        with surroundings(addresses), player().use_cassette(str(file)) as cassette:
            async with virtual_desk() as desk:
                answer = await played(case, desk)
                assert answer.reason == case.reason, (case.path, answer.text)
        assert cassette.all_played
    assert standin.requests == sent
