"""What may lie beside the checkout: the contract, captured data and the stand-in upstream."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[2] / "shared"
STANDIN = SHARED / "standin"
CAPTURED = SHARED / "upstream"
CONTRACT = SHARED / "contract"


@cache
def captured_records() -> tuple[dict[str, Any], ...]:
    """All captured records of the Smithsonian; empty where there are none."""
    return tuple(_lines(CAPTURED / "smithsonian" / "objects.jsonl.gz"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as handle:
            yield from map(json.loads, handle)


@cache
def contract(name: str) -> dict[str, Any] | None:
    """The contract of a tool; None where it is absent."""
    path = CONTRACT / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None
