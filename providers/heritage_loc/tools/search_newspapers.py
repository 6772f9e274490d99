"""libofcongress_search_newspapers: words on the pages of historical newspapers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from heritage_gateway.arguments import Arguments, Offset
from heritage_gateway.errors import (
    InvalidRequest,
    Reason,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.lines import cell
from heritage_gateway.notice import Notice
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_loc.catalogue import Catalogue, Found
from heritage_loc.models import NewspaperRow
from heritage_loc.normalise import CEILING
from heritage_loc.pages import Numbered, Paged, headline
from heritage_loc.papers import LCCN, Paper, holds, listed, meant, papers
from heritage_loc.query import Facet, NewspaperQuery, facet, span
from heritage_loc.sayings import stripped
from heritage_loc.tools.bounds import Limit, PageNumber, Year, searchable
from heritage_loc.wire import mappings

REASONS = (Reason.INVALID_DATE_RANGE, Reason.RATE_LIMIT_EXCEEDED)
MOST_REQUESTS = 3  # spent on one page where rows are chosen here
_CHUNK = 100  # rows a request then
_TITLES = 100

Keep = Callable[[NewspaperRow], bool]


class Input(Arguments):
    query: Annotated[
        str, Field(min_length=1, description='Words on the page, all required; "phrases".')
    ]
    date_start: Year | None = Field(None, description="First year, inclusive.")
    date_end: Year | None = Field(None, description="Last year, inclusive.")
    date_from: str | None = Field(None, description="First day, YYYY-MM-DD; not with date_start.")
    date_to: str | None = Field(None, description="Last day, YYYY-MM-DD; not with date_end.")
    state: str | None = Field(None, description="Full name of a US state: ohio.")
    newspaper_title: str | None = Field(None, description="Name or part of it: evening star.")
    lccn: str | None = Field(None, description="The paper's LCCN, such as sn83045462.")
    language: str | None = Field(None, description="Such as german.")
    sort: Literal["relevance", "date", "date_desc"] = "relevance"
    front_pages: bool | None = Field(None, description="Only page 1 of an issue.")
    limit: Limit = 25
    page: PageNumber = 1
    from_row: Offset = Field(
        0, description="Where rows are chosen here: rows to skip, as the notice gave it."
    )


class Output(Paged):
    items: list[NewspaperRow]
    effectiveQuery: str = Field(description="The query as sent.")  # noqa: N815
    filtered_here: bool | None = Field(
        None, description="Rows were chosen here from upstream's, whose total is given."
    )


def search_newspapers(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_search_newspapers",
        title="Search historical newspapers",
        description=(
            "Search the text of millions of US newspaper pages, 1736 to 1963, by words, dates, state, "
            "paper or language. Each row is a page; its url is input for "
            "libofcongress_get_newspaper_page, which gives the whole text."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Search(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Rows of an answer. Where they were chosen here, `places` has the row of the search after each
    of them, and `end` is the first one that was not looked at.
    """

    rows: tuple[NewspaperRow, ...]
    found: Found
    places: tuple[int, ...]
    is_chosen: bool = False
    start: int = 0
    end: int = 0

    @property
    def _reach(self) -> int:
        return min(self.found.paging.total, CEILING)

    @property
    def more(self) -> bool:
        return self.end < self._reach

    def place(self, shown: int) -> int:
        return self.places[shown - 1]

    def follow(self, shown: int) -> str:
        """The row to go on from, after so many of the chosen ones."""
        total = self.found.paging.total
        following = self.places[shown - 1] if 0 < shown < len(self.places) else self.end
        if self.start and self.start >= self._reach:
            return f"from_row={self.start} lies past the end: {total:,} rows in all."
        if not total:
            return ""
        said = (
            f"Of {total:,} rows, {self.start + 1:,} to {following:,} were looked at for this page"
        )
        return f"{said}; from_row={following} goes on." if following < self._reach else f"{said}."


@dataclass(frozen=True, slots=True)
class _Search:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Numbered[NewspaperRow, Output]:
        query = _query(asked)
        facets, keep, said = await self._paper(asked)
        query = replace(query, facets=(*query.facets, *facets))
        if asked.front_pages:
            keep.append(lambda row: row.page_number == 1)
        if asked.from_row and not keep:
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                "`from_row` counts only where rows are chosen here, and these are not.",
                "Go on with page.",
            )
        chosen = await self._chosen(query, asked, keep)
        found = chosen.found

        def make(shown: Sequence[NewspaperRow], shared: dict[str, Any]) -> Output:
            return Output(
                items=list(shown),
                effectiveQuery=" ".join(asked.query.split()),
                filtered_here=True if keep else None,
                **shared,
            )

        return Numbered(
            rows=chosen.rows,
            paging=found.paging,
            limit=asked.limit,
            make=make,
            notice=Notice(
                failed=" ".join(found.doubts.said),
                understood=" ".join(
                    [*stripped(asked.query), *said, *_nothing(asked, query, found)]
                ),
            ),
            noun="pages",
            place=chosen.place,
            follow=chosen.follow if chosen.is_chosen else None,
            more=chosen.more,
        )

    async def _paper(self, asked: Input) -> tuple[list[Facet], list[Keep], list[str]]:
        """The facet of the paper meant; where several may be, rows are chosen here."""
        if asked.lccn:
            name = asked.lccn.strip().lower()
            if not LCCN.fullmatch(name):
                raise InvalidRequest(
                    Reason.INVALID_INPUT,
                    f'`lccn` "{inline(clip(asked.lccn, 40))}" is not the number of a paper.',
                    "An LCCN has letters and eight to ten digits, such as sn83045462; rows carry it.",
                )
            return [facet("number_lccn", name)], [], []
        if not asked.newspaper_title:
            return [], [], []
        typed = asked.newspaper_title
        if LCCN.fullmatch(typed.strip().lower()):
            return [facet("number_lccn", typed)], [], ["The title was read as an LCCN."]
        try:
            known, is_all = await self._titles(typed)
        except (UpstreamUnavailable, UpstreamMalformed):
            said = (
                "The list of papers could not be read just now, so rows were chosen here whose title "
                f'holds "{inline(clip(typed, 80))}".'
            )
            return [], [lambda row: holds(row.newspaper_title, typed)], [said]
        found = meant(known, typed)
        if len(found) == 1 and is_all:
            return [facet("number_lccn", found[0].lccn)], [], [f"The paper is {listed(found)}."]
        said = _several(found, typed, is_all=is_all)
        return [], [lambda row: holds(row.newspaper_title, typed)], [said]

    async def _titles(self, typed: str) -> tuple[tuple[Paper, ...], bool]:
        """Papers whose title holds the words, and whether these are all."""
        asked = NewspaperQuery(query=searchable(typed), level="title", limit=_TITLES)
        found = await self.catalogue.search(asked)
        return papers(mappings(list(found.rows))), found.paging.total <= len(found.rows)

    async def _chosen(self, query: NewspaperQuery, asked: Input, keep: list[Keep]) -> _Chosen:
        if not keep:
            found, hits = await self.catalogue.newspapers(query)
            rows = [(hit.row, place) for place, hit in enumerate(hits, 1) if hit is not None]
            return _Chosen(tuple(row for row, _ in rows), found, tuple(place for _, place in rows))
        return await self._filtered(query, asked, keep)

    async def _filtered(self, query: NewspaperQuery, asked: Input, keep: list[Keep]) -> _Chosen:
        """Rows that pass, from `from_row` on, until the page is full or requests are spent.

        Those of pages before `page` are passed over; `from_row` gets there without looking again.
        """
        over = (asked.page - 1) * asked.limit
        rows: list[NewspaperRow] = []
        places: list[int] = []
        at, first = asked.from_row, None
        for _ in range(MOST_REQUESTS):
            page, skipped = divmod(at, _CHUNK)
            found, hits = await self.catalogue.newspapers(
                replace(query, limit=_CHUNK, page=page + 1)
            )
            first = first or found
            for hit in hits[skipped:]:
                at += 1
                if hit is None or not all(passes(hit.row) for passes in keep):
                    continue
                if over:
                    over -= 1
                    continue
                rows.append(hit.row)
                places.append(at)
                if len(rows) == asked.limit:
                    break
            if len(rows) == asked.limit or at >= found.paging.total or not found.rows:
                break
        if first is None:
            raise AssertionError("at least one request is spent")
        paging = replace(first.paging, page=asked.page, per_page=asked.limit, shown=len(rows))
        found = replace(first, paging=paging)
        return _Chosen(tuple(rows), found, tuple(places), True, asked.from_row, at)


def _query(asked: Input) -> NewspaperQuery:
    for day, year in (("date_from", "date_start"), ("date_to", "date_end")):
        if getattr(asked, day) is not None and getattr(asked, year) is not None:
            raise InvalidRequest(
                Reason.INVALID_DATE_RANGE,
                f"`{day}` and `{year}` both bound the dates.",
                "Give days or years, not both for one end.",
            )
    facets: list[Facet] = []
    if asked.state:
        facets.append(facet("location_state", asked.state))
    if asked.language:
        facets.append(facet("language", asked.language))
    return NewspaperQuery(
        query=searchable(asked.query),
        dates=span(
            asked.date_from if asked.date_from is not None else asked.date_start,
            asked.date_to if asked.date_to is not None else asked.date_end,
        ),
        facets=tuple(facets),
        sort=asked.sort,
        limit=asked.limit,
        page=asked.page,
    )


def _several(found: Sequence[Paper], typed: str, *, is_all: bool) -> str:
    name = inline(clip(typed, 80))
    if not is_all:
        named = f" Among them: {listed(found)}." if found else ""
        return (
            f'More papers hold "{name}" in their title than were looked at.{named} Rows of all of them '
            "were chosen here; lccn= asks for one exactly."
        )
    if not found:
        return (
            f'No paper of the title list is called "{name}", so rows were chosen here whose title '
            "holds these words."
        )
    return (
        f'"{name}" may be one of {len(found)} papers: {listed(found)}. Rows of all of them were chosen '
        "here; lccn= asks for one exactly."
    )


def _nothing(asked: Input, query: NewspaperQuery, found: Found) -> list[str]:
    if found.paging.total:
        return []
    filters = [one.sent for one in query.facets]
    filters += [f"dates {query.dates}"] if query.dates else []
    beside = f" with {', '.join(map(inline, filters))}" if filters else ""
    said = (
        f'No digitised page matches "{inline(clip(asked.query, 120))}"{beside}. Every word is '
        "required: use fewer words or other spellings; machine-read text has errors."
    )
    return [said, *(["A state is given by its full name, such as ohio."] if asked.state else [])]


def render(output: Output) -> str:
    lines = headline(output, "pages")
    lines.append(f'Query as sent: "{inline(output.effectiveQuery)}"')
    if output.filtered_here:
        lines.append("Rows were chosen here: yes")
    return "\n".join([*lines, *(f"- {row_text(row)}" for row in output.items)])


def row_text(row: NewspaperRow) -> str:
    kinds = {"match": "passage with the words", "opening": "opening of the page"}
    facts = [
        f"**{cell(row.title)}**",
        *(cell(part) for part in (row.newspaper_title, row.date) if part),
        *([f"image {row.page_number}"] if row.page_number is not None else []),
        *([f"states {', '.join(map(cell, row.states))}"] if row.states else []),
        *([f"lccn {row.lccn}"] if row.lccn else []),
        row.url,
        *(
            [f"{kinds[row.excerpt_kind]}: {cell(row.description or '')}"]
            if row.excerpt_kind
            else []
        ),
    ]
    return " | ".join(facts)
