"""A subject heading as a filter: the parts that are sent, and what to try for one that gives nothing.

The index holds the parts of a heading as separate lower-case terms. All are sent as they are first;
years at their end are mostly left out of the index, and a few places stand under `location` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heritage_gateway.text import inline
from heritage_loc.headings import Fragment, fragments
from heritage_loc.query import Facet, facet

MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class Try:
    """One way to send a heading, and a sentence on what was applied."""

    facets: tuple[Facet, ...]
    said: str = ""


def tries(heading: str | None) -> tuple[Try, ...]:
    """In order; at most `MOST_TRIES`. One empty try where no heading was given."""
    parts = fragments(heading or "")
    if not parts:
        return (Try(()),)
    found: dict[tuple[Facet, ...], Try] = {}
    for facets in _ways(parts):
        found.setdefault(facets, Try(facets, _said(facets, parts)))
    return tuple(found.values())[:MOST_TRIES]


def _ways(parts: tuple[Fragment, ...]) -> Iterator[tuple[Facet, ...]]:
    yield tuple(part.subject for part in parts)
    undated = tuple(_undated(part) for part in parts if not part.is_only_years)
    if undated:
        yield undated
    if len(undated) > 1:  # the last part is the one that is a place, where one is
        *topics, place = undated
        yield (*topics, facet("location", place.value))


def _undated(part: Fragment) -> Facet:
    return facet("subject", part.undated or part.value)


def _said(facets: tuple[Facet, ...], parts: tuple[Fragment, ...]) -> str:
    applied = ", ".join(f'{found.name} "{inline(found.value)}"' for found in facets)
    values = {found.value for found in facets}
    left = [part.value for part in parts if part.value not in values]
    said = f"The heading was applied as {applied}."
    if left:
        said += f" The index has no {_quoted(left)}."
    return said


def _quoted(values: list[str]) -> str:
    return ", ".join(f'"{inline(value)}"' for value in values)
