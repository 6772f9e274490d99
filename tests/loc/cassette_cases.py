"""What the cassettes of the Library of Congress show: a call each, and what must be told about it.

A further tool needs only cases here; `python -m recording.maker` writes what they record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from loc.pretend_library import (
    BROKEN,
    CAPTCHA_IN_200,
    CHALLENGE,
    COUNT_WITHOUT_ROWS,
    MISSING_IN_200,
    NO_HITS_LIST,
    NO_ITEM_IN_200,
    NO_PAGE,
    REFUSED,
    RESULTS_NULL,
    TOO_MANY,
    TOO_MANY_FOR_A_WHILE,
    failing_search,
    issues_for_pages,
    unfiltered,
)
from recording.case import Call, Case
from recording.page import BUSY, MAINTENANCE, Scripted, cut

SEARCH, ITEM = "libofcongress_search", "libofcongress_get_item"
NEWSPAPERS, PAGE = "libofcongress_search_newspapers", "libofcongress_get_newspaper_page"
SUBJECTS, SUBJECT = "libofcongress_search_subjects", "libofcongress_get_subject"
COLLECTIONS = "libofcongress_browse_collections"
_OPTIONS = {field.name for field in fields(Case)}
_CLARA = "https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6"
_REDWOOD = "https://www.loc.gov/resource/sn85025570/1894-06-07/ed-1/?sp="


def case(tool: str, name: str, *tells: str, **more: Any) -> Case:
    """What is no option of a case is an argument of its call."""
    options = {key: more.pop(key) for key in list(more) if key in _OPTIONS}
    return Case(name, (tool, more), tells, **options)


def search(name: str, query: str, *tells: str, **more: Any) -> Case:
    return case(SEARCH, name, *tells, query=query, **more)


def item(name: str, record: str, *tells: str, **more: Any) -> Case:
    return case(ITEM, name, *tells, item_id=record, **more)


def papers(name: str, query: str, *tells: str, **more: Any) -> Case:
    return case(NEWSPAPERS, name, *tells, query=query, **more)


def page(name: str, url: str, *tells: str, **more: Any) -> Case:
    return case(PAGE, name, *tells, page_url=url, **more)


def subjects(name: str, query: str, *tells: str, **more: Any) -> Case:
    return case(SUBJECTS, name, *tells, query=query, **more)


def subject(name: str, given: str, *tells: str, **more: Any) -> Case:
    return case(SUBJECT, name, *tells, subject=given, **more)


def collections(name: str, *tells: str, **more: Any) -> Case:
    return case(COLLECTIONS, name, *tells, **more)


SEARCHES = (
    search("full_page", "1", "page=2 gets the next items", limit=3),
    search("last_page", "map", "no page follows", limit=1, page=2),
    search("past_the_end", "map", "lies past the end", limit=5, page=4, requests=2),
    search("photograph", "morrill", "id 2007680728", "item record: yes"),
    search(
        "one_format_and_years",
        "map",
        "id sanborn00192_001",
        format="map",
        date_start=1800,
        date_end=1900,
    ),
    search(
        "in_a_collection",
        "columbo",
        "Collection: john-and-ruby-lomax",
        collection_slug="john-and-ruby-lomax",
    ),
    search("place", "map", "id sanborn00192_001", location="Arkansas"),
    search(
        "subdivided_heading",
        "boston",
        'applied as subject "baseball players"',
        subject="Baseball players--Massachusetts--Boston--1880-1890",
        requests=None,
    ),
    search(
        "place_under_location",
        "map",
        'location "clark county"',
        subject="Insurance maps--Clark County",
        requests=None,
    ),
    search("rows_without_a_record", "books", "item record: no"),
    search("stripped_words", "map NOT boston", "takes NOT out of a query"),
    search("newest_first", "map", "1886-06", sort="date_desc"),
    search("nothing_found", "zeppelin", "Nothing digitised matches"),
    search(
        "filter_ignored",
        "map",
        "did not apply",
        location="ohio",
        script=(unfiltered,),
        reason="upstream_malformed",
    ),
    search(
        "results_null",
        "map",
        "without its results",
        script=(RESULTS_NULL,),
        reason="upstream_malformed",
    ),
    search(
        "collection_not_found",
        "map",
        'no collection "no-such-collection"',
        collection_slug="no-such-collection",
        reason="collection_not_found",
    ),
    search(
        "failing_page_is_not_the_end",
        "map",
        "failing",
        limit=1,
        page=2,
        script=(BROKEN,),
        requests=2,
        reason="upstream_unavailable",
    ),
)

ITEMS = (
    item("photograph", "2007680728", "Allen & Ginter (sponsor)", "LOT 13163-06", "access restricted: no"),
    item("sound", "lomaxbib000097", "Jones, John B. (Performer)", "1939-04-09"),
    item("map", "sanborn00192_001", "1886-06", "Files and pages:"),
    item("year_in_doubt", "map-of-the-tests", "[1769?]", "free of rights"),
    item("manuscript", "mss119730001", "Barton, Clara, 1821-1912"),
    item("issue_of_a_newspaper", "sn85025570/1894-06-07/ed-1", "1894-06-07", "digitising institution"),
    item("newspaper", "sn83045462", "Evening star"),
    item("by_address", "https://www.loc.gov/item/2007680728/", "item_id: 2007680728"),
    item("section", "2007680728", "subject headings", section="subject_headings"),
    item("item_not_found", "no-such-item-1", "no item with this id", reason="item_not_found"),
    item("not_found_as_a_web_page", "no-such-item-2", "no item with this id", script=(NO_PAGE,), reason="item_not_found"),
    item("not_found_in_200", "no-such-item-3", "no item with this id", script=(MISSING_IN_200,), reason="item_not_found"),
    item("empty_item_in_200", "no-such-item-4", "no item with this id", script=(NO_ITEM_IN_200,), reason="item_not_found"),
)  # fmt: skip

PRINTED = (
    papers("full_page", "president", "page=2 gets the next pages", limit=2),
    papers("last_page", "president", "no page follows", limit=2, page=2),
    papers("past_the_end", "president", "lies past the end", limit=2, page=9, requests=2),
    papers(
        "passage_with_the_words",
        "clara bow",
        "passage with the words: ",
        "ingenue film actress",
        state="california",
    ),
    papers("opening_of_the_page", "wheat", "opening of the page: "),
    papers("days", "clara bow", "image 6", date_from="1924-10-01", date_to="1924-12-31"),
    papers(
        "years_and_language",
        "wheat",
        "1894-06-07",
        date_start=1890,
        date_end=1900,
        language="english",
    ),
    papers("by_number_of_the_paper", "president", "lccn sn85025570", lccn="sn85025570"),
    papers(
        "by_name_of_the_paper",
        "president",
        "The paper is The Redwood gazette",
        newspaper_title="redwood gazette",
        requests=2,
    ),
    papers(
        "several_papers_of_a_name", "president", "may be one of", newspaper_title="star", requests=2
    ),
    papers("front_pages", "president", "Rows were chosen here: yes", front_pages=True),
    papers("nothing_found", "zeppelin", "No digitised page matches"),
    papers("other_route", "president", "lccn sn85025570", script=(issues_for_pages,), requests=2),
    papers(
        "other_things_on_both_routes",
        "president",
        "other things",
        script=(issues_for_pages, issues_for_pages),
        requests=2,
        reason="upstream_malformed",
    ),
)

PAGES = (
    page("by_address", _CLARA, "ingenue film actress", "characters of the text", requests=2),
    page("after_a_search", _CLARA, "ingenue film actress", before=((NEWSPAPERS, {"query": "clara bow"}),), requests=2),
    page("passages", _CLARA, "Passage at", find="clara bow", requests=2),
    page("part_of_the_text", _CLARA, "offset=80 continues it", offset=40, max_characters=40, requests=2),
    page("words_not_there", _CLARA, "does not hold", find="zeppelin", requests=2),
    page("old_address", "https://chroniclingamerica.loc.gov/lccn/sn85025570/1894-06-07/ed-1/seq-2/ocr/", "old address is read as", requests=2),
    page("without_text", f"{_REDWOOD}5", "digitised text exists: no"),
    page("whole_work", "https://www.loc.gov/resource/rbc0001.2013rosen1432/", "whole work", requests=2),
    page("picture", "https://www.loc.gov/resource/bbc.0550f/", "digitised text exists: no", requests=2),
    page("text_service_fails", _CLARA, "could not be fetched", script=(None, BROKEN), requests=2),
    page("text_service_at_its_limit", _CLARA, "could not be fetched", script=(None, TOO_MANY), requests=2),
    page("text_is_missing", _CLARA, "no text for this page", script=(None, NO_PAGE), requests=2),
    page("text_is_cut_off_then_whole", _CLARA, "ingenue film actress", script=(None, cut), requests=3),
    page("page_not_found", f"{_REDWOOD}99", "no page at this address", reason="page_not_found"),
    page("not_found_as_a_web_page", f"{_REDWOOD}1", "no page at this address", script=(NO_PAGE,), reason="page_not_found"),
)  # fmt: skip

WORDS = (
    subjects("full_page", "folk", "more follow", limit=2),
    subjects("last_page", "folk", "no more follow", limit=3, page=2),
    subjects("past_the_end", "folk", "past the end", page=9),
    subjects(
        "through_a_variant", "traditional music", "Folk music", "found through: Traditional music"
    ),
    subjects("plural", "christmas musics", "Christmas music", requests=2),
    subjects("nothing_found", "zeppelin", "No subject heading holds all words"),
    subjects(
        "older_service", "cats", "the older one was asked", "- Cats |", script=(BROKEN,), requests=2
    ),
    subjects(
        "unreadable_then_older_service",
        "cats",
        "the older one was asked",
        script=(NO_HITS_LIST,),
        requests=2,
    ),
    subjects(
        "both_services_fail",
        "cats",
        "status 500",
        script=(BROKEN, BROKEN),
        requests=2,
        reason="upstream_unavailable",
    ),
)

HEADINGS = (
    subject("by_id", "sh85021262", "# Cats", 'broader: "Domestic animals"', "Felis catus"),
    subject("by_uri", "http://id.loc.gov/authorities/subjects/sh85021262", "# Cats"),
    subject("by_label", "cats", "# Cats", requests=2),
    subject("no_longer_used", "sh87003768", "no longer used", "n2017065815"),
    subject("section", "sh85021262", "see-from terms", section="variants"),
    subject(
        "not_found", "sh99999999", "keeps no subject heading under this id", reason="not_found"
    ),
    subject(
        "label_not_found", "folk songs", "Headings with these words", reason="not_found", requests=2
    ),
)

CURATED = (
    collections("full_page", "slug aaron-copland", "page=2 gets the next", limit=2),
    collections("last_page", "no page follows", limit=4, page=2),
    collections("past_the_end", "lies past the end", page=9),
    collections("words", "slug alan-lomax-in-michigan", "formats audio", query="lomax"),
    collections("without_a_search_of_its_own", "Afghanistan Web Archive", query="afghanistan"),
    collections("none_holds_it", "None of the", query="zeppelin"),
    collections(
        "list_without_rows",
        "listed no collection at all",
        script=(COUNT_WITHOUT_ROWS,),
        reason="upstream_malformed",
    ),
)


# A small good answer of each tool, what it tells, and how many requests it takes.
_GOOD: tuple[tuple[str, dict[str, Any], str, int], ...] = (
    (SEARCH, {"query": "morrill"}, "id 2007680728", 1),
    (ITEM, {"item_id": "sanborn00192_001"}, "Arkadelphia", 1),
    (NEWSPAPERS, {"query": "clara bow"}, "image 6", 1),
    (PAGE, {"page_url": _CLARA}, "ingenue film actress", 2),
    (SUBJECTS, {"query": "cats"}, "- Cats |", 1),
    (SUBJECT, {"subject": "sh85021262"}, "# Cats", 1),
    (COLLECTIONS, {"query": "copland"}, "slug aaron-copland", 1),
)
_LIMIT, _BLOCK = "rate_limit_exceeded", "upstream_blocked"
_DOWN, _GARBLED = "upstream_unavailable", "upstream_malformed"
# Name, what upstream says, the reason, and a word of the answer; where the true answer follows in
# the end, there is no reason.
_FAULTS: tuple[tuple[str, tuple[Scripted, ...], str | None, str], ...] = (
    ("rate_limited", (TOO_MANY,), _LIMIT, "Wait: 60 minutes."),
    ("rate_limited_for_a_while", (TOO_MANY_FOR_A_WHILE,), _LIMIT, "Wait: 20 minutes."),
    ("challenge", (CHALLENGE,), _BLOCK, "Wait: 60 minutes."),
    ("captcha_in_200", (CAPTCHA_IN_200,), _BLOCK, "Wait: 60 minutes."),
    ("refused", (REFUSED,), _BLOCK, "Wait: 60 minutes."),
    ("web_page", (MAINTENANCE,), _DOWN, "web page"),
    ("unavailable", (BUSY, BUSY), _DOWN, "status 503"),
    ("unavailable_then_answers", (BUSY,), None, ""),
    ("cut_off", (cut, cut), _GARBLED, "cut off"),
    ("cut_off_then_answers", (cut,), None, ""),
)


def faults() -> Iterator[Case]:
    for tool, arguments, tells, requests in _GOOD:
        for name, script, reason, told in _FAULTS:
            said = script
            if tool == SUBJECTS and reason in (_DOWN, _GARBLED):
                said = (*script, *script)  # the older service is asked then, and fails too
            sent = len(said) if reason else requests + len(said)
            word = told if reason else tells
            yield case(tool, name, word, script=said, reason=reason, requests=sent, **arguments)
        again: Call = (tool, arguments)
        yield case(
            tool,
            "nothing_is_sent_after_a_limit",
            "Wait: 60 minutes.",
            before=(again,),
            script=(TOO_MANY,),
            reason=_LIMIT,
            **arguments,
        )
    for tool, query in ((SEARCH, "morrill"), (NEWSPAPERS, "clara bow"), (COLLECTIONS, None)):
        yield case(
            tool,
            "failing_search_is_no_zero",
            "failing just now",
            script=(failing_search,),
            reason=_DOWN,
            query=query,
        )
    for tool, kept, other in (
        (SEARCH, {"query": "morrill"}, {"query": "map"}),
        (ITEM, {"item_id": "2007680728"}, {"item_id": "sanborn00192_001"}),
        (SUBJECTS, {"query": "cats"}, {"query": "folk"}),
    ):
        yield case(
            tool,
            "kept_answer_after_a_limit",
            "could not be asked just now",
            before=((tool, kept), (tool, other)),
            script=(None, TOO_MANY),
            requests=2,
            **kept,
        )


CASES = (*SEARCHES, *ITEMS, *PRINTED, *PAGES, *WORDS, *HEADINGS, *CURATED, *faults())
