"""From rows to nouns, over all captured records: what holds for each of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from heritage_gateway.text import plain
from heritage_smithsonian.media import images, media
from heritage_smithsonian.models import ObjectRecord, ObjectRow
from heritage_smithsonian.normalise import object_record, object_row
from shared import captured_records, contract

pytestmark = pytest.mark.captured

TAG = re.compile(r"</?(?:a|b|br|div|em|i|li|p|span|strong|sub|sup|u)\b[^<>]*>", re.IGNORECASE)
DOUBLY_ESCAPED = {"saam_1985.66.227"}  # `&lt;i&gt;`: decoded once, as the contract has it


@cache
def records() -> tuple[tuple[dict[str, Any], ObjectRecord], ...]:
    return tuple((raw, object_record(raw)) for raw in captured_records())


@cache
def rows() -> tuple[tuple[dict[str, Any], ObjectRow], ...]:
    return tuple((raw, object_row(raw)) for raw in captured_records())


@cache
def told() -> tuple[str, ...]:
    """Everything that each record publishes, as one text."""
    return tuple("\n".join(texts(record.model_dump())) for _, record in records())


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)
    elif isinstance(value, float):
        yield str(value)


def test_nothing_a_record_says_is_lost() -> None:
    for (raw, record), whole in zip(records(), told(), strict=True):
        for name, block in raw["content"].get("freetext", {}).items():
            if record.record_id.startswith("ead_") and name == "setName":
                continue  # "Contained in" says it step by step
            for entry in block:
                assert plain(entry["content"]) in whole, (record.record_id, name, entry["label"])


def test_nothing_the_index_says_is_lost() -> None:
    kinds = {"type"}  # how a library filed a name; "decimal"
    for (raw, record), whole in zip(records(), told(), strict=True):
        for name, values in raw["content"].get("indexedStructured", {}).items():
            for value in texts(_without(values, kinds)):
                found = plain(value) in whole or plain(value) in whole.replace("-", "")
                assert found, (record.record_id, name, value)


def _without(value: Any, keys: set[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(part, keys) for key, part in value.items() if key not in keys}
    return [_without(part, keys) for part in value] if isinstance(value, list) else value


def test_every_note_stays_in_source_order() -> None:
    for raw, record in records():
        if record.record_id.startswith("ead_"):
            continue
        source = [
            (entry["label"], plain(entry["content"]))
            for entry in raw["content"]["freetext"].get("notes", [])
        ]
        assert [(note.label, note.content) for note in record.notes] == source


def test_every_text_is_plain() -> None:
    for (_, record), whole in zip(records(), told(), strict=True):
        assert all(c == "\n" or unicodedata.category(c) not in {"Cc", "Cs"} for c in whole)
        assert record.record_id in DOUBLY_ESCAPED or not TAG.search(whole)


def test_ids_are_unique_and_lead_back_to_the_record() -> None:
    found = {row.record_id for _, row in rows()}
    assert len(found) == len(rows())
    for raw, row in rows():
        archival = row.record_id.startswith("ead_")
        assert raw["url"] == (row.record_id if archival else f"edanmdm:{row.record_id}")


def test_a_row_and_its_record_agree() -> None:
    for (_, row), (_, record) in zip(rows(), records(), strict=True):
        for name in ("record_id", "title", "unit_code", "museum_name", "is_cc0", "record_link"):
            assert getattr(row, name) == getattr(record, name)
        assert row.thumbnail_url == record.media_summary.thumbnail_url
        assert row.has_media == (record.media_summary.count > 0)
        assert row.holding_museum_name is None


def test_media_are_counted_as_they_are_delivered() -> None:
    for raw, record in records():
        assert record.media_summary.cc0_image_count == len(images(media(raw)))


def test_titles_links_and_names_are_there() -> None:
    for _, record in records():
        assert record.title
        assert record.title != "Untitled" or "ntitled" in record.title
        assert record.museum_name != record.unit_code
        assert record.record_link


def test_nothing_is_both_dimension_and_material() -> None:
    for raw, record in records():
        physical = raw["content"]["freetext"].get("physicalDescription", [])
        if not record.record_id.startswith("ead_"):
            assert len(record.dimensions) + len(record.materials) == len(physical)


def test_inherited_names_are_never_taken_for_its_own() -> None:
    for raw, record in records():
        if record.record_id.startswith("ead_"):
            names = raw["content"]["freetext"].get("name", [])
            theirs = sum("inherited" in name["flag"] for name in names)
            collected = sum(maker.role.startswith("Collection ") for maker in record.makers)
            assert collected <= theirs
            assert bool(collected) == bool(theirs)


def test_every_record_fits_the_contract() -> None:
    check = validator("smithsonian_get_object")
    for _, record in records()[::20]:
        published = record.model_dump(mode="json", by_alias=True, exclude_none=True)
        del published["other"], published["rights"]  # ours, beyond the contract
        check.validate(published)


def test_every_row_fits_the_contract() -> None:
    check = validator("smithsonian_search_objects", "objects", "items")
    for _, row in rows()[::20]:
        published = row.model_dump(mode="json", exclude_none=True)
        published.pop("record_link", None)  # ours, beyond the contract
        check.validate(published)


def test_every_image_fits_the_contract() -> None:
    check = validator("smithsonian_get_media", "images", "items")
    for raw, _ in rows()[::20]:
        for image in images(media(raw)):
            published = image.model_dump(mode="json", exclude_none=True)
            del published["rights"]  # ours, beyond the contract
            check.validate(published)


def validator(tool: str, *path: str) -> Draft202012Validator:
    shape = contract(tool)
    if shape is None:
        pytest.skip("the contract is not beside this checkout")
    part: dict[str, Any] = shape["outputSchema"]
    if path:
        part = part["properties"][path[0]][path[1]]
    return Draft202012Validator(part)
