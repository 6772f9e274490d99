"""The catalogue as the tools see it: nouns out, wherever the records came from.

Mirror first, live for the rest. One call is answered by one source, so that its count, its rows and
its hint belong together; the mirror steps aside for what it does not hold and where it cannot be
read, and the answer says so.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

from heritage_gateway.errors import GatewayError, InvalidRequest, Reason
from heritage_gateway.plugin import Counts
from heritage_smithsonian.advice import Advisor
from heritage_smithsonian.edan import Edan
from heritage_smithsonian.media import image_id, image_ids, media
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.normalise import object_row, record_id
from heritage_smithsonian.obedience import doubts
from heritage_smithsonian.query import Filters, Lucene, Unsearchable, build
from heritage_smithsonian.record_id import record_url
from heritage_smithsonian.signals import Signal
from heritage_smithsonian.source import Breakdown, Found, MirrorFault, NotMirrored, Origin, Source
from heritage_smithsonian.vocabulary import Vocabulary
from heritage_smithsonian.walk import Walk, Walks
from heritage_smithsonian.wire import Raw
from heritage_smithsonian.works import ark_addresses, ark_in

T = TypeVar("T")
Choice = Literal["auto", "mirror", "live"]

MIRROR_HINT = (
    "`heritage-gateway mirror sync` keeps a copy of the whole catalogue on this machine, which can."
)
MIRROR_ALONE = "This says nothing about archives; `HERITAGE_SMITHSONIAN_SOURCE=auto` asks for them."
_UNREADABLE = "The local mirror could not be read, so the live API was asked."


@dataclass(frozen=True, slots=True)
class Rows:
    """A page of rows with the catalogue's own count of all that match.

    `doubts` are sentences on filters or an order that the rows do not bear out; `scope` says where
    was looked, if not everywhere.
    """

    total: int
    rows: tuple[ObjectRow, ...]
    source: Source
    origin: Origin
    doubts: tuple[str, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A value with the source that it came from."""

    value: T
    source: Source
    origin: Origin


class Mirrors(Protocol):
    """The local mirror, which may come, be renewed and go while the server runs."""

    async def latest(self) -> Source | None:
        """None where none is in place."""
        ...

    @property
    def trouble(self) -> str:
        """Why what is in place cannot be used; empty where it can, or nothing is."""
        ...

    async def for_page(self, lucene: Lucene, start: int) -> Source | None:
        """The state in which a list is being paged through; the latest for its beginning."""
        ...


class NoMirror:
    """For servers without one."""

    trouble = ""

    async def latest(self) -> Source | None:
        return None

    async def for_page(self, lucene: Lucene, start: int) -> Source | None:  # noqa: ARG002 - the seam's
        return None


@dataclass(slots=True)
class KnownNames:
    """Other names of records, as far as they were shown: upstream has no index of them.

    `read` takes a name out of what was heard. It waits until a record is looked for: most searches
    are followed by none. When there are more than `most`, those are kept of which was heard last.
    """

    read: Callable[[str], str | None] = str
    most: int = 20_000
    _heard: deque[tuple[str, str]] = field(default_factory=deque[tuple[str, str]])
    _records: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, names: Iterable[tuple[str, str]]) -> None:
        """Names, or addresses that hold one, each with the id of its record."""
        self._heard += names
        while len(self._heard) > self.most:
            self._heard.popleft()

    def record_of(self, name: str) -> str | None:
        self._learn()
        return self._records.get(name)

    def _learn(self) -> None:
        while self._heard:
            text, record = self._heard.popleft()
            if name := self.read(text):
                self._records.pop(name, None)
                self._records[name] = record
        while len(self._records) > self.most:
            del self._records[next(iter(self._records))]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every verb raises `UpstreamError` where no usable answer came, and `Refused` for key trouble."""

    edan: Edan
    mirrors: Mirrors
    choice: Choice
    walks: Walks = field(default_factory=lambda: Walks(time.monotonic))
    images: KnownNames = field(default_factory=lambda: KnownNames(_image_of))
    arks: KnownNames = field(default_factory=lambda: KnownNames(ark_in))  # links that last

    @classmethod
    def over(
        cls,
        edan: Edan,
        mirrors: Mirrors | None = None,
        *,
        choice: Choice = "auto",
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        kept = NoMirror() if mirrors is None or choice == "live" else mirrors
        return cls(edan, kept, choice, Walks(clock))

    async def search(
        self, lucene: Lucene, *, start: int, rows: int, sort: str | None = None
    ) -> Rows:
        """Rows of a query; `sort` is upstream's word. Raises `InvalidRequest`."""
        mirror = await self.mirrors.for_page(lucene, start)
        if mirror is None and self.choice == "mirror":
            mirror = await self.mirrors.latest()
        found = await self._asked(
            lambda source: source.search(lucene, start=start, rows=rows, sort=sort),
            mirror,
            lambda origin: covers(origin, lucene),
        )
        raw, origin = found.value, found.origin
        listed = self._listed(raw)
        return Rows(
            total=raw.total,
            rows=listed,
            source=found.source,
            origin=origin,
            doubts=() if found.source.counts else doubts(raw.rows, lucene.filters, sort),
            scope=""
            if covers(origin, lucene)
            else f" in a mirror of {', '.join(origin.units)} alone",
        )

    async def everything(self, lucene: Lucene, *, rows: int) -> Rows:
        """The first rows of a query over objects and archives, which no mirror searches.

        Without the live API a zero tells nothing, and is raised as its failure.
        """
        try:
            if self.choice == "mirror":
                raise MirrorFault(
                    "A mirror searches objects alone, and finds no archival records.", MIRROR_ALONE
                )
            raw = await self.edan.search(lucene, start=0, rows=rows, archives=True)
        except GatewayError:
            if self.choice != "mirror" and await self.mirrors.latest() is None:
                raise
            found = await self.search(lucene, start=0, rows=rows)
            if not found.rows:
                raise
            return found
        return Rows(raw.total, self._listed(raw), self.edan, self.edan.origin)

    def _listed(self, raw: Found) -> tuple[ObjectRow, ...]:
        self._note_arks(raw.rows)
        listed = tuple(map(object_row, raw.rows))
        self.images.note((row.thumbnail_url, row.record_id) for row in listed if row.thumbnail_url)
        return listed

    async def record(self, given: str) -> Answer[Raw]:
        """The record of an id as callers give it. Raises `NothingFound`, and `invalid_id`.

        A record that a mirror lacks may be newer than it, so the live API has the last word.
        """
        url = record_url(given)
        found = await self._asked(lambda source: source.record(url), await self.mirrors.latest())
        self.images.note(
            (image, url) for medium in media(found.value) for image in image_ids(medium)
        )
        self._note_arks((found.value,))
        return found

    def _note_arks(self, rows: Iterable[Raw]) -> None:
        self.arks.note((told, record_id(row)) for row in rows for told in ark_addresses(row))

    async def records(self, lucene: Lucene, *, most: int) -> Answer[tuple[Raw, ...]]:
        """The first records of a query over the whole catalogue, as they are."""
        found = await self._asked(
            lambda source: source.search(lucene, start=0, rows=most),
            await self.mirrors.latest(),
            is_whole,
        )
        return Answer(found.value.rows, found.source, found.origin)

    async def terms(self, field: str, *, counted: bool = False) -> Answer[Vocabulary]:
        """The index terms of a field, in index order; empty where upstream lists none.

        Raises `InvalidRequest` (`mirror_required`), unsent, for what only a mirror can list or count.
        """

        async def ask(source: Source) -> Vocabulary:
            if field not in source.fields:
                raise mirror_required(f"The live API does not list the terms of {field}.")
            if counted and not source.counts:
                raise mirror_required(
                    "The live API does not count its terms, so it cannot sort them."
                )
            return await source.terms(field)

        return await self._asked(ask, await self.mirrors.latest(), is_whole)

    async def walk(self, record: Raw, wanted: Sequence[Signal], *, afresh: bool) -> Answer[Walk]:
        """The relatives of a record; a walk goes on in the source that it began in."""
        anchor = record_id(record)
        found = await self._asked(
            lambda source: self.walks.of(anchor, wanted, source, afresh=afresh),
            await self.mirrors.latest(),
            is_whole,
        )
        source = found.value.source
        if source is found.source:
            return found
        return Answer(found.value, source, replace(source.origin, said=True))

    def _no_mirror(self) -> MirrorFault:
        told = self.mirrors.trouble or "No complete mirror is in place."
        return MirrorFault(
            f"HERITAGE_SMITHSONIAN_SOURCE=mirror is set, but it cannot be used: {told}",
            "The operator of this server should run `heritage-gateway mirror sync`, or set "
            "HERITAGE_SMITHSONIAN_SOURCE=auto.",
        )

    async def breakdown(
        self, rows: Rows, lucene: Lucene, field: str, size: int
    ) -> Breakdown | None:
        """Exact counts over all that match, from the source of these rows; None where it has none."""
        if not rows.source.counts:
            return None
        try:
            return await rows.source.breakdown(lucene, field, size=size)
        except MirrorFault:
            return None  # the rows are there, and an estimate is made of them

    async def count(self, query: str, filters: Mapping[str, Any], field: str, size: int) -> Counts:
        """All that match, broken down by a field. Raises `mirror_required`, and `invalid_input`."""
        lucene = build(query, Filters(**filters))
        if isinstance(lucene, Unsearchable):
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                "`query` holds nothing to look for.",
                "Give a word, or nothing.",
            )
        mirror = await self.mirrors.for_page(lucene, 0)
        if mirror is None or not covers(mirror.origin, lucene):
            raise mirror_required("The live API counts no terms.")
        found = await mirror.search(lucene, start=0, rows=0)
        broken = await mirror.breakdown(lucene, field, size=size)
        return Counts(found.total, broken.counts, broken.complete, mirror.origin.sentence)

    async def hint(self, found: Rows, words: str, lucene: Lucene) -> str:
        """What to try after a search that found nothing.

        The vocabularies of some units are not those of the catalogue, so the live API is asked then.
        """
        asks_live = not is_whole(found.origin) and self.choice != "mirror"
        return await Advisor(self.edan if asks_live else found.source).on_zero(
            words, lucene.filters
        )

    async def _asked(
        self,
        ask: Callable[[Source], Awaitable[T]],
        mirror: Source | None,
        suits: Callable[[Origin], bool] = lambda _: True,
    ) -> Answer[T]:
        """By the mirror where it suits and can answer, else by the live API, and why."""
        why = _UNREADABLE if mirror is None and self.mirrors.trouble else ""
        if mirror is not None and (self.choice == "mirror" or suits(mirror.origin)):
            try:
                return Answer(await ask(mirror), mirror, mirror.origin)
            except (MirrorFault, NotMirrored) as lack:
                if self.choice == "mirror":
                    raise
                why = _UNREADABLE if isinstance(lack, MirrorFault) else ""
        if self.choice == "mirror":
            raise self._no_mirror()
        origin = replace(self.edan.origin, said=mirror is not None or bool(why), why=why)
        return Answer(await ask(self.edan), self.edan, origin)


def _image_of(told: str) -> str:
    """Of an address of the image service the id in it."""
    return image_id(told) or told


def is_whole(origin: Origin) -> bool:
    return not origin.units


def covers(origin: Origin, lucene: Lucene) -> bool:
    """Does a mirror hold all that can match? One of some units does only within one of these."""
    if is_whole(origin):
        return True
    held = {unit.casefold() for unit in origin.units}
    asked = [term.value for term in lucene.filters if term.field == "unit_code"]
    return any(unit.casefold() in held for unit in asked)


def mirror_required(what: str) -> InvalidRequest:
    return InvalidRequest(Reason.MIRROR_REQUIRED, what, MIRROR_HINT)
