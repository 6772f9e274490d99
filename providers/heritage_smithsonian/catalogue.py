"""The catalogue as the tools see it: nouns out, wherever the records came from."""

from __future__ import annotations

from dataclasses import dataclass

from heritage_smithsonian.edan import Edan
from heritage_smithsonian.models import ObjectRecord, ObjectRow
from heritage_smithsonian.normalise import object_record, object_row
from heritage_smithsonian.record_id import record_url


@dataclass(frozen=True, slots=True)
class Rows:
    """A page of rows with the catalogue's own count of all that match."""

    total: int
    rows: tuple[ObjectRow, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The live API for now; a local mirror will stand before it behind these same verbs."""

    edan: Edan

    async def search(self, q: str, *, start: int, rows: int) -> Rows:
        """Rows of a Lucene query. Raises `UpstreamError`, `InvalidRequest`, `Refused`."""
        found = await self.edan.search(q, start=start, rows=rows)
        return Rows(found.total, tuple(object_row(row) for row in found.rows))

    async def record(self, given: str) -> ObjectRecord:
        """The record of an id as callers give it. Raises `NothingFound` and `invalid_id` too."""
        return object_record(await self.edan.record(record_url(given)))
