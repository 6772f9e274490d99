"""Pages of newspapers as a search finds them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from heritage_gateway.errors import InvalidRequest
from heritage_gateway.text import clip, seen
from heritage_loc.address import PageAddress, TextAddress, page_address, text_address
from heritage_loc.models import NewspaperRow
from heritage_loc.normalise.rows import newspaper_date, title
from heritage_loc.wire import Raw, absolute, first, items, mapping, names, number, raw, texts

EXCERPT = 500  # characters
_BEFORE = 120  # of them, before the first word that was looked for
_TAG, _END = "[[tag]]", "[[/tag]]"
_RUN = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class NewspaperHit:
    """A page as published, and where its text lies, which spares a request when it is read."""

    row: NewspaperRow
    address: PageAddress
    text: TextAddress | None


def is_page(row: Raw) -> bool:
    """Pages, not issues: the route that answers with issues is the wrong one for a search of texts."""
    kinds = {kind.casefold() for kind in names(row.get("type"))}
    return "segment" in kinds or (not kinds and _address(row) is not None)


def newspaper_hit(row: Raw) -> NewspaperHit | None:
    """None for a row that is no page, such as an issue or the collection itself."""
    address = _address(row)
    if address is None or not is_page(row):
        return None
    excerpt, kind = _excerpt(row)
    return NewspaperHit(
        NewspaperRow(
            url=address.url,
            title=title(row),
            description=excerpt,
            excerpt_kind=kind,
            date=newspaper_date(row) or address.date,
            states=names(row.get("location_state")),
            newspaper_title=first(row.get("partof_title")),
            lccn=first(row.get("number_lccn")) or address.lccn,
            page_number=address.sp,
        ),
        address,
        page_text_address(row),
    )


def _address(row: Raw) -> PageAddress | None:
    """The page's number is in the address; `number_page` is padded, and exploded in some rows."""
    for key in ("url", "id"):
        given = absolute(row.get(key))
        try:
            address = page_address(given)
        except InvalidRequest:
            continue
        if "sp=" not in given and (page := number(first(row.get("number_page")))):
            return PageAddress(address.resource, page, address.rest)
        return address
    return None


def page_text_address(row: Raw) -> TextAddress | None:
    """The segment stands raw in the last `image_url`, which is no image, and encoded in the other."""
    found = (row.get("word_coordinates_url"), *items(row.get("image_url")))
    addresses = (text_address(value) for value in found)
    return next((address for address in addresses if address and address.segment), None)


# -- excerpts --------------------------------------------------------------------------------------------


def _excerpt(row: Raw) -> tuple[str | None, Literal["match", "opening"] | None]:
    """The passage with the words where upstream gives one, else how the page begins."""
    snippet = raw(mapping(row.get("page_coordinate_data")).get("relevant_snippet"))
    if _TAG in snippet and (passage := matching(snippet)):
        return passage, "match"
    opening = " ".join(texts(row.get("description")))
    return (clip(opening, EXCERPT), "opening") if opening else (None, None)


def matching(snippet: str) -> str:
    """A keyword-in-context passage without its marks, cut so that the first match is in it."""
    words = _RUN.sub(" ", seen(snippet)).strip()
    before = words.partition(_TAG)[0]
    text = words.replace(_TAG, "").replace(_END, "")
    start = max(0, len(before) - _BEFORE)
    if start:
        blank = text.find(" ", start, len(before) + 1)
        start = blank + 1 if blank >= 0 else len(before)
        return "…" + clip(text[start:], EXCERPT - 1)
    return clip(text, EXCERPT)
