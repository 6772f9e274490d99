"""What may be done with a thing: its own words against the rules of its house; the least permissive wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.capability import Permission, Verdict
from heritage_gateway.lines import cell
from heritage_gateway.text import clip

_LONGEST = 400  # characters of words that are quoted
_STRICTNESS: dict[Permission, int] = {
    "restricted": 0,
    "conditions": 1,
    "unknown": 2,
    "free_to_use": 3,
}
_ADDRESS = re.compile(r"\bhttps?://\S+", re.IGNORECASE)
# Beside any of these nothing is free, unless a rule knows the words that it stands in.
_WARNING = re.compile(
    r"""
    # somebody holds rights
      © | \(c\) | \b copyright | \b (?: reserved | owned | protected | protection ) \b
    | \b (?: un )? licen[cs] | \b cc[ -]by \b | \b (?: nc | nd ) \b | \b share-?alike \b
    | \b retain | \b (?: held | holders? | estate ) \b
    # somebody is to be asked
    | \b permi (?: t | ssion ) | \b authori[sz] | \b (?: consent | approval | fees? | contact ) \b
    | \b (?: terms | conditions? | on[ ]request | agreement ) \b | \b require
    # it is closed
    | \b (?: restrict | prohibit | embargo ) | \b (?: forbidden | closed | limited | unpublished ) \b
    | \b unavailable \b | \b (?: until | pending ) \b
    # not so, or not for all of it
    | \b (?: not | cannot | never | no[ ]longer ) \b | n[\u2019']t \b | \b (?: except | exclud )
    | \b (?: unless | however | but | although | though | only | other[ ]than ) \b
    | \b (?: some | many | most | certain | portions? | parts ) \b
    # not known, or not everywhere, or not for all uses
    | \b (?: unknown | undetermined | unclear | uncertain | questionable | outside | elsewhere ) \b
    | \b (?: possibly | perhaps | probably | might | may[ ]be ) \b | \?
    | \b (?: personal | private | educational ) \b | \b non-?profit | commercial
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|\n+")


class Statement(NamedTuple):
    """What a record says, and the field where it stands."""

    field: str
    words: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Statements of one of `fields` (of any where there are none) in which `words` is found.

    `name` says in a librarian's words what is recognised. A rule that frees, or one of words that say
    nothing of use (`is_silent`), holds only where no word of warning is left beside what such rules
    know; `beside` are words that may stand there. A rule that `yields` is left aside where the record's
    own words free it.
    """

    name: str
    permission: Permission
    words: re.Pattern[str]
    fields: tuple[str, ...] = ()
    beside: re.Pattern[str] | None = None
    is_silent: bool = False
    yields: bool = False

    @property
    def is_guarded(self) -> bool:
        return self.is_silent or self.permission == "free_to_use"

    def finds(self, statement: Statement) -> re.Match[str] | None:
        if self.fields and statement.field not in self.fields:
            return None
        return self.words.search(statement.words)

    def without(self, statement: Statement) -> Statement:
        """What a statement says beside the words of this rule."""
        if self.fields and statement.field not in self.fields:
            return statement
        words = self.words.sub(" ", statement.words)
        return statement._replace(words=self.beside.sub(" ", words) if self.beside else words)


def rule(
    name: str,
    permission: Permission,
    words: str,
    *fields: str,
    beside: str = "",
    yields: bool = False,
) -> Rule:
    spared = re.compile(beside, re.IGNORECASE) if beside else None
    return Rule(name, permission, re.compile(words, re.IGNORECASE), fields, spared, yields=yields)


def silent(name: str, words: str, *fields: str) -> Rule:
    """Of words that say nothing of use: what else is said decides, and they alone leave it unknown."""
    return Rule(name, "unknown", re.compile(words, re.IGNORECASE), fields, is_silent=True)


def warns(words: str) -> bool:
    """Whether a word of warning stands in it, outside of web addresses."""
    return _WARNING.search(_ADDRESS.sub(" ", words)) is not None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and the name of the rule it comes from; empty where none matched."""

    verdict: Verdict
    rule: str = ""


class _Found(NamedTuple):
    """What one statement amounts to; `place` is that of its rule in the table."""

    permission: Permission
    place: int
    statement: Statement
    match: re.Match[str] | None = None
    rule: str = ""
    is_silent: bool = False
    yields: bool = False

    @property
    def ruling(self) -> Ruling:
        said = self.statement
        words = _sentence(said.words, self.match) if self.match else _quoted(said.words)
        return Ruling(Verdict(self.permission, words, said.field), self.rule)


def judge(
    statements: Iterable[Statement], rules: Sequence[Rule], general: Sequence[str] = ()
) -> Ruling:
    """Each statement is judged by the first rule that matches it, and the least permissive wins.

    Words that no rule knows count as `unknown`. What fields of `general` say of many things at once
    is left aside where the record's own words free it, and counts with them otherwise. The sentence
    that was matched is quoted.
    """
    found = [_judged(one, rules) for one in statements if one.words.strip()]
    if not found:
        return Ruling(Verdict("unknown"))
    telling = [one for one in found if not one.is_silent]
    own = [one for one in telling if not one.yields and one.statement.field not in general]
    if own and all(one.permission == "free_to_use" for one in own):
        telling = own
    return min(telling or found, key=lambda one: (_STRICTNESS[one.permission], one.place)).ruling


def _judged(said: Statement, rules: Sequence[Rule]) -> _Found:
    """Words that would free it, beside words of warning that no later rule reads, are conditions."""
    warned: _Found | None = None
    for place, each in enumerate(rules):
        match = each.finds(said)
        if not match:
            continue
        if not each.is_guarded or not _is_warned(said, each, rules):
            if warned and each.permission in ("unknown", "free_to_use"):
                return warned
            return _Found(
                each.permission, place, said, match, each.name, each.is_silent, each.yields
            )
        if each.permission == "free_to_use" and warned is None:
            warned = _Found("conditions", place, said, None, f"{each.name}; with a warning")
    return warned or _Found("unknown", len(rules), said)


def _is_warned(said: Statement, by: Rule, rules: Sequence[Rule]) -> bool:
    left = by.without(said)
    for each in rules:
        if each.is_guarded:
            left = each.without(left)
    return warns(left.words)


def _sentence(words: str, match: re.Match[str]) -> str:
    """The whole of a short statement; of a long one the sentences that the match lies in."""
    if len(words) <= _LONGEST:
        return _quoted(words)
    ends = [found.start() for found in _SENTENCE_END.finditer(words)]
    start = max((end for end in ends if end <= match.start()), default=0)
    stop = min((end for end in ends if end >= match.end()), default=len(words))
    return _quoted(words[start:stop])


def _quoted(words: str) -> str:
    return clip(" ".join(words.split()), _LONGEST)


class Rights(BaseModel):
    """A verdict as answers publish it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    permission: Annotated[
        Permission, Field(description="unknown: nothing is said, or nothing that is clear.")
    ]
    words: Annotated[str | None, Field(description="The record's own.")] = None
    field: Annotated[str | None, Field(description="Where they stand in the record.")] = None

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        return cls(
            permission=verdict.permission, words=verdict.words or None, field=verdict.field or None
        )

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.permission, self.words or "", self.field or "")

    @property
    def told(self) -> str:
        """The same as text."""
        return told(self.verdict)


def told(verdict: Verdict) -> str:
    """A verdict in a line of text."""
    if not verdict.words:
        return verdict.permission
    return f'{verdict.permission}, by "{cell(verdict.words)}" ({verdict.field})'
