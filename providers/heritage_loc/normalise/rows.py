"""Rows of a search, whatever they stand for: items, collections, pages, guides, blog posts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heritage_gateway.text import clip
from heritage_loc.address import collection_slug, row_address, same_as
from heritage_loc.dates import told
from heritage_loc.models import SearchRow
from heritage_loc.normalise.people import contributors
from heritage_loc.wire import Raw, absolute, first, items, mapping, mappings, names, raw, texts

_LONGEST_DESCRIPTION = 500
_MOST_CONTRIBUTORS = 5


def search_row(row: Raw) -> SearchRow | None:
    """A row; None for one that has neither an id nor an address."""
    address = row_address(row)
    if not address.url:
        return None
    formats = names(row.get("original_format"))
    return SearchRow(
        id=address.id,
        title=title(row),
        date=row_date(row),
        description=_description(row),
        format=formats[0] if formats else None,
        is_item=address.is_item,
        url=address.url,
        contributors=_contributors(row),
        collection_slug=slug_of(row) if is_collection(row) else None,
        resource_url=resource_url(row) if address.is_item else None,
    )


def search_rows(rows: Iterable[Raw]) -> tuple[SearchRow, ...]:
    return tuple(found for row in merged(tuple(rows)) if (found := search_row(row)))


def _contributors(row: Raw) -> tuple[str, ...] | None:
    """Of newspapers they are the libraries that had them digitised, and no authors."""
    if is_newspaper(row) or row.get("batch"):
        return None
    return contributors(row)[:_MOST_CONTRIBUTORS] or None


def title(row: Raw) -> str:
    return first(row.get("title"), mapping(row.get("item")).get("title")) or "Untitled"


def _description(row: Raw) -> str | None:
    """Notes run together; for newspapers a place, for pages the opening of the text."""
    found = " ".join(texts(row.get("description"))) or first(
        mapping(row.get("item")).get("summary")
    )
    return clip(found, _LONGEST_DESCRIPTION) if found else None


def is_collection(row: Raw) -> bool:
    kinds = {kind.casefold() for key in ("original_format", "type") for kind in names(row.get(key))}
    return "collection" in kinds


def slug_of(row: Raw) -> str | None:
    """`items` is the address of the collection's search; it is absent where a collection is a row."""
    found = (collection_slug(row.get(key)) for key in ("items", "url", "id"))
    return next((slug for slug in found if slug), None)


def resource_url(row: Raw) -> str | None:
    addresses = (absolute(resource.get("url")) for resource in mappings(row.get("resources")))
    return next((address for address in addresses if "/resource/" in address), None)


# -- dates -----------------------------------------------------------------------------------------------


def row_date(row: Raw) -> str | None:
    """As exact as the record. What is filed as the date of a collection is that of some item in it."""
    if is_collection(row):
        return None
    block = mapping(row.get("item"))
    filed = [raw(value) for value in (row.get("date"), *items(row.get("dates")))]
    if is_newspaper(row):
        return newspaper_date(row)
    return told(filed, date_words(block))


def date_words(block: Raw) -> tuple[str, ...]:
    """What an item block says of its date, the plainest first."""
    keys = ("date", "created_published_date", "created_published")
    return tuple(word for key in keys for word in texts(block.get(key)))


def is_newspaper(row: Raw) -> bool:
    """An issue or one of its pages; a title's own record is dated like any other."""
    kinds = {kind.casefold() for kind in names(row.get("type"))}
    return bool(kinds & {"issue", "segment"}) or bool(mapping(row.get("item")).get("date_issued"))


def newspaper_date(row: Raw) -> str | None:
    """The day of issue. `item.date` is the first year of the paper, and no date of an issue."""
    block = mapping(row.get("item"))
    filed = (row.get("date"), block.get("date_issued"), *items(row.get("dates")))
    return told([raw(value) for value in filed], [raw(value) for value in filed if value])


# -- one item under two names --------------------------------------------------------------------------------


def merged(rows: Sequence[Raw]) -> tuple[Raw, ...]:
    """Rows that are one thing become one, at the place of the first; the one with a record is kept.

    Two rows are one thing where the address of one is the other's, or among its other names (`aka`).
    """
    kept: list[Raw] = []
    places: dict[str, int] = {}
    for row in rows:
        own = {name for key in ("id", "url") if (name := _name(row.get(key)))}
        known = own | {name for value in items(row.get("aka")) if (name := same_as(value))}
        at = next((places[name] for name in sorted(own) if name in places), None)
        if at is None:
            at = next((n for n, other in enumerate(kept) if known & _own(other)), None)
        if at is None:
            at = len(kept)
            kept.append(row)
        elif row_address(row).is_item and not row_address(kept[at]).is_item:
            kept[at] = row
        for name in known:
            places.setdefault(name, at)
    return tuple(kept)


def _own(row: Raw) -> set[str]:
    return {name for key in ("id", "url") if (name := _name(row.get(key)))}


def _name(value: object) -> str:
    """An own address without the query that is echoed into it; page numbers stay."""
    address = absolute(value)
    base, _, query = address.partition("?")
    echoed = ("q=", "st=", "fo=")
    kept = [part for part in query.split("&") if part and not part.startswith(echoed)]
    return same_as(f"{base}?{'&'.join(kept)}" if kept else base)
