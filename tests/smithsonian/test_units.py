"""Unit codes, the names people use for them, and who really holds an object."""

from __future__ import annotations

import pytest

from heritage_smithsonian.units import NAMES, UNNAMED, holding_museum, museum_name, resolve
from shared import captured_records


def test_a_code_has_a_name_or_is_echoed() -> None:
    assert museum_name("NMAfA") == "National Museum of African Art"
    assert museum_name("FSG").startswith("Freer Gallery")
    for code in (*UNNAMED, "NEWUNIT"):
        assert museum_name(code) == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("freer", "NMAA"),
        ("air and space", "NASM"),
        ("Air & Space Museum", "NASM"),
        ("nasm", "NASM"),
        ("NMAFA", "NMAfA"),
        ("american history", "NMAH"),
        ("american art", "SAAM"),
        ("african art", "NMAfA"),
        ("National Museum of the American Indian", "NMAI"),
        ("portrait gallery", "NPG"),
        ("zoo", "NZP"),
        ("postal", "NPM"),
        ("cooper hewitt", "CHNDM"),
        ("birds", "NMNHBIRDS"),
        ("garden", "HAC"),
        ("FSG", "FSG"),
        ("NASMAC", "NASMAC"),
    ],
)
def test_a_name_finds_its_code(words: str, code: str) -> None:
    assert resolve(words).code == code


def test_only_a_code_as_written_is_exact() -> None:
    assert resolve("NASM").exact
    assert not resolve("nasm").exact


@pytest.mark.parametrize("words", ["natural history", "nmnh", "NMNH"])
def test_natural_history_is_eleven_units_and_stays_open(words: str) -> None:
    match = resolve(words)
    assert match.code is None
    assert len(match.candidates) == 11


@pytest.mark.parametrize("words", ["", " ", "*", "smithsonian", "the museum of", "louvre"])
def test_words_that_tell_nothing_find_nothing(words: str) -> None:
    assert resolve(words).code is None
    assert resolve(words).candidates == ()


@pytest.mark.parametrize("code", sorted(NAMES))
def test_the_whole_name_of_a_unit_finds_it_or_its_successor(code: str) -> None:
    found = resolve(NAMES[code])
    assert found.code is not None
    assert NAMES[found.code] == NAMES[code] or code == "FSG"


@pytest.mark.parametrize(
    ("unit", "source"),
    [
        ("NMNHBIRDS", "NMNH - Vertebrate Zoology - Birds Division"),
        ("FSG", "National Museum of Asian Art"),
        ("NMAA", "Freer Gallery of Art and Arthur M. Sackler Gallery"),
        ("FSA", "Freer Gallery of Art and Arthur M. Sackler Gallery Archives"),
        ("NMAH", "National Museum of American History, Behring Center"),
        ("CHSDM", "Cooper-Hewitt, National Design Museum"),
        ("OFEO-SG", "Smithsonian  Gardens"),
        ("SILNMAHTL", "Smithsonian Libraries"),
        ("ACMA", "Anacostia Community Museum"),
        ("NEWUNIT", "Some Unknown Museum"),
        ("NASM", ""),
    ],
)
def test_another_spelling_of_the_same_museum_is_no_holder(unit: str, source: str) -> None:
    assert holding_museum(unit, source) is None


@pytest.mark.parametrize(
    ("unit", "source", "holder"),
    [
        ("NMAH", "National Air and Space Museum", "National Air and Space Museum"),
        (
            "OCIO_DPO3D",
            "National Museum of American History",
            "National Museum of American History",
        ),
        ("NMAH", "NMNH - Botany Dept.", "National Museum of Natural History, Botany"),
        ("NMAH", "Horniman", "Horniman"),
    ],
)
def test_a_source_that_names_another_unit_is_the_holder(
    unit: str, source: str, holder: str
) -> None:
    assert holding_museum(unit, source) == holder


@pytest.mark.captured
def test_no_captured_record_is_held_elsewhere() -> None:
    for record in captured_records():
        fixed = record["content"].get("descriptiveNonRepeating", {})
        assert holding_museum(record["unitCode"], fixed.get("data_source", "")) is None
