"""Ids as people have them at hand, to the name under which the catalogue keeps a record."""

from __future__ import annotations

import pytest

from heritage_smithsonian.record_id import record_url


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("nasm_A19670093000", "edanmdm:nasm_A19670093000"),
        ("NASM_A19670093000", "edanmdm:nasm_A19670093000"),
        ("nasm_a19670093000", "edanmdm:nasm_A19670093000"),
        ("EDANMDM:NASM_A19670093000", "edanmdm:nasm_A19670093000"),
        ("saam_1979.136.92/", "edanmdm:saam_1979.136.92"),
        ("saam_1979.136.92.", "edanmdm:saam_1979.136.92"),
        ("nmai_76890", "edanmdm:NMAI_76890"),
        ("npg_AD_NPG.74.25", "edanmdm:npg_AD_NPG.74.25"),
        ("SAAM_1970.211A-B", "edanmdm:saam_1970.211A-B"),
        ("EAD_COMPONENT:SOVA-NAA-1997-02-REF5", "ead_component:sova-naa-1997-02-ref5"),
        ("dpo_3d_Rover", "edanmdm:dpo_3d_Rover"),
    ],
)
def test_letter_case_and_a_stop_are_mended_where_the_spelling_is_known(
    given: str, url: str
) -> None:
    assert record_url(given) == url
