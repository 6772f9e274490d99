"""CSL-JSON: what reference managers and pandoc read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from heritage_gateway.capability import Work
from heritage_gateway.citation.dates import Dating, dating
from heritage_gateway.citation.names import Name, credited
from heritage_gateway.citation.prose import container, edition, listed, medium, paper, title

TYPES = {
    "artwork": "graphic",
    "photograph": "graphic",
    "map": "map",
    "book": "book",
    "manuscript": "manuscript",
    "recording": "song",
    "film": "motion_picture",
    "score": "musical_score",
    "newspaper_page": "article-newspaper",
    "periodical": "periodical",
    "specimen": "document",
    "object": "document",
    "archive": "collection",
    "webpage": "webpage",
}


def csl_json(work: Work, accessed: date) -> str:
    """One item; several of them are an array."""
    return json.dumps(csl(work, accessed), ensure_ascii=False)


def csl(work: Work, accessed: date) -> dict[str, Any]:
    """Absent where the record says nothing, never empty."""
    parties = credited(work.creators)
    is_page = work.kind == "newspaper_page"
    fields: dict[str, Any] = {
        "id": work.id,
        "type": TYPES.get(work.kind, "document"),
        "title": page_title(work) if is_page else title(work),
        "author": _people(parties.makers),
        "editor": _people(parties.editors),
        "translator": _people(parties.translators),
        "issued": _issued(dating(work)),
        "accessed": {"date-parts": [[accessed.year, accessed.month, accessed.day]]},
        "container-title": paper(work) if is_page else container(work),
        "edition": work.edition if edition(work) else "",
        "page": work.page,
        "publisher": work.publisher,
        "publisher-place": work.place,
        "medium": medium(work),
        "archive": work.holder,
        "call-number": work.identifier,
        "note": attribution(parties.makers),
        "URL": work.link,
    }
    return {name: value for name, value in fields.items() if value}


def page_title(work: Work) -> str:
    """A page has no title of its own; in a list of entries it is known by paper, day and number."""
    page = f"page {work.page}" if work.page else ""
    return listed(paper(work), dating(work).chicago, page)


def attribution(makers: Sequence[Name]) -> str:
    named = "; ".join(name.plain for name in makers if name.attributed)
    return f"Attributed to {named}" if named else ""


def _people(names: Sequence[Name]) -> list[dict[str, str]]:
    return [_person(name) for name in names]


def _person(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": name.literal}
    parts = {"family": name.family, "given": name.given, "suffix": name.suffix}
    return {key: value for key, value in parts.items() if value}


def _issued(when: Dating) -> dict[str, Any]:
    if not when.is_known:
        return {}
    if not when.start:
        return {"literal": when.words}
    moments = [list(moment) for moment in (when.start, when.end) if moment]
    return {"date-parts": moments, **({"circa": True} if when.circa else {})}
