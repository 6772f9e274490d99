"""Large files from a host to the disk: continued where a line broke off, never taken half for whole."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx

from heritage_gateway.errors import (
    GatewayError,
    NothingFound,
    Reason,
    Refused,
    UpstreamBlocked,
    UpstreamError,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import failure
from heritage_gateway.http.errand import refuse_detours
from heritage_gateway.http.line import Line
from heritage_gateway.http.part import Part
from heritage_gateway.http.reply import Reply
from heritage_gateway.threads import settled

_log = logging.getLogger("heritage_gateway.http")
_HEAD = 1024  # bytes of data that are looked at before any is kept
_PAGE = 64 * 1024  # bytes of a refusal, which may be a page that wants to see a human
_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)")
_DIGITS = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Downloaded:
    """`changed` says that the file was written; if not, the host still has the known version and
    `size`, in bytes, is not known. `etag` is as sent, with its quotes.
    """

    changed: bool
    etag: str | None
    last_modified: datetime | None
    size: int | None


def _unheard(_count: int) -> None:
    """For those who do not want to know."""


class Downloads(Line):
    """Files of one host; share one among many downloads at a time, on one event loop.

    How many run at a time is the caller's to decide: the paces of the upstream are not looked at.
    `allowed_hosts` and `aclose` are as of the HttpClient.
    """

    async def fetch(
        self,
        path: str,
        to: Path,
        *,
        etag: str | None = None,
        on_bytes: Callable[[int], object] | None = None,
    ) -> Downloaded:
        """Bring what is at `path` to the file `to`, which is replaced in one step at the end.

        `etag` names the version that the caller has. `on_bytes` hears how many bytes have come
        whenever some have; those that must come twice count twice. What breaks off is continued, as
        often as it takes while something arrives, and the upstream's number of attempts in a row
        without. Raises `NothingFound` where there is no such file, `Refused` where it may not be
        had, an `UpstreamError` where the host fails, and a plain `GatewayError` if the disk does.
        """
        refuse_detours(path)
        part = Part(to)
        attempt = 1
        while True:
            part.gained = False
            try:
                return await self._attempt(path, part, etag, on_bytes or _unheard)
            except UpstreamError as error:
                problem = error
            finally:
                part.close()
            if part.gained:
                attempt = 0
            await self._pause(problem, attempt)
            attempt += 1

    async def _attempt(
        self, path: str, part: Part, etag: str | None, on_bytes: Callable[[int], object]
    ) -> Downloaded:
        upstream = self._upstream
        request = self._client.build_request(
            "GET",
            upstream.base_url + path,
            headers={**upstream.headers, **_asked(part, etag)},
            timeout=httpx.Timeout(upstream.read_timeout, connect=upstream.connect_timeout),
        )
        started, outcome = self._clock(), "no answer"
        try:
            async with self._escort.sent(self._client, request) as response:
                outcome = str(response.status_code)
                return await self._taken(response, part, etag, on_bytes)
        except httpx.RequestError as error:
            problem = failure.of_transport(error, upstream, read_timeout=upstream.read_timeout)
            outcome = type(error).__name__
        finally:
            milliseconds = round((self._clock() - started) * 1000)
            _log.debug("%s download: %s in %d ms", upstream.name, outcome, milliseconds)
        # raised out here: what httpx says may quote addresses and headers
        raise problem

    async def _taken(
        self,
        response: httpx.Response,
        part: Part,
        etag: str | None,
        on_bytes: Callable[[int], object],
    ) -> Downloaded:
        """What a response is worth: the file, the news that there is none, or an error."""
        status = response.status_code
        if status == 304 and etag is not None:
            part.discard()
            return Downloaded(
                changed=False,
                etag=_etag(response) or etag,
                last_modified=_last_modified(response),
                size=None,
            )
        if part.size and (status == 416 or (status == 206 and not _continues(response, part))):
            part.discard()
            raise self._unfitting()
        chunks = response.aiter_bytes()
        if status == 206 and part.size:
            part.resume()
        elif status == 200:
            head = await self._checked_head(response, chunks)
            part.begin(None if _is_encoded(response) else _etag(response))
            part.write(head)
            on_bytes(len(head))
        else:
            raise self._refusal(response, await _head(chunks, _PAGE))
        async for chunk in chunks:
            part.write(chunk)
            on_bytes(len(chunk))
        self._measure(part, _announced(response))
        await settled(part.complete)
        return Downloaded(
            changed=True,
            etag=_etag(response),
            last_modified=_last_modified(response),
            size=part.size,
        )

    async def _checked_head(self, response: httpx.Response, chunks: AsyncIterator[bytes]) -> bytes:
        """The first bytes, unless they are a page where data was due; nothing is given up for that."""
        head = await _head(chunks, _HEAD)
        problem = failure.of_reply(self._reply(response, head), self._upstream, self._now())
        if problem is not None:
            raise problem
        return head

    def _measure(self, part: Part, announced: int | None) -> None:
        if announced is None or part.size == announced:
            return
        if part.size > announced:
            part.discard()
            raise self._unfitting()
        raise UpstreamUnavailable(
            f"{failure.titled(self._upstream)} sent less of a file than it announced.",
            failure.LATER,
            transient=True,
        )

    def _unfitting(self) -> UpstreamMalformed:
        return UpstreamMalformed(
            f"{failure.titled(self._upstream)} sent a piece of a file that does not fit the rest.",
            failure.LATER,
            transient=True,
        )

    def _refusal(self, response: httpx.Response, page: bytes) -> GatewayError:
        """Any limit and any failure of the host passes: a download can wait where a call cannot."""
        reply = self._reply(response, page)
        problem = failure.of_reply(reply, self._upstream, self._now())
        title = failure.titled(self._upstream)
        if problem is not None:
            passes = reply.status == 429 or reply.status >= 500
            problem.transient = passes and not isinstance(problem, UpstreamBlocked)
            return problem
        if reply.is_html:  # the page of a proxy or an outage knows nothing about files
            return UpstreamUnavailable(
                f"{title} sent a web page where data was due (status {reply.status}).",
                failure.LATER,
            )
        if reply.status in {404, 410}:
            return NothingFound(
                Reason.NOT_FOUND,
                f"{title} does not have this file.",
                "List the files again: they may have changed.",
            )
        if reply.status in {401, 403}:
            return Refused(
                Reason.UPSTREAM_UNAVAILABLE,
                f"{title} does not give out this file (status {reply.status}).",
                "Other files may be given out.",
            )
        return UpstreamUnavailable(
            f"{title} could not be asked for this file (status {reply.status}).", failure.LATER
        )

    def _reply(self, response: httpx.Response, body: bytes) -> Reply:
        return Reply(response.status_code, dict(response.headers), body, self._upstream.name)


def _asked(part: Part, etag: str | None) -> dict[str, str]:
    """Headers: the bytes as they are, only if they are others, and only those still missing."""
    headers = {"Accept-Encoding": "identity"}
    if etag is not None:
        headers["If-None-Match"] = etag
    if part.size and part.etag is not None:
        headers |= {"Range": f"bytes={part.size}-", "If-Range": part.etag}
    return headers


def _continues(response: httpx.Response, part: Part) -> bool:
    """Some hosts pass over If-Range, so the version is looked at here too."""
    found = _RANGE.fullmatch(_header(response, "content-range"))
    if found is None or _is_encoded(response) or _etag(response) != part.etag:
        return False
    return int(found[1]) == part.size


def _announced(response: httpx.Response) -> int | None:
    """The size of the whole file, as far as the host tells it."""
    found = _RANGE.fullmatch(_header(response, "content-range"))
    if response.status_code == 206 and found is not None:
        return int(found[2]) + 1 if found[3] == "*" else int(found[3])
    length = _header(response, "content-length")
    return int(length) if _DIGITS.fullmatch(length) and not _is_encoded(response) else None


def _is_encoded(response: httpx.Response) -> bool:
    """Compressed all the same: lengths and ranges then count other bytes than those kept."""
    return _header(response, "content-encoding").lower() not in {"", "identity"}


def _etag(response: httpx.Response) -> str | None:
    return _header(response, "etag") or None


def _header(response: httpx.Response, name: str) -> str:
    value: str = response.headers.get(name, "")
    return value.strip()


def _last_modified(response: httpx.Response) -> datetime | None:
    try:
        moment = parsedate_to_datetime(_header(response, "last-modified"))
    except (ValueError, OverflowError, IndexError, TypeError):  # it fails in many ways
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


async def _head(chunks: AsyncIterator[bytes], enough: int) -> bytes:
    head = b""
    async for chunk in chunks:
        head += chunk
        if len(head) >= enough:
            break
    return head
