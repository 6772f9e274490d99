"""How the server reaches the outside: certificates, proxies, and no word of it in any log."""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Awaitable, Callable
from functools import cache

import certifi
import httpx
import truststore

from heritage_gateway.errors import UpstreamUnavailable


def opened(
    *,
    user_agent: str,
    guard: Callable[[httpx.Request], Awaitable[None]],
    transport: httpx.AsyncBaseTransport | None,
) -> httpx.AsyncClient:
    """A client whose every request, redirects too, passes `guard`.

    Proxies come from the environment, which httpx looks at only while it has no transport given.
    """
    _hush()
    try:
        return httpx.AsyncClient(
            headers={"User-Agent": user_agent},
            event_hooks={"request": [guard]},
            verify=trusted() if transport is None else True,
            transport=transport,
        )
    except OSError:
        words = "The certificates could not be loaded."
        hint = "The operator of this server should check SSL_CERT_FILE and SSL_CERT_DIR."
    except (ImportError, ValueError, httpx.InvalidURL):
        words = "The configured proxy cannot be used."
        hint = "The operator of this server should check HTTP_PROXY, HTTPS_PROXY and NO_PROXY."
    # raised out here: a proxy's address may hold a password
    raise UpstreamUnavailable(words, hint)


def trusted() -> ssl.SSLContext:
    """The operator's certificates alone if named, else the system's with certifi's on top."""
    return _context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _context(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Read once for all hosts: it takes some 50 ms, in which nothing else can run."""
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=folder or None)
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cafile=certifi.where())
    return context


def _hush() -> None:
    """Addresses are logged by httpx, headers by httpcore: neither may say more than warnings."""
    for name in ("httpx", "httpcore"):
        logger = logging.getLogger(name)
        if logger.getEffectiveLevel() < logging.WARNING:
            logger.setLevel(logging.WARNING)
