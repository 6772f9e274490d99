"""What an object is related by, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from heritage_smithsonian.query import Filters
from heritage_smithsonian.signals import signals
from shared import captured_records


def record(names: object = None, **indexed: object) -> dict[str, Any]:
    return {"content": {"indexedStructured": indexed, "freetext": {"name": names or []}}}


def party(label: str, content: str) -> dict[str, str]:
    return {"label": label, "content": content}


def labels(raw: dict[str, Any]) -> list[str]:
    return [signal.label for signal in signals(raw)]


def test_the_order_is_culture_party_topic_and_period_with_type() -> None:
    raw = record(
        [party("Artist", "Jane Doe")],
        topic=["Maps", "Ships"],
        date=["1920s", "1910s"],
        object_type=["Prints"],
        culture=["Japanese", "Chinese"],
        name=["Doe, Jane", "Roe, Richard"],
    )
    assert labels(raw) == [
        "culture: Japanese",
        "name: Doe, Jane",
        "topic: Maps",
        "period: 1920s, type: Prints",
    ]
    assert [signal.filters for signal in signals(raw)] == [
        Filters(culture="Japanese"),
        Filters(name="Doe, Jane"),
        Filters(topic="Maps"),
        Filters(date="1920s", object_type="Prints"),
    ]


def test_a_name_with_a_type_is_read_by_its_content() -> None:
    raw = record(name=[{"type": "personal_main", "content": "Doe, Jane"}])
    assert labels(raw) == ["name: Doe, Jane"]


def test_without_an_indexed_name_the_first_party_is_asked_in_words_under_its_role() -> None:
    raw = record([party("Sitter", "Jane Doe, 1800 - 1850"), party("Artist", "Someone")])
    (signal,) = signals(raw)
    assert signal.label == "sitter: Jane Doe, 1800 - 1850"
    assert signal.query == "Jane Doe, 1800 - 1850"
    assert signal.filters == Filters()


def test_a_party_that_only_repeats_the_culture_is_passed_over() -> None:
    names = [party("Culture/People", "Lakota"), party("Donor", "Jane Doe")]
    assert labels(record(names, culture=["Lakota"])) == ["culture: Lakota", "donor: Jane Doe"]


@pytest.mark.parametrize("indexed", [{"date": ["1920s"]}, {"object_type": ["Prints"]}, {}])
def test_a_date_or_a_type_alone_relates_nothing(indexed: dict[str, Any]) -> None:
    assert signals(record(**indexed)) == ()


def test_names_of_mere_punctuation_are_no_signal() -> None:
    assert signals(record([party("Artist", "?")])) == ()


@pytest.mark.captured
def test_every_captured_record_can_be_an_anchor() -> None:
    for raw in captured_records():
        found = signals(raw)
        assert len(found) <= 4
        assert all(signal.lucene.q and signal.lucene.q != "*" for signal in found)
        assert len({signal.label for signal in found}) == len(found)


def test_what_is_too_long_for_a_term_relates_nothing() -> None:
    raw = record(
        [party("Artist", "A" * 501), party("Donor", "Jane Doe")], culture=["x" * 501, "Inuit"]
    )
    assert labels(raw) == ["culture: Inuit", "donor: Jane Doe"]
