"""www.loc.gov: requests in, raw bodies out.

The site answers much with HTTP 200 that is no answer: pages of HTML, bodies cut in mid-text, and,
while its search is failing, zero results that must not be kept. None of these is "nothing found".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    NothingFound,
    Reason,
    UpstreamBlocked,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import Dated, HttpClient, Reply
from heritage_loc.address import PageAddress, item_path
from heritage_loc.query import ITEM_BLOCKS, PAGE_BLOCKS, Request
from heritage_loc.settings import ENDPOINT
from heritage_loc.wire import Raw, is_raw, items, mapping, number

MINUTES = 600.0
DAY = 86_400.0
_SAYS_NOTHING = "This says nothing about what the Library holds; call again in a minute."
_FLEETING = re.compile(r"no-cache|no-store|max-age=0\b")


@dataclass(frozen=True, slots=True)
class Www:
    """Raises `NothingFound` for 404 and `InvalidRequest` for 400; the caller knows of what."""

    client: HttpClient

    async def search(self, request: Request) -> Dated[Raw]:
        """The body of a search: `results`, `pagination` and what `search` says was applied."""
        return await self._search(request, lambda _: MINUTES)

    async def listing(self, request: Request) -> Dated[Raw]:
        """The same for a list that is to be had whole: kept for a day only then, and never empty."""
        return await self._search(request, _of_listing)

    async def _search(self, request: Request, ttl: Callable[[Raw], float]) -> Dated[Raw]:
        return await self.client.fetch(
            request.path,
            params=request.params,
            endpoint=ENDPOINT,
            read=_results,
            ttl=ttl,
        )

    async def item(self, name: str) -> Dated[Raw]:
        """The body of an item's record."""
        return await self.client.fetch(
            item_path(name),
            params={"at": ITEM_BLOCKS, "fo": "json"},
            endpoint=ENDPOINT,
            read=_item,
            ttl=DAY,
        )

    async def page(self, address: PageAddress) -> Dated[Raw]:
        """The body of one page of a resource. A `q` is never sent: it makes the answer fail."""
        return await self.client.fetch(
            address.path,
            params={**address.params, "at": PAGE_BLOCKS, "fo": "json"},
            endpoint=ENDPOINT,
            read=_page,
            ttl=DAY,
        )


def _body(reply: Reply) -> Raw:
    if (
        reply.status == 404
    ):  # its own word about a record in any form: bodies differ, pages among them
        raise _absent()
    if reply.status == 400:
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            "The Library of Congress could not read this request.",
            "Ask with plain words and the filters of the tool.",
        )
    if reply.status == 403:  # on an address that asks for JSON it is a block, not a bad query
        raise UpstreamBlocked(
            "The Library of Congress refuses requests from this address.",
            "Wait as long as stated; other tools still work.",
        )
    if reply.status != 200:
        raise UpstreamUnavailable(
            f"The Library of Congress answered with status {reply.status}.", _SAYS_NOTHING
        )
    body = reply.json()
    if not is_raw(body):
        raise UpstreamMalformed(
            "The Library of Congress sent an answer of another form than its own.", _SAYS_NOTHING
        )
    if number(body.get("status")) == 404:  # inside HTTP 200
        raise _absent()
    return body


def _of_listing(body: Raw) -> float:
    rows = len(items(body.get("results")))
    is_whole = rows >= (number(mapping(body.get("pagination")).get("of")) or 0)
    return 0 if not rows else DAY if is_whole else MINUTES


def _absent() -> NothingFound:
    return NothingFound(
        Reason.NOT_FOUND,
        "The Library of Congress has nothing at this address.",
        "Take ids and addresses unchanged from the rows of a search.",
    )


def _results(reply: Reply) -> Raw:
    body = _body(reply)
    if body.get("results") is None or not mapping(body.get("pagination")):
        raise UpstreamMalformed(
            "The Library of Congress sent a search answer without its results.", _SAYS_NOTHING
        )
    if not items(body["results"]) and _is_fleeting(reply):
        raise _failing("its search")
    return body


def _item(reply: Reply) -> Raw:
    body = _body(reply)
    if not mapping(body.get("item")):
        raise _empty(reply, body, ITEM_BLOCKS)
    return body


def _page(reply: Reply) -> Raw:
    body = _body(reply)
    if not mapping(body.get("resource")) and not mapping(body.get("item")):
        raise _empty(reply, body, PAGE_BLOCKS)
    return body


def _empty(reply: Reply, body: Raw, blocks: str) -> GatewayError:
    """What an answer without a record says: none of it is there only where the site speaks of it."""
    if body and not body.keys() & set(blocks.split(",")):
        return UpstreamMalformed(
            "The Library of Congress sent an answer without the record asked for.", _SAYS_NOTHING
        )
    return _failing("its records") if _is_fleeting(reply) else _absent()


def _is_fleeting(reply: Reply) -> bool:
    return bool(_FLEETING.search(reply.headers.get("cache-control", "")))


def _failing(what: str) -> UpstreamUnavailable:
    return UpstreamUnavailable(
        f"The Library of Congress is failing just now in {what}: it answered with nothing and told "
        "not to keep that.",
        _SAYS_NOTHING,
    )
