"""A source of the catalogue's records: the live API, or a local mirror of its bulk data.

Both answer the same questions in the same shapes. What only one of them can do is told by `fields`
and `counts`, never found out by a wrong answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from pydantic import BaseModel, Field

from heritage_gateway.errors import NothingFound, UpstreamUnavailable
from heritage_smithsonian.query import Lucene
from heritage_smithsonian.vocabulary import Vocabulary
from heritage_smithsonian.wire import Raw

SourceName = Literal["oa_mirror", "edan_api"]
LIVE_FIELDS = ("unit_code", "culture", "place", "date", "online_media_type", "topic")
MIRROR_FIELDS = (*LIVE_FIELDS, "object_type", "name", "scientific_name")


@dataclass(frozen=True, slots=True)
class Found:
    """A page of raw rows with the true count of all that match."""

    total: int
    rows: tuple[Raw, ...]
    row_size: int = 0  # bytes, the mean of this page; weighing each would cost a dump


@dataclass(frozen=True, slots=True)
class Breakdown:
    """How often each term of a field occurs among all that match, the most frequent first."""

    counts: tuple[tuple[str, int], ...]
    complete: bool  # no other term occurs


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an answer came from; said only by servers that keep a mirror.

    `units` are those of a mirror that holds only some; `why` says why no mirror answered.
    """

    name: SourceName
    said: bool = True
    snapshot: datetime | None = None
    units: tuple[str, ...] = ()
    why: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of `Sourced`."""
        if not self.said:
            return {}
        return {"sources": (self.name,), "mirror_snapshot": self.moment}

    @property
    def moment(self) -> str | None:
        if self.snapshot is None:
            return None
        return self.snapshot.astimezone(UTC).isoformat(timespec="seconds")

    @property
    def sentence(self) -> str:
        """What the notice says of it."""
        if self.snapshot is None:
            return self.why
        held = f" It holds only {', '.join(self.units)}." if self.units else ""
        return f"Answered from a local mirror of {self.snapshot:%Y-%m-%d}.{held}"


class Sourced(BaseModel):
    """Base of answers that may come from a mirror."""

    sources: tuple[SourceName, ...] | None = Field(
        None, description="Which copy answered; absent where there is only the live API."
    )
    mirror_snapshot: str | None = Field(
        None, description="When the mirror's data were published; absent for a live answer."
    )

    @property
    def source_line(self) -> list[str]:
        """The same facts as a line of text; no line where there is nothing to say."""
        if not self.sources:
            return []
        dated = f", snapshot {self.mirror_snapshot}" if self.mirror_snapshot else ""
        return [f"Source: {', '.join(self.sources)}{dated}."]


class MirrorFault(UpstreamUnavailable):
    """The mirror is missing, or cannot be read."""


class NotMirrored(NothingFound):
    """The mirror lacks a record, which may be newer than it."""


class Source(Protocol):
    """Every verb raises `UpstreamError` where no usable answer came, and `Refused` for key trouble."""

    @property
    def origin(self) -> Origin: ...

    @property
    def fields(self) -> tuple[str, ...]:
        """Those with a vocabulary."""
        ...

    @property
    def counts(self) -> bool:
        """Does it count terms, and break down all that match? Then asking it is cheap, too."""
        ...

    async def search(
        self, lucene: Lucene, *, start: int, rows: int, sort: str | None = None
    ) -> Found:
        """Rows from `start`, 0 to 1,000; `sort` is upstream's word. Raises `InvalidRequest`."""
        ...

    async def record(self, url: str) -> Raw:
        """The record of a `url` (edanmdm:..., ead_component:...) or row id. Raises `NothingFound`."""
        ...

    async def terms(self, field: str) -> Vocabulary:
        """The index terms of one of `fields`, in index order; empty where there are none."""
        ...

    def known_terms(self, field: str) -> Vocabulary | None:
        """The vocabulary where it is at hand, without asking."""
        ...

    async def breakdown(self, lucene: Lucene, field: str, *, size: int) -> Breakdown:
        """Only where it `counts`."""
        ...
