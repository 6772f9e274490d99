"""Searching kept records: the query tree, and the seam of the engines. The engine itself is an extra."""

from __future__ import annotations

from heritage_gateway.index.engine import (
    SHUFFLED,
    UPDATED,
    Busy,
    Document,
    Entry,
    Facet,
    Held,
    Hits,
    IndexFault,
    Layout,
    Maker,
    Reader,
    Stats,
    Writer,
    key_of,
    signature_of,
)
from heritage_gateway.index.parser import OR_NOTE, Grammar, parse
from heritage_gateway.index.tree import Clause, Everything, Group, Node, Phrase, Term, Word

__all__ = [
    "OR_NOTE",
    "SHUFFLED",
    "UPDATED",
    "Busy",
    "Clause",
    "Document",
    "Entry",
    "Everything",
    "Facet",
    "Grammar",
    "Group",
    "Held",
    "Hits",
    "IndexFault",
    "Layout",
    "Maker",
    "Node",
    "Phrase",
    "Reader",
    "Stats",
    "Term",
    "Word",
    "Writer",
    "key_of",
    "parse",
    "signature_of",
]
