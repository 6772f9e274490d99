"""smithsonian_list_terms: the exact index terms that filters take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import NothingFound, Reason
from heritage_gateway.listing import Listing, Paged, headline
from heritage_gateway.notice import Notice
from heritage_gateway.paging import Ask
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.advice import UNITS, terms_listed
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.source import Origin, Sourced
from heritage_smithsonian.units import museum_name, resolve
from heritage_smithsonian.vocabulary import Vocabulary

CAP = 40_000
REASONS = (Reason.NO_TERMS, Reason.MIRROR_REQUIRED)


class Input(Arguments):
    field: Literal[
        "unit_code",
        "culture",
        "place",
        "date",
        "online_media_type",
        "topic",
        "object_type",
        "name",
        "scientific_name",
    ] = Field(description="object_type, name and scientific_name need a local mirror.")
    contains: str | None = Field(
        None,
        description="Part of a term, in any letter case; of a museum's name too for unit_code.",
    )
    rows: Count = Field(50, description="Page size; at most 40000 are served.")
    start: Offset = Field(0, description="Terms to skip.")
    sort: Literal["index", "count"] = Field(
        "index", description="count: the most frequent first; needs a local mirror."
    )


class Output(Paged, Sourced):
    field: str
    terms: list[str] = Field(description="Exact values for filters, in the order asked.")
    total: int = Field(description="Terms that match.")
    labels: dict[str, str] | None = Field(
        None, description="Museum name of each unit code on this page."
    )
    counts: dict[str, int] | None = Field(
        None, description="Objects that carry each term; only from a local mirror."
    )


def list_terms(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_list_terms",
        title="List Smithsonian index terms",
        description=(
            "The exact terms that filters of smithsonian_search_objects take: unit codes with museum "
            "names, cultures, places, dates, media types, topics. Use contains to find a term. A term "
            "may be listed although no retrievable object carries it. On a server with a local mirror "
            "also object types, names and scientific names, with the number of objects of each."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_List(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _List:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Listing[str, Output]:
        answer = await self.catalogue.terms(asked.field, counted=asked.sort == "count")
        vocabulary = answer.value
        if not vocabulary:
            raise _empty(asked.field, answer.origin)
        terms = terms_listed(asked.field, vocabulary, asked.contains or "")
        if asked.sort == "count":
            terms = vocabulary.by_count(terms)
        ask = Ask(asked.start, asked.rows, CAP, noun="terms")
        return Listing(
            rows=terms[ask.start : ask.start + ask.cap],
            ask=ask,
            total=len(terms),
            make=lambda rows, shared: Output(
                field=asked.field,
                terms=list(rows),
                total=len(terms),
                labels=_labels(asked.field, rows),
                counts=_counts(vocabulary, rows),
                **answer.origin.fields,
                **shared,
            ),
            notice=Notice(
                understood="" if terms else _none(vocabulary, asked),
                snapshot=answer.origin.sentence,
            ),
        )


def _empty(field: str, origin: Origin) -> NothingFound:
    """The live API is not believed so much; a mirror of some units may well lack all terms."""
    if origin.snapshot is not None:
        said = f"No object of the local mirror has a term of {field}."
        return NothingFound(Reason.NO_TERMS, said, origin.sentence)
    return NothingFound(
        Reason.NO_TERMS,
        f"The catalogue lists no term of {field} just now.",
        "A whole vocabulary without a term is likely a passing fault: call again in a minute.",
    )


def _none(vocabulary: Vocabulary, asked: Input) -> str:
    """No term is a fact about the vocabulary, and the catalogue may still hold the word in texts."""
    part = asked.contains or ""
    said = f'None of {len(vocabulary):,} terms of {asked.field} holds "{inline(clip(part, 80))}".'
    if asked.field == UNITS:
        meant = [code for code in resolve(part).candidates if code in vocabulary]
        if meant:
            named = ", ".join(f"{code} ({museum_name(code)})" for code in meant)
            return f"{said} Units known by that name: {named}."
        return f'{said} smithsonian_list_terms field="{UNITS}" lists them all, with their names.'
    neighbour = vocabulary.tightest(part)
    if neighbour is not None and not neighbour.is_crowded:
        return f'{said} contains="{neighbour.text}" lists {neighbour.count:,}.'
    return f"{said} smithsonian_search_objects finds words in whole records."


def _labels(field: str, rows: Sequence[str]) -> dict[str, str] | None:
    return ({code: museum_name(code) for code in rows} if field == UNITS else None) or None


def _counts(vocabulary: Vocabulary, rows: Sequence[str]) -> dict[str, int] | None:
    return {term: vocabulary.count(term) or 0 for term in rows} if vocabulary.counts else None


def render(output: Output) -> str:
    lines = headline(output, total=output.total, noun=f"terms of {output.field}")
    labels, counts = output.labels or {}, output.counts or {}
    terms = (
        f"- {inline(term)}"
        + (f": {inline(labels[term])}" if term in labels else "")
        + (f" ({counts[term]:,})" if term in counts else "")
        for term in output.terms
    )
    return "\n".join([*lines, *output.source_line, *terms])
