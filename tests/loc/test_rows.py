"""Rows of a search, each rule on a row of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_loc import wire
from heritage_loc.models import SearchRow
from heritage_loc.normalise import (
    collection_row,
    collection_rows,
    merged,
    search_row,
    search_rows,
)
from loc.shapes import JSON

KEYS = (
    *("id", "url", "aka", "title", "date", "dates", "description", "type", "original_format"),
    *("item", "items", "count", "resources", "contributor", "partof_title", "location_state"),
)


def row(**fields: object) -> dict[str, object]:
    return {
        "id": "http://www.loc.gov/item/2001/",
        "url": "//www.loc.gov/item/2001/?q=quilt",
        "title": "A quilt",
        **fields,
    }


def published(**fields: object) -> SearchRow:
    found = search_row(row(**fields))
    assert found is not None
    return found


def test_a_row_without_extras_is_short() -> None:
    assert published().model_dump(exclude_none=True) == {
        "id": "2001",
        "title": "A quilt",
        "is_item": True,
        "url": "https://www.loc.gov/item/2001/",
    }


def test_texts_are_plain_whether_string_or_list() -> None:
    found = published(
        title=["<b>Quilt</b> &amp;  cover\n"],
        description="One <i>note</i>. ",
        original_format="map",
    )
    assert (found.title, found.description) == ("Quilt & cover", "One note.")
    assert found.format == "map"


def test_a_row_without_a_title_takes_that_of_its_record() -> None:
    assert published(title=None, item={"title": "Inner"}).title == "Inner"
    assert published(title=None).title == "Untitled"


def test_a_long_description_is_cut_at_a_word() -> None:
    description = published(description=["word " * 300]).description
    assert description is not None
    assert len(description) <= 500
    assert description.endswith("word…")


def test_people_come_with_their_roles_and_a_digitising_library_is_no_author() -> None:
    creators = [{"title": "Roe, Jane", "role": "photographer"}]
    assert published(item={"creators": creators}).contributors == ("Roe, Jane (photographer)",)
    plain = {"contributors": ["Roe, Jane (Singer)", "Roe, Jane (Singer)."]}
    assert published(item=plain, contributor=["roe, jane"]).contributors == ("Roe, Jane (Singer)",)
    assert published(contributor=["roe, jane"]).contributors == ("roe, jane",)
    assert published(type=["issue"], contributor=["a library"]).contributors is None


def test_dates_are_as_exact_as_the_record() -> None:
    padded = {"date": "1925-01-01", "dates": ["1925-01-01T00:00:00Z"]}
    assert published(**padded, item={"created_published": "Boston, 1925."}).date == "1925"
    assert published(**padded, item={"date": "19250101"}).date == "1925-01-01"
    assert published(date="uuuu").date is None


def test_an_issue_is_dated_by_its_day_and_not_by_its_paper() -> None:
    block = {"date": "1873", "date_issued": "1894-01-01"}
    assert published(date="1894-01-01", type=["issue"], item=block).date == "1894-01-01"


def test_a_collection_has_a_slug_and_no_date() -> None:
    found = published(
        id="http://www.loc.gov/collections/quilts/about-this-collection/",
        url="https://www.loc.gov/collections/quilts/about-this-collection/",
        original_format=["collection", "book"],
        date="1841",
    )
    assert (found.collection_slug, found.date, found.is_item) == ("quilts", None, False)
    assert found.id == found.url


def test_a_guide_a_blog_and_a_file_are_no_items() -> None:
    for url in (
        "https://guides.loc.gov/quilts",
        "https://blogs.loc.gov/x/2010/06/quilts/",
        "//www.loc.gov/flicc/Quilts.pdf",
        "//lccn.loc.gov/2004541479",
    ):
        found = published(id=url, url=url)
        assert not found.is_item
        assert found.url.startswith("https://")


def test_the_digitised_pages_of_an_item_can_be_read() -> None:
    resources = [{"files": 3}, {"url": "http://www.loc.gov/resource/abc.1/", "files": 2}]
    assert published(resources=resources).resource_url == "https://www.loc.gov/resource/abc.1/"


def test_a_row_that_leads_nowhere_is_none() -> None:
    assert search_row({"title": "x"}) is None
    assert search_row({"id": "javascript:alert(1)", "url": "x"}) is None


# -- merging -----------------------------------------------------------------------------------------


def test_one_document_under_two_addresses_is_one_row() -> None:
    pdf = {"id": "http://www.loc.gov/x/Books.pdf", "url": "//www.loc.gov/x/Books.pdf"}
    same = {"id": "https://www.loc.gov/x/Books.pdf", "url": "https://www.loc.gov/x/Books.pdf?q=a"}
    assert len(merged([pdf, same])) == 1


def test_an_item_under_another_of_its_names_is_kept_with_its_record() -> None:
    card: dict[str, object] = {
        "id": "http://lccn.loc.gov/2001",
        "url": "//lccn.loc.gov/2001",
        "title": "card",
    }
    item = row(aka=["http://lccn.loc.gov/2001", "http://www.loc.gov/item/2001/"])
    other = row(id="http://www.loc.gov/item/7/", url="https://www.loc.gov/item/7/")
    for rows in ([card, other, item], [item, other, card]):
        assert [found.id for found in search_rows(rows)] == ["2001", "7"]


def test_things_that_share_a_name_of_a_third_are_not_one() -> None:
    shared = ["http://www.loc.gov/resource/set.1/"]
    one = row(aka=shared)
    other = row(id="http://www.loc.gov/item/2/", url="https://www.loc.gov/item/2/", aka=shared)
    assert len(merged([one, other])) == 2


def test_pages_of_one_issue_are_several_rows() -> None:
    page = "https://www.loc.gov/resource/sn1/1906-04-18/ed-1/?sp={}"
    rows = [{"id": page.format(n), "url": page.format(n) + "&q=fire"} for n in (1, 2, 1)]
    assert len(merged(rows)) == 2


# -- collections -------------------------------------------------------------------------------------


def test_a_collection_is_known_by_where_its_items_are() -> None:
    found = collection_row(
        {
            "items": "https://www.loc.gov/collections/civil-war-band-music/",
            "url": "https://www.loc.gov/collections/civil-war-band-music/about-this-collection/",
            "title": "Band Music",
            "description": ["Music of ..."],
            "count": 54,
            "original_format": ["collection", "notated music"],
            "item": {"formats": ["audio recordings", "web archive"], "total": 99},
        }
    )
    assert found is not None
    assert found.model_dump() == {
        "slug": "civil-war-band-music",
        "title": "Band Music",
        "description": "Music of ...",
        "item_count": 54,
        "formats": ("audio", "notated-music"),
        "url": "https://www.loc.gov/collections/civil-war-band-music/",
    }


def test_a_collection_of_the_old_site_has_no_slug() -> None:
    old = {"url": "//memory.loc.gov/ammem/x.html", "items": "http://memory.loc.gov/ammem/x.html"}
    assert collection_row({"title": "Old", **old}) is None
    good = {"items": "https://www.loc.gov/collections/bain/", "title": "Bain"}
    assert [found.slug for found in collection_rows([old, good, good])] == ["bain"]


# -- any shape ---------------------------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
def test_no_shape_makes_a_row_fail(fields: dict[str, object]) -> None:
    search_row(fields)
    search_row({**fields, "url": "https://www.loc.gov/item/2001/"})
    collection_row({**fields, "items": "https://www.loc.gov/collections/bain/"})
    merged([fields, fields])


@given(JSON)
def test_readers_of_names_take_any_shape(value: object) -> None:
    for read in (wire.names, wire.texts, wire.first, wire.prose, wire.absolute, wire.flag):
        read(value)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("one", ("one",)),
        (["one", "two", "one"], ("one", "two")),
        ([{"boston": "https://www.loc.gov/search/?fa=location:boston"}], ("boston",)),
        ([{"title": "Boston", "url": "//www.loc.gov/x", "count": 3}], ("Boston",)),
        ([{"label": "Boston", "value": "boston", "url": "//www.loc.gov/x"}], ("Boston",)),
        (["boston", "https://id.oclc.org/worldcat/entity/e1"], ("boston",)),
        ([{"a": 1}, None, [], ""], ()),
    ],
)
def test_names_are_strings_or_links(value: object, names: tuple[str, ...]) -> None:
    assert wire.names(value) == names


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("//www.loc.gov/item/1/", "https://www.loc.gov/item/1/"),
        ("http://hdl.loc.gov/loc.x/1", "https://hdl.loc.gov/loc.x/1"),
        ("/item/1", "https://www.loc.gov/item/1"),
        ("//www.loc.gov/pictures/?q=LOT 13", "https://www.loc.gov/pictures/?q=LOT%2013"),
        ("http://example.org/x", "http://example.org/x"),
        ("http:images.com", ""),
        ("bbc 0550f //hdl.loc.gov/x", ""),
        ("javascript:alert(1)", ""),
        ("https://user@www.loc.gov/", ""),
        ("https:///x", ""),
        (7, ""),
    ],
)
def test_an_address_is_absolute_or_none(value: object, address: str) -> None:
    assert wire.absolute(value) == address
