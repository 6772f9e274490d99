"""A query as a tree, for every engine alike: what must hold of an entry, and what must not.

Every clause is required; there is no "or". The catalogues behind this server widen by nothing, so a
tree that could say it would promise what no source keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Word:
    """A word as typed; an engine may read several in it: "UH-1H" is a phrase of two."""

    text: str
    prefix: bool = False  # "quilt*"


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """An exact, case-sensitive term of a field; a literal star stands for any term at all."""

    field: str
    value: str
    literal: bool = False

    @property
    def is_any(self) -> bool:
        return self.literal and self.value == "*"


@dataclass(frozen=True, slots=True)
class Everything:
    """The bare star."""


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses under one NOT; other brackets say nothing, since everything is required."""

    clauses: tuple[Clause, ...]


Node: TypeAlias = Word | Phrase | Term | Everything | Group


@dataclass(frozen=True, slots=True)
class Clause:
    node: Node
    negative: bool = False
