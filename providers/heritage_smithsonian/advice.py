"""Why a search found nothing, worked out from the vocabularies: what to try, never what to choose.

At most one extra request a zero, and none once the vocabulary or the search is cached. Candidates
are listed; picking one would answer a question that nobody asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heritage_gateway.errors import GatewayError
from heritage_gateway.text import clip, inline
from heritage_smithsonian import wire
from heritage_smithsonian.edan import Edan, Found
from heritage_smithsonian.obedience import index_terms
from heritage_smithsonian.query import Lucene, Term, build
from heritage_smithsonian.units import SUPERSEDED, museum_name, resolve
from heritage_smithsonian.vocabulary import Vocabulary

LISTED = ("unit_code", "culture", "place", "date", "online_media_type", "topic")
_SHORT_LISTS = ("unit_code", "date")  # short enough to be read whole
_SAMPLE = 100
_MOST_CANDIDATES = 12


@dataclass(frozen=True, slots=True)
class Advisor:
    edan: Edan

    async def on_zero(self, words: str, filters: Sequence[Term]) -> str:
        """What to try after a search of `words` (as typed) with these filters found nothing."""
        terms = [term for term in filters if not term.literal]
        unlisted = [term for term in terms if term.field not in LISTED]
        found: Found | None = None
        if unlisted:
            found = await self._sample(words or unlisted[0].value)
        said = [self._of_unlisted(term, found, words) for term in unlisted]
        may_ask = not unlisted
        alone = len(filters) == 1 and not words
        listed = [term for term in terms if term.field in LISTED]
        # A unit code is known or resolved already, so the one request goes to another field.
        for term in sorted(listed, key=lambda term: term.field == "unit_code"):
            vocabulary = self.edan.known_terms(term.field)
            if vocabulary is None and may_ask:
                vocabulary, may_ask = await self._vocabulary(term.field), False
            said.append(" ".join(_of_listed(term, vocabulary, alone=alone)))
        said += _of_media(filters)
        if len(filters) > 1 or words:
            said.append("Each filter alone may match: leave one out, or search with fewer words.")
        return " ".join(said)

    async def _vocabulary(self, field: str) -> Vocabulary | None:
        try:
            return await self.edan.terms(field)
        except GatewayError:
            return None  # the zero itself is certain; only the help is not to be had

    async def _sample(self, words: str) -> Found | None:
        lucene = build(words)
        if not isinstance(lucene, Lucene):
            return None
        try:
            return await self.edan.search(lucene.q, start=0, rows=_SAMPLE)
        except GatewayError:
            return None

    def _of_unlisted(self, term: Term, found: Found | None, words: str) -> str:
        shown = inline(clip(words or term.value, 60))
        if found is None:
            return f"What {term.field} terms there are could not be looked up now."
        if not found.total:
            return f'Without filters nothing matches "{shown}" either: use other words.'
        candidates = _candidates(found.rows, term)
        if not candidates:
            return f'The objects that match "{shown}" carry no {term.field} at all.'
        sample = f"the first {len(found.rows)} of {found.total:,} objects that match"
        return (
            f'{term.field} terms seen in {sample} "{shown}": {_listed(candidates)}. '
            "Letter case and plural make separate terms."
        )


def _of_listed(term: Term, vocabulary: Vocabulary | None, *, alone: bool) -> Iterator[str]:
    shown = f'"{inline(clip(term.value, 60))}"'
    if vocabulary is None:
        yield f"Look whether {shown} is a term: {_call(term.field, term.value)}."
        return
    if term.value in vocabulary and not alone:
        yield f"{shown} is a term of {term.field}."
        return
    if term.value in vocabulary:
        yield f"{shown} is a term of {term.field}, but no object that can be retrieved carries it."
    else:
        yield f"{shown} is not a term of {term.field}."
        if alike := vocabulary.alike(term.value):
            yield f"In other letter case it is: {_listed(alike)}."
    if term.field == "unit_code":
        yield from _of_units(term.value)
    yield _neighbours(term, vocabulary)
    if term.field in _SHORT_LISTS:
        yield f'smithsonian_list_terms field="{term.field}" rows={len(vocabulary)} lists them all.'


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
    neighbour = vocabulary.tightest(term.value)
    if neighbour is not None:
        call = _call(term.field, neighbour.text)
        other = "other " if term.value in vocabulary else ""
        plural = "term" if neighbour.count == 1 else "terms"
        return f"{call} lists {neighbour.count} {other}{plural}."
    return f"No other term of {term.field} holds a part of it."


def asked_as(term: Term) -> str:
    """A filter as the caller wrote it."""
    if term.literal:
        return "online_only" if term.field == "online_media_type" else "cc0_only"
    return f'{term.field}="{inline(clip(term.value, 80))}"'


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

    return tuple(sorted(counted, key=rank)[:_MOST_CANDIDATES])


def _listed(terms: Sequence[str]) -> str:
    return ", ".join(f'"{inline(clip(term, 80))}"' for term in terms)


def _call(field: str, part: str) -> str:
    shown = clip(part, 80).replace('"', '\\"')
    return f'smithsonian_list_terms field="{field}" contains="{inline(shown)}"'
