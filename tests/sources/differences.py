"""The one list of what a mirror may answer otherwise than the live API, and how each is recognised.

Whatever differs and is not named here is a defect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from functools import cache
from typing import Any

from heritage_gateway.index.folding import folded
from heritage_gateway.index.parser import parse
from heritage_gateway.index.tree import Clause, Group, Phrase, Word
from heritage_gateway.tool import Answer
from heritage_smithsonian.query import GRAMMAR
from sources.questions import Question, objects


class Allowed(StrEnum):
    """Everything that may differ."""

    PROVENANCE = (
        "sources, mirror_snapshot and the last sentence of the notice say which copy answered"
    )
    ORDER = "rows that match words alike come in another order"
    STRADDLING = (
        "the live API finds a phrase that begins in one text of a record and ends in the next"
    )
    FIREWALL = "a firewall before the live API refuses texts that look like an attack"
    HINT = "what to try after nothing was found: the mirror knows counts, and more vocabularies"
    EMPTY_TERMS = (
        "the live API lists terms that no object carries, a mirror only those that find one"
    )
    ESTIMATE = (
        "the live API's breakdown of a category is counted from one page, the mirror's from all"
    )


_WORD = re.compile(r"[^\W_]+")
_DATED = re.compile(r" ?Answered from a local mirror of \d{4}-\d\d-\d\d\.")


def undated(text: str) -> str:
    """A notice or hint without the sentence that a mirror adds."""
    return _DATED.sub("", text)


def without_provenance(structure: dict[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in structure.items() if k not in {"sources", "mirror_snapshot"}}
    if notice := undated(kept.pop("notice", "")):
        kept["notice"] = notice
    return kept


def is_firewall(live: Answer) -> bool:
    return live.reason == "invalid_input" and "firewall" in live.text


def is_straddling(question: Question, names: Collection[str]) -> bool:
    """Is each of these records found on one side only because a phrase spans two of its texts?"""
    asked = [phrase for phrase in _phrases(parse(question.query, GRAMMAR)[0]) if len(phrase) > 1]
    return bool(asked) and all(
        any(_spans_two(phrase, _by_id()[name]) for phrase in asked) for name in names
    )


def _phrases(clauses: Collection[Clause]) -> Iterator[tuple[str, ...]]:
    for clause in clauses:
        if isinstance(clause.node, Word | Phrase):
            yield _words(clause.node.text)
        elif isinstance(clause.node, Group):
            yield from _phrases(clause.node.clauses)


def _spans_two(phrase: tuple[str, ...], record: dict[str, Any]) -> bool:
    """All of its texts in a row hold the phrase, and none does alone."""
    texts = _texts(record)
    whole = tuple(word for text in texts for word in text)
    return _holds(whole, phrase) and not any(_holds(text, phrase) for text in texts)


def _holds(text: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    size = len(phrase)
    return any(text[at : at + size] == phrase for at in range(len(text) - size + 1))


def _texts(record: dict[str, Any]) -> list[tuple[str, ...]]:
    content = record["content"]
    found = [record["title"], record["unitCode"], record["url"].partition(":")[2]]
    found.append(content.get("descriptiveNonRepeating", {}).get("data_source", ""))
    found += _strings(content.get("freetext"))
    found += _strings(content.get("indexedStructured"))
    return [_words(text) for text in found]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in {"label", "flag", "type"}:
                yield from _strings(part)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(folded(text).casefold()))


@cache
def _by_id() -> dict[str, dict[str, Any]]:
    return {record["url"].partition(":")[2]: record for record in objects()}
