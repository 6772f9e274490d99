"""What the cassettes of the Smithsonian show: a call each, and what must be told about it.

A further tool needs only cases here; `python -m recording.maker` writes what they record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from recording.case import Case
from recording.page import BUSY, MAINTENANCE, cut, website
from smithsonian.pretend_catalogue import (
    BAD_REQUEST,
    FIREWALL,
    NULL_RECORD,
    ROUTER,
    envelope,
    key_trouble,
)

SEARCH, GET = "smithsonian_search_objects", "smithsonian_get_object"
TERMS, MEDIA = "smithsonian_list_terms", "smithsonian_get_media"
BROWSE, RELATED = "smithsonian_browse_category", "smithsonian_find_related"
OWN_KEY = "a-key-for-the-tests-only"
_OPTIONS = {field.name for field in fields(Case)}
_KEY = {"environment": {"SMITHSONIAN_API_KEY": OWN_KEY}}


def case(tool: str, name: str, tells: str | tuple[str, ...], **more: Any) -> Case:
    """What is no option of a case is an argument of its call."""
    options = {key: more.pop(key) for key in list(more) if key in _OPTIONS}
    told = (tells,) if isinstance(tells, str) else tells
    return Case(name, (tool, more), told, **(_KEY | options))


def search(name: str, tells: str | tuple[str, ...], *, query: str = "", **more: Any) -> Case:
    return case(SEARCH, name, tells, query=query, **more)


def get(name: str, record: str, *tells: str, **options: Any) -> Case:
    return case(GET, name, tells, id=record, **options)


def media(name: str, record: str, *tells: str, **more: Any) -> Case:
    return case(MEDIA, name, tells, id=record, **more)


def terms(name: str, field: str, *tells: str, **more: Any) -> Case:
    return case(TERMS, name, tells, field=field, **more)


def browse(name: str, mode: str, value: str, *tells: str, **more: Any) -> Case:
    return case(BROWSE, name, tells, mode=mode, value=value, **more)


def related(name: str, record: str, *tells: str, **more: Any) -> Case:
    return case(RELATED, name, tells, id=record, **more)


SEARCHES = (
    search("full_page", ("15 objects match; 3 shown", "start=3 gets the next page"), rows=3),
    search("last_page", ("15 objects match; 3 shown", "none remain"), rows=3, start=12),
    search("past_the_end", ("15 objects match; 0 shown", "last valid start is 14"), start=50),
    search("words", "record_id nasm_A19670093000", query="amelia earhart"),
    search("excluded_words", "record_id nasm_A19700102000", query="columbia NOT earhart"),
    search(
        "filters",
        "1 object matches",
        query="earhart",
        filters={"unit_code": "NASM", "object_type": "Aircraft", "online_only": True},
    ),
    search(
        "cc0_only",
        "1 object matches",
        filters={"topic": "Ukiyo-e", "culture": "Japanese", "cc0_only": True},
    ),
    search(
        "scientific_name_by_genus",
        "Saccopteryx bilineata",
        filters={"scientific_name": "Saccopteryx"},
    ),
    search(
        "over_the_cap",
        ("rows=1500 was asked", "at most 1,000", "page size 1,000"),
        rows=1500,
        filters={"unit_code": "NASM"},
    ),
    search(
        "no_results",
        "No object matches",
        query="zeppelin Friedrichshafen",
        reason="no_results",
    ),
    search(
        "invalid_filter",
        ("No object matches", 'object_type="aircraft"'),
        filters={"object_type": "aircraft"},
        reason="invalid_filter",
        requests=None,
    ),
)

RECORDS = (
    get("aircraft", "nasm_A19670093000", "Pilot: Amelia Earhart", "3 in all, 3 CC0 images"),
    get("images_and_3d", "nasm_A19700102000", "16 in all, 14 CC0 images", "3d_voyager"),
    get("painting_on_view", "fsg_F1900.47", "葛飾北斎", "Japanese Art from the Collection (Freer)"),
    get("specimen", "nmnhvz_7585998", "10.58, -83.53, Cerro Del Tortuguero", "family: Embal"),
    get("names_as_objects", "siris_arc_291918", "Creator: Gruber, Martin A"),
    get("media_type_without_media", "npg_S_NPG.2002.184.54", "0 in all", "recortada en papel"),
    get("media_without_entries", "chndm_1974-100-11", "0 in all"),
    get("held_by_another_museum", "dpo_3d_rover", "held by: National Air and Space Museum"),
    get("markup_and_entities", "saam_1985.66.227", "“from life”; H2O colours & oil, 3 < 4."),
    get("single_objects_for_lists", "fbr_item_MODSI1318", "islands & reefs", "Electronic resource"),
    get("no_dates", "NMAI_76890", "Culture/People: Non-Indian"),
    get("empty_index", "nzp_NZP-20190822_001RP", "Bei Bei"),
    get("archive_by_its_id", "ead_component:sova-naa-1974-28-ref832", "Box 55", "undated"),
    get("by_row_id", "ld1-1643390182193-1643390183699-0", "record_id: fsg_F1900.47"),
    get("with_prefix_and_blanks", " edanmdm:chndm_1974-100-11 ", "# Poster"),
    get("not_found", "nasm_A00000000000", "no record", reason="not_found"),
    get(
        "after_a_search",
        "nasm_A19670093000",
        "Pilot: Amelia Earhart",
        before=((SEARCH, {"query": "amelia earhart"}),),
    ),
)

VOCABULARIES = (
    terms("museums_with_names", "unit_code", "NASM: National Air and Space Museum"),
    terms("museum_by_its_name", "unit_code", "- NASM: National", contains="air and space"),
    terms("part_of_a_term", "culture", "- Native Americans", contains="american"),
    terms("full_page", "topic", "start=3 gets the next page", rows=3),
    terms("last_page", "date", "none remain", rows=5, start=10),
    terms("past_the_end", "place", "lies past the end", start=500),
    terms("over_the_cap", "online_media_type", "rows=50000 was asked", rows=50_000),
    terms("none_holds_it", "culture", "None of", 'holds "Klingon"', contains="Klingon"),
    terms(
        "no_terms",
        "culture",
        "likely a passing fault",
        script=(envelope({"terms": []}),),
        reason="no_terms",
    ),
)

IMAGES = (
    media(
        "every_size",
        "nasm_A19670093000",
        "3 CC0 images",
        "alt text: The red Vega seen whole",
        "TIFF https",
    ),
    media("sizes_as_numbers", "fsg_F1900.47", "2 CC0 images", "3506 x 9833"),
    media("without_files", "nmnhvz_7585998", "1 CC0 image", "ark:/65665/m3210a583da18545648"),
    media("beside_3d", "nasm_A19700102000", "14 CC0 images"),
    media("some_withheld", "nmai_some_free", "1 CC0 image", "1 more image is not CC0"),
    media("section", "nasm_A19700102000", "14 CC0 images", "13. ", section="images", offset=12),
    media("past_the_end", "nasm_A19670093000", "past the end", section="images", offset=3),
    media("no_media", "npg_S_NPG.2002.184.54", "no media in the catalogue", reason="no_media"),
    media("no_images", "dpo_3d_rover", "other media: 3d_voyager", reason="no_images"),
    media("not_cc0", "npg_on_loan", "are not CC0", reason="not_cc0"),
    media("not_found", "nasm_A00000000000", "no record", reason="not_found"),
    media(
        "after_a_search",
        "nzp_NZP-20190822_001RP",
        "1 CC0 image",
        before=((SEARCH, {"query": "panda"}),),
    ),
)

CATEGORIES = (
    browse("museum", "museum", "NASM", "2 objects of museum NASM"),
    browse("museum_by_its_name", "museum", "air and space", "2 objects of museum NASM"),
    browse("culture", "culture", "Native Americans", "counts the whole category"),
    browse("period", "period", "1920s", "1920s match"),
    browse("medium", "medium", "Paintings", "Thunder god"),
    browse("topic", "topic", "Animals", "breakdown: "),
    browse("full_page", "topic", "Animals", "estimate from the one row", rows=1),
    browse("last_page", "topic", "Animals", "none remain", rows=1, start=1),
    browse("past_the_end", "topic", "Animals", "lies past the end", start=9),
    browse("over_the_cap", "museum", "NASM", "rows=1500 was asked", rows=1500),
    browse(
        "invalid_category",
        "culture",
        "Native American",
        "is not a term of culture",
        reason="invalid_category",
        requests=2,
    ),
    browse(
        "invalid_medium",
        "medium",
        "painting",
        "object_type terms seen",
        reason="invalid_category",
        requests=2,
    ),
)

RELATIVES = (
    related("full_page", "NMAI_76890", "1 shown", "more remain", limit=1, requests=None),
    related("last_page", "NMAI_76890", "the list ends here", limit=50, requests=None),
    related("past_the_end", "NMAI_76890", "past the end", start=5000, requests=None),
    related(
        "second_page_of_a_walk",
        "NMAI_76890",
        "the list ends here",
        start=1,
        before=((RELATED, {"id": "NMAI_76890", "limit": 1}),),
        requests=None,
    ),
    related("nothing_alike", "chndm_1974-100-11", "no object but this one", requests=None),
    related("no_signals", "nzp_NZP-20190822_001RP", "nothing to relate it by"),
    related(
        "folder_of_an_archive",
        "ead_component:sova-naa-1974-28-ref832",
        "Signals asked",
        requests=None,
    ),
    related(
        "one_signal_fails",
        "NMAI_76890",
        "failed and is left out",
        "Related to **",
        script=(None, website(500, "Internal Server Error")),
        requests=None,
    ),
    related("not_found", "nasm_A00000000000", "no record", reason="not_found"),
)

DEMO_KEY: dict[str, Any] = {"environment": {}}
_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "key_missing",
        {
            "script": (key_trouble("API_KEY_MISSING"),),
            "reason": "api_key_missing",
            "tells": ("https://api.data.gov/signup/",),
            **DEMO_KEY,
        },
    ),
    (
        "key_invalid",
        {
            "script": (key_trouble("API_KEY_INVALID", 403),),
            "reason": "api_key_invalid",
            "tells": ("https://api.data.gov/signup/", "SMITHSONIAN_API_KEY"),
        },
    ),
    (
        "quota_of_demo_key",
        {
            "script": (key_trouble("OVER_RATE_LIMIT"),),
            "reason": "rate_limit_exceeded",
            "tells": ("DEMO_KEY", "https://api.data.gov/signup/", "Wait: 60 seconds."),
            **DEMO_KEY,
        },
    ),
    (
        "quota_of_own_key",
        {
            "script": (key_trouble("OVER_RATE_LIMIT"),),
            "reason": "rate_limit_exceeded",
            "tells": ("1,000 requests an hour", "Wait: 60 seconds."),
        },
    ),
    (
        "rate_limited",
        {
            "script": (key_trouble("OVER_RATE_LIMIT", 429, Retry_After="3600"),),
            "reason": "rate_limit_exceeded",
            "tells": ("Wait: 60 minutes.",),
        },
    ),
    (
        "rate_limited_then_answers",
        {"script": (key_trouble("OVER_RATE_LIMIT", 429, Retry_After="5"),)},
    ),
    ("bad_request", {"script": (BAD_REQUEST,), "reason": "invalid_input", "tells": ("Rephrase",)}),
    ("firewall", {"script": (FIREWALL,), "reason": "invalid_input", "tells": ("firewall",)}),
    (
        "web_page",
        {"script": (MAINTENANCE,), "reason": "upstream_unavailable", "tells": ("web page",)},
    ),
    (
        "unavailable",
        {
            "script": (BUSY, BUSY, BUSY),
            "requests": 3,
            "reason": "upstream_unavailable",
            "tells": ("status 503",),
        },
    ),
    ("unavailable_then_answers", {"script": (BUSY,)}),
    ("route_lost_then_answers", {"script": (ROUTER,)}),
    ("cut_off_then_answers", {"script": (cut,)}),
)


_POSTER = "chndm_1974-100-11"
# A small good answer of each tool, what it tells, and how many requests it takes.
_GOOD: tuple[tuple[str, dict[str, Any], str, int], ...] = (
    (SEARCH, {"query": "poster"}, _POSTER, 1),
    (GET, {"id": _POSTER}, _POSTER, 1),
    (TERMS, {"field": "unit_code"}, "CHNDM: Cooper Hewitt", 1),
    (MEDIA, {"id": "nzp_NZP-20190822_001RP"}, "1 CC0 image", 1),
    (BROWSE, {"mode": "topic", "value": "graphic design"}, _POSTER, 1),
    (RELATED, {"id": _POSTER}, "no object but this one", 3),
)


def faults() -> Iterator[Case]:
    for tool, arguments, tells, requests in _GOOD:
        for name, options in _FAULTS:
            good: dict[str, Any] = {"tells": tells}
            if "reason" not in options:
                good["requests"] = requests + len(options["script"])
            yield case(tool, name, **(good | options), **arguments)
    for tool in (GET, MEDIA, RELATED):
        yield case(
            tool,
            "null_instead_of_a_record",
            "no record",
            id=_POSTER,
            script=(NULL_RECORD,),
            reason="not_found",
        )


CASES = (
    *(*SEARCHES, *RECORDS, *VOCABULARIES, *IMAGES, *CATEGORIES, *RELATIVES),
    *faults(),
)
