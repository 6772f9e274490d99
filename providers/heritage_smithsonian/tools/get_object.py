"""smithsonian_get_object: one whole record, normalised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from heritage_gateway.errors import Reason
from heritage_gateway.lines import labelled, listed, yes
from heritage_gateway.notice import Notice
from heritage_gateway.section import Record, SectionArguments, Sectioned, refuse_unknown_section
from heritage_gateway.text import block, inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.models import Labelled, MediaSummary, ObjectRecord, Taxonomy
from heritage_smithsonian.normalise import object_record
from heritage_smithsonian.record_id import written
from heritage_smithsonian.source import Sourced

REASONS = (Reason.NOT_FOUND, Reason.INVALID_ID)

# Everything that may be long; the rest of a record is short by nature.
SECTIONS = (
    "title",
    "description",
    "dates",
    "makers",
    "materials",
    "dimensions",
    "place",
    "culture",
    "topics",
    "notes",
    "other",
    "scientific_names",
    "coordinates",
    "exhibitions",
    "identifiers",
    "credit_line",
    "object_rights",
    "media_summary.non_image_media",
)


class Input(SectionArguments):
    id: str = Field(description="record_id from a search row.")


class Output(ObjectRecord, Sectioned, Sourced):
    """The record, with what was left out of it."""


def get_object(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_get_object",
        title="Get a Smithsonian object",
        description=(
            "The whole record of one object: dates, makers, materials, places, notes, identifiers, "
            "rights, and what media it has. Costs no request after a search that showed the object."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Get(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Get:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Record[Output]:
        refuse_unknown_section(asked, SECTIONS)
        found = await self.catalogue.record(asked.id)
        record = object_record(found.value)
        return Record(
            whole=Output(**dict(record), **found.origin.fields),
            sections=SECTIONS,
            call=f'smithsonian_get_object id="{written(record.record_id)}"',
            asked=asked,
            notice=Notice(snapshot=found.origin.sentence),
        )


def render(output: Output) -> str:
    return "\n".join([*_head(output), *_facts(output), *_rights(output), *_prose(output)])


def _head(output: Output) -> Iterator[str]:
    yield f"# {inline(output.title)}"
    if output.notice:
        yield f"Notice: {output.notice}"
    yield from output.source_line
    yield f"- record_id: {written(output.record_id)}"
    yield f"- museum: {inline(output.museum_name)} ({inline(output.unit_code)})"
    if output.holding_museum_name:
        yield f"- held by: {inline(output.holding_museum_name)}"


def _facts(output: Output) -> Iterator[str]:
    yield from _labelled("date", output.dates)
    yield from (f"- {inline(maker.role)}: {inline(maker.name)}" for maker in output.makers)
    yield from listed("materials", output.materials)
    yield from listed("dimensions", output.dimensions)
    yield from _labelled("place", output.place)
    yield from listed("culture", output.culture)
    yield from listed("topics", output.topics)
    yield from listed("scientific names", output.scientific_names)
    yield from _ranks(output.taxonomy)
    for point in output.coordinates:
        locality = f", {inline(point.locality)}" if point.locality else ""
        yield f"- coordinates: {point.latitude}, {point.longitude}{locality}"
    for show in output.exhibitions:
        building = f" ({inline(show.building)})" if show.building else ""
        yield f"- exhibition: {inline(show.name)}{building}"
    yield from _labelled("identifier", output.identifiers)


def _rights(output: Output) -> Iterator[str]:
    if output.credit_line:
        yield f"- credit line: {inline(output.credit_line)}"
    if output.object_rights:
        yield f"- rights of the object: {inline(output.object_rights)}"
    if output.rights:
        yield f"- may it be used: {output.rights.told}"
    yield f"- metadata is CC0: {yes(output.is_cc0)}"
    if output.record_link:
        yield f"- link: {output.record_link}"
    yield from _media(output.media_summary)


def _prose(output: Output) -> Iterator[str]:
    if output.description:
        yield f"Description:\n{block(output.description)}"
    yield from labelled("Notes:", ((note.label, note.content) for note in output.notes))
    yield from labelled("Also recorded:", ((entry.label, entry.value) for entry in output.other))


def _labelled(kind: str, entries: Sequence[Labelled]) -> Iterator[str]:
    for entry in entries:
        yield f"- {kind} ({inline(entry.label)}): {inline(entry.value)}"


def _ranks(taxonomy: Taxonomy | None) -> Iterator[str]:
    if taxonomy is not None:
        ranks = taxonomy.model_dump(by_alias=True, exclude_none=True)
        yield from (
            f"- taxonomy, {rank}: {'; '.join(map(inline, names))}" for rank, names in ranks.items()
        )


def _media(media: MediaSummary) -> Iterator[str]:
    yield (
        f"- media: {media.count} in all, {media.cc0_image_count} CC0 images "
        f"(any: {yes(media.has_cc0_images)})"
    )
    if media.thumbnail_url:
        yield f"- thumbnail: {media.thumbnail_url}"
    for other in media.non_image_media:
        yield f"- other media: {inline(other.type)}, CC0 {yes(other.is_cc0)}" + (
            f", {other.url}" if other.url else ""
        )
