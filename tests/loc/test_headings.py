"""Headings as filters: the parts as the index spells them."""

from __future__ import annotations

import pytest

from heritage_loc.headings import Fragment, fragments
from heritage_loc.query import Facet


@pytest.mark.parametrize(
    ("heading", "parts"),
    [
        ("Cats", ["cats"]),
        ("Aerial photography--Washington (D.C.)", ["aerial photography", "washington (d.c.)"]),
        ("Redwood Falls (Minn.)--Newspapers", ["redwood falls (minn.)", "newspapers"]),
        ("United States -- Texas -- Houston", ["united states", "texas", "houston"]),
        ("Bible.--Revelation.", ["bible", "revelation"]),
        ("Vespucci, Amerigo,--Voyages", ["vespucci, amerigo", "voyages"]),
        ("Rome--History--To 100 B.C.", ["rome", "history", "to 100 b.c."]),
        ("Early works to 1800", ["early works to 1800"]),
        ("Cats--Cats--", ["cats"]),
        ("--", []),
        ("", []),
    ],
)
def test_a_heading_falls_into_lower_case_parts(heading: str, parts: list[str]) -> None:
    assert [part.value for part in fragments(heading)] == parts


def test_years_at_the_end_of_a_part_are_not_in_the_index() -> None:
    (war,) = fragments("World War, 1939-1945")
    assert war == Fragment("world war, 1939-1945", "world war")
    assert not war.is_only_years
    (conquest, years) = fragments("Conquest, 1519-1540--1950-1960.")
    assert conquest.undated == "conquest"
    assert years.value == "1950-1960"
    assert years.is_only_years


def test_a_part_is_a_subject_first_and_a_place_at_need() -> None:
    (part,) = fragments("Houston")
    assert part.subject == Facet("subject", "houston")
    assert part.location == Facet("location", "houston")


def test_no_part_can_hold_a_filter_of_its_own() -> None:
    (part,) = fragments("cats|location:ohio")
    assert "|" not in part.subject.sent
