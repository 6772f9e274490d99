"""The Lucene query that upstream is asked: free text, re-written balanced, and exact filters.

Upstream has no filter parameter (unknown ones such as `fq` are dropped without a word), so filters
are terms of `q`, each required by AND. Every value is quoted and escaped, since an unquoted one leaks
its second word into the free text and a bare star is a wildcard; two literals alone stand unquoted.
Free text is parsed, and written anew in brackets of its own: nothing typed can step out of them.
All words are required. OR does not widen upstream, so it is left out and the caller told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heritage_gateway.index import (
    Clause,
    Everything,
    Grammar,
    Group,
    Node,
    Phrase,
    Term,
    Word,
    parse,
)
from heritage_gateway.text import seen

EVERYTHING = "*"
HAS_MEDIA_TYPE = (
    "online_media_type",
    "*",
)  # any type at all; does not promise that media are there
HAS_CC0_MEDIA = ("media_usage", "CC0")
LITERALS = frozenset((HAS_MEDIA_TYPE, HAS_CC0_MEDIA))

FILTER_FIELDS = (
    *("unit_code", "object_type", "date", "culture", "place", "topic", "name"),
    *("scientific_name", "online_media_type"),
)
FIELDS = frozenset(
    (
        *(*FILTER_FIELDS, "media_usage", "data_source", "language", "common_name"),
        *("tax_kingdom", "tax_phylum", "tax_division", "tax_class", "tax_order", "tax_family"),
        *("tax_sub-family", "geo_age-era", "geo_age-system", "geo_age-series", "geo_age-stage"),
        *("strat_group", "strat_formation", "strat_member", "onPhysicalExhibit"),
        *("online_media_rights", "usage_flag"),
    )
)

GRAMMAR = Grammar(FIELDS, LITERALS)


@dataclass(frozen=True, slots=True)
class Filters:
    """Exact, case-sensitive index terms; `cc0_only` is about media, not about the metadata."""

    unit_code: str | None = None
    object_type: str | None = None
    date: str | None = None
    culture: str | None = None
    place: str | None = None
    topic: str | None = None
    name: str | None = None
    scientific_name: str | None = None  # a bare genus finds its species too: upstream's own doing
    online_media_type: str | None = None
    online_only: bool = False
    cc0_only: bool = False

    def terms(self) -> tuple[Term, ...]:
        values: tuple[tuple[str, str | None], ...] = (
            ("unit_code", self.unit_code),
            ("object_type", self.object_type),
            ("date", self.date),
            ("culture", self.culture),
            ("place", self.place),
            ("topic", self.topic),
            ("name", self.name),
            ("scientific_name", self.scientific_name),
            ("online_media_type", self.online_media_type),
        )
        named = tuple(Term(name, _sendable(value)) for name, value in values if value)
        media = (Term(*HAS_MEDIA_TYPE, literal=True),) if self.online_only else ()
        cc0 = (Term(*HAS_CC0_MEDIA, literal=True),) if self.cc0_only else ()
        return (*named, *media, *cc0)


@dataclass(frozen=True, slots=True)
class Lucene:
    """A query ready to be sent, and the tree it was written from.

    `mended` says in whole sentences what was read otherwise than typed.
    """

    q: str
    clauses: tuple[Clause, ...] = ()
    filters: tuple[Term, ...] = ()
    mended: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words and phrases that a match holds, as typed."""
        return tuple(
            clause.node.text
            for clause in self.clauses
            if isinstance(clause.node, Word | Phrase) and not clause.negative
        )


@dataclass(frozen=True, slots=True)
class Unsearchable:
    """The text holds nothing to look for; sent on, it would have found everything."""

    query: str
    mended: tuple[str, ...] = ()


def build(query: str, filters: Filters | None = None) -> Lucene | Unsearchable:
    terms = (filters or Filters()).terms()
    typed = seen(query).strip()
    if typed in ("", EVERYTHING):
        return Lucene(_with_filters("", terms), filters=terms)
    clauses, mended = parse(typed, GRAMMAR)
    if not clauses:
        return Unsearchable(query, mended)
    free = _written(clauses)
    return Lucene(_with_filters("" if free == EVERYTHING else free, terms), clauses, terms, mended)


def _with_filters(free: str, terms: tuple[Term, ...]) -> str:
    parts = [_term(term) for term in terms]
    if free:
        parts.insert(0, f"({free})" if terms else free)
    return " AND ".join(parts) or EVERYTHING


# -- writing ---------------------------------------------------------------------------------------

_SPECIAL = re.compile(r'[+!(){}\[\]^"~*?:/&|\\]|^-')


def quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _term(term: Term) -> str:
    return f"{term.field}:{term.value if term.literal else quoted(term.value)}"


def _written(clauses: tuple[Clause, ...]) -> str:
    """Clauses side by side. One that only excludes needs something to exclude from."""
    parts = [("NOT " if c.negative else "") + _node(c.node) for c in clauses]
    if all(clause.negative for clause in clauses):
        parts.insert(0, EVERYTHING)
    return " ".join(parts)


def _node(node: Node) -> str:
    match node:
        case Word(text, prefix):
            return _SPECIAL.sub(r"\\\g<0>", text) + ("*" if prefix else "")
        case Phrase(text):
            return quoted(text)
        case Term():
            return _term(node)
        case Everything():
            return EVERYTHING
        case Group(clauses):
            return f"({_written(clauses)})"


def _sendable(value: str) -> str:
    """A lone surrogate cannot be sent; anything else in a value is part of the term."""
    return value.encode("utf-8", "ignore").decode()
