"""The index terms of one field, in index order, made quick to look through.

The largest live vocabulary, topic, has 133,113 terms; upstream sends it whole, without counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, compress, islice, repeat
from operator import contains

MOST_PROBES = 48
MOST_NEIGHBOURS = 800  # a substring that lists more than these helps nobody
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]")
_RARE = 1_000
_SHORTEST = 3  # of a part that ends inside a word; two letters stand in everything


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A part of a value that lists `count` other terms."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Looking up is exact; looking for parts folds case."""

    terms: tuple[str, ...]
    _folded: tuple[str, ...] = field(init=False, repr=False)
    _joined: str = field(init=False, repr=False)
    _starts: tuple[int, ...] = field(init=False, repr=False)
    _known: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        folded = tuple(term.casefold().replace("\n", " ") for term in self.terms)
        starts = accumulate((len(term) + 1 for term in folded[:-1]), initial=0)
        object.__setattr__(self, "_folded", folded)
        object.__setattr__(self, "_joined", "\n".join(folded))
        object.__setattr__(self, "_starts", tuple(starts) if folded else ())
        object.__setattr__(self, "_known", frozenset(self.terms))

    def __contains__(self, term: str) -> bool:
        return term in self._known

    def __len__(self) -> int:
        return len(self.terms)

    def containing(self, part: str) -> tuple[str, ...]:
        """All terms with `part` in them, in index order."""
        wanted = part.casefold().replace("\n", " ")
        if not wanted:
            return self.terms
        rare = tuple(islice(self._hits(wanted), _RARE))  # quicker than asking each term
        if len(rare) < _RARE:
            return tuple(self.terms[at] for at in rare)
        return tuple(compress(self.terms, map(contains, self._folded, repeat(wanted))))

    def alike(self, value: str) -> tuple[str, ...]:
        """Terms that differ from `value` in letter case alone: each is a category of its own."""
        wanted = value.casefold()
        return tuple(
            self.terms[at]
            for at in self._hits(wanted)
            if self._folded[at] == wanted and self.terms[at] != value
        )

    def tightest(self, value: str) -> Neighbour | None:
        """The part of `value` that lists the fewest other terms, at most `MOST_NEIGHBOURS`.

        Parts begin where a word begins and are as long as they can be while another term holds
        them. At most `MOST_PROBES` look-ups, so a long value stays quick.
        """
        best: Neighbour | None = None
        probes = MOST_PROBES
        for match in _WORD_START.finditer(value):
            part, used = self._longest(value, match.start(), probes)
            probes -= used
            if part:
                count = self._others(part, value, MOST_NEIGHBOURS + 1)
                if count <= MOST_NEIGHBOURS and (best is None or count < best.count):
                    best = Neighbour(part, count)
            if probes <= 0:
                break
        return best

    def _longest(self, value: str, start: int, probes: int) -> tuple[str, int]:
        """The longest part from `start` that another term holds; longer parts list fewer terms."""
        ends = [end for end in range(start + 1, len(value) + 1) if _is_end(value, start, end)]
        low, high, used = 0, len(ends), 0
        while low < high and used < probes:
            middle = (low + high) // 2
            used += 1
            if self._others(value[start : ends[middle]], value, 1):
                low = middle + 1
            else:
                high = middle
        return (value[start : ends[low - 1]] if low else ""), used

    def _others(self, part: str, value: str, most: int) -> int:
        """How many terms other than `value` hold `part`; counting stops at `most`."""
        count = 0
        for at in self._hits(part.casefold()):
            count += self.terms[at] != value
            if count >= most:
                break
        return count

    def _hits(self, wanted: str) -> Iterator[int]:
        """Positions of the terms that hold `wanted`, found in one long text."""
        at = self._joined.find(wanted) if wanted else -1
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield number
            following = number + 1
            if following == len(self._starts):
                return
            at = self._joined.find(wanted, self._starts[following])


def _is_end(value: str, start: int, end: int) -> bool:
    """A part may end inside a word, and at the end of one however short."""
    if not value[end - 1].isalnum():
        return False
    ends_a_word = end == len(value) or not value[end].isalnum()
    return end - start >= _SHORTEST or (ends_a_word and end - start > 1)
