"""libofcongress_search_subjects: the Library of Congress Subject Headings for words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from heritage_gateway.arguments import NO_BOOLEAN, Arguments
from heritage_gateway.errors import RateLimited, UpstreamBlocked, UpstreamError
from heritage_gateway.http import Dated
from heritage_gateway.lines import cell
from heritage_gateway.notice import Notice
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Output as ToolOutput
from heritage_gateway.tool import Tool
from heritage_loc.catalogue import Catalogue
from heritage_loc.linked_data import POOL
from heritage_loc.models import SubjectRow
from heritage_loc.normalise import Paging, Suggestions, suggest1, suggest2
from heritage_loc.pages import Numbered
from heritage_loc.tools.bounds import PageNumber, searchable


class Input(Arguments):
    query: Annotated[
        str, Field(min_length=1, description="Plain words: movies, world war ii, folk songs.")
    ]
    limit: Annotated[int, Field(ge=1, le=POOL), NO_BOOLEAN] = 10
    page: PageNumber = 1


class Output(ToolOutput):
    subjects: list[SubjectRow]
    total: int = Field(description="Headings on this page.")
    total_matches: int | None = Field(None, description="Headings that match, where known.")
    page: int
    effectiveQuery: str = Field(description="The query as sent.")  # noqa: N815
    truncated: bool | None = None
    shown: int | None = None
    cap: int | None = None
    notice: str | None = None


def search_subjects(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_search_subjects",
        title="Search Library of Congress Subject Headings",
        description=(
            "Find the subject heading for plain words, also through its see-from terms. The label is "
            "input for subject of libofcongress_search, the uri for libofcongress_get_subject. Only "
            "subject headings, no names of persons."
        ),
        input=Input,
        output=Output,
        reasons=(),
        handle=_Search(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A page of headings out of a pool; `known` counts those that can be paged to."""

    rows: tuple[SubjectRow, ...]
    pool: Suggestions
    known: int
    said: str


@dataclass(frozen=True, slots=True)
class _Search:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Numbered[SubjectRow, Output]:
        words = " ".join(searchable(asked.query).split())
        found = await self._found(words, asked)
        said = [found.said]
        if not found.known and (stems := _stems(words)) != words:
            wider = await self._found(stems, asked)
            if wider.known:
                found, words = wider, stems
                said = [
                    found.said,
                    f'No heading has these words; "{inline(stems)}", taken as beginnings of words, finds these.',
                ]

        def make(shown: Sequence[SubjectRow], shared: dict[str, Any]) -> Output:
            return Output(
                subjects=list(shown),
                total=len(shown),
                total_matches=found.pool.total,
                page=asked.page,
                effectiveQuery=words,
                truncated=shared["has_next"],
                shown=len(shown),
                cap=shared.get("cap", asked.limit),
                notice=shared["notice"],
            )

        return Numbered(
            rows=found.rows,
            paging=Paging(found.known, asked.page, asked.limit, len(found.rows)),
            limit=asked.limit,
            make=make,
            notice=Notice(
                failed=" ".join(filter(None, said)), understood=_of_the_pool(asked, found.pool)
            ),
            noun="headings",
        )

    async def _found(self, words: str, asked: Input) -> _Found:
        """The page's rows; the older service where the newer one fails."""
        start = (asked.page - 1) * asked.limit
        try:
            return await self._pooled(words, start, start + asked.limit)
        except (RateLimited, UpstreamBlocked):
            raise  # the whole host has said stop
        except UpstreamError:
            older: Dated[tuple[object, ...]] = await self.catalogue.subjects.suggest_older(words)
        pool = suggest1(list(older.value)) or Suggestions(())
        rows = _ranked(pool.rows, words)[start : start + asked.limit]
        said = "The newer service failed, so the older one was asked, which gives fewer headings."
        return _Found(tuple(rows), pool, len(pool.rows), said)

    async def _pooled(self, words: str, start: int, end: int) -> _Found:
        """Rows `start` to `end` of all pools, each ranked in itself, so that pages never overlap."""
        rows: list[SubjectRow] = []
        pool = Suggestions(())
        for offset in range(start - start % POOL, end, POOL):
            dated = await self.catalogue.subjects.suggest(words, offset=offset)
            pool = suggest2(dated.value) or Suggestions(())
            rows += _ranked(pool.rows, words)[max(0, start - offset) : end - offset]
            known, given = pool.total or 0, offset + len(pool.rows) + pool.dropped
            if given < min(known, offset + POOL):  # it counts headings that it does not give
                said = f"The service counts {known:,} headings and does not give those after {given:,}."
                return _Found(tuple(rows), pool, given, said)
            if known <= offset + POOL:
                break
        return _Found(tuple(rows), pool, pool.total or 0, "")


def _stems(words: str) -> str:
    """Words are matched as beginnings, so the singular finds more than the plural."""
    return " ".join(_stem(word) for word in words.split())


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-2]  # "movi", as "mov" would find movements
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _ranked(rows: Sequence[SubjectRow], words: str) -> list[SubjectRow]:
    """The heading that is the words themselves comes first, then plain before subdivided ones."""
    wanted = words.casefold()

    def rank(row: SubjectRow) -> int:
        if wanted in {row.label.casefold(), (row.matched_variant or "").casefold()}:
            return 0
        return 2 if "--" in row.label else 1

    return sorted(rows, key=rank)


def _of_the_pool(asked: Input, found: Suggestions) -> str:
    """Why there are none or few: a full pool of the older service may hide more."""
    query = inline(clip(asked.query, 80))
    if not found.rows and found.full:
        return (
            f'The pool of {POOL} candidates for "{query}" held no subject heading, only names and '
            "others; more may match. Try a narrower query."
        )
    if not found.rows and not found.total:
        return (
            f'No subject heading holds all words of "{query}". Try one word, or a more general one.'
        )
    if found.full:
        return "More headings may match than the pool held: try a narrower query."
    return ""


def render(output: Output) -> str:
    matches = f" of {output.total_matches:,}" if output.total_matches is not None else ""
    lines = [
        (
            f'{output.total}{matches} subject headings for "{inline(output.effectiveQuery)}", page '
            f"{output.page}, page size {output.cap}; "
            f"{'more follow' if output.truncated else 'no more follow'}."
        )
    ]
    if output.notice:
        lines.append(f"Notice: {output.notice}")
    for row in output.subjects:
        via = f" | found through: {cell(row.matched_variant)}" if row.matched_variant else ""
        lines.append(f"- {cell(row.label)} | {row.uri}{via}")
    return "\n".join(lines)
