"""EDAN's rows: what this catalogue adds to the shapes of JSON, and where the parts of a row stand.

A name is a string or `{type, content}`, a number may be `{type: decimal, content}`, archives write
their booleans as words. As in the core's readers, nothing here raises, and text leaves as plain text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from heritage_gateway.text import plain
from heritage_gateway.wire import Raw, is_raw, items, link, mapping, mappings, number, raw

__all__ = [
    "Entry",
    "Raw",
    "content",
    "decimal",
    "descriptive",
    "freetext",
    "indexed",
    "is_archival",
    "is_raw",
    "items",
    "labelled",
    "link",
    "mapping",
    "mappings",
    "number",
    "raw",
    "strings",
    "text",
    "yes",
]

_DECIMAL = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


class Entry(NamedTuple):
    """One entry of a free-text block; `indexed` is the index form that only archives carry."""

    label: str
    content: str
    flags: tuple[str, ...] = ()
    indexed: str = ""


def text(value: object) -> str:
    """Plain text of a string, a number or a `{type, content}` object."""
    return plain(raw(value.get("content") if is_raw(value) else value))


def strings(value: object) -> tuple[str, ...]:
    """The texts of a list without empty ones and repetitions, in the order they came."""
    return tuple(dict.fromkeys(found for item in items(value) if (found := text(item))))


def labelled(value: object) -> tuple[Entry, ...]:
    """The entries of a free-text block that have content; a bare string has no label."""
    return tuple(entry for item in items(value) if (entry := _entry(item)).content)


def _entry(item: object) -> Entry:
    fields = mapping(item)
    if not fields:
        return Entry("", text(item))
    return Entry(
        text(fields.get("label")),
        text(fields.get("content")),
        strings(fields.get("flag")) if "flag" in fields else (),
        text(fields.get("indexedContent")) if "indexedContent" in fields else "",
    )


def decimal(value: object) -> float | None:
    """A plain decimal number; "inf", "nan", exponents and degrees with minutes are not."""
    fields = mapping(value)
    if fields:
        if raw(fields.get("type")) not in ("", "decimal"):
            return None
        value = fields.get("content")
    found = raw(value).strip()
    return float(found) if len(found) < 40 and _DECIMAL.fullmatch(found) else None


def yes(value: object) -> bool:
    """Archives write "true" where others write true."""
    return value is True or raw(value).lower() in ("true", "yes")


# -- the three parts of a row ------------------------------------------------------------------------


def content(row: Raw) -> Raw:
    return mapping(row.get("content"))


def descriptive(row: Raw) -> Raw:
    """`descriptiveNonRepeating`: archives have none, and keep the same keys in `content`."""
    return mapping(content(row).get("descriptiveNonRepeating"))


def freetext(row: Raw) -> Raw:
    return mapping(content(row).get("freetext"))


def indexed(row: Raw) -> Raw:
    return mapping(content(row).get("indexedStructured"))


def is_archival(row: Raw) -> bool:
    """Records of finding aids (`ead_component`, `ead_collection`) have a layout of their own."""
    kind = raw(row.get("type")) or raw(row.get("url"))
    return kind.startswith("ead_")
