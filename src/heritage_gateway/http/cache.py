"""Answers that need not be asked for again."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from cachetools import TLRUCache

from heritage_gateway.errors import NothingFound


@dataclass(frozen=True, slots=True)
class Answer:
    """A kept value; `size` is in bytes of the upstream body, the memory is some times that;
    `since` is when it was kept.
    """

    value: object
    ttl: float
    size: int
    since: float


@dataclass(frozen=True, slots=True)
class Absent:
    """What was asked for and is not there: the error that said so, kept for minutes."""

    error: NothingFound


class AnswerCache:
    """The least recently used answer goes first; each has its own lifetime in seconds.

    `get` and `put` are the whole seam: a second level that outlives the process fits behind them.
    """

    def __init__(
        self, max_bytes: int = 64 * 1024 * 1024, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._kept: TLRUCache[Hashable, Answer] = TLRUCache(
            max_bytes, ttu=_end, timer=clock, getsizeof=_size
        )

    def get(self, key: Hashable) -> Answer | None:
        return self._kept.get(key)

    def put(self, key: Hashable, value: object, ttl: float, size: int) -> None:
        """Replace what is kept; what is larger than the whole cache or has no lifetime is not."""
        self._kept.pop(key, None)
        answer = Answer(value, ttl, max(size, 1), self._clock())
        if ttl > 0 and answer.size <= self._max_bytes:
            self._kept[key] = answer

    def age(self, answer: Answer) -> float:
        """Seconds since it was kept."""
        return self._clock() - answer.since


def _end(_key: Hashable, answer: Answer, now: float) -> float:
    return now + answer.ttl


def _size(answer: Answer) -> int:
    return answer.size
