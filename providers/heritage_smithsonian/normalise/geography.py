"""Places: free text for reading, index levels for finding, and points as recorded.

`indexedStructured.place` lists every level as an unordered string of its own, so it is never joined
into a path; `geoLocation` names the levels, as `{type, content}` or as a bare string.
"""

from __future__ import annotations

from collections.abc import Iterator

from heritage_smithsonian.models import Coordinates, Labelled
from heritage_smithsonian.wire import Entry, Raw, decimal, items, mapping, mappings, text

LEVELS = ("L1", "L2", "L3", "L4", "L5", "Other")
_UNTYPED = {"L1": "Continent", "L2": "Country"}


def levels(location: Raw) -> Iterator[Labelled]:
    """The named levels of one location, from the widest to the narrowest."""
    for level in LEVELS:
        for item in items(location.get(level)):
            value = text(item)
            if value:
                kind = text(mapping(item).get("type")) or _UNTYPED.get(level, "Place")
                yield Labelled(label=kind, value=value)


def indexed_places(index: Raw) -> tuple[Labelled, ...]:
    """Every place the index knows, each once: the levels where they are named, then the rest."""
    found: dict[str, Labelled] = {}
    for location in mappings(index.get("geoLocation")):
        for level in levels(location):
            found.setdefault(level.value, level)
    for item in items(index.get("place")):
        value = text(item)
        if value:
            found.setdefault(value, Labelled(label="Place", value=value))
    return tuple(found.values())


def coordinates(index: Raw) -> tuple[Coordinates, ...]:
    """Valid decimal pairs as recorded. Nothing is converted, and nothing looked up."""
    found: dict[Coordinates, None] = {}
    for location in mappings(index.get("geoLocation")):
        locality = _locality(location)
        for point in _points(location):
            latitude, longitude = decimal(point.get("latitude")), decimal(point.get("longitude"))
            if latitude is None or longitude is None:
                continue
            if abs(latitude) <= 90 and abs(longitude) <= 180:
                pair = Coordinates(latitude=latitude, longitude=longitude, locality=locality)
                found[pair] = None
    return tuple(found)


def unread_points(index: Raw) -> Iterator[Entry]:
    """Points that are no decimal pair, in the record's own words: degrees and minutes, mostly."""
    for location in mappings(index.get("geoLocation")):
        for point in _points(location):
            pair = (point.get("latitude"), point.get("longitude"))
            numbers = [decimal(part) for part in pair]
            words = [text(part) for part in pair]
            if None in numbers and any(any(c.isdigit() for c in word) for word in words):
                yield Entry("Coordinates as recorded", ", ".join(word for word in words if word))


def _points(location: Raw) -> Iterator[Raw]:
    """A single point is an object, several are a list, on either level."""
    for points in mappings(location.get("points")):
        yield from mappings(points.get("point")) if "point" in points else iter((points,))


def _locality(location: Raw) -> str | None:
    named = [*levels(location)]
    narrow = [level.value for level in named if level.label == "Locality"]
    return narrow[-1] if narrow else named[-1].value if named else None
