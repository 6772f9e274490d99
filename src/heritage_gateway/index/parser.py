"""A typed query, read to its end: words, phrases, NOT, brackets, a trailing star, field:value.

All words are required. OR does not widen; it is left out, and that is said. Unbalanced text is closed
where it ends, so nothing typed can step out of what stands around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from heritage_gateway.index.tree import Clause, Everything, Group, Node, Phrase, Term, Word

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


@dataclass(frozen=True, slots=True)
class Grammar:
    """What only a catalogue knows: the fields that `field:value` may name, and its literals."""

    fields: frozenset[str] = frozenset()
    literals: frozenset[tuple[str, str]] = frozenset()


PLAIN = Grammar()


def parse(typed: str, grammar: Grammar = PLAIN) -> tuple[tuple[Clause, ...], tuple[str, ...]]:
    """The clauses of a text, and sentences on what was read otherwise than typed. Never raises."""
    reader = _Reader(grammar)
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
    grammar: Grammar
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
        if colon and name in self.grammar.fields and (value or adjoins):
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
        literal = (name, value) in self.grammar.literals
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
