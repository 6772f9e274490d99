"""Whether a failed call is sent again, and after how long."""

from __future__ import annotations

from heritage_gateway.errors import GatewayError, UpstreamError

_LONGEST_BACKOFF = 8.0
_JITTER = 0.25


def delay(attempt: int, *, backoff: float, chance: float, asked: float | None) -> float:
    """Seconds to wait after the failure of `attempt` (from 1), `chance` being in 0 to 1.

    A wait that the host asked for comes first and the jitter after it, so that those who wait for
    the same moment do not return together.
    """
    doubled = min(backoff * 2.0 ** (attempt - 1), _LONGEST_BACKOFF)
    jittered = min(doubled * (1 - _JITTER + 2 * _JITTER * chance), _LONGEST_BACKOFF)
    return jittered + (asked or 0.0)


def another(error: GatewayError, attempt: int, attempts: int, delay: float, left: float) -> bool:
    """Only what may pass by itself, and never beyond the time that is left."""
    if not isinstance(error, UpstreamError) or not error.transient:
        return False
    return attempt < attempts and delay < left
