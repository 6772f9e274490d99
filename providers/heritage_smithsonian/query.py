"""The Lucene query that upstream is asked: free text, re-written balanced, and exact filters.

Upstream has no filter parameter (unknown ones such as `fq` are dropped without a word), so filters
are terms of `q`, each required by AND. Every value is quoted and escaped, since an unquoted one leaks
its second word into the free text and a bare star is a wildcard; two literals alone stand unquoted.
Free text is parsed, and written anew in brackets of its own: nothing typed can step out of them.
All words are required. OR does not widen upstream, so it is left out and the caller told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

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


# -- the query as a tree ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    prefix: bool = False  # "quilt*"


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """An exact index term; a literal is written unquoted."""

    field: str
    value: str
    literal: bool = False


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
    clauses, mended = parse(typed)
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


# -- reading ---------------------------------------------------------------------------------------

OR_NOTE = "OR does not widen a search here: every word is required, so it was left out."
_QUOTE_NOTE = "A quotation mark without a partner was closed at the end of the query."
_OPEN_NOTE = "A bracket without a partner was closed at the end of the query."
_CLOSE_NOTE = "A closing bracket without a partner was left out."
_EMPTY_NOTE = "Brackets or quotation marks with nothing searchable inside were left out."
_EDGE_NOTE = "AND or NOT with nothing beside it was left out."
_STAR_NOTE = "A star is a wildcard only at the end of a word; elsewhere it was read as a character."
_TERM_NOTE = "A value after field: is an exact term; a star in it is no wildcard."
_FIELD_NOTE = "Brackets after field: were read as one exact term for each word in them."
_SLOP_NOTE = "Word distance and weight (~, ^) are not supported and were left out."
_DEEP_NOTE = "NOT brackets nested more than ten deep were read as one."

_ESCAPED = re.compile(r'\\([-+!(){}\[\]^"~*?:/&|\\])')
_TOKEN = re.compile(
    r"(?P<open>\()|(?P<close>\))"
    r'|"(?P<phrase>(?:\\.|[^"\\])*+\\?)(?:(?P<end>")(?P<slop>[~^][0-9.]*+)?)?'
    r'|(?P<word>(?:\\[-+!(){}\[\]^"~*?:/&|\\]|[^\s()"])++)',
    re.DOTALL,
)
_DEPTH = 10  # of NOT brackets inside NOT brackets


def parse(typed: str) -> tuple[tuple[Clause, ...], tuple[str, ...]]:
    reader = _Reader()
    for token in _TOKEN.finditer(typed):
        reader.read(token, adjoins=token.end() < len(typed) and typed[token.end()] in '("')
    return reader.finish()


@dataclass(slots=True)
class _Bracket:
    """An open bracket. A plain one collects into its parent's clauses, for it says nothing."""

    clauses: list[Clause]
    field: str | None = None
    negative: bool = False
    before: int = 0  # clauses there already when it was opened
    dangling: bool = False  # the last thing read was AND


@dataclass(slots=True)
class _Reader:
    stack: list[_Bracket] = field(default_factory=lambda: [_Bracket([])])
    depth: int = 0
    negative: bool = False  # a NOT or a leading minus waits for what it excludes
    named: str | None = None  # "topic:" waits for the bracket or phrase that touches it
    notes: dict[str, None] = field(default_factory=dict[str, None])

    @property
    def top(self) -> _Bracket:
        return self.stack[-1]

    def note(self, text: str) -> None:
        self.notes[text] = None

    def read(self, token: re.Match[str], *, adjoins: bool) -> None:
        if token["open"]:
            self.open()
        elif token["close"]:
            self.close()
        elif token["word"] is not None:
            self.word(token["word"], adjoins=adjoins)
        else:
            self.phrase(token)

    def finish(self) -> tuple[tuple[Clause, ...], tuple[str, ...]]:
        if len(self.stack) > 1:
            self.note(_OPEN_NOTE)
        while len(self.stack) > 1:
            self.close()
        self._edge()
        return _telling(self.top.clauses), tuple(self.notes)

    def open(self) -> None:
        name = self.named or self.top.field
        if self.named:
            self.note(_FIELD_NOTE)
        if self.negative and self.depth < _DEPTH:
            self.depth += 1
            self.stack.append(_Bracket([], name, negative=True))
        else:
            if self.negative:
                self.note(_DEEP_NOTE)
            shared = self.top.clauses
            self.stack.append(_Bracket(shared, name, before=len(shared)))
        self.named, self.negative = None, False

    def close(self) -> None:
        if len(self.stack) == 1:
            self.note(_CLOSE_NOTE)
            return
        self._edge()
        done = self.stack.pop()
        if len(done.clauses) == done.before:
            self.note(_EMPTY_NOTE)
        elif done.negative:
            self.top.clauses.append(_negated(_telling(done.clauses)))
        self.depth -= done.negative
        self.top.dangling = False

    def _edge(self) -> None:
        if self.negative or self.top.dangling:
            self.note(_EDGE_NOTE)
        self.negative = False

    def phrase(self, token: re.Match[str]) -> None:
        if token["end"] is None:
            self.note(_QUOTE_NOTE)
        if token["slop"]:
            self.note(_SLOP_NOTE)
        text = " ".join(re.sub(r'\\(["\\])', r"\1", token["phrase"]).split())
        name = self.named or self.top.field
        self.named = None
        if name and text:
            self.add(Term(name, text))
        elif _searchable(text):
            self.add(Phrase(text))
        else:
            if token["end"]:
                self.note(_EMPTY_NOTE)
            self.negative = False

    def word(self, typed: str, *, adjoins: bool) -> None:
        if typed in ("AND", "&&"):
            if len(self.top.clauses) == self.top.before:
                self.note(_EDGE_NOTE)
            self.top.dangling = True
        elif typed in ("OR", "||"):
            self.note(OR_NOTE)
        elif typed == "NOT" or (typed == "-" and adjoins):
            self.negative = True
        elif len(typed) > 1 and typed[0] == "-" != typed[1]:
            self.negative = True
            self.word(typed[1:], adjoins=adjoins)
        else:
            self.operand(typed, adjoins=adjoins)

    def operand(self, typed: str, *, adjoins: bool) -> None:
        name, colon, value = typed.partition(":")
        if colon and name in FIELDS and (value or adjoins):
            if value:
                self.value(name, value)
            else:
                self.named = name
        elif self.top.field:
            self.value(self.top.field, typed)
        elif typed.strip("*") in ("", ":"):
            self.add(Everything())
        else:
            self.free_word(typed)

    def value(self, name: str, typed: str) -> None:
        value = _ESCAPED.sub(r"\1", typed)
        literal = (name, value) in LITERALS
        if "*" in value and not literal:
            self.note(_TERM_NOTE)
        self.add(Term(name, value, literal=literal))

    def free_word(self, typed: str) -> None:
        """Words of mere punctuation, such as the `&` of "Jodhpur & Udaipur", are no words."""
        stem = typed.rstrip("*")
        prefix = stem != typed and not stem.endswith("\\")
        text = _ESCAPED.sub(r"\1", stem if prefix else typed)
        if _searchable(text):
            if "*" in stem.replace("\\*", ""):
                self.note(_STAR_NOTE)
            self.add(Word(text, prefix))

    def add(self, node: Node) -> None:
        self.top.clauses.append(Clause(node, self.negative))
        self.negative = self.top.dangling = False


def _telling(clauses: list[Clause]) -> tuple[Clause, ...]:
    """A bare star beside other clauses asks for nothing more."""
    star = Clause(Everything())
    return tuple(clause for clause in clauses if clause != star) or tuple(clauses[:1])


def _negated(clauses: tuple[Clause, ...]) -> Clause:
    """NOT of a single clause needs no bracket, and NOT of NOT none at all."""
    if len(clauses) == 1:
        return Clause(clauses[0].node, not clauses[0].negative)
    return Clause(Group(clauses), negative=True)


def _searchable(text: str) -> bool:
    return any(c.isalnum() for c in text)
