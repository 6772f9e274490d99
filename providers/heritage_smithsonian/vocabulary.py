"""The index terms of one field, in index order, made quick to look through.

The largest live vocabulary, topic, has 133,113 terms; upstream sends it whole, without counts.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice, repeat
from operator import contains, lt

from heritage_smithsonian.words import Words

MOST_PROBES = 48  # look-ups for one value, whatever its length
MOST_NEIGHBOURS = 800  # a substring that lists more than these helps nobody
LONGEST_PART = 80  # characters
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]")
_SHORTEST = 3  # of a part that ends inside a word; two letters stand in everything

# What could not be copied out of a sentence as it stands: quotes, escapes, markdown, other blanks.
_LOUD = re.compile(r"[\"\\*`<>\[\]~]|[^\S ]| (?= )|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A part of a value that lists `count` other terms; counting stops above `MOST_NEIGHBOURS`."""

    text: str
    count: int

    @property
    def is_crowded(self) -> bool:
        return self.count > MOST_NEIGHBOURS


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Looking up is exact; looking for parts folds case.

    `counts` are those of the objects that carry each term, where a source counts them.
    """

    terms: tuple[str, ...]
    counts: Sequence[int] = ()
    _folded: tuple[str, ...] = field(init=False, repr=False)
    _words: Words = field(init=False, repr=False)
    _known: frozenset[str] | None = field(init=False, repr=False)  # None where they are in order
    _ranked: array[int] | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        folded = tuple(map(_fold, self.terms))
        object.__setattr__(self, "_folded", folded)
        object.__setattr__(self, "_words", Words(folded))
        ordered = all(map(lt, self.terms, islice(self.terms, 1, None)))
        object.__setattr__(self, "_known", None if ordered else frozenset(self.terms))

    def __contains__(self, term: str) -> bool:
        return self._at(term) is not None if self._known is None else term in self._known

    def count(self, term: str) -> int | None:
        """How many objects carry a term; None where that is not known. Counted terms are in order."""
        if not self.counts:
            return None
        at = self._at(term)
        return 0 if at is None else self.counts[at]

    def commonest(self, size: int) -> tuple[tuple[str, int], ...]:
        """The terms that most objects carry, with their counts; ties in index order."""
        return tuple((self.terms[at], self.counts[at]) for at in self._ranking()[:size])

    def by_count(self, terms: Sequence[str]) -> Sequence[str]:
        """Some terms of this vocabulary in the same order."""
        if len(terms) == len(self):
            return [self.terms[at] for at in self._ranking()]
        return sorted(terms, key=lambda term: (-(self.count(term) or 0), term))

    def _ranking(self) -> array[int]:
        """Made when it is first asked for."""
        ranked = self._ranked
        if ranked is None:
            order = sorted(range(len(self)), key=self.counts.__getitem__, reverse=True)
            ranked = array("I", order)
            object.__setattr__(self, "_ranked", ranked)
        return ranked

    def _at(self, term: str) -> int | None:
        at = bisect_left(self.terms, term)
        return at if self.terms[at : at + 1] == (term,) else None

    def __len__(self) -> int:
        return len(self.terms)

    def containing(self, part: str) -> tuple[str, ...]:
        """All terms with `part` in them, in index order."""
        wanted = _fold(part)
        if not wanted:
            return self.terms
        places = self._places(wanted)
        if places is None:
            return tuple(compress(self.terms, self._holding(wanted)))
        return tuple(self.terms[at] for at in sorted(set(places)))

    def alike(self, value: str) -> tuple[str, ...]:
        """Terms that differ from `value` in letter case alone: each is a category of its own."""
        wanted = _fold(value)
        longest = max(wanted.split(" "), key=len)
        places = (at for at in self._words.with_word(longest) if self._folded[at] == wanted)
        found = dict.fromkeys(self.terms[at] for at in places)
        return tuple(term for term in found if term != value)

    def tightest(self, value: str) -> Neighbour | None:
        """The part of `value` that lists the fewest other terms, of such the longest; or None.

        Parts begin where a word begins, are as long as they can be while another term holds them,
        and can be copied as they stand. At most `MOST_PROBES` look-ups, so that a long value stays
        quick: of such a value only the first words are tried.
        """
        best: Neighbour | None = None
        probes = MOST_PROBES
        for start, ends in _parts(value):
            low, high = 0, len(ends)  # the longest part that another term holds, by bisection
            while low < high and probes > 1:
                middle = (low + high) // 2
                probes -= 1
                if self._others(value[start : ends[middle]], value, 1):
                    low = middle + 1
                else:
                    high = middle
            if low:
                probes -= 1
                part = value[start : ends[low - 1]]
                count = self._others(part, value, MOST_NEIGHBOURS + 1)
                if best is None or (count, -len(part)) < (best.count, -len(best.text)):
                    best = Neighbour(part, count)
            if probes <= 1:
                break
        return best

    def _others(self, part: str, value: str, most: int) -> int:
        """How many terms other than `value` hold `part`; counting stops at `most`."""
        wanted, others = _fold(part), set[int]()
        places = self._places(wanted)
        for at in compress(range(len(self)), self._holding(wanted)) if places is None else places:
            if self.terms[at] != value:
                others.add(at)
            if len(others) >= most:
                break
        return len(others)

    def _places(self, wanted: str) -> Iterator[int] | None:
        """Positions of the terms that hold `wanted`, some of them twice; None where many terms do."""
        longest = max(wanted.split(" "), key=len)
        found = self._words.with_part(longest) if longest else None
        return found and (at for at in found if wanted in self._folded[at])

    def _holding(self, wanted: str) -> Iterator[bool]:
        """Each term asked."""
        return map(contains, self._folded, repeat(wanted))


def typed_part(value: str) -> str:
    """The longest part of `value` that can be copied as it stands and ends with a word; or nothing."""
    parts = (
        value[start : max((end for end in ends if _ends_a_word(value, end)), default=start)]
        for start, ends in _parts(value)
    )
    return max(parts, key=len, default="")


def _parts(value: str) -> Iterator[tuple[int, list[int]]]:
    """Where parts of a value begin, each with all the places where it may end."""
    visible = "".join(c if c.isprintable() else "\n" for c in value)
    loud = [match.start() for match in _LOUD.finditer(visible)] + [len(value)]
    for match in _WORD_START.finditer(value):
        start = match.start()
        limit = min(loud[bisect_right(loud, start)], start + LONGEST_PART)
        yield start, [end for end in range(start + 1, limit + 1) if _is_end(value, start, end)]


def _is_end(value: str, start: int, end: int) -> bool:
    """A part may end inside a word, and at the end of one however short."""
    if not value[end - 1].isalnum():
        return False
    return end - start >= _SHORTEST or (_ends_a_word(value, end) and end - start > 1)


def _ends_a_word(value: str, end: int) -> bool:
    return end == len(value) or not value[end].isalnum()


def _fold(text: str) -> str:
    """Letter case goes; a line end would part a term in two where all stand in one text."""
    return text.casefold().replace("\n", " ")
