"""What the cassettes of the Smithsonian show: a call each, and what must be told about it.

A case is a name, calls, the upstream's misbehaviour if any, and what the answer must say. A further
tool needs only cases here; `python -m smithsonian.make_cassettes` writes what they record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from smithsonian.pretend_catalogue import (
    BAD_REQUEST,
    BUSY,
    FIREWALL,
    MAINTENANCE,
    NULL_RECORD,
    ROUTER,
    Page,
    cut,
    key_trouble,
)

SEARCH, GET = "smithsonian_search_objects", "smithsonian_get_object"
OWN_KEY = "a-key-for-the-tests-only"
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """`script` is what upstream says first; `requests` counts all that leave, repetitions too.

    It is None where how many it takes to work a hint out is left to the tool.
    """

    name: str
    call: Call
    tells: tuple[str, ...]
    reason: str | None = None
    before: tuple[Call, ...] = ()
    script: tuple[Page | Callable[[Page], Page], ...] = ()
    requests: int | None = 1
    environment: dict[str, str] = field(default_factory=lambda: {"SMITHSONIAN_API_KEY": OWN_KEY})

    @property
    def tool(self) -> str:
        return self.call[0]

    @property
    def path(self) -> str:
        return f"{self.tool}/{self.name}.yaml"

    @property
    def can_be_live(self) -> bool:
        """Faults do not come when they are wanted."""
        return not self.script


def search(name: str, tells: str | tuple[str, ...], *, query: str = "", **more: Any) -> Case:
    options = {key: more.pop(key) for key in list(more) if key in Case.__dataclass_fields__}
    arguments = {"query": query, **more}
    return Case(name, (SEARCH, arguments), (tells,) if isinstance(tells, str) else tells, **options)


def get(name: str, record: str, *tells: str, **options: Any) -> Case:
    return Case(name, (GET, {"id": record}), tells, **options)


SEARCHES = (
    search("full_page", ("13 objects match; 3 shown", "start=3 gets the next page"), rows=3),
    search("last_page", ("13 objects match; 1 shown", "none remain"), rows=3, start=12),
    search("past_the_end", ("13 objects match; 0 shown", "last valid start is 12"), start=50),
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
        {"script": (key_trouble("OVER_RATE_LIMIT", 429, Retry_After="5"),), "requests": 2},
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
    ("unavailable_then_answers", {"script": (BUSY,), "requests": 2}),
    ("route_lost_then_answers", {"script": (ROUTER,), "requests": 2}),
    ("cut_off_then_answers", {"script": (cut,), "requests": 2}),
)


def faults() -> Iterator[Case]:
    for name, options in _FAULTS:
        good = {"tells": ("chndm_1974-100-11",)}
        yield search(name, query="poster", **(good | options))
        yield Case(name, (GET, {"id": "chndm_1974-100-11"}), **(good | options))
    yield get(
        "null_instead_of_a_record",
        "chndm_1974-100-11",
        "no record",
        script=(NULL_RECORD,),
        reason="not_found",
    )


CASES = (*SEARCHES, *RECORDS, *faults())
