"""The engines that the one suite is run over, each as something that is opened, written and read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.index.reference import Reference
from heritage_gateway.index import Clause, Entry, Facet, Layout, Node, Reader, Writer
from heritage_gateway.index.embedded import EmbeddedReader, EmbeddedWriter

SMALL = 30_000_000  # the least heap that the embedded engine takes


class Engine(Protocol):
    """One index of an engine. A `reader` is of the state at its opening."""

    def reader(self) -> Reader: ...

    def writer(self) -> Writer: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    layout: Layout
    folder: Path

    def reader(self) -> EmbeddedReader:
        return EmbeddedReader(self.folder, self.layout)

    def writer(self) -> EmbeddedWriter:
        return EmbeddedWriter(self.folder, self.layout, heap=SMALL)


def engine(name: str, layout: Layout, folder: Path) -> Engine:
    return Reference(layout) if name == "reference" else Embedded(layout, folder)


def filled(engine: Engine, entries: Iterable[Entry], *, commits: int = 1) -> Reader:
    """The index with these entries, in about as many parts as there were commits."""
    entries = list(entries)
    writer = engine.writer()
    for part in range(commits):
        for entry in entries[part::commits]:
            writer.upsert(entry)
        writer.commit()
    writer.close()
    return engine.reader()


def asked(*nodes: Node | Clause) -> Sequence[Clause]:
    return [node if isinstance(node, Clause) else Clause(node) for node in nodes]


def without(node: Node) -> Clause:
    return Clause(node, negative=True)


def found(reader: Reader, *nodes: Node | Clause, rows: int = 1_000) -> set[str]:
    """The records that match, which are as many as the total says."""
    hits = reader.search(asked(*nodes), start=0, rows=rows)
    names = [record.decode() for record in hits.records]
    assert len(names) == hits.total == len(set(names))
    return set(names)


def total(reader: Reader, *nodes: Node | Clause) -> int:
    return reader.search(asked(*nodes), start=0, rows=0).total


def facet(reader: Reader, field: str, *nodes: Node | Clause, size: int = 100) -> Facet:
    return reader.facet(asked(*nodes), field, size=size)
