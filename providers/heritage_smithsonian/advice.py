"""Why a search found nothing, worked out from the vocabularies: what to try, never what to choose.

At most one extra request a zero, and none once its answer is cached. Candidates are listed; picking
one would answer a question that nobody asked. Every call that a hint names can be copied as it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import anyio

from heritage_gateway.errors import GatewayError
from heritage_gateway.index import Term
from heritage_gateway.text import clip, inline
from heritage_smithsonian import wire
from heritage_smithsonian.obedience import index_terms
from heritage_smithsonian.query import EVERYTHING, Filters, Lucene, build
from heritage_smithsonian.source import Found, Source
from heritage_smithsonian.units import NAMES, SUPERSEDED, museum_name, resolve
from heritage_smithsonian.vocabulary import MOST_NEIGHBOURS, Vocabulary, typed_part

T = TypeVar("T")

UNITS = "unit_code"
_SHORT_LISTS = (UNITS, "date")  # short enough to be read whole
_WORD = re.compile(r"[^\W_]+")
_SAMPLE = 100
_PATIENCE = 10.0  # seconds; the largest vocabulary takes a few
_MOST_CANDIDATES = 12
_MOST_COMMON = 5
_LONGEST_CANDIDATE = 200  # characters; a term that is cut is no term


def terms_listed(field: str, vocabulary: Vocabulary, part: str) -> Sequence[str]:
    """What `smithsonian_list_terms` lists for `contains`: a unit is found by its name too."""
    if field != UNITS:
        return vocabulary.containing(part)
    wanted = part.casefold()
    return tuple(
        code
        for code in vocabulary.terms
        if wanted in code.casefold() or wanted in museum_name(code).casefold()
    )


@dataclass(frozen=True, slots=True)
class Advisor:
    """Asks the source that found nothing; of a mirror, which costs nothing, as often as it helps."""

    source: Source

    async def on_zero(self, words: str, filters: Sequence[Term]) -> str:
        """What to try after a search of `words` (as typed) with these filters found nothing."""
        typed = "" if words.strip() == EVERYTHING else words.strip()
        lucene = build(typed)
        said = list(lucene.mended)
        unlisted = [
            term for term in filters if not term.literal and term.field not in self.source.fields
        ]
        listed = [term for term in filters if not term.literal and term.field in self.source.fields]
        if unlisted:
            asked = typed or unlisted[0].value
            lucene = lucene if typed else build(" ".join(_WORD.findall(asked)).casefold())
            if isinstance(lucene, Lucene) and lucene.clauses:
                sample = await self._sample(lucene)
                said += [_of_unlisted(term, sample, asked) for term in unlisted]
            else:
                said.append(f"{_shown(asked)} holds no word to look for.")
        said += await self._on_listed(
            listed, may_ask=not unlisted, alone=len(filters) == 1 and not typed
        )
        said += _of_media(filters)
        if typed:
            said.append("Each filter alone may match: leave one out, or search with fewer words.")
        elif len(filters) > 1:
            said.append("Each filter alone may match: leave one out.")
        return " ".join(said)

    async def _on_listed(
        self, terms: Sequence[Term], *, may_ask: bool, alone: bool
    ) -> Sequence[str]:
        """The one request goes to a vocabulary, and to the count of one term where all are at hand."""
        said: list[str] = []
        # A unit code is known or resolved already, so that the request goes to another field first.
        for term in sorted(terms, key=lambda term: term.field == UNITS):
            vocabulary = self.source.known_terms(term.field)
            if not vocabulary and may_ask:
                vocabulary, may_ask = await self._vocabulary(term.field), self.source.counts
            count = 0 if alone else vocabulary.count(term.value) if vocabulary else None
            if vocabulary and term.value in vocabulary and count is None and may_ask:
                count, may_ask = await self._count(term), False
            said += _of_listed(term, vocabulary, count)
        return said

    async def _vocabulary(self, field: str) -> Vocabulary | None:
        """None where it could not be had; an empty one says nothing about a term either."""
        return await _helped(self.source.terms(field)) or None

    async def _count(self, term: Term) -> int | None:
        """How many objects carry a term, whatever else was asked."""
        lucene = build("", Filters(**cast(dict[str, Any], {term.field: term.value})))
        found = await self._found(lucene, 0) if isinstance(lucene, Lucene) else None
        return None if found is None else found.total

    async def _sample(self, lucene: Lucene) -> Found | None:
        found = await self._found(lucene, _SAMPLE)
        return None if found is None or (found.total and not found.rows) else found

    async def _found(self, lucene: Lucene, rows: int) -> Found | None:
        return await _helped(self.source.search(lucene, start=0, rows=rows))


async def _helped(asking: Awaitable[T]) -> T | None:
    """None where the help is not to be had, or not soon: the zero itself is certain, and is said."""
    left = anyio.current_effective_deadline() - anyio.current_time()
    with anyio.move_on_after(min(_PATIENCE, left / 2)):
        try:
            return await asking
        except GatewayError:
            return None
    return None


def _of_unlisted(term: Term, found: Found | None, words: str) -> str:
    shown = _shown(words)
    if found is None:
        return f"What {term.field} terms there are could not be looked up now."
    if not found.total:
        return f"Without filters nothing matches {shown} either: use other words."
    sample = f"{_objects(found.total)} {shown}"
    if found.total > len(found.rows):
        sample = f"the first {len(found.rows)} of {sample}"
    candidates = _candidates(found.rows, term)
    if not candidates:
        return f"No {term.field} term was seen in {sample}."
    return (
        f"{term.field} terms seen in {sample}: {_listed(candidates)}. "
        "Letter case and plural make separate terms."
    )


def _objects(count: int) -> str:
    return "1 object that matches" if count == 1 else f"{count:,} objects that match"


def _of_listed(term: Term, vocabulary: Vocabulary | None, count: int | None) -> Iterator[str]:
    """`count` is that of the objects that carry the term, None where it was not asked."""
    shown = _shown(term.value)
    if not vocabulary and term.field == UNITS and term.value in NAMES:
        yield f"{shown} is the code of {museum_name(term.value)}."
        return
    if not vocabulary:
        yield f"Look whether {shown} is a term: {_call(term.field, typed_part(term.value))}."
        return
    if term.value not in vocabulary:
        yield f"{shown} is not a term of {term.field}."
        if term.value.strip() in vocabulary:
            yield "Without the blanks at its ends it is one."
        if alike := _copied(vocabulary.alike(term.value)):
            yield f"In other letter case it is: {_counted(alike, vocabulary)}."
    elif count is None:
        yield f"{shown} is a term of {term.field}."
        return
    elif count:
        yield f"{shown} is a term of {term.field}, with {count:,} object{'s' * (count != 1)}."
        return
    else:
        yield f"{shown} is a term of {term.field}, but no object that can be retrieved carries it."
    if term.field == UNITS:
        yield from _of_units(term.value)
    yield _neighbours(term, vocabulary)
    if term.field in _SHORT_LISTS:
        yield f"{_call(term.field)} rows={len(vocabulary)} lists them all."


def _of_units(value: str) -> Iterator[str]:
    if value in SUPERSEDED:
        current = SUPERSEDED[value]
        yield f"{museum_name(value)} is now found under {current}."
        return
    candidates = resolve(value).candidates
    if len(candidates) > 1:
        named = ", ".join(f"{code} ({museum_name(code)})" for code in candidates)
        yield f"Units of that name: {named}."


def _neighbours(term: Term, vocabulary: Vocabulary) -> str:
    known = term.value in vocabulary
    other = "other " if known else ""
    part = typed_part(term.value)
    if term.field == UNITS and part:  # by a museum's name, which no code holds
        count = len(terms_listed(UNITS, vocabulary, part)) - known
        if count:
            return f"{_call(UNITS, part)} lists {count} {other}term{'s' * (count != 1)}."
    neighbour = vocabulary.tightest(term.value)
    if neighbour is None:
        return f"No neighbouring term of {term.field} was found by the parts of it."
    if neighbour.is_crowded:
        return f"The parts of it stand in more than {MOST_NEIGHBOURS} {other}terms each."
    count = neighbour.count
    if term.field == UNITS:
        count = len(terms_listed(UNITS, vocabulary, neighbour.text)) - known
    said = f"{_call(term.field, neighbour.text)} lists {count} {other}term{'s' * (count != 1)}."
    return f"{said}{_commonest(term, vocabulary, neighbour.text)}"


def _commonest(term: Term, vocabulary: Vocabulary, part: str) -> str:
    """Of the neighbours, those that find the most; known where a source counts them."""
    if not vocabulary.counts or term.field == UNITS:
        return ""
    others = [found for found in vocabulary.containing(part) if found != term.value]
    others.sort(key=lambda found: -(vocabulary.count(found) or 0))
    first = _copied(others)[:_MOST_COMMON]
    return f" The commonest: {_counted(first, vocabulary)}." if first else ""


def asked_as(term: Term) -> str:
    """A filter as the caller wrote it."""
    if term.literal:
        return "online_only" if term.field == "online_media_type" else "cc0_only"
    return f"{term.field}={_shown(term.value, 80)}"


def _shown(value: str, most: int = 60) -> str:
    """A value in quotation marks; blanks at its ends count in an exact term, and show."""
    before, after = (" " if end.isspace() else "" for end in (value[:1], value[-1:]))
    return f'"{before}{inline(clip(value, most))}{after}"'


def _of_media(filters: Sequence[Term]) -> Iterator[str]:
    yield from (
        f"{asked_as(term)} leaves out everything without such media; try without it."
        for term in filters
        if term.literal
    )


def _candidates(rows: Sequence[wire.Raw], term: Term) -> tuple[str, ...]:
    """Terms seen, the likest first: same letters, then a shared word, then the most frequent."""
    counted = Counter(value for row in rows for value in index_terms(row, term.field))
    wanted = term.value.casefold()
    stems = {word.rstrip("s") for word in wanted.split()}

    def rank(value: str) -> tuple[bool, bool, int, str]:
        folded = value.casefold()
        shares = any(word.rstrip("s") in stems for word in folded.split())
        return folded != wanted, not shares, -counted[value], value

    return _copied(sorted(counted, key=rank))


def _copied(terms: Sequence[str]) -> tuple[str, ...]:
    """The first few that can be copied as they stand; one that is cut or escaped is another term."""
    fit = (term for term in terms if len(term) <= _LONGEST_CANDIDATE and inline(term) == term)
    return tuple(fit)[:_MOST_CANDIDATES]


def _counted(terms: Sequence[str], vocabulary: Vocabulary) -> str:
    """Terms with the number of objects that carry each, where it is known."""
    if not vocabulary.counts:
        return _listed(terms)
    return ", ".join(f'"{term}" ({vocabulary.count(term) or 0:,})' for term in terms)


def _listed(terms: Sequence[str]) -> str:
    return ", ".join(f'"{term}"' for term in terms)


def _call(field: str, part: str = "") -> str:
    """A call of list_terms; `part` is one of those that need no escape."""
    return f'smithsonian_list_terms field="{field}"' + (f' contains="{part}"' if part else "")
