"""The Publication Manual of the APA, 7th edition: an entry of the references.

Given names are initials here, and only here: the style allows nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from heritage_gateway.capability import Work
from heritage_gateway.citation.dates import dating, read
from heritage_gateway.citation.names import Credits, Name, credited
from heritage_gateway.citation.prose import (
    KIND_WORDS,
    container,
    edition,
    heading,
    held,
    italic,
    listed,
    medium,
    paper,
    paper_place,
    said,
    sentences,
    styled_title,
)

_MOST_NAMES, _FIRST_NAMES = 20, 19
_LONGEST_BRACKET = 60  # characters


def apa(work: Work, accessed: date) -> str:
    """No stop follows an address in this style."""
    retrieved = f"Retrieved {read(accessed.isoformat()).chicago}, from {work.link}"
    if not work.link:
        retrieved = ""
    if work.kind == "newspaper_page":
        head = sentences(_paper(work), f"({said(dating(work).apa)})")
        return " ".join(filter(None, (head, sentences(said(work.holder)), retrieved)))
    parties = credited(work.creators)
    when = f"({said(dating(work).apa)})"
    named = _title(work, parties)
    lead = _lead(parties)
    head = sentences(lead, when, named) if lead else sentences(named, when)
    body = sentences(said(container(work)), said(work.publisher), held(work))
    return " ".join(filter(None, (head, body, retrieved)))


def _paper(work: Work) -> str:
    told = listed(
        said(paper_place(work)), edition(work), f"p. {said(work.page)}" if work.page else ""
    )
    return italic(paper(work)) + (f" ({told})" if told else "")


def _title(work: Work, parties: Credits) -> str:
    helped = [
        *([f"{_joined(parties.editors)}, {_editors(parties)}"] if _are_helpers(parties) else []),
        *([f"{_joined(parties.translators)}, Trans."] if parties.translators else []),
        *([edition(work)] if edition(work) else []),
    ]
    named = styled_title(work, every_italic=work.kind != "archive")
    told = f"{named} ({'; '.join(helped)})" if helped else named
    words = _bracketed(work)
    return f"{told} [{said(words)}]" if words else told


def _bracketed(work: Work) -> str:
    """What kind of thing it is: of works of art the medium, else a word for the kind."""
    made = medium(work)
    if work.kind == "artwork" and 0 < len(made) <= _LONGEST_BRACKET:
        return made
    return KIND_WORDS.get(work.kind, "")


def _are_helpers(parties: Credits) -> bool:
    return bool(parties.makers and parties.editors)


def _editors(parties: Credits) -> str:
    return "Ed." if len(parties.editors) == 1 else "Eds."


def _lead(parties: Credits) -> str:
    names = parties.makers or parties.editors
    if not names:
        return ""
    written = [heading(name, name.initials) for name in names]
    if len(written) > _MOST_NAMES:
        told = f"{', '.join(written[:_FIRST_NAMES])}, … {written[-1]}"
    else:
        told = " & ".join((", ".join((*written[:-1], "")).rstrip(" "), written[-1])).removeprefix(
            " & "
        )
    return told if parties.makers else f"{told} ({_editors(parties)})"


def _joined(names: Sequence[Name]) -> str:
    """Helpers are not inverted: F. M. Last."""
    return " & ".join(said(name.literal or _uninverted(name)) for name in names)


def _uninverted(name: Name) -> str:
    family, _, given = name.initials.partition(", ")
    return f"{given} {family}".strip()
