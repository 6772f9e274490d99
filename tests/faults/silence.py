"""What an answer may say of hosts that gave none: that nothing can be told, never that there is none.

Two tools answer in an outage as well: heritage_verify by its verdicts, heritage_search by the states
of its lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SILENT = {"cannot_tell", "failed", "timed_out", "waiting"}


def tells_nothing(answer: Mapping[str, Any]) -> bool:
    """It speaks of things, and can tell nothing of any of them."""
    told = _told(answer)
    return bool(told) and set(told) <= SILENT and not denies(answer)


def denies(answer: Mapping[str, Any]) -> bool:
    """It says of something that there is none."""
    counts = [one["total"] for one in answer.get("lists", ()) if "total" in one]
    return "not_found" in _told(answer) or 0 in counts


def _told(answer: Mapping[str, Any]) -> list[str | None]:
    verdicts = [item.get("verdict") for item in answer.get("items", ())]
    return verdicts + [one.get("state") for one in answer.get("lists", ())]
