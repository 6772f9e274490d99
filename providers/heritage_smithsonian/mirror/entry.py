"""A bulk record as the index keeps it: by what it is found, and its line untouched.

What free text finds is what the live catalogue's does, as far as is known: the title, the unit, the
record ID, the source and every text of the record, labels apart. Exact terms are upstream's own,
untouched by any cleaning, so that a filter means the same in both sources.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
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
    orders=("timestamp",),
)
LAYOUT_NAME = f"{LAYOUT.name} {LAYOUT.version}"
SEARCHED = "edanmdm"  # the type that searches cover; archives are had by their id alone
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


def by_kind(lines: Iterable[bytes]) -> dict[str, list[bytes]]:
    """Those that are records, by what `entry` calls their kind."""
    found: dict[str, list[bytes]] = {}
    for line in lines:
        with suppress(UpstreamMalformed):
            found.setdefault(wire.raw(decoded(line).get("unitCode")), []).append(line)
    return found


def entry(line: bytes, batch: str) -> Entry:
    """Raises `UpstreamMalformed`."""
    row: Any = decoded(line)
    url, unit = wire.raw(row.get("url")), wire.raw(row.get("unitCode"))
    told = [wire.raw(row.get(key)) for key in ("docSignature", "hash", "id")]
    searched = row.get("type") == SEARCHED
    texts, terms = _found_by(url, unit, wire.content(row)) if searched else ([], [])
    return Entry(
        id=url,
        record=line,
        title=wire.raw(row.get("title")),
        texts=texts,
        terms=terms,
        orders={"timestamp": _time(row.get("timestamp"))},
        aliases=(told[2],),
        kind=unit,
        batch=batch,
        signature=signature_of(*told, batch),
        updated=_time(row.get("lastTimeUpdated")),
        listed=searched,
    )


def _found_by(url: str, unit: str, content: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """The texts and the terms, in one walk: every millionth of a second counts 14 million times."""
    fixed: Any = wire.mapping(content.get("descriptiveNonRepeating"))
    source = wire.raw(fixed.get("data_source"))
    texts = [unit, url.partition(":")[2], source, *_strings(content.get("freetext"))]
    terms = [("unit_code", unit), ("unit_code", wire.raw(fixed.get("unit_code")))]
    terms.append(("data_source", source))
    indexed: Any = wire.mapping(content.get("indexedStructured"))
    for field, values in indexed.items():
        for value in values if values.__class__ is list else (values,):
            term = value.get("content") if value.__class__ is dict else value
            if term.__class__ is not str:
                texts += _strings(value)
                continue
            terms.append((field, term))
            if "://" not in term[:_ADDRESS_WITHIN]:
                texts.append(term)
    online: Any = fixed.get("online_media")
    listed = online.get("media") if wire.is_raw(online) else online
    media = (wire.mapping(medium.get("usage")) for medium in wire.mappings(listed))
    terms += [("media_usage", wire.raw(usage.get("access"))) for usage in media]
    return texts, [pair for pair in terms if pair[1]]


def _time(value: Any) -> int:
    """Whole seconds; in the API they are text."""
    return max(value if type(value) is int else wire.number(value) or 0, 0)


def _strings(value: Any) -> list[str]:
    """Every text below a value, but for labels, flags and bare addresses; 20 in an ordinary record."""
    found: list[str] = []
    waiting = [value]
    for part in waiting:  # grows while it is walked
        kind: object = part.__class__
        if kind is str:
            if "://" not in part[:_ADDRESS_WITHIN]:
                found.append(part)
        elif kind is list:
            for inner in part:  # of labelled texts, as nearly all are
                text: Any = inner.get("content") if inner.__class__ is dict else None
                if text.__class__ is not str:
                    waiting.append(inner)
                elif "://" not in text[:_ADDRESS_WITHIN]:
                    found.append(text)
        elif kind is dict:
            if "content" in part:
                waiting.append(part["content"])
            else:
                waiting += [inner for key, inner in part.items() if key not in _UNSAID]
    return found
