"""What loc.gov made of a request: words it strips, filters it dropped, rows that contradict them.

Nothing of this is an error there. The `search` block of an answer repeats what was applied; an older
or lighter answer may lack parts of it, and a missing part says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_plus

from heritage_gateway.text import clip, inline
from heritage_loc.query import AnyQuery, Facet, Span
from heritage_loc.wire import Raw, items, raw, text

_PHRASE = re.compile(r'"[^"]*"?')
_OPERATOR = re.compile(r"(?<!\S)(?:OR|NOT)(?!\S)")
_MINUS = re.compile(r"(?<!\S)-(?=[^\s-])")
_MARKS = re.compile(r"[|()\[\]{}]")
_LETTER = re.compile(r"(?<![^\W_])[^\W\d_](?![^\W_])")
_RANGE = re.compile(r"\[([0-9-]{4,10}) TO ([0-9-]{4,10})\]")  # "[2020 TO 2022]"
_WORD = re.compile(r"[^\W_]+")
# One sign is a whole word in Han, kana and hangul, and those are indexed.
_SIGN = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]")


def stripped(query: str) -> tuple[str, ...]:
    """What loc.gov takes out of a query before it searches, in sentences."""
    bare = _PHRASE.sub(" ", query)
    found = [match.group() for match in _OPERATOR.finditer(bare)]
    found += ["a leading -"] if _MINUS.search(bare) else []
    found += [mark for mark in ("|", "brackets") if _holds(bare, mark)]
    if not found:
        return ()
    named = ", ".join(dict.fromkeys(found))
    return (
        f"loc.gov takes {named} out of a query: every word is required, nothing widens or excludes.",
    )


def _holds(bare: str, mark: str) -> bool:
    marks = set(_MARKS.findall(bare))
    return "|" in marks if mark == "|" else bool(marks - {"|"})


def unindexed(query: str) -> tuple[str, ...]:
    """One-letter words of a query of the catalogue, whose index holds none; newspapers' texts do."""
    letters = [found for found in _LETTER.findall(query) if not _SIGN.fullmatch(found)]
    if not letters:
        return ()
    named = ", ".join(dict.fromkeys(letters))
    says = f"The catalogue's index holds no one-letter words ({named})"
    if any(word not in letters for word in _WORD.findall(query)):
        return (f"{says}, so these say nothing.",)
    return (f"{says}, so this query can find nothing; newspaper texts can be searched for them.",)


# -- the answer against the question -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Doubts:
    """What in an answer does not fit the question.

    `said` are sentences for the notice. `outside` rows of `rows` carry another date than asked,
    `against` another value than a filter asked for: where either is not 0, the answer is not the
    filtered one.
    """

    said: tuple[str, ...] = ()
    outside: int = 0
    against: int = 0
    rows: int = 0

    @property
    def contradicted(self) -> bool:
        return bool(self.outside or self.against)


def doubts(asked: AnyQuery, block: Raw, rows: Sequence[Raw]) -> Doubts:
    """`block` is the `search` block of the answer; rows that obey outweigh what it lacks."""
    wrong = {found.sent: _against(found, rows) for found in asked.facets}
    outside = outside_of(asked.dates, rows)
    said = [*_query_doubt(asked, block), *_date_doubt(asked.dates, block, rows)]
    for found in asked.facets:
        count = wrong[found.sent]
        if count:
            said.append(
                f"{count} of {len(rows)} rows lack {_named(found)}: loc.gov did not apply that filter."
            )
        elif not rows and _dropped(found, block):
            said.append(f"loc.gov did not repeat the filter {_named(found)}, so it may be ignored.")
    return Doubts(tuple(said), outside, sum(wrong.values()), len(rows))


def outside_of(asked: Span | None, rows: Iterable[Raw]) -> int:
    """How many rows lie outside of the dates asked with all of theirs; an undated one does not."""
    return 0 if asked is None else sum(_touches(asked, row) is False for row in rows)


def _touches(asked: Span, row: Raw) -> bool | None:
    """Does any date of a row touch the span? None where it has none that can be read."""
    filed = [raw(value) for value in (row.get("date"), *items(row.get("dates")))]
    told = [asked.holds(value) for value in filed]
    told += [asked.meets(match[1], match[2]) for value in filed if (match := _RANGE.match(value))]
    known = [found for found in told if found is not None]
    return any(known) if known else None


def _query_doubt(asked: AnyQuery, block: Raw) -> Iterable[str]:
    if asked.query.strip() and "query" in block and not text(block["query"]):
        yield "loc.gov did not repeat the words of the query, so the rows may not hold them."


def _date_doubt(asked: Span | None, block: Raw, rows: Sequence[Raw]) -> Iterable[str]:
    if asked is None:
        return
    if outside := outside_of(asked, rows):
        yield f"{outside} of {len(rows)} rows lie outside {asked}: loc.gov did not apply the dates."
    elif "dates" in block and not block["dates"] and not any(_touches(asked, row) for row in rows):
        yield f"loc.gov did not repeat the dates {asked}, so they may be ignored."


def _against(asked: Facet, rows: Iterable[Raw]) -> int:
    """Rows that have the field of a facet, and in it not what was asked."""
    name = asked.name.replace("-", "_")
    held = (
        asked.value in {raw(value).strip().lower() for value in items(row[name])}
        for row in rows
        if row.get(name) not in (None, "", [])
    )
    return sum(has is asked.negative for has in held)


def _dropped(asked: Facet, block: Raw) -> bool:
    if "facet_limits" not in block:
        return False
    return asked.value not in unquote_plus(raw(block["facet_limits"])).lower()


def _named(asked: Facet) -> str:
    return f'{asked.name} "{inline(clip(asked.value, 80))}"'
