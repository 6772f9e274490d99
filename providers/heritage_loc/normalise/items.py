"""An item's whole record, in all the shapes that it has had since 2017.

The block of an item holds the fields of a row and, since 2019, the catalogue's own record as an inner
`item`. Fields became link objects (`subjects`), ceased to be ones (`location`, `language`), or came
from the pictures catalogue as single strings (`call_number`).
"""

from __future__ import annotations

from collections.abc import Iterable

from heritage_gateway.rights import Rights
from heritage_loc.address import item_url, row_address
from heritage_loc.dates import told
from heritage_loc.models import ItemRecord, Labelled
from heritage_loc.normalise.details import details
from heritage_loc.normalise.links import former_ids, related_items, resource_links
from heritage_loc.normalise.people import contributors, first_named
from heritage_loc.normalise.rows import date_words, is_newspaper, newspaper_date, title
from heritage_loc.rights import of_item
from heritage_loc.wire import (
    Raw,
    first,
    flag,
    items,
    mapping,
    names,
    paragraphs,
    prose,
    raw,
    text,
    texts,
)


def item_record(body: Raw, asked: str) -> ItemRecord | None:
    """The record in an answer for the id `asked`; None where the answer holds none.

    A missing item may be a 200 with an empty `item`, or with a `status` of its own.
    """
    block = mapping(body.get("item"))
    if not block:
        return None
    inner = mapping(block.get("item"))
    address = row_address(block)
    name = address.id if address.is_item else asked
    return ItemRecord(
        item_id=name,
        title=title(block),
        date=item_date(block),
        created_published="; ".join(_best(inner, block, "created_published")) or None,
        contributors=_contributors(block),
        subject_headings=_headings(block, inner),
        notes=_all(block, inner, "notes"),
        summary=prose(block.get("summary"), inner.get("summary")),
        rights_information=_rights(block, inner),
        rights=Rights.of(of_item(block)),
        physical_description="; ".join(_best(block, inner, "medium")) or None,
        call_number="; ".join(_best(block, inner, "call_number")) or None,
        languages=_names(block, inner, "language", "languages"),
        locations=undotted(_names(block, inner, "location", "locations")),
        former_ids=former_ids(block, own=name),
        original_formats=names(block.get("original_format")) or names(block.get("format")),
        online_formats=names(block.get("online_format")),
        access_restricted=flag(block.get("access_restricted")),
        access_advisory=_advisory(block, inner),
        other_titles=_all(block, inner, "other_title"),
        genres=undotted((*names(block.get("genre")), *names(inner.get("genre")))),
        part_of=names(block.get("partof")),
        repository=first(block.get("repository"), inner.get("repository")),
        other=details(block),
        citations=_citations(body),
        resource_links=resource_links(body),
        related_items=related_items(body, own=name),
        url=item_url(name),
    )


def item_date(block: Raw) -> str | None:
    """No more exact than the record; `date` is filed, and a piece of a series gets the span's opening."""
    if is_newspaper(block) or block.get("date_issued"):
        return newspaper_date(block)
    inner = mapping(block.get("item"))
    own = (block.get("created_published_date"), block.get("created_published"))
    words = (*date_words(inner), *(word for value in own for word in texts(value)))
    return told([raw(value) for value in (block.get("date"), *items(block.get("dates")))], words)


def _contributors(block: Raw) -> tuple[str, ...]:
    """For newspapers they are the libraries that had them digitised, and no authors."""
    found = contributors(block)
    if is_newspaper(block) or block.get("batch"):
        return tuple(f"{name} (digitising institution)" for name in found)
    return found


def _best(one: Raw, other: Raw, key: str) -> tuple[str, ...]:
    return texts(one.get(key)) or texts(other.get(key))


def _all(block: Raw, inner: Raw, key: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*texts(block.get(key)), *texts(inner.get(key)))))


def _names(block: Raw, inner: Raw, key: str, linked: str) -> tuple[str, ...]:
    """Words of the index; the inner record has codes ("eng") and headings instead."""
    return names(block.get(key)) or names(block.get(linked)) or names(inner.get(key))


def undotted(found: Iterable[str]) -> tuple[str, ...]:
    """Without those that differ from another by a closing full stop only ("augsburg.")."""
    kept: dict[str, str] = {}
    for name in found:
        key = name.rstrip(" .").casefold()
        if key not in kept or len(name) < len(kept[key]):
            kept[key] = name
    return tuple(kept.values())


def _headings(block: Raw, inner: Raw) -> tuple[str, ...]:
    """Whole headings; where an old record has none, the index's fragments."""
    values = (
        *(block.get("subject_headings"), inner.get("subject_headings"), inner.get("subjects")),
        *(block.get("subjects"), block.get("subject")),
    )
    return undotted(first_named(*values))


def _rights(block: Raw, inner: Raw) -> str | None:
    """The advice on this item first, then the statement for its collection, which is HTML."""
    keys = ("rights_information", "rights_advisory", "rights")
    values = (value for key in keys for part in (block, inner) for value in items(part.get(key)))
    found = dict.fromkeys(paragraphs(value) for value in values)
    return "\n\n".join(part for part in found if part) or None


def _advisory(block: Raw, inner: Raw) -> str | None:
    keys = ("access_advisory", "restriction", "access_condition")
    found = (told for key in keys for part in (block, inner) for told in texts(part.get(key)))
    return " ".join(dict.fromkeys(found)) or None


def _citations(body: Raw) -> tuple[Labelled, ...]:
    """Ready-made by the Library, one for each style; their dates may be padded ("1901, January 1")."""
    styles = mapping(body.get("cite_this")).items()
    return tuple(
        Labelled(label=text(style).upper(), value=found)
        for style, value in styles
        if (found := text(value))
    )
