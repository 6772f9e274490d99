"""Writing: entries become documents, seen from the next commit on."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
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

HEAP = 500_000_000  # bytes; more makes fewer and larger segments
THREADS = 1  # as quick as the entries are made; more get into each other's way
_LOT = 200  # entries whose records are packed in one go


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
        self._blobs.learn(kind, records)

    @faults("written")
    def upsert(self, *entries: Entry) -> None:
        """The records are packed while the rest of the documents is made."""
        lots = [entries[start : start + _LOT] for start in range(0, len(entries), _LOT)]
        packings = [self._packer.submit(self._packed, lot) for lot in lots]
        for lot, packing in zip(lots, packings, strict=True):
            documents = [self._document(entry) for entry in lot]
            for entry, document, record in zip(lot, documents, packing.result(), strict=True):
                key = document["key"]
                if key in self._pending or (key not in self._absent and self._at(key) is not None):
                    self._forget(key)
                document["record"] = b64encode(record).decode()
                self._writer.add_json(orjson.dumps(document).decode())
                self._pending[key] = Held(entry.signature, entry.updated)

    def _packed(self, entries: Sequence[Entry]) -> list[bytes]:
        packed: list[bytes] = []
        for kind, alike in groupby(entries, key=lambda entry: entry.kind):
            packed += self._blobs.pack(kind, [entry.record for entry in alike])
        return packed

    def _document(self, entry: Entry) -> dict[str, Any]:
        """All but the record. Each text is a value of its own, so that no phrase spans two."""
        fields: dict[str, Any] = {
            **entry.orders,
            "key": key_of(entry.id),
            "signature": entry.signature,
            "updated": entry.updated,
            "alias": [key_of(alias) for alias in entry.aliases],
            "batch": entry.batch,
        }
        if entry.listed:
            for field, value in dict.fromkeys(entry.terms):
                if field in self._fields:
                    fields.setdefault(field, []).append(value)
                else:
                    fields.setdefault(OTHER, []).append(f"{field}\x1f{value}")
            fields[LISTED] = "1"
            fields["title"] = folded(entry.title)
            fields["text"] = [folded(text) for text in dict.fromkeys((entry.title, *entry.texts))]
        return fields

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
        self._packer.shutdown(cancel_futures=True)
        self._writer.wait_merging_threads()
        _open_to_readers(self._folder)


def _open_to_readers(folder: Path) -> None:
    """Tantivy keeps two files to the one who wrote them; other users may read them like the rest."""
    lock = folder / ".tantivy-writer.lock"
    for name in ("meta.json", ".managed.json"):
        if lock.exists() and (folder / name).exists():
            (folder / name).chmod(lock.stat().st_mode & 0o777)
