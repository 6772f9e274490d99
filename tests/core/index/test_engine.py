"""What every search engine has to answer alike; a further engine is added to `ENGINES` below."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.index.engines import Engine, asked, facet, filled, found, total, without
from core.index.engines import engine as made
from heritage_gateway.index import (
    SHUFFLED,
    UPDATED,
    Busy,
    Clause,
    Entry,
    Everything,
    Facet,
    Group,
    Held,
    IndexFault,
    Layout,
    Node,
    Phrase,
    Reader,
    Term,
    Word,
    key_of,
)

ENGINES = ("embedded", "reference")
LAYOUT = Layout(
    "things",
    1,
    facets=("topic", "unit"),
    terms=("species", "maker"),
    broad=frozenset({"species"}),
    orders=("when", "size"),
)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    return made(request.param, LAYOUT, tmp_path / "index")


@pytest.fixture(scope="module", params=ENGINES)
def museum(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return filled(made(request.param, LAYOUT, tmp_path_factory.mktemp("index")), HELICOPTERS)


@pytest.fixture(scope="module", params=ENGINES)
def letters(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """In three parts."""
    folder = tmp_path_factory.mktemp("index")
    return filled(made(request.param, LAYOUT, folder), LETTERS, commits=3)


def thing(name: str, title: str = "", *texts: str, **more: str | int) -> Entry:
    """An entry whose record is its name; what more is said are terms and numbers."""
    terms = [(field, value) for field, value in more.items() if isinstance(value, str)]
    orders = {field: value for field, value in more.items() if isinstance(value, int)}
    return Entry(name, name.encode(), title, texts, terms, orders)


def tagged(name: str, *terms: tuple[str, str]) -> Entry:
    return Entry(name, name.encode(), f"thing {name}", terms=terms)


def star(field: str) -> Term:
    """Any term of a field at all."""
    return Term(field, "*", literal=True)


def group(*nodes: Node | Clause) -> Clause:
    return without(Group(tuple(asked(*nodes))))


# -- words -----------------------------------------------------------------------------------------

HELICOPTERS = (
    thing("huey", "Bell UH-1H Iroquois", "A helicopter of 1965, No. 65-10126."),
    thing("hare", "1H, UH", "Two letters that stand the other way round"),
    thing("quilt", "Log Cabin Quilt", "Silk and cotton. The quilter is unknown."),
    thing("quilts", "Two quilts", "Wool"),
    thing("lodz", "Widok Łodzi", "Ślad, Łódź; Straße in Köln, Ærø, Œuvre, Ðorđe, þorn"),
    thing("greek", "ΟΔΟΣ ΑΘΗΝΩΝ", "Москва и Ёлка; 漢字"),
)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("quilt", {"quilt"}),
        ("QUILT", {"quilt"}),
        ("Quilts", {"quilts"}),
        ("uh-1h", {"huey"}),
        ("UH-1H", {"huey"}),
        ("uh", {"huey", "hare"}),
        ("65-10126", {"huey"}),
        ("10126-65", set()),
        ("uh-1", set()),
        ("lodzi", {"lodz"}),
        ("łodzi", {"lodz"}),
        ("ŁÓDŹ", {"lodz"}),
        ("lodz", {"lodz"}),
        ("strasse", {"lodz"}),
        ("STRASSE", {"lodz"}),
        ("Straße", {"lodz"}),
        ("koln", {"lodz"}),
        ("Ko\u0308ln", {"lodz"}),
        ("aero", {"lodz"}),
        ("ærø", {"lodz"}),
        ("ÆRØ", {"lodz"}),
        ("oeuvre", {"lodz"}),
        ("dorde", {"lodz"}),
        ("ĐORÐE", {"lodz"}),
        ("thorn", {"lodz"}),
        ("ÞORN", {"lodz"}),
        ("οδός", {"greek"}),
        ("Αθηνών", {"greek"}),
        ("МОСКВА", {"greek"}),
        ("елка", {"greek"}),
        ("漢字", {"greek"}),
        ("absent", set()),
    ],
)
def test_words_are_found_whole_whatever_their_case_and_accents(
    museum: Reader, typed: str, names: set[str]
) -> None:
    assert found(museum, Word(typed)) == names


def test_every_word_is_required_in_whatever_text_it_stands(museum: Reader) -> None:
    assert found(museum, Word("cabin"), Word("cotton")) == {"quilt"}
    assert found(museum, Word("cabin"), Word("wool")) == set()


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("log cabin", {"quilt"}),
        ("Log, CABIN!", {"quilt"}),
        ("cabin log", set()),
        ("silk cotton", set()),
        ("silk and cotton", {"quilt"}),
        ("cabin quilt silk", set()),
        ("quilt silk", set()),
        ("bell uh", {"huey"}),
        ("uh-1h iroquois", {"huey"}),
        ("łodź straße", {"lodz"}),
        ("1965 no 65", {"huey"}),
        ("quilt", {"quilt"}),
    ],
)
def test_a_phrase_stands_as_it_is_and_never_spans_two_texts(
    museum: Reader, typed: str, names: set[str]
) -> None:
    assert found(museum, Phrase(typed)) == names


def test_a_sign_within_a_text_parts_words_and_no_text(engine: Engine) -> None:
    reader = filled(engine, [thing("one", "before\0after", "né\0e\nlast", "first\x1fthen")])
    for phrase in ("before after", "ne e last", "first then"):
        assert found(reader, Phrase(phrase)) == {"one"}
    assert found(reader, Phrase("after ne")) == set()


def test_texts_without_words_and_equal_texts_change_nothing(engine: Engine) -> None:
    reader = filled(engine, [thing("one", "", "", "…", "same", "same", "-"), thing("two", "other")])
    assert found(reader, Phrase("same")) == {"one"}
    assert found(reader, Phrase("same same")) == set()


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("quil", {"quilt", "quilts"}),
        ("quilt", {"quilt", "quilts"}),
        ("Quilte", {"quilt"}),
        ("str", {"lodz"}),
        ("Straß", {"lodz"}),
        ("æ", {"lodz"}),
        ("łód", {"lodz"}),
        ("Моск", {"greek"}),
        ("漢", {"greek"}),
        ("uh-1", {"huey", "hare"}),
        ("bell uh-1", {"huey"}),
        ("uh-1h-iro", {"huey"}),
        ("1h-uh-iro", set()),
        ("zz", set()),
    ],
)
def test_a_star_stands_for_any_end_of_the_last_word(
    museum: Reader, typed: str, names: set[str]
) -> None:
    """What comes before the last word is a phrase; where the last one stands does not count."""
    assert found(museum, Word(typed, prefix=True)) == names


@pytest.mark.parametrize("typed", ["&", "", " ", "-", "…", "ﾞ"])
def test_a_node_without_a_word_asks_for_nothing(museum: Reader, typed: str) -> None:
    for node in (Word(typed), Word(typed, prefix=True), Phrase(typed)):
        assert found(museum, node, Word("quilt")) == {"quilt"}
        assert found(museum, without(node), Word("quilt")) == {"quilt"}
        assert found(museum, group(node), Word("quilt")) == {"quilt"}
        assert found(museum, group(node, group(node)), Word("quilt")) == {"quilt"}
        assert found(museum, group(node, Word("silk")), Word("cotton")) == set()


@pytest.mark.parametrize("length", [300, 1_100, 20_000])
@pytest.mark.parametrize("letter", ["q", "ж"])
def test_a_word_may_be_long(engine: Engine, length: int, letter: str) -> None:
    long = letter * length
    reader = filled(engine, [thing("long", long), thing("short", letter)])
    assert found(reader, Word(long)) == {"long"}
    assert found(reader, Word(long[:-1])) == set()
    assert found(reader, Word(long[:-1], prefix=True)) == {"long"}
    assert found(reader, Word(long + letter, prefix=True)) == set()
    assert found(reader, Word(f"{long} {long[:-1]}", prefix=True)) == {"long"}


# -- what is excluded ------------------------------------------------------------------------------

LETTERS = tuple(thing(name, " ".join(name)) for name in ("a", "ab", "abc", "b", "bc", "c"))


@pytest.mark.parametrize(
    ("nodes", "names"),
    [
        ((without(Word("a")),), {"b", "bc", "c"}),
        ((Word("b"), without(Word("a"))), {"b", "bc"}),
        ((without(Word("a")), Word("b")), {"b", "bc"}),
        ((without(Word("a")), without(Word("b"))), {"c"}),
        ((without(Phrase("a b")),), {"a", "b", "bc", "c"}),
        ((without(Everything()),), set()),
        ((group(Word("a"), Word("b")),), {"a", "b", "bc", "c"}),
        ((Word("c"), group(Word("a"), Word("b"))), {"bc", "c"}),
        ((group(without(Word("a"))),), {"a", "ab", "abc"}),
        ((group(Word("b"), without(Word("a"))),), {"a", "ab", "abc", "c"}),
        ((group(Word("b"), group(Word("a"), Word("c"))),), {"a", "abc", "c"}),
        ((group(group(Word("a"), Word("b"))),), {"ab", "abc"}),
        ((group(group(group(Word("a"), Word("b")))),), {"a", "b", "bc", "c"}),
        ((group(without(Word("a")), without(Word("b"))),), {"a", "ab", "abc", "b", "bc"}),
        ((Everything(), without(Word("zz"))), {"a", "ab", "abc", "b", "bc", "c"}),
        ((group(Everything(), without(Word("a"))),), {"a", "ab", "abc"}),
    ],
)
def test_what_is_excluded_is_everything_else(
    letters: Reader, nodes: Sequence[Node | Clause], names: set[str]
) -> None:
    assert found(letters, *nodes) == names


def test_no_clause_and_the_bare_star_find_everything(letters: Reader) -> None:
    assert found(letters) == found(letters, Everything()) == {entry.id for entry in LETTERS}
    assert found(letters, Everything(), Word("c")) == found(letters, Word("c"))


def test_an_empty_index_answers(engine: Engine) -> None:
    reader = filled(engine, ())
    assert found(reader) == found(reader, Word("a")) == found(reader, without(Word("a"))) == set()
    assert reader.vocabulary("topic") == []
    assert facet(reader, "topic") == facet(reader, "species") == Facet((), complete=True)
    assert reader.get("a") is None
    assert reader.stats().entries == 0


# -- exact terms -----------------------------------------------------------------------------------

ODD = (
    *("Quilts", "quilts", "Quilt", "QUILTS", "Quilts--History", "Quilts, American"),
    *(
        "",
        '"',
        '\\"',
        "a\\b",
        "a\\\\b",
        "'",
        "`",
        "{}",
        "[x]",
        "(x)",
        "x|y",
        "x+",
        "x?",
        "^x$",
        ".*",
    ),
    *("*", "**", "?", "~", "^", "&", "#", "@", "%", "<x>", "</x>", "$1", "\\d", "\\", "/", ":"),
    *(" x", "x ", " x ", "  ", "x  y", "x y", "x\ty", "x\ny", "x\r\ny", "x\x1fy", "x\0y", "\x85"),
    *("Salix × fragilis", "“x”", "’", "…", "—", "¿", "é", "e\u0301", "ﬁ", "fi", "İ", "ı"),
    *("漢字", "漢", "Ελλάδα", "عربى", "हिन्दी", "😀", "😀 x", "👩\u200d🚀", "\ufeffx", "\U0010ffff"),
    *("x" * 200, "x" * 1_001, "é" * 2_000, "y" * 30_000, "AND", "topic:x", "0", "-1", "true"),
)


@pytest.mark.parametrize("field", ["topic", "maker", "species", "elsewhere"])
def test_an_exact_term_is_itself_to_the_last_sign(engine: Engine, field: str) -> None:
    reader = filled(engine, [tagged(str(n), (field, value)) for n, value in enumerate(ODD)])
    for number, value in enumerate(ODD):
        goes_on = {
            str(n)
            for n, other in enumerate(ODD)
            if field == "species" and other.startswith(f"{value} ")
        }
        assert found(reader, Term(field, value)) == {str(number)} | goes_on
    assert found(reader, Term(field, "Quil")) == set()
    assert found(reader, Term(field, "x" * 100)) == set()
    assert found(reader, star(field)) == {str(n) for n in range(len(ODD))}
    if field != "elsewhere":
        assert reader.vocabulary(field) == sorted((value, 1) for value in ODD)
        assert dict(facet(reader, field).counts) == dict.fromkeys(ODD, 1)


def test_a_term_belongs_to_its_field(engine: Engine) -> None:
    reader = filled(
        engine,
        [
            tagged("one", ("topic", "x"), ("unit", "y"), ("colour", "red"), ("col", "our")),
            tagged("two", ("topic", "y"), ("colours", "red"), ("co-l.our", "*")),
        ],
    )
    assert found(reader, Term("topic", "x")) == {"one"}
    assert found(reader, Term("unit", "x")) == set()
    assert found(reader, Term("colour", "red")) == {"one"}
    assert found(reader, Term("colours", "red")) == {"two"}
    assert found(reader, Term("co-l.our", "*")) == {"two"}
    assert found(reader, star("co-l.our")) == {"two"}
    assert found(reader, star("co-lxour")) == found(reader, star("colou")) == set()
    assert found(reader, star("col")) == {"one"}
    assert found(reader, star("unheard of")) == found(reader, Term("unheard of", "x")) == set()


def test_terms_are_no_words_and_words_no_terms(engine: Engine) -> None:
    reader = filled(engine, [thing("one", "Quilts", topic="Cotton")])
    assert found(reader, Word("cotton")) == set()
    assert found(reader, Term("topic", "Quilts")) == set()


def test_any_term_is_one_that_an_entry_has(engine: Engine) -> None:
    entries = [tagged("star", ("topic", "*")), tagged("none"), tagged("one", ("topic", "x"))]
    reader = filled(engine, entries, commits=2)
    assert found(reader, star("topic")) == {"star", "one"}
    assert found(reader, without(star("topic"))) == {"none"}
    assert found(reader, Term("topic", "*")) == {"star"}
    assert found(reader, Term("topic", "x", literal=True)) == {"one"}
    assert found(reader, star("topic"), without(Term("topic", "*"))) == {"one"}
    assert found(reader, star("species")) == found(reader, star("unit")) == set()


def test_a_broad_term_stands_for_those_that_go_on_after_a_blank(engine: Engine) -> None:
    names = ("Canis", "Canis lupus", "Canis lupus familiaris", "Canisius", "Canis-x", "canis x")
    reader = filled(engine, [tagged(name, ("species", name), ("topic", name)) for name in names])
    assert found(reader, Term("species", "Canis")) == set(names[:3])
    assert found(reader, Term("species", "Canis lupus")) == set(names[1:3])
    assert found(reader, Term("species", "Canis ")) == set()
    assert found(reader, Term("species", "Can")) == found(reader, Term("species", "lupus")) == set()
    assert found(reader, without(Term("species", "Canis"))) == set(names[3:])
    assert found(reader, Term("topic", "Canis")) == {"Canis"}


def test_an_entry_with_two_terms_of_a_field_is_under_both_and_counted_once_each(
    engine: Engine,
) -> None:
    entry = tagged("one", ("topic", "x"), ("topic", "y"), ("topic", "x"))
    reader = filled(engine, [entry])
    assert found(reader, Term("topic", "x"), Term("topic", "y")) == {"one"}
    assert facet(reader, "topic").counts == (("x", 1), ("y", 1))
    assert reader.vocabulary("topic") == [("x", 1), ("y", 1)]


# -- what is not listed ----------------------------------------------------------------------------


def test_what_is_not_listed_is_had_by_its_names_alone(engine: Engine) -> None:
    terms = [(field, "x") for field in ("topic", "species", "elsewhere")]
    shown = Entry("shown", b"shown", "word", ["more"], terms, {"when": 1})
    hidden = Entry(
        "hidden", b"hidden", "word", ["more"], terms, {"when": 9}, aliases=["h"], listed=False
    )
    reader = filled(engine, [shown, hidden])
    questions: list[tuple[Node | Clause, ...]] = [
        *((), (Everything(),), (Word("word"),), (Phrase("more"),), (Word("mor", prefix=True),)),
        *((without(Word("absent")),), (group(Word("absent")),)),
        *((Term(*term),) for term in terms),
        *((star(field),) for field, _ in terms),
        (Term("topic", "x"), without(Word("absent"))),
    ]
    for question in questions:
        assert found(reader, *question) == {"shown"}
        assert facet(reader, "topic", *question).counts == (("x", 1),)
        assert facet(reader, "species", *question).counts == (("x", 1),)
    assert reader.search((), start=0, rows=5, order="when").records == (b"shown",)
    assert reader.vocabulary("topic") == reader.vocabulary("species") == [("x", 1)]
    assert reader.get("hidden") == reader.get("h") == b"hidden"
    assert reader.stats().entries == 2


def test_an_entry_may_become_listed_and_cease_to_be(engine: Engine) -> None:
    filled(engine, [Entry("one", b"1", "word", listed=False), Entry("two", b"2", "word")])
    reader = filled(engine, [Entry("one", b"1", "word"), Entry("two", b"2", "word", listed=False)])
    assert found(reader, Word("word")) == {"1"}
    assert reader.get("two") == b"2"


# -- totals, order, pages --------------------------------------------------------------------------


def test_totals_are_true_without_rows_and_beyond_the_end(engine: Engine) -> None:
    reader = filled(engine, [thing(str(n), "same") for n in range(37)], commits=4)
    for start, rows, there in ((0, 0, 0), (5, 0, 0), (30, 20, 7), (36, 1, 1), (37, 5, 0)):
        hits = reader.search(asked(Word("same")), start=start, rows=rows)
        assert (hits.total, len(hits.records)) == (37, there)
    assert reader.search((), start=10**6, rows=1_000).total == 37
    assert reader.search((), start=10**6, rows=0, order="when").total == 37


LARGE = 2**63 - 1


def test_an_order_is_by_number_the_largest_first(engine: Engine) -> None:
    numbers = {"c": 5, "a": LARGE, "z": 0, "b": LARGE - 1, "d": 1, "e": 4}
    entries = [
        thing(name, "same " * number.bit_length(), when=number) for name, number in numbers.items()
    ]
    reader = filled(engine, entries, commits=3)
    hits = reader.search(asked(Everything()), start=0, rows=10, order="when")
    assert b"".join(hits.records) == b"abcedz"
    hits = reader.search(asked(Word("same")), start=1, rows=2, order="when")
    assert b"".join(hits.records) == b"bc"


def test_an_entry_without_the_number_comes_with_the_least(engine: Engine) -> None:
    entries = [thing("lacks", "same"), thing("one", "same", when=1), thing("two", "same", when=2)]
    hits = filled(engine, entries).search((), start=0, rows=10, order="when")
    assert (hits.total, hits.records) == (3, (b"two", b"one", b"lacks"))


def test_every_index_has_the_order_of_the_update_and_one_without_meaning(engine: Engine) -> None:
    entries = [Entry(str(n), str(n).encode(), "same", updated=n * 7 % 50) for n in range(50)]
    reader = filled(engine, entries, commits=3)
    by_update = sorted(range(50), key=lambda n: -(n * 7 % 50))
    by_key = sorted(range(50), key=lambda n: -key_of(str(n)))
    for order, numbers in ((UPDATED, by_update), (SHUFFLED, by_key)):
        hits = reader.search((), start=0, rows=50, order=order)
        assert [int(record) for record in hits.records] == numbers


def test_what_bears_the_words_in_its_title_comes_first(engine: Engine) -> None:
    filler = "cotton wool silk linen velvet satin " * 5
    entries = [
        *(thing(f"text {n}", "Something", f"A quilt of {filler}") for n in range(20)),
        thing("title", "Quilt", filler),
        *(thing(f"more {n}", "Other", f"{filler} quilt") for n in range(20)),
    ]
    reader = filled(engine, entries, commits=4)
    for nodes in ([Word("quilt")], [Word("quilt"), Word("cotton")], [Phrase("quilt")]):
        hits = reader.search(asked(*nodes), start=0, rows=1)
        assert (hits.total, hits.records) == (41, (b"title",))


def _pages(ask: Callable[[int, int], Sequence[bytes]], rows: int, total: int) -> list[bytes]:
    return [record for start in range(0, total + rows, rows) for record in ask(start, rows)]


CROWD = 240


def _crowd(ties: int) -> Iterator[Entry]:
    """Entries of which many are equal in everything that could rank or order them."""
    draw = random.Random(ties)
    for number in range(CROWD):
        drawn = number % ties
        title = " ".join(["quilt"] * (drawn % 3) + ["cotton"] * (drawn % 2))
        texts = [" ".join(draw.choices(("quilt", "silk", "wool"), k=4))] if ties > 7 else ["silk"]
        yield thing(f"{number}", title, *texts, when=drawn, topic=str(drawn % 4))


@pytest.mark.parametrize("ties", [1, 2, 7, 50])
def test_pages_of_any_size_give_each_hit_once_and_in_one_order(engine: Engine, ties: int) -> None:
    """Ties, deletions and several parts of an index included."""
    filled(engine, _crowd(ties), commits=5)
    writer = engine.writer()
    for number in (*range(0, CROWD, 3), *range(100, 140)):
        writer.delete(key_of(str(number)))
    writer.commit()
    for number in range(0, CROWD, 9):
        writer.upsert(thing(str(number), "quilt", "silk", when=1))
    writer.commit()
    writer.close()
    reader = engine.reader()
    questions: list[tuple[Node | Clause, ...]] = [
        *((), (Word("quilt"),), (Word("silk"),), (Word("quilt"), Word("cotton")), (star("topic"),)),
        *((Word("quil", prefix=True),), (without(Word("cotton")),), (Phrase("silk"),)),
    ]
    for question in questions:
        for order in (None, "when", SHUFFLED):

            def ask(start: int, rows: int) -> Sequence[bytes]:
                clauses = asked(*question)  # noqa: B023 - asked before the next question
                return reader.search(clauses, start=start, rows=rows, order=order).records  # noqa: B023

            whole = ask(0, 1_000)
            assert len(whole) == len(set(whole)) == total(reader, *question)
            for rows in (1, 7, 20, 100):
                assert _pages(ask, rows, len(whole)) == list(whole), (question, order, rows)


# -- counts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["topic", "species"])
def test_a_facet_counts_exactly_and_says_whether_that_is_all(engine: Engine, field: str) -> None:
    draw = random.Random(5)
    entries, counts = [], Counter[str]()
    for number in range(600):
        drawn = {f"t{int(draw.paretovariate(0.6)) % 90:02}" for _ in range(3)}
        word = "even" if number % 2 == 0 else "odd"
        entries.append(Entry(str(number), b"", word, terms=[(field, one) for one in drawn]))
        counts.update(drawn if word == "even" else ())
    reader = filled(engine, entries, commits=6)
    expected = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    for size in (1, 2, 3, 10, len(expected) - 1, len(expected), len(expected) + 1, 1_000, 70_000):
        answer = facet(reader, field, Word("even"), size=size)
        assert answer == Facet(tuple(expected[:size]), complete=size >= len(expected))
    assert facet(reader, field, Word("absent")) == Facet((), complete=True)


@pytest.mark.parametrize("field", ["topic", "species"])
def test_a_facet_is_exact_above_65000_terms(engine: Engine, field: str) -> None:
    number_of_terms, each = 66_000, 20
    writer = engine.writer()
    for number in range(number_of_terms // each):
        terms = [(field, f"t{number * each + n:05}") for n in range(each)]
        terms += [(field, "often"), (field, f"m{number % 7}")]
        writer.upsert(Entry(str(number), b"", f"word w{number % 2}", terms=terms))
        if number % 1_100 == 0:
            writer.commit()
    writer.commit()
    writer.close()
    reader = engine.reader()
    every = Counter({"often": 3_300} | {f"m{n}": 472 if n < 3 else 471 for n in range(7)})
    for size in (1, 5, 8):
        answer = facet(reader, field, Word("word"), size=size)
        assert answer.counts == tuple(sorted(every.items(), key=lambda p: (-p[1], p[0]))[:size])
        assert not answer.complete
    assert not facet(reader, field, size=66_007).complete
    whole = facet(reader, field, size=66_008)
    assert (len(whole.counts), whole.complete) == (66_008, True)
    half = facet(reader, field, Word("w0"), size=66_008)
    assert (len(half.counts), half.complete) == (33_008, True)
    assert half.counts[0] == ("often", 1_650)
    assert len(reader.vocabulary(field)) == 66_008


def test_the_vocabulary_comes_in_index_order_with_counts_that_forget_the_deleted(
    engine: Engine,
) -> None:
    values = ("b", "a", "B", "é", "z", "😀", "\uffee", "a b", "a-b")
    entries = [
        tagged(f"{value}{n}", ("topic", value), ("species", value))
        for n in range(4)
        for value in values[n:]
    ]
    filled(engine, entries, commits=3)
    writer = engine.writer()
    writer.delete(key_of("b0"))  # the only one
    writer.delete(key_of("z1"))
    writer.upsert(tagged("a0", ("topic", "z"), ("species", "new")))
    writer.commit()
    writer.close()
    reader = engine.reader()
    counts = Counter(v for n in range(4) for v in values[n:]) - Counter({"b": 1, "a": 1, "z": 1})
    assert reader.vocabulary("species") == sorted((counts + Counter({"new": 1})).items())
    assert reader.vocabulary("topic") == sorted((counts + Counter({"z": 1})).items())
    assert dict(facet(reader, "topic").counts) == dict(reader.vocabulary("topic"))
    assert dict(facet(reader, "species").counts) == dict(reader.vocabulary("species"))
    assert reader.vocabulary("maker") == []


# -- records ---------------------------------------------------------------------------------------


def test_a_record_is_had_by_its_id_and_its_aliases(engine: Engine) -> None:
    entries = [
        Entry("edanmdm:x_1", b"one", aliases=["row-1", "ark:/1"]),
        Entry("edanmdm:x_2", b"two", aliases=["row-2", "edanmdm:x_1"]),
        Entry("Ünï\udc80", b"three"),
    ]
    reader = filled(engine, entries, commits=2)
    names = (
        "edanmdm:x_1",
        "row-1",
        "ark:/1",
        "edanmdm:x_2",
        "row-2",
        "Ünï\udc80",
        "EDANMDM:X_1",
        "",
    )
    answers = [reader.get(name) for name in names]
    assert answers == [b"one", b"one", b"one", b"two", b"two", b"three", None, None]


def _records() -> list[bytes]:
    draw = random.Random(1)
    alike = [f'{{"id": {n}, "title": "A record of {n % 17} words"}}'.encode() for n in range(300)]
    sizes = (1, 100, 5_000, 300_000)
    return [b"", b"\0", b"\xff\xfe", *alike, *(draw.randbytes(size) for size in sizes)]


@pytest.mark.parametrize("learnt", [0, 50, 300])
def test_records_come_back_byte_for_byte(engine: Engine, learnt: int) -> None:
    records = _records()
    writer = engine.writer()
    writer.learn("a kind", records[3 : 3 + learnt])
    for number, record in enumerate(records):
        kind = ("a kind", "another", "")[number % 3]
        writer.upsert(Entry(str(number), record, "same", kind=kind))
        if number == 100:
            writer.commit()
            writer.learn("a kind", records[:200])  # too late, and does nothing
    writer.commit()
    writer.close()
    reader = engine.reader()
    assert [reader.get(str(number)) for number in range(len(records))] == records
    hits = reader.search((), start=0, rows=1_000)
    assert sorted(hits.records) == sorted(records)


@pytest.mark.parametrize("records", [[], [b""] * 300, [b"same"] * 300, [b"%d" % 7] * 5_000])
def test_records_from_which_nothing_is_learnt_are_kept_all_the_same(
    engine: Engine, records: Sequence[bytes]
) -> None:
    writer = engine.writer()
    writer.learn("a kind", records)
    writer.upsert(Entry("one", b"a record", kind="a kind"))
    writer.commit()
    writer.close()
    assert engine.reader().get("one") == b"a record"


# -- writing ---------------------------------------------------------------------------------------


def test_nothing_is_seen_before_the_commit_and_a_reader_stays_as_it_was(engine: Engine) -> None:
    filled(engine, [thing("old", "word", topic="x"), thing("gone", "word", topic="y")])
    before = engine.reader()
    writer = engine.writer()
    writer.upsert(thing("new", "word", topic="x"))
    writer.upsert(thing("old", "other", topic="z"))
    writer.delete(key_of("gone"))
    assert found(engine.reader(), Word("word")) == {"old", "gone"}
    assert engine.reader().get("new") is None
    writer.commit()
    after = engine.reader()
    for _ in range(3):  # parts are joined and old files removed meanwhile
        writer.upsert(thing("later", "word"))
        writer.commit()
    writer.close()
    assert found(before, Word("word")) == {"old", "gone"}
    assert before.vocabulary("topic") == [("x", 1), ("y", 1)]
    assert (before.get("gone"), before.get("new"), before.stats().entries) == (b"gone", None, 2)
    assert found(after, Word("word")) == {"new"}
    assert after.vocabulary("topic") == [("x", 1), ("z", 1)]
    assert found(engine.reader(), Word("word")) == {"new", "later"}


def test_what_is_written_again_replaces_what_was(engine: Engine) -> None:
    writer = engine.writer()
    for number in range(5):
        writer.upsert(Entry("one", b"%d" % number, f"word w{number}", aliases=[f"a{number}"]))
        if number % 2:
            writer.commit()
    writer.commit()
    writer.close()
    reader = engine.reader()
    assert total(reader) == total(reader, Word("word")) == reader.stats().entries == 1
    assert found(reader, Word("w4")) == {"4"}
    assert found(reader, Word("w3")) == set()
    assert [reader.get(name) for name in ("one", "a4", "a3")] == [b"4", b"4", None]


def test_what_is_deleted_is_gone_and_may_come_again(engine: Engine) -> None:
    filled(engine, [thing("one", "word"), thing("two", "word")])
    writer = engine.writer()
    writer.delete(key_of("one"))
    writer.delete(key_of("never there"))
    writer.upsert(thing("three", "word"))
    writer.delete(key_of("three"))
    writer.delete(key_of("two"))
    writer.upsert(thing("two", "word again"))
    writer.commit()
    writer.close()
    reader = engine.reader()
    assert found(reader) == found(reader, Word("word")) == found(reader, Word("again")) == {"two"}
    assert reader.get("one") is None
    assert reader.stats().entries == 1


def test_held_knows_what_was_written_and_not_yet_committed(engine: Engine) -> None:
    def entry(name: str, signature: int, updated: int) -> Entry:
        return Entry(name, b"", signature=signature, updated=updated)

    filled(engine, [entry("kept", LARGE, 2), entry("gone", 3, 4), entry("plain", 0, 0)])
    writer = engine.writer()
    keys = {name: key_of(name) for name in ("kept", "gone", "plain", "new", "back", "never")}
    assert writer.held(keys.values()) == {
        keys["kept"]: Held(LARGE, 2),
        keys["gone"]: Held(3, 4),
        keys["plain"]: Held(0, 0),
    }
    writer.upsert(entry("new", 5, 6))
    writer.upsert(entry("kept", 7, 8))
    writer.delete(keys["gone"])
    writer.upsert(entry("back", 1, 1))
    writer.delete(keys["back"])
    writer.upsert(entry("back", 9, 9))
    expected = {
        keys["kept"]: Held(7, 8),
        keys["plain"]: Held(0, 0),
        keys["new"]: Held(5, 6),
        keys["back"]: Held(9, 9),
    }
    assert writer.held(keys.values()) == expected
    writer.commit()
    assert writer.held(keys.values()) == expected
    assert writer.held([]) == writer.held([keys["never"]]) == {}
    writer.close()


def test_members_are_those_that_came_in_a_batch_as_of_the_last_commit(engine: Engine) -> None:
    def entry(name: str, batch: str, *, listed: bool = True) -> Entry:
        return Entry(name, b"", batch=batch, listed=listed)

    many = [entry(f"m{n}", "many") for n in range(300)]
    filled(
        engine, [entry("one", "a/1"), entry("two", "a/1", listed=False), entry("x", "A/1"), *many]
    )
    writer = engine.writer()
    assert set(writer.members("a/1")) == {key_of("one"), key_of("two")}
    assert set(writer.members("many")) == {key_of(one.id) for one in many}
    assert set(writer.members("a")) == set()
    writer.upsert(entry("one", "b/1"))
    writer.upsert(entry("three", "a/1"))
    writer.delete(key_of("two"))
    assert set(writer.members("a/1")) == {key_of("one"), key_of("two")}
    writer.commit()
    assert set(writer.members("a/1")) == {key_of("three")}
    assert set(writer.members("b/1")) == {key_of("one")}
    writer.close()


def test_many_changes_in_many_commits_leave_what_was_meant(engine: Engine) -> None:
    draw, kept = random.Random(3), dict[str, int]()
    writer = engine.writer()
    for step in range(600):
        name = str(draw.randrange(120))
        if draw.random() < 0.3:
            writer.delete(key_of(name))
            kept.pop(name, None)
        else:
            terms = [("topic", f"t{step % 5}"), ("species", f"s{step % 5} x")]
            writer.upsert(
                Entry(name, name.encode(), f"word w{step % 5}", terms=terms, updated=step)
            )
            kept[name] = step
        if draw.random() < 0.03:
            writer.commit()
        if draw.random() < 0.01:
            held = writer.held([key_of(str(n)) for n in range(120)])
            assert held == {key_of(name): Held(0, step) for name, step in kept.items()}
    writer.commit()
    writer.close()
    reader = engine.reader()
    counts = Counter(step % 5 for step in kept.values())
    assert found(reader) == set(kept)
    assert reader.stats().entries == len(kept)
    for rest in range(5):
        names = {name for name, step in kept.items() if step % 5 == rest}
        assert found(reader, Word(f"w{rest}")) == found(reader, Term("topic", f"t{rest}")) == names
        assert found(reader, Term("species", f"s{rest}")) == names
    assert reader.vocabulary("topic") == [(f"t{n}", counts[n]) for n in sorted(counts)]


# -- one writer, and what it leaves ----------------------------------------------------------------


def test_a_second_writer_is_told_that_another_is_at_work(engine: Engine) -> None:
    writer = engine.writer()
    with pytest.raises(Busy):
        engine.writer()
    writer.upsert(thing("one", "word"))
    writer.commit()
    writer.close()
    engine.writer().close()
    assert found(engine.reader()) == {"one"}


def test_what_a_closed_writer_did_not_commit_is_lost(engine: Engine) -> None:
    filled(engine, [thing("one", "word")])
    writer = engine.writer()
    writer.upsert(thing("two", "word"))
    writer.delete(key_of("one"))
    writer.close()
    assert found(engine.reader()) == {"one"}


def test_after_a_lost_writer_the_index_is_at_its_last_commit(engine: Engine) -> None:
    writer = engine.writer()
    writer.upsert(thing("one", "word"))
    writer.commit()
    for number in range(2_000):
        writer.upsert(thing(f"lost {number}", "word"))
    writer.delete(key_of("one"))
    del writer
    again = engine.writer()
    assert again.held([key_of("one"), key_of("lost 1")]).keys() == {key_of("one")}
    assert found(engine.reader()) == {"one"}
    again.upsert(thing("two", "word"))
    again.commit()
    again.close()
    assert found(engine.reader()) == {"one", "two"}


def test_where_no_index_is_there_is_nothing_to_read(engine: Engine) -> None:
    with pytest.raises(IndexFault):
        engine.reader()


# -- at once ---------------------------------------------------------------------------------------


def test_several_threads_read_at_once_while_one_writes(engine: Engine) -> None:
    reader = filled(engine, _crowd(50), commits=4)
    questions: list[tuple[Node | Clause, ...]] = [
        *((Word("quilt"),), (Word("si", prefix=True),), (Phrase("quilt silk"),)),
        *((Term("topic", "1"),), (without(Word("wool")), star("topic"))),
    ]

    def answers(_: int) -> list[object]:
        return [
            (
                reader.search(asked(*question), start=3, rows=30),
                facet(reader, "topic", *question),
                reader.get(str(n)),
                reader.vocabulary("topic"),
            )
            for n, question in enumerate(questions)
        ]

    alone = answers(0)
    writer = engine.writer()
    with ThreadPoolExecutor(8) as threads:
        at_work = threads.map(answers, range(40))
        for number in range(200):
            writer.delete(key_of(str(number)))
            if number % 50 == 0:
                writer.commit()
        assert all(answer == alone for answer in at_work)
    writer.close()


def test_a_reader_is_a_reader(engine: Engine) -> None:
    """The protocol, as the type checker sees it, is all that callers know."""
    reader: Reader = filled(engine, LETTERS)
    assert reader.stats().entries == len(LETTERS)
    assert reader.stats().segments >= 1
