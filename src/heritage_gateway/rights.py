"""What may be done with a thing: the rules of a house, read from top to bottom, against its own words."""

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
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|\n+")


class Statement(NamedTuple):
    """What a record says, and the field where it stands."""

    field: str
    words: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Statements of one of `fields` (of any where there are none) in which `words` is found.

    `name` says in a librarian's words what is recognised.
    """

    name: str
    permission: Permission
    words: re.Pattern[str]
    fields: tuple[str, ...] = ()

    def finds(self, statement: Statement) -> re.Match[str] | None:
        if self.fields and statement.field not in self.fields:
            return None
        return self.words.search(statement.words)


def rule(name: str, permission: Permission, words: str, *fields: str) -> Rule:
    return Rule(name, permission, re.compile(words, re.IGNORECASE), fields)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and the name of the rule it comes from; empty where none matched."""

    verdict: Verdict
    rule: str = ""


def judge(statements: Iterable[Statement], rules: Sequence[Rule]) -> Ruling:
    """The first rule that matches a statement wins, and the sentence that it matched is quoted.

    Words that no rule knows are quoted too, and nothing is concluded from them.
    """
    said = [one for one in statements if one.words.strip()]
    for each in rules:
        for one in said:
            if match := each.finds(one):
                words = _sentence(one.words, match)
                return Ruling(Verdict(each.permission, words, one.field), each.name)
    if not said:
        return Ruling(Verdict("unknown"))
    return Ruling(Verdict("unknown", _quoted(said[0].words), said[0].field))


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
