"""heritage_view_image: the picture itself, for a model that can see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from anyio import CapacityLimiter, to_thread
from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from heritage_gateway.arguments import NO_BOOLEAN, Arguments, Count
from heritage_gateway.capability import Picture, Region, View
from heritage_gateway.errors import GatewayError, Reason
from heritage_gateway.federation.lookup import claims, nobodys, telling
from heritage_gateway.lines import cell
from heritage_gateway.pictures import shown
from heritage_gateway.plugin import Provider
from heritage_gateway.registry import House
from heritage_gateway.rights import told
from heritage_gateway.text import clip
from heritage_gateway.tool import Pictured, Tool

NAME = "heritage_view_image"
REASONS = (
    Reason.INVALID_ID,
    Reason.NOT_FOUND,
    Reason.ITEM_NOT_FOUND,
    Reason.PAGE_NOT_FOUND,
    Reason.NO_MEDIA,
    Reason.NO_IMAGES,
    Reason.NOT_CC0,
    Reason.ACCESS_RESTRICTED,
)
_LONGEST_TITLE = 300
_MOST_AT_ONCE = 2  # pictures that are decoded, each of which may take some hundred megabytes
# Said only by a house that has the record.
_THERE = frozenset((Reason.NO_MEDIA, Reason.NO_IMAGES, Reason.NOT_CC0, Reason.ACCESS_RESTRICTED))

Percent = Annotated[float, Field(ge=0, lt=100)]
Share = Annotated[float, Field(gt=0, le=100)]


def _number(value: object) -> object:
    """A choice among numbers takes no text by itself, as every other number here does."""
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,5}", value) else value


class AskedRegion(Arguments):
    """A part of the picture, in percent from its upper left corner."""

    x: Percent
    y: Percent
    width: Share
    height: Share

    @model_validator(mode="after")
    def _lies_inside(self) -> AskedRegion:
        if self.x + self.width > 100 or self.y + self.height > 100:
            raise PydanticCustomError("outside", "a region within 100 percent is expected")
        return self

    @property
    def meant(self) -> Region:
        return Region(self.x, self.y, self.width, self.height)


class Input(Arguments):
    id: str = Field(min_length=1, description="Id or link of a record, image, item or page.")
    number: Count | None = Field(None, description="Which of several, from 1.")
    size: Annotated[Literal[512, 768, 1024], BeforeValidator(_number), NO_BOOLEAN] = Field(
        768, description="Longest side in pixels."
    )
    region: AskedRegion | None = Field(
        None, description="Only this part, in percent: a closer look."
    )


class Output(Pictured):
    title: str
    link: str
    rights: str
    number: int
    count: int | None
    width: int
    height: int
    region: str = ""
    notice: str | None = None


def view_image(house: House) -> Tool[Input, Output]:
    titles = " or ".join(provider.title for provider in house.providers if provider.picturing)
    return Tool(
        name=NAME,
        title="Look at an image",
        description=(
            f"The picture itself, as an image to look at, of a record, image, item or newspaper page "
            f"of {titles}; with region, a part of it enlarged. The line beside it names its source "
            "and what may be done with it."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_View(house.providers).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _View:
    providers: Sequence[Provider]
    decoding: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_MOST_AT_ONCE))

    async def handle(self, asked: Input) -> Output:
        region = asked.region.meant if asked.region else None
        picture = await self._picture(asked.id.strip(), View(asked.size, asked.number, region))
        cut = None if picture.is_region else region
        jpeg = await to_thread.run_sync(shown, picture.data, asked.size, cut, limiter=self.decoding)
        return Output(
            jpeg=jpeg.data,
            title=clip(picture.title, _LONGEST_TITLE),
            link=picture.link,
            rights=told(picture.rights),
            number=picture.number,
            count=picture.count,
            width=jpeg.width,
            height=jpeg.height,
            region=_said(region) if region else "",
            notice=picture.notice or None,
        )

    async def _picture(self, given: str, view: View) -> Picture:
        """By the house whose id it is, else by those whose it may be."""
        _, claimed = claims((one.picturing for one in self.providers if one.picturing), given)
        problems: list[GatewayError] = []
        for picturing in claimed:
            try:
                return await picturing.picture(given, view)
            except GatewayError as problem:
                if problem.reason in _THERE:
                    raise
                problems.append(problem)
        if problems:
            raise telling(problems)
        raise nobodys((one.title for one in self.providers if one.picturing), given)


def _said(region: Region) -> str:
    return f"x {region.x:g} %, y {region.y:g} %, {region.width:g} % by {region.height:g} %"


def render(output: Output) -> str:
    """One line."""
    count = "" if output.count == 1 else f" of {output.count}" if output.count else ""
    facts = [
        f"**{cell(output.title)}**",
        *([f"image {output.number}{count} (`number` picks another)"] if output.count != 1 else []),
        *([f"region {output.region}"] if output.region else []),
        f"{output.width} x {output.height} pixels",
        output.link,
        f"may it be used: {output.rights}",
    ]
    line = " | ".join(facts)
    return f"{line} | {output.notice}" if output.notice else line
