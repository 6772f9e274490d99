"""libofcongress_browse_collections: the curated collections, each of which can be searched alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from heritage_gateway.arguments import Arguments
from heritage_gateway.errors import Reason
from heritage_gateway.lines import cell
from heritage_gateway.notice import Notice
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_loc.catalogue import Catalogue
from heritage_loc.models import CollectionRow
from heritage_loc.normalise import Paging
from heritage_loc.pages import Numbered, Paged, headline
from heritage_loc.passages import fold
from heritage_loc.tools.bounds import Limit, PageNumber
from heritage_loc.wire import Raw, items, mapping, number

REASONS = (Reason.RATE_LIMIT_EXCEEDED,)


class Input(Arguments):
    query: str | None = Field(None, description="Words, all of which a title or description holds.")
    limit: Limit = 25
    page: PageNumber = 1


class Output(Paged):
    collections: list[CollectionRow]


def browse_collections(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_browse_collections",
        title="Browse Library of Congress collections",
        description=(
            "The curated digital collections of the Library of Congress, with size and formats. The "
            "slug of one limits libofcongress_search to it; slugs cannot be derived from titles."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Browse(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Browse:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Numbered[CollectionRow, Output]:
        collections, dated = await self.catalogue.collections()
        words = [fold(word) for word in (asked.query or "").split()]
        matching = [row for row in collections if _holds(row, words)]
        start = (asked.page - 1) * asked.limit
        rows = matching[start : start + asked.limit]
        paging = Paging(len(matching), asked.page, asked.limit, len(rows))

        def make(shown: Sequence[CollectionRow], shared: dict[str, Any]) -> Output:
            return Output(collections=list(shown), **shared)

        return Numbered(
            rows=rows,
            paging=paging,
            limit=asked.limit,
            make=make,
            notice=Notice(
                failed=_partial(dated.value),
                understood="" if matching else _none(asked.query or "", len(collections)),
            ),
            noun="collections",
        )


def _holds(row: CollectionRow, words: Sequence[str]) -> bool:
    text = fold(f"{row.title} {row.description or ''} {row.slug.replace('-', ' ')}")
    return all(word in text for word in words)


def _partial(body: Raw) -> str:
    """A list that lacks collections, whether they match or not."""
    sent = len(items(body.get("results")))
    counted = number(mapping(body.get("pagination")).get("of")) or 0
    if counted <= sent:
        return ""
    return f"The Library of Congress sent only {sent:,} of its {counted:,} collections just now."


def _none(query: str, count: int) -> str:
    return (
        f'None of the {count:,} collections holds "{inline(clip(query, 80))}" in its title or '
        "description. libofcongress_search looks into the items of all of them."
    )


def render(output: Output) -> str:
    lines = headline(output, "collections")
    return "\n".join([*lines, *(f"- {' | '.join(_facts(row))}" for row in output.collections)])


def _facts(row: CollectionRow) -> list[str]:
    return [
        f"**{cell(row.title)}**",
        f"slug {row.slug}",
        *([f"{row.item_count:,} items"] if row.item_count is not None else []),
        *([f"formats {', '.join(row.formats)}"] if row.formats else []),
        row.url,
        *([cell(row.description)] if row.description else []),
    ]
