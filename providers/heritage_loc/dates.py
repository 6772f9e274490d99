"""Dates of the catalogue: filed days that are padded, spans, and codes that are no dates.

A filed date is a sorting key: "1925." is filed as 1925-01-01, a piece of a series under the span's
opening, "1934 May 8." as 1934-01-01. What the record says in words is the measure of exactness.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_FILED = re.compile(
    r"(?P<year>[0-9]{4})(?:-?(?P<m>[0-9]{2})(?:-?(?P<d>[0-9]{2}))?)?(?:T[\d:.]*Z?)?"
)
_YEAR_FIRST = re.compile(
    rf"(?<![0-9])(?P<year>[0-9]{{4}}),? +{_MONTH}(?: +(?P<day>[0-9]{{1,2}})(?![0-9]))?",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH}(?: +(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?)?,? +(?P<year>[0-9]{{4}})(?![0-9])",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(
    rf"(?<![0-9])(?P<day>[0-9]{{1,2}}) +{_MONTH},? +(?P<year>[0-9]{{4}})(?![0-9])", re.IGNORECASE
)
_ISO = re.compile(
    r"(?<![0-9-])(?P<year>[0-9]{4})(?P<dash>-?)(?P<m>[0-9]{2})(?:(?P=dash)(?P<d>[0-9]{2}))?(?![0-9-])"
)
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9?u])")
# "18??", "19uu", "uuuu", "197-?" stand for what is unknown.
_CODE = re.compile(r"\[?(?:[0-9u]{0,3}[u?]{1,4}|[0-9]{2,3}[-u?]{1,2}\??)\]?\.?", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:[0-9]{4}\??)(?: ?[-–/] ?|,? and | or )(?:(?:ca\.|c\.|approximately) ?)?[0-9]{2,4}"
)
_VAGUE = re.compile(r"\b(?:ca|circa|approximately|between|before|after|or)\b", re.IGNORECASE)
_DATE_WORDS = re.compile(
    rf"(?:[0-9]{{1,4}}|{_MONTH.replace('?P<month>', '?:')}"
    r"|\b(?:ca|c|circa|approximately|between|before|after|and|or|to)\b|[\s.,;?\[\]()/–-]++)++",
    re.IGNORECASE,
)
_NO_END = 9999  # MARC: there is no end yet


class Moment(NamedTuple):
    """A year, a month or a day; what is not known is 0."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def precision(self) -> int:
        return 3 if self.day else 2 if self.month else 1

    def __str__(self) -> str:
        parts = (f"{self.year:04}", f"{self.month:02}", f"{self.day:02}")
        return "-".join(parts[: self.precision])

    @property
    def first(self) -> tuple[int, int, int]:
        return self.year, self.month or 1, self.day or 1

    @property
    def last(self) -> tuple[int, int, int]:
        month = self.month or 12
        return self.year, month, self.day or monthrange(self.year, month)[1]

    def cut(self, precision: int) -> Moment:
        return Moment(*(self[:precision]))


def moment(filed: str) -> Moment | None:
    """A filed date ("1886-06", "19390409", "1938-09-30T00:00:00Z"); None for codes and prose."""
    match = _FILED.fullmatch(filed.strip())
    return match and _valid(match["year"], match["m"], match["d"])


def _valid(year: str, month: str | int | None, day: str | None) -> Moment | None:
    """A moment that exists."""
    found = Moment(int(year), int(month or 0), int(day or 0))
    if found.day and not found.month:
        return None
    try:
        date(found.year, found.month or 1, found.day or 1)
    except ValueError:
        return None
    return found


def moments(words: str) -> Iterator[Moment]:
    """Every moment that a text names, as exact as it names it."""
    for pattern in (_YEAR_FIRST, _MONTH_FIRST, _DAY_FIRST):
        for match in pattern.finditer(words):
            month = _MONTHS.index(match["month"][:3].lower()) + 1
            if found := _valid(match["year"], month, match["day"]):
                yield found
    for match in _ISO.finditer(words):
        if (match["dash"] or match["d"]) and (
            found := _valid(match["year"], match["m"], match["d"])
        ):
            yield found
    for match in _YEAR.finditer(words):
        if found := _valid(match.group(), None, None):
            yield found


def told(filed: Iterable[str], words: Iterable[str]) -> str | None:
    """The date to publish, no more exact than the record.

    `filed` are sorting keys, the best first; `words` what the record itself says. A span or a vague
    date is given in the record's words, a plain one as YYYY, YYYY-MM or YYYY-MM-DD.
    """
    said = [word.strip() for word in words if word.strip()]
    keys = [found for key in filed if (found := moment(key)) and found.year < _NO_END]
    if any(_CODE.fullmatch(word) for word in said) and not any(map(_plain, said)):
        return None
    key = keys[0] if keys else None
    if spread := next((word for word in said if _is_vague(word, key)), None):
        return spread.removesuffix(".").strip()
    if key is None:
        return next((str(found) for word in said if (found := _plain(word))), None)
    return str(_measured(key, said))


def _plain(word: str) -> Moment | None:
    """The one moment that a text is, if it is nothing else ("1954 Sept. 30.", "[1769?]")."""
    if not _DATE_WORDS.fullmatch(word):
        return None
    found = (moment for moment in moments(word) if moment.year < _NO_END)
    return max(found, key=lambda moment: moment.precision, default=None)


def _is_vague(word: str, key: Moment | None) -> bool:
    """A date in words that is a span or an estimate, and the one that was filed."""
    is_spread = bool(_SPAN.search(word) or _VAGUE.search(word))
    if not is_spread or moment(word.strip(" .[]")) or not _DATE_WORDS.fullmatch(word):
        return False
    years = [found.year for found in moments(word)]
    return bool(years) and (key is None or key.year in years)


def _measured(key: Moment, said: Iterable[str]) -> Moment:
    """The filed date, cut to what the words of the record know of that year, or made as exact."""
    known = [found for word in said for found in moments(word) if found.year == key.year]
    if not known:
        return key.cut(1) if key[1:] == (1, 1) else key
    agreeing = max(
        (found.precision for found in known if found == key.cut(found.precision)), default=1
    )
    # A day in words beats a padded one: "1954 Sept. 30." is filed as 1954-01-01. Only a text that is
    # nothing but a date counts: a day in an imprint may be the printer's.
    finer = {found for word in said if (found := _plain(word)) and found.year == key.year}
    finest = max(finer, key=lambda found: found.precision, default=key.cut(1))
    is_padded = key.precision == 1 or key[1:] == (1, 1)
    if is_padded and finest.precision > agreeing:
        return finest
    return key.cut(min(agreeing, key.precision))
