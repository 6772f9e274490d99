"""From rows to nouns: each rule on a small row of our own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_smithsonian.models import Coordinates, Exhibition, Labelled, Maker, Note, Taxonomy
from heritage_smithsonian.normalise import object_record, object_row


def row(**parts: Any) -> dict[str, Any]:
    """A museum row; `freetext` and `indexed` and `fixed` fill the three parts."""
    fixed = {
        "record_ID": "nmah_1",
        "unit_code": "NMAH",
        "title": {"label": "Title", "content": "Crazy Quilt"},
        "metadata_usage": {"access": "CC0"},
        "data_source": "National Museum of American History",
    }
    return {
        "id": "ld1-1-2-3",
        "url": "edanmdm:nmah_1",
        "type": "edanmdm",
        "unitCode": "NMAH",
        "title": "Crazy Quilt",
        "content": {
            "descriptiveNonRepeating": {**fixed, **parts.get("fixed", {})},
            "freetext": parts.get("freetext", {}),
            "indexedStructured": parts.get("indexed", {}),
        },
        **parts.get("top", {}),
    }


def entries(label: str, *contents: str) -> list[dict[str, str]]:
    return [{"label": label, "content": content} for content in contents]


def notes(record: dict[str, Any]) -> list[tuple[str, str]]:
    return [(note.label, note.content) for note in object_record(record).notes]


def other(record: dict[str, Any]) -> list[tuple[str, str]]:
    return [(entry.label, entry.value) for entry in object_record(record).other]


# -- the header ----------------------------------------------------------------------------------


def test_the_record_id_is_the_url_and_never_the_passing_id() -> None:
    assert object_row(row()).record_id == "nmah_1"
    assert object_row(row(top={"url": ""})).record_id == "nmah_1"
    assert object_row({"id": "ld1-1"}).record_id == "ld1-1"


def test_a_title_is_never_empty() -> None:
    assert object_row(row(fixed={"title": {"content": " "}})).title == "Crazy Quilt"
    untitled = row(fixed={"title": None}, top={"title": ""})
    assert object_row(untitled).title == "Untitled"
    named = row(
        fixed={"title": None}, top={"title": ""}, indexed={"scientific_name": ["Canis lupus"]}
    )
    assert object_row(named).title == "Canis lupus"


def test_titles_are_plain_text() -> None:
    fixed = {"title": {"content": "<I>Chi Wara</I> &amp; mask\u00a0"}}
    assert object_record(row(fixed=fixed)).title == "Chi Wara & mask"


def test_the_link_is_the_records_own_then_its_guid_then_the_search_site() -> None:
    link, guid = "https://americanhistory.si.edu/x", "http://n2t.net/ark:/65665/x"
    assert object_row(row(fixed={"record_link": link, "guid": guid})).record_link == link
    assert object_row(row(fixed={"record_link": "", "guid": guid})).record_link == guid
    assert object_row(row(fixed={"record_link": "javascript:x"})).record_link == (
        "https://collections.si.edu/search/detail/edanmdm:nmah_1"
    )
    assert object_row({"id": "x"}).record_link is None


@pytest.mark.parametrize("access", ["", "cc0", "Usage conditions apply", None])
def test_metadata_are_cc0_only_when_they_say_so(access: str | None) -> None:
    assert object_row(row()).is_cc0
    assert not object_row(row(fixed={"metadata_usage": {"access": access}})).is_cc0


def test_a_holding_museum_is_named_only_when_it_is_another() -> None:
    assert object_row(row()).holding_museum_name is None
    elsewhere = row(fixed={"data_source": "National Air and Space Museum"})
    assert object_row(elsewhere).holding_museum_name == "National Air and Space Museum"
    assert object_record(elsewhere).holding_museum_name == "National Air and Space Museum"


def test_a_row_shows_first_index_terms() -> None:
    told = object_row(row(indexed={"date": ["1920s", "1910s"], "object_type": ["", "Quilts"]}))
    assert told.date == "1920s"
    assert told.object_type == "Quilts"
    assert not told.has_media
    assert object_row(row(indexed={"date": []})).date is None


def test_online_media_type_promises_no_media() -> None:
    assert not object_row(row(indexed={"online_media_type": ["Images"]})).has_media


# -- the record ----------------------------------------------------------------------------------


def test_every_named_party_keeps_its_label_as_role() -> None:
    name = [*entries("Sitter", "George Linen"), *entries("Donor", "Ira Blount"), "Nobody"]
    assert object_record(row(freetext={"name": name})).makers == (
        Maker(role="Sitter", name="George Linen"),
        Maker(role="Donor", name="Ira Blount"),
        Maker(role="Name", name="Nobody"),
    )


def test_facts_that_strayed_among_the_names_are_no_makers() -> None:
    stray = row(freetext={"name": entries("Min. Elevation", "1981")})
    assert object_record(stray).makers == ()
    assert other(stray) == [("Min. Elevation", "1981")]


def test_an_entry_is_dimension_or_material_and_never_both() -> None:
    physical = [
        *entries("Medium", "Oil on canvas"),
        *entries("Dimensions", "3 x 4 cm"),
        *entries("Frame size", "5 x 6 cm"),
        *entries("Physical Description", "foam (overall material)"),
        *entries("Sex", "Male"),
    ]
    told = object_record(row(freetext={"physicalDescription": physical}))
    assert told.dimensions == ("3 x 4 cm", "Frame size: 5 x 6 cm")
    assert told.materials == ("Oil on canvas", "foam (overall material)", "Sex: Male")


def test_topics_are_indexed_then_free_without_exact_repetition() -> None:
    told = object_record(
        row(
            indexed={"topic": ["Quilts", "Women"]},
            freetext={"topic": entries("Topic", "Quilts", "Quilts--History")},
        )
    )
    assert told.topics == ("Quilts", "Women", "Quilts--History")


def test_culture_is_the_index_and_free_text_culture_stands_beside() -> None:
    told = row(indexed={"culture": ["Japanese"]}, freetext={"culture": entries("Culture", "Edo")})
    assert object_record(told).culture == ("Japanese",)
    assert other(told) == [("Culture", "Edo")]


def test_notes_keep_their_order_and_each_paragraph() -> None:
    told = row(
        freetext={
            "setName": entries("See more items in", "Textiles"),
            "notes": [*entries("Provenance", "one", "two"), {"content": "three"}, {"label": "x"}],
        }
    )
    assert notes(told) == [
        ("Provenance", "one"),
        ("Provenance", "two"),
        ("Note", "three"),
    ]
    assert other(told) == [("See more items in", "Textiles")]


def test_a_description_joins_the_paragraphs_of_the_best_label() -> None:
    told = row(
        freetext={
            "notes": [
                *entries("Description", "Less."),
                *entries("Summary", "Consigned by", "a friend.", "New paragraph."),
                *entries("Provenance", "To 1900"),
            ]
        }
    )
    assert object_record(told).description == "Consigned by a friend.\n\nNew paragraph."


def test_administrative_notes_describe_nothing() -> None:
    told = row(freetext={"notes": entries("Record Last Modified", "4 Dec 2015")})
    assert object_record(told).description is None


def test_index_values_without_a_field_are_told_in_plain_english() -> None:
    told = row(
        indexed={
            "object_type": ["Quilts", "Textiles"],
            "geo_age-era": ["Cenozoic"],
            "strat_formation": ["Hell Creek Fm"],
            "onPhysicalExhibit": ["Yes"],
            "usage_flag": "permcoll",
            "someNewField": ["a", "b"],
        }
    )
    assert other(told) == [
        ("Indexed object type", "Quilts; Textiles"),
        ("Geologic era", "Cenozoic"),
        ("Stratigraphic formation", "Hell Creek Fm"),
        ("On view", "Yes"),
        ("Usage flag", "permcoll"),
        ("Some new field", "a; b"),
    ]


def test_what_is_shown_already_is_not_told_again() -> None:
    told = row(
        indexed={"name": ["Blount, Ira"], "date": ["1900"], "place": ["Japan"]},
        freetext={
            "name": entries("Donor", "Blount, Ira"),
            "date": entries("Date", "1900"),
            "place": entries("Origin", "Japan"),
            "title": entries("Title", "Crazy Quilt"),
            "dataSource": entries("Data Source", "National Museum of American History"),
        },
    )
    assert other(told) == []


def test_taxonomy_omits_absent_ranks_and_says_class() -> None:
    told = object_record(row(indexed={"tax_class": ["Aves"], "tax_order": "Passeriformes"}))
    assert told.taxonomy == Taxonomy.model_validate({"class": ["Aves"], "order": ["Passeriformes"]})
    published = told.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert published["taxonomy"] == {"class": ["Aves"], "order": ["Passeriformes"]}
    assert object_record(row()).taxonomy is None


def test_exhibitions_may_have_only_a_building() -> None:
    show = [
        {"building": "HAZY"},
        {"building": "NPG", "exhibitionTitle": "Portraits", "room": "South Gallery 240"},
    ]
    told = row(indexed={"exhibition": show})
    assert object_record(told).exhibitions == (
        Exhibition(name="On view", building="HAZY"),
        Exhibition(name="Portraits", building="NPG"),
    )
    assert other(told) == [("On view in room", "South Gallery 240")]


def test_rights_keep_a_label_that_says_more() -> None:
    rights = [*entries("Restrictions & Rights", "CC0"), *entries("Copyright", "death date 1923")]
    told = object_record(
        row(freetext={"objectRights": rights, "creditLine": entries("Cite As", "Gift of X")})
    )
    assert told.object_rights == "CC0\nCopyright: death date 1923"
    assert told.credit_line == "Gift of X"


# -- places --------------------------------------------------------------------------------------


def point(latitude: object, longitude: object) -> dict[str, Any]:
    return {"point": {"latitude": latitude, "longitude": longitude}}


def located(points: object, **levels: object) -> tuple[Coordinates, ...]:
    return object_record(row(indexed={"geoLocation": [{"points": points, **levels}]})).coordinates


@pytest.mark.parametrize("several", [False, True])
def test_a_point_is_an_object_or_a_list(several: bool) -> None:
    decimal = [{"type": "decimal", "content": content} for content in ("10.58", "-83.53")]
    single: Any = point(*decimal)
    points = {"point": [single["point"], single["point"]]} if several else single
    sea = {"type": "Locality", "content": "Timor Sea"}
    assert located(points, L1="Indian Ocean", Other=sea) == (
        Coordinates(latitude=10.58, longitude=-83.53, locality="Timor Sea"),
    )


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("inf", "0"),
        ("nan", "nan"),
        ("91", "0"),
        ("0", "-180.5"),
        ("1e1", "2"),
        ("10", None),
        ({"type": "degrees", "content": "10"}, {"type": "degrees", "content": "20"}),
    ],
)
def test_what_is_no_decimal_pair_on_earth_is_no_coordinate(
    latitude: object, longitude: object
) -> None:
    assert located(point(latitude, longitude)) == ()


def test_degrees_are_told_in_the_records_own_words() -> None:
    degrees = [{"type": "degrees", "content": content} for content in ("10 35 N", "83 31 W")]
    told = row(indexed={"geoLocation": [{"points": point(*degrees)}]})
    assert other(told) == [("Coordinates as recorded", "10 35 N, 83 31 W")]


def test_index_places_stand_in_for_missing_free_text() -> None:
    told = object_record(
        row(
            indexed={
                "place": ["Italy", "Rome", "Lazio Region"],
                "geoLocation": [{"L2": {"type": "Country", "content": "Italy"}, "L4": "Rome"}],
            }
        )
    )
    assert told.place == (
        Labelled(label="Country", value="Italy"),
        Labelled(label="Place", value="Rome"),
        Labelled(label="Place", value="Lazio Region"),
    )


# -- archives ------------------------------------------------------------------------------------


def archive(**content: Any) -> dict[str, Any]:
    return {
        "id": "ebl-1",
        "url": "ead_component:sova-naa-2009-27-ref2490",
        "type": "ead_component",
        "unitCode": "NAA",
        "content": {
            "title": "Ehrich, Robert W.",
            "record_id": "NAA.2009-27_ref2490",
            "record_link": "https://sova.si.edu/details/NAA.2009-27#ref2490",
            "metadata_usage": {"access": "CC0"},
            **content,
        },
    }


def test_an_archive_record_is_known_by_its_whole_url() -> None:
    told = object_record(archive())
    assert told.record_id == "ead_component:sova-naa-2009-27-ref2490"
    assert told.title == "Ehrich, Robert W."
    assert told.museum_name == "National Anthropological Archives"
    assert told.is_cc0
    assert told.record_link == "https://sova.si.edu/details/NAA.2009-27#ref2490"
    assert told.identifiers == (Labelled(label="Record ID", value="NAA.2009-27_ref2490"),)


def test_inherited_names_say_that_they_are_the_collections() -> None:
    inherited = {"flag": ["inherited"]}
    own = {"label": "Creator", "content": "Fewkes, Jesse Walter"}
    theirs = {"label": "Collection Creator", "content": "Harris, Marvin", **inherited}
    unsaid = {"label": "Names", "content": "Boas, Franz", **inherited}
    told = object_record(archive(freetext={"name": [theirs, own, unsaid], "creator": [own]}))
    assert told.makers == (
        Maker(role="Creator", name="Fewkes, Jesse Walter"),
        Maker(role="Collection Creator", name="Harris, Marvin"),
        Maker(role="Collection Names", name="Boas, Franz"),
    )


def test_an_archive_record_says_where_it_lies_and_how_it_may_be_used() -> None:
    told = object_record(
        archive(
            level="file",
            digital_assets_available="true",
            containedIn=[
                {"unitid": "Collection NAA.2009-27", "unittitle": "Marvin Harris papers"},
                {"unitid": "Series 5", "unittitle": "Name Subject Files"},
                {"unittitle": "Ehrich, Robert W."},
            ],
            freetext={
                "unitdate": entries("Date", "1960", "1979"),
                "container": entries("Container", "Box 47"),
                "scopecontent": entries("Scope and Contents", "Letters.\n\nDrafts."),
                "physdesc": entries("Extent", "2 Folders"),
                "userestrict": entries("Rights", "Ask first."),
                "accessrestrict": [
                    {
                        "label": "Collection Restrictions",
                        "content": "Closed.",
                        "flag": ["inherited"],
                    }
                ],
            },
        )
    )
    assert [date.value for date in told.dates] == ["1960", "1979"]
    assert told.description == "Letters.\n\nDrafts."
    assert told.materials == ("Extent: 2 Folders",)
    assert told.object_rights == "Ask first."
    assert {
        Labelled(label="Container", value="Box 47"),
        Labelled(
            label="Contained in",
            value="Collection NAA.2009-27: Marvin Harris papers > Series 5: Name Subject Files",
        ),
        Labelled(label="Level of description", value="file"),
    } <= set(told.other)
    assert Note(label="Collection Restrictions", content="Closed.") in told.notes
    assert "Digital assets" in {entry.label for entry in told.other}


def test_the_row_of_an_archive_record_has_its_date_in_words() -> None:
    told = object_row(
        archive(
            freetext={
                "unitdate": [
                    {"label": "Date", "content": "undated", "indexedContent": "1902/1965"}
                ],
                "objectType": [{"content": "Text", "indexedContent": "Archival materials"}],
            }
        )
    )
    assert told.date == "undated"
    assert told.object_type == "Archival materials"


# -- odd rows ------------------------------------------------------------------------------------

KEYS = [
    *("id", "url", "type", "unitCode", "title", "content", "label", "flag", "indexedContent"),
    *("descriptiveNonRepeating", "freetext", "indexedStructured", "record_ID", "online_media"),
    *("name", "notes", "date", "place", "geoLocation", "points", "point", "latitude", "L1"),
    *("exhibition", "tax_class", "topic", "unitdate", "containedIn", "metadata_usage"),
]
ODD = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["ead_x", "edanmdm:", "", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


@given(st.dictionaries(st.sampled_from(KEYS), ODD, max_size=6), ODD, ODD, ODD)
def test_no_row_is_too_odd(top: dict[str, Any], fixed: Any, free: Any, index: Any) -> None:
    whole = {"descriptiveNonRepeating": fixed, "freetext": free, "indexedStructured": index}
    for odd in (top, {**top, "content": whole}, {"content": {"freetext": {"name": free}}}):
        assert object_row(odd).title
        assert object_record(odd).title == object_row(odd).title
