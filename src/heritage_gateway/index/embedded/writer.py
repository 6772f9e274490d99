"""Writing: entries become documents, seen from the next commit on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import tantivy
from tantivy import Query

from heritage_gateway.index.blobs import Blobs
from heritage_gateway.index.embedded.schema import (
    DICTIONARIES,
    INDEX,
    LISTED,
    OTHER,
    count_of,
    faults,
    registered,
    schema_of,
)
from heritage_gateway.index.engine import Busy, Entry, Held, Layout, key_of
from heritage_gateway.index.folding import folded

HEAP = 500_000_000  # bytes, shared by the threads; more makes fewer and larger segments
THREADS = 2
_LOT = 100  # entries that are packed while as many are written
_BETWEEN = "\0"  # of texts that are folded in one go


@dataclass(frozen=True, slots=True)
class _Order:
    """An entry to be written; `replaces` says that there is one with its key."""

    key: int
    entry: Entry
    replaces: bool


class EmbeddedWriter:
    """tantivy's own lock keeps a second writer out; it falls with the process that holds it."""

    @faults("written")
    def __init__(self, folder: Path, layout: Layout, *, heap: int = HEAP) -> None:
        """Makes the index where there is none. Raises `Busy` and `IndexFault`."""
        self._folder = folder / INDEX
        self._folder.mkdir(parents=True, exist_ok=True)
        self._index = registered(tantivy.Index(schema_of(layout), path=str(self._folder)))
        try:
            self._writer = self._index.writer(heap, THREADS)
        except ValueError as error:
            if "LockBusy" not in str(error) and "lock" not in str(error).lower():
                raise
            raise Busy("Another process writes to this index.") from None
        self._blobs = Blobs(folder / DICTIONARIES)
        self._layout = layout
        self._fields = frozenset(layout.fields)
        self._schema = self._index.schema
        self._pending: dict[int, Held | None] = {}
        self._absent: set[int] = set()  # looked for since the last commit, and not there
        self._searcher = self._index.searcher()
        self._packer = ThreadPoolExecutor(1)  # packing lets go of the interpreter meanwhile
        self._next: list[_Order] = []
        self._packing: tuple[list[_Order], Future[list[bytes]]] | None = None

    @faults("written")
    def held(self, keys: Collection[int]) -> Mapping[int, Held]:
        found: dict[int, Held] = {}
        addresses: dict[int, tantivy.DocAddress] = {}
        for key in keys:
            if key in self._pending:
                pending = self._pending[key]
                if pending is not None:
                    found[key] = pending
            elif (address := self._at(key)) is not None:
                addresses[key] = address
            else:
                self._absent.add(key)
        places = list(addresses.values())
        signatures = self._searcher.fast_field_values("signature", places)
        updates = self._searcher.fast_field_values("updated", places)
        for key, signature, updated in zip(addresses, signatures, updates, strict=True):
            found[key] = Held(int(signature or 0), int(updated or 0))
        return found

    def _at(self, key: int) -> tantivy.DocAddress | None:
        query = Query.term_query(self._schema, "key", key)
        hits = self._searcher.search(query, 1, count=False).hits
        return hits[0][1] if hits else None

    @faults("written")
    def members(self, batch: str) -> Collection[int]:
        query = Query.term_query(self._schema, "batch", batch, "basic")
        count = count_of(self._searcher.search(query, 1))
        hits = self._searcher.search(query, max(count, 1), count=False).hits
        keys = self._searcher.fast_field_values("key", [address for _, address in hits])
        return {int(key) for key in keys if key is not None}

    @faults("written")
    def learn(self, kind: str, records: Sequence[bytes]) -> None:
        self._settle()
        self._blobs.learn(kind, records)

    @faults("written")
    def upsert(self, entry: Entry) -> None:
        key = key_of(entry.id)
        replaces = key in self._pending or (key not in self._absent and self._at(key) is not None)
        self._next.append(_Order(key, entry, replaces=replaces))
        self._pending[key] = Held(entry.signature, entry.updated)
        if len(self._next) >= _LOT:
            self._turn()

    def _turn(self) -> None:
        """One lot of entries is packed while the one before it is written."""
        orders, self._next = self._next, []
        packing = self._packer.submit(self._packed, orders)
        self._write_packed()
        self._packing = orders, packing

    def _packed(self, orders: Sequence[_Order]) -> list[bytes]:
        return [self._blobs.pack(order.entry.kind, order.entry.record) for order in orders]

    def _write_packed(self) -> None:
        if self._packing is None:
            return
        (orders, packing), self._packing = self._packing, None
        for order, record in zip(orders, packing.result(), strict=True):
            if order.replaces:
                self._forget(order.key)
            self._writer.add_document(self._document(order.key, order.entry, record))

    def _settle(self) -> None:
        """All that was given so far is written, in its order."""
        if self._next:
            self._turn()
        self._write_packed()

    def _document(self, key: int, entry: Entry, record: bytes) -> tantivy.Document:
        document = tantivy.Document()
        document.add_unsigned("key", key)
        document.add_unsigned("signature", entry.signature)
        document.add_unsigned("updated", entry.updated)
        for alias in entry.aliases:
            document.add_unsigned("alias", key_of(alias))
        document.add_text("batch", entry.batch)
        document.add_bytes("record", record)
        for name, number in entry.orders.items():
            document.add_unsigned(name, number)
        if not entry.listed:
            return document
        for field, value in dict.fromkeys(entry.terms):
            if field in self._fields:
                document.add_text(field, value)
            else:
                document.add_text(OTHER, f"{field}\x1f{value}")
        document.add_text(LISTED, "1")
        document.add_text("title", folded(entry.title))
        texts = dict.fromkeys((entry.title, *entry.texts))
        joined = _BETWEEN.join(texts)
        if joined.count(_BETWEEN) >= len(texts):
            joined = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in texts)
        for text in folded(joined).split(_BETWEEN):
            document.add_text("text", text)  # each with a gap, so no phrase spans two
        return document

    def delete(self, key: int) -> None:
        self._settle()
        self._forget(key)
        self._pending[key] = None

    def _forget(self, key: int) -> None:
        """By query: a term of an unsigned field is deleted by none of the other verbs."""
        self._writer.delete_documents_by_query(Query.term_query(self._schema, "key", key))

    @faults("written")
    def commit(self) -> None:
        self._settle()
        self._writer.commit()
        self._index.reload()
        self._searcher = self._index.searcher()
        self._pending.clear()
        self._absent.clear()

    @faults("written")
    def close(self) -> None:
        self._packer.shutdown(cancel_futures=True)
        self._writer.wait_merging_threads()
        _open_to_readers(self._folder)


def _open_to_readers(folder: Path) -> None:
    """Tantivy keeps two files to the one who wrote them; other users may read them like the rest."""
    lock = folder / ".tantivy-writer.lock"
    for name in ("meta.json", ".managed.json"):
        if lock.exists() and (folder / name).exists():
            (folder / name).chmod(lock.stat().st_mode & 0o777)
