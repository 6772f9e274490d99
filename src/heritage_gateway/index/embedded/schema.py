"""What the index is made of, and what goes wrong in it: shared by the reader and the writer."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import version

import tantivy

from heritage_gateway.index.engine import SHUFFLED, UPDATED, IndexFault, Layout

ENGINE = f"tantivy {'.'.join(version('tantivy').split('.')[:2])}"
ANALYSER = "words"
OTHER = "other_terms"  # terms of fields that the layout does not name: "field\x1fterm"
LISTED = "listed"
INDEX, DICTIONARIES = "index", "dictionaries"  # the folders of the parts


def schema_of(layout: Layout) -> tantivy.Schema:
    build = tantivy.SchemaBuilder()
    build.add_unsigned_field(SHUFFLED, indexed=True, fast=True)
    build.add_unsigned_field("alias", indexed=True)
    build.add_unsigned_field("signature", fast=True)
    build.add_unsigned_field(UPDATED, fast=True)
    build.add_text_field("text", tokenizer_name=ANALYSER, index_option="position")
    build.add_text_field("title", tokenizer_name=ANALYSER, index_option="freq")
    for name in (*layout.terms, OTHER, LISTED, "batch"):
        build.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in layout.facets:
        build.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    for name in layout.orders:
        build.add_unsigned_field(name, fast=True)
    build.add_bytes_field("record", stored=True)
    return build.build()


def analyser() -> tantivy.TextAnalyzer:
    plain = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    return plain.filter(tantivy.Filter.lowercase()).build()


def registered(index: tantivy.Index) -> tantivy.Index:
    """The analyser is not kept with the index, so every opening tells it anew."""
    index.register_tokenizer(ANALYSER, analyser())
    return index


@contextmanager
def faults(verb: str) -> Generator[None]:
    """Over damaged files the engine panics, too, which is no `Exception` and would end the server."""
    try:
        yield
    except IndexFault:
        raise
    except BaseException as error:
        if not isinstance(error, OSError | ValueError) and type(error).__name__ != "PanicException":
            raise
        raise IndexFault(f"The index cannot be {verb}: {_first_line(error)}.") from None


def count_of(found: tantivy.SearchResult) -> int:
    return int(getattr(found, "count", None) or 0)


def _first_line(error: BaseException) -> str:
    """What a library says may go on over many lines; a path in it is the person's own."""
    return str(error).partition("\n")[0].strip().rstrip(".")
