"""Subject headings as filters: what the index makes of "Mexico--History--Conquest, 1519-1540".

`subject` holds the parts between the dashes in lower case, without a closing full stop or comma,
and mostly without the years at their end. Places are among them: of 276 captured subdivided headings
252 have every part there; the others lack theirs for its years, and one has a place in `location`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heritage_loc.query import Facet, facet

_DASHES = re.compile(r"\s*(?:--|\u2014)\s*")
# The initials of "b.c." and what stands in brackets keep their full stops: "(minn.)".
_ABBREVIATED = re.compile(r"(?:\b\w\.)+$")
_YEARS = re.compile(
    r",?\s*\(?(?:approximately |ca\. |active )?[0-9]{3,4}\s*-\s*(?:[0-9]{2,4})?\)?$"
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """One part of a heading; `undated` is what is left of it without years, if it had any."""

    value: str
    undated: str | None = None

    @property
    def subject(self) -> Facet:
        return facet("subject", self.value)

    @property
    def location(self) -> Facet:
        """For a part that no subject has: places stand there without their qualifier too."""
        return facet("location", self.value)

    @property
    def is_only_years(self) -> bool:
        """A chronological subdivision, which the index leaves out."""
        return self.undated == ""


def fragments(heading: str) -> tuple[Fragment, ...]:
    """The parts of a heading as the index spells them, in order, each once."""
    parts = (_part(part) for part in _DASHES.split(heading))
    return tuple(dict.fromkeys(part for part in parts if part.value))


def _part(part: str) -> Fragment:
    value = " ".join(part.replace("|", " ").split()).lower().rstrip(" ,;:")
    if value.endswith(".") and not _ABBREVIATED.search(value):
        value = value.rstrip(". ")
    undated = _YEARS.sub("", value).rstrip(" ,")
    return Fragment(value, undated if undated != value else None)
