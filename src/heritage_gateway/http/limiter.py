"""When a call may be sent: the own pace of this server, and the rest after a host said stop."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from aiolimiter import AsyncLimiter

from heritage_gateway.errors import Queued, RateLimited, UpstreamBlocked
from heritage_gateway.http.policy import Pace
from heritage_gateway.notice import duration

_BISECTIONS = 48
_SLACK = 1e-6
_LONGEST_REST = 86_400.0
_LOOK_AGAIN = 1.0  # seconds after which background work looks for a free place


class Limiter:
    """A first come, first served queue before a leaky bucket; belongs to one event loop.

    Background work, such as exports, takes a place only when nobody is waited for. `hint` is what a
    refusal says beside the wait, such as how to get a key of one's own.
    """

    def __init__(self, pace: Pace, *, name: str, hint: str = "Ask for less at a time.") -> None:
        self.pace = pace
        self.name = name
        self._hint = hint
        self._bucket = AsyncLimiter(pace.burst, pace.burst * pace.interval)
        self._line = asyncio.Lock()  # asyncio's lock is fair, aiolimiter's heap can be overtaken
        self._queued = 0

    def wait(self) -> float:
        """Seconds until a call that came now would have its turn."""
        return max(0.0, self._queued + 1 - self._free()) * self.pace.interval

    def check(self, within: float) -> None:
        """Raise `Queued` if a call that came now would wait longer than `within` seconds."""
        self.refuse_beyond(within, wait=self.wait())

    def refuse_beyond(self, within: float, *, wait: float) -> None:
        """Raise `Queued` when a turn is further away than the seconds a call has."""
        if wait <= within + _SLACK:
            return
        raise Queued(
            f"This server's own pacing of calls to {self.name} has no free place for "
            f"{duration(wait)}, longer than this call may wait.",
            f"Nothing was sent. Try again in {duration(wait)}. {self._hint}",
            retry_after=wait,
        )

    async def turn(self, within: float, *, background: bool = False) -> None:
        """Wait for the turn, or refuse at once, unsent, if that takes longer than `within`."""
        self.check(within)
        if background:
            while self._queued or not self._bucket.has_capacity():  # noqa: ASYNC110 - time frees a place
                await asyncio.sleep(min(self.pace.interval, _LOOK_AGAIN))
            await self._bucket.acquire()
            return
        self._queued += 1
        try:
            async with self._line:
                await self._bucket.acquire()
        finally:
            self._queued -= 1

    async def free_now(self) -> float:
        """Calls that could be sent at once."""
        return self._free()

    async def observe(self, remaining: int) -> None:
        """Take away what the host will not serve: at most `remaining` calls are admitted now.

        Parts of a call stay in the bucket, so that a zero does not set back who is waiting.
        """
        free = self._free()
        surplus = math.floor(free - max(remaining, 0) + _SLACK)
        if surplus > 0:
            await self._bucket.acquire(min(surplus, free))

    def _free(self) -> float:
        """The free places, found by asking: aiolimiter tells only whether an amount fits."""
        low, high = 0.0, float(self.pace.burst)
        if self._bucket.has_capacity(high):
            return high
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if self._bucket.has_capacity(middle):
                low = middle
            else:
                high = middle
        return low


@dataclass(frozen=True, slots=True)
class _Stop:
    end: float
    end_utc: datetime
    error: RateLimited | UpstreamBlocked


class Rest:
    """The time in which nothing is sent to a host, because it said stop."""

    def __init__(self, *, clock: Callable[[], float], now: Callable[[], datetime]) -> None:
        self._clock = clock
        self._now = now
        self._stop: _Stop | None = None

    def rest(self, seconds: float, error: RateLimited | UpstreamBlocked) -> None:
        """Rest for that long, a day at most; a longer rest that runs already stays.

        `error` gives the kind, the words and the hint of what `check` raises.
        """
        seconds = min(seconds, _LONGEST_REST)
        end = self._clock() + seconds
        if self._stop is None or end > self._stop.end:
            self._stop = _Stop(end, self._now() + timedelta(seconds=seconds), error)

    def check(self) -> None:
        """Raise the stored kind of error, saying how long the rest still lasts."""
        stop = self._running()
        if stop is None:
            return
        left = stop.end - self._clock()
        raise type(stop.error)(
            f"{stop.error.message} Nothing is sent to it until {_minute(stop.end_utc)} "
            f"({duration(left)} from now).",
            stop.error.hint,
            transient=stop.error.transient,
            retry_after=left,
        )

    @property
    def until(self) -> datetime | None:
        """The end of the rest, None when there is none."""
        stop = self._running()
        return None if stop is None else stop.end_utc

    def _running(self) -> _Stop | None:
        if self._stop is not None and self._clock() >= self._stop.end:
            self._stop = None
        return self._stop


def _minute(moment: datetime) -> str:
    """Rounded up to the next minute, for the same reason."""
    utc = moment.astimezone(UTC)
    if utc.second or utc.microsecond:
        utc += timedelta(minutes=1)
    return f"{utc:%H:%M} UTC"
