"""What is said about the Library's hosts and could not be checked here; `doctor --facts` looks.

Each claim decides something in this provider, so a difference names the room to be changed.
"""

from __future__ import annotations

from dataclasses import dataclass

from heritage_gateway.http import Reply
from heritage_gateway.plugin import Fact
from heritage_loc.normalise import is_page
from heritage_loc.query import NEWSPAPER_ROUTES, NewspaperQuery, SearchQuery, facet, span
from heritage_loc.settings import ENDPOINT
from heritage_loc.wire import mapping, mappings, number
from heritage_loc.www import Www


def disputed(www: Www) -> tuple[Fact, ...]:
    """The facts; together seven requests, paced like any others."""
    look = _Look(www)
    return (
        Fact("/newspapers/ with dl=page answers with pages.", look.pages_route),
        Fact("`of` counts items, and `total` counts pages.", look.pagination),
        Fact("dates=a/b narrows a search.", look.dates),
        Fact("An unknown facet value finds nothing.", look.facet_value),
        Fact("A page past the end is an error of 400, 404 or 520.", look.past_the_end),
        Fact("A missing item is a 404.", look.missing_item),
    )


@dataclass(frozen=True, slots=True)
class _Look:
    """Each method returns None while its claim holds, else what was seen."""

    www: Www

    async def pages_route(self) -> str | None:
        asked = NewspaperQuery(query="president", limit=2, route=NEWSPAPER_ROUTES[0])
        body = (await self.www.search(asked.request)).value
        rows = tuple(mappings(body.get("results")))
        return None if rows and all(map(is_page, rows)) else "other rows than pages."

    async def pagination(self) -> str | None:
        body = (await self.www.search(SearchQuery(query="jazz", limit=25).request)).value
        block = mapping(body.get("pagination"))
        of, total = number(block.get("of")) or 0, number(block.get("total")) or 0
        return None if total == -(-of // 25) else f"of {of:,}, total {total:,}, 25 a page."

    async def dates(self) -> str | None:
        whole = await self._count(SearchQuery(query="jazz", limit=1))
        part = await self._count(SearchQuery(query="jazz", limit=1, dates=span(1900, 1920)))
        return None if part < whole else f"{part:,} with dates, {whole:,} without."

    async def facet_value(self) -> str | None:
        asked = SearchQuery(query="jazz", limit=1, facets=(facet("location", "no such place"),))
        found = await self._count(asked)
        return None if not found else f"{found:,} rows."

    async def past_the_end(self) -> str | None:
        reply = await self._send(SearchQuery(query="jazz", page=3999))
        return None if reply.status in {400, 404} else f"status {reply.status}."

    async def missing_item(self) -> str | None:
        reply = await self.www.client.get(
            "/item/no-such-item-1/",
            params={"fo": "json", "at": "item"},
            endpoint=ENDPOINT,
            read=_as_it_is,
        )
        return None if reply.status == 404 else f"status {reply.status}."

    async def _count(self, asked: SearchQuery) -> int:
        body = (await self.www.search(asked.request)).value
        return number(mapping(body.get("pagination")).get("of")) or 0

    async def _send(self, asked: SearchQuery) -> Reply:
        request = asked.request
        return await self.www.client.get(
            request.path, params=request.params, endpoint=ENDPOINT, read=_as_it_is
        )


def _as_it_is(reply: Reply) -> Reply:
    return reply
