"""Dates as records have them, and as each style prints them; nothing is made more exact than it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from heritage_gateway.capability import Work

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_SHORT = (
    *("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July"),
    *("Aug.", "Sept.", "Oct.", "Nov.", "Dec."),
)
Moment = tuple[int, ...]  # year, year and month, or a day


@dataclass(frozen=True, slots=True)
class Dating:
    """When: `start` and `end` where the words are one date or one span of years; else only words.

    A `guess` ("[1769?]") is printed in the record's words, and is about its year for machines.
    """

    words: str = ""
    start: Moment = ()
    end: Moment = ()
    circa: bool = False
    guess: bool = False

    @property
    def is_known(self) -> bool:
        return bool(self.words or self.start)

    @property
    def chicago(self) -> str:
        """June 7, 1894."""
        return self._told(_american, "ca. ")

    @property
    def mla(self) -> str:
        """7 June 1894; months are shortened."""
        return self._told(_british, "circa ")

    @property
    def apa(self) -> str:
        """1894, June 7; what is put in parentheses. An undated work is n.d."""
        return self._told(_year_first, "ca. ") or "n.d."

    @property
    def year(self) -> str:
        """What a field for the year may hold; the words where they are no date."""
        return self._told(lambda moment: str(moment[0]), "ca. ")

    def _told(self, style: Callable[[Moment], str], about: str) -> str:
        if not self.start or self.guess:
            return self.words
        told = style(self.start)
        if self.end:
            told += f"–{style(self.end)}"
        return f"{about if self.circa else ''}{told}"


def _american(moment: Moment) -> str:
    year, *rest = moment
    month = _MONTHS[rest[0] - 1] if rest else ""
    day = f" {rest[1]}," if len(rest) > 1 else ""
    return f"{month}{day} {year}".strip()


def _british(moment: Moment) -> str:
    year, *rest = moment
    month = f"{_SHORT[rest[0] - 1]} " if rest else ""
    day = f"{rest[1]} " if len(rest) > 1 else ""
    return f"{day}{month}{year}"


def _year_first(moment: Moment) -> str:
    year, *rest = moment
    month = f", {_MONTHS[rest[0] - 1]}" if rest else ""
    day = f" {rest[1]}" if len(rest) > 1 else ""
    return f"{year}{month}{day}"


def dating(work: Work) -> Dating:
    """The record's own words decide; `iso` says how they are read where they are one date."""
    words = " ".join(work.date.split()).strip(" .,;")
    if not words and not work.iso:
        return Dating()
    if _UNDATED.fullmatch(words):
        return Dating()
    return read(words) if words else read(work.iso)


_UNDATED = re.compile(
    r"\W*(?:undated|n\.?\s?d|no date|date unknown|unknown|not dated|uuuu)\W*", re.IGNORECASE
)
_ABOUT = re.compile(r"(?:c\.?a\.?|c\.|circa|about|approximately)\s*(?=\d)|c (?=\d)", re.IGNORECASE)
_COPYRIGHT = re.compile(r"(?:c|©|copyright|cop\.)\s?(?=\d{4}$)", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_SPAN = re.compile(r"(\d{4})\s*(?:[-–—/]|to|through)\s*(\d{4}|\d{2})", re.IGNORECASE)
_GUESS = re.compile(r"\[?(?:ca\.?\s)?(\d{4})\s?\?\]?")
_DECADE = re.compile(r"(\d{3})u", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})[-:](\d{2})(?:[-:](\d{2}))?(?:[T ]\d.*)?")
_EIGHT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_DAY_FIRST = re.compile(
    r"(?:(?P<d>\d{1,2})(?:st|nd|rd|th)?\s)?(?P<m>[A-Z][a-z]{2,8})\.?,?\s(?P<y>\d{4})"
)
_MONTH_FIRST = re.compile(r"(?P<m>[A-Z][a-z]{2,8})\.?\s(?P<d>\d{1,2}),?\s(?P<y>\d{4})")
_YEAR_FIRST = re.compile(r"(?P<y>\d{4}),?\s(?P<m>[A-Z][a-z]{2,8})\.?(?:\s(?P<d>\d{1,2}))?")


def read(words: str) -> Dating:
    """Words to a date or a span where they are nothing else; a guess ("[1769?]") keeps its marks."""
    bare = words
    if match := re.fullmatch(r"[\[(]([^\[\]()?]*)[\])]", words):
        bare = match[1].strip(" .")
    circa = _ABOUT.match(bare)
    bare = bare[circa.end() :] if circa else _COPYRIGHT.sub("", bare)
    if span := _SPAN.fullmatch(bare):
        end = span[2] if len(span[2]) == 4 else span[1][:2] + span[2]
        is_month = len(span[2]) == 2 and bare[4] == "-" and int(span[2]) <= 12
        if int(span[1]) < int(end) and not is_month:
            return Dating(words, (int(span[1]),), (int(end),), bool(circa))
    moment = _moment(bare)
    if moment:
        return Dating(words, moment, (), bool(circa))
    if guessed := _GUESS.fullmatch(words):
        return Dating(words, _valid(guessed[1]), circa=True, guess=True)
    if decade := _DECADE.fullmatch(bare):
        return Dating(f"{decade[1]}0s")
    return Dating(words)


def _moment(bare: str) -> Moment:
    if _YEAR.fullmatch(bare):
        return _valid(bare)
    for pattern in (_ISO, _EIGHT):
        if match := pattern.fullmatch(bare):
            return _valid(*filter(None, match.groups()))
    if match := _SLASHED.fullmatch(bare):
        # Which is the month can be told only where both are the same, or one is no month.
        first, second = int(match[1]), int(match[2])
        if first == second or second > 12:
            return _valid(match[3], match[1], match[2])
        return _valid(match[3], match[2], match[1]) if first > 12 else ()
    for pattern in (_MONTH_FIRST, _DAY_FIRST, _YEAR_FIRST):
        if (match := pattern.fullmatch(bare)) and (month := _month(match["m"])):
            return _valid(match["y"], str(month), *([match["d"]] if match["d"] else []))
    return ()


def _month(word: str) -> int:
    head = word[:3].casefold()
    found = [at for at, month in enumerate(_MONTHS, 1) if month[:3].casefold() == head]
    whole = word.casefold()
    return next(
        (at for at in found if whole == "sept" or _MONTHS[at - 1].casefold().startswith(whole)), 0
    )


def _valid(year: str, month: str = "", day: str = "") -> Moment:
    parts = tuple(int(part) for part in (year, month, day) if part)
    if not parts[0] or (len(parts) > 1 and not 1 <= parts[1] <= 12):
        return ()
    return parts if len(parts) < 3 or 1 <= parts[2] <= _days(parts[0], parts[1]) else ()


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
