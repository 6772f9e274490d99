"""The Library as the tools see it: nouns out, wherever they came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    NothingFound,
    Reason,
    UpstreamError,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import Dated
from heritage_loc.address import PageAddress, TextAddress
from heritage_loc.linked_data import LinkedData
from heritage_loc.models import CollectionRow, ItemRecord
from heritage_loc.normalise import (
    CEILING,
    NewspaperHit,
    PageResource,
    Paging,
    collection_rows,
    is_page,
    item_record,
    newspaper_hit,
    page_resource,
    paging,
    text_of_work,
)
from heritage_loc.query import (
    NEWSPAPER_ROUTES,
    AnyQuery,
    NewspaperQuery,
    Request,
    SearchQuery,
)
from heritage_loc.sayings import Doubts, doubts
from heritage_loc.text_service import TextService
from heritage_loc.wire import Raw, mapping, mappings
from heritage_loc.www import Www

_MOST_COLLECTIONS = 1000  # the largest page size that is documented; there are about 584
_LATER = "This says nothing about what the Library holds; call again in a minute."


@dataclass(frozen=True, slots=True)
class Found:
    """A page of raw rows. `age` in seconds is there where the host could not be asked anew."""

    rows: tuple[Raw, ...]
    paging: Paging
    doubts: Doubts
    dated: Dated[Raw]


@dataclass(slots=True)
class Catalogue:
    """Every verb raises `UpstreamError` where no usable answer came."""

    www: Www
    texts: TextService
    subjects: LinkedData
    _route: str = NEWSPAPER_ROUTES[0]
    _known_pages: dict[str, NewspaperHit] = field(default_factory=dict[str, NewspaperHit])

    # -- searches ------------------------------------------------------------------------------------

    async def search(self, asked: AnyQuery) -> Found:
        """A page of a search. A page past the end is a page without rows and the true total.

        Raises `NothingFound` for an unknown collection alone, since a search cannot be missing.
        """
        if asked.page > max(1, CEILING // asked.limit):
            return await self._past_end(asked)
        if asked.page == 1:
            return await self._first(asked)
        try:
            found = _found(asked, await self.www.search(asked.request))
        except (NothingFound, InvalidRequest, UpstreamUnavailable) as problem:
            # Past the end the site answers 400, 404 or 520: only the true count can tell.
            counted = await self._past_end(asked)
            if counted.paging.lacks_rows:
                raise _unanswered(problem) from None
            return counted
        if found.rows or found.paging.total:
            return found
        counted = await self._past_end(asked)
        if counted.paging.lacks_rows:
            raise UpstreamUnavailable(
                "The Library of Congress sent an empty page where rows are.", _LATER
            )
        return counted

    async def _first(self, asked: AnyQuery) -> Found:
        try:
            return _found(asked, await self.www.search(replace(asked, page=1).request))
        except NothingFound as problem:
            if isinstance(asked, SearchQuery) and asked.collection_slug:
                raise
            raise _unanswered(problem) from None

    async def _past_end(self, asked: AnyQuery) -> Found:
        first = await self._first(asked)
        counted = replace(first.paging, page=asked.page, shown=0)
        return Found((), counted, first.doubts, first.dated)

    async def newspapers(
        self, asked: NewspaperQuery
    ) -> tuple[Found, tuple[NewspaperHit | None, ...]]:
        """Pages of newspapers, by the route that answers with pages; it is remembered.

        One entry a row of the answer; None for a row that is no page.
        """
        found = await self.search(replace(asked, route=self._route))
        if found.rows and asked.level == "page" and not any(map(is_page, found.rows)):
            other = next(route for route in NEWSPAPER_ROUTES if route != self._route)
            found = await self.search(replace(asked, route=other))
            if not any(map(is_page, found.rows)):
                raise UpstreamMalformed(
                    "The Library of Congress answered a search for newspaper pages with other things.",
                    _LATER,
                )
            self._route = other
        hits = tuple(newspaper_hit(row) for row in found.rows)
        for hit in hits:
            self._know(hit)
        return found, hits

    def _know(self, hit: NewspaperHit | None) -> None:
        """Where a page's text lies never changes, so a page from a search needs no look-up."""
        if hit is None or hit.text is None:
            return
        while len(self._known_pages) >= _MOST_KNOWN:
            del self._known_pages[next(iter(self._known_pages))]
        self._known_pages[hit.address.url] = hit

    # -- records -------------------------------------------------------------------------------------

    async def item(self, name: str) -> tuple[ItemRecord, Dated[Raw]]:
        """The record of an item by its id. Raises `NothingFound`."""
        try:
            dated = await self.www.item(name)
        except NothingFound:
            raise _no_item() from None
        record = item_record(dated.value, name)
        if record is None:
            raise _no_item()
        return record, dated

    def known_page(self, address: PageAddress) -> NewspaperHit | None:
        """A page that a search of this server has shown."""
        return self._known_pages.get(address.url)

    async def page(self, address: PageAddress) -> tuple[PageResource, Dated[Raw]]:
        """A page of a resource, without its text. Raises `NothingFound`."""
        try:
            dated = await self.www.page(address)
        except NothingFound:
            raise no_page() from None
        found = page_resource(dated.value, address)
        if found is None:
            raise no_page()
        return await self._with_text(found, address), dated

    async def _with_text(self, found: PageResource, address: PageAddress) -> PageResource:
        """The page with the text of its whole work, where the record of the item names one."""
        name = found.page.item_id
        if found.text is not None or address.issue_id is not None or name is None:
            return found
        try:
            dated = await self.www.item(name)
        except NothingFound:
            return found
        except UpstreamError:
            return replace(found, said="Whether there is a text could not be looked up just now.")
        return replace(found, text=text_of_work(dated.value, address))

    async def text(self, address: TextAddress) -> Dated[str] | GatewayError:
        """The text at an address, or why it could not be had: the page itself is there all the same."""
        try:
            return await self.texts.text(address)
        except GatewayError as problem:
            return problem

    async def collections(self) -> tuple[tuple[CollectionRow, ...], Dated[Raw]]:
        """All curated collections, fetched once a day."""
        asked = SearchQuery(limit=_MOST_COLLECTIONS)
        request = Request("/collections/", asked.request.params)
        try:
            dated = await self.www.listing(request)
        except NothingFound as problem:
            raise _unanswered(problem) from None
        rows = collection_rows(mappings(dated.value.get("results")))
        if not rows:
            raise UpstreamMalformed(
                "The Library of Congress listed no collection at all, which cannot be.", _LATER
            )
        return rows, dated


_MOST_KNOWN = 5_000


def _found(asked: AnyQuery, dated: Dated[Raw]) -> Found:
    rows = tuple(mappings(dated.value.get("results")))
    pages = paging(dated.value, shown=len(rows), page=asked.page, limit=asked.limit)
    if pages.lacks_rows and pages.total:
        raise UpstreamMalformed(
            f"The Library of Congress counts {pages.total:,} matches but sent none of them.", _LATER
        )
    doubted = doubts(asked, mapping(dated.value.get("search")), rows)
    if rows and 2 * max(doubted.outside, doubted.against) > len(rows):
        raise UpstreamMalformed(
            f"The Library of Congress did not apply what was asked. {' '.join(doubted.said)}",
            "The rows would not be the ones asked for, so none is shown. Call again in a minute, or "
            "with fewer filters.",
        )
    return Found(rows, pages, doubted, dated)


def _unanswered(problem: GatewayError) -> GatewayError:
    """A page that is there but did not come: no refusal of the request, and no "there is none"."""
    if isinstance(problem, UpstreamUnavailable):
        return problem
    return UpstreamUnavailable(
        "The Library of Congress did not answer this search, which it can answer.", _LATER
    )


def _no_item() -> NothingFound:
    return NothingFound(
        Reason.ITEM_NOT_FOUND,
        "The Library of Congress has no item with this id.",
        "Letter case counts in ids. Take one from a row of libofcongress_search whose is_item is true.",
    )


def no_page() -> NothingFound:
    return NothingFound(
        Reason.PAGE_NOT_FOUND,
        "The Library of Congress has no page at this address.",
        "Take a url from a row of libofcongress_search_newspapers.",
    )
