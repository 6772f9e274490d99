"""The quick vocabulary against a slow one that asks every term, on terms as odd as they come."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.text import inline
from heritage_smithsonian import vocabulary as room
from heritage_smithsonian.vocabulary import (
    LONGEST_PART,
    MOST_NEIGHBOURS,
    MOST_PROBES,
    Neighbour,
    Vocabulary,
    typed_part,
)

# Letters whose folding changes their length stand beside plain ones, and so do all that needs escapes.
_LETTERS = "aAbB ß İ漢é-'.\n\t\"\\*_"
words = st.text(_LETTERS, max_size=9)
vocabularies = st.lists(words, max_size=12, unique=True)


def folded(text: str) -> str:
    return text.casefold().replace("\n", " ")


def holders(terms: list[str], part: str, *, but: str | None = None) -> list[str]:
    return [term for term in terms if folded(part) in folded(term) and term != but]


def allowed_parts(value: str) -> set[str]:
    """From the start of a word to a letter: whole words of two letters, or three letters and more."""
    found: set[str] = set()
    for start, end in combinations(range(len(value) + 1), 2):
        before = value[start - 1] if start else " "
        after = value[end] if end < len(value) else " "
        part = value[start:end]
        begins = not before.isalnum() and part[0].isalnum()
        ends = part[-1].isalnum() and (len(part) > 2 or (len(part) == 2 and not after.isalnum()))
        if begins and ends and len(part) <= LONGEST_PART and can_be_copied(part):
            found.add(part)
    return found


def can_be_copied(part: str) -> bool:
    return inline(part) == part and not set(part) & set('"\\<>[]~')


@given(vocabularies, words)
def test_containing_lists_what_asking_every_term_would(terms: list[str], part: str) -> None:
    assert list(Vocabulary(tuple(terms)).containing(part)) == holders(terms, part)


@given(st.text(_LETTERS, min_size=1, max_size=3))
def test_containing_is_the_same_where_a_part_is_frequent(part: str) -> None:
    terms = [f"{part} {number}" if number % 3 else str(number) for number in range(2000)]
    assert list(Vocabulary(tuple(terms)).containing(part)) == holders(terms, part)


@given(vocabularies, words)
def test_alike_are_the_terms_that_differ_in_letter_case_alone(terms: list[str], value: str) -> None:
    expected = [term for term in terms if folded(term) == folded(value) and term != value]
    assert list(Vocabulary(tuple(terms)).alike(value)) == expected


@given(vocabularies, words)
def test_a_term_is_in_it_by_its_exact_letters(terms: list[str], value: str) -> None:
    assert (value in Vocabulary(tuple(terms))) == (value in terms)


@given(vocabularies, words)
def test_the_tightest_part_is_the_one_that_fewest_other_terms_hold(
    terms: list[str], value: str
) -> None:
    counted = {part: len(holders(terms, part, but=value)) for part in allowed_parts(value)}
    listing = {part: count for part, count in counted.items() if count}
    found = Vocabulary(tuple(terms)).tightest(value)
    if not listing:
        assert found is None
    else:
        assert found is not None
        assert found.count == listing[found.text] == min(listing.values())


@given(st.lists(st.text(max_size=8), max_size=8), st.text(max_size=20))
def test_no_text_at_all_puts_it_out_of_step(terms: list[str], value: str) -> None:
    vocabulary = Vocabulary(tuple(terms))
    assert list(vocabulary.containing(value)) == holders(terms, value)
    found = vocabulary.tightest(value)
    if found is not None:
        assert found.count == len(holders(terms, found.text, but=value))
        assert can_be_copied(found.text)


@pytest.mark.parametrize(
    ("terms", "part", "listed"),
    [
        (("Straße", "Strasse", "x"), "STRASSE", ("Straße", "Strasse")),
        (("İstanbul", "Izmir", "Bursa"), "bursa", ("Bursa",)),
        (("ΣΑΣ", "σας", "b"), "σασ", ("ΣΑΣ", "σας")),
        (("ﬁeld ﬂora", "next"), "field flora", ("ﬁeld ﬂora",)),
        (("one\ntwo", "three"), "one two", ("one\ntwo",)),
        (("one", "two"), "one\ntwo", ()),
        (('Early Iron Age, "Tomb Age"',), '"tomb', ('Early Iron Age, "Tomb Age"',)),
        (("Argentina \\ Chile", "*"), "\\", ("Argentina \\ Chile",)),
        (("", "a"), "a", ("a",)),
        (("漢字", "漢"), "字", ("漢字",)),
        ((), "a", ()),
    ],
)
def test_odd_terms_are_found_where_they_are(
    terms: tuple[str, ...], part: str, listed: tuple[str, ...]
) -> None:
    assert Vocabulary(terms).containing(part) == listed


def test_a_longer_part_names_the_neighbours_and_never_the_value_itself() -> None:
    aircraft = ("Bell UH-1B", "Bell UH-1H", "Bell UH-1M", *(f"Bell {n}" for n in range(200)))
    assert Vocabulary(aircraft).tightest("Bell UH-1H") == Neighbour("Bell UH-1", 2)
    assert Vocabulary(("Bell UH-1H",)).tightest("Bell UH-1H") is None


def test_a_value_with_a_line_end_is_not_found_across_two_terms() -> None:
    assert Vocabulary(("early", "late")).tightest("early\nlate") == Neighbour("early", 1)
    assert Vocabulary(("early", "late")).alike("early\nlate") == ()


def test_a_part_that_stands_in_too_many_terms_is_known_to_be_crowded() -> None:
    exactly = tuple(f"Art of {number}" for number in range(MOST_NEIGHBOURS))
    fits = Vocabulary(exactly).tightest("Artx")
    assert fits == Neighbour("Art", MOST_NEIGHBOURS)
    assert not fits.is_crowded
    more = Vocabulary((*exactly, "Art, and one more", "Art again")).tightest("Artx")
    assert more is not None
    assert more.is_crowded


@dataclass
class Counter:
    """How often a vocabulary was looked through."""

    looks: int = 0
    lengths: list[int] = field(default_factory=list[int])


@pytest.mark.parametrize(
    "value", ["word " * 400, "w" * 2000, "x-" * 1000, "ab cd" * 400, "n 1 " * 9]
)
def test_a_long_value_costs_no_more_than_the_probes_allowed(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = Counter()
    real = Vocabulary._others

    def counted(self: Vocabulary, part: str, value: str, most: int) -> int:
        counter.looks += 1
        counter.lengths.append(len(part))
        return real(self, part, value, most)

    monkeypatch.setattr(room.Vocabulary, "_others", counted)
    Vocabulary(tuple(f"word {n} ab cdw" for n in range(50))).tightest(value)
    assert counter.looks <= MOST_PROBES
    assert max(counter.lengths, default=0) <= LONGEST_PART


@given(st.text(max_size=200))
def test_what_is_put_into_a_call_can_be_copied_and_stands_in_the_value(value: str) -> None:
    part = typed_part(value)
    assert part in value
    assert can_be_copied(part)
    assert len(part) <= LONGEST_PART


def test_what_is_put_into_a_call_is_the_whole_value_where_it_can_be() -> None:
    assert typed_part("Warhol, Andy (1928-1987)") == "Warhol, Andy (1928-1987"
    assert typed_part("Quilts") == "Quilts"
    assert typed_part('Early Iron Age, "Tomb Age"') == "Early Iron Age"
    assert typed_part("*") == ""


def test_the_commonest_terms_come_first_and_ties_in_index_order() -> None:
    counted = Vocabulary(("a", "b", "c", "d"), (2, 5, 2, 9))
    assert counted.commonest(3) == (("d", 9), ("b", 5), ("a", 2))
    assert counted.commonest(9) == (("d", 9), ("b", 5), ("a", 2), ("c", 2))
    assert list(counted.by_count(counted.terms)) == ["d", "b", "a", "c"]
    assert list(counted.by_count(("a", "c", "d"))) == ["d", "a", "c"]
