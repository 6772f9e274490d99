"""The ages of kept answers that were served because a host could not be asked anew.

Whoever answers a call collects them, so that no kept answer passes for a fresh one, however deep the
room in which it was used.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from heritage_gateway.notice import duration

_ages: ContextVar[list[float] | None] = ContextVar("ages", default=None)


@contextmanager
def collected_ages() -> Generator[list[float]]:
    """The ages, in seconds, of all kept answers that are used inside."""
    ages: list[float] = []
    token = _ages.set(ages)
    try:
        yield ages
    finally:
        _ages.reset(token)


def note_age(seconds: float) -> None:
    ages = _ages.get()
    if ages is not None:
        ages.append(seconds)


def said_of_ages(ages: list[float]) -> str:
    """A sentence on the oldest; none where everything is fresh."""
    if not ages:
        return ""
    return (
        "The catalogue could not be asked just now, so this answer, or a part of it, is one that was "
        f"fetched {duration(max(ages))} ago."
    )
