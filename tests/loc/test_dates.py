"""A date is published as exact as the record is, and never more."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_loc.dates import Moment, moment, moments, told


@pytest.mark.parametrize(
    ("filed", "words", "published"),
    [
        (["1925-01-01"], ["1925."], "1925"),
        (["1925-01-01T00:00:00Z"], [], "1925"),
        (["1888-01-01"], ["1888.", "New York : Doe & Roe, 1888."], "1888"),
        (["1849-01-23"], ["1849"], "1849"),
        (["1954-01-01"], ["1954 Sept. 30."], "1954-09-30"),
        (["1934"], ["1934 May 8."], "1934-05-08"),
        (["1507"], ["1507", "[Saint-Dié, 29 Aug 1507]"], "1507"),
        (["1507-01-01"], ["[Saint-Dié, 29 Aug 1507]"], "1507"),
        (["1939-04-09"], ["19390409", "Houston, Texas, April 9, 1939"], "1939-04-09"),
        (["1886-06"], ["Doe Map Company, Jun 1886"], "1886-06"),
        (["1886-06-01"], ["Jun 1886"], "1886-06"),
        (["1920-01-01"], ["ca. 1920-ca. 1950."], "ca. 1920-ca. 1950"),
        (["1934"], ["1934", "1934-ca. 1950."], "1934-ca. 1950"),
        (["1861-01-01"], ["between 1861 and 1865"], "between 1861 and 1865"),
        (["1769"], ["[1769?]"], "1769"),
        (["1994-08-08"], ["[1994-08-08]"], "1994-08-08"),
        (["1994-08-08"], [], "1994-08-08"),
        (["1920-01-01"], ["New York : Mayer, 1920"], "1920"),
        (["1800-01-01"], ["18??"], None),
        (["1900-01-01"], ["19uu"], None),
        (["uuuu"], [], None),
        (["9999"], [], None),
        ([], [], None),
        ([], ["1914-1918"], "1914-1918"),
        ([], ["May 8, 1934"], "1934-05-08"),
        (["[2020 TO 2022]", "2020"], [], "2020"),
        (["1906-02-31"], [], None),
    ],
)
def test_the_date_of_a_record(filed: list[str], words: list[str], published: str | None) -> None:
    assert told(filed, words) == published


def test_moments_of_a_text_are_as_exact_as_it_names_them() -> None:
    found = set(moments("Begun 3 May 1901; Jun 1902, 1903-04-05, and 1904"))
    assert {Moment(1901, 5, 3), Moment(1902, 6), Moment(1903, 4, 5), Moment(1904)} <= found


def test_a_long_text_takes_no_longer_than_it_is() -> None:
    long = ["1" * 50_000 + "x", "[ " * 50_000 + "x", "1900-" * 20_000 + "x", "may " * 20_000]
    assert told(["1" * 50_000], long) is None


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=3))
def test_nothing_fails_on_any_text(filed: str, words: list[str]) -> None:
    told([filed], words)


@given(st.dates(date(1000, 1, 1), date(2100, 1, 1)), st.integers(1, 3))
def test_words_are_never_outdone(day: date, precision: int) -> None:
    words = str(day)[: (4, 7, 10)[precision - 1]]
    found = told([str(day)], [words])
    assert found is not None
    assert words.startswith(found)
    assert moment(words) is not None
