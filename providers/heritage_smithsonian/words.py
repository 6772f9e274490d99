"""The words of many texts, and which texts have each: there are far fewer words than texts."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain

_COMMON = 1_000  # words with the same part in them; above it, most texts have it


class Words:
    """What lies between two blanks is a word. Texts are named by their position."""

    def __init__(self, texts: Sequence[str]) -> None:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for at, text in enumerate(texts):
            for word in text.split(" "):
                places[word].append(at)
        self._words = sorted(places)
        ordered = [places[word] for word in self._words]
        self._places = array("I", chain.from_iterable(ordered))
        self._ends = array("I", accumulate(map(len, ordered), initial=0))
        # As bytes, one rare letter makes it no slower.
        self._joined = _bytes("\n".join(("", *self._words, "")))
        lengths = map(len, self._joined.split(b"\n")[1:-1])
        self._starts = array("I", accumulate((length + 1 for length in lengths), initial=1))

    def with_word(self, word: str) -> Sequence[int]:
        at = bisect_left(self._words, word)
        return self._texts(at) if self._words[at : at + 1] == [word] else ()

    def with_part(self, part: str) -> Iterator[int] | None:
        """Texts with a word that holds `part`, for each word; None where too many words do."""
        sought = _bytes(part)
        if self._joined.count(sought) > _COMMON:
            return None
        return (text for word in self._holding(sought) for text in self._texts(word))

    def _holding(self, sought: bytes) -> Iterator[int]:
        at = self._joined.find(sought)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield number
            at = self._joined.find(sought, self._starts[number + 1])

    def _texts(self, number: int) -> Sequence[int]:
        return self._places[self._ends[number] : self._ends[number + 1]]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
