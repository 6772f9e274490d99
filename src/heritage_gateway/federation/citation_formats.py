"""Entries for reference managers, read field by field: BibTeX, RIS and CSL-JSON; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class Entry:
    """What an entry says of a work; the day of access is no part of it."""

    title: str = ""
    container: str = ""
    names: tuple[str, ...] = ()
    date: str = ""
    page: str = ""
    number: str = ""
    link: str = ""
    id: str = ""


def entry(text: str) -> Entry | None:
    """The first entry of a text; None where it is written in none of the formats."""
    return _csl(text) or _ris(text) or _bibtex(text)


# -- CSL-JSON --------------------------------------------------------------------------------------


def _csl(text: str) -> Entry | None:
    if not text.startswith(("{", "[")):
        return None
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    fields = _fields(found[0] if isinstance(found, list) and found else found)
    if not {"title", "URL", "id"} & fields.keys():
        return None
    return Entry(
        title=_text(fields.get("title")),
        container=_text(fields.get("container-title")),
        names=tuple(_csl_names(fields.get("author"))),
        date=_csl_date(_fields(fields.get("issued"))),
        page=_text(fields.get("page")),
        number=_text(fields.get("call-number")),
        link=_text(fields.get("URL")),
        id=_text(fields.get("id")),
    )


def _fields(found: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], found) if isinstance(found, dict) else {}


def _entries(found: Any) -> Sequence[Any]:
    return cast(Sequence[Any], found) if isinstance(found, list) else ()


def _text(found: Any) -> str:
    return str(found).strip() if isinstance(found, str | int) else ""


def _csl_names(authors: Any) -> Iterator[str]:
    for author in map(_fields, _entries(authors)):
        if name := _text(author.get("family")) or _text(author.get("literal")):
            yield name


def _csl_date(issued: Mapping[str, Any]) -> str:
    moments = [list(map(_text, _entries(parts))) for parts in _entries(issued.get("date-parts"))]
    told = "/".join("-".join(part.zfill(2) for part in moment) for moment in moments)
    about = "circa " if told and issued.get("circa") else ""
    return about + (told or _text(issued.get("literal")) or _text(issued.get("raw")))


# -- RIS -------------------------------------------------------------------------------------------

_TAG = re.compile(r"^\s*([A-Z][A-Z0-9])  ?-(?: (.*))?$", re.MULTILINE)


def _ris(text: str) -> Entry | None:
    if not re.match(r"\s*TY  ?- ", text):
        return None
    found: dict[str, list[str]] = {}
    for tag, value in _TAG.findall(text.partition("\nER")[0]):
        found.setdefault(tag, []).append(value.strip())

    def first(*tags: str) -> str:
        return next((found[tag][0] for tag in tags if tag in found), "")

    return Entry(
        title=first("TI", "T1"),
        container=first("T2", "JO", "JF"),
        names=tuple(name.partition(",")[0] for tag in ("AU", "A1") for name in found.get(tag, ())),
        date=first("DA", "PY", "Y1"),
        page=first("SP"),
        number=first("CN"),
        link=first("UR"),
        id=first("ID"),
    )


# -- BibTeX ----------------------------------------------------------------------------------------

_HEAD = re.compile(r"\s*@[a-zA-Z]+\s*\{\s*([^,\s{}]*)\s*,")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w-]*)\s*=\s*")
_COMMAND = {
    r"{\textbraceleft}": "",
    r"{\textbraceright}": "",
    r"\textbackslash": "\\",
    r"\textasciitilde": "~",
    r"\textasciicircum": "^",
}


def _bibtex(text: str) -> Entry | None:
    head = _HEAD.match(text)
    if head is None:
        return None
    fields: dict[str, str] = {}
    at = head.end()
    while match := _FIELD.match(text, at):
        value, at = _value(text, match.end())
        fields.setdefault(match[1].lower(), value)
    authors = re.split(r"\s+and\s+(?![^{}]*\})", fields.get("author", ""))
    return Entry(
        title=_bare(fields.get("title", "")),
        container=_bare(fields.get("journal", "")),
        names=tuple(filter(None, map(_family, authors))),
        date=_bibtex_date(fields),
        page=_bare(fields.get("pages", "")),
        number=_bare(fields.get("number", "")),
        link=fields.get("url", ""),
        id=head[1],
    )


def _value(text: str, at: int) -> tuple[str, int]:
    """What stands in braces or quotation marks, or up to the next comma; and where it ends."""
    opening = text[at : at + 1]
    if opening not in {"{", '"'}:
        end = min(
            filter(lambda place: place >= 0, (text.find(",", at), text.find("\n", at), len(text)))
        )
        return text[at:end].strip(" }"), end
    depth = 0
    for place in range(at, len(text)):
        sign = text[place]
        depth += (sign == "{") - (sign == "}")
        if (opening == "{" and not depth) or (opening == sign == '"' and not depth and place > at):
            return text[at + 1 : place].strip(), place + 1
    return text[at + 1 :], len(text)


def _bare(value: str) -> str:
    for command, sign in _COMMAND.items():
        value = value.replace(command, sign)
    return " ".join(re.sub(r"\\(?=[&%$#_])|[{}]", "", value).split())


def _family(name: str) -> str:
    if name.strip().startswith("{"):
        return _bare(name)
    family, comma, _ = _bare(name).partition(",")
    return family if comma else next(iter(family.split()[-1:]), "")


def _bibtex_date(fields: Mapping[str, str]) -> str:
    if not (year := fields.get("year", "")):
        return fields.get("date", "") or fields.get("note", "").removeprefix("Dated ")
    return " ".join(filter(None, (fields.get("day", ""), fields.get("month", ""), year)))
