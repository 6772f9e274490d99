"""Every fault an upstream can have, against every tool: what may come of it.

The page docs/faults.md is made from this table:

    PYTHONPATH=tests python tests/faults/table.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heritage_gateway.errors import Reason

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
RECORD = "nasm_A19670093000"
PAGE_URL = "https://www.loc.gov/resource/sn85025570/1894-06-07/ed-1/?sp=2"

CALLS: dict[str, dict[str, Any]] = {
    "smithsonian_search_objects": {"query": "quilt", "rows": 3},
    "smithsonian_list_terms": {"field": "culture", "rows": 3},
    "smithsonian_get_object": {"id": RECORD},
    "smithsonian_get_media": {"id": RECORD},
    "smithsonian_browse_category": {"mode": "museum", "value": "NASM", "rows": 3},
    "smithsonian_find_related": {"id": RECORD, "limit": 3},
    "libofcongress_search": {"query": "lomax", "limit": 3},
    "libofcongress_get_item": {"item_id": "2007680728"},
    "libofcongress_search_newspapers": {"query": "president", "limit": 3},
    "libofcongress_get_newspaper_page": {"page_url": PAGE_URL, "max_characters": 200},
    "libofcongress_search_subjects": {"query": "folk music", "limit": 3},
    "libofcongress_get_subject": {"subject": "sh87003768"},
    "libofcongress_browse_collections": {"limit": 3},
    "heritage_search": {"query": "president", "rows": 3},
    "heritage_verify": {"what": ["https://www.loc.gov/item/2007680728/", RECORD]},
    "heritage_cite": {"ids": ["https://www.loc.gov/item/2007680728/", RECORD]},
    "heritage_view_image": {"id": RECORD},
}

LIMIT, BLOCK = Reason.RATE_LIMIT_EXCEEDED, Reason.UPSTREAM_BLOCKED
DOWN, BAD, SLOW = Reason.UPSTREAM_UNAVAILABLE, Reason.UPSTREAM_MALFORMED, Reason.UPSTREAM_TIMEOUT
ABSENT = (
    *(Reason.NOT_FOUND, Reason.ITEM_NOT_FOUND, Reason.PAGE_NOT_FOUND),
    *(Reason.COLLECTION_NOT_FOUND,),
)


@dataclass(frozen=True)
class Fault:
    """A fault of the stand-in, what it is like, and the reasons that tell it truly.

    `heals` says that one fault alone is retried away; `rests` that the host is left alone after it;
    `denies` that it may be the host's own word that there is none.
    """

    kind: str
    means: str
    reasons: tuple[Reason, ...]
    heals: bool = False
    rests: bool = False
    denies: bool = False


FAULTS = (
    Fault("429", "the host says that too much was asked", (LIMIT,), rests=True),
    Fault("403-cloudflare", "a challenge page instead of data", (BLOCK,), rests=True),
    Fault("captcha-200", "a CAPTCHA page with status 200", (BLOCK,), rests=True),
    Fault("html-200", "a maintenance page with status 200", (DOWN,)),
    Fault("truncate", "JSON that ends in mid-text", (BAD,), heals=True),
    Fault("truncate-length", "a connection that ends before the body does", (DOWN,), heals=True),
    Fault("reset", "a connection that is reset", (DOWN,), heals=True),
    Fault("slow:0.3", "a slow but good answer", ()),
    Fault("400", "the request is refused", (Reason.INVALID_INPUT, DOWN)),
    Fault(
        "404",
        "a web page that says not found",
        (*ABSENT, DOWN, Reason.INVALID_INPUT),
        denies=True,
    ),
    Fault("404-router", "the gateway has lost its route", (DOWN,), heals=True),
    Fault("500", "a fault inside the host", (DOWN,)),
    Fault("502", "a bad gateway", (DOWN,), heals=True),
    Fault("503", "overload", (DOWN,), heals=True),
    Fault("504", "a gateway that waited too long", (DOWN,), heals=True),
    Fault("520", "an error of the content network", (DOWN,)),
    Fault("empty-nocache", "no results, and told not to keep that", (DOWN, BAD, *ABSENT)),
    Fault(
        "error-in-200:OVER_RATE_LIMIT",
        "a quota error inside status 200",
        (LIMIT, DOWN, BAD, *ABSENT),
        rests=True,
    ),
    Fault("garbage", "bytes that are no JSON", (BAD,)),
)


def page() -> str:
    lines = [
        "# What becomes of an upstream's faults",
        "",
        (
            "Every fault below was put before every tool, once and for ever (`tests/faults`). A call "
            "ends with a good answer, with a kept answer that says its age, or with one of these "
            'reasons, within its deadline; an outage never reads as "there is none". What heals alone '
            "is retried; after a limit or a block nothing is sent for the stated time."
        ),
        "",
        "| Fault | Reasons while it lasts | One alone |",
        "| --- | --- | --- |",
    ]
    for fault in FAULTS:
        reasons = (
            ", ".join(f"`{reason}`" for reason in dict.fromkeys(fault.reasons)) or "a good answer"
        )
        alone = "retried away" if fault.heals else "the host rests" if fault.rests else "told"
        lines.append(
            f"| {fault.means} (`{fault.kind}`) | {reasons} | {alone if fault.reasons else 'waited for'} |"
        )
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
