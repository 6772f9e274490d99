"""smithsonian_get_media: the CC0 images of one object, in every size there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from heritage_gateway.errors import NothingFound, Reason, Refused
from heritage_gateway.lines import cell, yes
from heritage_gateway.notice import Notice
from heritage_gateway.section import Record, SectionArguments, Sectioned, refuse_unknown_section
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Tool
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.media import Medium, images, media
from heritage_smithsonian.models import MediaImage, ObjectRow, Rendition
from heritage_smithsonian.normalise import object_row
from heritage_smithsonian.record_id import written
from heritage_smithsonian.source import Origin, Sourced

REASONS = (
    Reason.NOT_FOUND,
    Reason.NO_MEDIA,
    Reason.NO_IMAGES,
    Reason.NOT_CC0,
    Reason.INVALID_ID,
)
SECTIONS = ("title", "images")


class Input(SectionArguments):
    id: str = Field(description="record_id from a search row.")


class Output(Sectioned, Sourced):
    record_id: str
    title: str
    is_cc0: bool = Field(description="Licence of the metadata; each image has its own.")
    record_link: str | None = Field(None, description="Page for people.")
    images: list[MediaImage] = Field(description="CC0 images, in catalogue order.")


def get_media(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="smithsonian_get_media",
        title="Get Smithsonian images",
        description=(
            "The images of one object that are free to use (CC0): thumbnail, screen size, "
            "high-resolution JPEG and TIFF, with alt text. Other media (3D, scanned books) are in "
            "smithsonian_get_object."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Media(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Media:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Record[Output]:
        refuse_unknown_section(asked, SECTIONS)
        found = await self.catalogue.record(asked.id)
        row, listed = object_row(found.value), media(found.value)
        free = images(listed)
        if not free:
            raise no_image(row, listed, found.origin)
        withheld = sum(medium.is_image for medium in listed) - len(free)
        return Record(
            whole=Output(
                record_id=row.record_id,
                title=row.title,
                is_cc0=row.is_cc0,
                record_link=row.record_link,
                images=list(free),
                shortened=None,
                notice=None,
                **found.origin.fields,
            ),
            sections=SECTIONS,
            never_empty=("images",),
            call=f'smithsonian_get_media id="{written(row.record_id)}"',
            asked=asked,
            notice=Notice(
                failed=_withheld(withheld),
                understood=_past_end(asked, len(free)),
                snapshot=found.origin.sentence,
            ),
        )


def _withheld(count: int) -> str:
    if not count:
        return ""
    return f"{count} more image{'s are' if count > 1 else ' is'} not CC0 and left out."


def _past_end(asked: Input, count: int) -> str:
    if asked.section != "images" or asked.offset < count:
        return ""
    return f"offset={asked.offset} lies past the end; the last valid offset is {count - 1}."


def no_image(row: ObjectRow, media: Sequence[Medium], origin: Origin) -> NothingFound | Refused:
    """Never an empty list: digitised or not, of which kind, and free or not are three answers."""
    title = f'"{inline(clip(row.title, 200))}"'
    dated = f" {origin.sentence}" if origin.sentence else ""
    if not media:
        return NothingFound(
            Reason.NO_MEDIA,
            f"{title} has no media in the catalogue.",
            "Search with cc0_only for similar objects that have images."
            + (f" Its page is {row.record_link}." if row.record_link else "")
            + dated,
        )
    if not any(medium.is_image for medium in media):
        kinds = ", ".join(dict.fromkeys(inline(clip(medium.kind, 80)) for medium in media))
        return NothingFound(
            Reason.NO_IMAGES,
            f"{title} has no images, but other media: {kinds}.",
            f'smithsonian_get_object id="{written(row.record_id)}" lists them with their addresses.'
            + dated,
        )
    return Refused(
        Reason.NOT_CC0,
        f"The images of {title} are not CC0.",
        "Read the terms on its page"
        + (f", {row.record_link}" if row.record_link else "")
        + ", or search with cc0_only for images that are free to use."
        + dated,
    )


def render(output: Output) -> str:
    return "\n".join(_lines(output))


def _lines(output: Output) -> Iterator[str]:
    count, offset = len(output.images), 0
    for told in output.shortened or []:
        if told.section == "images":
            count, offset = told.total, told.offset
    yield f"# {inline(output.title)}: {count} CC0 image{'s' * (count != 1)}"
    if output.notice:
        yield f"Notice: {output.notice}"
    yield from output.source_line
    yield f"- record_id: {written(output.record_id)}"
    yield f"- metadata is CC0: {yes(output.is_cc0)}"
    if output.record_link:
        yield f"- link: {output.record_link}"
    for number, image in enumerate(output.images, offset + 1):
        yield f"{number}. {' | '.join(_facts(image))}"


def _facts(image: MediaImage) -> Iterator[str]:
    yield f"media_id {cell(image.media_id)}"
    yield f"CC0: {yes(image.is_cc0)}"
    if image.rights:
        yield f"may it be used: {image.rights.told}"
    if image.alt_text:
        yield f"alt text: {cell(image.alt_text)}"
    if image.description:
        yield f"description: {cell(image.description)}"
    if image.thumbnail_url:
        yield f"thumbnail {image.thumbnail_url}"
    if image.screen_url:
        yield f"screen {image.screen_url}"
    if image.high_res_jpeg:
        yield f"JPEG {_file(image.high_res_jpeg)}"
    if image.high_res_tiff:
        yield f"TIFF {_file(image.high_res_tiff)}"


def _file(file: Rendition) -> str:
    return f"{file.url} ({file.width} x {file.height})" if file.width else file.url
