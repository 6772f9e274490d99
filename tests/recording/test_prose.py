"""What is recorded was written for this project: no stretch of prose also stands in captured data."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

from recording.houses import HOUSES
from recording.maker import CASSETTES, the_demo
from recording.test_cassettes import interactions
from shared import CAPTURED

RUN = 12  # so many words in a row are no accident


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
    for house in HOUSES:
        yield from texts(json.loads(the_demo(house).recording.read_text("utf-8")))
    for file in CASSETTES.rglob("*.yaml"):
        for interaction in interactions(file):
            body = interaction["response"]["body"]["string"]
            if isinstance(body, bytes):  # a picture
                continue
            try:
                yield from texts(json.loads(body))
            except ValueError:
                yield from re.findall(r'"((?:\\.|[^"\\])*)"?', body) or [body]
    yield (CASSETTES / "README.md").read_text("utf-8")


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
