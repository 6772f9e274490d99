"""Time for tests against the stand-in: our own waits pass at once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import anyio

from desk import Desk
from heritage_gateway.http import AnswerCache


@dataclass
class Hurry:
    """Waits pass at once, and the clock knows of them; what the stand-in does takes its true time."""

    passed: float = 0.0
    waits: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return time.monotonic() + self.passed

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.passed)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.passed += seconds
        await anyio.lowlevel.checkpoint()

    def desk(self) -> Desk:
        cache = AnswerCache(clock=self.clock)
        return Desk(clock=self.clock, now=self.now, sleep=self.sleep, cache=cache)
