"""What is claimed of a thing held against its record, by title, date, maker, number and page; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from heritage_gateway.capability import Listed, Work
from heritage_gateway.federation.citation_text import Reading
from heritage_gateway.federation.likeness import folded, same_date, same_title, years
from heritage_gateway.text import clip

Existence = Literal["exists", "not_found", "cannot_tell"]
YEAR_ALONE = re.compile(r"(?:1[5-9]|20)[0-9]{2}s?")


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the caller says of a thing; `text` is what is to be checked."""

    text: str
    title: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    field: Literal["title", "date"]
    claimed: str
    recorded: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A record as a house has it; of a page or issue `paper` is the newspaper."""

    house: str
    id: str
    title: str
    date: str
    link: str
    number: str = ""
    paper: str = ""
    page: str = ""
    creators: str = ""
    is_record: bool = False

    @classmethod
    def of(cls, house: str, work: Work) -> Thing:
        is_paper = work.kind == "newspaper_page"
        return cls(
            house,
            work.id,
            work.title,
            work.date or work.iso,
            work.link,
            number=work.identifier,
            paper=(work.container or work.title) if is_paper else "",
            page=work.page if is_paper else "",
            creators=" ".join(creator.name for creator in work.creators),
            is_record=True,
        )

    @classmethod
    def listed(cls, house: str, row: Listed) -> Thing:
        return cls(house, row.id, row.title, row.date or "", row.link or "")


@dataclass(frozen=True, slots=True)
class Judged:
    """`tried` are look-ups and searches in words, in order; `why` is there unless a thing was found."""

    verdict: Existence
    thing: Thing | None = None
    why: str = ""
    differences: tuple[Difference, ...] = ()
    tried: tuple[str, ...] = ()
    candidates: tuple[Thing, ...] = ()
    retry_after: float | None = None


def contradiction(reading: Reading, thing: Thing, *, date: bool | None, author: bool | None) -> str:
    """What of a record is not as it is cited, beside the title; empty where nothing contradicts."""
    if date is False:
        return "date"
    if author is False:
        return "creator"
    if reading.numbers and thing.number and not is_pointed_at(reading, thing):
        return "number"
    if thing.paper and reading.page and reading.page != thing.page:
        return "page"
    return ""


def is_pointed_at(reading: Reading, thing: Thing) -> bool:
    """Does a citation hold the number or the link of a record?"""
    links = {link.rstrip("/") for link in reading.links}
    if thing.link and thing.link.rstrip("/") in links:
        return True
    numbers = {number.casefold() for number in reading.numbers}
    own = thing.number.casefold()
    if own in numbers or thing.id.casefold() in numbers:
        return True
    telling = any(map(str.isdigit, own)) and not YEAR_ALONE.fullmatch(own) and len(own) > 3
    whole = rf"(?<![\w.]){re.escape(own)}(?![\w]|[./-]\w)"
    return telling and re.search(whole, reading.text.casefold()) is not None


def dated(claimed: str, thing: Thing) -> bool | None:
    """A serial is of every year of the span that its title or date gives."""
    told = same_date(claimed, thing.date)
    if told is False and any(span.last > span.first for span in years(thing.title)):
        return same_date(claimed, thing.title)
    return told


def differing(
    claimed: Claimed, thing: Thing, reading: Reading | None = None
) -> tuple[Difference, ...]:
    """What is claimed and is not so; what is not claimed, or not recorded, is no difference."""
    found: list[Difference] = []
    title = claimed.title or (reading.title if reading else "")
    is_named = named(reading, title, thing) if reading else titled(title, thing)
    if reading and title == reading.title and not reading.is_sure:
        # a sentence with an id in it claims no title; a citation has a name or a date as well
        is_named = is_named or not (reading.names or reading.dated)
    if title and thing.title and not is_named:
        found.append(Difference("title", clip(title, 300), thing.title))
    if dated(claimed.date, thing) is False:
        found.append(Difference("date", clip(claimed.date, 100), thing.date))
    return tuple(found)


def titled(title: str, thing: Thing) -> bool:
    """A page or an issue of a newspaper is rightly named by the newspaper."""
    if same_title(title, thing.title):
        return True
    paper = folded(thing.paper)
    return bool(paper) and (f"{folded(title)} ".startswith(f"{paper} ") or same_title(title, paper))


def named(reading: Reading, title: str, thing: Thing) -> bool:
    """Does a citation name a record by its title, wherever in its text?"""
    text = f" {folded(reading.text)} "
    return titled(title, thing) or any(
        f" {name} " in text for name in (folded(thing.title), folded(thing.paper)) if name
    )


def is_made_by(names: Sequence[str], creators: str) -> bool | None:
    """None where the citation names nobody, or the record does."""
    if not names or not creators:
        return None
    words = set(folded(creators).split())
    return any(set(folded(name).split()) <= words for name in names)
