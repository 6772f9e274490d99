"""smithsonian_browse_category: what one exact category holds, with a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.lines import cell, yes
from heritage_gateway.listing import Listing, Paged, headline
from heritage_gateway.notice import Notice, sentences
from heritage_gateway.paging import Ask
from heritage_gateway.text import inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.advice import UNITS, asked_as
from heritage_smithsonian.catalogue import Catalogue, Rows
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.query import Filters, Lucene
from heritage_smithsonian.record_id import written
from heritage_smithsonian.source import Sourced
from heritage_smithsonian.tools.search_objects import (
    LONGEST_QUERY,
    lucene_of,
    refuse_missing_rows,
    unit_code,
)
from heritage_smithsonian.units import museum_name

CAP = 1000
MOST_UNITS = 1000  # there are some 50
REASONS = (Reason.INVALID_CATEGORY,)
_FIELDS = {
    "museum": "unit_code",
    "culture": "culture",
    "period": "date",
    "medium": "object_type",
    "topic": "topic",
}


class Input(Arguments):
    mode: Literal["museum", "culture", "period", "medium", "topic"]
    value: str = Field(description="Exact index term; for museum a code such as NASM, or its name.")
    rows: Count = Field(10, description="Sample size; at most 1000 are served.")
    start: Offset = Field(0, description="Rows to skip.")


class Sample(BaseModel):
    """An object of the category."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    record_id: str
    title: str
    unit_code: str
    is_cc0: bool
    thumbnail_url: str | None = None
    record_link: str | None = None


class Share(BaseModel):
    """How many of the rows counted belong to one unit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit_code: str
    museum_name: str
    count: int


class Output(Paged, Sourced):
    mode: str
    value: str
    total_count: int = Field(description="Objects in the category.")
    sample_objects: list[Sample]
    museum_breakdown: list[Share] = Field(
        description="Units of the whole category, or an estimate from the rows read here: the notice "
        "says which. Empty for mode museum."
    )


def browse_category(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_browse_category",
        title="Browse a Smithsonian category",
        description=(
            "How many objects one exact category holds, with a page of them: a museum (unit code), a "
            "culture, a period (date term), a medium (object type) or a topic. To combine categories "
            "or add words use smithsonian_search_objects."
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

    async def handle(self, asked: Input) -> Listing[ObjectRow, Output]:
        value, understood = _value(asked)
        lucene = lucene_of("", Filters(**cast(dict[str, Any], {_FIELDS[asked.mode]: value})))
        ask = Ask(asked.start, asked.rows, CAP)
        found = await self.catalogue.search(lucene, start=ask.start, rows=ask.cap)
        if found.total == 0:
            raise InvalidRequest(
                Reason.INVALID_CATEGORY,
                f"No object has {asked_as(lucene.filters[0])}{found.scope}.",
                sentences(
                    understood,
                    await self.catalogue.hint(found, "", lucene),
                    found.origin.sentence,
                ),
            )
        refuse_missing_rows(found, ask)
        breakdown: list[Share] = []
        if asked.mode != "museum":
            breakdown, understood = await self._breakdown(found, lucene)

        def make(rows: Sequence[ObjectRow], shared: dict[str, Any]) -> Output:
            return Output(
                mode=asked.mode,
                value=value,
                total_count=found.total,
                sample_objects=[_sample(row) for row in rows],
                museum_breakdown=breakdown,
                **found.origin.fields,
                **shared,
            )

        return Listing(
            rows=found.rows,
            ask=ask,
            total=found.total,
            make=make,
            notice=Notice(
                failed=" ".join(found.doubts),
                understood=understood.strip(),
                snapshot=found.origin.sentence,
            ),
        )

    async def _breakdown(self, found: Rows, lucene: Lucene) -> tuple[list[Share], str]:
        """Of the whole category where the source counts it, else of the rows read; and which."""
        counted = await self.catalogue.breakdown(found, lucene, UNITS, MOST_UNITS)
        if counted is not None:
            return _shares(counted.counts), _extent(found.total, found.total)
        seen = Counter(row.unit_code for row in found.rows)
        ordered = sorted(seen.items(), key=lambda pair: (-pair[1], pair[0]))
        return _shares(ordered), _extent(len(found.rows), found.total) if ordered else ""


def _extent(read: int, total: int) -> str:
    """What the breakdown was counted from."""
    if read >= total:
        return "museum_breakdown counts the whole category."
    rows = "one row" if read == 1 else f"{read:,} rows"
    return f"museum_breakdown is an estimate from the {rows} read here, not from all {total:,} objects."


def _value(asked: Input) -> tuple[str, str]:
    """The index term of a call. Raises `InvalidRequest` for a blank or an endless one."""
    if not asked.value.strip() or len(asked.value) > LONGEST_QUERY:
        raise InvalidRequest(
            Reason.INVALID_CATEGORY,
            f"`value` is {'blank' if not asked.value.strip() else 'too long for an index term'}.",
            f'smithsonian_list_terms field="{_FIELDS[asked.mode]}" lists values.'
            if asked.mode != "medium"
            else "Take an object_type from a row of smithsonian_search_objects.",
        )
    if asked.mode != "museum":
        return asked.value, ""
    code, said = unit_code(asked.value)
    return code or asked.value, said


def _sample(row: ObjectRow) -> Sample:
    return Sample(
        record_id=row.record_id,
        title=row.title,
        unit_code=row.unit_code,
        is_cc0=row.is_cc0,
        thumbnail_url=row.thumbnail_url,
        record_link=row.record_link,
    )


def _shares(counts: Iterable[tuple[str, int]]) -> list[Share]:
    return [
        Share(unit_code=code, museum_name=museum_name(code), count=count) for code, count in counts
    ]


def render(output: Output) -> str:
    noun = f"objects of {output.mode} {inline(output.value)}"
    lines = [*headline(output, total=output.total_count, noun=noun), *output.source_line]
    lines += [
        f"- breakdown: {inline(share.museum_name)} ({inline(share.unit_code)}) {share.count:,}"
        for share in output.museum_breakdown
    ]
    return "\n".join([*lines, *(f"- {_line(sample)}" for sample in output.sample_objects)])


def _line(sample: Sample) -> str:
    facts = [
        f"**{cell(sample.title)}**",
        cell(sample.unit_code),
        f"record_id {written(sample.record_id)}",
        f"CC0 metadata: {yes(sample.is_cc0)}",
        *([sample.record_link] if sample.record_link else []),
        *([f"thumbnail {sample.thumbnail_url}"] if sample.thumbnail_url else []),
    ]
    return " | ".join(facts)
