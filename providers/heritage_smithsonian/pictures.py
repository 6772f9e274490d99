"""Pictures of objects from the Smithsonian's image service: those that are released (CC0), and no others.

Nobody but ids.si.edu is asked, and its addresses are made anew from the ids of the images.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import quote

from heritage_gateway.capability import Claim, Picture, View
from heritage_gateway.errors import InvalidRequest, NothingFound, Reason, Refused
from heritage_gateway.http import HttpClient, no_picture, picture_from
from heritage_gateway.notice import counted
from heritage_gateway.text import clip, inline
from heritage_smithsonian.arks import record_of
from heritage_smithsonian.catalogue import Answer, Catalogue
from heritage_smithsonian.media import Medium, image_id, image_ids, media
from heritage_smithsonian.normalise import object_row
from heritage_smithsonian.query import Filters, Unsearchable, build
from heritage_smithsonian.settings import IMAGES
from heritage_smithsonian.tools.get_media import no_image
from heritage_smithsonian.wire import Raw
from heritage_smithsonian.works import claim as claim_record

_LARGEST = 3_000  # pixels that are asked for where a region must be cut out here
_LIKELY = 10  # rows that are looked through for the record of an image
_HOUSE = "the Smithsonian"
_PICTURE = picture_from(_HOUSE, absent=(400, 404, 410))


def claim(given: str) -> Claim:
    """Ids and links of records, and of images too."""
    return "mine" if image_id(given) else claim_record(given)


@dataclass(frozen=True, slots=True)
class Pictures:
    catalogue: Catalogue
    client: HttpClient

    async def picture(self, given: str, view: View) -> Picture:
        asked = image_id(given)
        found = await (self._of_image(asked) if asked else record_of(self.catalogue, given))
        row, listed = object_row(found.value), media(found.value)
        free = [medium for medium in listed if medium.is_image and medium.is_cc0]
        if not free:
            raise no_image(row, listed, found.origin)
        at = _place(free, view.number) if asked is None else _place_of(free, asked)
        sent = await self._sent(free[at], view)
        return Picture(
            data=sent.data,
            title=row.title,
            link=row.record_link
            or f"https://collections.si.edu/search/detail/edanmdm:{quote(row.record_id)}",
            rights=free[at].rights,
            is_region=sent.is_region,
            number=at + 1,
            count=len(free),
            notice=found.origin.sentence,
        )

    async def _of_image(self, asked: str) -> Answer[Raw]:
        """The record that an image belongs to, without which nothing is known of its rights."""
        if known := self.catalogue.images.record_of(asked):
            return await self.catalogue.record(known)
        lucene = build(f'"{asked}"', Filters())
        if not isinstance(lucene, Unsearchable):
            found = await self.catalogue.records(lucene, most=_LIKELY)
            for record in found.value:
                if any(asked in image_ids(medium) for medium in media(record)):
                    return Answer(record, found.source, found.origin)
        raise NothingFound(
            Reason.NOT_FOUND,
            f'No record was found for the image "{inline(clip(asked, 80))}", so its rights are not known.',
            "Give the record_id of the object, and `number` for one of its images.",
        )

    async def _sent(self, medium: Medium, view: View) -> Sent:
        """By IIIF where the id is fit for it, and where that fails as a plain delivery."""
        names = image_ids(medium)
        ways = [way(name, view) for name in names for way in (iiif, delivery)]
        steps = [step for step in ways if step]
        if not steps:
            raise _elsewhere()
        for step in steps:
            try:
                data = await self.client.get(
                    step.path, params=step.params, endpoint=IMAGES, read=_PICTURE
                )
            except NothingFound:
                continue
            return Sent(data, step.is_region)
        raise no_picture(_HOUSE)


@dataclass(frozen=True, slots=True)
class Sent:
    data: bytes
    is_region: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A request to the image service; `is_region`: it answers with the region alone."""

    path: str
    params: dict[str, str]
    is_region: bool


def iiif(name: str, view: View) -> Step | None:
    """None for ids with slashes and colons (ark:), which this interface does not take."""
    if not name or not set(name).isdisjoint("/:?#%\\ "):
        return None
    side = view.longest
    part = view.region.iiif if view.region else "full"
    path = f"/ids/iiif/{quote(name, safe='')}/{part}/!{side},{side}/0/default.jpg"
    return Step(path, {}, is_region=True)


def delivery(name: str, view: View) -> Step | None:
    """None for an image that lies at another service: its id is an address."""
    if not name or "//" in name:
        return None
    region = view.region
    enlarged = 100 / max(region.width, region.height) if region else 1
    most = min(_LARGEST, math.ceil(view.longest * enlarged)) if region else view.longest
    return Step("/ids/deliveryService", {"id": name, "max": str(most)}, is_region=region is None)


def _place(free: list[Medium], number: int | None) -> int:
    if number is not None and number > len(free):
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            f"`number` is {number}, and the record has {counted(len(free), 'images')} that are CC0.",
            f"Give a number from 1 to {len(free)}.",
        )
    return (number or 1) - 1


def _place_of(free: list[Medium], asked: str) -> int:
    for at, medium in enumerate(free):
        if asked in image_ids(medium):
            return at
    raise Refused(
        Reason.NOT_CC0,
        f'"{inline(clip(asked, 80))}" is not CC0, or is no image.',
        "smithsonian_get_media lists the images of its record that are.",
    )


def _elsewhere() -> NothingFound:
    return NothingFound(
        Reason.NO_IMAGES,
        "The image lies at another service than the Smithsonian's image service, which alone is asked.",
        "smithsonian_get_media gives its addresses; try another `number`.",
    )
