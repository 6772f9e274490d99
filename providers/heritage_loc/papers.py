"""Newspaper titles as people write them, to the papers they may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heritage_gateway.text import inline
from heritage_loc.normalise import is_page
from heritage_loc.passages import fold
from heritage_loc.wire import Raw, first, names

LCCN = re.compile(r"[a-z]{0,3}[0-9]{8,10}")
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(("the", "a", "an"))
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Paper:
    """A newspaper; its title carries place and years."""

    lccn: str
    title: str


def papers(rows: Iterable[Raw]) -> tuple[Paper, ...]:
    """The papers in title rows; a row without an LCCN cannot be filtered by."""
    found: dict[str, Paper] = {}
    for row in rows:
        lccn = next((name for name in names(row.get("number_lccn")) if LCCN.fullmatch(name)), None)
        # where the list of papers is not to be had, pages come, whose own title is the page's
        kind = ("partof_title", "title") if is_page(row) else ("title", "partof_title")
        title = first(*map(row.get, kind))
        if lccn and title:
            found.setdefault(lccn, Paper(lccn, title))
    return tuple(found.values())


def meant(known: Sequence[Paper], typed: str) -> tuple[Paper, ...]:
    """Those whose name is the words typed; failing that, those whose title holds them all."""
    wanted = _words(typed)
    whole = tuple(paper for paper in known if _words(_name(paper.title)) == wanted)
    return whole or tuple(paper for paper in known if set(wanted) <= set(_words(paper.title)))


def listed(found: Sequence[Paper]) -> str:
    """Candidates in a sentence; choosing one of them is the caller's."""
    named = "; ".join(f"{inline(paper.title)} (lccn {paper.lccn})" for paper in found[:_MOST_NAMED])
    more = len(found) - _MOST_NAMED
    return named + (f"; and {more} more" if more > 0 else "")


def holds(row_title: str | None, typed: str) -> bool:
    """Does the title of a page's paper hold the words typed?"""
    return set(_words(typed)) <= set(_words(row_title or ""))


def _name(title: str) -> str:
    """What stands before the place in brackets, and before years."""
    return re.split(r"\s*[(\[]|\s+[0-9]{4}-", title, maxsplit=1)[0]


def _words(text: str) -> tuple[str, ...]:
    words = tuple(fold(word) for word in _WORD.findall(text))
    return words[1:] if words and words[0] in _ARTICLES else words
