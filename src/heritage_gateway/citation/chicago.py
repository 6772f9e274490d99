"""The Chicago Manual of Style, 18th edition: an entry of the bibliography (notes and bibliography)."""

from __future__ import annotations

from datetime import date

from heritage_gateway.capability import Work
from heritage_gateway.citation.dates import dating, read
from heritage_gateway.citation.names import Credits, credited
from heritage_gateway.citation.prose import (
    by,
    capital,
    container,
    edition,
    heading,
    held,
    listed,
    medium,
    paper,
    paper_place,
    said,
    sentences,
    series,
    styled_title,
)
from heritage_gateway.citation.prose import italic as italics

_MOST_NAMES, _FIRST_NAMES = 6, 3
_WITHOUT_MEDIUM = frozenset(("book", "manuscript", "archive", "periodical", "webpage"))


def chicago(work: Work, accessed: date) -> str:
    ending = (
        sentences(said(work.holder) if work.kind == "newspaper_page" else held(work)),
        sentences(f"Accessed {read(accessed.isoformat()).chicago}"),
        sentences(work.link),
    )
    if work.kind == "newspaper_page":
        return " ".join(filter(None, (_page(work), *ending)))
    parties = credited(work.creators)
    head = sentences(_lead(parties), styled_title(work), *_helpers(parties))
    body = sentences(
        edition(work),
        said(container(work)),
        _imprint(work),
        "" if work.kind in _WITHOUT_MEDIUM else said(medium(work)),
    )
    return " ".join(filter(None, (head, body, *ending)))


def _page(work: Work) -> str:
    """Chicago names the paper, the day and where in it; a page of its own has no title."""
    place = paper_place(work)
    named = italics(paper(work)) + (f" ({said(place)})" if place else "")
    day = said(dating(work).chicago) or "n.d."
    return sentences(
        named, listed(day, edition(work), f"p. {said(work.page)}" if work.page else "")
    )


def _lead(parties: Credits) -> str:
    names = parties.makers or parties.editors
    if not names:
        return ""
    kept = names if len(names) <= _MOST_NAMES else names[:_FIRST_NAMES]
    written = [heading(name, name.plain if at else name.inverted) for at, name in enumerate(kept)]
    if kept != names:
        told = f"{', '.join(written)}, et al."
    elif len(names) == 2 and names[0].literal:  # the comma belongs to a name that is turned round
        told = " and ".join(written)
    else:
        told = series(written, "and")
    if parties.makers:
        return told
    return f"{told}, {'ed.' if len(names) == 1 else 'eds.'}"


def _helpers(parties: Credits) -> tuple[str, ...]:
    edited = by("Edited by", parties.editors) if parties.makers else ""
    return edited, by("Translated by", parties.translators)


def _imprint(work: Work) -> str:
    """Place: publisher, date; an undated work is n.d."""
    published = ": ".join(filter(None, (said(work.place), said(work.publisher))))
    return listed(capital(published), said(dating(work).chicago) or "n.d.")
