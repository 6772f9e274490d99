"""Subject headings as id.loc.gov suggests them, in the three shapes that it has had."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heritage_loc.address import subject_uri
from heritage_loc.models import SubjectRow
from heritage_loc.wire import Raw, first, items, mapping, mappings, number, raw

# Names, genre forms and children's headings rank among subjects where the scheme is not enforced.
_SUBJECT = re.compile(r"(?:https?:)?//id\.loc\.gov/authorities/subjects/(?P<token>sh[0-9]+)/?")
_USE = re.compile(r"(?P<variant>.+) \(USE (?P<label>.+)\)")
_BATCH = 50  # what the older service gives at most, names included


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Headings in upstream's order.

    `total` is the true count of matches, None where only a pool is known; `full` says that the pool
    was full, so that more may match; `dropped` counts what was no subject heading.
    """

    rows: tuple[SubjectRow, ...]
    total: int | None = None
    full: bool = False
    dropped: int = 0


def suggest2(body: object) -> Suggestions | None:
    """Hits of today (label, variant and links apart) and of 2024 ("X (USE Y)"); None for no answer."""
    answer = mapping(body)
    if "hits" not in answer:
        return None
    hits = list(mappings(answer["hits"]))
    rows = _once(_hit(hit) for hit in hits)
    return Suggestions(rows, total=number(answer.get("count")), dropped=len(hits) - len(rows))


def _hit(hit: Raw) -> SubjectRow | None:
    told = first(hit.get("suggestLabel")) or ""
    see = _USE.fullmatch(told)
    label = first(hit.get("aLabel")) or (see["label"] if see else told)
    variant = first(hit.get("vLabel")) or (see["variant"] if see else None)
    return _row(label, hit.get("uri"), variant)


def _row(label: str, uri: object, variant: str | None = None) -> SubjectRow | None:
    match = _SUBJECT.fullmatch(raw(uri).strip())
    if match is None or not label:
        return None
    return SubjectRow(
        label=label,
        uri=subject_uri(match["token"]),
        matched_variant=variant if variant and variant != label else None,
    )


def _once(rows: Iterable[SubjectRow | None]) -> tuple[SubjectRow, ...]:
    found: dict[str, SubjectRow] = {}
    for row in rows:
        if row is not None:
            found.setdefault(row.uri, row)
    return tuple(found.values())


def suggest1(body: object) -> Suggestions | None:
    """`[query, labels, counts, uris]`: at most 50 of all kinds, of which only subjects are kept."""
    parts = items(body)
    if len(parts) < 4:
        return None
    uris = items(parts[3])
    rows = _once(_row(label, uri) for label, uri in _pairs(items(parts[1]), uris))
    return Suggestions(rows, full=len(uris) >= _BATCH, dropped=len(uris) - len(rows))


def _pairs(labels: Iterable[object], uris: Iterable[object]) -> Iterator[tuple[str, object]]:
    return ((first(label) or "", uri) for label, uri in zip(labels, uris, strict=False))
