"""Upstream's rows as they come, and small readers that take any shape without complaint.

Types vary by age and unit: a list may be a single object, a number a string, a name a string or
`{type, content}`, and any level may be missing, null or of another kind. What cannot be read counts
as absent; no reader here raises. All text leaves this module as plain text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias, TypeGuard, cast

from heritage_gateway.text import plain, seen

Raw: TypeAlias = Mapping[str, object]

NOTHING: Raw = {}
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_DECIMAL = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


class Entry(NamedTuple):
    """One entry of a free-text block; `indexed` is the index form that only archives carry."""

    label: str
    content: str
    flags: tuple[str, ...] = ()
    indexed: str = ""


def is_raw(value: object) -> TypeGuard[Raw]:
    return isinstance(value, dict)


def mapping(value: object) -> Raw:
    return value if is_raw(value) else NOTHING


def items(value: object) -> tuple[object, ...]:
    """The members of a list; a single value stands for a list of one."""
    if isinstance(value, list):
        return tuple(cast("list[object]", value))
    return () if value is None else (value,)


def mappings(value: object) -> Iterator[Raw]:
    return (found for item in items(value) if (found := mapping(item)))


def raw(value: object) -> str:
    """A string as it came, for ids and words that are compared; numbers are spelt out."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return str(value)
    return ""


def text(value: object) -> str:
    """Plain text of a string, a number or a `{type, content}` object."""
    found = raw(value.get("content") if is_raw(value) else value)
    return plain(found) if found else ""


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


def link(value: object) -> str:
    """A web address; anything else, such as `javascript:`, is no link."""
    found = seen(raw(value)).strip()
    return found if _ADDRESS.fullmatch(found) else ""


def number(value: object) -> int | None:
    """A whole number, which may have come as a string ("2" as `mediaCount` of older samples)."""
    found = raw(value).strip()
    return int(found) if _WHOLE.fullmatch(found) else None


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
