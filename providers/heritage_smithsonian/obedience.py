"""Rows held against what was asked: an ignored filter or order must not pass for an applied one.

Upstream drops what it does not know without a word, so an answer is believed only as far as its
rows bear it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from heritage_gateway.index import Term
from heritage_gateway.text import clip, inline
from heritage_smithsonian import wire
from heritage_smithsonian.query import HAS_CC0_MEDIA, HAS_MEDIA_TYPE

_TIMES = {"newest": "timestamp", "updated": "lastTimeUpdated"}  # epoch seconds, as text in the API


def doubts(
    rows: Sequence[wire.Raw], filters: Sequence[Term], sort: str | None = None
) -> tuple[str, ...]:
    """A sentence for each filter that some row does not bear out, and for an order that is not kept."""
    said: list[str] = []
    for term in filters:
        strays = sum(not carries(row, term) for row in rows)
        if strays:
            carry, them = ("does not carry", "it") if strays == 1 else ("do not carry", "them")
            said.append(
                f"{strays} of {len(rows)} rows {carry} {term.field}={quoted(term)} in "
                f"the record's own index: do not count {them} as filtered."
            )
    time = _TIMES.get(sort or "")
    if time and not _descends([wire.number(row.get(time)) for row in rows]):
        said.append(f"The catalogue did not put the rows into the order sort={sort}.")
    return tuple(said)


def quoted(term: Term) -> str:
    return term.value if term.literal else f'"{inline(clip(term.value, 80))}"'


def carries(row: wire.Raw, term: Term) -> bool:
    """Does the record's own index hold the term?"""
    held = index_terms(row, term.field)
    if (term.field, term.value) == HAS_MEDIA_TYPE:
        return bool(held)
    if term.field == "scientific_name":  # a bare genus stands for its species too
        return any(name == term.value or name.startswith(f"{term.value} ") for name in held)
    return term.value in held


def index_terms(row: wire.Raw, field: str) -> tuple[str, ...]:
    """The terms of a field as upstream indexes them, untouched by any cleaning."""
    if field == "unit_code":
        return tuple(
            filter(None, (wire.raw(row.get("unitCode")), _raw(wire.descriptive(row), "unit_code")))
        )
    if field == HAS_CC0_MEDIA[0]:
        online = wire.mapping(wire.descriptive(row).get("online_media"))
        return tuple(
            wire.raw(wire.mapping(medium.get("usage")).get("access"))
            for medium in wire.mappings(online.get("media"))
        )
    values = wire.items(wire.indexed(row).get(field))
    return tuple(
        found
        for value in values
        if (found := wire.raw(value.get("content") if wire.is_raw(value) else value))
    )


def _raw(block: wire.Raw, key: str) -> str:
    return wire.raw(block.get(key))


def _descends(times: Sequence[int | None]) -> bool:
    known = [time for time in times if time is not None]
    return all(earlier >= later for earlier, later in pairwise(known))
