"""What this process shares with the person's other ones: limits, rests, and answers on disk.

Each part may be missing, and then this process is on its own.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from heritage_gateway.errors import RateLimited, UpstreamBlocked
from heritage_gateway.http.ledger import LEASE, Ledger, SharedRest
from heritage_gateway.http.limiter import Limiter
from heritage_gateway.http.policy import Pace, Upstream
from heritage_gateway.http.store import Store

_log = logging.getLogger("heritage_gateway.http")
_POLL = 0.02  # seconds at least between two questions for one's turn
_RENEW = LEASE / 3
_KINDS: dict[str, type[RateLimited | UpstreamBlocked]] = {
    "limit": RateLimited,
    "block": UpstreamBlocked,
}


@dataclass(frozen=True, slots=True)
class Sharing:
    """`ledger` for limits and rests, `store` for answers."""

    ledger: Ledger | None = None
    store: Store | None = None

    def close(self) -> None:
        if self.ledger is not None:
            self.ledger.close()
        if self.store is not None:
            self.store.close()


class SharedLimiter(Limiter):
    """The same queue and bucket for all processes; on its own where their file cannot be used."""

    def __init__(
        self,
        pace: Pace,
        *,
        name: str,
        hint: str,
        bucket: str,
        ledger: Ledger,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        super().__init__(pace, name=name, hint=hint)
        self._bucket_name = bucket
        self._ledger: Ledger | None = ledger
        self._sleep = sleep

    async def turn(self, within: float, *, background: bool = False) -> None:
        """Wait for the turn, or refuse at once, unsent, if that takes longer than `within`."""
        ledger = self._ledger
        if ledger is None:
            return await super().turn(within, background=background)
        try:
            return await self._shared_turn(ledger, within, background=background)
        except sqlite3.Error as error:
            self._part(error)
        return await super().turn(within, background=background)

    async def observe(self, remaining: int) -> None:
        if self._ledger is None:
            await super().observe(remaining)
            return
        try:
            await asyncio.to_thread(self._ledger.drain, self._bucket_name, self.pace, remaining)
        except sqlite3.Error as error:
            self._part(error)

    async def free_now(self) -> float:
        if self._ledger is None:
            return await super().free_now()
        try:
            used = await asyncio.to_thread(self._ledger.used, self._bucket_name, self.pace)
        except sqlite3.Error as error:
            self._part(error)
            return await super().free_now()
        return self.pace.burst - used

    async def _shared_turn(self, ledger: Ledger, within: float, *, background: bool) -> None:
        name, pace, loop = self._bucket_name, self.pace, asyncio.get_running_loop()
        until = loop.time() + within
        wait = await asyncio.to_thread(ledger.wait, name, pace, background=background)
        self.refuse_beyond(within, wait=wait)
        ticket = await asyncio.to_thread(ledger.queue, name, background=background)
        try:
            while wait := await asyncio.to_thread(
                ledger.ask, ticket, name, pace, background=background
            ):
                # Calls that go first may have come meanwhile.
                self.refuse_beyond(until - loop.time(), wait=wait)
                await self._sleep(min(max(wait, _POLL), _RENEW))
        except BaseException:
            # a cancelled caller must not keep the place, and a lost one would only expire later
            await asyncio.shield(asyncio.to_thread(ledger.leave, ticket))
            raise

    def _part(self, error: sqlite3.Error) -> None:
        if self._ledger is not None:
            self._ledger = None
            _log.warning(
                "limits of %s are not shared with other processes: %s",
                self.name,
                getattr(error, "sqlite_errorname", type(error).__name__),
            )


async def tell_of_rest(
    ledger: Ledger | None, host: str, seconds: float, error: RateLimited | UpstreamBlocked
) -> None:
    """Let the other processes know that a host has said stop."""
    if ledger is None:
        return
    kind = "block" if isinstance(error, UpstreamBlocked) else "limit"
    rest = SharedRest(ledger.now() + seconds, kind, error.message, error.hint)
    with suppress(sqlite3.Error):
        await asyncio.to_thread(ledger.rest, host, rest)


async def heard_of_rest(
    ledger: Ledger | None, host: str
) -> tuple[float, RateLimited | UpstreamBlocked] | None:
    """The seconds for which a host still rests, as any process has told, and why."""
    if ledger is None:
        return None
    try:
        told = await asyncio.to_thread(ledger.resting, host)
    except sqlite3.Error:
        return None
    if told is None:
        return None
    error = _KINDS.get(told.kind, RateLimited)(told.message, told.hint)
    return told.until - ledger.now(), error


def limiters(upstream: Upstream, ledger: Ledger | None) -> dict[str, Limiter | None]:
    """The limiter of each endpoint class, shared with other processes where there is a ledger."""
    if not upstream.paced:
        return dict.fromkeys(upstream.paces)
    name, hint = upstream.name, upstream.rate_limit_hint
    if ledger is None:
        return {
            endpoint: Limiter(pace, name=name, hint=hint)
            for endpoint, pace in upstream.paces.items()
        }
    return {
        endpoint: SharedLimiter(
            pace, name=name, hint=hint, bucket=upstream.bucket(endpoint), ledger=ledger
        )
        for endpoint, pace in upstream.paces.items()
    }
