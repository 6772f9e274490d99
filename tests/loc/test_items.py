"""An item's record in its many shapes, each rule on a record of our own."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heritage_loc.models import ItemRecord
from heritage_loc.normalise import item_record
from loc.shapes import JSON

FACET = "https://www.loc.gov/search/?fa=x&fo=json"


def body(block: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"item": {"id": "http://www.loc.gov/item/2001/", "title": "A quilt", **block}, **more}


def record(block: dict[str, Any], **more: Any) -> ItemRecord:
    found = item_record(body(block, **more), "2001")
    assert found is not None
    return found


def test_the_shape_of_2017_has_link_objects() -> None:
    found = record(
        {
            "contributors": [{"roe, jane": FACET}],
            "contributor_names": ["Roe, Jane, 1821-1912.", "Roe, Jane, 1821-1912."],
            "subjects": [{"quilts": FACET}],
            "location": [{"new york (state)": FACET}, {"new york": FACET}],
            "language": [{"english": FACET}],
            "format": [{"map": FACET}],
            "partof": [{"count": 3, "url": FACET, "title": "quilt  papers"}],
            "date": "1849-01-23",
            "created_published": ["1849"],
        }
    )
    assert found.contributors == ("Roe, Jane, 1821-1912.",)
    assert found.subject_headings == ("quilts",)
    assert found.locations == ("new york (state)", "new york")
    assert found.languages == ("english",)
    assert found.original_formats == ("map",)
    assert found.part_of == ("quilt papers",)
    assert (found.date, found.created_published) == ("1849", "1849")


def test_the_shape_since_2021_has_plain_lists_beside_them() -> None:
    found = record(
        {
            "location": ["augsburg", "augsburg.", "germany", "augsburg"],
            "locations": [{"x": FACET}],
            "language": ["english"],
            "subject_headings": ["Quilts--Maps.", "Quilts--Maps"],
            "item": {"language": ["eng"], "subjects": ["y"], "location": ["Germany--Augsburg"]},
        }
    )
    assert found.locations == ("augsburg", "germany")
    assert found.languages == ("english",)
    assert found.subject_headings == ("Quilts--Maps",)
    assert {"label": "Place headings", "value": "Germany--Augsburg"} in [
        entry.model_dump() for entry in found.other
    ]


def test_a_photograph_comes_with_single_strings_and_roles_apart() -> None:
    found = record(
        {
            "call_number": "LOT 1, no. 1 [P&P]",
            "rights_advisory": "No known restrictions.",
            "rights_information": "No known restrictions.",
            "reproduction_number": "LC-1 (front)\nLC-2 (back)",
            "access_restricted": False,
            "restriction": "Fragile.",
            "access_advisory": "Fragile.",
            "date": "1888-01-01",
            "item": {
                "creators": [{"title": "Doe & Roe", "role": "sponsor", "link": "//www.loc.gov/x"}],
                "contributors": ["Doe & Roe, sponsor."],
                "date": "1888.",
                "resource_links": ["//hdl.loc.gov/loc.pnp/x.1"],
            },
        }
    )
    assert found.call_number == "LOT 1, no. 1 [P&P]"
    assert found.rights_information == "No known restrictions."
    assert found.contributors == ("Doe & Roe (sponsor)",)
    assert (found.access_restricted, found.access_advisory) == (False, "Fragile.")
    assert found.date == "1888"
    assert found.resource_links == ("https://hdl.loc.gov/loc.pnp/x.1",)


def test_what_is_not_said_of_access_is_unknown() -> None:
    assert record({}).access_restricted is None
    assert "access_restricted" not in record({}).model_dump(exclude_none=True)
    assert record({"access_restricted": True}).access_restricted is True


def test_rights_in_html_become_paragraphs() -> None:
    html = ["<p>\n\tFirst&nbsp;part   of it.\r</p>\n\n<p>Second <a href='/legal/'>part</a>.</p>"]
    assert record({"rights": html}).rights_information == "First part of it.\n\nSecond part."


def test_a_newspapers_title_and_issue() -> None:
    issue = record(
        {
            "date": "1894-06-07",
            "type": ["issue"],
            "batch": ["x_ver01"],
            "item": {
                "date": "1873",
                "date_issued": "1894-06-07",
                "contributor_names": ["A Library; Somewhere, MN"],
                "newspaper_title": ["The gazette"],
                "place_of_publication": "Redwood Falls, Minn.",
            },
        }
    )
    assert issue.date == "1894-06-07"
    assert issue.contributors == ("A Library; Somewhere, MN (digitising institution)",)
    labels = {entry.label: entry.value for entry in issue.other}
    assert labels["Place of publication"] == "Redwood Falls, Minn."
    paper = record(
        {
            "item_type": "title",
            "date": "1901",
            "dates_of_publication": "1901-1913",
            "essay": "<p>Begun in <em>1901</em>.</p>",
            "resources": [],
            "holding_data": [
                {
                    "institutions": [
                        {"institution_name": "A Library", "institution_city": "Morgantown"}
                    ],
                    "number_holding_type": ["Microfilm"],
                    "description": ["1907-1912"],
                }
            ],
        }
    )
    labels = {entry.label: entry.value for entry in paper.other}
    assert paper.date == "1901"
    assert labels["Essay"] == "Begun in 1901."
    assert labels["Holdings"] == "A Library (Morgantown): Microfilm, 1907-1912"


def test_links_are_all_there_once_and_absolute() -> None:
    page = "https://www.loc.gov/resource/x.1/"
    tile = "https://tile.loc.gov/storage-services/x"
    found = record(
        {"resources": [{"files": 2, "url": "//www.loc.gov/resource/x.1/", "search": FACET}]},
        resources=[
            {
                "url": page,
                "pdf": f"{tile}/1.pdf",
                "image": f"{tile}/1t.gif#h=150&w=120",
                "caption": "Page view",
                "files": [
                    [{"url": f"{tile}/1.jp2"}, {"url": f"{tile}/1t.gif"}],
                    [{"url": f"{tile}/2.jp2"}, {"mimetype": "x"}],
                ],
            }
        ],
    )
    assert found.resource_links == (
        page,
        f"{tile}/1.pdf",
        f"{tile}/1t.gif",
        f"{tile}/1.jp2",
        f"{tile}/2.jp2",
    )


def test_a_count_of_files_is_no_list_of_files() -> None:
    assert record({}, resources=[{"files": 12}]).resource_links == ()


def test_related_items_are_ids_else_addresses_else_titles() -> None:
    found = record(
        {
            "related_items": [
                {"url": "/item/abc1", "title": "A"},
                {"url": "http://hdl.loc.gov/loc.mss/x", "title": "Finding aid"},
                {"title": "Only a title"},
                {"url": "https://www.loc.gov/item/2001/", "title": "Itself"},
            ]
        },
        related_items=[{"id": "http://www.loc.gov/item/abc2/"}, {"id": "//www.loc.gov/item/abc1/"}],
    )
    assert found.related_items == ("abc1", "https://hdl.loc.gov/loc.mss/x", "Only a title", "abc2")


def test_former_ids_keep_their_letters() -> None:
    found = record(
        {
            "number_former_id": ["http://www.loc.gov/item/thc1/pp", "http://www.loc.gov/item/2001"],
            "item": {"number_former_id": ["https://www.loc.gov/item/thc1/PP"]},
        }
    )
    assert found.former_ids == ("thc1/PP",)


def test_citations_are_plain() -> None:
    found = record({}, cite_this={"apa": "(1901) <cite>A quilt</cite>.", "mla": None})
    assert [entry.model_dump() for entry in found.citations] == [
        {"label": "APA", "value": "(1901) A quilt."}
    ]


def test_a_description_is_told_where_the_notes_do_not_say_it() -> None:
    notes = {"notes": ["One.", "Two."]}
    assert record({**notes, "description": ["One. Two."]}).other == ()
    (entry,) = record({**notes, "description": ["Three."]}).other
    assert (entry.label, entry.value) == ("Description", "Three.")


def test_an_answer_without_an_item_is_none() -> None:
    answers: list[dict[str, Any]] = [{}, {"status": 404}, {"item": {}}, {"item": None}]
    for answer in (*answers, {"item": []}):
        assert item_record(answer, "2001") is None


def test_a_record_that_lacks_its_id_is_known_as_asked() -> None:
    found = item_record({"item": {"title": "x"}}, "a/b")
    assert found is not None
    assert (found.item_id, found.url) == ("a/b", "https://www.loc.gov/item/a/b/")


KEYS = (
    *("contributors", "contributor_names", "creators", "subjects", "subject_headings", "date"),
    *("location", "language", "rights", "resources", "related_items", "holding_data", "item"),
    *("call_number", "number_former_id", "partof", "notes", "medium", "essay", "type", "dates"),
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6), JSON, JSON)
def test_no_shape_makes_a_record_fail(
    block: dict[str, Any], resources: object, related: object
) -> None:
    answer = body(
        {**block, "id": "http://www.loc.gov/item/2001/"}, resources=resources, cite_this=related
    )
    found = item_record({**answer, "related_items": related}, "2001")
    assert found is not None
    assert all(link.startswith(("https://", "http://")) for link in found.resource_links)
