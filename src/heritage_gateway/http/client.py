"""One host, asked politely: cache, one flight per question, pace, retries, and errors in words."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import TypeVar, cast
from urllib.parse import quote, urlencode

import anyio
import httpx

from heritage_gateway.errors import (
    GatewayError,
    NothingFound,
    RateLimited,
    UpstreamBlocked,
    UpstreamError,
    UpstreamTimeout,
)
from heritage_gateway.http import failure, retry
from heritage_gateway.http.age import note_age
from heritage_gateway.http.cache import Absent, AnswerCache
from heritage_gateway.http.errand import Dated, Errand, Statistics, Stored, refuse_detours
from heritage_gateway.http.flight import Flight, Flights
from heritage_gateway.http.limiter import Rest
from heritage_gateway.http.line import Line, now_in_utc
from heritage_gateway.http.policy import Upstream
from heritage_gateway.http.reply import Reply
from heritage_gateway.http.sharing import Sharing, heard_of_rest, limiters, tell_of_rest

T = TypeVar("T")

_log = logging.getLogger("heritage_gateway.http")
STALE_FOR = 7 * 86_400.0  # seconds; older answers are not served even when nothing else can be
ABSENT_FOR = 300.0
ALONE = Sharing()
_NO_PARAMS: Mapping[str, str] = MappingProxyType({})


class HttpClient(Line):
    """The only way to a host; share one among all sessions, on one event loop.

    `allowed_hosts` holds `host` for the scheme's own port and `host:port` for any other. The cache
    may be shared between clients. After `aclose` the next call opens the connections again.
    """

    def __init__(
        self,
        upstream: Upstream,
        *,
        allowed_hosts: frozenset[str],
        cache: AnswerCache,
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = now_in_utc,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        sharing: Sharing = ALONE,
    ) -> None:
        super().__init__(
            upstream,
            allowed_hosts=allowed_hosts,
            user_agent=user_agent,
            transport=transport,
            clock=clock,
            now=now,
            sleep=sleep,
            chance=chance,
        )
        self._cache = cache
        self._flights = Flights()
        self._rest = Rest(clock=clock, now=now)
        self._sharing = sharing
        self._limiters = limiters(upstream, sharing.ledger)
        self._sent = 0
        self._hits = 0

    async def aclose(self) -> None:
        await self._flights.land()
        await super().aclose()

    async def get(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        endpoint: str,
        read: Callable[[Reply], T],
        ttl: float | Callable[[T], float] = 0,
        size_hint: int | None = None,
        follow: bool = True,
        background: bool = False,
    ) -> T:
        """The value of `fetch`, for those to whom its age is all the same."""
        dated = await self.fetch(
            path,
            params=params,
            endpoint=endpoint,
            read=read,
            ttl=ttl,
            size_hint=size_hint,
            follow=follow,
            background=background,
        )
        return dated.value

    async def fetch(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        endpoint: str,
        read: Callable[[Reply], T],
        ttl: float | Callable[[T], float] = 0,
        size_hint: int | None = None,
        follow: bool = True,
        background: bool = False,
    ) -> Dated[T]:
        """What `read` makes of the reply; `path` goes out as given, already percent-encoded.

        `read` sees every reply that is no generic failure (so 400, 401, 403 and 404 too) and
        returns the value, or raises a GatewayError; its transient UpstreamErrors are retried.
        Only values are kept, `ttl` seconds each. The key is path and parameters, so one address
        must always be read in the same way. `size_hint` replaces the body's size in bytes.
        Without `follow` a redirect is a reply like any other; `background` lets others go first.
        The deadline is that of the surrounding anyio scope.
        """
        if endpoint not in self._upstream.paces:
            raise KeyError(endpoint)
        refuse_detours(path)
        params = _NO_PARAMS if params is None else params
        key = self._key(path, params)
        kept = self._cache.get(key)
        if kept is not None:
            self._hits += 1
            if isinstance(kept.value, Absent):
                raise kept.value.error.again()
            resting = self._rest.until is not None
            return self._dated(cast(T, kept.value), self._cache.age(kept) if resting else None)
        errand = Errand(key, path, params, endpoint, read, ttl, size_hint, follow, background)
        until = anyio.current_effective_deadline()
        flown = await self._flights.board(key, until, lambda flight: self._pursue(errand, flight))
        dated = cast(Dated[T], flown)
        return self._dated(dated.value, dated.age)

    def _dated(self, value: T, age: float | None) -> Dated[T]:
        if age is not None:
            note_age(age)
        return Dated(value, age)

    def remember(
        self, path: str, params: Mapping[str, str] | None, value: object, *, ttl: float, size: int
    ) -> None:
        """Keep a value that came by another way under the key that `get` would use."""
        self._cache.put(self._key(path, params or _NO_PARAMS), value, ttl, size)

    def recall(self, path: str, params: Mapping[str, str] | None) -> object | None:
        """What is kept, without ever sending; None if nothing is."""
        kept = self._cache.get(self._key(path, params or _NO_PARAMS))
        return None if kept is None else kept.value

    @property
    def sent(self) -> int:
        return self._sent

    def statistics(self) -> Statistics:
        return Statistics(self._sent, self._hits, self._rest.until)

    async def standing(self) -> Statistics:
        """The statistics with what other processes have told and taken."""
        await self._hear()
        free = [await limiter.free_now() for limiter in self._limiters.values() if limiter]
        return replace(self.statistics(), free=min(free) if free else None)

    @property
    def upstream(self) -> Upstream:
        return self._upstream

    def _key(self, path: str, params: Mapping[str, str]) -> Hashable:
        return ("GET", self._upstream.base_url, path, tuple(sorted(params.items())))

    async def _pursue(self, errand: Errand[T], flight: Flight) -> Dated[T]:
        """From the disk if it is fresh there, else from the host, else from the disk all the same."""
        stored = await self._stored(errand)
        if stored is not None and stored.fresh > 0:
            self._hits += 1
            await self._hear()
            return Dated(stored.value, stored.age if self._rest.until else None)
        try:
            return Dated(await self._persist(errand, flight))
        except UpstreamError:
            if stored is None or stored.age > STALE_FOR:
                raise
            return Dated(stored.value, stored.age)

    async def _stored(self, errand: Errand[T]) -> Stored[T] | None:
        """What the disk has, read again by today's reader; whatever it refuses is no answer."""
        store = self._sharing.store
        if store is None:
            return None
        kept = await asyncio.to_thread(store.get, repr(errand.key), self._upstream.name)
        if kept is None:
            return None
        try:
            value = errand.read(kept.reply)
        except GatewayError:
            return None
        if kept.fresh > 0:
            self._cache.put(errand.key, value, kept.fresh, len(kept.reply.body))
        return Stored(value, kept.age, kept.fresh)

    async def _persist(self, errand: Errand[T], flight: Flight) -> T:
        attempt = 1
        while True:
            until = flight.until
            try:
                return await self._attempt(errand, flight)
            except UpstreamError as error:
                problem = error
            if flight.until > until and isinstance(problem, UpstreamTimeout | RateLimited):
                continue  # somebody with more time has joined meanwhile
            wait = self._delay(problem, attempt)
            if not retry.another(problem, attempt, self._upstream.attempts, wait, flight.left()):
                raise problem
            await self._sleep(wait)
            attempt += 1

    async def _attempt(self, errand: Errand[T], flight: Flight) -> T:
        await self._check_rest()
        if flight.left() <= 0:
            raise failure.too_late(self._upstream)
        limiter = self._limiters[errand.endpoint]
        if limiter is not None:
            await limiter.turn(flight.left(), background=errand.background)
            await self._check_rest()  # the host may have said stop while this call queued
        reply = await self._send(errand, max(flight.left(), 0.0))
        if reply.rate_remaining is not None and limiter is not None:
            await limiter.observe(reply.rate_remaining)
        try:
            self._screen(reply)
            value = errand.read(reply)
        except (RateLimited, UpstreamBlocked) as problem:
            await self._halt(problem)
            raise
        except NothingFound as problem:
            if reply.is_data:  # a web page that says 404 may be an outage's, and is asked for again
                self._cache.put(errand.key, Absent(problem), ABSENT_FOR, 1)
            raise
        await self._keep(errand, reply, value)
        return value

    async def _keep(self, errand: Errand[T], reply: Reply, value: T) -> None:
        ttl = errand.ttl(value) if callable(errand.ttl) else errand.ttl
        size = len(reply.body) if errand.size_hint is None else errand.size_hint
        self._cache.put(errand.key, value, ttl, size)
        if self._sharing.store is not None and ttl > 0:
            await asyncio.to_thread(self._sharing.store.put, repr(errand.key), reply, ttl)

    async def _check_rest(self) -> None:
        """Raise while the host rests, whichever process was told so."""
        await self._hear()
        self._rest.check()

    async def _hear(self) -> None:
        heard = await heard_of_rest(self._sharing.ledger, self._upstream.bucket("rest"))
        if heard is not None:
            self._rest.rest(*heard)

    def _screen(self, reply: Reply) -> None:
        problem = failure.of_reply(reply, self._upstream, self._now())
        if problem is not None:
            raise problem

    async def _halt(self, problem: RateLimited | UpstreamBlocked) -> None:
        """The host has said stop, by its status or inside an answer: nothing is sent for a while."""
        blocked = isinstance(problem, UpstreamBlocked)
        rest = self._upstream.rest_after_block if blocked else self._upstream.rest_after_429
        seconds = rest if problem.retry_after is None else problem.retry_after
        self._rest.rest(seconds, problem)
        await tell_of_rest(self._sharing.ledger, self._upstream.bucket("rest"), seconds, problem)
        self._rest.check()

    async def _send(self, errand: Errand[T], left: float) -> Reply:
        upstream = self._upstream
        read_timeout = min(upstream.read_timeout, left)
        # Slashes stay as they are: the text services of loc.gov want them so in a parameter.
        query = urlencode(errand.params, quote_via=quote, safe="/:")
        request = self._client.build_request(
            "GET",
            upstream.base_url + errand.path + (f"?{query}" if query else ""),
            headers=dict(upstream.headers),
            timeout=httpx.Timeout(read_timeout, connect=min(upstream.connect_timeout, left)),
        )
        started = self._clock()
        try:
            reply = await self._exchange(self._client, request, follow=errand.follow)
        except httpx.RequestError as error:
            problem = failure.of_transport(error, upstream, read_timeout=read_timeout)
            outcome = type(error).__name__
        else:
            self._report(errand.endpoint, str(reply.status), started)
            return reply
        self._report(errand.endpoint, outcome, started)
        # raised out here: what httpx says may quote addresses and headers
        raise problem

    def _report(self, endpoint: str, outcome: str, started: float) -> None:
        milliseconds = round((self._clock() - started) * 1000)
        _log.debug("%s %s: %s in %d ms", self._upstream.name, endpoint, outcome, milliseconds)

    async def _exchange(
        self, client: httpx.AsyncClient, request: httpx.Request, *, follow: bool
    ) -> Reply:
        async with self._escort.sent(client, request, follow=follow) as response:
            headers = MappingProxyType(dict(response.headers.items()))
            body = await self._escort.body(response)
        return Reply(response.status_code, headers, body, self._upstream.name)

    async def _guard(self, request: httpx.Request) -> None:
        await super()._guard(request)
        self._sent += 1
