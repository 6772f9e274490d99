"""Pages of newspapers, as rows and as they are read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_loc.address import page_address
from heritage_loc.normalise import (
    NewspaperHit,
    PageResource,
    is_page,
    matching,
    newspaper_hit,
    page_resource,
    page_text,
    plain_text,
    snippet,
)
from loc.shapes import JSON

ISSUE = "https://www.loc.gov/resource/sn9/1924-11-20/ed-1/"
LCCN_ISSUE = "https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/"
SEGMENT = "/service/ndnp/x/batch_x_ver01/data/sn92070146/0041/1924112001/1270.xml"
SERVICE = "https://tile.loc.gov/text-services/word-coordinates-service"


def row(**fields: Any) -> dict[str, Any]:
    return {
        "id": f"http{LCCN_ISSUE[5:]}?sp=6",
        "url": f"{LCCN_ISSUE}?sp=6&q=clara+bow",
        "type": ["segment"],
        "title": "Image 6 of A press (El Centro, Calif.), November 20, 1924",
        "date": "1924-11-20",
        **fields,
    }


def hit(**fields: Any) -> NewspaperHit:
    found = newspaper_hit(row(**fields))
    assert found is not None
    return found


# -- rows --------------------------------------------------------------------------------------------


def test_a_page_is_named_by_its_address_without_the_query() -> None:
    found = hit(
        location_state=["ohio", "michigan"],
        partof_title=["a press (el centro, calif.) 1907-current"],
        number_lccn=["sn92070146"],
        number_page=["0000000006"],
    ).row
    assert found.url == f"{LCCN_ISSUE}?sp=6"
    assert found.states == ("ohio", "michigan")
    assert found.newspaper_title == "a press (el centro, calif.) 1907-current"
    assert (found.page_number, found.lccn, found.date) == (6, "sn92070146", "1924-11-20")


def test_the_date_is_the_days_and_never_the_papers() -> None:
    assert hit(item={"date": "1873"}).row.date == "1924-11-20"
    assert hit(date=None, item={"date": "1873"}).row.date == "1924-11-20"
    assert hit(date="1895-01-01").row.date == "1895-01-01"


def test_the_segment_is_found_raw_and_encoded() -> None:
    images = ["https://tile.loc.gov/image-services/x.jpg#h=1&w=2", f"{SERVICE}?segment={SEGMENT}"]
    encoded = f"{SERVICE}?q=a&segment={SEGMENT.replace('/', '%2F')}&format=alto_xml"
    for found in (hit(image_url=images), hit(word_coordinates_url=encoded)):
        assert found.text is not None
        assert found.text.segment == SEGMENT
    assert hit(image_url=[]).text is None


def test_a_page_number_that_is_not_in_the_address_stands_in_the_row() -> None:
    assert hit(id=LCCN_ISSUE, url=LCCN_ISSUE, number_page=["0000000004"]).row.page_number == 4


def test_an_issue_is_no_page() -> None:
    issue = row(url="https://www.loc.gov/item/sn9/1924-11-20/ed-1/", id="", type=["issue"])
    assert not is_page(issue)
    assert newspaper_hit(issue) is None
    assert newspaper_hit(row(type=["issue"])) is None
    assert is_page(row())
    assert is_page(row(type=None))


def test_an_excerpt_holds_the_words_where_upstream_gives_it() -> None:
    marked = {"relevant_snippet": "... the [[tag]]fire[[/tag]] at\nnight ..."}
    found = hit(page_coordinate_data=marked, description=["OPENING of the page"]).row
    assert (found.description, found.excerpt_kind) == ("... the fire at night ...", "match")


def test_an_excerpt_is_else_the_opening() -> None:
    found = hit(description=["WORD " * 200]).row
    assert found.excerpt_kind == "opening"
    assert found.description is not None
    assert len(found.description) <= 500
    assert found.description.endswith("WORD…")
    bare = hit(description=["OPENING"], page_coordinate_data={"relevant_snippet": "no marks"}).row
    assert (bare.description, bare.excerpt_kind) == ("OPENING", "opening")
    assert hit().row.excerpt_kind is None


@given(st.text(alphabet="ab ", max_size=600), st.text(alphabet="ab ", max_size=900))
def test_a_passage_always_holds_its_first_match(before: str, after: str) -> None:
    found = matching(f"{before} [[tag]]FIRE[[/tag]] {after}")
    assert "FIRE" in found
    assert "[[" not in found
    assert len(found) <= 500


# -- pages -------------------------------------------------------------------------------------------


def page(body: dict[str, Any], url: str = f"{LCCN_ISSUE}?sp=6") -> PageResource:
    found = page_resource(body, page_address(url))
    assert found is not None
    return found


FULL = f"{SERVICE}?segment={SEGMENT}&format=alto_xml&full_text=1"


def test_a_page_with_all_that_it_can_have() -> None:
    found = page(
        {
            "item": {
                "date": "1873",
                "date_issued": "1924-11-20",
                "newspaper_title": ["A Press"],
                "location_state": ["california"],
                "place_of_publication": "El Centro, Calif.",
                "number_edition": ["1"],
                "number_lccn": ["sn92070146"],
            },
            "resource": {"fulltext_file": FULL, "segment_count": 8, "pdf": "//tile.loc.gov/1.pdf"},
            "page": [
                {"mimetype": "image/jp2", "url": "https://tile.loc.gov/6.jp2"},
                {"mimetype": "application/pdf", "url": "https://tile.loc.gov/6.pdf"},
                {"mimetype": "application/json", "info": "https://tile.loc.gov/iiif/a:6/info.json"},
            ],
            "segments": [{"title": "Image 6 of A press", "date": "1924-11-20"}],
        }
    )
    assert found.text is not None
    assert found.text.segment == SEGMENT
    assert not found.is_whole_work
    assert found.page.model_dump() == {
        "page_url": f"{LCCN_ISSUE}?sp=6",
        "title": "Image 6 of A press",
        "newspaper_title": "A Press",
        "date": "1924-11-20",
        "states": ("california",),
        "place_of_publication": "El Centro, Calif.",
        "edition": "1",
        "lccn": "sn92070146",
        "item_id": "sn92070146/1924-11-20/ed-1",
        "sequence": 6,
        "segment_count": 8,
        "rights": None,
        "image_url": "https://tile.loc.gov/iiif/a:6/full/pct:25/0/default.jpg",
        "pdf_url": "https://tile.loc.gov/6.pdf",
        "ocr_text": "",
        "ocr_available": True,
    }


def test_a_page_with_its_resource_alone_takes_the_rest_from_its_address() -> None:
    found = page({"resource": {"fulltext_file": FULL}}).page
    assert (found.date, found.sequence, found.edition) == ("1924-11-20", 6, "1")
    assert found.lccn == "sn92070146"
    assert found.segment_count is None


def test_a_papers_first_year_is_never_the_date_of_a_page() -> None:
    assert page({"item": {"date": "1873"}, "resource": {"url": ISSUE}}).page.date == "1924-11-20"


@pytest.mark.parametrize(
    "where",
    [
        {"resource": {"fulltext_file": FULL}},
        {"resources": [{"fulltext_file": FULL}]},
        {"resource": {"url": ISSUE}, "page": [{"fulltext_service": FULL}]},
    ],
)
def test_the_text_may_be_named_in_three_places(where: dict[str, Any]) -> None:
    found = page(where)
    assert found.text is not None
    assert found.page.ocr_available


def test_an_image_without_a_text_is_only_an_image() -> None:
    found = page({"resource": {"url": ISSUE, "word_coordinates": SERVICE}})
    assert found.text is None
    assert not found.page.ocr_available


def test_a_book_has_one_text_for_all_its_pages() -> None:
    found = page(
        {
            "item": {"id": "http://www.loc.gov/item/2001/", "title": "A book", "date": "1644"},
            "resource": {
                "fulltext_file": "https://tile.loc.gov/storage-services/public/gdc/x/x.text.txt",
                "files": 40,
            },
        },
        "https://www.loc.gov/resource/rbc0001.x/?sp=3",
    )
    assert found.is_whole_work
    assert (found.page.item_id, found.page.title, found.page.date) == ("2001", "A book", "1644")
    assert (found.page.newspaper_title, found.page.segment_count) == (None, 40)


def test_the_name_of_a_paper_stands_in_the_title_of_its_pages() -> None:
    segment = {"title": "Image 1 of The call (San Francisco [Calif.]), April 18, 1906"}
    assert (
        page({"resource": {"url": ISSUE}, "segments": [segment]}).page.newspaper_title == "The call"
    )


def test_an_answer_without_a_page_is_none() -> None:
    bodies: list[dict[str, Any]] = [{}, {"resource": {}, "item": None}, {"resource": []}]
    for body in bodies:
        assert page_resource(body, page_address(ISSUE)) is None


@given(st.dictionaries(st.sampled_from(["item", "resource", "page", "segments"]), JSON))
def test_no_shape_makes_a_page_fail(body: dict[str, Any]) -> None:
    page_resource(body, page_address(ISSUE))
    newspaper_hit({**row(), **body, "page_coordinate_data": body, "image_url": [body]})


# -- texts -------------------------------------------------------------------------------------------


def test_the_text_stands_under_its_segment() -> None:
    body = {SEGMENT: {"full_text": "FIRE \u00a0<3 &amp; more\r\nline", "height": "1"}}
    assert page_text(body, SEGMENT) == "FIRE  <3 &amp; more\nline"
    assert page_text({"other": {"full_text": "x"}}, SEGMENT) == "x"
    assert page_text({SEGMENT: {"full_text": ""}}, SEGMENT) == ""


@pytest.mark.parametrize("body", [None, [], {}, "x", {SEGMENT: {}}, {SEGMENT: {"full_text": None}}])
def test_an_answer_without_a_text_is_none(body: object) -> None:
    assert page_text(body, SEGMENT) is None


def test_a_plain_file_is_a_text() -> None:
    assert plain_text(b"\xef\xbb\xbfone\r\ntwo \xff") == "one\ntwo \ufffd"


def test_a_passage_of_the_service_keeps_its_marks() -> None:
    body = {SEGMENT: {"relevant_snippet": "... [[tag]]fire[[/tag]] ..."}}
    assert matching(snippet(body)) == "... fire ..."
    assert snippet({}) == ""
