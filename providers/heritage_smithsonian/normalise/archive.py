"""Records of finding aids (`ead_collection`, `ead_component`): a folder in a box in a series.

They have free text only. Much of it is the parent's: 2,511 of 2,596 captured names, and nearly all
restrictions, carry the flag "inherited" and a label such as "Collection Creator", which is kept so that
nobody takes the collection's correspondents for the authors of one letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heritage_smithsonian.models import Labelled, Maker, Note
from heritage_smithsonian.normalise.parts import Parts, description, joined, labels, told, unique
from heritage_smithsonian.wire import (
    Entry,
    Raw,
    content,
    freetext,
    labelled,
    mappings,
    raw,
    strings,
    text,
    yes,
)

_FIELDS = frozenset(("unitdate", "creator", "name", "topic", "place", "identifier", "physdesc"))
# What the record says of itself comes first, then where it lies, then how it may be used and cited.
_NOTES = ("scopecontent", "abstract", "bioghist", "arrangement", "odd")
_TRAITS = ("culture", "objectType", "genre_format", "materialspec", "physloc", "container")
_LATER = (
    *("acqinfo", "custodhist", "altformavail", "relatedmaterial", "bibliography"),
    *("accessrestrict", "userestrict", "prefercite", "processinfo", "sponsor"),
)
_LAST = ("setName", "dataSource")
_LABELS = {"scopecontent": "Scope and Contents", "container": "Container", "odd": "Note"}
_RIGHTS = frozenset(("rights", "restrictions"))
_NO_BARE = frozenset[str]()


def archive_parts(row: Raw) -> Parts:
    blocks = freetext(row)
    notes = tuple(_notes(row))
    topics = labelled(blocks.get("topic"))
    rights = (*_own(blocks.get("userestrict")), *_own(blocks.get("accessrestrict")))
    extent = labelled(blocks.get("physdesc"))
    return Parts(
        description=description(notes),
        dates=labels(labelled(blocks.get("unitdate")), "Date"),
        makers=_makers(blocks),
        place=labels(labelled(blocks.get("place")), "Place"),
        culture=unique(entry.indexed or entry.content for entry in labelled(blocks.get("culture"))),
        topics=unique(
            (entry.indexed for entry in topics if entry.indexed),
            (entry.content for entry in topics),
        ),
        materials=unique(told(entry, bare=_NO_BARE) for entry in extent),
        dimensions=(),
        notes=tuple(Note(label=note.label, content=note.content) for note in notes),
        other=labels(_traits(row), "Other"),
        identifiers=_identifiers(row),
        object_rights=joined(rights, bare=_RIGHTS),
    )


def _inherited(entry: Entry) -> bool:
    return "inherited" in entry.flags


def _own(block: object) -> tuple[Entry, ...]:
    return tuple(entry for entry in labelled(block) if not _inherited(entry))


def _makers(blocks: Raw) -> tuple[Maker, ...]:
    """Its own people first (they stand in both blocks), then the collection's, who say so."""
    named = labelled(blocks.get("name"))
    own = (*labelled(blocks.get("creator")), *(name for name in named if not _inherited(name)))
    makers = [Maker(role=entry.label or "Name", name=entry.content) for entry in own]
    makers += [
        Maker(role=_theirs(entry.label or "Name"), name=entry.content)
        for entry in named
        if _inherited(entry)
    ]
    return tuple(dict.fromkeys(makers))


def _theirs(label: str) -> str:
    """An inherited label mostly names its origin ("Series Restrictions"); otherwise it is told."""
    levels = ("collection", "series", "subseries", "file")
    return label if label.casefold().startswith(levels) else f"Collection {label}"


def _identifiers(row: Raw) -> tuple[Labelled, ...]:
    """321 of 358 have no identifier of their own; the archive's record ID is what people cite."""
    found = labels(labelled(freetext(row).get("identifier")), "Identifier")
    own = text(content(row).get("record_id"))
    if own and own not in {identifier.value for identifier in found}:
        return (*found, Labelled(label="Record ID", value=own))
    return found


def _notes(row: Raw) -> Iterator[Entry]:
    blocks = freetext(row)
    rest = sorted(blocks.keys() - _FIELDS - {*_NOTES, *_TRAITS, *_LATER, *_LAST})
    yield from _told(blocks, (*_NOTES, *rest, *_LATER))


def _traits(row: Raw) -> Iterator[Entry]:
    """What kind of thing it is, and where in the collection it lies."""
    blocks, inside = freetext(row), content(row)
    yield from _told(blocks, _TRAITS)
    hierarchy = _hierarchy(inside)
    if hierarchy:
        yield Entry("Contained in", hierarchy)
    level = text(inside.get("level"))
    if level:
        yield Entry("Level of description", level)
    languages = strings(inside.get("language"))
    if languages:
        yield Entry("Language", "; ".join(languages))
    if yes(inside.get("digital_assets_available")):
        yield Entry("Digital assets", "Available at the archive's own page (record_link).")
    if not hierarchy:
        yield from _told(blocks, _LAST)


def _told(blocks: Raw, names: Iterable[str]) -> Iterator[Entry]:
    for name in names:
        for entry in labelled(blocks.get(name)):
            label = entry.label or _LABELS.get(name, "Note")
            if name == "culture" and entry.content == (entry.indexed or entry.content):
                continue  # stands in `culture` as it is
            yield Entry(_theirs(label) if _inherited(entry) else label, entry.content)


def _hierarchy(inside: Raw) -> str:
    """From the collection down, without the thing itself, which `containedIn` names last."""
    steps = [
        (text(step.get("unitid")), text(step.get("unittitle")), raw(step.get("url")))
        for step in mappings(inside.get("containedIn"))
    ]
    if steps and steps[-1][1] == text(inside.get("title")):
        steps.pop()
    return " > ".join(": ".join(part for part in step[:2] if part) for step in steps)
