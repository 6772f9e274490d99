"""The plain engine: everything in memory, found in the most obvious way, as slow as that may be.

It says what an engine has to answer; `engines.py` puts it beside the embedded one.
"""

from __future__ import annotations

import pickle
import re
import weakref
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from heritage_gateway.index import (
    SHUFFLED,
    UPDATED,
    Busy,
    Clause,
    Document,
    Entry,
    Everything,
    Facet,
    Group,
    Held,
    Hits,
    IndexFault,
    Layout,
    Node,
    Phrase,
    Stats,
    Term,
    Word,
    key_of,
)
from heritage_gateway.index.folding import folded

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    return _WORD.findall(folded(text).lower())


def _line(words: Iterable[str]) -> str:
    """Words as a text of their own, in which whole words, phrases and beginnings can be looked for."""
    return f" {' '.join(words)} "


class State:
    """All that was committed; never changed."""

    def __init__(self, layout: Layout, kept: Mapping[int, Entry]) -> None:
        self.layout = layout
        self.kept = dict(kept)
        self.listed = {key for key, entry in self.kept.items() if entry.listed}
        self.place = {key: place for place, key in enumerate(self.kept)}
        self.lines: dict[int, str] = {}  # the words of an entry, each of its texts in a line
        self.titles: dict[int, set[str]] = {}
        self.having: dict[str, set[int]] = defaultdict(set)  # the entries that hold a word
        self.under: dict[tuple[str, str], set[int]] = defaultdict(set)
        self.values: dict[str, set[str]] = defaultdict(set)
        for key in self.listed:
            self._take(key, self.kept[key])
        self.words = sorted(self.having)

    def _take(self, key: int, entry: Entry) -> None:
        texts = [words_of(text) for text in (entry.title, *entry.texts)]
        self.lines[key] = "\n".join(map(_line, texts))
        self.titles[key] = set(texts[0])
        for word in {word for text in texts for word in text}:
            self.having[word].add(key)
        for name, value in entry.terms:
            self.under[name, value].add(key)
            self.values[name].add(value)

    def matching(self, clauses: Sequence[Clause]) -> set[int]:
        found = set(self.listed)
        for clause in clauses:
            told = self._node(clause.node)
            if told is not None:
                found = found - told if clause.negative else found & told
        return found

    def _node(self, node: Node) -> set[int] | None:
        """None where a node asks for nothing."""
        match node:
            case Word(text, prefix):
                words = words_of(text)
                return self._begun(words) if prefix and words else self._phrase(words)
            case Phrase(text):
                return self._phrase(words_of(text))
            case Term():
                return self._term(node)
            case Everything():
                return self.listed
            case Group(clauses):
                asked = any(self._node(clause.node) is not None for clause in clauses)
                return self.matching(clauses) if asked else None

    def _phrase(self, words: Sequence[str]) -> set[int] | None:
        if not words:
            return None
        found = set.intersection(*(self.having.get(word, set()) for word in words))
        if len(words) == 1:
            return found
        phrase = _line(words)
        return {key for key in found if phrase in self.lines[key]}

    def _begun(self, words: Sequence[str]) -> set[int]:
        """The words before the last stand side by side; what begins with the last stands anywhere."""
        start = bisect_left(self.words, words[-1])
        begun = takewhile(lambda word: word.startswith(words[-1]), islice(self.words, start, None))
        before = self._phrase(words[:-1])
        found = set().union(*(self.having[word] for word in begun))
        return found if before is None else found & before

    def _term(self, term: Term) -> set[int]:
        if term.is_any:
            values: Collection[str] = self.values.get(term.field, ())
        elif term.field in self.layout.broad:
            goes_on = f"{term.value} "
            known = self.values.get(term.field, ())
            values = [one for one in known if one == term.value or one.startswith(goes_on)]
        else:
            values = (term.value,)
        return set().union(*(self.under.get((term.field, one), set()) for one in values))

    def number(self, key: int, order: str) -> int:
        """An entry without the number comes where one with the least comes."""
        if order == SHUFFLED:
            return key
        entry = self.kept[key]
        return entry.updated if order == UPDATED else entry.orders.get(order, 0)

    def relevance(self, key: int, words: Collection[str]) -> int:
        return len(self.titles[key].intersection(words))


@dataclass(frozen=True, slots=True)
class ReferenceReader:
    state: State

    def search(
        self, clauses: Sequence[Clause], *, start: int, rows: int, order: str | None = None
    ) -> Hits:
        state, found = self.state, self.state.matching(clauses)
        asked = {
            word
            for clause in clauses
            if isinstance(clause.node, Word | Phrase) and not clause.negative
            for word in words_of(clause.node.text)
        }

        def rank(key: int) -> tuple[int, int]:
            weight = state.number(key, order) if order else state.relevance(key, asked)
            return -weight, state.place[key]

        page = sorted(found, key=rank)[start : start + rows] if rows else ()
        return Hits(len(found), tuple(state.kept[key].record for key in page))

    def facet(self, clauses: Sequence[Clause], field: str, *, size: int) -> Facet:
        counts = self._counted(self.state.matching(clauses), field)
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return Facet(tuple(ordered[:size]), complete=len(ordered) <= size)

    def vocabulary(self, field: str) -> Sequence[tuple[str, int]]:
        return sorted(self._counted(self.state.listed, field).items())

    def _counted(self, keys: Iterable[int], field: str) -> Counter[str]:
        kept = self.state.kept
        return Counter(
            value
            for key in keys
            for value in {value for name, value in kept[key].terms if name == field}
        )

    def get(self, name: str) -> bytes | None:
        kept = self.state.kept
        if key_of(name) in kept:
            return kept[key_of(name)].record
        return next((one.record for one in kept.values() if name in one.aliases), None)

    def stats(self) -> Stats:
        return Stats(entries=len(self.state.kept), segments=1)


@dataclass
class Reference:
    """What stands for the folder of an index: the last commit, and who writes."""

    layout: Layout
    committed: State | None = None
    writing: weakref.ref[ReferenceWriter] | None = field(default=None)

    def reader(self) -> ReferenceReader:
        if self.committed is None:
            raise IndexFault("There is no index.")
        return ReferenceReader(self.committed)

    def writer(self) -> ReferenceWriter:
        if self.writing is not None and self.writing() is not None:
            raise Busy("Another process writes to this index.")
        if self.committed is None:
            self.committed = State(self.layout, {})
        made = ReferenceWriter(self, self.committed.kept)
        self.writing = weakref.ref(made)
        return made


class ReferenceMaker:
    def documents(self, entries: Sequence[Entry]) -> list[Document]:
        return [
            Document(key_of(one.id), one.signature, one.updated, pickle.dumps(one))
            for one in entries
        ]


class ReferenceWriter:
    def __init__(self, home: Reference, kept: Mapping[int, Entry]) -> None:
        self._home = home
        self._committed = dict(kept)
        self._kept = dict(kept)

    def held(self, keys: Collection[int]) -> Mapping[int, Held]:
        found = {key: self._kept[key] for key in keys if key in self._kept}
        return {key: Held(entry.signature, entry.updated) for key, entry in found.items()}

    def members(self, batch: str) -> Collection[int]:
        return {key for key, entry in self._committed.items() if entry.batch == batch}

    def learn(self, kind: str, records: Sequence[bytes]) -> None:
        """Nothing is packed here."""

    def maker(self) -> ReferenceMaker:
        return ReferenceMaker()

    def put(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self.delete(document.key)
            self._kept[document.key] = pickle.loads(document.body)

    def upsert(self, *entries: Entry) -> None:
        self.put(self.maker().documents(entries))

    def delete(self, key: int) -> None:
        self._kept.pop(key, None)

    def commit(self) -> None:
        self._committed = dict(self._kept)
        self._home.committed = State(self._home.layout, self._committed)

    def close(self) -> None:
        self._home.writing = None
