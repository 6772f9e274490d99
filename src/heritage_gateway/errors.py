"""Everything that can go wrong, as an agent is told it.

    GatewayError                    reason + message + hint; the border turns it into the envelope
    ├── InvalidRequest              the caller must change the request; nothing was lost
    ├── NothingFound                upstream was asked and the thing is not there
    ├── Refused                     the thing is there, but may not be had (rights, key)
    └── UpstreamError               upstream gave no usable answer; never means "there is none"
        ├── UpstreamUnavailable     connection faults, 5xx, an HTML page where data was due
        ├── UpstreamTimeout         too slow, or the call's deadline was reached
        ├── UpstreamMalformed       data that cannot be read: cut, garbled, too large, fields missing
        ├── UpstreamBlocked         a challenge or CAPTCHA page; the host is left alone for a while
        └── RateLimited             upstream's limit or the key's quota
            └── Queued              our own queue is longer than the call may wait; nothing was sent

Messages start with the thing and end with a full stop. They never hold an address, a key or an
upstream body.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """The machine-readable word of a failure: `error.data.reason`."""

    NOT_FOUND = "not_found"
    ITEM_NOT_FOUND = "item_not_found"
    PAGE_NOT_FOUND = "page_not_found"
    COLLECTION_NOT_FOUND = "collection_not_found"
    NO_RESULTS = "no_results"
    NO_TERMS = "no_terms"
    NO_MEDIA = "no_media"
    NO_IMAGES = "no_images"
    RATE_LIMIT_EXCEEDED = "rate_limit_exceeded"
    UPSTREAM_TIMEOUT = "upstream_timeout"
    NOT_CC0 = "not_cc0"
    ACCESS_RESTRICTED = "access_restricted"
    UPSTREAM_BLOCKED = "upstream_blocked"
    INVALID_INPUT = "invalid_input"
    INVALID_FILTER = "invalid_filter"
    INVALID_CATEGORY = "invalid_category"
    INVALID_ID = "invalid_id"
    INVALID_DATE_RANGE = "invalid_date_range"
    INCOMPATIBLE_FILTERS = "incompatible_filters"
    INVALID_PAGE_URL = "invalid_page_url"
    MIRROR_REQUIRED = "mirror_required"
    UPSTREAM_UNAVAILABLE = "upstream_unavailable"
    UPSTREAM_MALFORMED = "upstream_malformed"
    API_KEY_MISSING = "api_key_missing"
    API_KEY_INVALID = "api_key_invalid"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a reason means on the wire."""

    code: int
    retryable: bool = False


_ABSENT = Meaning(-32001)
_INVALID = Meaning(-32007)
_FAILED = Meaning(-32000, retryable=True)

MEANINGS: dict[Reason, Meaning] = {
    Reason.NOT_FOUND: _ABSENT,
    Reason.ITEM_NOT_FOUND: _ABSENT,
    Reason.PAGE_NOT_FOUND: _ABSENT,
    Reason.COLLECTION_NOT_FOUND: _ABSENT,
    Reason.NO_RESULTS: _ABSENT,
    Reason.NO_TERMS: _ABSENT,
    Reason.NO_MEDIA: _ABSENT,
    Reason.NO_IMAGES: _ABSENT,
    Reason.RATE_LIMIT_EXCEEDED: Meaning(-32003, retryable=True),
    Reason.UPSTREAM_TIMEOUT: Meaning(-32004, retryable=True),
    Reason.NOT_CC0: Meaning(-32005),
    Reason.ACCESS_RESTRICTED: Meaning(-32005),
    Reason.UPSTREAM_BLOCKED: Meaning(-32005, retryable=True),
    Reason.INVALID_INPUT: _INVALID,
    Reason.INVALID_FILTER: _INVALID,
    Reason.INVALID_CATEGORY: _INVALID,
    Reason.INVALID_ID: _INVALID,
    Reason.INVALID_DATE_RANGE: _INVALID,
    Reason.INCOMPATIBLE_FILTERS: _INVALID,
    Reason.INVALID_PAGE_URL: _INVALID,
    Reason.MIRROR_REQUIRED: _INVALID,
    Reason.UPSTREAM_UNAVAILABLE: _FAILED,
    Reason.UPSTREAM_MALFORMED: _FAILED,
    Reason.API_KEY_MISSING: Meaning(-32005),
    Reason.API_KEY_INVALID: Meaning(-32005),
    Reason.INTERNAL: Meaning(-32603),
}


class GatewayError(Exception):
    """A failure with its reason, and a hint that names the way on.

    `retry_after` is in seconds, and present only where a wait is known.
    """

    def __init__(
        self, reason: Reason, message: str, hint: str, *, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.hint = hint
        self.retry_after = retry_after

    @property
    def meaning(self) -> Meaning:
        return MEANINGS[self.reason]


class InvalidRequest(GatewayError):
    """The caller must change the request."""


class NothingFound(GatewayError):
    """Upstream was asked and answered that the thing is not there."""

    def again(self) -> Self:
        """The same failure without the trace of where it was met first."""
        return type(self)(self.reason, self.message, self.hint)


class Refused(GatewayError):
    """The thing exists, but may not be had as asked."""


class UpstreamError(GatewayError):
    """Upstream gave no usable answer.

    `transient` says that sending the same request again at once has a fair chance; `retryable` of
    the meaning says that the agent may come back later.
    """

    reason_word = Reason.UPSTREAM_UNAVAILABLE

    def __init__(
        self, message: str, hint: str, *, transient: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(self.reason_word, message, hint, retry_after=retry_after)
        self.transient = transient


class UpstreamUnavailable(UpstreamError):
    """Connection faults, 5xx, an HTML page where data was due."""


class UpstreamTimeout(UpstreamError):
    """Too slow, or the call's deadline was reached."""

    reason_word = Reason.UPSTREAM_TIMEOUT


class UpstreamMalformed(UpstreamError):
    """Data that cannot be read: cut, garbled, too large, or without the fields that count."""

    reason_word = Reason.UPSTREAM_MALFORMED


class UpstreamBlocked(UpstreamError):
    """A challenge or CAPTCHA page; `retry_after` says how long nothing is sent."""

    reason_word = Reason.UPSTREAM_BLOCKED


class RateLimited(UpstreamError):
    """Upstream's limit, the key's quota, or our own queue; `retry_after` is the known wait."""

    reason_word = Reason.RATE_LIMIT_EXCEEDED


class Queued(RateLimited):
    """Our own queue is longer than this call may wait; nothing was sent."""
