"""Answers fit an agent: the largest part of an answer that stays within the token budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

from pydantic import BaseModel

from heritage_gateway.text import clip

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
A = TypeVar("A")
_CHARACTERS_PER_TOKEN = 4
_ADDRESSES = ("http://", "https://")
_LONGEST_ADDRESS = 2_000
_AT_ONCE = 1_000  # rows or characters per section that are written without looking for less


class Draft(Protocol[T_co]):
    """An answer that can be served shorter.

    `extent` is its full measure: rows of a page, or characters per section of a record. `within`
    gives the answer cut to a smaller measure, with the notice that says how to get the rest; it
    must not grow when the measure shrinks.
    """

    @property
    def extent(self) -> int: ...

    @property
    def least(self) -> int:
        """The smallest measure that still gets a caller on; served even when it is too large."""
        ...

    def within(self, extent: int) -> T_co: ...


def tokens(text: str, structure: Mapping[str, Any]) -> float:
    """Size of an answer as SEMANTICS counts it: text plus compact JSON, in characters / 4."""
    compact = json.dumps(structure, ensure_ascii=False, separators=(",", ":"))
    return (len(text) + len(compact)) / _CHARACTERS_PER_TOKEN


def clipped(value: T, limit: int) -> T:
    """`value` with every text cut to so many characters, and every list to a tenth as many entries.

    The last resort for what no measure makes small enough, such as a single row with an endless
    title. Notices stay whole, and addresses of a usable length.
    """
    return cast(T, _clipped(value, limit))


def _clipped(value: object, limit: int) -> object:
    if isinstance(value, str):
        return clip(value, _LONGEST_ADDRESS if value.startswith(_ADDRESSES) else limit)
    if isinstance(value, BaseModel):
        changed = {name: _clipped(part, limit) for name, part in value if name != "notice"}
        return value.model_copy(update=changed)
    if isinstance(value, list | tuple):
        entries = cast(Sequence[object], value)[: limit // 10]
        parts = [_clipped(entry, limit) for entry in entries]
        return tuple(parts) if isinstance(value, tuple) else parts
    return value


def largest(draft: Draft[T], served: Callable[[T], A | None]) -> tuple[T, A | None]:
    """The longest form of `draft` that can be served, and what it is served as.

    `served` gives None for what does not fit; if nothing does, the shortest form is given without.
    A long draft is tried from its beginning, so that a page of tens of thousands of rows is not
    written out only to be thrown away.
    """
    low, high = draft.least, draft.extent
    best: tuple[T, A] | None = None
    size = min(high, _AT_ONCE)
    while answer := served(longer := draft.within(size)):
        if size == draft.extent:
            return longer, answer
        low, best, size = size, (longer, answer), min(high, 4 * size)
    high = size
    while high - low > 1:
        middle = (low + high) // 2
        shorter = draft.within(middle)
        if answer := served(shorter):
            low, best = middle, (shorter, answer)
        else:
            high = middle
    if best is None:
        shortest = draft.within(low)
        return shortest, served(shortest)
    return best
