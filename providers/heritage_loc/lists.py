"""The lists of the Library that a question over all houses is put to: its items, and newspaper pages."""

from __future__ import annotations

from functools import partial

from heritage_gateway.capability import Call, Listed, Results, Searching
from heritage_loc.catalogue import Catalogue, Found
from heritage_loc.models import NewspaperRow, SearchRow
from heritage_loc.normalise import search_rows
from heritage_loc.query import NewspaperQuery, SearchQuery
from heritage_loc.sayings import stripped, unindexed
from heritage_loc.tools.bounds import searchable


def lists(catalogue: Catalogue) -> tuple[Searching, ...]:
    async def items(query: str, rows: int) -> Results:
        found = await catalogue.search(SearchQuery(query=searchable(query), limit=rows))
        listed = tuple(map(_item, search_rows(found.rows)))
        return _results(found, listed, *stripped(query), *unindexed(query))

    async def pages(query: str, rows: int) -> Results:
        asked = NewspaperQuery(query=searchable(query), limit=rows)
        found, hits = await catalogue.newspapers(asked)
        listed = tuple(_page(hit.row) for hit in hits if hit is not None)
        return _results(found, listed, *stripped(query))

    return (
        Searching(
            "loc_items", "Library of Congress", items, partial(_after, "libofcongress_search")
        ),
        Searching(
            "newspapers",
            "Pages of historical US newspapers (Library of Congress)",
            pages,
            partial(_after, "libofcongress_search_newspapers"),
        ),
    )


def _results(found: Found, rows: tuple[Listed, ...], *said: str) -> Results:
    bound = () if found.paging.counted else ("More may match than the total says.",)
    return Results(found.paging.total, rows, " ".join((*found.doubts.said, *bound, *said)))


def _after(tool: str, query: str, shown: int) -> Call:
    """The page after so many rows, in pages of that size."""
    return Call(tool, {"query": query, **({"limit": shown, "page": 2} if shown else {})})


def _item(row: SearchRow) -> Listed:
    about = [*([row.format] if row.format else []), *([] if row.is_item else ["no item record"])]
    return Listed(row.id, row.title, row.url, row.date, ", ".join(about))


def _page(row: NewspaperRow) -> Listed:
    about = [row.newspaper_title or "", *row.states]
    return Listed(row.url, row.title, row.url, row.date, ", ".join(filter(None, about)))
