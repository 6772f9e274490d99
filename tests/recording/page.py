"""Answers as they leave a pretended upstream."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx


@dataclass(frozen=True)
class Page:
    """An answer as it leaves: `body` is cut where a test wants it so, and text but for pictures."""

    status: int
    body: str | bytes
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})

    def response(self) -> httpx.Response:
        body = self.body if isinstance(self.body, bytes) else self.body.encode("utf-8")
        return httpx.Response(self.status, headers=dict(self.headers), content=body)


# What upstream says first, in order: an answer, a change of the true one, or None for the true one.
Scripted = Page | Callable[[Page], Page] | None


def shown(value: object) -> str:
    """One key a line, so that a recorded answer can be read and compared."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def website(status: int, title: str, **headers: str) -> Page:
    body = (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title></head><body>{title}</body></html>\n"
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(status, body, {"Content-Type": "text/html; charset=utf-8"} | named)


# Two pixels, red and white: written out, since what writes pictures writes them otherwise every year.
PICTURE = Page(
    200,
    b"GIF89a\x02\x00\x01\x00\x80\x00\x00\xff\x00\x00\xff\xff\xff"
    b",\x00\x00\x00\x00\x02\x00\x01\x00\x00\x02\x02D\n\x00;",
    {"Content-Type": "image/gif"},
)

MAINTENANCE = website(200, "Closed for maintenance")
BUSY = website(503, "Service Unavailable")


def cut(page: Page, part: float = 0.6) -> Page:
    return Page(page.status, page.body[: int(len(page.body) * part)], page.headers)
