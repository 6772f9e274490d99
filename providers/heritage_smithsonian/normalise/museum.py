"""Museum records (`edanmdm`): three parts, of which free text is for reading and the index for finding.

The contract has a field for some blocks; every other block and every index value that is not already
shown follows the true notes under its own label, so that nothing a record says is lost. The order is
fixed here: the order of keys in a record depends on its age.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heritage_smithsonian.models import Exhibition, Labelled, Maker, Note, Taxonomy
from heritage_smithsonian.normalise.geography import coordinates, indexed_places, unread_points
from heritage_smithsonian.normalise.header import Header
from heritage_smithsonian.normalise.parts import (
    Parts,
    description,
    joined,
    labels,
    told,
    unique,
)
from heritage_smithsonian.wire import (
    Entry,
    Raw,
    content,
    descriptive,
    freetext,
    indexed,
    items,
    labelled,
    mapping,
    mappings,
    strings,
    text,
)

# Free-text blocks that fill a field of their own.
_FIELDS = frozenset(
    (
        *("date", "name", "notes", "topic", "place", "identifier"),
        *("physicalDescription", "creditLine", "objectRights"),
    )
)
# The others, in the order in which they follow the notes; what is not listed comes before the last.
_OTHERS = ("title", "objectType", "taxonomicName", "publisher", "culture", "language", "setName")

# Labels of the name block that name no party: facts that strayed there, some of them numbers.
_NO_PARTY = frozenset(
    (
        "alternate title",
        "biogeographical region",
        "max. elevation",
        "microhabitat description",
        "min. elevation",
        "ocean/sea/gulf",
    )
)

# Index fields that are shown in a field of the record; `exhibition` and `geoLocation` hold objects.
_RANKS = ("kingdom", "phylum", "class", "order", "family")
_SHOWN = frozenset(
    (
        *("culture", "topic", "scientific_name", "geoLocation", "exhibition", "place"),
        *(f"tax_{rank}" for rank in _RANKS),
    )
)
_INDEX_LABELS = {
    "object_type": "Indexed object type",
    "date": "Indexed date",
    "name": "Indexed name",
    "language": "Language",
    "common_name": "Common name",
    "tax_division": "Division",
    "tax_sub-family": "Subfamily",
    "geo_age-era": "Geologic era",
    "geo_age-system": "Geologic system",
    "geo_age-series": "Geologic series",
    "geo_age-stage": "Geologic stage",
    "strat_group": "Stratigraphic group",
    "strat_formation": "Stratigraphic formation",
    "strat_member": "Stratigraphic member",
    "onPhysicalExhibit": "On view",
    "online_media_type": "Indexed media type",
    "online_media_rights": "Online media rights",
    "usage_flag": "Usage flag",
    "related_record": "Related record",
}
# Whose values need no note when this free-text block already says the same.
_SAID_BY = {
    "date": "date",
    "name": "name",
    "object_type": "objectType",
    "language": "language",
    "common_name": "taxonomicName",
}

_MATERIAL = frozenset(("medium", "materials", "media/materials", "physical description"))
_SIZE = frozenset(("dimensions", "measurements"))
_CREDIT = frozenset(("credit line", "cite as"))
_RIGHTS = frozenset(("restrictions & rights", "object rights", "access information"))


def museum_parts(row: Raw, header: Header) -> Parts:
    blocks, index = freetext(row), indexed(row)
    notes = labelled(blocks.get("notes"))
    parties, strays = _parties(blocks)
    dimensions, materials = _physical(blocks)
    places = labels(labelled(blocks.get("place")), "Place")
    shown_places = places or indexed_places(index)
    others = (
        *strays,
        *_other_blocks(blocks, header),
        *_other_places(index, shown_places),
        *_index_values(index, blocks),
        *_rooms(index),
        *_usage(row),
    )
    return Parts(
        description=description(notes),
        dates=labels(labelled(blocks.get("date")), "Date"),
        makers=parties,
        place=shown_places,
        culture=strings(index.get("culture")),
        topics=unique(strings(index.get("topic")), _contents(blocks.get("topic"))),
        materials=materials,
        dimensions=dimensions,
        notes=tuple(Note(label=note.label or "Note", content=note.content) for note in notes),
        other=labels(dict.fromkeys(others), "Other"),
        scientific_names=strings(index.get("scientific_name")),
        taxonomy=_taxonomy(index),
        coordinates=coordinates(index),
        exhibitions=_exhibitions(index),
        identifiers=labels(labelled(blocks.get("identifier")), "Identifier"),
        credit_line=joined(labelled(blocks.get("creditLine")), bare=_CREDIT),
        object_rights=joined(labelled(blocks.get("objectRights")), bare=_RIGHTS),
    )


def _contents(block: object) -> Iterator[str]:
    return (entry.content for entry in labelled(block))


def _parties(blocks: Raw) -> tuple[tuple[Maker, ...], tuple[Entry, ...]]:
    """Every named party with its label as role: a sitter or a donor is no maker, and says so."""
    named = labelled(blocks.get("name"))
    strays = tuple(entry for entry in named if entry.label.casefold() in _NO_PARTY)
    parties = (entry for entry in named if entry.label.casefold() not in _NO_PARTY)
    return tuple(Maker(role=entry.label or "Name", name=entry.content) for entry in parties), strays


def _physical(blocks: Raw) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Dimensions and everything else; a label that says more than its field is kept in the text."""
    dimensions: list[str] = []
    materials: list[str] = []
    for entry in labelled(blocks.get("physicalDescription")):
        label = entry.label.casefold()
        if any(word in label for word in ("dim", "size", "measure")):
            dimensions.append(told(entry, bare=_SIZE))
        else:
            materials.append(told(entry, bare=_MATERIAL))
    return tuple(dimensions), tuple(materials)


def _taxonomy(index: Raw) -> Taxonomy | None:
    """Ranks stand on art too: a painted elephant has a class."""
    ranks = {rank: found for rank in _RANKS if (found := strings(index.get(f"tax_{rank}")))}
    return Taxonomy.model_validate(ranks) if ranks else None


# -- exhibitions ---------------------------------------------------------------------------------------


def _exhibitions(index: Raw) -> tuple[Exhibition, ...]:
    """Current and coming shows. NASM and SAAM give the building alone, as a code such as "HAZY"."""
    found: dict[Exhibition, None] = {}
    for item in items(index.get("exhibition")):
        show = mapping(item)
        title = text(show.get("exhibitionTitle")) if show else text(item)
        building = text(show.get("building")) or None
        if title or building:
            found[Exhibition(name=title or "On view", building=building)] = None
    return tuple(found)


def _rooms(index: Raw) -> Iterator[Entry]:
    for show in mappings(index.get("exhibition")):
        title = text(show.get("exhibitionTitle"))
        for key, value in show.items():
            if key in ("exhibitionTitle", "building"):
                continue
            place = text(value)
            if place and place not in title:
                yield Entry(
                    "On view in room" if key == "room" else f"On view, {_words(key)}", place
                )


# -- what has no field of its own ----------------------------------------------------------------------


def _other_blocks(blocks: Raw, header: Header) -> Iterator[Entry]:
    rest = sorted(blocks.keys() - _FIELDS - {"dataSource"} - set(_OTHERS))
    for name in (*_OTHERS, *rest, "dataSource"):
        for entry in labelled(blocks.get(name)):
            said = name == "title" and entry.content == header.title
            said = said or (name == "dataSource" and entry.content == header.museum_name)
            if not said:
                yield Entry(entry.label or _words(name).capitalize(), entry.content)


def _other_places(index: Raw, shown: Iterable[Labelled]) -> Iterator[Entry]:
    """Index places beside the free text: often wider ("North America") or spelt otherwise."""
    said = {place.value for place in shown}
    rest = [place for place in indexed_places(index) if place.value not in said]
    for label in unique(place.label for place in rest):
        values = (place.value for place in rest if place.label == label)
        yield Entry(f"Indexed {label[0].lower()}{label[1:]}", "; ".join(values))
    yield from unread_points(index)


def _index_values(index: Raw, blocks: Raw) -> Iterator[Entry]:
    """One note a field. A name's type, such as "personal_main", says how the library filed it."""
    known = [name for name in _INDEX_LABELS if name in index]
    rest = sorted(index.keys() - _SHOWN - set(known))
    for name in (*known, *rest):
        said = set(_contents(blocks.get(_SAID_BY.get(name, ""))))
        values = [value for value in strings(index.get(name)) if value not in said]
        if values:
            yield Entry(_INDEX_LABELS.get(name) or _words(name).capitalize(), "; ".join(values))


def _usage(row: Raw) -> Iterator[Entry]:
    usage = mapping(descriptive(row).get("metadata_usage")) or mapping(
        content(row).get("metadata_usage")
    )
    condition = text(usage.get("text"))
    if condition:
        yield Entry("Conditions of use of the metadata", condition)


def _words(name: str) -> str:
    """A key as words: "galleryLabel" and "tax_tribe" become "gallery label" and "tax tribe"."""
    spaced = "".join(f" {c.lower()}" if c.isupper() else c for c in name)
    return spaced.replace("_", " ").strip() or "other"
