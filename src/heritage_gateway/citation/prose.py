"""Sentences of a styled citation: titles in italics or quotation marks, every stop set once.

What is made here is markdown. All of a record's words go through `said`, so none of them is live.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heritage_gateway.capability import Work
from heritage_gateway.citation.names import Name
from heritage_gateway.text import inline

_STOPS = (".", "?", "!", "…")
_CLOSING = "*”’"
_OWN_STOP = re.compile(
    r"(?:\.\.|\b(?:[A-Z]|Jr|Sr|Co|Inc|Ltd|Bros|St|Mrs|Mr|Dr|etc|Calif|Va|Pa)\.)$"
)
_QUOTATION = re.compile('["“]([^"“”]*)["”]')
_LONGEST_MEDIUM = 80  # characters; what is longer is a description, and no part of a citation

# Written works that were never published have their titles in plain letters, songs in quotation marks.
_PLAIN_TITLES = frozenset(("archive", "manuscript"))
_QUOTED_TITLES = frozenset(("recording", "webpage"))

# What a thing is called where its record does not say of what it is made.
KIND_WORDS = {
    "artwork": "Artwork",
    "photograph": "Photograph",
    "map": "Map",
    "manuscript": "Manuscript",
    "recording": "Audio recording",
    "film": "Film",
    "score": "Musical score",
    "specimen": "Specimen",
    "object": "Object",
    "archive": "Archival material",
}


def said(text: str) -> str:
    return inline(text)


def italic(text: str) -> str:
    return f"*{said(text)}*" if text else ""


def quoted(text: str) -> str:
    """With its stop inside, as American usage has it."""
    inner = _QUOTATION.sub(r"‘\1’", text)
    stop = "" if text.endswith(_STOPS) else "."
    return f"“{said(inner)}{stop}”" if text else ""


def capital(text: str) -> str:
    """For what may stand first in a sentence."""
    return text[:1].upper() + text[1:]


def sentences(*parts: str) -> str:
    """Each part ends with a stop, its own or a full stop; an empty part leaves no trace."""
    return " ".join(_stopped(part) for part in parts if part)


def _stopped(part: str) -> str:
    return part if part.rstrip(_CLOSING).endswith(_STOPS) else f"{part}."


def listed(*parts: str) -> str:
    """Parts with commas between; the stop of an abbreviation stays, that of a sentence never comes in."""
    return ", ".join(part for part in parts if part)


# -- what every style asks of a work ---------------------------------------------------------------


def title(work: Work) -> str:
    """Without the closing stop or slash of catalogue cards."""
    name = " ".join(work.title.split()).rstrip(" /:;,=")
    return name[:-1].rstrip() if name.endswith(".") and not _OWN_STOP.search(name) else name


def styled_title(work: Work, *, every_italic: bool = False) -> str:
    name = title(work)
    if work.kind in _PLAIN_TITLES and not every_italic:
        return said(name)
    return quoted(name) if work.kind in _QUOTED_TITLES and not every_italic else italic(name)


def container(work: Work) -> str:
    """What it stands in, unless its own title has said so."""
    name = " ".join(work.container.split()).strip(" .")
    return "" if name.casefold() in title(work).casefold() else name


def paper(work: Work) -> str:
    """The newspaper of a page or an issue."""
    return " ".join((work.container or work.title).split()).strip(" .")


def paper_place(work: Work) -> str:
    """Where it appeared, unless its title says so."""
    return "" if work.place and work.place.casefold() in paper(work).casefold() else work.place


def edition(work: Work) -> str:
    """The first edition of a day is the usual one, and not said."""
    return "" if work.edition in ("", "1") else f"ed. {said(work.edition)}"


def held(work: Work) -> str:
    return listed(said(work.holder), said(work.identifier))


def medium(work: Work) -> str:
    """Empty where it is no medium, but the materials of all parts of a thing."""
    told = work.medium.strip(" .;,\n")
    if len(told) > _LONGEST_MEDIUM or "\n" in told or told.count(";") > 1:
        return ""
    return capital(" ".join(told.split()))


def series(names: Sequence[str], last: str) -> str:
    """A; A, and B; A, B, and C: with the word before the last."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, {last} {names[-1]}"


def heading(name: Name, written: str) -> str:
    return said(written) + (" (attributed to)" if name.attributed else "")


def by(task: str, names: Sequence[Name]) -> str:
    """Edited by First Last and First Last."""
    plain = [said(name.plain) for name in names]
    told = " and ".join(plain) if len(plain) < 3 else series(plain, "and")
    return f"{task} {told}" if plain else ""
