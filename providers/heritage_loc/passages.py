"""Passages of a page's text round the words that are looked for, with their places in the text.

Old print and its reading by machine get in the way: a long s, accents, words parted at a line's end
by a hyphen or by what was read for one. All of it takes linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

AROUND = 200
# A letter or digit and the marks that stand on it: accents, points of Hebrew and Arabic, soft hyphens.
_MARKS = "\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f"
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*+")
_LONGEST_GAP, _LONGEST_WORD = (
    40,
    60,
)  # no word is parted by more, or grows longer: keeps time linear
# What a hyphen at a line's end is read as; in Fraktur also ~ and the dashes.
_BREAK = re.compile(r"[-\u00ad\u00ac\u2010-\u2014=~⸗]\s*\n\s*")
_QUOTED = re.compile(r'"([^"]*)"?|(\S+)')
# Letters that no decomposition takes apart.
_FOLDS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` is the stretch from `start` to `end`; `matches` are places in the whole text."""

    start: int
    end: int
    text: str
    matches: tuple[tuple[int, int], ...]


class _Token(NamedTuple):
    start: int
    end: int
    folded: str


def wanted(typed: str) -> tuple[str, ...]:
    """Words as typed, each to be found for itself; what stands in quotation marks stays together."""
    found = ((match[1] or match[2] or "").strip() for match in _QUOTED.finditer(typed))
    return tuple(dict.fromkeys(word for word in found if _WORD.search(word)))


def find(text: str, words: Sequence[str], *, around: int = AROUND) -> tuple[Passage, ...]:
    """The passages that hold any of the words, in the order of the text, none overlapping another.

    A word of several ("clara bow", "o'brien") is found where its parts follow one another.
    """
    phrases = _phrases(words)
    if not phrases:
        return ()
    return tuple(_passages(text, sorted(_matches(text, phrases)), around))


def fold(word: str) -> str:
    """Any case, long s as s, letters without their marks."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold()).translate(_FOLDS)
    return "".join(c for c in parts if not unicodedata.combining(c) and c != "\u00ad")


def _phrases(words: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    """What is looked for, by its first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in dict.fromkeys(words):
        parts = tuple(fold(match.group()) for match in _WORD.finditer(word))
        if parts and parts not in found.setdefault(parts[0], []):
            found[parts[0]].append(parts)
    return found


def _matches(text: str, phrases: dict[str, list[tuple[str, ...]]]) -> set[tuple[int, int]]:
    """A word that is parted by a line's end counts as one and as its halves ("well-known")."""
    found: set[tuple[int, int]] = set()
    plain = [_Token(*match.span(), fold(match.group())) for match in _WORD.finditer(text)]
    for tokens in (plain, list(_joined(text, plain))):
        for at, token in enumerate(tokens):
            for parts in phrases.get(token.folded, ()):
                stretch = tokens[at : at + len(parts)]
                if tuple(part.folded for part in stretch) == parts:
                    found.add((token.start, stretch[-1].end))
    return found


def _joined(text: str, tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens with those joined that a line's end parts."""
    held: _Token | None = None
    for token in tokens:
        if held is None:
            held = token
        elif _parted(text, held, token):
            held = _Token(held.start, token.end, held.folded + token.folded)
        else:
            yield held
            held = token
    if held is not None:
        yield held


def _parted(text: str, one: _Token, other: _Token) -> bool:
    if other.start - one.end > _LONGEST_GAP or len(one.folded) > _LONGEST_WORD:
        return False
    return _BREAK.fullmatch(text, one.end, other.start) is not None


def _passages(text: str, matches: Sequence[tuple[int, int]], around: int) -> Iterator[Passage]:
    """Windows round the matches, grown together where they meet, cut between words."""
    held: list[tuple[int, int]] = []
    end = 0
    for match in matches:
        if held and match[0] - around > end:
            yield _passage(text, held, around)
            held = []
        held.append(match)
        end = max(end, match[1] + around) if len(held) > 1 else match[1] + around
    if held:
        yield _passage(text, held, around)


def _passage(text: str, matches: Sequence[tuple[int, int]], around: int) -> Passage:
    first, last = matches[0][0], max(end for _, end in matches)
    start, end = max(0, first - around), min(len(text), last + around)
    if start and not text[start - 1].isspace():  # in mid-word: begin at the next one
        cut = re.compile(r"\s").search(text, start, first)
        start = cut.end() if cut else start
    if end < len(text) and not text[end].isspace():
        blank = max(text.rfind(" ", last, end), text.rfind("\n", last, end))
        end = blank if blank >= last else end
    while start < first and text[start].isspace():
        start += 1
    while end > last and text[end - 1].isspace():
        end -= 1
    return Passage(start, end, text[start:end], tuple(matches))
