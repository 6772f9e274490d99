"""What an item's record says beyond the fields that every record has, under a label of its own."""

from __future__ import annotations

from collections.abc import Iterator

from heritage_loc.models import Labelled
from heritage_loc.wire import Raw, first, mapping, mappings, names, prose, texts

# Key and label; what lists several values is given as one text.
_LISTS = (
    ("number_lccn", "LCCN"),
    ("library_of_congress_control_number", "LCCN"),
    ("newspaper_title", "Newspaper title"),
    ("place_of_publication", "Place of publication"),
    ("dates_of_publication", "Dates of publication"),
    ("publication_frequency", "Publication frequency"),
    ("number_edition", "Edition"),
    ("source_collection", "Source collection"),
    ("part_of", "Part of"),
    ("digital_id", "Digital id"),
    ("reproduction_number", "Reproduction number"),
    ("number_issn", "ISSN"),
    ("number_oclc", "OCLC number"),
    ("other_control_numbers", "Other control numbers"),
    ("reel_numbers", "Reel"),
    ("batch", "Batch"),
    ("essay_contributor", "Essay by"),
    ("scopes", "Scope of the capture"),
    ("source_url", "Captured site"),
)
_PROSE = (("contents", "Contents"), ("essay", "Essay"))


def details(block: Raw) -> tuple[Labelled, ...]:
    inner = mapping(block.get("item"))
    return tuple(
        dict.fromkeys((*_lists(block, inner), *_places(block, inner), *_texts(block, inner)))
    )


def _lists(block: Raw, inner: Raw) -> Iterator[Labelled]:
    for key, label in _LISTS:
        found = texts(block.get(key)) or texts(inner.get(key))
        if found:
            yield Labelled(label=label, value="; ".join(found))


def _places(block: Raw, inner: Raw) -> Iterator[Labelled]:
    """Headings for places, which `locations` breaks into words of the index; and who holds a paper."""
    if headings := names(inner.get("location")):
        yield Labelled(label="Place headings", value="; ".join(headings))
    for holding in mappings(block.get("holding_data")):
        holders = ", ".join(
            " ".join(filter(None, (name, place)))
            for institution in mappings(holding.get("institutions"))
            if (name := first(institution.get("institution_name")))
            for place in [_where(institution)]
        )
        kinds = ", ".join(texts(holding.get("number_holding_type")))
        what = "; ".join(texts(holding.get("description")))
        if said := ": ".join(filter(None, (holders, ", ".join(filter(None, (kinds, what)))))):
            yield Labelled(label="Holdings", value=said)


def _where(institution: Raw) -> str:
    keys = ("institution_city", "institution_state")
    found = ", ".join(place for key in keys if (place := first(institution.get(key))))
    return f"({found})" if found else ""


def _texts(block: Raw, inner: Raw) -> Iterator[Labelled]:
    """`description` is mostly the notes run together, or the physical description again."""
    for key, label in _PROSE:
        if found := prose(block.get(key), inner.get(key)):
            yield Labelled(label=label, value=found)
    description = " ".join(texts(block.get("description")))
    said = " ".join(
        text for key in ("notes", "medium", "summary") for text in texts(block.get(key))
    )
    if description and description not in said:
        yield Labelled(label="Description", value=description)
