"""The list of collections."""

from __future__ import annotations

from collections.abc import Iterable

from heritage_loc.address import collection_url
from heritage_loc.formats import searchable
from heritage_loc.models import CollectionRow
from heritage_loc.normalise.rows import slug_of, title
from heritage_loc.wire import Raw, mapping, names, number, texts


def collection_row(row: Raw) -> CollectionRow | None:
    """None without a slug: such a collection lies at memory.loc.gov, which has no search.

    The size is the top-level `count`; `item.total` counts something else. Descriptions come cut.
    """
    slug = slug_of(row)
    if slug is None:
        return None
    block = mapping(row.get("item"))
    spellings = (*names(row.get("original_format")), *names(block.get("formats")))
    count = number(row.get("count"))
    return CollectionRow(
        slug=slug,
        title=title(row),
        description=" ".join(texts(row.get("description"))) or None,
        item_count=count if count is None or count >= 0 else None,
        formats=searchable(spellings),
        url=collection_url(slug),
    )


def collection_rows(rows: Iterable[Raw]) -> tuple[CollectionRow, ...]:
    """Each collection once, in the order of the list."""
    found = {row.slug: row for raw in rows if (row := collection_row(raw))}
    return tuple(found.values())
