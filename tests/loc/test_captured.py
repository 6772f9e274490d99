"""From answers to nouns, over everything captured: what holds for each row, record and heading."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from heritage_gateway.errors import InvalidRequest
from heritage_loc.address import item_id, page_address, row_address, same_as
from heritage_loc.dates import moment, moments
from heritage_loc.headings import fragments
from heritage_loc.models import ItemRecord, SearchRow
from heritage_loc.normalise import (
    collection_rows,
    heading,
    is_page,
    item_record,
    merged,
    newspaper_hit,
    page_resource,
    page_text,
    paging,
    search_row,
    suggest1,
    suggest2,
)
from shared import CAPTURED, contract

pytestmark = pytest.mark.captured

TAG = re.compile(r"</?(?:a|b|br|cite|div|em|i|li|p|span|strong|sub|sup|u)\b[^<>]*>", re.IGNORECASE)
LOC = CAPTURED / "loc"


@cache
def answers(pattern: str) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (path.name, json.loads(path.read_text("utf-8"))) for path in sorted(LOC.glob(pattern))
    )


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """Rows of searches, and those that an item's answer carries along."""
    found = [row for _, body in answers("search/*.json") for row in body["results"]]
    for _, body in answers("item/*.json"):
        found += body.get("related_items", []) + body.get("more_like_this", [])
    return tuple(found)


@cache
def published() -> tuple[tuple[dict[str, Any], SearchRow], ...]:
    told = ((row, search_row(row)) for row in rows())
    return tuple((row, found) for row, found in told if found is not None)


@cache
def records() -> tuple[tuple[dict[str, Any], ItemRecord], ...]:
    """Records of item answers, and of rows read as if they were the item's block."""
    bodies = [body for _, body in answers("item/*.json")]
    bodies += [{"item": row, "resources": row.get("resources", [])} for row in rows()]
    told = ((body, item_record(body, "asked")) for body in bodies)
    return tuple((body, found) for body, found in told if found is not None)


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)


def said(body: object) -> set[int]:
    """Every precision with which a record names a date in words."""
    return {found.precision for text in texts(body) for found in moments(text)}


# -- rows --------------------------------------------------------------------------------------------


def test_every_row_becomes_one() -> None:
    assert len(rows()) >= 362
    assert len(published()) == len(rows())


def test_every_text_is_plain_and_every_address_absolute() -> None:
    for noun in (*(found for _, found in published()), *(found for _, found in records())):
        for text in texts(noun.model_dump()):
            assert all(c == "\n" or unicodedata.category(c) not in {"Cc", "Cs"} for c in text)
            assert not TAG.search(text)
            assert text == text.strip()
    for _, row in published():
        assert row.url.startswith("https://")


def test_items_can_be_asked_for_and_nothing_else_can() -> None:
    for row, found in published():
        under_item = "/item/" in row["id"]
        assert found.is_item == under_item
        if found.is_item:
            assert found.id == row["id"].split("/item/")[1].strip("/")
            assert item_id(found.id) == found.id
            assert item_id(found.url) == found.id
        elif found.id.startswith("http"):
            with pytest.raises(InvalidRequest):
                item_id(found.id)


def test_the_names_of_an_item_lead_back_to_it() -> None:
    for row, found in published():
        if found.is_item:
            names = {same_as(name) for name in row["aka"]}
            assert same_as(found.url) in names


def test_different_captured_things_are_never_merged() -> None:
    for name, body in answers("search/*.json"):
        kept = merged(body["results"])
        assert len(kept) == len({same_as(row["url"]) for row in body["results"]}), name
        twice = merged((*body["results"], *body["results"]))
        assert [row["id"] for row in twice] == [row["id"] for row in kept]


def test_no_date_is_more_exact_than_the_record() -> None:
    for row, found in published():
        if found.date is None or moment(found.date) is None:
            continue
        told = moment(found.date)
        assert told is not None
        block = row.get("item") or {}
        words = [block.get("date"), block.get("created_published"), block.get("date_issued")]
        measure = said(words)
        filed = moment(row["date"])
        if measure and not is_page(row):
            assert told.precision <= max(measure), (row["id"], found.date, words)
        if filed and filed[1:] == (1, 1) and "issue" not in (row.get("type") or []):
            assert told.precision == 1 or 3 in measure, (row["id"], found.date, words)
        assert filed is None or told.year == filed.year


def test_dates_are_lost_only_where_they_say_nothing() -> None:
    for row, found in published():
        if row.get("date") and found.date is None:
            assert "collection" in [*row.get("original_format", []), *(row.get("type") or [])]


def test_issues_are_dated_by_their_day() -> None:
    issues = [(row, found) for row, found in published() if "issue" in (row.get("type") or [])]
    assert len(issues) == 40
    for row, found in issues:
        assert found.date == row["item"]["date_issued"] == found.id.split("/")[1]


def test_every_row_fits_the_contract() -> None:
    check = validator("libofcongress_search", "items", "items")
    own = {"contributors", "collection_slug", "resource_url"}
    for _, found in published():
        check.validate(found.model_dump(mode="json", exclude_none=True, exclude=own))


# -- items -------------------------------------------------------------------------------------------


def test_every_record_fits_the_contract_and_nothing_fails() -> None:
    check = validator("libofcongress_get_item")
    known = properties("libofcongress_get_item")
    assert len(records()) == len(rows()) + len(answers("item/*.json"))
    for _, record in records():
        whole = record.model_dump(mode="json", exclude_none=True)
        check.validate({name: value for name, value in whole.items() if name in known})


def test_every_note_and_heading_of_a_record_is_there() -> None:
    for body, record in records():
        block = body["item"]
        told = "\n".join(texts(record.model_dump()))
        for part in (block, block.get("item") or {}):
            for name in ("notes", "call_number", "medium", "other_title", "subject_headings"):
                for text in texts(part.get(name)):
                    flat = " ".join(text.split())
                    assert flat.rstrip(".") in told or flat == "None", (record.item_id, name, flat)


def test_every_link_of_a_record_is_an_address_and_stands_once() -> None:
    for _, record in records():
        assert len(set(record.resource_links)) == len(record.resource_links)
        for link in record.resource_links:
            assert re.fullmatch(r"https?://[a-z0-9.-]+/\S*", link), link
            assert "#h=" not in link


def test_access_is_told_as_it_stands() -> None:
    for body, record in records():
        assert record.access_restricted is body["item"].get("access_restricted")


def test_the_four_captured_items() -> None:
    found = {record.item_id: record for _, record in records()[: len(answers("item/*.json"))]}
    assert set(found) == {"73691632", "mss119730001", "2007680728", "sn85059812"}
    assert found["mss119730001"].date == "1849"
    assert found["mss119730001"].contributors == ("Barton, Clara, 1821-1912.",)
    assert found["73691632"].locations[0] == "new jersey"
    assert found["2007680728"].date == "1888"
    assert found["2007680728"].contributors == ("Allen & Ginter (sponsor)",)
    assert found["sn85059812"].date == "1901"
    assert len(found["sn85059812"].citations) == 3


# -- the rest of www.loc.gov -------------------------------------------------------------------------


def test_headings_fall_into_the_parts_that_the_index_has() -> None:
    """Whole parts, their undated rests, or places; the few others are only years or miswritten."""
    found = missed = 0
    for row in rows():
        subjects, places = set(row.get("subject", [])), set(row.get("location", []))
        for name in (row.get("item") or {}).get("subjects", []):
            for part in fragments(name):
                if {part.value, part.undated} & (subjects | places) or part.is_only_years:
                    found += 1
                else:
                    missed += 1
    assert found > 1500
    assert missed <= 18  # a phrase that is no place, years before our era, eight of one photograph


def test_the_captured_page_is_a_page_and_its_text_can_be_had() -> None:
    pages = [row for row in rows() if is_page(row)]
    (hit,) = (found for row in pages if (found := newspaper_hit(row)))
    assert hit.row.excerpt_kind == "match"
    assert (hit.row.page_number, hit.row.states) == (6, ("california",))
    assert hit.text is not None
    validator("libofcongress_search_newspapers", "items", "items").validate(
        hit.row.model_dump(
            mode="json",
            exclude_none=True,
            exclude={"excerpt_kind", "lccn", "page_number"},
        )
    )


def test_totals_count_items() -> None:
    totals = {
        name: paging(body, shown=len(body["results"]), page=1, limit=25).total
        for name, body in answers("search/*.json")
        if "pagination" in body
    }
    assert sorted(totals.values()) == [2, 104, 296]


def test_collections_have_slugs_and_sizes() -> None:
    ((_, body),) = answers("search/collections-list*.json")
    found = collection_rows(body["results"])
    assert len(found) == 36  # four of the forty lie at the old site
    check = validator("libofcongress_browse_collections", "collections", "items")
    for row in found:
        check.validate(row.model_dump(mode="json", exclude_none=True, exclude={"formats"}))
        assert row.item_count
    assert sum(not row.formats for row in found) == 1  # a web archive


def test_shapes_that_were_only_described() -> None:
    bodies = dict(answers("not-verbatim/*.json"))
    page = page_resource(
        bodies["resource-newspaper-page.shape.json"],
        page_address("https://www.loc.gov/resource/sn84038012/1906-04-18/ed-1/?sp=1"),
    )
    assert page is not None
    assert page.text is not None
    assert page.text.segment is not None
    assert page_text(bodies["text-service-full-text.shape.json"], page.text.segment)
    found = suggest1(bodies["suggest-v1.shape.json"])
    assert found is not None
    assert [row.label for row in found.rows] == ["Cats", "Cats--Anatomy"]
    assert item_record(bodies["item-not-found-404.shape.json"], "x") is None


def test_an_answer_that_is_neither_search_nor_item_breaks_nothing() -> None:
    for _, body in answers("other/*.json"):
        assert item_record(body, "x") is None
        assert page_resource(body, page_address("https://www.loc.gov/resource/x/")) is None
        assert row_address(body).is_item is False


# -- id.loc.gov --------------------------------------------------------------------------------------


def test_every_suggested_subject_is_kept_and_nothing_else() -> None:
    kept = 0
    for name, body in answers("id/suggest2*.json"):
        hits = body if isinstance(body, list) else body["hits"]
        found = suggest2({"hits": hits})
        assert found is not None
        wanted = {hit["uri"] for hit in hits if "/authorities/subjects/" in hit["uri"]}
        assert {row.uri for row in found.rows} == wanted, name
        kept += len(found.rows)
        for row in found.rows:
            same = [hit for hit in hits if hit["uri"] == row.uri]
            assert row.label in {hit["aLabel"] for hit in same}
            assert (row.matched_variant or "") in {hit["vLabel"] for hit in same} | {""}
            assert "(USE " not in row.label
    assert kept > 450


def test_every_captured_record_of_a_heading_is_read() -> None:
    bodies = [body for _, body in (*answers("id/*.jsonld"), *answers("id/*framed.json"))]
    for path in LOC.glob("id/*.ndjson"):
        bodies += [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    assert len(bodies) > 10
    for body in bodies:
        tokens = set(
            re.findall(r'"@id": "http://id.loc.gov/authorities/subjects/(sh\d+)"', json.dumps(body))
        )
        read = [found for token in sorted(tokens) if (found := heading(body, token))]
        assert read
        for found in read:
            assert found.label not in found.variants
            for link in (*found.broader, *found.narrower, *found.related):
                assert link.uri or link.label


def properties(tool: str) -> set[str]:
    shape = contract(tool)
    return set() if shape is None else set(shape["outputSchema"]["properties"])


def validator(tool: str, *path: str) -> Draft202012Validator:
    shape = contract(tool)
    if shape is None:
        pytest.skip("the contract is not beside this checkout")
    part: dict[str, Any] = shape["outputSchema"]
    if path:
        part = part["properties"][path[0]][path[1]]
    return Draft202012Validator(part)
