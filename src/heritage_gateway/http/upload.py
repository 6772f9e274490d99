"""Large files from the disk to a host that takes them by PUT."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

import httpx

from heritage_gateway.errors import (
    GatewayError,
    Reason,
    Refused,
    UpstreamError,
    UpstreamUnavailable,
)
from heritage_gateway.http import failure
from heritage_gateway.http.errand import refuse_detours
from heritage_gateway.http.line import Line
from heritage_gateway.http.reply import Reply

_log = logging.getLogger("heritage_gateway.http")
_CHUNK = 1024 * 1024
_DIGITS = re.compile(r"[0-9]{1,18}")
_NO_WRITER = "Its operator has to allow writing, or publish to a folder that it serves."
# What a host says that does not take files, by status.
_SAID = {
    401: "asks who sends it files, and credentials are not supported (status 401).",
    403: "does not let files be written (status 403).",
    405: "does not take files by PUT (status 405).",
    409: "does not take a file into a folder that is not there (status 409).",
    413: "does not take files as large as this one (status 413).",
    501: "does not take files by PUT (status 501).",
    507: "has no room left (status 507).",
}


class Uploads(Line):
    """Files for one host; redirects are not followed, so that nothing is sent elsewhere."""

    async def size(self, path: str) -> int | None:
        """Bytes of what is there; None where nothing is, or the host does not tell."""
        reply = await self._again("HEAD", path, None)
        length = reply.headers.get("content-length", "").strip()
        plain = reply.headers.get("content-encoding", "identity").strip().lower() == "identity"
        told = reply.status == 200 and plain and _DIGITS.fullmatch(length)
        return int(length) if told else None

    async def is_missing(self, path: str) -> bool:
        """The host says so plainly, whatever page it shows to people."""
        return (await self._again("HEAD", path, None)).status in {404, 410}

    async def put(self, path: str, file: Path) -> None:
        """Write a file in the place of what was there. Whether a host does so in one step is its own.

        Raises `Refused` where it takes no files, an `UpstreamError` where it fails, and `OSError`.
        """
        reply = await self._again("PUT", path, file)
        if not 200 <= reply.status < 300:
            raise self._refusal(reply.status)

    async def _again(self, method: str, path: str, file: Path | None) -> Reply:
        refuse_detours(path)
        attempt = 1
        while True:
            try:
                return await self._attempt(method, path, file)
            except UpstreamError as error:
                problem = error
            await self._pause(problem, attempt)
            attempt += 1

    async def _attempt(self, method: str, path: str, file: Path | None) -> Reply:
        if file is None:
            return await self._sent(method, path, {}, None)
        with _opened(file) as opened:
            length = {
                "Content-Length": str(os.fstat(opened.fileno()).st_size)
            }  # else it would go in pieces
            return await self._sent(method, path, length, _pieces(opened))

    async def _sent(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        content: AsyncIterator[bytes] | None,
    ) -> Reply:
        """Raises what may pass by itself; all else is in the status."""
        upstream = self._upstream
        request = self._client.build_request(
            method,
            upstream.base_url + path,
            content=content,
            headers={**upstream.headers, "Accept-Encoding": "identity", **headers},
            timeout=httpx.Timeout(upstream.read_timeout, connect=upstream.connect_timeout),
        )
        try:
            async with self._escort.sent(self._client, request, follow=False) as response:
                body = await self._escort.body(response)
                _log.debug("%s upload: %d", upstream.name, response.status_code)
                return self._judged(
                    Reply(response.status_code, dict(response.headers), body, upstream.name)
                )
        except httpx.RequestError as error:
            problem = failure.of_transport(error, upstream, read_timeout=upstream.read_timeout)
        # raised out here: what httpx says may quote addresses and headers
        raise problem

    def _judged(self, reply: Reply) -> Reply:
        """A page after a success is no failure here: nobody reads it."""
        if reply.status in _SAID or 200 <= reply.status < 300:
            return reply
        problem = failure.of_reply(reply, self._upstream, self._now())
        if problem is not None:
            raise problem
        return reply

    def _refusal(self, status: int) -> GatewayError:
        title = failure.titled(self._upstream)
        if status in _SAID:
            return Refused(Reason.UPSTREAM_UNAVAILABLE, f"{title} {_SAID[status]}", _NO_WRITER)
        if 300 <= status < 400:
            return Refused(
                Reason.UPSTREAM_UNAVAILABLE,
                f"{title} sends files on to another address (status {status}).",
                "Name that address instead; nothing was sent there.",
            )
        return UpstreamUnavailable(f"{title} did not take a file (status {status}).", _NO_WRITER)


def _opened(file: Path) -> BinaryIO:
    return file.open("rb")


async def _pieces(opened: BinaryIO) -> AsyncIterator[bytes]:
    while piece := opened.read(_CHUNK):
        yield piece
