"""The connections to one host: opened at the first request, and again at the first one after `aclose`."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import Self

import httpx

from heritage_gateway.errors import UpstreamError
from heritage_gateway.http import connection, retry
from heritage_gateway.http.escort import Escort
from heritage_gateway.http.policy import Upstream

now_in_utc = partial(datetime.now, UTC)
_PATIENCE = 900.0  # seconds; with files, a host that asks for a longer wait is not waited for


class Line:
    """Base of all who send to a host: every request of theirs, redirects too, goes escorted.

    `allowed_hosts` is as of the Escort, and the upstream's own host if none are named; `clock`, `now`, `sleep` and `chance` replace the world's.
    """

    def __init__(
        self,
        upstream: Upstream,
        *,
        allowed_hosts: frozenset[str] | None = None,
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = now_in_utc,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._upstream = upstream
        self._escort = Escort(upstream, allowed_hosts or frozenset({upstream.host}))
        self._user_agent = user_agent
        self._transport = transport
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._chance = chance
        self._open: httpx.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        client, self._open = self._open, None
        if client is not None:
            await client.aclose()

    @property
    def _client(self) -> httpx.AsyncClient:
        if self._open is None:
            self._open = connection.opened(
                user_agent=self._user_agent, guard=self._guard, transport=self._transport
            )
        return self._open

    async def _guard(self, request: httpx.Request) -> None:
        self._escort.check(request)

    def _delay(self, problem: UpstreamError, attempt: int) -> float:
        """Seconds before the next attempt after a failed one."""
        return retry.delay(
            attempt,
            backoff=self._upstream.backoff,
            chance=self._chance(),
            asked=problem.retry_after,
        )

    async def _pause(self, problem: UpstreamError, attempt: int) -> None:
        """Before the next attempt at a file; raises the problem where there is to be none."""
        wait = self._delay(problem, attempt)
        if not retry.another(problem, attempt, self._upstream.attempts, wait, _PATIENCE):
            raise problem
        await self._sleep(wait)
