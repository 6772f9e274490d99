"""The inner form of a record's descriptive fields, filled by museum and archive records alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heritage_smithsonian.models import (
    Coordinates,
    Exhibition,
    Labelled,
    Maker,
    Note,
    Taxonomy,
)
from heritage_smithsonian.wire import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    description: str | None
    dates: tuple[Labelled, ...]
    makers: tuple[Maker, ...]
    place: tuple[Labelled, ...]
    culture: tuple[str, ...]
    topics: tuple[str, ...]
    materials: tuple[str, ...]
    dimensions: tuple[str, ...]
    notes: tuple[Note, ...]
    identifiers: tuple[Labelled, ...]
    object_rights: str | None
    scientific_names: tuple[str, ...] = ()
    taxonomy: Taxonomy | None = None
    coordinates: tuple[Coordinates, ...] = ()
    exhibitions: tuple[Exhibition, ...] = ()
    credit_line: str | None = None
    other: tuple[Labelled, ...] = ()


def unique(*texts: Iterable[str]) -> tuple[str, ...]:
    """Exact duplicates go, the first-seen order stays: "Quilts" and "Quilts--History" are two."""
    return tuple(dict.fromkeys(text for some in texts for text in some))


def labels(entries: Iterable[Entry], fallback: str) -> tuple[Labelled, ...]:
    return tuple(Labelled(label=entry.label or fallback, value=entry.content) for entry in entries)


def joined(entries: Iterable[Entry], *, bare: frozenset[str]) -> str | None:
    """Several entries as one text. A label is kept unless it only repeats the field's name."""
    return "\n".join(unique(told(entry, bare=bare) for entry in entries)) or None


def told(entry: Entry, *, bare: frozenset[str]) -> str:
    if not entry.label or entry.label.casefold() in bare:
        return entry.content
    return f"{entry.label}: {entry.content}"


# -- description ----------------------------------------------------------------------------------

# Which label holds the description differs by unit. Notes under labels not listed are about the
# keeping of the object (provenance, citation of publications, contact) and describe nothing.
_DESCRIPTIONS = (
    "summary",
    "physical description",
    "brief description",
    "description",
    "description (brief)",
    "long description",
    "scope and contents",
    "scope and contents note",
    "abstract",
    "label text",
    "label",
    "gallery label",
    "luce center label",
    "exhibition label",
    "caption",
    "citation",
)
_RANK = {label: rank for rank, label in enumerate(_DESCRIPTIONS)}
_ENDS = (".", "!", "?", ":", ";", '"', "”", "’", ")", "]")


def description(notes: Iterable[Entry]) -> str | None:
    """The best prose, its paragraphs joined where they stand side by side under one label."""
    listed = list(notes)
    ranks = [_RANK.get(note.label.casefold(), len(_RANK)) for note in listed]
    best = min(ranks, default=len(_RANK))
    if best == len(_RANK):
        return None
    start = ranks.index(best)
    text = listed[start].content
    for note, rank in zip(listed[start + 1 :], ranks[start + 1 :], strict=True):
        if rank != best:
            break
        # Some units split in mid-sentence: only a finished sentence ends a paragraph.
        text += ("\n\n" if text.endswith(_ENDS) else " ") + note.content
    return text
