"""A clock that stands until a test moves it."""

from dataclasses import dataclass


@dataclass
class Clock:
    now: float

    def __call__(self) -> float:
        return self.now
