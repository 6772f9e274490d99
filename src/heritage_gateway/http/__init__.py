"""The only floor that talks to the network; nothing above it knows which library does."""

from __future__ import annotations

from heritage_gateway.http.age import collected_ages, said_of_ages
from heritage_gateway.http.cache import AnswerCache
from heritage_gateway.http.client import HttpClient
from heritage_gateway.http.download import Downloaded, Downloads
from heritage_gateway.http.errand import Dated, Statistics
from heritage_gateway.http.ledger import Ledger
from heritage_gateway.http.limiter import Limiter, Rest
from heritage_gateway.http.picture import no_picture, picture_from
from heritage_gateway.http.policy import Pace, Upstream, is_loopback
from heritage_gateway.http.recorded import RecordedTransport, Transport
from heritage_gateway.http.reply import Reply
from heritage_gateway.http.sharing import Sharing
from heritage_gateway.http.store import Store
from heritage_gateway.http.upload import Uploads

__all__ = [
    "AnswerCache",
    "Dated",
    "Downloaded",
    "Downloads",
    "HttpClient",
    "Ledger",
    "Limiter",
    "Pace",
    "RecordedTransport",
    "Reply",
    "Rest",
    "Sharing",
    "Statistics",
    "Store",
    "Transport",
    "Uploads",
    "Upstream",
    "collected_ages",
    "is_loopback",
    "no_picture",
    "picture_from",
    "said_of_ages",
]
