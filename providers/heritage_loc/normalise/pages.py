"""One page of a resource, and the texts of the text service."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heritage_gateway.rights import Rights
from heritage_gateway.text import seen
from heritage_loc.address import PageAddress, TextAddress, row_address, same_as, text_address
from heritage_loc.models import NewspaperPage
from heritage_loc.normalise.items import item_date
from heritage_loc.normalise.rows import newspaper_date
from heritage_loc.rights import of_item
from heritage_loc.wire import (
    NOTHING,
    SITE,
    Raw,
    absolute,
    first,
    is_raw,
    items,
    mapping,
    mappings,
    names,
    number,
    raw,
    texts,
)

_IMAGE_OF = re.compile(r"Image [0-9]+ of (?P<title>.+?)(?: \([^()]*\)|,|$)")
_TEXT_KEYS = ("fulltext_file", "fulltext_service", "text_file")


@dataclass(frozen=True, slots=True)
class PageResource:
    """A page without its text, and where the text lies: `text` is None for an image only.

    A text that is not by the page is the whole work's, without page breaks.
    """

    page: NewspaperPage
    text: TextAddress | None
    said: str = ""  # what could not be found out

    @property
    def is_whole_work(self) -> bool:
        return self.text is not None and self.text.segment is None


def page_resource(body: Raw, address: PageAddress) -> PageResource | None:
    """The page in an answer of /resource/; None where the answer holds none.

    Date and number may be missing: they are taken from the address.
    """
    resource = mapping(body.get("resource")) or next(mappings(body.get("resources")), NOTHING)
    block = mapping(body.get("item"))
    if not resource and not block:
        return None
    segment = next(mappings(body.get("segments")), NOTHING)
    text = _text_address(body, resource)
    is_issue = address.issue_id is not None
    page = NewspaperPage(
        page_url=address.url,
        title=first(segment.get("title"), *_titles(body), block.get("title")),
        newspaper_title=_newspaper_title(block, segment) if is_issue else None,
        date=_date(block, segment, address) if is_issue else item_date(block),
        states=names(block.get("location_state"))
        or names(block.get("locations_state"))
        or names(segment.get("location_state")),
        place_of_publication=first(
            block.get("place_of_publication"),
            mapping(block.get("item")).get("place_of_publication"),
        ),
        edition=first(block.get("number_edition"), segment.get("number_edition"))
        or address.edition,
        lccn=first(block.get("number_lccn"), segment.get("number_lccn")) or address.lccn,
        item_id=address.issue_id or _item_id(block),
        sequence=address.sp,
        segment_count=_segment_count(body, resource),
        rights=_rights(block),
        image_url=_image(body, resource),
        pdf_url=_pdf(body, resource),
        ocr_text="",
        ocr_available=text is not None,
    )
    return PageResource(page, text)


def _rights(block: Raw) -> Rights | None:
    verdict = of_item(block)
    return Rights.of(verdict) if verdict.words else None


def _date(block: Raw, segment: Raw, address: PageAddress) -> str | None:
    """`item.date` of an issue may be the paper's first year; the address has the day."""
    told = (newspaper_date(segment), address.date, newspaper_date({**block, "date": None}))
    return next((found for found in told if found), None)


def _newspaper_title(block: Raw, segment: Raw) -> str | None:
    if found := first(
        block.get("newspaper_title"), mapping(block.get("item")).get("newspaper_title")
    ):
        return found
    match = _IMAGE_OF.match(first(segment.get("title")) or "")
    return (
        match["title"] if match else first(block.get("partof_title"), segment.get("partof_title"))
    )


def _item_id(block: Raw) -> str | None:
    address = row_address(block)
    return address.id if address.is_item else None


def _titles(body: Raw) -> Iterator[object]:
    return (file.get("title") for file in mappings(body.get("page")))


def _segment_count(body: Raw, resource: Raw) -> int | None:
    """Images in the issue or the work; `segments` and `files` may be counts or lists."""
    counts = (
        number(resource.get("segment_count")),
        number(resource.get("segments")),
        _count(resource.get("files")),
        number(mapping(body.get("pagination")).get("of")),
    )
    return next((count for count in counts if count and count > 0), None)


def _count(value: object) -> int:
    found = number(value)
    return len(items(value)) if found is None else found


def _text_address(body: Raw, resource: Raw) -> TextAddress | None:
    """A page's own text first; of a book there is only the whole."""
    files = [*mappings(body.get("page")), resource, *mappings(body.get("resources"))]
    found = [text_address(file.get(key)) for file in files for key in _TEXT_KEYS]
    known = [address for address in found if address]
    return next((address for address in known if address.segment), next(iter(known), None))


def text_of_work(body: Raw, address: PageAddress) -> TextAddress | None:
    """The text of a resource in the record of its item: the answers of books themselves lack it."""
    own = [
        resource
        for resource in mappings(body.get("resources"))
        if same_as(resource.get("url")) == same_as(f"{SITE}{address.path}")
    ]
    found = (text_address(resource.get(key)) for resource in own for key in _TEXT_KEYS)
    return next((text for text in found if text), None)


def _image(body: Raw, resource: Raw) -> str | None:
    """The page as a JPEG of a quarter of its size; a JP2 is shown by few programs.

    The resource's own image is a small preview.
    """
    files = list(mappings(body.get("page")))
    services = (absolute(file.get("info")) for file in files)
    derived = [
        f"{service.removesuffix('/info.json')}/full/pct:25/0/default.jpg"
        for service in services
        if service.endswith("/info.json")
    ]
    pictures = [*derived, *_files(files, "image/jpeg"), absolute(resource.get("image"))]
    return next((found.partition("#")[0] for found in pictures if found), None)


def _pdf(body: Raw, resource: Raw) -> str | None:
    files = _files(mappings(body.get("page")), "application/pdf")
    return next(files, None) or absolute(resource.get("pdf")) or None


def _files(files: Iterable[Raw], mime: str) -> Iterator[str]:
    found = (absolute(file.get("url")) for file in files if raw(file.get("mimetype")) == mime)
    return (address for address in found if address)


# -- texts -----------------------------------------------------------------------------------------------


def page_text(body: object, segment: str) -> str | None:
    """The text in an answer of the text service; None where it holds none.

    Though the address asks for alto_xml, the answer is `{segment: {full_text, height, width}}`. The
    text is what a machine read, no mark-up, so a `<` in it stays.
    """
    answer = mapping(body)
    entries = [answer.get(segment), answer, *answer.values()]
    found = (entry.get("full_text") for entry in entries if is_raw(entry))
    value = next((value for value in found if isinstance(value, str)), None)
    return None if value is None else seen(value).strip()


def plain_text(body: bytes) -> str:
    """The plain file of a whole work."""
    return seen(body.decode("utf-8-sig", "replace")).strip()


def snippet(body: object) -> str:
    """The keyword-in-context passage of the text service (`relevant_snippet=1`), marks and all."""
    entries = (entry for entry in mapping(body).values() if is_raw(entry))
    return next(
        (found[0] for entry in entries if (found := texts(entry.get("relevant_snippet")))), ""
    )
