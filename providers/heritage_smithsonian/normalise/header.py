"""What a row and a record share: which object it is, whose it is, and where people find it."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from heritage_smithsonian.units import holding_museum, museum_name
from heritage_smithsonian.wire import (
    Raw,
    content,
    descriptive,
    freetext,
    indexed,
    is_archival,
    items,
    labelled,
    link,
    mapping,
    raw,
    text,
)

MUSEUM_PREFIX = "edanmdm:"
_PAGE = "https://collections.si.edu/search/detail/"


class Header(NamedTuple):
    record_id: str
    title: str
    unit_code: str
    museum_name: str
    holding_museum_name: str | None
    data_source: str
    is_cc0: bool
    record_link: str | None


def read_header(row: Raw) -> Header:
    inside, fixed = content(row), descriptive(row)
    unit = raw(row.get("unitCode")) or raw(fixed.get("unit_code"))
    unit = unit or raw(inside.get("archival_repository"))
    source = text(fixed.get("data_source")) or _first_entry(freetext(row).get("dataSource"))
    usage = mapping(fixed.get("metadata_usage")) or mapping(inside.get("metadata_usage"))
    return Header(
        record_id=record_id(row),
        title=text(fixed.get("title")) or _other_title(row),
        unit_code=unit,
        museum_name=museum_name(unit),
        holding_museum_name=holding_museum(unit, source),
        data_source=source,
        is_cc0=usage.get("access") == "CC0",
        record_link=_record_link(row, fixed, inside),
    )


def record_id(row: Raw) -> str:
    """The stable name of an object; the row's `id` is not, it changes when a record is ingested anew.

    For museum records this is `record_ID`, which is `url` without "edanmdm:". Archives have another
    form in every field, and only their whole `url` is a name that upstream finds again.
    """
    url = raw(row.get("url")).strip()
    if url:
        return url.removeprefix(MUSEUM_PREFIX)
    return raw(descriptive(row).get("record_ID")).strip() or raw(row.get("id")).strip()


def _other_title(row: Raw) -> str:
    """Titles repeat ("Trade token" 45 times), but none was missing: this is for odd rows."""
    blocks = freetext(row)
    return (
        text(row.get("title"))
        or text(content(row).get("title"))
        or _first_entry(blocks.get("title"))
        or next((text(name) for name in items(indexed(row).get("scientific_name"))), "")
        or _first_entry(blocks.get("objectType"))
        or "Untitled"
    )


def _record_link(row: Raw, fixed: Raw, inside: Raw) -> str | None:
    """767 of 3,323 records have no link and 577 no guid; the search site shows them by their url."""
    url = raw(row.get("url")).strip()
    return (
        link(fixed.get("record_link"))
        or link(inside.get("record_link"))
        or link(fixed.get("guid"))
        or link(inside.get("guid"))
        or (_PAGE + quote(url, safe=":") if url.startswith(MUSEUM_PREFIX) else None)
    )


def _first_entry(block: object) -> str:
    return next((entry.content for entry in labelled(block)), "")


def first_date(row: Raw) -> str | None:
    """The first index term; archives have no index block, but a date in words."""
    if is_archival(row):
        return _first_entry(freetext(row).get("unitdate")) or None
    return _first(indexed(row).get("date"))


def first_type(row: Raw) -> str | None:
    if is_archival(row):
        kinds = labelled(freetext(row).get("objectType"))
        return kinds[0].indexed or kinds[0].content if kinds else None
    return _first(indexed(row).get("object_type"))


def _first(value: object) -> str | None:
    for item in items(value):
        if found := text(item):
            return found
    return None
