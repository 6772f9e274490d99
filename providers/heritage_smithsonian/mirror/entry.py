"""A bulk record as the index keeps it: by what it is found, and its line untouched.

What free text finds is what the live catalogue's does, as far as is known: the title, the unit, the
record ID, the source and every text of the record, labels apart. Exact terms are upstream's own,
untouched by any cleaning, so that a filter means the same in both sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from heritage_gateway.errors import UpstreamMalformed
from heritage_gateway.http import Reply
from heritage_gateway.index import Entry, Layout, signature_of
from heritage_smithsonian import wire
from heritage_smithsonian.wire import Raw

LAYOUT = Layout(
    name="smithsonian-open-access",
    version=1,
    facets=(
        *("unit_code", "object_type", "culture", "place", "date", "topic", "name"),
        *("online_media_type", "media_usage"),
    ),
    terms=("scientific_name",),
    broad=frozenset({"scientific_name"}),  # a bare genus finds its species: upstream's own doing
    orders=("timestamp", "lastTimeUpdated", "shuffled"),
)
SEARCHED = "edanmdm"  # the type that searches cover; archives are had by their id alone
ROW_ID = "id"  # a second name, which changes between ingests
_UNSAID = frozenset({"label", "flag", "type"})  # keys of a text that are no text
_ADDRESS_WITHIN = 12


def decoded(line: bytes) -> Raw:
    """A record of one line. Raises `UpstreamMalformed` where it is none."""
    try:
        found: object = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = Reply(
            200, {}, line, "the bulk data"
        ).json()  # halves of letters occur, and are mended
    if not wire.is_raw(found) or not wire.raw(found.get("url")):
        raise UpstreamMalformed(
            "A line of the bulk data is no record.", "Run the sync again later."
        )
    return found


def entry(line: bytes, batch: str) -> Entry:
    """Raises `UpstreamMalformed`."""
    row = decoded(line)
    url, unit = wire.raw(row.get("url")), wire.raw(row.get("unitCode"))
    updated = _time(row, "lastTimeUpdated")
    signature = signature_of(
        *(wire.raw(row.get(key)) for key in ("docSignature", "hash", "id")), batch
    )
    searched = wire.raw(row.get("type")) == SEARCHED
    return Entry(
        id=url,
        record=line,
        title=wire.raw(row.get("title")),
        texts=tuple(_texts(row, url, unit)) if searched else (),
        terms=(*(_terms(row, unit) if searched else ()), (ROW_ID, wire.raw(row.get("id")))),
        orders={
            "timestamp": _time(row, "timestamp"),
            "lastTimeUpdated": updated,
            "shuffled": signature_of(url),
        },
        kind=unit,
        batch=batch,
        signature=signature,
        updated=updated,
        listed=searched,
    )


def _time(row: Raw, key: str) -> int:
    return max(wire.number(row.get(key)) or 0, 0)


def _texts(row: Raw, url: str, unit: str) -> Iterator[str]:
    yield unit
    yield url.partition(":")[2]
    yield wire.raw(wire.descriptive(row).get("data_source"))
    yield from _strings(wire.content(row).get("freetext"))
    yield from _strings(wire.content(row).get("indexedStructured"))


def _strings(value: object) -> list[str]:
    """Every text below a value, but for labels, flags and bare addresses; 80 in an ordinary record."""
    found: list[str] = []
    waiting: list[Any] = [value]
    for part in waiting:  # grows while it is walked
        if _is(str, part):
            if "://" not in part[:_ADDRESS_WITHIN]:
                found.append(part)
        elif _is(list, part):
            waiting += part
        elif _is(dict, part):
            if "content" in part:  # a labelled text, as nearly all are
                waiting.append(part["content"])
            else:
                waiting += [inner for key, inner in part.items() if key not in _UNSAID]
    return found


def _is(kind: type, value: Any) -> bool:
    return type(value) is kind


def _terms(row: Raw, unit: str) -> Iterator[tuple[str, str]]:
    fixed = wire.descriptive(row)
    for code in (unit, wire.raw(fixed.get("unit_code"))):
        if code:
            yield "unit_code", code
    if source := wire.raw(fixed.get("data_source")):
        yield "data_source", source
    indexed: Any = wire.indexed(row)
    for field, values in indexed.items():
        for value in values if _is(list, values) else (values,):
            term = value.get("content") if _is(dict, value) else value
            if _is(str, term) and term:
                yield field, term
    online = fixed.get("online_media")
    listed = online.get("media") if wire.is_raw(online) else online
    for medium in wire.mappings(listed):
        if access := wire.raw(wire.mapping(medium.get("usage")).get("access")):
            yield "media_usage", access
