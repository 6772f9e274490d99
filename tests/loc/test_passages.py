"""Passages of a page's text: whole words, old spellings, and places that are right."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_loc.passages import find, fold, wanted


def places(text: str, *words: str) -> list[str]:
    return [text[start:end] for found in find(text, words) for start, end in found.matches]


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("The Fire burned.", "fire", ["Fire"]),
        ("fireman, firefly, bonfire", "fire", []),
        ("FIRE! fire? (Fire)", "fire", ["FIRE", "fire", "Fire"]),
        ("ſenſible men", "sensible", ["ſenſible"]),
        ("Café, cafe\u0301", "cafe", ["Café", "cafe\u0301"]),
        ("cafe", "café", ["cafe"]),
        ("Łódź", "lodz", ["Łódź"]),
        ("an earth-\nquake came", "earthquake", ["earth-\nquake"]),
        ("an earth~ \n  quake came", "earthquake", ["earth~ \n  quake"]),
        ("an earth—\nquake came", "earthquake", ["earth—\nquake"]),
        ("a well-\nknown man", "known", ["known"]),
        ("a well-known man", "well-known", ["well-known"]),
        ("Miss Clara\nBow, actress", "clara bow", ["Clara\nBow"]),
        ("clara bowman", "clara bow", []),
        ("O'Brien", "o'brien", ["O'Brien"]),
        ("שלום וועלט", "שלום", ["שלום"]),
    ],
)
def test_a_word_is_found_where_it_stands(text: str, word: str, found: list[str]) -> None:
    assert places(text, word) == found


def test_words_as_typed_stand_for_themselves_and_phrases_stay_together() -> None:
    assert wanted('fire "clara bow" -- fire "unclosed one') == ("fire", "clara bow", "unclosed one")


def test_passages_that_meet_are_one() -> None:
    text = "a " * 20 + "fire " + "b " * 10 + "fire " + "c " * 500 + "fire"
    found = find(text, ["fire"], around=40)
    assert [len(passage.matches) for passage in found] == [2, 1]


def test_a_passage_is_cut_between_words() -> None:
    text = "abcdefghij " * 20 + "fire" + " abcdefghij" * 20
    (found,) = find(text, ["fire"], around=25)
    assert found.text == "abcdefghij abcdefghij fire abcdefghij abcdefghij"


def test_nothing_is_found_for_nothing() -> None:
    assert find("text", []) == ()
    assert find("text", ["--", ""]) == ()
    assert find("", ["text"]) == ()


def test_folding_is_for_any_script() -> None:
    assert fold("ÆØŒſß") == "aeooesss"


@given(
    st.text(alphabet="ab -\n~ſé.", max_size=80),
    st.lists(st.sampled_from(["a", "ab", "b", "a b", "bb"]), min_size=1, max_size=3),
    st.integers(0, 12),
)
def test_places_are_places_in_the_text(text: str, words: list[str], around: int) -> None:
    found = find(text, words, around=around)
    ends = [0]
    for passage in found:
        assert passage.text == text[passage.start : passage.end]
        assert ends[-1] <= passage.start
        ends.append(passage.end)
        for start, end in passage.matches:
            assert passage.start <= start < end <= passage.end


@pytest.mark.parametrize("text", ["a-\n", "a " * 3, "-\n\n\n ", "fire ", "é\u0301"])
def test_time_grows_with_the_text_alone(text: str) -> None:
    def spent(copies: int) -> float:
        start = time.process_time()
        find(text * copies, ["fire", "a a a"], around=100)
        return time.process_time() - start

    assert spent(20_000) < 20 * spent(2_000) + 1
