"""The MLA Handbook, 9th edition: an entry of the works cited."""

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
    italic,
    listed,
    paper,
    paper_place,
    said,
    sentences,
    styled_title,
)

# Things that were made rather than published: their date follows the title, then comes who holds them.
_MADE = frozenset(("artwork", "photograph", "object", "specimen", "manuscript", "archive"))


def mla(work: Work, accessed: date) -> str:
    seen = sentences(f"Accessed {read(accessed.isoformat()).mla}")
    if work.kind == "newspaper_page":
        return f"{_page(work)} {seen}"
    parties = credited(work.creators)
    head = sentences(_lead(parties), styled_title(work))
    helped = listed(
        by("edited by", parties.editors) if parties.makers else "",
        by("translated by", parties.translators),
    )
    when = said(dating(work).mla)
    where = listed(held(work), work.link)
    if work.kind in _MADE:
        body = sentences(capital(helped), when, capital(said(container(work))), where)
    else:
        body = sentences(
            capital(
                listed(
                    *(helped, said(container(work)), edition(work)),
                    *(said(work.publisher) or said(work.place), when, where),
                )
            )
        )
    return " ".join(filter(None, (head, body, seen)))


def _page(work: Work) -> str:
    """A city that is no part of the paper's name stands in brackets."""
    place = paper_place(work)
    named = italic(paper(work)) + (f" [{said(place)}]" if place else "")
    page = f"p. {said(work.page)}" if work.page else ""
    return sentences(
        listed(named, said(dating(work).mla), edition(work), page), listed(held(work), work.link)
    )


def _lead(parties: Credits) -> str:
    names = parties.makers or parties.editors
    if not names:
        return ""
    told = heading(names[0], names[0].inverted)
    if len(names) == 2:
        comma = "" if names[0].literal else ","  # it belongs to a name that is turned round
        told = f"{told}{comma} and {heading(names[1], names[1].plain)}"
    elif len(names) > 2:
        told = f"{told}, et al."
    if parties.makers:
        return told
    return f"{told.removesuffix(',')}, {'editor' if len(names) == 1 else 'editors'}"
