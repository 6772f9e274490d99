"""smithsonian_find_related: objects that share culture, person, topic or period with one object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import Reason
from heritage_gateway.lines import cell, json_line, yes
from heritage_gateway.listing import Listing, Paged
from heritage_gateway.notice import Notice
from heritage_gateway.paging import Ask
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.normalise import object_row
from heritage_smithsonian.record_id import written
from heritage_smithsonian.signals import Signal, signals
from heritage_smithsonian.source import Origin, Sourced
from heritage_smithsonian.walk import DEPTH, Relative, Walk

CAP = 1000
REASONS = (Reason.NOT_FOUND, Reason.INVALID_ID)


class Input(Arguments):
    id: str = Field(description="record_id from a search row.")
    limit: Count = Field(10, description="Page size; at most 1000 are served.")
    start: Offset = Field(0, description="Objects to skip.")


class Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Anchor(Shape):
    record_id: str
    title: str
    unit_code: str
    record_link: str | None = None


class Related(Shape):
    record_id: str
    title: str
    unit_code: str
    museum_name: str
    holding_museum_name: str | None = None
    is_cc0: bool
    thumbnail_url: str | None = None
    record_link: str | None = None
    similarity_signals: list[str]


class ContinuedFilters(Shape):
    culture: str | None = None
    name: str | None = None
    topic: str | None = None
    date: str | None = None
    object_type: str | None = None


class Continuation(Shape):
    """Input of smithsonian_search_objects."""

    query: str
    filters: ContinuedFilters | None = None


class Answered(Shape):
    signal: str
    row_count: int = Field(description="Objects in the catalogue that share it, this one included.")
    search_continuation: Continuation = Field(
        description="Input of smithsonian_search_objects that lists them all."
    )


class Output(Paged, Sourced):
    anchor: Anchor
    related: list[Related]
    search_signals_used: list[str] = Field(description="Signals that were asked, failed ones too.")
    signals: list[Answered] = Field(description="Signals that answered.")


def find_related(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_find_related",
        title="Find related Smithsonian objects",
        description=(
            "Objects that share culture, named person, topic, or period and type with one object, "
            "interleaved so that every signal contributes; each row says which it shares. Each "
            "signal comes with the search that lists all of its objects."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Find(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Find:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Listing[Relative, Output]:
        found = await self.catalogue.record(asked.id)
        anchor, wanted = object_row(found.value), signals(found.value)
        ask = Ask(asked.start, asked.limit, CAP, rows_name="limit")
        relatives = await self.catalogue.walk(found.value, wanted, afresh=not ask.start)
        walk, told = relatives.value, _origin(found.origin, relatives.origin)
        known: Sequence[Relative] = ()
        beyond = bool(wanted) and ask.start > 0 and ask.start >= walk.ceiling
        if not beyond:
            known = await walk.upto(ask.start + ask.cap + 1)
        ended = len(known) <= ask.start + ask.cap
        return Listing(
            rows=known[ask.start : ask.start + ask.cap],
            ask=ask,
            total=len(known),
            make=lambda rows, shared: _output(anchor, wanted, walk, rows, {**told, **shared}),
            notice=Notice(
                failed=_failed(walk, ask),
                withheld=_beyond(ask, walk) if beyond else "",
                understood=_end(walk) if ended and not beyond else "",
                snapshot=_provenance(found.origin, relatives.origin),
            ),
            ceiling=None if ended and not beyond else walk.ceiling,
        )


def _origin(anchor: Origin, relatives: Origin) -> dict[str, Any]:
    """The anchor may be newer than the mirror that lists its relatives, or the other way round."""
    origins = {origin.name: origin for origin in (anchor, relatives)}
    if not any(origin.said for origin in origins.values()):
        return {}
    moments = (origin.moment for origin in origins.values())
    return {"sources": tuple(origins), "mirror_snapshot": next(filter(None, moments), None)}


def _provenance(anchor: Origin, relatives: Origin) -> str:
    """What the notice says of both."""
    if anchor.name == relatives.name:
        return relatives.sentence or anchor.sentence
    if relatives.snapshot is not None:
        return f"{relatives.sentence} The record itself is from the live API."
    said = "Of this, the record itself alone is from the mirror; the live API listed its relatives."
    return " ".join(filter(None, (relatives.why, anchor.sentence, said)))


def _failed(walk: Walk, ask: Ask) -> str:
    said = [
        f'The signal "{inline(clip(label, 120))}" failed and is left out: {error.message}'
        for label, error in walk.failures.items()
    ]
    if said and ask.start:
        said.append(
            "If earlier pages listed it, objects may come twice or be missing: begin again with start=0."
        )
    elif said:
        said.append("A later call with start=0 asks it again.")
    said += [doubt for stream in walk.streams for doubt in stream.doubts]
    return " ".join(said)


def _end(walk: Walk) -> str:
    """What the end of the list does not mean."""
    if not walk.streams:
        return _no_signal()
    cut = [stream for stream in walk.streams if stream.is_cut]
    if cut:
        named = ", ".join(f'"{inline(clip(stream.signal.label, 120))}"' for stream in cut)
        return (
            f"Only the first {DEPTH:,} objects of {named} are in this list; "
            "search_continuation lists the others."
        )
    if not walk.merged:
        alone = "These signals find" if len(walk.streams) > 1 else "This signal finds"
        said = f"{alone} no object but this one. Words of its title may find others by search."
        if walk.anchor.startswith("ead_"):
            said += (
                " Searches cover museum objects; folders and boxes of archives do not show in them."
            )
        return said
    return ""


def _beyond(ask: Ask, walk: Walk) -> str:
    return (
        f"start={ask.start} lies past the end: the list is at most {walk.ceiling:,} long, "
        f"so the last valid start is {max(walk.ceiling - 1, 0)} at most."
    )


def _no_signal() -> str:
    return (
        "The record names no culture, party or topic, and no date with an object type, so there is "
        "nothing to relate it by. smithsonian_search_objects can look for words of its title."
    )


def _output(
    anchor: ObjectRow,
    wanted: Sequence[Signal],
    walk: Walk,
    rows: Sequence[Relative],
    shared: dict[str, Any],
) -> Output:
    return Output(
        anchor=Anchor(
            record_id=anchor.record_id,
            title=anchor.title,
            unit_code=anchor.unit_code,
            record_link=anchor.record_link,
        ),
        related=[_related(relative) for relative in rows],
        search_signals_used=[signal.label for signal in wanted],
        signals=[_answered(stream.signal, stream.total) for stream in walk.streams],
        **shared,
    )


def _related(relative: Relative) -> Related:
    row = relative.row
    return Related(
        record_id=row.record_id,
        title=row.title,
        unit_code=row.unit_code,
        museum_name=row.museum_name,
        holding_museum_name=row.holding_museum_name,
        is_cc0=row.is_cc0,
        thumbnail_url=row.thumbnail_url,
        record_link=row.record_link,
        similarity_signals=list(relative.signals),
    )


def _answered(signal: Signal, total: int) -> Answered:
    given = {term.field: term.value for term in signal.filters.terms()}
    filters = ContinuedFilters(**given) if given else None
    return Answered(
        signal=signal.label,
        row_count=total,
        search_continuation=Continuation(query=signal.query, filters=filters),
    )


def render(output: Output) -> str:
    return "\n".join(_lines(output))


def _lines(output: Output) -> Iterator[str]:
    anchor = output.anchor
    more = "more remain" if output.truncated else "the list ends here"
    yield (
        f"Related to **{inline(anchor.title)}** ({inline(anchor.unit_code)}, "
        f"record_id {written(anchor.record_id)}"
        f"{', ' + anchor.record_link if anchor.record_link else ''}): {output.shown or 0:,} shown"
        f"{f', page size {output.cap:,}' if output.cap is not None else ''}; {more}."
    )
    if output.truncation_ceiling is not None:
        yield f"At most {output.truncation_ceiling:,} can be listed."
    if output.notice:
        yield f"Notice: {output.notice}"
    yield from output.source_line
    yield f"Signals asked: {'; '.join(map(inline, output.search_signals_used)) or 'none'}"
    for signal in output.signals:
        asked = signal.search_continuation.model_dump_json(exclude_none=True)
        yield (
            f"- {inline(signal.signal)}: {_objects(signal.row_count)}, "
            f"smithsonian_search_objects {json_line(asked)}"
        )
    for row in output.related:
        yield f"- {' | '.join(_facts(row))}"


def _objects(count: int) -> str:
    return f"{count:,} object{'s' * (count != 1)}"


def _facts(row: Related) -> Iterator[str]:
    yield f"**{cell(row.title)}**"
    yield f"{cell(row.museum_name)} ({cell(row.unit_code)})"
    if row.holding_museum_name:
        yield f"held by {cell(row.holding_museum_name)}"
    yield f"shares {'; '.join(map(cell, row.similarity_signals))}"
    yield f"record_id {written(row.record_id)}"
    yield f"CC0 metadata: {yes(row.is_cc0)}"
    if row.record_link:
        yield row.record_link
    if row.thumbnail_url:
        yield f"thumbnail {row.thumbnail_url}"
