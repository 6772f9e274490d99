"""Whether two titles can be one, and whether two dates can: what a citation says against the record; pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

_ARTICLES = frozenset(("the", "a", "an", "der", "die", "das", "le", "la", "les", "el"))
_WORD = re.compile(r"[^\W_]+")
_PARTING = re.compile(r"\s*[:;/,=\[(.—–]\s*|\s+-\s+")  # what parts a title from the rest of it
_PAGE_OF = re.compile(
    r"^(?:Image|Page) \d+ of ", re.IGNORECASE
)  # as pages of newspapers are listed
_LONGEST = 400  # characters of a title that are compared
_SLIP = 0.95  # of 1: a slip of the pen in a title long enough
_LONG_ENOUGH = 20
_HEAD = 3  # words by which the beginning of a title is known


def folded(text: str) -> str:
    """Words in small letters without accents and punctuation, and without an article in front."""
    bare = "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)
    )
    words = _WORD.findall(bare.casefold())
    if len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


def alike(one: str, other: str) -> float:
    """0 to 1; for an order, not for a decision."""
    first, second = folded(one[:_LONGEST]), folded(other[:_LONGEST])
    if not first or not second:
        return 0.0
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def same_title(one: str, other: str) -> bool:
    """The same words, or those before a subtitle, or a slip of the pen; never with other numbers."""
    one, other = _PAGE_OF.sub("", one), _PAGE_OF.sub("", other)
    first, second = folded(one), folded(other)
    if not first or not second:
        return False
    if first == second or first in _heads(other) or second in _heads(one):
        return True
    if _numbers(first) != _numbers(second) or len(first) < _LONG_ENOUGH:
        return False
    return alike(one, other) >= _SLIP


def _heads(title: str) -> set[str]:
    """The beginnings of a title that may stand for it."""
    cuts = [match.start() for match in _PARTING.finditer(title[:_LONGEST])]
    heads = (folded(title[:cut]) for cut in cuts)
    return {head for head in heads if len(head.split()) >= _HEAD}


def _numbers(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isdigit, word))]


# -- dates -----------------------------------------------------------------------------------------

_YEAR = r"(?<![\d.])(1[0-9]{3}|20[0-9]{2})(?![\d])"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"\b({'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
_DAYS = (
    (re.compile(rf"{_YEAR}-(0[1-9]|1[0-2])(?:-([0-3][0-9]))?(?!\d)"), "ymd"),
    (re.compile(rf"{_MONTH}\s+([0-3]?[0-9])(?:st|nd|rd|th)?,?\s+{_YEAR}", re.IGNORECASE), "mdy"),
    (re.compile(rf"\b([0-3]?[0-9])\s+{_MONTH},?\s+{_YEAR}", re.IGNORECASE), "dmy"),
    (re.compile(rf"{_YEAR},?\s+{_MONTH}(?:\s+([0-3]?[0-9])\b)?", re.IGNORECASE), "ymd"),
    (re.compile(rf"{_MONTH},?\s+{_YEAR}", re.IGNORECASE), "my"),
)
_RANGE = re.compile(
    rf"{_YEAR}\s*(?:-|–|—|/|to|and|or)\s*(?:ca?\.\s*)?{_YEAR}",
    re.IGNORECASE,
)
_SHORT_RANGE = re.compile(rf"{_YEAR}\s*[-–/]\s*([0-9]{{2}})(?![\d-])")
_OPEN_END = re.compile(rf"{_YEAR}\s*[-–]\s*(?:current|present|\?+|\d\d\?\?|9999)", re.IGNORECASE)
_NO_END = 9999
_DECADE = re.compile(r"(?<!\d)(1[0-9]{2}|20[0-9])(?:0s|-(?!\d)|\?)")
_CENTURY = re.compile(r"\b([0-9]{1,2})(?:st|nd|rd|th)[\s-]+centur", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:c|ca|circa|about|approx\w*|probably)\b\.?\s*$", re.IGNORECASE)
_ROUGHLY = 5  # years that "about" may be off
_YEARS = re.compile(_YEAR)


class Years(NamedTuple):
    first: int
    last: int


class Day(NamedTuple):
    """As far as it is known: of a month `day` is 0."""

    year: int
    month: int
    day: int = 0


def same_date(one: str, other: str) -> bool | None:
    """Can both be the same date? None where one of them tells none."""
    if one.strip() and folded(one) == folded(other):
        return True
    first, second = day_of(one), day_of(other)
    if first and second and first.year == second.year:
        return first.month == second.month and (
            first.day == second.day or 0 in {first.day, second.day}
        )
    ours, theirs = tuple(years(one)), tuple(years(other))
    if not ours or not theirs:
        return None
    return any(a.first <= b.last and b.first <= a.last for a in ours for b in theirs)


def day_of(text: str) -> Day | None:
    """The one day or month that a text names; None for several, and for years alone."""
    found: set[Day] = set()
    rest = text
    for pattern, order in _DAYS:
        for match in pattern.finditer(rest):
            parts = dict(zip(order, match.groups(), strict=True))
            found.add(Day(int(parts["y"]), _month(parts["m"]), int(parts.get("d") or 0)))
        rest = pattern.sub(" ", rest)
    return found.pop() if len(found) == 1 else None


def date_words(text: str) -> Iterator[str]:
    """The dates that stand in a text, in its own words."""
    for pattern in (
        *(known for known, _ in _DAYS),
        _RANGE,
        _SHORT_RANGE,
        _DECADE,
        _CENTURY,
        _YEARS,
    ):
        for match in pattern.finditer(text):
            about = _ABOUT.search(text[: match.start()])
            decade = "s" if text[match.end() : match.end() + 1] == "s" else ""
            yield f"{about[0].strip()} {match[0]}" if about else f"{match[0]}{decade}"
        text = pattern.sub(" ", text)


def _month(told: str) -> int:
    return int(told) if told.isdecimal() else _MONTHS.index(told[:3].lower()) + 1


def years(text: str) -> Iterator[Years]:
    """All spans of years that a text names."""
    for pattern in (_RANGE, _SHORT_RANGE):
        for match in pattern.finditer(text):
            first, last = match.groups()
            end = int(last if len(last) > 2 else first[:2] + last)
            is_month = len(last) == 2 and 1 <= int(last) <= 12
            if not is_month and int(first) <= end:
                yield Years(int(first), end)
    for match in _OPEN_END.finditer(text):
        yield Years(int(match[1]), _NO_END)
    for match in _DECADE.finditer(text):
        yield Years(int(match[1]) * 10, int(match[1]) * 10 + 9)
    for match in _CENTURY.finditer(text):
        yield Years(int(match[1]) * 100 - 99, int(match[1]) * 100)
    for match in _YEARS.finditer(text):
        if text[match.end() : match.end() + 1] == "s":
            continue
        off = _ROUGHLY if _ABOUT.search(text[: match.start()]) else 0
        yield Years(int(match[1]) - off, int(match[1]) + off)
