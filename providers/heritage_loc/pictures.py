"""Pictures of items and pages from tile.loc.gov, the only host that is asked for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heritage_gateway.capability import Picture, Verdict, View
from heritage_gateway.errors import InvalidRequest, NothingFound, Reason, Refused
from heritage_gateway.http import HttpClient, picture_from
from heritage_gateway.notice import counted
from heritage_gateway.text import clip, inline
from heritage_loc.address import PageAddress
from heritage_loc.catalogue import Catalogue, no_page
from heritage_loc.leaves import Leaf, leaf_of_page, leaves, source
from heritage_loc.normalise import page_resource
from heritage_loc.rights import is_closed, of_item
from heritage_loc.settings import IMAGES
from heritage_loc.wire import mapping
from heritage_loc.works import meant

_PICTURE = picture_from("the Library of Congress")


@dataclass(frozen=True, slots=True)
class _Found:
    """An image of a record, not yet fetched."""

    leaf: Leaf
    title: str
    link: str
    rights: Verdict
    number: int
    count: int | None


@dataclass(frozen=True, slots=True)
class Pictures:
    catalogue: Catalogue
    client: HttpClient

    async def picture(self, given: str, view: View) -> Picture:
        wanted = meant(given)
        found = await (
            self._item(wanted, view.number)
            if isinstance(wanted, str)
            else self._page(wanted, view.number)
        )
        where = source(found.leaf, view.longest, view.region)
        data = await self.client.get(where.path, endpoint=IMAGES, read=_PICTURE)
        return Picture(
            data=data,
            title=found.title,
            link=found.link,
            rights=found.rights,
            is_region=where.is_region,
            number=found.number,
            count=found.count,
        )

    async def _item(self, name: str, number: int | None) -> _Found:
        record, dated = await self.catalogue.item(name)
        verdict = of_item(mapping(dated.value.get("item")))
        _check(verdict, record.title, record.url)
        listed = leaves(dated.value)
        if not listed:
            raise _none(record.title)
        at = number or 1
        if at > len(listed):
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                f"`number` is {at}, and the record names {counted(len(listed), 'images')}.",
                f"Give a number from 1 to {len(listed)}.",
            )
        return _Found(listed[at - 1], record.title, record.url, verdict, at, len(listed))

    async def _page(self, address: PageAddress, number: int | None) -> _Found:
        """`number` picks another page of the same issue or resource."""
        address = replace(address, sp=number or address.sp)
        try:
            body = (await self.catalogue.www.page(address)).value
        except NothingFound:
            raise no_page() from None
        told = page_resource(body, address)
        if told is None:
            raise no_page()
        title = told.page.title or told.page.newspaper_title or address.url
        verdict = of_item(mapping(body.get("item")))
        _check(verdict, title, address.url)
        leaf = leaf_of_page(body)
        if leaf is None:
            raise _none(title)
        return _Found(leaf, title, address.url, verdict, address.sp, told.page.segment_count)


def _check(verdict: Verdict, title: str, link: str) -> None:
    if is_closed(verdict):
        raise Refused(
            Reason.ACCESS_RESTRICTED,
            f'The Library of Congress restricts access to "{inline(clip(title, 200))}" '
            f"({verdict.field}: {inline(verdict.words)}).",
            f"Its page says more: {link}.",
        )


def _none(title: str) -> NothingFound:
    return NothingFound(
        Reason.NO_IMAGES,
        f'"{inline(clip(title, 200))}" has no image at the Library\'s image service.',
        "libofcongress_get_item lists its files and pages; the link of a page has an image, too.",
    )
