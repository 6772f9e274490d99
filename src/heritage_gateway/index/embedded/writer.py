"""Writing: entries become documents, seen from the next commit on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import tantivy
from tantivy import Query

from heritage_gateway.index.blobs import Blobs
from heritage_gateway.index.embedded.documents import EmbeddedMaker
from heritage_gateway.index.embedded.schema import (
    DICTIONARIES,
    INDEX,
    count_of,
    faults,
    registered,
    schema_of,
)
from heritage_gateway.index.engine import Busy, Document, Entry, Held, Layout

HEAP = 800_000_000  # bytes; more makes fewer and larger segments
THREADS = 2  # as quick as two processes make documents


class EmbeddedWriter:
    """tantivy's own lock keeps a second writer out; it falls with the process that holds it."""

    @faults("written")
    def __init__(self, folder: Path, layout: Layout, *, heap: int = HEAP) -> None:
        """Makes the index where there is none. Raises `Busy` and `IndexFault`."""
        self._home, self._folder = folder, folder / INDEX
        self._folder.mkdir(parents=True, exist_ok=True)
        self._index = registered(tantivy.Index(schema_of(layout), path=str(self._folder)))
        try:
            self._writer = self._index.writer(heap, THREADS)
        except ValueError as error:
            if "LockBusy" not in str(error) and "lock" not in str(error).lower():
                raise
            raise Busy("Another process writes to this index.") from None
        self._layout = layout
        self._schema = self._index.schema
        self._pending: dict[int, Held | None] = {}
        self._absent: set[int] = set()  # looked for since the last commit, and not there
        self._searcher = self._index.searcher()

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
        Blobs(self._home / DICTIONARIES).learn(kind, records)

    def maker(self) -> EmbeddedMaker:
        return EmbeddedMaker(self._layout, Blobs(self._home / DICTIONARIES))

    @faults("written")
    def put(self, documents: Sequence[Document]) -> None:
        for document in documents:
            key = document.key
            if key in self._pending or (key not in self._absent and self._at(key) is not None):
                self._forget(key)
            self._writer.add_json(document.body.decode())
            self._pending[key] = Held(document.signature, document.updated)

    def upsert(self, *entries: Entry) -> None:
        self.put(self.maker().documents(entries))

    def delete(self, key: int) -> None:
        self._forget(key)
        self._pending[key] = None

    def _forget(self, key: int) -> None:
        """By query: a term of an unsigned field is deleted by none of the other verbs."""
        self._writer.delete_documents_by_query(Query.term_query(self._schema, "key", key))

    @faults("written")
    def commit(self) -> None:
        self._writer.commit()
        self._index.reload()
        self._searcher = self._index.searcher()
        self._pending.clear()
        self._absent.clear()

    @faults("written")
    def close(self) -> None:
        self._writer.wait_merging_threads()
        _open_to_readers(self._folder)


def _open_to_readers(folder: Path) -> None:
    """Tantivy keeps two files to the one who wrote them; other users may read them like the rest."""
    lock = folder / ".tantivy-writer.lock"
    for name in ("meta.json", ".managed.json"):
        if lock.exists() and (folder / name).exists():
            (folder / name).chmod(lock.stat().st_mode & 0o777)
