"""The mirror as a source: the same questions as the live API takes, answered from one state of it."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from heritage_gateway.errors import Reason, UpstreamMalformed
from heritage_gateway.index import SHUFFLED, UPDATED, Clause, IndexFault, Reader
from heritage_gateway.index.sums import differences, read_sums
from heritage_gateway.index.terms import load
from heritage_smithsonian.mirror.entry import decoded
from heritage_smithsonian.mirror.imprint import Imprint
from heritage_smithsonian.query import Lucene
from heritage_smithsonian.source import (
    MIRROR_FIELDS,
    Breakdown,
    Found,
    MirrorFault,
    NotMirrored,
    Origin,
)
from heritage_smithsonian.vocabulary import Vocabulary
from heritage_smithsonian.wire import Raw

T = TypeVar("T")
_log = logging.getLogger(__name__)
_ORDERS = {"newest": "timestamp", "updated": UPDATED, "random": SHUFFLED}
_UNSEARCHED = ".store"  # files of records alone, which tell damage of their own accord
_DEEP = 1_000_000  # rows; beyond it a page takes some 100 MB, so such pages go one by one


class Mirror:
    """One state of the mirror. All work is done in threads; the engine lets others run meanwhile."""

    def __init__(
        self,
        reader: Reader,
        imprint: Imprint,
        folder: Path,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._reader = reader
        self._folder = folder
        self._chance = chance
        self._deep = asyncio.Semaphore(1)
        self._looking = threading.Lock()
        self._is_sound = False
        self._vocabularies: dict[str, Vocabulary] = {}
        self.imprint = imprint
        self.origin = Origin("oa_mirror", snapshot=imprint.published, units=imprint.only)
        self.fields = MIRROR_FIELDS
        self.counts = True

    async def search(
        self, lucene: Lucene, *, start: int, rows: int, sort: str | None = None
    ) -> Found:
        """A random page is cut at a random place from an order that has nothing to do with content."""
        if start + rows <= _DEEP:
            return await self._at_work(lambda: self._search(lucene, start, rows, sort))
        async with self._deep:
            return await self._at_work(lambda: self._search(lucene, start, rows, sort))

    def _search(self, lucene: Lucene, start: int, rows: int, sort: str | None) -> Found:
        """The engine makes room for all rows up to the last one asked, whether they are there or not."""
        clauses, order = _clauses(lucene), _ORDERS.get(sort or "")
        if sort == "random" or start + rows > _DEEP:
            total = self._reader.search(clauses, start=0, rows=0).total
            if not total:
                self._refuse_damage()
            if sort == "random":
                start = int(self._chance() * max(total - rows + 1, 1))
            if start >= total:
                return Found(total, ())
            rows = min(rows, total - start)
        hits = self._reader.search(clauses, start=start, rows=rows, order=order)
        if not hits.total:
            self._refuse_damage()
        size = sum(map(len, hits.records)) // max(len(hits.records), 1)
        return Found(hits.total, tuple(map(decoded, hits.records)), size)

    async def record(self, url: str) -> Raw:
        found = await self._at_work(lambda: self._record(url))
        if found is None:
            raise NotMirrored(
                Reason.NOT_FOUND,
                "The local mirror holds no record with this id.",
                "Take a record_id from smithsonian_search_objects; letter case and punctuation "
                f"count. {self.origin.sentence}",
            )
        return found

    def _record(self, url: str) -> Raw | None:
        line = self._reader.get(url)
        if line is None:
            self._refuse_damage()
            return None
        return decoded(line)

    def _refuse_damage(self) -> None:
        """Before it is said that there is none: altered postings find nothing, and fail in nothing.

        It reads a fourth of the index, once for each state. Raises `IndexFault`.
        """
        with self._looking:
            if self._is_sound:
                return
            sums = read_sums(self._folder)
            searched = {name: one for name, one in sums.items() if not name.endswith(_UNSEARCHED)}
            if differences(self._folder, searched):
                raise IndexFault("The local mirror is damaged.")
            self._is_sound = True

    async def terms(self, field: str) -> Vocabulary:
        if field not in self._vocabularies:
            self._vocabularies[field] = await self._at_work(
                lambda: Vocabulary(*load(field, self._folder))
            )
        return self._vocabularies[field]

    def known_terms(self, field: str) -> Vocabulary | None:
        return self._vocabularies.get(field)

    async def breakdown(self, lucene: Lucene, field: str, *, size: int) -> Breakdown:
        if field in self.fields and not (lucene.clauses or lucene.filters):
            vocabulary = await self.terms(field)  # counted when the mirror was built
            return Breakdown(vocabulary.commonest(size), complete=len(vocabulary) <= size)
        facet = await self._at_work(lambda: self._reader.facet(_clauses(lucene), field, size=size))
        return Breakdown(facet.counts, facet.complete)

    async def _at_work(self, work: Callable[[], T]) -> T:
        """Raises `MirrorFault` where the files are not what they were."""
        try:
            return await asyncio.to_thread(work)
        except IndexFault as fault:
            told = str(fault)
        except BaseException as problem:
            if not _is_damage(problem):
                raise
            _log.warning("The mirror cannot be read.", exc_info=True)
            told = "The local mirror is damaged."
        raise MirrorFault(
            told, "The operator of this server should run `heritage-gateway mirror verify`."
        )


def _is_damage(problem: BaseException) -> bool:
    """How an engine and what it unpacks fail over bad files; its panics are no `Exception`."""
    by_engine = isinstance(problem, OSError | ValueError | UpstreamMalformed)
    return by_engine or type(problem).__name__ == "PanicException"


def _clauses(lucene: Lucene) -> Sequence[Clause]:
    return (*lucene.clauses, *map(Clause, lucene.filters))
