"""The embedded engine: tantivy, in a folder of immutable files. The extra `mirror` installs it.

Measured choices: one catch-all text field, so that "every word is required" is one intersection;
titles once more in a field of their own, which raises the rank and never changes the total; exact
terms as untouched single tokens. User text never reaches tantivy's own query parser, which widens
on OR, reads `field:` and matches nothing for a star it does not like. Files are tied to tantivy's
minor version.
"""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tantivy
from tantivy import Occur, Query

from heritage_gateway.index.blobs import Blobs
from heritage_gateway.index.engine import (
    SHUFFLED,
    UPDATED,
    Busy,
    Entry,
    Facet,
    Held,
    Hits,
    IndexFault,
    Layout,
    Stats,
    key_of,
)
from heritage_gateway.index.folding import folded
from heritage_gateway.index.shadow import shadow_of
from heritage_gateway.index.tree import Clause, Everything, Group, Node, Phrase, Term, Word

ENGINE = f"tantivy {'.'.join(version('tantivy').split('.')[:2])}"
HEAP = 500_000_000  # bytes, shared by the threads; more makes fewer and larger segments
THREADS = 2
_MOST_BUCKETS = 65_000  # above it tantivy gives a count up
_ANALYSER = "words"
_OTHER = "other_terms"  # terms of fields that the layout does not name: "field\x1fterm"
_LISTED = "listed"
_BETWEEN = "\0"  # of texts that are folded in one go
_TITLE_BOOST = 2.0
_INDEX, _DICTIONARIES = "index", "dictionaries"  # the folders of the parts


def _schema(layout: Layout) -> tantivy.Schema:
    build = tantivy.SchemaBuilder()
    build.add_unsigned_field(SHUFFLED, indexed=True, fast=True)
    build.add_unsigned_field("alias", indexed=True)
    build.add_unsigned_field("signature", fast=True)
    build.add_unsigned_field(UPDATED, fast=True)
    build.add_text_field("text", tokenizer_name=_ANALYSER, index_option="position")
    build.add_text_field("title", tokenizer_name=_ANALYSER, index_option="freq")
    for name in (*layout.terms, _OTHER, _LISTED, "batch"):
        build.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in layout.facets:
        build.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    for name in layout.orders:
        build.add_unsigned_field(name, fast=True)
    build.add_bytes_field("record", stored=True)
    return build.build()


def _analyser() -> tantivy.TextAnalyzer:
    plain = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    return plain.filter(tantivy.Filter.lowercase()).build()


def _registered(index: tantivy.Index) -> tantivy.Index:
    """The analyser is not kept with the index, so every opening tells it anew."""
    index.register_tokenizer(_ANALYSER, _analyser())
    return index


def _frozen(folder: Path) -> tantivy.Index:
    index = _registered(tantivy.Index.open(str(folder)))
    index.config_reader(reload_policy="manual")  # else a thread looks for changes for ever
    return index


@contextmanager
def _faults(verb: str) -> Generator[None]:
    """Over damaged files the engine panics, too, which is no `Exception` and would end the server."""
    try:
        yield
    except IndexFault:
        raise
    except BaseException as error:
        if not isinstance(error, OSError | ValueError) and type(error).__name__ != "PanicException":
            raise
        raise IndexFault(f"The index cannot be {verb}: {_first_line(error)}.") from None


# -- asking ----------------------------------------------------------------------------------------


class EmbeddedReader:
    """A frozen view: what is written later is not seen, what is deleted later stays readable."""

    @_faults("opened")
    def __init__(self, folder: Path, layout: Layout) -> None:
        """Raises `IndexFault` where there is no index, or one that this version cannot read."""
        index = self._opened(folder / _INDEX)
        self._searcher = index.searcher()
        self._blobs = Blobs(folder / _DICTIONARIES)
        self._schema = index.schema
        self._layout = layout
        self._analyser = _analyser()

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

    @_faults("read")
    def search(
        self, clauses: Sequence[Clause], *, start: int, rows: int, order: str | None = None
    ) -> Hits:
        question = self._question(clauses)
        found = self._searcher.search(
            question, max(rows, 1), count=True, offset=start if rows else 0, order_by_field=order
        )
        shown = found.hits if rows else []
        return Hits(_count(found), tuple(self._record(address) for _, address in shown))

    @_faults("read")
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

    @_faults("read")
    def vocabulary(self, field: str) -> Sequence[tuple[str, int]]:
        found = self._searcher.terms_with_prefix(field, "", self._everything())
        return sorted(pair for pair in found if pair[1])

    @_faults("read")
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
            field, value = _OTHER, f"{field}\x1f{value}"
        query = self._word(field, value, "basic")
        if term.is_any:
            query = self._beginning(field, value.removesuffix("*"))
        elif field in self._layout.broad:
            further = self._beginning(field, f"{value} ")
            query = Query.boolean_query([(Occur.Should, query), (Occur.Should, further)])
        return Query.const_score_query(query, 0.0)

    def _everything(self) -> Query:
        return Query.const_score_query(self._word(_LISTED, "1", "basic"), 0.0)


# -- writing ---------------------------------------------------------------------------------------


class EmbeddedWriter:
    """tantivy's own lock keeps a second writer out; it falls with the process that holds it."""

    @_faults("written")
    def __init__(self, folder: Path, layout: Layout, *, heap: int = HEAP) -> None:
        """Makes the index where there is none. Raises `Busy` and `IndexFault`."""
        self._folder = folder / _INDEX
        self._folder.mkdir(parents=True, exist_ok=True)
        self._index = _registered(tantivy.Index(_schema(layout), path=str(self._folder)))
        try:
            self._writer = self._index.writer(heap, THREADS)
        except ValueError as error:
            if "LockBusy" not in str(error) and "lock" not in str(error).lower():
                raise
            raise Busy("Another process writes to this index.") from None
        self._blobs = Blobs(folder / _DICTIONARIES)
        self._layout = layout
        self._fields = frozenset(layout.fields)
        self._schema = self._index.schema
        self._pending: dict[int, Held | None] = {}
        self._absent: set[int] = set()  # looked for since the last commit, and not there
        self._searcher = self._index.searcher()

    @_faults("written")
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

    @_faults("written")
    def members(self, batch: str) -> Collection[int]:
        query = Query.term_query(self._schema, "batch", batch, "basic")
        count = _count(self._searcher.search(query, 1))
        hits = self._searcher.search(query, max(count, 1), count=False).hits
        keys = self._searcher.fast_field_values("key", [address for _, address in hits])
        return {int(key) for key in keys if key is not None}

    def learn(self, kind: str, records: Sequence[bytes]) -> None:
        self._blobs.learn(kind, records)

    @_faults("written")
    def upsert(self, entry: Entry) -> None:
        key = key_of(entry.id)
        if key in self._pending or (key not in self._absent and self._at(key) is not None):
            self._forget(key)
        self._writer.add_document(self._document(key, entry))
        self._pending[key] = Held(entry.signature, entry.updated)

    def _document(self, key: int, entry: Entry) -> tantivy.Document:
        document = tantivy.Document()
        document.add_unsigned("key", key)
        document.add_unsigned("signature", entry.signature)
        document.add_unsigned("updated", entry.updated)
        for alias in entry.aliases:
            document.add_unsigned("alias", key_of(alias))
        document.add_text("batch", entry.batch)
        document.add_bytes("record", self._blobs.pack(entry.kind, entry.record))
        for name, number in entry.orders.items():
            document.add_unsigned(name, number)
        if not entry.listed:
            return document
        for field, value in dict.fromkeys(entry.terms):
            if field in self._fields:
                document.add_text(field, value)
            else:
                document.add_text(_OTHER, f"{field}\x1f{value}")
        document.add_text(_LISTED, "1")
        document.add_text("title", folded(entry.title))
        texts = dict.fromkeys((entry.title, *entry.texts))
        joined = _BETWEEN.join(texts)
        if joined.count(_BETWEEN) >= len(texts):
            joined = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in texts)
        for text in folded(joined).split(_BETWEEN):
            document.add_text("text", text)  # each with a gap, so no phrase spans two
        return document

    def delete(self, key: int) -> None:
        self._forget(key)
        self._pending[key] = None

    def _forget(self, key: int) -> None:
        """By query: a term of an unsigned field is deleted by none of the other verbs."""
        self._writer.delete_documents_by_query(Query.term_query(self._schema, "key", key))

    @_faults("written")
    def commit(self) -> None:
        self._writer.commit()
        self._index.reload()
        self._searcher = self._index.searcher()
        self._pending.clear()
        self._absent.clear()

    @_faults("written")
    def close(self) -> None:
        self._writer.wait_merging_threads()
        _open_to_readers(self._folder)


def _open_to_readers(folder: Path) -> None:
    """Tantivy keeps two files to the one who wrote them; other users may read them like the rest."""
    lock = folder / ".tantivy-writer.lock"
    for name in ("meta.json", ".managed.json"):
        if lock.exists() and (folder / name).exists():
            (folder / name).chmod(lock.stat().st_mode & 0o777)


def _count(found: tantivy.SearchResult) -> int:
    return int(getattr(found, "count", None) or 0)


def _first_line(error: BaseException) -> str:
    """What a library says may go on over many lines; a path in it is the person's own."""
    return str(error).partition("\n")[0].strip().rstrip(".")
