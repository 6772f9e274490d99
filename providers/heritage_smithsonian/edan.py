"""The live Open Access API (EDAN): requests in, raw rows out.

The API answers errors inside HTTP 200, drops unknown parameters in silence (there is no `fq`),
answers ten rows where more than 1,000 are asked, and turns an empty `q` into an error. What comes
back is therefore read with suspicion, and nothing it did not say is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote

from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    NothingFound,
    RateLimited,
    Reason,
    Refused,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import HttpClient, Reply
from heritage_smithsonian import wire
from heritage_smithsonian.query import Lucene
from heritage_smithsonian.settings import ENDPOINT, GET_A_KEY
from heritage_smithsonian.source import LIVE_FIELDS, Breakdown, Found, Origin
from heritage_smithsonian.vocabulary import Vocabulary

LIVE = Origin("edan_api", said=False)
MOST_ROWS = 1000  # above it the API serves ten rows and no error
SEARCH_LIFETIME = 600.0
RECORD_LIFETIME = 86_400.0
TERMS_LIFETIME = 86_400.0
EMPTY_LIFETIME = 30.0  # an empty vocabulary is more likely a fault than a fact

_KEY_TROUBLE = {"API_KEY_INVALID", "API_KEY_DISABLED", "API_KEY_UNAUTHORIZED", "API_KEY_UNVERIFIED"}
_FLEETING = re.compile(r"no-cache|no-store|max-age=0\b")
_SAYS_NOTHING = "This says nothing about what the catalogue holds; call again in a moment."


@dataclass(frozen=True, slots=True)
class Edan:
    """`rate_hint` says what to do when requests run out."""

    client: HttpClient
    rate_hint: str
    origin: Origin = LIVE
    fields: tuple[str, ...] = LIVE_FIELDS
    counts: bool = False
    _habits: set[str] = field(default_factory=set[str])

    async def search(
        self,
        lucene: Lucene,
        *,
        start: int,
        rows: int,
        sort: str | None = None,
        archives: bool = False,
    ) -> Found:
        """Each row is the whole record, so it is kept as the answer to `record` too.

        Without `archives` objects alone are searched, which is what the API does by default.
        """
        found = await self.client.get(
            "/search",
            params={
                "q": lucene.q,
                "start": str(start),
                "rows": str(min(rows, MOST_ROWS)),
                **({"sort": sort} if sort else {}),
                **({"type": "all"} if archives else {}),
            },
            endpoint=ENDPOINT,
            read=self._found,
            ttl=lambda found: _lifetime(found, start=start, rows=rows, sort=sort),
        )
        for row in found.rows:
            if url := wire.text(row.get("url")):
                self.client.remember(
                    _content(url), None, row, ttl=RECORD_LIFETIME, size=found.row_size
                )
        return found

    async def record(self, url: str) -> wire.Raw:
        return await self.client.get(
            _content(url), endpoint=ENDPOINT, read=self._record, ttl=RECORD_LIFETIME
        )

    async def terms(self, field: str) -> Vocabulary:
        """The API sends the list whole, and drops `rows` and `start`."""
        return await self.client.get(
            _terms(field),
            endpoint=ENDPOINT,
            read=self._vocabulary,
            ttl=lambda vocabulary: TERMS_LIFETIME if vocabulary else EMPTY_LIFETIME,
        )

    def known_terms(self, field: str) -> Vocabulary | None:
        kept = self.client.recall(_terms(field), None)
        return kept if isinstance(kept, Vocabulary) else None

    async def breakdown(self, lucene: Lucene, field: str, *, size: int) -> Breakdown:
        """The API counts no terms: no captured answer has a `facets` block."""
        raise NotImplementedError(lucene, field, size)

    def _vocabulary(self, reply: Reply) -> Vocabulary:
        response = self._response(reply)
        if response.get("terms") is None:
            raise _unreadable("its vocabulary is not there")
        terms = (wire.raw(term) for term in wire.items(response["terms"]))
        return Vocabulary(tuple(term for term in terms if term))

    def _found(self, reply: Reply) -> Found:
        response = self._response(reply)
        rows, total = response.get("rows"), wire.number(response.get("rowCount"))
        if total is None or total < 0 or (total and rows is None):
            raise _unreadable("its search answer lacks the rows or their count")
        self._doubt_zero(total, reply)
        listed = tuple(wire.mappings(rows))
        return Found(total, listed, len(reply.body) // max(1, len(listed)))

    def _doubt_zero(self, total: int, reply: Reply) -> None:
        """Zero that must not be kept, from an API whose answers may be, is a search that failed.

        Seen at another catalogue, not at this one; where good answers must not be kept either, the
        header tells nothing.
        """
        if not _FLEETING.search(reply.headers.get("cache-control", "")):
            return
        if total:
            self._habits.add("no-cache")
        elif "no-cache" not in self._habits:
            raise UpstreamUnavailable(
                "The Smithsonian's search seems to be failing just now: it found nothing and told not "
                "to keep that.",
                _SAYS_NOTHING,
            )

    def _record(self, reply: Reply) -> wire.Raw:
        response = self._response(reply, missing=_missing)
        if not response:  # a null response was seen in place of a 404
            raise _missing()
        if not wire.text(response.get("url")) and not wire.mapping(response.get("content")):
            raise _unreadable("its record lacks the identifier and the content")
        return response

    def _response(
        self, reply: Reply, *, missing: Callable[[], GatewayError] | None = None
    ) -> wire.Raw:
        """The `response` of a good envelope; everything else raises.

        A 404 in the catalogue's own words means `missing`; searches and vocabularies cannot be
        missing, so there it is an outage.
        """
        self._refuse_pages(reply)
        body = wire.mapping(reply.json())
        self._refuse_key_trouble(body)
        status = wire.number(body.get("status")) or reply.status
        if reply.status == 200 and wire.number(body.get("responseCode")) != 0 and status == 200:
            if "response" not in body:
                raise _unreadable("its envelope is not the documented one")
            return wire.mapping(body["response"])
        if status == 404:
            problem = missing() if missing else _unreachable()
            raise problem
        if status == 400:
            raise _misread()
        raise UpstreamUnavailable(
            f"The Smithsonian Open Access API answered with status {status}.", _SAYS_NOTHING
        )

    def _refuse_pages(self, reply: Reply) -> None:
        """A page is never the catalogue's own word, not even with 404."""
        is_page = not reply.body.lstrip().startswith(b"{")
        if reply.status == 404 and is_page:
            raise _unreachable()
        if reply.status == 400 and is_page:
            raise _misread()
        if reply.status == 403 and reply.is_html:
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                "A firewall before the Smithsonian's catalogue refuses this text.",
                "Rephrase it: leave out code, markup, paths and punctuation.",
            )

    def _refuse_key_trouble(self, body: wire.Raw) -> None:
        """The api.data.gov gateway answers before the API, often inside HTTP 200."""
        error = wire.mapping(body.get("error"))
        code = wire.text(error.get("code"))
        if not code:
            return
        if code == "OVER_RATE_LIMIT":
            raise RateLimited(
                "The Smithsonian's request quota for this key is used up for now.", self.rate_hint
            )
        if code == "API_KEY_MISSING":
            raise Refused(
                Reason.API_KEY_MISSING, "The Smithsonian's gateway saw no API key.", GET_A_KEY
            )
        if code in _KEY_TROUBLE:
            raise Refused(
                Reason.API_KEY_INVALID,
                "The Smithsonian's gateway does not accept this API key.",
                f"Check SMITHSONIAN_API_KEY for a typing error. {GET_A_KEY}",
            )
        raise UpstreamUnavailable(
            "The Smithsonian's gateway answered with an error of its own.", _SAYS_NOTHING
        )


def _content(url: str) -> str:
    """Record IDs may hold slashes, which must not become path segments."""
    return f"/content/{quote(url, safe=':')}"


def _terms(field: str) -> str:
    return f"/terms/{quote(field, safe='')}"


def _lifetime(found: Found, *, start: int, rows: int, sort: str | None) -> float:
    """An answer that counts rows and sends none is a fault, and must not be kept as a fact."""
    lacks_rows = rows > 0 and start < found.total and not found.rows
    return 0.0 if sort == "random" or lacks_rows else SEARCH_LIFETIME


def _unreachable() -> UpstreamUnavailable:
    return UpstreamUnavailable(
        "The Smithsonian Open Access API is not reachable behind its gateway just now.",
        _SAYS_NOTHING,
        transient=True,
    )


def _misread() -> InvalidRequest:
    return InvalidRequest(
        Reason.INVALID_INPUT,
        "The Smithsonian's catalogue could not read this request.",
        "Rephrase the query with plain words, and put exact terms into filters.",
    )


def _missing() -> NothingFound:
    return NothingFound(
        Reason.NOT_FOUND,
        "The Smithsonian's catalogue holds no record with this id.",
        "Take a record_id from smithsonian_search_objects; letter case and punctuation count.",
    )


def _unreadable(what: str) -> UpstreamMalformed:
    return UpstreamMalformed(
        f"The Smithsonian Open Access API sent an answer that cannot be used: {what}.",
        _SAYS_NOTHING,
    )
