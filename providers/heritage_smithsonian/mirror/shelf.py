"""The mirror that is in place now: opened when it comes, changed when a newer one does, let go of."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from heritage_gateway.index import IndexFault
from heritage_gateway.index.generations import Generations
from heritage_smithsonian.mirror.imprint import read_imprint, refuse_foreign
from heritage_smithsonian.query import Lucene

if TYPE_CHECKING:
    from heritage_smithsonian.mirror.source import Mirror

_log = logging.getLogger(__name__)
PAGING = 1800.0  # seconds since the last page in which a list goes on in the state it began in
_MOST_LISTS = 512
NEEDS_EXTRA = "The mirror needs its engine, which the extra heritage-gateway[mirror] installs."


class Shelf:
    """Looks at one small file before each answer, which costs microseconds.

    A list that is being paged through stays in the state that it began in, so that a sync neither
    loses nor repeats a row of it. `trouble` says why what lies there cannot be used.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._generations = Generations(folder)
        self._clock = clock
        self._opening = asyncio.Lock()
        self._stamp: object = None
        self._latest: Mirror | None = None
        self._lists: OrderedDict[str, tuple[Mirror | None, float]] = OrderedDict()
        self.trouble = ""

    async def latest(self) -> Mirror | None:
        stamp = self._generations.stamp()
        if stamp != self._stamp:
            async with self._opening:
                if stamp != self._stamp:
                    await self._reopen(stamp)
        return self._latest

    async def for_page(self, lucene: Lucene, start: int) -> Mirror | None:
        """The latest for the beginning of a list, and for its later pages the same one again.

        A list that began when there was none goes on without one.
        """
        latest, now = await self.latest(), self._clock()
        kept = self._lists.pop(lucene.q, None) if start else None
        mirror = kept[0] if kept and now - kept[1] <= PAGING else latest
        self._lists[lucene.q] = mirror, now
        self._lists.move_to_end(lucene.q)
        while len(self._lists) > _MOST_LISTS or now - next(iter(self._lists.values()))[1] > PAGING:
            self._lists.popitem(last=False)
        return mirror

    async def _reopen(self, stamp: object) -> None:
        """What cannot be opened changes nothing while something serves."""
        try:
            found = None if stamp is None else await asyncio.to_thread(self._opened)
        except IndexFault as fault:
            self.trouble = _outwardly(str(fault))
            _log.warning("%s", fault)
            found = self._latest
        else:
            self.trouble = ""
        self._latest, self._stamp = found, stamp

    def _opened(self) -> Mirror:
        return opened(self._generations)


def _outwardly(fault: str) -> str:
    """What an engine adds after a colon may name folders, and is for the log alone."""
    told, colon, _ = fault.partition(": ")
    return f"{told}." if colon else fault


def opened(generations: Generations) -> Mirror:
    """The generation that serves. Raises `IndexFault`."""
    folder = generations.current
    if folder is None:
        raise IndexFault("There is no mirror.")
    try:
        from heritage_gateway.index.embedded import (  # noqa: PLC0415 - an extra
            ENGINE,
            EmbeddedReader,
        )
        from heritage_smithsonian.mirror.entry import LAYOUT, LAYOUT_NAME  # noqa: PLC0415 - the same
        from heritage_smithsonian.mirror.source import Mirror  # noqa: PLC0415 - the same
    except ImportError:
        raise IndexFault(NEEDS_EXTRA) from None
    imprint = read_imprint(folder)
    refuse_foreign(imprint, engine=ENGINE, layout=LAYOUT_NAME)
    return Mirror(EmbeddedReader(folder, LAYOUT), imprint, folder)
