"""libofcongress_get_newspaper_page: one digitised page with its text, or passages of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.arguments import Arguments, Count, Offset
from heritage_gateway.errors import GatewayError, Reason
from heritage_gateway.lines import yes
from heritage_gateway.notice import Notice
from heritage_gateway.text import block, inline
from heritage_gateway.tool import Output as ToolOutput
from heritage_gateway.tool import Tool
from heritage_loc.address import PageAddress, TextAddress, page_address
from heritage_loc.catalogue import Catalogue
from heritage_loc.models import NewspaperPage
from heritage_loc.normalise import NewspaperHit
from heritage_loc.passages import Passage, find, wanted

REASONS = (Reason.INVALID_PAGE_URL, Reason.PAGE_NOT_FOUND, Reason.RATE_LIMIT_EXCEEDED)
_MOST_PASSAGES = 20


class Input(Arguments):
    page_url: str = Field(
        description="url of a newspaper row, or any https://www.loc.gov/resource/ address."
    )
    find: str | None = Field(
        None, description="Words whose passages are wanted: whole words, in any case."
    )
    offset: Offset = Field(0, description="Characters of the text to skip.")
    max_characters: Count | None = Field(None, description="Characters of the text to show.")


class FoundPassage(BaseModel):
    """A stretch of the text round words that were looked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    start: int = Field(description="Its place in the whole text, in characters.")
    end: int


class Output(NewspaperPage, ToolOutput):
    text_offset: int | None = Field(None, description="Characters of the text before ocr_text.")
    text_total: int | None = Field(None, description="Characters of the whole text.")
    passages: list[FoundPassage] | None = None
    notice: str | None = None


def get_newspaper_page(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_get_newspaper_page",
        title="Get a newspaper page",
        description=(
            "The machine-read text of one newspaper page, or with find only the passages round words, "
            "with paper, date, place and links. Also reads other digitised resources of loc.gov, and "
            "old Chronicling America addresses."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Get(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Text:
    """What is known of a page's text; `problem` is why one that exists could not be had."""

    text: str = ""
    is_there: bool = False
    problem: GatewayError | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A page to be served whole or with its text cut; a `Draft` whose measure is characters."""

    page: NewspaperPage
    text: _Text
    passages: tuple[Passage, ...] | None
    asked: Input
    notice: Notice

    @property
    def _wanted(self) -> str:
        """The stretch of the text that was asked for."""
        end = (
            None
            if self.asked.max_characters is None
            else self.asked.offset + self.asked.max_characters
        )
        return self.text.text[self.asked.offset : end]

    @property
    def extent(self) -> int:
        return len(self._wanted)

    @property
    def least(self) -> int:
        return min(200, self.extent)

    def within(self, extent: int) -> Output:
        shown = self._wanted[:extent]
        whole = self.text.text
        told = self.passages
        page: dict[str, Any] = {
            **dict(self.page),
            "ocr_text": shown,
            "ocr_available": self.text.is_there,
        }
        return Output(
            **page,
            text_offset=self.asked.offset if whole else None,
            text_total=len(whole) if whole else None,
            passages=None
            if told is None
            else [FoundPassage(text=one.text, start=one.start, end=one.end) for one in told],
            notice=self.notice.with_(withheld=self._withheld(len(shown))).text,
        )

    def _withheld(self, shown: int) -> str:
        following, total = self.asked.offset + shown, len(self.text.text)
        if not total:
            return ""
        if self.asked.offset >= total:
            return (
                f"offset={self.asked.offset} lies past the end: the text has {total:,} characters."
            )
        if following >= total:
            return ""
        return (
            f"ocr_text holds characters {self.asked.offset:,} to {following:,} of {total:,}; "
            f"offset={following} continues it."
        )


@dataclass(frozen=True, slots=True)
class _Get:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> _Draft:
        address = page_address(asked.page_url)
        known = self.catalogue.known_page(address)
        if known is not None:
            page, text, said = _of_hit(known), await self._text(known.text), ""
        else:
            resource, _ = await self.catalogue.page(address)
            page, text, said = resource.page, await self._text(resource.text), resource.said
            if resource.is_whole_work:
                said = f"{said} The text is that of the whole work, without page breaks.".strip()
        words = wanted(asked.find) if asked.find else ()
        passages = find(text.text, words) if words and text.problem is None else None
        return _Draft(
            page=page,
            text=text,
            passages=None if passages is None else passages[:_MOST_PASSAGES],
            asked=_brief(asked) if words else asked,
            notice=Notice(
                failed=" ".join(filter(None, (_failed(text), said))),
                understood=" ".join(
                    [*_of_passages(asked, passages, text), *_moved(asked, address)]
                ),
            ),
        )

    async def _text(self, address: TextAddress | None) -> _Text:
        if address is None:
            return _Text()
        found = await self.catalogue.text(address)
        if isinstance(found, GatewayError):
            return _Text(is_there=True, problem=found)
        return _Text(found.value, is_there=True)


_BRIEF = 1_000  # characters of the text beside passages, where no other number was given


def _brief(asked: Input) -> Input:
    if asked.max_characters is not None:
        return asked
    return asked.model_copy(update={"max_characters": _BRIEF})


def _of_hit(hit: NewspaperHit) -> NewspaperPage:
    """What the row of a search told; it spares a request and lacks a few facts of the issue."""
    row, address = hit.row, hit.address
    return NewspaperPage(
        page_url=row.url,
        title=row.title,
        newspaper_title=row.newspaper_title,
        date=row.date or address.date,
        states=row.states,
        edition=address.edition,
        lccn=row.lccn,
        item_id=address.issue_id,
        sequence=row.page_number or address.sp,
        ocr_text="",
        ocr_available=hit.text is not None,
    )


def _failed(text: _Text) -> str:
    if text.problem is None:
        return ""
    return (
        f"The text exists but could not be fetched: {text.problem.message} Call again for it; "
        "ocr_text is empty for that reason alone."
    )


def _of_passages(asked: Input, passages: tuple[Passage, ...] | None, text: _Text) -> Iterator[str]:
    if asked.find and not wanted(asked.find):
        yield "`find` holds no word that could be looked for."
    if passages is None:
        return
    if not text.text:
        yield "The page has no digitised text, so no words can be looked for in it."
        return
    shown = inline((asked.find or "")[:80])
    if not passages:
        yield f'The text does not hold "{shown}" as whole words; machine-read text has errors.'
    elif len(passages) > _MOST_PASSAGES:
        yield f"{len(passages)} passages hold the words; the first {_MOST_PASSAGES} are shown."


def _moved(asked: Input, address: PageAddress) -> Iterator[str]:
    if "chroniclingamerica" in asked.page_url.lower():
        yield f"The old address is read as {address.url}."


def render(output: Output) -> str:
    return "\n".join(_lines(output))


def _lines(output: Output) -> Iterator[str]:
    yield f"# {inline(output.title or output.newspaper_title or output.page_url)}"
    if output.notice:
        yield f"Notice: {output.notice}"
    facts = {
        "page_url": output.page_url,
        "newspaper": output.newspaper_title,
        "date": output.date,
        "states": ", ".join(output.states),
        "place of publication": output.place_of_publication,
        "edition": output.edition,
        "lccn": output.lccn,
        "item_id": output.item_id,
        "image": output.sequence,
        "images in the issue": output.segment_count,
        "picture": output.image_url,
        "pdf": output.pdf_url,
        "digitised text exists": yes(output.ocr_available),
        "characters of the text": output.text_total,
        "characters skipped": output.text_offset,
    }
    for name, value in facts.items():
        if value not in (None, ""):
            yield f"- {name}: {inline(str(value))}"
    if output.rights:
        yield f"- may it be used: {output.rights.told}"
    for passage in output.passages or ():
        yield f"Passage at {passage.start} to {passage.end}:\n{block(passage.text)}"
    if output.ocr_text:
        yield f"Text:\n{block(output.ocr_text)}"
