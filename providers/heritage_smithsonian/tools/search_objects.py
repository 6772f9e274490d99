"""smithsonian_search_objects: free text plus exact filters over the whole catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import InvalidRequest, NothingFound, Reason, UpstreamMalformed
from heritage_gateway.listing import Listing, Paged, headline
from heritage_gateway.notice import Notice
from heritage_gateway.paging import Ask
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.query import Filters, Lucene, Unsearchable, build

CAP = 1000
_LONGEST_QUERY = 2000
REASONS = (Reason.NO_RESULTS, Reason.INVALID_FILTER)


class FilterInput(Arguments):
    """Exact, case-sensitive index terms; all given ones must hold."""

    unit_code: str | None = Field(None, description="Museum or archive, such as NASM, SAAM, NMAH.")
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

    @property
    def query(self) -> Filters:
        given = self.model_dump(exclude_none=True)
        return Filters(**given)


class Input(Arguments):
    query: str = Field(
        description='Words, "phrases", NOT. All words are required; OR does not widen. '
        "May be empty."
    )
    filters: FilterInput | None = None
    rows: Count = Field(20, description="Page size; at most 1000 are served.")
    start: Offset = Field(0, description="Rows to skip.")


class Output(Paged):
    objects: list[ObjectRow]
    total_count: int = Field(description="Objects in the catalogue that match.")


def search_objects(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_search_objects",
        title="Search Smithsonian objects",
        description=(
            "Search all Smithsonian museums, archives and libraries; the first step for any question "
            "about their objects. Words find text anywhere in a record; filters are exact index terms. "
            "Each row has a record_id for smithsonian_get_object."
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
        lucene = query_of(asked)
        ask = Ask(asked.start, asked.rows, CAP)
        found = await self.catalogue.search(lucene.q, start=ask.start, rows=ask.cap)
        if found.total == 0:
            raise nothing(asked)
        if not found.rows and asked.start < found.total:
            raise UpstreamMalformed(
                f"The Smithsonian's catalogue counts {found.total:,} matches but sent none of them.",
                "This does not mean that there are none; call again in a moment.",
            )
        return Listing(
            rows=found.rows,
            ask=ask,
            total=found.total,
            make=lambda rows, shared: _output(rows, found.total, shared),
            notice=Notice(understood=" ".join(lucene.mended)),
        )


def query_of(asked: Input) -> Lucene:
    """The Lucene query of a call. Raises `InvalidRequest` where nothing searchable was typed."""
    if len(asked.query) > _LONGEST_QUERY:
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            f"`query` is {len(asked.query):,} characters long; at most {_LONGEST_QUERY:,} can be sent.",
            "Search for the few words that matter most.",
        )
    filters = asked.filters.query if asked.filters else Filters()
    lucene = build(asked.query, filters)
    if isinstance(lucene, Unsearchable):
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            "`query` holds nothing that can be searched for.",
            "Give at least one word, or leave it empty to list everything the filters match.",
        )
    return lucene


def nothing(asked: Input) -> InvalidRequest | NothingFound:
    """The true count is zero: the hint says what to try, never that nothing exists."""
    query = f' for "{inline(clip(asked.query, 120))}"' if asked.query.strip() else ""
    given = asked.filters.model_dump(exclude_none=True) if asked.filters else {}
    if any(given.values()):
        named = ", ".join(f'{key}="{inline(clip(str(value), 80))}"' for key, value in given.items())
        return InvalidRequest(
            Reason.INVALID_FILTER,
            f"No object matches{query} with {named}.",
            "Filter values are exact, case-sensitive index terms. Search again without them, and "
            "take the terms from the rows or records you get.",
        )
    return NothingFound(
        Reason.NO_RESULTS,
        f"No object matches{query}.",
        "Every word is required and OR does not widen: use fewer or other words, or another spelling.",
    )


def _output(rows: Sequence[ObjectRow], total: int, shared: dict[str, Any]) -> Output:
    return Output(objects=list(rows), total_count=total, **shared)


def render(output: Output) -> str:
    lines = headline(output, total=output.total_count, noun="objects")
    return "\n".join([*lines, *(f"- {row_text(row)}" for row in output.objects)])


def row_text(row: ObjectRow) -> str:
    """One line with every fact of a row."""
    facts = [
        f"**{inline(row.title)}**",
        *(inline(part) for part in (row.date, row.object_type) if part),
        f"{row.museum_name} ({row.unit_code})",
        *([f"held by {inline(row.holding_museum_name)}"] if row.holding_museum_name else []),
        f"record_id {row.record_id}",
        f"CC0 metadata: {_yes(row.is_cc0)}",
        f"media: {_yes(row.has_media)}",
        *([row.record_link] if row.record_link else []),
        *([f"thumbnail {row.thumbnail_url}"] if row.thumbnail_url else []),
    ]
    return " | ".join(facts)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
