"""What the cassettes of the tools above all houses show: a call each, and what must be told about it.

A script is spoken in the order in which requests come: to the search of all lists the items of the
Library, its newspapers, the Smithsonian.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from loc.pretend_library import (
    CHALLENGE,
    NO_PAGE,
    TOO_MANY,
    TOO_MANY_FOR_A_WHILE,
    failing_search,
)
from recording.case import Case
from recording.page import BUSY, MAINTENANCE, Page, cut
from smithsonian.cassette_cases import OWN_KEY
from smithsonian.pretend_catalogue import key_trouble

SEARCH, VERIFY = "heritage_search", "heritage_verify"
CITE, VIEW = "heritage_cite", "heritage_view_image"
_OPTIONS = {field.name for field in fields(Case)}
_KEY = {"environment": {"SMITHSONIAN_API_KEY": OWN_KEY}}
_ITEM = "https://www.loc.gov/item/2007680728/"
_NO_ITEM = "https://www.loc.gov/item/no-such-item-1/"
_PAGE = "https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6"
_NO_PAGE = "https://www.loc.gov/resource/sn85025570/1894-06-07/ed-1/?sp=99"
_VEGA, _NO_RECORD = "nasm_A19670093000", "nasm_A00000000000"
_DAY = "2026-03-01"
_QUOTA = key_trouble("OVER_RATE_LIMIT")
_OVER = key_trouble("OVER_RATE_LIMIT", 429, Retry_After="3600")


def case(tool: str, name: str, *tells: str, **more: Any) -> Case:
    """What is no option of a case is an argument of its call."""
    options = {key: more.pop(key) for key in list(more) if key in _OPTIONS}
    return Case(name, (tool, more), tells, **(_KEY | options))


def search(name: str, query: str, *tells: str, **more: Any) -> Case:
    return case(SEARCH, name, *tells, query=query, **({"requests": 3} | more))


def verify(name: str, what: str | list[str], *tells: str, **more: Any) -> Case:
    listed = [what] if isinstance(what, str) else what
    return case(VERIFY, name, *tells, what=listed, **more)


def cite(name: str, ids: str | list[str], *tells: str, **more: Any) -> Case:
    listed = [ids] if isinstance(ids, str) else ids
    return case(CITE, name, *tells, ids=listed, accessed=_DAY, **more)


def view(name: str, given: str, *tells: str, **more: Any) -> Case:
    """A record, and then its picture."""
    return case(VIEW, name, *tells, id=given, **({"requests": 2} | more))


def closed(page: Page) -> Page:
    """The same record, kept from readers."""
    if isinstance(page.body, bytes):
        raise TypeError(page)
    body = page.body.replace('"access_restricted": false', '"access_restricted": true')
    return replace(page, body=body)


SEARCHES = (
    search(
        "every_list",
        "states",
        "id map-of-the-tests",
        "Image 3 of The Redwood gazette",
        "id nasm_A19670093000",
        "counts are not to be added",
    ),
    search("first_row_of_each", "states", 'Continue: smithsonian_search_objects {"query": "states", "start": 1}', rows=1),
    search("one_list_alone", "earhart", "[smithsonian]: answered, 1", lists=["smithsonian"], requests=1),
    search("more_rows_than_are_served", "map", "rows=100 was asked; a list holds at most 25", rows=100),
    search(
        "nothing_found_anywhere",
        "zeppelin",
        "[loc_items]: answered, 0",
        "[newspapers]: answered, 0",
        "[smithsonian]: answered, 0",
    ),
    search(
        "one_house_is_down",
        "map",
        "[loc_items]: answered, 2",
        "[smithsonian]: failed (upstream_unavailable)",
        "Nothing can be told of what is in Smithsonian Open Access",
        script=(None, None, BUSY, BUSY, BUSY),
        requests=5,
    ),
    search(
        "one_house_is_at_its_limit",
        "map",
        "[loc_items]: answered, 2",
        "[smithsonian]: failed (rate_limit_exceeded)",
        "Wait: 60 minutes.",
        script=(None, None, _OVER),
    ),
    search(
        "a_failing_search_is_no_zero",
        "map",
        "[loc_items]: failed (upstream_unavailable)",
        "[newspapers]: answered, 0",
        script=(failing_search,),
    ),
    search("rate_limited", "map", "No list answered.", "Wait: 60 seconds.", lists=["loc_items", "smithsonian"], script=(TOO_MANY, _QUOTA), reason="rate_limit_exceeded", requests=2),
    search("challenge", "map", "No list answered.", lists=["loc_items"], script=(CHALLENGE,), reason="upstream_blocked", requests=1),
    search("web_page", "map", "No list answered.", "web page", script=(MAINTENANCE,) * 3, reason="upstream_unavailable"),
    search("unavailable", "map", "says nothing about what the collections hold", script=(BUSY,) * 9, reason="upstream_unavailable", requests=7),
    search("unavailable_then_answers", "map", "[loc_items]: answered, 2", script=(BUSY,) * 3, requests=6),
    search("cut_off_then_answers", "map", "[loc_items]: answered, 2", script=(cut,) * 3, requests=6),
)  # fmt: skip

_TREATISE = '"A treatise on zeppelin moorings." 1931.'
_SILENT = ("cannot_tell", "A house that may have it gave no answer.")
VERDICTS = (
    verify("by_link_and_id", [_ITEM, _VEGA], f"{_ITEM}: exists", f"{_VEGA}: exists", requests=2),
    verify("not_found_by_link_and_id", [_NO_ITEM, _NO_RECORD], f"{_NO_ITEM}: not_found", f"{_NO_RECORD}: not_found", requests=2),
    verify("title_and_date_differ", _VEGA, "exists", "title differs", "date differs", title="Spirit of St. Louis", date="1936"),
    verify(
        "by_a_citation",
        'Allen & Ginter. "John Morrill, Boston Beaneaters, baseball card portrait." 1888.',
        ": exists",
        "id 2007680728",
        requests=4,
    ),
    verify("by_a_title", "Command Module, Apollo 11", ": exists", "id nasm_A19700102000", requests=3),
    verify("no_such_title", _TREATISE, ": not_found", 'searched for "treatise zeppelin": 0 found', requests=6),
    verify("a_title_like_others", "map", ": cannot_tell", "candidate: **Sanborn", requests=3),
    verify("one_house_is_down", _TREATISE, ": cannot_tell", "Nothing can be told of Smithsonian Open Access.", script=(None, None, BUSY, BUSY, BUSY), requests=5),
    verify("rate_limited", [_ITEM, _VEGA], *_SILENT, "Wait: 20 minutes.", "Wait: 60 minutes.", script=(TOO_MANY_FOR_A_WHILE, _OVER), requests=2),
    verify("challenge", _ITEM, *_SILENT, "upstream_blocked", script=(CHALLENGE,)),
    verify("web_page", _ITEM, *_SILENT, "web page", script=(MAINTENANCE,)),
    verify("unavailable", [_ITEM, _VEGA], *_SILENT, "status 503", script=(BUSY,) * 5, requests=5),
    verify("unavailable_then_answers", _ITEM, ": exists", script=(BUSY,), requests=2),
)  # fmt: skip

_STYLES = {
    "chicago": "November 20, 1924, p. 6.",
    "mla": "20 Nov. 1924, p. 6.",
    "apa": "(1924, November 20)",
    "bibtex": "@misc{nasm_A19670093000,",
    "ris": "TY  - NEWS",
    "csl-json": '"type": "article-newspaper"',
}
CITATIONS = (
    *(cite(style.replace("-", "_"), [_ITEM, _VEGA, _PAGE], told, style=style, requests=3) for style, told in _STYLES.items()),
    cite("one_fails_and_spoils_no_other", [_ITEM, _NO_RECORD], "1 citation, style chicago", f"{_NO_RECORD} (not_found)", requests=2),
    cite("one_house_is_down", [_ITEM, _VEGA], "1 citation", f'Continue: heritage_cite {{"ids": ["{_VEGA}"]', script=(None, BUSY, BUSY, BUSY), requests=4),
    cite("not_found", _NO_RECORD, "holds no record with this id", reason="not_found"),
    cite("item_not_found", _NO_ITEM, "no item with this id", reason="item_not_found"),
    cite("page_not_found", _NO_PAGE, "no page at this address", reason="page_not_found"),
    cite("not_found_as_a_web_page", _NO_ITEM, "no item with this id", script=(NO_PAGE,), reason="item_not_found"),
    cite("rate_limited", [_ITEM, _VEGA], "None of the 2 ids could be cited", script=(TOO_MANY, _OVER), reason="rate_limit_exceeded", requests=2),
    cite("challenge", _ITEM, "Wait: 60 minutes.", script=(CHALLENGE,), reason="upstream_blocked"),
    cite("web_page", _ITEM, "web page", script=(MAINTENANCE,), reason="upstream_unavailable"),
    cite("unavailable", _VEGA, "status 503", script=(BUSY,) * 3, reason="upstream_unavailable", requests=3),
    cite("unavailable_then_answers", _VEGA, "1 citation", script=(BUSY,), requests=2),
    cite("cut_off_then_answers", _VEGA, "1 citation", script=(cut,), requests=2),
)  # fmt: skip

PICTURES = (
    view("object", _VEGA, "image 1 of 3", 'free_to_use, by "CC0"'),
    view("another_of_its_images", _VEGA, "image 2 of 3", number=2),
    view("by_the_id_of_the_image", "NASM-A19670093000-NASM2018-10364-000001", "image 2 of 3"),
    view("item", _ITEM, "| 2 x 1 pixels |", "No known restrictions on publication."),
    view("newspaper_page", _PAGE, "Image 6 of Imperial Valley press"),
    view("part_of_a_page", _PAGE, "region x 25 %, y 0 %, 50 % by 50 %", region={"x": 25, "y": 0, "width": 50, "height": 50}, size=512),
    view("part_of_a_file", _ITEM, "| 1 x 1 pixels |", region={"x": 0, "y": 0, "width": 50, "height": 100}),
    view("not_found", _NO_RECORD, "holds no record with this id", reason="not_found", requests=1),
    view("item_not_found", _NO_ITEM, "no item with this id", reason="item_not_found", requests=1),
    view("page_not_found", _NO_PAGE, "no page at this address", reason="page_not_found", requests=1),
    view("no_media", "npg_S_NPG.2002.184.54", "has no media", reason="no_media", requests=1),
    view("no_images", "dpo_3d_rover", "other media: 3d_voyager", reason="no_images", requests=1),
    view("not_cc0", "npg_on_loan", "are not CC0", reason="not_cc0", requests=1),
    view("access_restricted", _ITEM, "restricts access", script=(closed,), reason="access_restricted", requests=1),
    view("the_picture_is_gone", _ITEM, "no picture where the record names one", script=(None, NO_PAGE), reason="no_images"),
    view("a_web_page_for_a_picture", _VEGA, "web page", script=(None, MAINTENANCE), reason="upstream_unavailable"),
    view("the_picture_is_cut_off", _ITEM, "cannot be read", script=(None, cut), reason="upstream_malformed"),
    view("rate_limited", _ITEM, "Wait: 60 minutes.", script=(TOO_MANY,), reason="rate_limit_exceeded", requests=1),
    view("challenge", _ITEM, "Wait: 60 minutes.", script=(CHALLENGE,), reason="upstream_blocked", requests=1),
    view("unavailable", _VEGA, "status 503", script=(BUSY,) * 3, reason="upstream_unavailable", requests=3),
    view("unavailable_then_answers", _VEGA, "image 1 of 3", script=(BUSY, None, BUSY), requests=4),
)  # fmt: skip

CASES = (*SEARCHES, *VERDICTS, *CITATIONS, *PICTURES)
