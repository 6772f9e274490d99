"""What makes objects alike: up to four searches that start from one record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heritage_smithsonian import wire
from heritage_smithsonian.obedience import index_terms
from heritage_smithsonian.query import Filters, Lucene, build

_LONGEST = 500  # characters; what is longer is no term, and could not be sent


@dataclass(frozen=True, slots=True)
class Signal:
    """One likeness: its label, and the search that finds everything that shares it."""

    label: str
    query: str
    filters: Filters
    lucene: Lucene


def signals(record: wire.Raw) -> tuple[Signal, ...]:
    """In a fixed order: culture, named party, topic, date with object type."""
    return tuple(_signals(record))


def _signals(record: wire.Raw) -> Iterator[Signal]:
    culture, topic = _first(record, "culture"), _first(record, "topic")
    if culture:
        yield from _signal(f"culture: {culture}", filters=Filters(culture=culture))
    yield from _party(record, culture)
    if topic:
        yield from _signal(f"topic: {topic}", filters=Filters(topic=topic))
    date, kind = _first(record, "date"), _first(record, "object_type")
    if date and kind:
        yield from _signal(
            f"period: {date}, type: {kind}", filters=Filters(date=date, object_type=kind)
        )


def _party(record: wire.Raw, culture: str) -> Iterator[Signal]:
    """The first indexed name exactly; else the first free-text name, in words, under its own role."""
    name = _first(record, "name")
    if name:
        yield from _signal(f"name: {name}", filters=Filters(name=name))
        return
    for entry in wire.labelled(wire.freetext(record).get("name")):
        if entry.content != culture and len(entry.label + entry.content) <= _LONGEST:
            label = entry.label.casefold() or "name"
            yield from _signal(f"{label}: {entry.content}", query=entry.content)
            return


def _signal(label: str, *, query: str = "", filters: Filters | None = None) -> Iterator[Signal]:
    lucene = build(query, filters)
    if isinstance(lucene, Lucene):
        yield Signal(label, query, filters or Filters(), lucene)


def _first(record: wire.Raw, field: str) -> str:
    return next((term for term in index_terms(record, field) if len(term) <= _LONGEST), "")
