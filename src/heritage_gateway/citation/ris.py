"""RIS: one line a tag, as EndNote, Zotero and Mendeley read it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from heritage_gateway.capability import Work
from heritage_gateway.citation.csl import attribution, page_title
from heritage_gateway.citation.dates import Dating, dating
from heritage_gateway.citation.names import Name, credited
from heritage_gateway.citation.prose import container, edition, medium, paper, title
from heritage_gateway.text import seen

_TYPES = {
    "artwork": "ART",
    "photograph": "ART",
    "map": "MAP",
    "book": "BOOK",
    "manuscript": "MANSCPT",
    "recording": "SOUND",
    "film": "MPCT",
    "score": "MUSIC",
    "newspaper_page": "NEWS",
    "periodical": "JFULL",
    "archive": "MANSCPT",
    "webpage": "ELEC",
}


def ris(work: Work, accessed: date) -> str:
    tags = (("TY", _TYPES.get(work.kind, "GEN")), *_tags(work, accessed))
    lines = [f"{tag}  - {line}" for tag, value in tags if (line := " ".join(seen(value).split()))]
    return "\n".join((*lines, "ER  - "))


def _tags(work: Work, accessed: date) -> Iterator[tuple[str, str]]:
    parties, is_page = credited(work.creators), work.kind == "newspaper_page"
    yield "ID", work.id
    yield from (("AU", _person(name)) for name in parties.makers)
    yield from (("ED", _person(name)) for name in parties.editors)
    yield from (("A4", _person(name)) for name in parties.translators)
    yield "TI", page_title(work) if is_page else title(work)
    yield "T2", paper(work) if is_page else container(work)
    yield from _dates(dating(work))
    yield "ET", work.edition if edition(work) else ""
    yield "PB", work.publisher
    yield "CY", work.place
    yield "SP", work.page
    yield "M3", medium(work)
    yield "DP", work.holder
    yield "CN", work.identifier
    yield "N1", attribution(parties.makers)
    yield "UR", work.link
    yield "Y2", f"{accessed:%Y/%m/%d}"


def _dates(when: Dating) -> Iterator[tuple[str, str]]:
    """PY is four digits; what is not one year stands in DA alone, in words."""
    if when.start and not when.end and not when.circa:
        yield "PY", f"{when.start[0]:04}"
        yield "DA", "/".join(f"{part:02}" for part in when.start) if len(when.start) > 1 else ""
    else:
        yield "DA", when.year


def _person(name: Name) -> str:
    return ", ".join(filter(None, (name.literal or name.family, name.given, name.suffix)))
