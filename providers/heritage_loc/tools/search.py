"""libofcongress_search: keyword search over the digital collections."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from heritage_gateway.arguments import Arguments
from heritage_gateway.errors import NothingFound, Reason
from heritage_gateway.lines import cell, yes
from heritage_gateway.notice import Notice
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_loc.address import slug_given
from heritage_loc.catalogue import Catalogue, Found
from heritage_loc.models import SearchRow
from heritage_loc.normalise import search_rows
from heritage_loc.pages import Numbered, Paged, headline
from heritage_loc.query import Facet, SearchQuery, facet, span
from heritage_loc.sayings import stripped, unindexed
from heritage_loc.subject_filter import Try, tries
from heritage_loc.tools.bounds import Limit, PageNumber, Year, searchable
from heritage_loc.wire import Raw

REASONS = (
    Reason.INVALID_DATE_RANGE,
    Reason.INCOMPATIBLE_FILTERS,
    Reason.COLLECTION_NOT_FOUND,
    Reason.RATE_LIMIT_EXCEEDED,
)
Format = Literal[
    "photo", "map", "newspaper", "manuscript", "audio", "film", "book", "notated-music"
]


class Input(Arguments):
    query: Annotated[
        str, Field(min_length=1, description='Words, all required; "phrases". No OR, no NOT.')
    ]
    format: Format | None = Field(None, description="Not together with collection_slug.")
    date_start: Year | None = Field(None, description="First year, inclusive.")
    date_end: Year | None = Field(None, description="Last year, inclusive.")
    subject: str | None = Field(
        None, description='Subject heading, subdivided or not: "Jazz--History".'
    )
    location: str | None = Field(None, description='Place the item is about: "chicago".')
    collection_slug: str | None = Field(
        None, description="slug from libofcongress_browse_collections."
    )
    sort: Literal["relevance", "date", "date_desc", "title", "title_desc"] = "relevance"
    limit: Limit = 25
    page: PageNumber = 1


class Output(Paged):
    items: list[SearchRow]
    effectiveQuery: str = Field(description="The query as sent.")  # noqa: N815
    effectiveCollectionSlug: str | None = None  # noqa: N815


def search(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_search",
        title="Search the Library of Congress",
        description=(
            "Search the Library of Congress: photographs, maps, manuscripts, sound, film, books, music. "
            "For words in newspapers use libofcongress_search_newspapers. Each row has an id for "
            "libofcongress_get_item where is_item is true."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Search(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Search:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Numbered[SearchRow, Output]:
        query = _query(asked)
        found, applied, sent = await self._found(asked, query)
        rows = search_rows(found.rows)
        paging = found.paging

        def make(shown: Sequence[SearchRow], shared: dict[str, Any]) -> Output:
            return Output(
                items=list(shown),
                effectiveQuery=" ".join(asked.query.split()),
                effectiveCollectionSlug=query.collection_slug,
                **shared,
            )

        return Numbered(
            rows=rows,
            paging=paging,
            limit=asked.limit,
            make=make,
            place=None if len(rows) == len(found.rows) else partial(_place, found.rows),
            notice=Notice(
                failed=" ".join(found.doubts.said),
                understood=" ".join(
                    filter(
                        None,
                        (
                            *stripped(asked.query),
                            *unindexed(asked.query),
                            applied.said,
                            "" if paging.total else _in_vain(asked),
                            _of_newspapers(asked),
                            "" if paging.total else nothing(asked, sent),
                        ),
                    )
                ),
            ),
        )

    async def _found(self, asked: Input, query: SearchQuery) -> tuple[Found, Try, SearchQuery]:
        """The first way to send the heading that finds something; else the first of all.

        Which one that is, the first page tells: a page far on would be asked for once a way.
        """
        ways = tries(asked.subject)
        first: tuple[Found, Try, SearchQuery] | None = None
        for way in ways:
            sent = replace(query, facets=(*query.facets, *way.facets))
            found = await self._page(sent if len(ways) == 1 else replace(sent, page=1))
            first = first or (found, way, sent)
            if found.paging.total:
                first = found, way, sent
                break
        if first is None:
            raise AssertionError("a heading is tried at least once")
        found, way, sent = first
        return (await self._page(sent) if found.paging.page != sent.page else found), way, sent

    async def _page(self, sent: SearchQuery) -> Found:
        try:
            return await self.catalogue.search(sent)
        except NothingFound:
            raise _no_collection(sent.collection_slug or "") from None


def _place(raws: Sequence[Raw], shown: int) -> int:
    """How many of the answer's rows make so many of ours."""
    counts = range(len(raws) + 1)
    return bisect_left(counts, shown, key=lambda count: len(search_rows(raws[:count])))


def _query(asked: Input) -> SearchQuery:
    facets: list[Facet] = []
    if asked.location:
        facets.append(facet("location", asked.location))
    slug = slug_given(asked.collection_slug) if asked.collection_slug else None
    query = SearchQuery(
        query=searchable(asked.query),
        format=asked.format,
        collection_slug=slug,
        dates=span(asked.date_start, asked.date_end),
        facets=tuple(facets),
        sort=asked.sort,
        limit=asked.limit,
        page=asked.page,
    )
    _ = query.request  # refuses a format together with a collection, before any request
    return query


def _no_collection(slug: str) -> NothingFound:
    return NothingFound(
        Reason.COLLECTION_NOT_FOUND,
        f'The Library of Congress has no collection "{inline(clip(slug, 80))}".',
        "Slugs cannot be derived from titles: libofcongress_browse_collections lists them.",
    )


def _in_vain(asked: Input) -> str:
    """The other ways in which the heading was sent."""
    others = [way.facets for way in tries(asked.subject)[1:]]
    if not others:
        return ""
    told = " or ".join(
        ", ".join(f'{one.name} "{inline(one.value)}"' for one in facets) for facets in others
    )
    return f"Applied as {told} it found nothing either."


def _of_newspapers(asked: Input) -> str:
    if asked.format != "newspaper" or not asked.subject:
        return ""
    return (
        "Subject headings of newspapers describe the paper, not the page; "
        "libofcongress_search_newspapers finds words on pages."
    )


def nothing(asked: Input, sent: SearchQuery) -> str:
    """Zero is an answer: what was asked, and how to widen it."""
    filters = [str(found.sent) for found in sent.facets]
    filters += [f"dates {sent.dates}"] if sent.dates else []
    filters += [f"format {asked.format}"] if asked.format else []
    filters += [f"collection {sent.collection_slug}"] if sent.collection_slug else []
    beside = f" with {', '.join(inline(part) for part in filters)}" if filters else ""
    way = "leave out a filter or " if filters else ""
    said = (
        f'Nothing digitised matches "{inline(clip(asked.query, 120))}"{beside}. Every word is required: '
        f"{way}use fewer words."
    )
    if asked.location:
        said += " A location is one plain name, such as chicago."
    if asked.subject:
        said += " libofcongress_search_subjects finds the exact heading."
    return said


def render(output: Output) -> str:
    lines = headline(output, "items")
    lines.append(f'Query as sent: "{inline(output.effectiveQuery)}"')
    if output.effectiveCollectionSlug:
        lines.append(f"Collection: {output.effectiveCollectionSlug}")
    return "\n".join([*lines, *(f"- {row_text(row)}" for row in output.items)])


def row_text(row: SearchRow) -> str:
    facts = [
        f"**{cell(row.title)}**",
        *(cell(part) for part in (row.date, row.format) if part),
        *([f"by {'; '.join(map(cell, row.contributors))}"] if row.contributors else []),
        f"id {cell(row.id)}",
        f"item record: {yes(row.is_item)}",
        row.url,
        *([f"collection_slug {row.collection_slug}"] if row.collection_slug else []),
        *([f"pages {row.resource_url}"] if row.resource_url else []),
        *([cell(row.description)] if row.description else []),
    ]
    return " | ".join(facts)
