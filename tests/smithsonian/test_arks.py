"""The link that a citation prints leads back to the record it was printed for."""

from __future__ import annotations

import pytest

from heritage_gateway.errors import InvalidRequest
from heritage_smithsonian.works import ark_of, named

ARK = "ark:/65665/nv938196f32-a24c-4396-b441-2f691f9c5248"


@pytest.mark.parametrize(
    "link", [f"https://n2t.net/{ARK}", f"http://n2t.net/{ARK}/", ARK, f"HTTPS://N2T.NET/{ARK}."]
)
def test_an_ark_is_the_same_by_whatever_resolver(link: str) -> None:
    assert ark_of(link) == "65665/nv938196f32-a24c-4396-b441-2f691f9c5248"


def test_what_is_no_ark_is_none() -> None:
    assert ark_of("https://airandspace.si.edu/collection/id/nasm_A19050001000") == ""


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("https://www.si.edu/object/lockheed-vega%3Anasm_A19670093000", "nasm_A19670093000"),
        ("https://www.si.edu/object/lockheed-vega:nasm_A19670093000", "nasm_A19670093000"),
        ("https://www.si.edu/object/edanmdm:nasm_A19670093000", "edanmdm:nasm_A19670093000"),
    ],
)
def test_a_link_with_words_of_the_title_names_its_record(link: str, name: str) -> None:
    assert named(link) == name


def test_a_link_without_an_id_names_none() -> None:
    with pytest.raises(InvalidRequest):
        named("https://www.si.edu/object/lockheed-vega")
