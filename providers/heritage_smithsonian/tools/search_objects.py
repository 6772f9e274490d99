"""smithsonian_search_objects: free text plus exact filters over the whole catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import InvalidRequest, NothingFound, Reason, UpstreamMalformed
from heritage_gateway.lines import cell, yes
from heritage_gateway.listing import Listing, Paged, headline
from heritage_gateway.notice import Notice, sentences
from heritage_gateway.paging import Ask
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.advice import asked_as
from heritage_smithsonian.catalogue import Catalogue, Rows
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.query import Filters, Lucene, Unsearchable, build
from heritage_smithsonian.record_id import written
from heritage_smithsonian.source import Sourced
from heritage_smithsonian.units import museum_name, resolve

CAP = 1000
LONGEST_QUERY = 2000
REASONS = (Reason.NO_RESULTS, Reason.INVALID_FILTER)
_SORTS = {"relevance": None, "newest": "newest", "updated": "updated", "random": "random"}


class FilterInput(Arguments):
    """Exact, case-sensitive index terms; all given ones must hold."""

    unit_code: str | None = Field(
        None, description="Museum or archive: a code such as NASM, or its name."
    )
    object_type: str | None = Field(None, description="Mostly plural: Paintings, Photographs.")
    date: str | None = Field(None, description='Mostly decades: "1920s".')
    culture: str | None = None
    place: str | None = None
    topic: str | None = None
    name: str | None = Field(None, description='Person or body as indexed: "Warhol, Andy".')
    scientific_name: str | None = Field(None, description="A bare genus also finds its species.")
    online_media_type: str | None = Field(None, description='Such as "Images".')
    online_only: bool | None = Field(None, description="Has any online_media_type.")
    cc0_only: bool | None = Field(None, description="Has media free to use under CC0.")


class Input(Arguments):
    query: str = Field(
        description='Words, "phrases", NOT. All words are required; OR does not widen. '
        "May be empty."
    )
    filters: FilterInput | None = None
    rows: Count = Field(20, description="Page size; at most 1000 are served.")
    start: Offset = Field(0, description="Rows to skip.")
    sort: Literal["relevance", "newest", "updated", "random"] = Field(
        "relevance", description="newest and updated go by the record, not by the object."
    )


class Output(Paged, Sourced):
    objects: list[ObjectRow]
    total_count: int = Field(description="Objects in the catalogue that match.")


def search_objects(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_search_objects",
        title="Search Smithsonian objects",
        description=(
            "Search all Smithsonian museums, archives and libraries; the first step for any question "
            "about their objects. Words find text anywhere in a record; filters are exact index terms "
            "(smithsonian_list_terms finds them). Each row has a record_id for the other tools."
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

    async def handle(self, asked: Input) -> Listing[ObjectRow, Output]:
        filters, understood = filters_of(asked.filters)
        lucene = lucene_of(asked.query, filters)
        ask = Ask(asked.start, asked.rows, CAP)
        found = await self.catalogue.search(
            lucene, start=ask.start, rows=ask.cap, sort=_SORTS[asked.sort]
        )
        if found.total == 0:
            raise await self._nothing(asked.query, lucene, found, understood)
        refuse_missing_rows(found, ask)
        if asked.sort == "random":
            understood += " Every random page is drawn anew, so pages may repeat objects."
        return Listing(
            rows=found.rows,
            ask=ask,
            total=found.total,
            make=lambda rows, shared: _output(rows, found, shared),
            notice=Notice(
                failed=" ".join(found.doubts),
                understood=sentences(*lucene.mended, understood),
                snapshot=found.origin.sentence,
            ),
        )

    async def _nothing(
        self, query: str, lucene: Lucene, found: Rows, understood: str
    ) -> InvalidRequest | NothingFound:
        """The true count is zero: the hint says what to try, never that nothing exists."""
        words = query.strip()
        said = f' "{inline(clip(words, 120))}"' if words else ""
        if lucene.filters:
            named = ", ".join(map(asked_as, lucene.filters))
            return InvalidRequest(
                Reason.INVALID_FILTER,
                f"No object matches{said} with {named}{found.scope}.",
                sentences(
                    understood,
                    await self.catalogue.hint(found, words, lucene),
                    found.origin.sentence,
                ),
            )
        return NothingFound(
            Reason.NO_RESULTS,
            f"No object matches{said}{found.scope}.",
            sentences(
                *lucene.mended,
                "Every word is required: use fewer or other words, or another spelling.",
                found.origin.sentence,
            ),
        )


def filters_of(given: FilterInput | None) -> tuple[Filters, str]:
    """The filters, and a sentence where a museum's name was read as its code."""
    if given is None:
        return Filters(), ""
    filters = Filters(**given.model_dump(exclude_none=True))
    code, said = unit_code(filters.unit_code)
    return replace(filters, unit_code=code), said


def unit_code(words: str | None) -> tuple[str | None, str]:
    """An exact code as it is; a name that means one unit alone as its code, and a sentence on it."""
    if not words:
        return None, ""
    match = resolve(words)
    if match.exact or match.code is None:
        return words, ""
    shown = inline(clip(words, 80))
    return match.code, f'"{shown}" was read as {match.code}, {museum_name(match.code)}.'


def lucene_of(query: str, filters: Filters) -> Lucene:
    """The query of a call. Raises `InvalidRequest` where nothing searchable was typed."""
    if len(query) > LONGEST_QUERY:
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            f"`query` is {len(query):,} characters long; at most {LONGEST_QUERY:,} can be sent.",
            "Search for the few words that matter most.",
        )
    lucene = build(query, filters)
    if isinstance(lucene, Unsearchable):
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            "`query` holds nothing that can be searched for.",
            "Give at least one word, or leave it empty to list everything the filters match.",
        )
    return lucene


def refuse_missing_rows(found: Rows, ask: Ask) -> None:
    """A count without its rows is a fault of upstream, and no empty page."""
    if not found.rows and ask.start < found.total:
        raise UpstreamMalformed(
            f"The Smithsonian's catalogue counts {found.total:,} matches but sent none of them.",
            "This does not mean that there are none; call again in a moment.",
        )


def _output(rows: Sequence[ObjectRow], found: Rows, shared: dict[str, Any]) -> Output:
    return Output(objects=list(rows), total_count=found.total, **found.origin.fields, **shared)


def render(output: Output) -> str:
    lines = headline(output, total=output.total_count, noun="objects")
    return "\n".join(
        [*lines, *output.source_line, *(f"- {row_text(row)}" for row in output.objects)]
    )


def row_text(row: ObjectRow) -> str:
    """One line with every fact of a row."""
    facts = [
        f"**{cell(row.title)}**",
        *(cell(part) for part in (row.date, row.object_type) if part),
        f"{cell(row.museum_name)} ({cell(row.unit_code)})",
        *([f"held by {cell(row.holding_museum_name)}"] if row.holding_museum_name else []),
        f"record_id {written(row.record_id)}",
        f"CC0 metadata: {yes(row.is_cc0)}",
        f"media: {yes(row.has_media)}",
        *([row.record_link] if row.record_link else []),
        *([f"thumbnail {row.thumbnail_url}"] if row.thumbnail_url else []),
    ]
    return " | ".join(facts)
