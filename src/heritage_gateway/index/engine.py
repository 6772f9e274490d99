"""The seam of the search engines: what is kept, what can be asked of it, and how it is written.

An engine is told a `Layout` once, takes `Entry`s in, and answers questions put as a query tree. The
conformance suite (tests/core/index) is what a further engine has to pass.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, Protocol

from heritage_gateway.index.tree import Clause

_NO_ORDERS: Mapping[str, int] = {}  # nobody writes to it
UPDATED, SHUFFLED = "updated", "key"


@dataclass(frozen=True, slots=True)
class Layout:
    """What the entries of one catalogue can be found by. A change of it makes the index another one.

    `facets` are exact terms that are quickly counted, `terms` such that are rarely. A term of a
    `broad` field also stands for all that go on after a blank: a genus for its species. `orders`
    are whole numbers by which hits can be ordered, the largest first; so they can by `UPDATED`, and
    by `SHUFFLED`, which has nothing to do with what they hold.
    """

    name: str
    version: int
    facets: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    broad: frozenset[str] = frozenset()
    orders: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields that have a vocabulary."""
        return (*self.facets, *self.terms)


class Entry(NamedTuple):
    """A record as it is kept: what finds it, and the record itself, untouched.

    Made by the million, as documents are: plain tuples are the quickest to make.

    `signature` is equal where nothing has changed. `updated` decides between two versions. `batch`
    is the file it came in. One that is not `listed` is had by its id, or an alias, alone.
    """

    id: str
    record: bytes
    title: str = ""
    texts: Sequence[str] = ()
    terms: Sequence[tuple[str, str]] = ()  # any field; those the layout lacks can be asked for too
    orders: Mapping[str, int] = _NO_ORDERS
    aliases: Sequence[str] = ()  # other names by which it is had
    kind: str = ""  # records of one kind are alike, and kept small together
    batch: str = ""
    signature: int = 0
    updated: int = 0
    listed: bool = True


class Document(NamedTuple):
    """An entry made ready for one engine, which alone knows what the `body` says.

    A plain tuple, because a million of them go from one process to another.
    """

    key: int
    signature: int
    updated: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Hits:
    """The true count of all that match, and the records of one page."""

    total: int
    records: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """The most frequent terms of a field among all that match, with exact counts.

    Terms beyond those asked for are left out: `complete` says that there are none.
    """

    counts: tuple[tuple[str, int], ...]
    complete: bool


class Held(NamedTuple):
    """What the index has under a key."""

    signature: int
    updated: int


@dataclass(frozen=True, slots=True)
class Stats:
    entries: int
    segments: int


class Reader(Protocol):
    """One state of an index: whatever is written meanwhile, its answers stay the same.

    Hits come by relevance unless an order is named, and where they tie always in the same order, so
    that pages of any size neither lose nor repeat an entry. Methods may be called from any thread,
    and raise `IndexFault` where the index cannot be read.
    """

    def search(
        self, clauses: Sequence[Clause], *, start: int, rows: int, order: str | None = None
    ) -> Hits: ...

    def facet(self, clauses: Sequence[Clause], field: str, *, size: int) -> Facet: ...

    def vocabulary(self, field: str) -> Sequence[tuple[str, int]]:
        """All terms of listed entries with the number of entries that have each, in index order."""
        ...

    def get(self, name: str) -> bytes | None:
        """The record with this id or alias."""
        ...

    def stats(self) -> Stats: ...


class Maker(Protocol):
    """Makes documents, from no more than the entries. It can be sent to another process."""

    def documents(self, entries: Sequence[Entry]) -> list[Document]: ...


class Writer(Protocol):
    """The one writer of an index. What it wrote is seen from the next commit on, and by nobody before.

    Raises `Busy` where another one is at work. Keys are those of `key_of`.
    """

    def held(self, keys: Collection[int]) -> Mapping[int, Held]:
        """What is kept of these, written but uncommitted ones included."""
        ...

    def members(self, batch: str) -> Collection[int]:
        """The keys of all entries that came in a batch, as of the last commit."""
        ...

    def learn(self, kind: str, records: Sequence[bytes]) -> None:
        """Shows records of a kind before the first of them is written; later calls do nothing."""
        ...

    def maker(self) -> Maker:
        """A new one, for one thread, that knows what was learnt until now."""
        ...

    def put(self, documents: Sequence[Document]) -> None:
        """In place of what is there under their keys."""
        ...

    def upsert(self, *entries: Entry) -> None:
        """As documents of its own making."""
        ...

    def delete(self, key: int) -> None: ...

    def commit(self) -> None: ...

    def close(self) -> None:
        """Ends the writer; what was not committed is lost."""
        ...


class IndexFault(Exception):
    """The index cannot be read or written; the message says why in one sentence."""


class Busy(IndexFault):
    """Another process writes to this index."""


def key_of(name: str) -> int:
    """64 bits of an id: at 20 million entries, two share a key once in 90,000 indexes."""
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def signature_of(*parts: str) -> int:
    """63 bits that change when any part does."""
    whole = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(whole, digest_size=8).digest()) >> 1
