"""Raw JSON as it comes from a catalogue, and small readers that take any shape without complaint.

Types vary by age and source: a list may be a single value, a number a string, and any level may be
missing, null or of another kind. What cannot be read counts as absent; no reader here raises.
`raw` alone gives text as it came; every other text leaves this module as plain text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeGuard, cast

from heritage_gateway.text import plain, seen

Raw: TypeAlias = Mapping[str, object]

NOTHING: Raw = {}
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def is_raw(value: object) -> TypeGuard[Raw]:
    return isinstance(value, dict)


def mapping(value: object) -> Raw:
    return value if isinstance(value, dict) else NOTHING  # pyright: ignore[reportUnknownVariableType]


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
    """Plain text of a string or a number."""
    return plain(raw(value))


def strings(value: object) -> tuple[str, ...]:
    """The texts of a list without empty ones and repetitions, in the order they came."""
    return tuple(dict.fromkeys(found for item in items(value) if (found := text(item))))


def link(value: object) -> str:
    """A web address; anything else, such as `javascript:`, is no link."""
    found = seen(raw(value)).strip()
    return found if _ADDRESS.fullmatch(found) else ""


def number(value: object) -> int | None:
    """A whole number, which may have come as a string."""
    found = raw(value).strip()
    return int(found) if _WHOLE.fullmatch(found) else None
