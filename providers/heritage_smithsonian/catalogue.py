"""The catalogue as the tools see it: nouns out, wherever the records came from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from heritage_smithsonian.advice import Advisor
from heritage_smithsonian.edan import Edan
from heritage_smithsonian.media import Medium, media
from heritage_smithsonian.models import ObjectRecord, ObjectRow
from heritage_smithsonian.normalise import object_record, object_row
from heritage_smithsonian.obedience import doubts
from heritage_smithsonian.query import Lucene
from heritage_smithsonian.record_id import record_url
from heritage_smithsonian.vocabulary import Vocabulary
from heritage_smithsonian.walk import Walks
from heritage_smithsonian.wire import Raw


@dataclass(frozen=True, slots=True)
class Rows:
    """A page of rows with the catalogue's own count of all that match.

    `doubts` are sentences on filters or an order that the rows do not bear out.
    """

    total: int
    rows: tuple[ObjectRow, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The live API for now; a local mirror will stand before it behind these same verbs.

    Every verb raises `UpstreamError` where no usable answer came, and `Refused` for key trouble.
    """

    edan: Edan
    advisor: Advisor
    walks: Walks

    @classmethod
    def over(cls, edan: Edan, clock: Callable[[], float] = time.monotonic) -> Self:
        return cls(edan, Advisor(edan), Walks(edan, clock))

    async def search(
        self, lucene: Lucene, *, start: int, rows: int, sort: str | None = None
    ) -> Rows:
        """Rows of a query; `sort` is upstream's word. Raises `InvalidRequest`."""
        found = await self.edan.search(lucene.q, start=start, rows=rows, sort=sort)
        return Rows(
            total=found.total,
            rows=tuple(object_row(row) for row in found.rows),
            doubts=doubts(found.rows, lucene.filters, sort),
        )

    async def raw_record(self, given: str) -> Raw:
        """The record of an id as callers give it. Raises `NothingFound`, and `invalid_id`."""
        return await self.edan.record(record_url(given))

    async def record(self, given: str) -> ObjectRecord:
        return object_record(await self.raw_record(given))

    async def media(self, given: str) -> tuple[ObjectRow, tuple[Medium, ...]]:
        """An object and all its media, in catalogue order."""
        row = await self.raw_record(given)
        return object_row(row), media(row)

    async def terms(self, field: str) -> Vocabulary:
        """The index terms of a field, in index order; empty where upstream lists none."""
        return await self.edan.terms(field)
