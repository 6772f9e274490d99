"""Failures that mean the same at every host, in words that hold no address, key or body."""

from __future__ import annotations

import ssl
from datetime import datetime
from typing import NoReturn

import httpx

from heritage_gateway.errors import (
    RateLimited,
    UpstreamBlocked,
    UpstreamError,
    UpstreamMalformed,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from heritage_gateway.http.policy import Upstream
from heritage_gateway.http.reply import Reply
from heritage_gateway.notice import duration

LATER = "Try again in a minute; other sources are not affected."
_PROXY_HINT = "The operator of this server should check HTTP_PROXY, HTTPS_PROXY and NO_PROXY."
_GATEWAY_STATUSES = frozenset({502, 503, 504})
_SHORTEST_REST = 1.0
_MIB = 1024 * 1024


def of_transport(
    error: httpx.RequestError, upstream: Upstream, *, read_timeout: float
) -> UpstreamError:
    """What httpx raised, without what its text may quote."""
    title = titled(upstream)
    if isinstance(error, httpx.ConnectTimeout):
        return UpstreamTimeout(f"{title} could not be reached in time.", LATER, transient=True)
    if isinstance(error, httpx.TimeoutException):
        return UpstreamTimeout(
            f"{title} did not answer within {duration(read_timeout)}.",
            "Try again, or ask for less at a time.",
            transient=True,
        )
    if isinstance(error, httpx.DecodingError):
        return UpstreamMalformed(f"{title} sent data whose compression is broken.", LATER)
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
        return UpstreamUnavailable(f"{title} could not be asked in this way.", LATER)
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return _unreachable(error, title)
    return UpstreamUnavailable(
        f"The connection to {upstream.name} broke off.", LATER, transient=True
    )


def _unreachable(error: httpx.ConnectError | httpx.ProxyError, title: str) -> UpstreamError:
    if _is_certificate(error):
        return UpstreamUnavailable(
            f"{title} was not asked: its certificate could not be verified.",
            "The operator of this server may have to name the certificates of a proxy or private "
            "authority in SSL_CERT_FILE.",
        )
    if isinstance(error, httpx.ProxyError):
        return UpstreamUnavailable(
            f"{title} could not be reached: the configured proxy refused the connection.",
            _PROXY_HINT,
            transient=True,
        )
    return UpstreamUnavailable(
        f"{title} could not be reached.",
        f"{LATER} If it stays so, the operator of this server should check its network, "
        "HTTPS_PROXY and NO_PROXY.",
        transient=True,
    )


def of_reply(reply: Reply, upstream: Upstream, now: datetime) -> UpstreamError | None:
    """The failure that a reply stands for, None if only its reader can judge.

    For a limit or a block `retry_after` is the rest that the host gets.
    """
    title = titled(upstream)
    asked = reply.retry_after(now)
    if reply.is_challenge:
        return UpstreamBlocked(
            f"{title} asks for a proof of being human instead of answering.",
            "Other sources are not affected. Asking again earlier makes the block longer.",
            retry_after=max(asked or 0.0, upstream.rest_after_block),
        )
    if reply.status == 429:
        rest = upstream.rest_after_429 if asked is None else max(asked, _SHORTEST_REST)
        return RateLimited(
            f"{title} says that the rate limit is reached.",
            upstream.rate_limit_hint,
            transient=asked is not None and upstream.retry_429,
            retry_after=rest,
        )
    if on_the_way := _on_the_way(reply, title):
        return on_the_way
    if reply.status >= 500:
        transient = reply.status in _GATEWAY_STATUSES
        return UpstreamUnavailable(
            f"{title} is failing (status {reply.status}).",
            LATER if asked is None else f"Try again in {duration(asked)}.",
            transient=transient,
            retry_after=asked,
        )
    if 200 <= reply.status < 300 and reply.is_html:
        return UpstreamUnavailable(f"{title} sent a web page where data was due.", LATER)
    return None


def _on_the_way(reply: Reply, title: str) -> UpstreamUnavailable | None:
    """What a proxy or a router said that knows nothing of what the host holds."""
    if reply.status == 407:
        return UpstreamUnavailable(
            f"{title} could not be reached: the configured proxy wants credentials.",
            _PROXY_HINT,
        )
    if reply.status == 404 and "x-cf-routererror" in reply.headers:
        return UpstreamUnavailable(
            f"{title} is not reachable behind its gateway just now.",
            "This says nothing about what the catalogue holds; try again in a minute.",
            transient=True,
        )
    return None


def too_large(upstream: Upstream) -> UpstreamMalformed:
    return UpstreamMalformed(
        f"{titled(upstream)} sent more than {upstream.max_body / _MIB:.3g} MiB, which is not read.",
        "Ask for less at a time.",
    )


def too_late(upstream: Upstream) -> UpstreamTimeout:
    return UpstreamTimeout(
        f"{titled(upstream)} was not asked: the time for this call was used up.",
        "Try again, or ask for less at a time.",
    )


def misdirected(upstream: Upstream) -> NoReturn:
    raise UpstreamUnavailable(
        f"{titled(upstream)} redirected to a host outside its list.",
        "Nothing was sent there. Try again later.",
    )


def titled(upstream: Upstream) -> str:
    """The title at the start of a sentence."""
    return f"{upstream.title[:1].upper()}{upstream.title[1:]} ({upstream.name})"


def _is_certificate(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
