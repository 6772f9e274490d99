"""Asking: a query tree becomes the engine's own, and hits become records."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import tantivy
from tantivy import Occur, Query

from heritage_gateway.index.blobs import Blobs
from heritage_gateway.index.embedded.schema import (
    DICTIONARIES,
    INDEX,
    LISTED,
    OTHER,
    analyser,
    count_of,
    faults,
    registered,
)
from heritage_gateway.index.engine import Facet, Hits, Layout, Stats, key_of
from heritage_gateway.index.folding import folded
from heritage_gateway.index.shadow import shadow_of
from heritage_gateway.index.tree import Clause, Everything, Group, Node, Phrase, Term, Word

_MOST_BUCKETS = 65_000  # above it tantivy gives a count up
_TITLE_BOOST = 2.0


class EmbeddedReader:
    """A frozen view: what is written later is not seen, what is deleted later stays readable."""

    @faults("opened")
    def __init__(self, folder: Path, layout: Layout) -> None:
        """Raises `IndexFault` where there is no index, or one that this version cannot read."""
        index = self._opened(folder / INDEX)
        self._searcher = index.searcher()
        self._blobs = Blobs(folder / DICTIONARIES)
        self._blobs.load()
        self._schema = index.schema
        self._layout = layout
        self._analyser = analyser()

    def _opened(self, folder: Path) -> tantivy.Index:
        """As it is; where the lock finds no place there, through a shadow that goes with the reader."""
        try:
            return _frozen(folder)
        except (OSError, ValueError):
            if not folder.is_dir():
                raise
        shadow = shadow_of(folder)
        weakref.finalize(self, shutil.rmtree, shadow, ignore_errors=True)
        return _frozen(shadow)

    @faults("read")
    def search(
        self, clauses: Sequence[Clause], *, start: int, rows: int, order: str | None = None
    ) -> Hits:
        question = self._question(clauses)
        found = self._searcher.search(
            question, max(rows, 1), count=True, offset=start if rows else 0, order_by_field=order
        )
        shown = found.hits if rows else []
        return Hits(count_of(found), tuple(self._record(address) for _, address in shown))

    @faults("read")
    def facet(self, clauses: Sequence[Clause], field: str, *, size: int) -> Facet:
        question = self._question(clauses)
        if field in self._layout.facets and size < _MOST_BUCKETS:
            terms = {"field": field, "size": size, "segment_size": _MOST_BUCKETS}
            searcher: Any = self._searcher
            answer = searcher.aggregate(question, {"of": {"terms": terms}})["of"]
            if not answer["doc_count_error_upper_bound"]:
                counts = {str(one["key"]): int(one["doc_count"]) for one in answer["buckets"]}
                ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
                return Facet(tuple(ordered), complete=not answer["sum_other_doc_count"])
        found = self._searcher.terms_with_prefix(field, "", question, size + 1)
        return Facet(tuple(found[:size]), complete=len(found) <= size)

    @faults("read")
    def vocabulary(self, field: str) -> Sequence[tuple[str, int]]:
        found = self._searcher.terms_with_prefix(field, "", self._everything())
        return sorted(pair for pair in found if pair[1])

    @faults("read")
    def get(self, name: str) -> bytes | None:
        for field in ("key", "alias"):
            query = Query.term_query(self._schema, field, key_of(name))
            if hits := self._searcher.search(query, 1, count=False).hits:
                return self._record(hits[0][1])
        return None

    def stats(self) -> Stats:
        return Stats(self._searcher.num_docs, self._searcher.num_segments)

    def _record(self, address: tantivy.DocAddress) -> bytes:
        packed: Any = self._searcher.doc(address).get_first("record")
        return self._blobs.unpack(bytes(packed))

    def _question(self, clauses: Sequence[Clause]) -> Query:
        parts = self._parts(clauses) or [(Occur.Must, self._everything())]
        return Query.boolean_query([*parts, *self._title(clauses)])

    def _parts(self, clauses: Sequence[Clause]) -> list[tuple[Occur, Query]]:
        """None at all where the clauses ask for nothing."""
        parts = [part for clause in clauses for part in self._clause(clause)]
        if parts and all(occur is Occur.MustNot for occur, _ in parts):  # would match nothing
            parts.append((Occur.Must, self._everything()))
        return parts

    def _clause(self, clause: Clause) -> Iterator[tuple[Occur, Query]]:
        query = self._node(clause.node)
        if query is not None:
            yield (Occur.MustNot if clause.negative else Occur.Must), query

    def _title(self, clauses: Sequence[Clause]) -> list[tuple[Occur, Query]]:
        """Words in the title raise the rank of what matches anyhow."""
        found = dict.fromkeys(
            word
            for clause in clauses
            if isinstance(clause.node, Word | Phrase) and not clause.negative
            for word in self._words(clause.node.text)
        )
        return [
            (Occur.Should, Query.boost_query(self._word("title", word, "freq"), _TITLE_BOOST))
            for word in found
        ]

    def _node(self, node: Node) -> Query | None:
        """None where a node asks for nothing."""
        match node:
            case Word(text, prefix):
                found = self._words(text)
                if prefix and found:
                    return self._begun(found)
                return self._phrase(found)
            case Phrase(text):
                return self._phrase(self._words(text))
            case Term():
                return self._term(node)
            case Everything():
                return self._everything()
            case Group(clauses):
                parts = self._parts(clauses)
                return Query.boolean_query(parts) if parts else None

    def _words(self, text: str) -> list[str]:
        """As the engine itself finds words; only so is every word of a record found again."""
        return self._analyser.analyze(folded(text))

    def _phrase(self, found: Sequence[str]) -> Query | None:
        if len(found) < 2:
            return self._word("text", found[0], "position") if found else None
        return Query.phrase_query(self._schema, "text", list(found))

    def _begun(self, found: Sequence[str]) -> Query:
        """A star after "uh-1" asks for the word before, and for one that begins with the last."""
        begun = self._beginning("text", found[-1])
        before = self._phrase(found[:-1])
        return begun if before is None else before.and_must_match(begun)

    def _beginning(self, field: str, start: str) -> Query:
        """Not by a pattern: those have at most 1,000 states, and know few signs for themselves."""
        begun = Query.fuzzy_term_query(self._schema, field, start, distance=0, prefix=True)
        return Query.const_score_query(begun, 1.0)

    def _word(self, field: str, word: str, option: str) -> Query:
        return Query.term_query(self._schema, field, word, option)

    def _term(self, term: Term) -> Query:
        """An exact term counts for nothing in the rank."""
        field, value = term.field, term.value
        if field not in self._layout.fields:
            field, value = OTHER, f"{field}\x1f{value}"
        query = self._word(field, value, "basic")
        if term.is_any:
            query = self._beginning(field, value.removesuffix("*"))
        elif field in self._layout.broad:
            further = self._beginning(field, f"{value} ")
            query = Query.boolean_query([(Occur.Should, query), (Occur.Should, further)])
        return Query.const_score_query(query, 0.0)

    def _everything(self) -> Query:
        return Query.const_score_query(self._word(LISTED, "1", "basic"), 0.0)


def _frozen(folder: Path) -> tantivy.Index:
    index = registered(tantivy.Index.open(str(folder)))
    index.config_reader(reload_policy="manual")  # else a thread looks for changes for ever
    return index
