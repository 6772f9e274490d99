"""Entries as the engine writes them down: half of the work of an index, and it needs no engine.

So documents can be made in any number of processes beside the one that writes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import orjson

from heritage_gateway.index.blobs import Blobs
from heritage_gateway.index.embedded.schema import LISTED, OTHER
from heritage_gateway.index.engine import Document, Entry, Layout, key_of
from heritage_gateway.index.folding import folded


@dataclass(frozen=True, slots=True)
class EmbeddedMaker:
    layout: Layout
    blobs: Blobs

    def documents(self, entries: Sequence[Entry]) -> list[Document]:
        records: list[bytes] = []
        for kind, alike in groupby(entries, key=lambda entry: entry.kind):
            records += self.blobs.pack(kind, [entry.record for entry in alike])
        named = frozenset(self.layout.fields)
        return [
            _document(entry, record, named) for entry, record in zip(entries, records, strict=True)
        ]


def _document(entry: Entry, record: bytes, named: frozenset[str]) -> Document:
    """Each text is a value of its own, so that no phrase spans two."""
    key = key_of(entry.id)
    fields: dict[str, Any] = {
        **entry.orders,
        "key": key,
        "signature": entry.signature,
        "updated": entry.updated,
        "alias": [key_of(alias) for alias in entry.aliases],
        "batch": entry.batch,
        "record": b64encode(record).decode(),
    }
    if entry.listed:
        for name, term in dict.fromkeys(entry.terms):
            field, value = (name, term) if name in named else (OTHER, f"{name}\x1f{term}")
            if field in fields:
                fields[field].append(value)
            else:
                fields[field] = [value]
        fields[LISTED] = "1"
        fields["title"] = folded(entry.title)
        texts = dict.fromkeys((entry.title, *entry.texts))
        fields["text"] = [text if text.isascii() else folded(text) for text in texts]
    return Document(key, entry.signature, entry.updated, orjson.dumps(fields))
