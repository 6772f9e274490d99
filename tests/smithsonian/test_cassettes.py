"""Every recorded answer is played through the real border, wholly and without a network."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.virtual_time import VirtualLoop
from shared import CAPTURED
from smithsonian.cassette_cases import CASES, GET, OWN_KEY, SEARCH, Case
from smithsonian.make_cassettes import (
    CASSETTES,
    RECORDING,
    made,
    played,
    player,
    record,
    recording,
    surroundings,
    the_demo,
    virtual_desk,
)

LIVE = os.environ.get("HERITAGE_TEST_CASSETTES")
FOLDER = Path(LIVE) if LIVE else CASSETTES
PLAYED = [case for case in CASES if case.can_be_live or not LIVE]
RUN = 12  # so many words in a row are no accident

own_records = pytest.mark.skipif(bool(LIVE), reason="speaks of the committed cassettes")


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"loop_factory": VirtualLoop}


def path(case: Case) -> str:
    return case.path


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
@pytest.mark.parametrize("case", PLAYED, ids=path)
async def test_a_cassette_is_played_to_its_end_and_tells_what_it_should(case: Case) -> None:
    with surroundings(case), player().use_cassette(str(FOLDER / case.path)) as cassette:
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
@pytest.mark.parametrize("case", CASES, ids=path)
def test_a_cassette_is_what_its_maker_makes(case: Case) -> None:
    assert interactions(CASSETTES / case.path) == made(case)["interactions"]


@own_records
def test_every_cassette_has_a_case_and_every_case_a_name_of_its_own() -> None:
    files = {file.relative_to(CASSETTES).as_posix() for file in CASSETTES.rglob("*.*")}
    assert files == {case.path for case in CASES}
    assert len(files) == len(CASES)


@own_records
def test_the_recording_of_the_demo_is_what_its_maker_makes() -> None:
    assert json.loads(RECORDING.read_text("utf-8")) == json.loads(recording(the_demo()))


def test_no_cassette_holds_a_key_or_a_name_of_who_asked() -> None:
    for file in FOLDER.rglob("*.yaml"):
        text = file.read_text("utf-8").lower()
        assert not [
            word for word in (OWN_KEY, "demo_key'", "x-api-key", "user-agent") if word in text
        ]
        for interaction in interactions(file):
            assert "api_key" not in interaction["request"]["uri"]


@pytest.mark.anyio
@pytest.mark.standin
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_the_same_cases_are_recorded_from_a_living_service_and_played(
    standin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the README has it, but with the stand-in as the service."""
    names = {"full_page", "images_and_3d", "not_found", "after_a_search"}
    chosen = tuple(case for case in CASES if case.name in names)
    assert {case.tool for case in chosen} == {SEARCH, GET}
    monkeypatch.setenv("SMITHSONIAN_API_KEY", OWN_KEY)
    monkeypatch.setattr("smithsonian.make_cassettes.CASES", chosen)
    await record(tmp_path)
    sent = standin.requests
    assert sent == len(chosen)
    for case in chosen:
        assert OWN_KEY not in (tmp_path / case.path).read_text("utf-8")
        address = {"SMITHSONIAN_BASE_URL": os.environ["SMITHSONIAN_BASE_URL"]}
        again = Case(case.name, case.call, case.tells, before=case.before, environment=address)
        with surroundings(again), player().use_cassette(str(tmp_path / case.path)) as cassette:
            async with virtual_desk() as desk:
                assert (await played(again, desk)).reason == case.reason
        assert cassette.all_played
    assert standin.requests == sent


# -- nobody else's prose -------------------------------------------------------------------------------


@pytest.mark.captured
def test_no_recorded_answer_holds_prose_of_others() -> None:
    ours = frozenset(run for text in recorded_texts() for run in runs(words(text)))
    assert len(ours) > 50, "there is prose to look for"
    found = {run for text in captured_texts() for run in shared_runs(words(text), ours)}
    assert not found


def test_a_borrowed_sentence_would_be_found() -> None:
    sentence = "One two three four five, six seven eight nine ten eleven twelve thirteen."
    ours = frozenset(runs(words(f"Before it. {sentence.upper()}")))
    assert list(shared_runs(words(f"{sentence} And on."), ours))
    assert not list(shared_runs(words("One two three four five six."), ours))
    assert words("see https://a.example/b id nasm_A19670093000, 2020-1") == ["see", "id"]


def recorded_texts() -> Iterator[str]:
    for file in (*CASSETTES.rglob("*.yaml"), RECORDING):
        if file is RECORDING:
            yield from texts(json.loads(file.read_text("utf-8")))
            continue
        for interaction in interactions(file):
            body = interaction["response"]["body"]["string"]
            try:
                yield from texts(json.loads(body))
            except ValueError:
                yield from re.findall(r'"((?:\\.|[^"\\])*)"?', body) or [body]
    yield (CASSETTES.parent / "README.md").read_text("utf-8")


def captured_texts() -> Iterator[str]:
    """Of structured files the texts one by one, so that the names of keys count for nothing."""
    for file in sorted(path for path in CAPTURED.rglob("*") if path.is_file()):
        raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        text = raw.decode("utf-8", "replace")
        lines = text.splitlines() if ".jsonl" in file.name or "ndjson" in file.name else [text]
        for line in lines:
            try:
                yield from texts(json.loads(line))
            except ValueError:
                yield line


def texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    parts: Iterable[Any] = ()
    if isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, list):
        parts = value
    return chain.from_iterable(texts(part) for part in parts)


_WORD = re.compile(r"[^\W\d_]+")
_NO_WORD = re.compile(r"[\d_]|://")


def words(text: str) -> list[str]:
    """In lower case and without punctuation; addresses, ids and numbers are no words."""
    found: list[str] = []
    for token in text.lower().split():
        if token.isalpha():
            found.append(token)
        elif not _NO_WORD.search(token):
            found += _WORD.findall(token)
    return found


def runs(told: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(told[start:] for start in range(RUN)), strict=False)


def shared_runs(told: list[str], ours: frozenset[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Looked at only where so many words in a row are all words of ours."""
    known = vocabulary(ours)
    length = 0
    for end, word in enumerate(told, start=1):
        length = length + 1 if word in known else 0
        if length >= RUN and (run := tuple(told[end - RUN : end])) in ours:
            yield run


@cache
def vocabulary(ours: frozenset[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(chain.from_iterable(ours))
