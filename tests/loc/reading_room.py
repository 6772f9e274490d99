"""What the Library's tests share: the tools by name, one good call of each, the stand-in's moods."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from conftest import Standin

SEARCH, ITEM, PAPERS, PAGE, SUBJECTS, SUBJECT, BROWSE = (
    f"libofcongress_{verb}"
    for verb in (
        *("search", "get_item", "search_newspapers", "get_newspaper_page"),
        *("search_subjects", "get_subject", "browse_collections"),
    )
)
GAZETTE = "https://www.loc.gov/resource/sn85025570/1894-06-07/ed-1/"
CALLS: dict[str, dict[str, Any]] = {
    SEARCH: {"query": "lomax", "limit": 3},
    ITEM: {"item_id": "2007680728"},
    PAPERS: {"query": "president", "limit": 2},
    PAGE: {"page_url": f"{GAZETTE}?sp=2"},
    SUBJECTS: {"query": "folk", "limit": 3},
    SUBJECT: {"subject": "sh85009792"},
    BROWSE: {"query": "lomax"},
}
CATALOGUE = (SEARCH, ITEM, PAPERS, PAGE, BROWSE)  # the tools that www.loc.gov serves

_USUAL: dict[str, Any] = {
    "past_end": 400,
    "item_404": "mixed",
    "modern_items": False,
    "resource_q": "503",
    "inflate": 0,
    "enforce_limits": "",
    "block_scale": 1.0,
    "window_scale": 1.0,
}


@contextmanager
def in_mood(standin: Standin, **settings: Any) -> Iterator[None]:
    """The stand-in with other settings, for a while."""
    standin.post("settings", settings)
    try:
        yield
    finally:
        standin.post("settings", {name: _USUAL[name] for name in settings})


@dataclass(frozen=True)
class Asked:
    host: str
    path: str
    query: str


def asked(standin: Standin) -> list[Asked]:
    """What was sent since the last reset, in order."""
    return [
        Asked(entry["host"], entry["path"], entry["query"]) for entry in standin.get("log?n=1000")
    ]
