"""The only floor that talks to the network; nothing above it knows which library does."""

from __future__ import annotations

from heritage_gateway.http.cache import AnswerCache
from heritage_gateway.http.client import Dated, HttpClient, Statistics
from heritage_gateway.http.limiter import Limiter, Rest
from heritage_gateway.http.policy import Pace, Upstream, is_loopback
from heritage_gateway.http.recorded import RecordedTransport, Transport
from heritage_gateway.http.reply import Reply

__all__ = [
    "AnswerCache",
    "Dated",
    "HttpClient",
    "Limiter",
    "Pace",
    "RecordedTransport",
    "Reply",
    "Rest",
    "Statistics",
    "Transport",
    "Upstream",
    "is_loopback",
]
