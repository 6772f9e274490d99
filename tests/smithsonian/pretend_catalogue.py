"""A small catalogue that answers as EDAN does, out of given records: the same question, the same bytes.

It understands the queries that this project writes: words and phrases in brackets, quoted exact
terms, the two literals, NOT before any of them. Everything else about it is deliberately strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import httpx

from recording.page import PICTURE, Page, Scripted, shown, website
from smithsonian.catalogue_cards import CARDS, Card

ROOT = "/openaccess/api/v1.0"
_PART = re.compile(
    r'(?P<field>[\w-]+):(?:"(?P<value>(?:\\.|[^"\\])*)"|(?P<literal>\S+?)(?=[\s)]|$))'
    r'|"(?P<phrase>(?:\\.|[^"\\])*)"|(?P<bracket>[()])|(?P<word>[^\s()"]+)'
)
_VOCABULARIES = ("culture", "date", "online_media_type", "place", "topic", "unit_code")


def envelope(response: object, *, status: int = 200, code: int = 1) -> Page:
    return Page(status, shown({"status": status, "responseCode": code, "response": response}))


def refused(status: int, words: str) -> Page:
    return envelope({"error": words}, status=status, code=0)


def key_trouble(code: str, status: int = 200, **headers: str) -> Page:
    """The gateway speaks before the catalogue, and without its envelope."""
    body = {"error": {"code": code, "message": f"The gateway says {code}."}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(status, shown(body), {"Content-Type": "application/json"} | named)


FIREWALL = website(403, "Request Rejected")
ROUTER = Page(
    404,
    "404 Not Found: Requested route ('api.si.edu') does not exist.\n",
    {"Content-Type": "text/plain; charset=utf-8", "X-Cf-Routererror": "unknown_route"},
)
NO_RECORD = refused(404, "not found: no record is kept under this address")
BAD_REQUEST = refused(400, "bad request: a parameter cannot be read")
NULL_RECORD = envelope(None)


@dataclass
class PretendCatalogue:
    """`script` holds answers that come before those of the records; None in it lets one through."""

    cards: Sequence[Card] = CARDS
    script: list[Scripted] = field(default_factory=list[Scripted])
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        scripted = self.script.pop(0) if self.script else None
        if isinstance(scripted, Page):
            return scripted.response()
        page = self.answer(request.url.path, dict(request.url.params))
        return (scripted(page) if scripted else page).response()

    @property
    def asked(self) -> list[str]:
        """The queries that came, decoded."""
        return [request.url.params.get("q", "") for request in self.requests]

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self)

    def answer(self, path: str, params: Mapping[str, str]) -> Page:
        if path.startswith("/ids/"):
            return PICTURE
        verb, _, rest = path.removeprefix(ROOT).removeprefix("/").partition("/")
        if verb == "search":
            return self._search(params)
        if verb == "content":
            return self._content(unquote(rest))
        if verb == "terms" and rest in _VOCABULARIES:
            return envelope({"terms": sorted(self._vocabulary(rest))})
        return FIREWALL if (verb, rest) == ("terms", "object_type") else BAD_REQUEST

    def _search(self, params: Mapping[str, str]) -> Page:
        rows, start = int(params.get("rows", "10")), int(params.get("start", "0"))
        if not params.get("q"):
            return BAD_REQUEST
        found = [card for card in self.cards if _matches(card, params["q"])]
        page = found[start : start + (rows if rows <= 1000 else 10)]
        return envelope({"rows": page, "rowCount": len(found), "message": "content found"})

    def _content(self, name: str) -> Page:
        for card in self.cards:
            if name in (card["url"], card["id"]):
                return envelope(card)
        return NO_RECORD

    def _vocabulary(self, name: str) -> set[str]:
        return {value for card in self.cards for key, value in _terms(card) if key == name}


def _matches(card: Card, q: str) -> bool:
    if q == "*":
        return True
    text = " ".join(_texts(card)).casefold()
    known = set(_terms(card))
    negative = False
    for part in _PART.finditer(q):
        if part["word"] == "NOT":
            negative = True
        elif part["bracket"] or part["word"] in ("AND", "*"):
            continue
        else:
            if _holds(part, text, known) == negative:
                return False
            negative = False
    return True


def _holds(part: re.Match[str], text: str, known: set[tuple[str, str]]) -> bool:
    if part["field"] is None:
        return re.sub(r"\\(.)", r"\1", part["phrase"] or part["word"]).casefold() in text
    name, literal = part["field"], part["literal"]
    if literal == "*":
        return any(key == name for key, _ in known)
    value = literal or re.sub(r"\\(.)", r"\1", part["value"])
    genus = name == "scientific_name" and " " not in value
    return (name, value) in known or (
        genus and any(key == name and term.startswith(f"{value} ") for key, term in known)
    )


def _terms(card: Card) -> Iterator[tuple[str, str]]:
    inside = card["content"]
    yield "unit_code", card["unitCode"]
    for name, values in inside.get("indexedStructured", {}).items():
        for value in values if isinstance(values, list) else [values]:
            term = value.get("content") if isinstance(value, dict) else value
            if isinstance(term, str):
                yield name, term
    online = inside.get("descriptiveNonRepeating", {}).get("online_media", {})
    media = online.get("media", [])
    for medium in media if isinstance(media, list) else [media]:
        yield "media_usage", medium["usage"]["access"]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
