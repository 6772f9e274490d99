"""One mirror of the stand-in's bucket for all tests of a run, and desks that are told what to ask."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desk import Desk
from heritage_gateway.index import IndexFault
from heritage_gateway.index.engine import Busy
from heritage_gateway.plugin import Services
from heritage_gateway.settings import GatewaySettings
from heritage_gateway.tool import Answer
from heritage_smithsonian.mirror.bucket import Bucket
from heritage_smithsonian.mirror.progress import Lines
from heritage_smithsonian.mirror.upkeep import Upkeep, Wish
from heritage_smithsonian.settings import SmithsonianSettings

SEARCH, TERMS = "smithsonian_search_objects", "smithsonian_list_terms"
GET, MEDIA = "smithsonian_get_object", "smithsonian_get_media"
BROWSE, RELATED = "smithsonian_browse_category", "smithsonian_find_related"
PUBLISHED = "2022-09-07"  # of the newest file in the stand-in's bucket
_HEAP = 60_000_000
_PATIENCE = 180.0


async def synced(folder: Path, *units: str) -> None:
    """A mirror as `heritage-gateway mirror sync` makes it, from the bucket that the settings name."""
    services = Services(GatewaySettings.read())
    async with aclosing(Bucket.over(services, SmithsonianSettings.read())) as bucket:
        await Upkeep(folder, heap=_HEAP).sync(bucket, Wish(units), Lines(lambda _: None))
    await services.aclose()


def shared_mirror(folder: Path, base: str) -> Path:
    """Built by the first worker that comes; the others wait for it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("SMITHSONIAN_", "HERITAGE_"))]:
            patch.delenv(name)
        patch.setenv("SMITHSONIAN_BULK_URL", f"{base}/s3")
        patch.setenv("HERITAGE_RATE_LIMITS", "off")
        began = time.monotonic()
        while time.monotonic() - began < _PATIENCE:
            try:
                Upkeep(folder).imprint()
            except IndexFault:
                pass
            else:
                return folder
            try:
                asyncio.run(synced(folder))
            except Busy:
                time.sleep(0.2)
    raise AssertionError("no worker has built the mirror in time")


def copied(mirror: Path, folder: Path) -> Path:
    """A mirror that a test may damage."""
    return Path(shutil.copytree(mirror, folder, ignore=shutil.ignore_patterns("*.lock")))


@asynccontextmanager
async def desk_of(source: str, mirror: Path | None = None) -> AsyncIterator[Desk]:
    """A server with HERITAGE_SMITHSONIAN_SOURCE=`source`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HERITAGE_SMITHSONIAN_SOURCE", source)
        if mirror is not None:
            patch.setenv("HERITAGE_SMITHSONIAN_MIRROR_DIR", str(mirror))
        desk = Desk()
    async with desk:
        yield desk


@dataclass(frozen=True)
class Both:
    """The same question to both sources."""

    live: Desk
    mirror: Desk

    async def call(self, name: str, /, **arguments: Any) -> tuple[Answer, Answer]:
        live = await self.live.call(name, **arguments)
        return live, await self.mirror.call(name, **arguments)
