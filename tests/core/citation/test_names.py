"""Names taken apart: whole given names, no life dates, and what cannot be told stays whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.capability import Creator
from heritage_gateway.citation.names import Name, credited, read


def name(words: str, role: str = "") -> Name:
    found = read(Creator(words, role))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "inverted", "initials"),
    [
        ("Lomax, John A. (John Avery), 1867-1948", "Lomax, John Avery", "Lomax, J. A."),
        ("William Bache, 22 Dec 1771 - 9 Jul 1845", "Bache, William", "Bache, W."),
        ("William Page, Jan 1811 - 30 Sep 1885", "Page, William", "Page, W."),
        ("Barton, Clara, 1821-1912.", "Barton, Clara", "Barton, C."),
        ("Pforr, Anton von.", "Pforr, Anton von", "Pforr, A. von"),
        ("Kirkland, Geo. W. (George W.)", "Kirkland, George W.", "Kirkland, G. W."),
        ("Ridgway, Robert 1850-1929", "Ridgway, Robert", "Ridgway, R."),
        ("King, Martin Luther, Jr., 1929-1968", "King, Martin Luther, Jr.", "King, M. L., Jr."),
        ("William Garl Browne Jr., 10 Oct 1822 - 1894", "Browne, William Garl, Jr.", None),
        ("Theodor de Bry, German, born Liege, Flanders 1528", "de Bry, Theodor", None),
        ("Antoine-Louis Barye, French, b. Paris, 1795–1875", None, "Barye, A.-L."),
        ("J. Louis Schaefer (John Louis Schaefer), Non-Indian", "Schaefer, John Louis", None),
        ("George W. Felt (G. W. Felt), Non-Indian, 1839-1893", "Felt, George W.", None),
        ("Frederic Edwin Church, born Hartford, CT 1826", "Church, Frederic Edwin", None),
        ("Sir William Boxall, 1800 - 1879", "Boxall, William", None),
        ("Gipson, John R., Mrs.", "Gipson, Mrs. John R.", "Gipson, Mrs. J. R."),
        ('Platt, Mose "Clear Rock"', "Platt, Mose", None),
    ],
)
def test_a_person_is_family_name_and_given_names_in_full(
    words: str, inverted: str | None, initials: str | None
) -> None:
    found = name(words)
    assert found.family
    assert inverted in (None, found.inverted)
    assert initials in (None, found.initials)


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("Katsushika Hokusai 葛飾北斎 (1760-1849)", "Katsushika Hokusai"),
        ("葛飾北斎", "葛飾北斎"),
        ("Giovanni, da Capua, active 13th century.", "Giovanni da Capua"),
        ("Otto von Passau, active 1386.", "Otto von Passau"),
        ("Adams-Farwell Company (Dubuque, Iowa)", "Adams-Farwell Company"),
        ("Vic Firth Company, American, founded 1963", "Vic Firth Company"),
        ("Wright Brothers, Dayton, Ohio", "Wright Brothers"),
        ("Rutan Aircraft Factory, Inc.", "Rutan Aircraft Factory, Inc."),
        ("Currier and Ives, 1857-1907", "Currier and Ives"),
        ("Childs & Inman Lithography Company, active c. 1831 - 1833", None),
        ("United States. Bureau of Engraving", "United States. Bureau of Engraving"),
        ("Archive of American Folk Song.", "Archive of American Folk Song."),
        ("W. J., n.d.", "W. J."),
        ("(1)", "(1)"),
    ],
)
def test_a_body_and_a_name_of_one_part_stay_whole(words: str, printed: str | None) -> None:
    found = name(words)
    assert found.literal == found.inverted == found.plain == found.initials
    assert found.literal == (printed or "Childs & Inman Lithography Company")


@pytest.mark.parametrize(
    "words", ["Unidentified (American)", "ANONYMOUS", "Unknown", "unknown maker", "", " , "]
)
def test_nobody_is_no_name(words: str) -> None:
    assert read(Creator(words)) is None


def test_helpers_are_told_from_makers_and_nobody_is_named_twice() -> None:
    found = credited(
        (
            Creator("Polo, Marco, 1254-1323?", "author"),
            Creator("Polo, Marco", "scribe"),
            Creator("Hartlieb, Johann, active 1450", "translator"),
            Creator("Dearborn, Walter F.", "editor"),
        )
    )
    assert [one.plain for one in found.makers] == ["Marco Polo"]
    assert [one.plain for one in found.translators] == ["Johann Hartlieb"]
    assert [one.plain for one in found.editors] == ["Walter F. Dearborn"]


@given(words=st.text(max_size=60), role=st.text(max_size=8), is_body=st.booleans())
def test_no_name_breaks_it(words: str, role: str, is_body: bool) -> None:
    found = read(Creator(words, role, is_body=is_body))
    if found is not None:
        assert found.inverted
        assert found.plain
        assert found.initials


PARTS = st.sampled_from(
    [
        "Lomax",
        "John A.",
        "Jr.",
        "1867-1948",
        "American",
        "(John Avery)",
        "von",
        "Company",
        "and",
        "b.",
    ]
)


@given(st.lists(PARTS, max_size=6), st.sampled_from([", ", " "]))
def test_no_order_of_the_parts_of_names_breaks_it(parts: list[str], between: str) -> None:
    found = read(Creator(between.join(parts)))
    assert found is None or found.inverted


@pytest.mark.parametrize(
    ("given", "inverted", "plain"),
    [
        (
            "Ernesto de la Cárcova, Argentine, born Buenos Aires 1867",
            "de la Cárcova, Ernesto",
            "Ernesto de la Cárcova",
        ),
        (
            "Jean-Pierre Dantan, The Younger, French, 1800-1869",
            "Dantan, Jean-Pierre, the Younger",
            "Jean-Pierre Dantan the Younger",
        ),
        ("Continental, Inc.", "Continental, Inc.", "Continental, Inc."),
        ("Mandeville, John, Sir.", "Mandeville, Sir John", "Sir John Mandeville"),
        ("Nuremberg (Germany).", "Nuremberg", "Nuremberg"),
        ("Accursius, glossator", "Accursius", "Accursius"),
        ("Robinson, Boardman, 1876-1952", "Robinson, Boardman", "Boardman Robinson"),
    ],
)
def test_what_stands_beside_a_name_is_no_given_name(given: str, inverted: str, plain: str) -> None:
    name = read(Creator(given))
    assert name is not None
    assert (name.inverted, name.plain) == (inverted, plain)


def test_a_second_maker_behind_the_years_of_the_first_is_named_too() -> None:
    made = Creator("Mike E. Kirk, Non-Indian, 1890-1942 and Kirk Brothers", "Artist/Maker")
    assert [name.plain for name in credited([made]).makers] == ["Mike E. Kirk", "Kirk Brothers"]
