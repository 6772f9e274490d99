"""BibTeX: braces that always balance, capitals that are kept, and no field that the record lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from heritage_gateway.capability import Work
from heritage_gateway.citation.csl import attribution, page_title
from heritage_gateway.citation.dates import Dating, Moment, dating
from heritage_gateway.citation.names import Name, credited
from heritage_gateway.citation.prose import container, edition, medium, paper, title
from heritage_gateway.text import seen

_TYPES = {"book": "book", "newspaper_page": "article"}
_KEY = re.compile(r"[^A-Za-z0-9_.:+-]+")
_HOST = re.compile(r"https?://[^/]*/")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

# BibTeX counts braces even behind a backslash, so they become commands.
_SPECIAL = {
    "\\": r"{\textbackslash}",
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
    **{mark: f"\\{mark}" for mark in "&%$#_"},
}
_LIVE = re.compile("|".join(map(re.escape, _SPECIAL)))
_URL_LIVE = re.compile(r"[\s{}\\]")


def bibtex(work: Work, accessed: date) -> str:
    """One entry under a key made of the work's id, which no other work has."""
    parties, when = credited(work.creators), dating(work)
    is_page = work.kind == "newspaper_page"
    fields = {
        "author": _people(parties.makers),
        "editor": _people(parties.editors),
        "translator": _people(parties.translators),
        "title": _kept(page_title(work) if is_page else title(work)),
        "journal": _kept(paper(work)) if is_page else "",
        "series": "" if is_page else _braced(container(work)),
        "edition": _braced(work.edition) if edition(work) else "",
        "publisher": _braced(work.publisher),
        "address": _braced(work.place),
        **_date(when),
        "pages": _braced(work.page),
        "howpublished": "" if work.kind in _TYPES else _braced(medium(work)),
        "institution": _braced(work.holder),
        "number": _braced(work.identifier),
        "note": _braced(_note(parties.makers, when)),
        "url": f"{{{_URL_LIVE.sub(_encoded, work.link)}}}" if work.link else "",
        "urldate": _braced(accessed.isoformat()),
    }
    lines = [f"  {name} = {value}," for name, value in fields.items() if value]
    key = _KEY.sub("-", _HOST.sub("", work.id)).strip("-") or "work"
    return "\n".join((f"@{_TYPES.get(work.kind, 'misc')}{{{key},", *lines, "}"))


def _date(when: Dating) -> dict[str, str]:
    """`year` where it is one; a span, and what is about a year, in the form that biblatex reads."""
    if not when.start:
        return {}
    if when.end or when.circa:
        mark = "?" if when.guess else "~" if when.circa else ""
        moments = filter(None, (when.start, when.end))
        return {"date": f"{{{'/'.join(_iso(moment) + mark for moment in moments)}}}"}
    year, *rest = when.start
    return {
        "year": f"{{{year}}}",
        "month": _MONTHS[rest[0] - 1] if rest else "",
        "day": f"{{{rest[1]}}}" if len(rest) > 1 else "",
    }


def _iso(moment: Moment) -> str:
    year, *rest = moment
    return "-".join((f"{year:04}", *(f"{part:02}" for part in rest)))


def _note(makers: Sequence[Name], when: Dating) -> str:
    """With the words of a date that is none."""
    dated = f"Dated {when.words}" if when.is_known and not when.start else ""
    return ". ".join(filter(None, (attribution(makers), dated)))


def _escaped(text: str) -> str:
    return _LIVE.sub(lambda match: _SPECIAL[match[0]], " ".join(seen(text).split()))


def _braced(text: str) -> str:
    return f"{{{_escaped(text)}}}" if text else ""


def _kept(text: str) -> str:
    """In double braces: styles then leave its capitals alone."""
    return f"{{{_braced(text)}}}" if text else ""


def _people(names: Sequence[Name]) -> str:
    return f"{{{' and '.join(map(_person, names))}}}" if names else ""


def _person(name: Name) -> str:
    if name.literal:
        return _braced(name.literal)
    return ", ".join(_part(part) for part in (name.family, name.suffix, name.given) if part)


def _part(text: str) -> str:
    """A part with a comma or an "and" of its own would be read as two."""
    return _braced(text) if "," in text or " and " in f" {text} " else _escaped(text)


def _encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
