"""Dates: as each style prints them, never more exact than the record."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citation.made_works import BOOK
from heritage_gateway.citation.dates import dating, read


@pytest.mark.parametrize(
    ("words", "chicago", "mla", "apa"),
    [
        ("1894-06-07", "June 7, 1894", "7 June 1894", "1894, June 7"),
        ("1886-06", "June 1886", "June 1886", "1886, June"),
        ("22 Apr 1958", "April 22, 1958", "22 Apr. 1958", "1958, April 22"),
        ("1954 Sept. 30", "September 30, 1954", "30 Sept. 1954", "1954, September 30"),
        ("May 21, 1939", "May 21, 1939", "21 May 1939", "1939, May 21"),
        ("19370303", "March 3, 1937", "3 Mar. 1937", "1937, March 3"),
        ("2019:08:02 13:40:00.24", "August 2, 2019", "2 Aug. 2019", "2019, August 2"),
        ("1838", "1838", "1838", "1838"),
        ("C1911", "1911", "1911", "1911"),
        ("1927-1929", "1927–1929", "1927–1929", "1927–1929"),
        ("1875-79", "1875–1879", "1875–1879", "1875–1879"),
        ("c. 1880", "ca. 1880", "circa 1880", "ca. 1880"),
        ("Circa 1933", "ca. 1933", "circa 1933", "ca. 1933"),
        ("ca. 1939-1945", "ca. 1939–1945", "circa 1939–1945", "ca. 1939–1945"),
        ("[1769?]", "[1769?]", "[1769?]", "[1769?]"),
        ("[185-?]", "[185-?]", "[185-?]", "[185-?]"),
        ("185u", "1850s", "1850s", "1850s"),
        ("between 1936 and 1938", *["between 1936 and 1938"] * 3),
        ("19th century", *["19th century"] * 3),
        ("8000 BC-1600 AD", *["8000 BC-1600 AD"] * 3),
        ("(c. 1897-1907)/(cast 1955-1965)", *["(c. 1897-1907)/(cast 1955-1965)"] * 3),
        ("02/07/2005", *["02/07/2005"] * 3),  # which is the month cannot be told
        ("06/06/2005", "June 6, 2005", "6 June 2005", "2005, June 6"),
        ("1900-12", "December 1900", "Dec. 1900", "1900, December"),
        ("", "", "", "n.d."),
        ("n.d.", "", "", "n.d."),
        ("Undated", "", "", "n.d."),
        ("date unknown", "", "", "n.d."),
    ],
)
def test_a_date_is_printed_as_each_style_has_it(
    words: str, chicago: str, mla: str, apa: str
) -> None:
    found = dating(replace(BOOK, date=words))
    assert (found.chicago, found.mla, found.apa) == (chicago, mla, apa)


def test_a_plain_date_stands_in_where_there_are_no_words() -> None:
    assert dating(replace(BOOK, date="", iso="1924-11-20")).chicago == "November 20, 1924"


@given(st.from_regex(r"[0-9a-zA-Z?\[\]() .,/:-]{0,20}", fullmatch=True))
def test_no_year_is_invented(words: str) -> None:
    found = read(words)
    for year in (*found.start[:1], *found.end[:1]):
        digits = f"{year:04}"
        assert digits in words or digits[2:] in words
    assert all(re.fullmatch(r"\d{1,4}", str(part)) for part in found.start)


@given(st.text(max_size=40))
def test_no_words_break_it(words: str) -> None:
    found = dating(replace(BOOK, date=words))
    assert found.apa
    assert "None" not in found.apa or "None" in words
