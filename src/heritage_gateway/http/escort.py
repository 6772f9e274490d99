"""No request goes astray: to which hosts it may lead, and how far redirects are followed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from heritage_gateway.errors import UpstreamUnavailable
from heritage_gateway.http import failure
from heritage_gateway.http.policy import Upstream

_REDIRECTS = 5


class Escort:
    """`allowed_hosts` holds `host` for the scheme's own port and `host:port` for any other."""

    def __init__(self, upstream: Upstream, allowed_hosts: frozenset[str]) -> None:
        self._upstream = upstream
        self._origin = httpx.URL(upstream.base_url)
        self._allowed = frozenset(host.lower() for host in allowed_hosts)
        if upstream.host not in self._allowed:
            raise ValueError(f"The host of {upstream.name} is missing in the list of hosts.")

    def check(self, request: httpx.Request) -> None:
        """Refuse hosts outside the list; give our headers to nobody but the upstream itself."""
        url, origin = request.url, self._origin
        if url.netloc.decode("ascii") not in self._allowed:
            failure.misdirected(self._upstream)
        if (url.scheme, url.netloc) != (origin.scheme, origin.netloc):
            for name in self._upstream.headers:
                request.headers.pop(name, None)

    @asynccontextmanager
    async def sent(
        self, client: httpx.AsyncClient, request: httpx.Request, *, follow: bool = True
    ) -> AsyncGenerator[httpx.Response]:
        """The response at the end of all redirects, its body still to be read."""
        for _ in range(_REDIRECTS + 1):
            response = await client.send(request, stream=True)
            try:
                if response.next_request is None or not follow:
                    yield response
                    return
                await self.body(response)  # so that the connection can be used again
            finally:
                await response.aclose()
            request = response.next_request
        raise UpstreamUnavailable(
            f"{failure.titled(self._upstream)} redirected in a circle.", failure.LATER
        )

    async def body(self, response: httpx.Response) -> bytes:
        """All of a body, unless it is larger than the upstream's policy has it, or says that it is."""
        most = self._upstream.max_body
        declared = response.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise failure.too_large(self._upstream)
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > most:
                raise failure.too_large(self._upstream)
        return bytes(body)
