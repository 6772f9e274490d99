"""Place and publisher out of the one line of words that catalogue cards have for both; pure."""

from __future__ import annotations

import re

CENTURY = re.compile(
    r"\[?[^\[\],:]*\d{1,2}th\b[^\[\],:]*\bcentur(?:y|ies)\b\W*\]?\.?", re.IGNORECASE
)

_YEAR = re.compile(r"\[?(?:c|©|ca\.? ?)?\[?\d{2,4}\]?(?:\d|\?|-)")
_MONTH = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?\b|\d", re.IGNORECASE
)
_NOWHERE = re.compile(
    r"\W*(?:s\.\s?[ln]\.?|place of publication not identified|n\.p\.)\W*", re.IGNORECASE
)


def imprint(words: str, date: str) -> tuple[str, str]:
    """Place and publisher of an imprint; each is empty where it is not said.

    What cannot be parted safely stays together, as the publisher's.
    """
    told = " ".join(words.partition(";")[0].split())
    if CENTURY.fullmatch(told):
        return "", ""
    place, colon, rest = told.partition(" : ")
    if colon:
        return _sound(place), _sound(_undated(rest, date))
    parts = [
        part
        for part in _undated(_BRACKETS.sub(", ", _LEADING.sub(r"\1, ", told)), date).split(", ")
        if part
    ]
    parts = [part for part in parts if part.strip("[]() .")]
    return _parted(parts)


def _parted(parts: list[str]) -> tuple[str, str]:
    if len(parts) < 2:
        whole = _sound("".join(parts))
        return ("", whole) if _FIRM.search(whole) or len(whole.split()) > 2 else (whole, "")
    if len(parts) == 2:
        named = (parts[0], parts[1]) if not _is_region(parts) else (", ".join(parts), "")
        return _sound(named[0]), _sound(named[1])
    if _STATE.fullmatch(parts[1]) or parts[1] in _REGIONS:
        return _sound(", ".join(parts[:2])), _sound(", ".join(parts[2:]))
    if len(parts[1].split()) < 2:
        return "", _sound(", ".join(parts))
    return _sound(parts[0]), _sound(", ".join(parts[1:]))


# A bracket that opens or closes between two words parts them as a comma does.
_BRACKETS = re.compile(r",? (?=\[[A-Z])|(?<=\]),? (?=[0-9\[])")
_LEADING = re.compile(r"^(\[[^\[\]]*\]),? ")
_STATE = re.compile(r"(?:[A-Z][a-z]*\. ?){1,2}")
_FIRM = re.compile(r"\b(?:Company|Co|Press|Bros|Brothers|Inc|Ltd|Sons|Publishing)\b")
_BEFORE_DATE = re.compile(
    r"[\s,]*\b(?:ca?|circa|about|approximately|(?:not )?(?:before|after)|between|or|anno D\S*)\b[.\s]*$"
)


def _is_region(parts: list[str]) -> bool:
    """In "Fairbanks, Alaska" the second is a state, and no publisher, which would have more words."""
    return len(parts[1].split()) < 2 or parts[0].startswith("near ") or parts[1] in _REGIONS


_REGIONS = frozenset(
    (
        *(
            "New York",
            "New Jersey",
            "New Mexico",
            "New Hampshire",
            "North Carolina",
            "South Carolina",
        ),
        *("North Dakota", "South Dakota", "West Virginia", "Rhode Island", "Puerto Rico", "W. Va."),
        *(
            "N. Y.",
            "N. J.",
            "D. C.",
            "United States",
            "New Zealand",
            "South Africa",
            "Great Britain",
        ),
    )
)


def _undated(words: str, date: str) -> str:
    """Up to the part that holds the year, of which only what stands before a date is kept."""
    kept: list[str] = []
    for part in words.split(", "):
        match = _YEAR.search(part)
        if match or (date and date[:4] in part):
            before = _BEFORE_DATE.sub("", part[: match.start()]) if match else ""
            if before.strip(" [(") and not _MONTH.search(before):
                kept.append(before.strip(" [("))
            break
        if kept and _MONTH.fullmatch(part.split(" ")[0]):
            break
        kept.append(part)
    return ", ".join(kept)


def _sound(part: str) -> str:
    said = re.sub(r"[\[\]]", "", part).strip(" :;,")
    if said.count("(") != said.count(")"):
        said = said.strip("() ")
    said = (
        said
        if re.search(r"\b[A-Z]\.$|\b(?:Co|Inc|Ltd|Calif|Va|Mass|Pa|Conn)\.$", said)
        else said.rstrip(".")
    )
    return "" if _NOWHERE.fullmatch(said) else said
