"""Records as works: only makers are named, dates are the record's words, links are told from ids."""

from __future__ import annotations

from typing import Any

import pytest

from core.citation.made_works import TODAY
from heritage_gateway.capability import Work
from heritage_gateway.citation import PROSE, cite
from heritage_gateway.citation.names import credited
from heritage_gateway.errors import InvalidRequest, Reason
from heritage_smithsonian.rights import of_object
from heritage_smithsonian.works import claim, named, work
from shared import captured_records


def record(**blocks: list[tuple[str, str]]) -> dict[str, Any]:
    freetext = {
        name: [{"label": label, "content": content} for label, content in entries]
        for name, entries in blocks.items()
    }
    fixed = {"title": {"content": "A Thing"}, "record_ID": "nmah_1", "unit_code": "NMAH"}
    return {
        "url": "edanmdm:nmah_1",
        "unitCode": "NMAH",
        "content": {"descriptiveNonRepeating": fixed, "freetext": freetext},
    }


def test_those_who_did_not_make_it_are_not_its_creators() -> None:
    found = work(
        record(
            name=[
                ("Sitter", "John Elder"),
                ("Donor", "A. Donor"),
                ("Artist", "Hiram Powers, born Woodstock, VT 1805-died Florence, Italy 1873"),
                ("Copy after", "Samuel Bell Waugh, 1814 - 1885"),
                ("Formerly attributed to", "J. Cesare, n.d."),
                ("Attribution", "John Trumbull, 6 Jun 1756 - 10 Nov 1843"),
                ("manufacturer", "Scaled Composites"),
                ("Collector", "Reagan, Albert B., 1871-1936"),
            ]
        )
    )
    makers = credited(found.creators).makers
    assert [name.plain for name in makers] == ["Hiram Powers", "John Trumbull", "Scaled Composites"]
    assert [name.attributed for name in makers] == [False, True, False]


@pytest.mark.parametrize("warning", ["HAZMAT: Mercury", "Text", "Paper records"])
def test_warnings_of_a_store_and_words_of_a_format_are_no_medium(warning: str) -> None:
    things = record(
        physicalDescription=[("Materials", warning), ("Materials", "Wood, brass, glass")]
    )
    assert work(things).medium == "Wood, brass, glass"
    assert work(record(physicalDescription=[("Materials", warning)])).medium == ""


def test_the_material_of_one_part_is_not_that_of_the_whole() -> None:
    parts = [("Materials", f"{part}: wood") for part in ("Body", "Wings", "Tail")]
    made = work(record(physicalDescription=parts))
    assert made.medium == "Body: wood; Wings: wood; Tail: wood"
    assert "wood" not in cite(made, "chicago", TODAY)


def test_what_an_archive_inherits_did_not_make_a_folder() -> None:
    folder = {
        "url": "ead_component:sova-naa-1-ref2",
        "type": "ead_component",
        "content": {
            "title": "Letters",
            "record_id": "NAA.1_ref2",
            "containedIn": [{"unittitle": "Papers of somebody"}, {"unittitle": "Letters"}],
            "freetext": {
                "unitdate": [{"label": "Date", "content": "circa 1956"}],
                "creator": [
                    {"label": "Creator", "content": "Landesberg, F."},
                    {"label": "Addressee", "content": "Culin, Stewart, 1858-1929"},
                ],
                "name": [
                    {"label": "Creator", "content": "White, Wes", "flag": ["inherited"]},
                    {"label": "Collection Creator", "content": "White, Wes", "flag": ["inherited"]},
                ],
            },
        },
    }
    found = work(folder)
    assert [creator.name for creator in found.creators] == ["Landesberg, F."]
    assert found.kind == "archive"
    assert (found.date, found.container) == ("circa 1956", "Papers of somebody")
    assert found.identifier == "NAA.1_ref2"


def test_its_own_number_comes_before_that_of_the_whole_gift() -> None:
    numbers = [("accession number", "316371"), ("ID Number", "MA.316371.040")]
    assert work(record(identifier=numbers)).identifier == "MA.316371.040"
    assert work(record(identifier=[("Accession Number", "000000")])).identifier == ""


@pytest.mark.parametrize(
    ("given", "claimed"),
    [
        ("nasm_A19670093000", "mine"),
        ("NMAI_76890", "mine"),
        ("edanmdm:nasm_A19670093000", "mine"),
        ("ead_component:sova-naa-2009-27-ref2490", "mine"),
        ("ld1-1643398977036-1643398979434-0", "mine"),
        ("npg_AD/NPG.74.8", "mine"),
        ("https://collections.si.edu/search/detail/edanmdm:nasm_A19670093000", "mine"),
        ("https://americanart.si.edu/collections/search/artwork/?id=21166", "mine"),
        ("http://n2t.net/ark:/65665/nv9fe656352-b7a7", "mine"),
        ("afc1939007_afs02237a", "maybe"),
        ("2007680728", "foreign"),
        ("sn83030214/1894-06-07/ed-1", "foreign"),
        ("https://www.loc.gov/item/2007680728/", "foreign"),
        ("https://si.edu.evil.example/nasm_A1", "foreign"),
        ("http://[", "foreign"),
        ("", "foreign"),
    ],
)
def test_what_is_claimed(given: str, claimed: str) -> None:
    assert claim(given) == claimed


@pytest.mark.parametrize(
    ("given", "record_id"),
    [
        (" nasm_A19670093000 ", "nasm_A19670093000"),
        (
            "https://collections.si.edu/search/detail/edanmdm:nasm_A19670093000?q=x",
            "edanmdm:nasm_A19670093000",
        ),
        (
            "https://collections.si.edu/search/detail/edanmdm%3Anasm_A19670093000",
            "edanmdm:nasm_A19670093000",
        ),
        ("https://airandspace.si.edu/collection/id/nasm_A19050001000", "nasm_A19050001000"),
        ("https://npg.si.edu/object/npg_AD_NPG.2018.1.24", "npg_AD_NPG.2018.1.24"),
        (
            "https://hirshhorn.si.edu/search-results/?edan_search_value=hmsg_66.1033",
            "hmsg_66.1033",
        ),
        ("https://sova.si.edu/record/NAA.MS1035", "ead_collection:sova-naa-ms1035"),
        (
            "https://sova.si.edu/details/NAA.2009-27#ref2490",
            "ead_component:sova-naa-2009-27-ref2490",
        ),
        ("https://asia.si.edu/object/F1900.47/", "fsg_F1900.47"),
    ],
)
def test_a_link_names_its_record(given: str, record_id: str) -> None:
    assert named(given) == record_id


@pytest.mark.parametrize(
    "given",
    [
        "http://n2t.net/ark:/65665/nv9fe656352-b7a7",
        "http://americanart.si.edu/collections/search/artwork/?id=21166",
        "https://www.si.edu/",
    ],
)
def test_a_link_that_names_none_is_refused_before_any_request(given: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        named(given)
    assert refused.value.reason == Reason.INVALID_ID


# -- over all captured records -------------------------------------------------------------------


def captured() -> list[tuple[dict[str, Any], Work]]:
    return [(row, work(row)) for row in captured_records()]


@pytest.mark.captured
def test_every_captured_record_can_be_cited() -> None:
    for _, found in captured():
        assert found.title
        assert found.holder
        assert found.link.startswith("http")
        for style in PROSE:
            told = cite(found, style, TODAY)
            assert found.link in told
            assert "None" not in told
            assert ".. " not in told.replace("...", "")


@pytest.mark.captured
def test_no_sitter_or_donor_is_named_unless_it_made_the_thing_too() -> None:
    others = {"sitter", "donor", "collector", "previous owner", "seller", "copy after"}
    for row, found in captured():
        names = row["content"].get("freetext", {}).get("name", [])
        parties = {
            entry["content"]
            for entry in names
            if isinstance(entry, dict) and entry.get("label", "").casefold() in others
        }
        makers = {
            entry["content"]
            for entry in names
            if isinstance(entry, dict) and entry.get("label", "").casefold() not in others
        }
        creators = {creator.name for creator in found.creators}
        assert not creators & (parties - makers), found.id


@pytest.mark.captured
def test_a_link_that_names_a_record_names_the_right_one() -> None:
    told = 0
    for row, found in captured():
        fixed = row["content"].get("descriptiveNonRepeating", {})
        link = fixed.get("record_link") or row["content"].get("record_link")
        if not isinstance(link, str) or claim(link) != "mine":
            continue
        try:
            name = named(link)
        except InvalidRequest:
            continue
        told += 1
        assert name.removeprefix("edanmdm:") == found.id
    assert told > 1500


@pytest.mark.captured
def test_every_record_id_is_claimed() -> None:
    assert {claim(found.id) for _, found in captured()} == {"mine"}


@pytest.mark.captured
def test_no_life_date_is_left_in_a_name() -> None:
    for _, found in captured():
        for name in credited(found.creators).makers:
            assert not any(letter.isdigit() for letter in name.inverted), name


@pytest.mark.captured
def test_a_link_lasts_and_is_encrypted() -> None:
    for _, found in captured():
        assert found.link.startswith("https://")
    assert sum(found.link.startswith("https://n2t.net/ark:") for _, found in captured()) > 2_000


@pytest.mark.captured
def test_the_rights_of_a_work_are_those_of_its_object() -> None:
    assert all(found.rights == of_object(row) for row, found in captured())
