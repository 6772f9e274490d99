"""libofcongress_get_item: one whole record of the Library's catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from heritage_gateway.errors import Reason
from heritage_gateway.lines import labelled, listed, yes
from heritage_gateway.section import Record, SectionArguments, Sectioned, refuse_unknown_section
from heritage_gateway.text import block, inline
from heritage_gateway.tool import Tool
from heritage_loc.address import item_id
from heritage_loc.catalogue import Catalogue
from heritage_loc.models import ItemRecord

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
        refuse_unknown_section(asked, SECTIONS)
        record, _ = await self.catalogue.item(item_id(asked.item_id))
        return Record(
            whole=Output(**dict(record)),
            sections=SECTIONS,
            call=f'libofcongress_get_item item_id="{record.item_id}"',
            asked=asked,
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
    yield from listed("contributors", output.contributors)
    yield from listed("subject headings", output.subject_headings)
    yield from listed("genres", output.genres)
    yield from listed("other titles", output.other_titles)
    yield from listed("languages", output.languages)
    yield from listed("locations", output.locations)
    yield from listed("original formats", output.original_formats)
    yield from listed("online formats", output.online_formats)
    yield from listed("former ids", output.former_ids)
    yield from listed("part of", output.part_of)
    single = {
        "physical description": output.physical_description,
        "call number": output.call_number,
        "repository": output.repository,
        "rights": output.rights_information,
        "access advisory": output.access_advisory,
    }
    yield from (f"- {name}: {inline(value)}" for name, value in single.items() if value)
    if output.rights:
        yield f"- may it be used: {output.rights.told}"
    if output.access_restricted is not None:
        yield f"- access restricted: {yes(output.access_restricted)}"
    if output.notes:
        yield "Notes:"
    yield from (f"- {inline(note)}" for note in output.notes)
    yield from labelled("Also recorded:", ((entry.label, entry.value) for entry in output.other))
    yield from labelled("Citations:", ((entry.label, entry.value) for entry in output.citations))


def _files(output: Output) -> Iterator[str]:
    if output.resource_links:
        yield "Files and pages:"
    yield from (f"- {link}" for link in output.resource_links)
    yield from listed("related items", output.related_items)
