"""libofcongress_get_item: one whole record of the Library's catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.notice import Notice
from heritage_gateway.section import Record, SectionArguments, Sectioned
from heritage_gateway.text import block, inline
from heritage_gateway.tool import Tool
from heritage_loc.address import item_id
from heritage_loc.catalogue import Catalogue
from heritage_loc.freshness import said_of_age
from heritage_loc.models import ItemRecord, Labelled

REASONS = (Reason.ITEM_NOT_FOUND, Reason.RATE_LIMIT_EXCEEDED)
SECTIONS = (
    "title",
    "summary",
    "contributors",
    "subject_headings",
    "notes",
    "rights_information",
    "physical_description",
    "languages",
    "locations",
    "former_ids",
    "other_titles",
    "genres",
    "part_of",
    "other",
    "citations",
    "resource_links",
    "related_items",
)


class Input(SectionArguments):
    item_id: str = Field(min_length=1, description="id of a row whose is_item is true.")


class Output(ItemRecord, Sectioned):
    """The record, with what was left out of it."""


def get_item(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_get_item",
        title="Get a Library of Congress item",
        description=(
            "The whole record of one item: contributors with roles, subject headings, notes, rights, "
            "call number, former ids, files and related items. For the text of a newspaper page use "
            "libofcongress_get_newspaper_page."
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
        if asked.section is not None and asked.section not in SECTIONS:
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                f'"{inline(asked.section[:80])}" is not a section of a record.',
                f"Sections: {', '.join(SECTIONS)}.",
            )
        record, dated = await self.catalogue.item(item_id(asked.item_id))
        return Record(
            whole=Output(**dict(record)),
            sections=SECTIONS,
            call=f'libofcongress_get_item item_id="{record.item_id}"',
            asked=asked,
            notice=Notice(failed=said_of_age(dated)),
        )


def render(output: Output) -> str:
    return "\n".join([*_head(output), *_facts(output), *_files(output)])


def _head(output: Output) -> Iterator[str]:
    yield f"# {inline(output.title)}"
    if output.notice:
        yield f"Notice: {output.notice}"
    yield f"- item_id: {inline(output.item_id)}"
    yield f"- link: {output.url}"
    if output.date:
        yield f"- date: {inline(output.date)}"
    if output.created_published:
        yield f"- created or published: {inline(output.created_published)}"
    if output.summary:
        yield f"Summary:\n{block(output.summary)}"


def _facts(output: Output) -> Iterator[str]:
    yield from _listed("contributors", output.contributors)
    yield from _listed("subject headings", output.subject_headings)
    yield from _listed("genres", output.genres)
    yield from _listed("other titles", output.other_titles)
    yield from _listed("languages", output.languages)
    yield from _listed("locations", output.locations)
    yield from _listed("original formats", output.original_formats)
    yield from _listed("online formats", output.online_formats)
    yield from _listed("former ids", output.former_ids)
    yield from _listed("part of", output.part_of)
    single = {
        "physical description": output.physical_description,
        "call number": output.call_number,
        "repository": output.repository,
        "rights": output.rights_information,
        "access advisory": output.access_advisory,
    }
    yield from (f"- {name}: {inline(value)}" for name, value in single.items() if value)
    if output.access_restricted is not None:
        yield f"- access restricted: {'yes' if output.access_restricted else 'no'}"
    if output.notes:
        yield "Notes:"
    yield from (f"- {inline(note)}" for note in output.notes)
    yield from _labelled("Also recorded:", output.other)
    yield from _labelled("Citations:", output.citations)


def _files(output: Output) -> Iterator[str]:
    if output.resource_links:
        yield "Files and pages:"
    yield from (f"- {link}" for link in output.resource_links)
    yield from _listed("related items", output.related_items)


def _listed(kind: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"- {kind}: {'; '.join(map(inline, entries))}"


def _labelled(heading: str, entries: Sequence[Labelled]) -> Iterator[str]:
    if entries:
        yield heading
    yield from (f"- {inline(entry.label)}: {inline(entry.value)}" for entry in entries)
