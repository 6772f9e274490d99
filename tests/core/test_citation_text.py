"""What a citation says of what it cites, however it is written; and nothing written can break the reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.federation.citation_text import read, unwrapped, words_of
from heritage_gateway.federation.likeness import alike, day_of, same_date, same_title, years

CHICAGO = (
    "Doe, Jane, photographer. A view of the harbour. 1936. Photograph. https://x.gov/item/12/."
)


@pytest.mark.parametrize(
    ("said", "title", "dated"),
    [
        (CHICAGO, "A view of the harbour", "1936"),
        (
            "Doe, J. (1936) A view of the harbour [Photograph]. Retrieved from X, https://x.gov/1",
            "A view of the harbour",
            "1936",
        ),
        ("Doe, Jane. “A View of 1776.” 1936. Accessed 2 May 2024.", "A View of 1776", "1936"),
        ("*The Evening News*, Nov. 20, 1924, p. 6", "The Evening News", "Nov. 20, 1924"),
        ("@misc{x, title = {Harbour, a view}, year = {ca. 1936}}", "Harbour, a view", "ca. 1936"),
        ("TY  - GEN\nTI  - Harbour view\nPY  - 1936", "Harbour view", "1936"),
        ("A view of the harbour, 1930s", "A view of the harbour", "1930s"),
        ("A view of the harbour", "A view of the harbour", ""),
        ("", "", ""),
    ],
)
def test_title_and_dates_are_found_in_every_style(said: str, title: str, dated: str) -> None:
    found = read(said)
    assert (found.title, found.dated) == (title, dated)


def test_links_end_before_the_punctuation_of_the_sentence() -> None:
    assert read("(see https://x.gov/item/1/).").links == ("https://x.gov/item/1/",)
    assert read("at x.gov/item/1, and www.y.org.").links == ("x.gov/item/1", "www.y.org")
    assert read("https://x.org/a_(b)").links == ("https://x.org/a_(b)",)


def test_ids_hold_a_digit_and_are_no_dates_and_no_words_of_the_title() -> None:
    assert read("A harbour (abc_A19670093000), 1936-05-01").ids == ("abc_A19670093000",)
    assert read("“Piper PA-12 in flight,” 1946").ids == ()


def test_names_in_reverse_are_names() -> None:
    assert read(CHICAGO).names == ("Doe",)
    assert read("A view of the harbour").names == ()


@given(st.text(max_size=3_000))
def test_whatever_is_written_is_read(said: str) -> None:
    found = read(said)
    assert len(found.links) <= 8
    assert len(found.title) <= 400
    words_of(found.title)
    list(years(said))
    day_of(said)
    assert same_date(said, said) in {True, None}
    assert 0 <= alike(said, found.title) <= 1


@pytest.mark.parametrize(
    "sign", ['"', "“", "*", "_", "(", "[", ".", "A, ", "1", "http://", "x.gov/"]
)
def test_a_long_row_of_one_sign_takes_no_time(sign: str) -> None:
    read(sign * 100_000)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The Harbour", "[Harbour]", True),
        ("Harbour at night", "Harbour at night: a view / Jane Doe", True),
        ("Harbour at nite, seen from the hill", "Harbour at night, seen from the hill", True),
        ("Café de la Paix", "CAFE DE LA PAIX", True),
        ("Harbour", "Harbour: a view", False),
        ("Minutes of session 40 of the house", "Minutes of session 41 of the house", False),
        ("The history of the States", "The history of the States of the Union", False),
        ("", "", False),
        ("...", "!!!", False),
    ],
)
def test_titles_are_the_same_by_their_words(one: str, other: str, same: object) -> None:
    assert same_title(one, other) is same
    assert same_title(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1936", "1936", True),
        ("1936", "1930s", True),
        ("1936", "1935-1942", True),
        ("1940", "1935-42", True),
        ("1936", "ca. 1934", True),
        ("1936", "between 1930 and 1940", True),
        ("1890", "late 19th century", True),
        ("20 November 1924", "1924-11-20", True),
        ("Nov. 1924", "November 20, 1924", True),
        ("20 November 1924", "1924-11-21", False),
        ("1936", "1937", False),
        ("1936", "1920s", False),
        ("undated", "1937", None),
        ("", "", None),
    ],
)
def test_dates_agree_as_far_as_they_are_known(one: str, other: str, same: object) -> None:
    assert same_date(one, other) is same
    assert same_date(other, one) is same


# -- entries for reference managers ----------------------------------------------------------------

BIBTEX = """@misc{ab_1,
  author = {Lange, Dorothea and {Some Office}},
  title = {{Harbour, \\& a {\\textbraceleft}view}},
  year = {1936},
  month = mar,
  number = {LOT 12-3},
  url = {https://x.example/1},
  urldate = {2026-03-01},
}"""
RIS = "TY  - NEWS\nAU  - Lange, Dorothea\nTI  - The Evening News, page 6\nT2  - The Evening News\nDA  - 1924/11/20\nSP  - 6\nY2  - 2026/03/01\nER  - "
CSL = (
    '{"id": "ab_1", "title": "Harbour view", "author": [{"family": "Lange"}, {"literal": "Office"}],'
    ' "issued": {"date-parts": [[1936, 3]]}, "accessed": {"date-parts": [[2026, 3, 1]]}}'
)


@pytest.mark.parametrize(
    ("said", "title", "names", "years_told"),
    [
        (BIBTEX, "Harbour, & a view", ("Lange", "Some Office"), [(1936, 1936)]),
        (RIS, "The Evening News, page 6", ("Lange",), [(1924, 1924)]),
        (CSL, "Harbour view", ("Lange", "Office"), [(1936, 1936)]),
        (f"[{CSL}]", "Harbour view", ("Lange", "Office"), [(1936, 1936)]),
    ],
)
def test_an_entry_is_read_by_its_fields_and_the_day_of_access_is_not_its_date(
    said: str, title: str, names: tuple[str, ...], years_told: list[tuple[int, int]]
) -> None:
    found = read(said)
    assert (found.title, found.names, found.is_sure) == (title, names, True)
    assert [*years(found.dated)] == years_told


@pytest.mark.parametrize(
    "said", ["{", "[]", '{"title": ', "@misc{x,", "@misc{x, title = {", "TY  - ", '[{"id": []}]']
)
def test_a_broken_entry_breaks_nothing(said: str) -> None:
    assert read(said).links == ()


@pytest.mark.parametrize(
    "said", ["(ab_1).", "[ab_1]", "‘ab_1’", "“ab_1”,", "lccn:ab_1", "<ab_1>", " ab_1; "]
)
def test_one_word_is_freed_of_what_stands_around_it(said: str) -> None:
    assert unwrapped(said) == "ab_1"


def test_accents_in_two_characters_part_no_word() -> None:
    assert words_of("Jednos\u0301c\u0301 Polek") == "Jedność Polek"


def test_a_quotation_within_a_title_is_not_the_title() -> None:
    assert read("*His father is a “renter” here*. 1921.").title.startswith("His father")


def test_a_number_of_a_museum_is_no_date_and_words_of_a_date_are_no_number() -> None:
    assert read("*Drum*. Museum, 2011.0004.0089.").numbers[0] == "2011.0004.0089"
    assert read("*Drum*. Mid-19th century. 1880-1890.").numbers == ()


def test_a_serial_goes_on_and_a_date_is_the_same_as_itself() -> None:
    assert same_date("1900", "1873-current") is True
    assert same_date("n April 21-April 27, 1968", "n April 21-April 27, 1968") is True
    assert same_title("Image 4 of The Evening News (Town)", "The Evening News (Town)")


def test_a_day_of_access_with_a_short_month_is_no_date_of_the_work() -> None:
    assert read("*Drum*. 1900. Museum, 4386. Accessed 1 Mar. 2026.").dated == "1900"
    assert read("*Drum*. Museum, 4386. Accessed 1 Mar. 2026.").numbers == ("4386",)
