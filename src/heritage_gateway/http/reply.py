"""What came back from a host, and what can be told from it without knowing the catalogue."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

from heritage_gateway.errors import UpstreamMalformed

_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_HTML_WITHIN = 4096
# Cloudflare puts its detection script (scripts/jsd) into ordinary pages too
_CHALLENGE = re.compile(
    rb"captcha|cf-challenge|_cf_chl|just a moment|attention required"
    rb"|challenge-platform(?!/(?:h/\w+/)?scripts/jsd)",
    re.IGNORECASE,
)
_CHALLENGE_WITHIN = 128 * 1024
_CHALLENGE_STATUSES = frozenset({401, 403, 429, 503})  # an ordinary 404 page may hold the words
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_TAIL = 6  # characters of a whole escape
_CUTTABLE = ("true", "false", "null", "-", ".", "e+", "e-", "E+", "E-")


@dataclass(frozen=True, slots=True)
class Reply:
    """`headers` have lower-case names; `source` is the host's public name, for messages."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    source: str = "the catalogue"

    def json(self) -> object:
        """The decoded body; raises UpstreamMalformed, transient only if the text is cut off.

        Numbers are always finite and text always encodable, whatever was sent.
        """
        try:
            text = self.body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            cut = error.reason == "unexpected end of data" and error.end == len(self.body)
        else:
            try:
                return _decode(text)
            except json.JSONDecodeError as error:
                cut = _is_cut(text, error)
            except (ValueError, RecursionError):
                cut = False
        # raised out here: the errors above hold the whole body
        raise self._unreadable(cut=cut)

    @property
    def is_data(self) -> bool:
        """Does the body begin like JSON, whatever its content type says?"""
        return self.body.lstrip()[:1] in (b"{", b"[")

    @property
    def is_html(self) -> bool:
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        return kind in {"text/html", "application/xhtml+xml"} or bool(
            _HTML_START.match(self.body, 0, _HTML_WITHIN)
        )

    @property
    def is_challenge(self) -> bool:
        """A page that wants to see a human; such a page may come with status 200."""
        if "cf-mitigated" in self.headers:
            return True
        if self.status not in _CHALLENGE_STATUSES and not 200 <= self.status < 300:
            return False
        return self.is_html and bool(_CHALLENGE.search(self.body[:_CHALLENGE_WITHIN]))

    def retry_after(self, now: datetime) -> float | None:
        """The wait in seconds that the host asks for, from either form of the header."""
        value = self.headers.get("retry-after", "").strip()
        if _SECONDS.fullmatch(value):
            return float(value)
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, OverflowError, IndexError, TypeError):  # it fails in many ways
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = (moment - now).total_seconds()
        return seconds if seconds >= 0 else None

    @property
    def rate_remaining(self) -> int | None:
        value = self.headers.get("x-ratelimit-remaining", "").strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None

    def _unreadable(self, *, cut: bool) -> UpstreamMalformed:
        if cut:
            return UpstreamMalformed(
                f"The answer of {self.source} is cut off in the middle.",
                "Try again; if it stays so, ask for fewer records at a time.",
                transient=True,
            )
        return UpstreamMalformed(
            f"The answer of {self.source} is not readable data.",
            "Try again later, or narrow the request so that the broken record is left out.",
        )


def _decode(text: str) -> object:
    value: object = json.loads(
        text,
        strict=False,  # bare control characters in texts occur, and nothing is lost by them
        parse_float=_finite,
        parse_constant=_not_json,
    )
    return _mended(value) if _SURROGATE_ESCAPE.search(text) else value


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("number out of range")
    return number


def _not_json(_word: str) -> float:
    raise ValueError("NaN and Infinity are not JSON")


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    tail = text[error.pos :].rstrip()
    if not tail or error.msg.startswith("Unterminated string"):
        return True
    if error.msg.startswith("Invalid \\"):
        return len(tail) <= _TAIL
    return any(word.startswith(tail) for word in _CUTTABLE)


def _mended(value: object) -> object:
    """The value with each lone half of a surrogate pair replaced by U+FFFD."""
    if isinstance(value, str):
        return _mended_text(value)
    if isinstance(value, list):
        return [_mended(entry) for entry in cast(list[object], value)]
    if isinstance(value, dict):
        members = cast(dict[str, object], value).items()
        return {_mended_text(name): _mended(entry) for name, entry in members}
    return value


def _mended_text(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
