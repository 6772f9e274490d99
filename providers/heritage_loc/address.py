"""Ids and addresses: what callers give, checked before anything is sent, and what rows carry.

An id is everything after /item/, slashes included ("sn85025570/1894-06-07/ed-1"). A slash must reach
www.loc.gov as a slash (%2F is a 404 there) and everything else within its segment, so segments are
encoded one by one. One thing has one address here, whatever was given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.text import clip, inline
from heritage_loc.spelling import (
    ITEM_HINT,
    heading,
    is_heading,
    no_id,
    spelt,
    unstopped,
    without_scheme,
)
from heritage_loc.wire import SITE, Raw, absolute, host, raw

# All 347 captured ids are of these characters; the rest is generous, but closed.
_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,+=~()-]*")
_LONGEST = 200
_MOST_SEGMENTS = 8
_HOSTLIKE = re.compile(
    r"localhost|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?:[a-z0-9-]+\.)+(?:com|org|net|gov|edu|io|info)",
    re.IGNORECASE,
)
_URL = re.compile(r"(?P<scheme>https?:)?//(?P<host>[^/?#]*)(?P<path>[^?#]*)", re.IGNORECASE)
_SITES = frozenset(("www.loc.gov", "loc.gov"))
_LCCN_HOST = "lccn.loc.gov"
_RECORD_FORMS = frozenset(("marcxml", "mods", "dc"))

_PAGE_HINT = (
    "Give the url of a row of libofcongress_search_newspapers, unchanged: "
    "https://www.loc.gov/resource/... with ?sp= and the page number, or an old "
    "chroniclingamerica.loc.gov page address."
)


# -- items ---------------------------------------------------------------------------------------------


def item_id(given: str) -> str:
    """The id of an item, from the id itself or from the item's address.

    Resource templates may encode slashes, so an id whose slashes are all encoded is the same id.
    Raises `InvalidRequest` for everything else, before any request.
    """
    name = given.strip()
    if not name:
        raise InvalidRequest(Reason.INVALID_ID, "The id is blank.", ITEM_HINT)
    path = _item_path(name)
    if is_heading(name, path):
        raise heading(name)
    segments = None if path is None else _segments(path)
    if segments is None or (_HOSTLIKE.fullmatch(segments[0]) and path == name):
        raise no_id(name)
    return spelt("/".join(segments))


def _item_path(name: str) -> str | None:
    """What stands after /item/, without the stop of a sentence or a form of the record."""
    return unstopped(_path(without_scheme(name)))


def _path(name: str) -> str | None:
    """Of lccn.loc.gov the first segment is the id; the old picture catalogue has control numbers."""
    for site in (*_SITES, _LCCN_HOST):
        if name.lower().startswith(f"{site}/"):
            name = f"//{name}"
            break
    match = _URL.fullmatch(name)
    if match is None:
        if "%2f" in name.lower() and "/" not in name:
            name = re.sub("%2f", "/", name, flags=re.IGNORECASE)
        return name.removeprefix("/item/")
    if match["host"].lower() == _LCCN_HOST:
        number, _, form = match["path"][1:].rstrip("/").partition("/")
        return number if not form or form in _RECORD_FORMS else None
    if match["host"].lower() in _SITES:
        for way in ("/item/", "/pictures/item/"):
            if match["path"].startswith(way):
                return match["path"].removeprefix(way)
    return None


def _segments(path: str) -> tuple[str, ...] | None:
    """The segments of a path that is what it looks like; nothing is decoded or repaired."""
    trimmed = path.removesuffix("/")
    segments = tuple(trimmed.split("/"))
    sound = len(trimmed) <= _LONGEST and len(segments) <= _MOST_SEGMENTS
    return segments if sound and all(map(_SEGMENT.fullmatch, segments)) else None


def _encoded(name: str) -> str:
    """Marks that have no meaning of their own within a path stay as they are."""
    return "/".join(quote(segment, safe=",+=()") for segment in name.split("/"))


def item_path(name: str) -> str:
    """The path of an item at www.loc.gov."""
    return f"/item/{_encoded(name)}/"


def item_url(name: str) -> str:
    """The canonical address of an item, for people too."""
    return SITE + item_path(name)


# -- pages ---------------------------------------------------------------------------------------------

# State of the viewer, and what this server says itself: none of it changes which page is meant.
_VIEW = frozenset(("at", "c", "clip", "dl", "fa", "fo", "loclr", "q", "r", "st"))
_PARAMETER = re.compile(r"[a-z][a-z_-]{0,19}")
_VALUE = re.compile(r"[A-Za-z0-9_.,:-]{0,60}")
_PAGE_NUMBER = re.compile(r"0*([1-9][0-9]{0,4})")
_OLD_HOSTS = frozenset(("chroniclingamerica.loc.gov", "www.chroniclingamerica.loc.gov"))
_OLD_PATH = re.compile(
    r"/lccn/(?P<lccn>[a-z]{0,3}[0-9]{8,10})/(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"/ed-(?P<edition>[1-9][0-9]?)/?"
    r"(?:(?<=/)seq-(?P<page>[1-9][0-9]{0,3})(?:/|/ocr/?|/ocr\.(?:txt|xml)|\.(?:pdf|jp2|json|rdf))?)?"
)
_ISSUE = re.compile(
    r"(?P<lccn>[a-z]{0,3}[0-9]{8,10})/(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})/ed-(?P<edition>[0-9]+)"
)
_DAY = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page of a resource; `sp` is its number, from 1, and `rest` other parameters it came with."""

    resource: str
    sp: int = 1
    rest: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> str:
        return f"/resource/{_encoded(self.resource)}/"

    @property
    def params(self) -> dict[str, str]:
        """What the address itself says; to be merged with what is asked of it."""
        return dict(sorted((*self.rest, ("sp", str(self.sp)))))

    @property
    def url(self) -> str:
        query = "&".join(f"{name}={quote(value, safe=',:')}" for name, value in self.params.items())
        return f"{SITE}{self.path}?{query}"

    @property
    def lccn(self) -> str | None:
        return self._issue("lccn")

    @property
    def date(self) -> str | None:
        """The issue's date, which the answer at this address may lack."""
        found = self._issue("date")
        return found if found and _DAY.fullmatch(found) else None

    @property
    def edition(self) -> str | None:
        return self._issue("edition")

    @property
    def issue_id(self) -> str | None:
        """The id of a newspaper's issue, which is its resource's path."""
        return self.resource if _ISSUE.fullmatch(self.resource) else None

    def _issue(self, part: str) -> str | None:
        match = _ISSUE.fullmatch(self.resource)
        return match[part] if match else None


def page_address(given: str) -> PageAddress:
    """The page that an address of today or of the old Chronicling America means.

    Raises `InvalidRequest` for everything else, before any request.
    """
    found = _page(given.strip())
    if found is None:
        shown = inline(clip(given.strip(), 120))
        said = f'"{shown}" is not the address of a page.' if shown else "The address is blank."
        raise InvalidRequest(Reason.INVALID_PAGE_URL, said, _PAGE_HINT)
    return found


def _page(given: str) -> PageAddress | None:
    address, _, query = given.partition("#")[0].partition("?")
    match = _URL.fullmatch(address)
    if match is None or len(given) > 2000:
        return None
    if match["host"].lower() in _OLD_HOSTS:
        return _old_page(match["path"])
    if match["host"].lower() not in _SITES or not match["path"].startswith("/resource/"):
        return None
    segments = _segments(match["path"].removeprefix("/resource/"))
    rest = _parameters(query)
    if segments is None or rest is None:
        return None
    page = _PAGE_NUMBER.fullmatch(rest.pop("sp", "1"))
    return page and PageAddress("/".join(segments), int(page[1]), tuple(sorted(rest.items())))


def _old_page(path: str) -> PageAddress | None:
    """Its /ocr/, .pdf and .jp2 forms are other views of the page; an issue is read as its first."""
    match = _OLD_PATH.fullmatch(path)
    if match is None or not _DAY.fullmatch(match["date"]):
        return None
    return PageAddress(
        f"{match['lccn']}/{match['date']}/ed-{match['edition']}", int(match["page"] or 1)
    )


def _parameters(query: str) -> dict[str, str] | None:
    """A query string without the viewer's state; None where it is ambiguous or hides something."""
    found: dict[str, str] = {}
    for pair in filter(None, query.replace("&amp;", "&").split("&")):
        name, _, value = pair.partition("=")
        name = name.lower()
        if name in _VIEW:
            continue
        value = unquote(value)
        if name in found or not _PARAMETER.fullmatch(name) or not _VALUE.fullmatch(value):
            return None
        found[name] = value
    return found


# -- page texts ----------------------------------------------------------------------------------------

_TEXT_HOST = "tile.loc.gov"
_TEXT_SERVICE = "/text-services/word-coordinates-service"
_FILE = re.compile(r"(?:/{1,2}[A-Za-z0-9_:,()-][A-Za-z0-9_.:,()-]*)+")


class TextAddress(NamedTuple):
    """Where a text lies at tile.loc.gov: a page's segment, or the plain file of a whole work.

    `path` and `params` are the request; the slashes of a segment must be sent as slashes. A `q` must
    not be sent: the service then finds nothing.
    """

    path: str
    segment: str | None = None

    @property
    def params(self) -> dict[str, str]:
        if self.segment is None:
            return {}
        return {"segment": self.segment, "format": "alto_xml", "full_text": "1"}


def text_address(value: object) -> TextAddress | None:
    """Reads a `fulltext_file` or `fulltext_service`, or the text-service address that a row carries."""
    address = absolute(value).partition("#")[0]
    if host(address) != _TEXT_HOST:
        return None
    whole, _, query = address.partition("?")
    path = "/" + whole.split("/", 3)[3] if whole.count("/") > 2 else ""
    if path.rstrip("/") == _TEXT_SERVICE:
        return _segment_address(query)
    path = unquote(path)
    return TextAddress(path) if path.endswith(".txt") and _FILE.fullmatch(path) else None


def segment_address(segment: str) -> TextAddress | None:
    """The text of a segment such as /service/ndnp/.../0006.xml."""
    return TextAddress(_TEXT_SERVICE, segment) if _FILE.fullmatch(segment) else None


def _segment_address(query: str) -> TextAddress | None:
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name == "segment":
            return segment_address(unquote(value))
    return None


# -- rows ----------------------------------------------------------------------------------------------


class RowAddress(NamedTuple):
    """What a row is called: an item's id, else its address; and where people find it."""

    id: str
    is_item: bool
    url: str


_ITEM = re.compile(r"https://(?:www\.)?loc\.gov/item/(?P<id>[^?#]+)")
_LCCN = re.compile(r"https://lccn\.loc\.gov/(?P<id>[^/?#]+)/?")


def row_address(row: Raw) -> RowAddress:
    """Only an address under /item/ has a record: guides, blogs, exhibits and collections have none.

    Neither has a row at lccn.loc.gov, of which the catalogue keeps only its number.
    """
    named, url = absolute(row.get("id")), absolute(row.get("url"))
    url = url or named or absolute(raw(row.get("shelf_id")))
    for address in (url, named):
        match = _ITEM.match(address)
        segments = _segments(match["id"]) if match else None
        if segments:
            name = "/".join(segments)
            return RowAddress(name, is_item=True, url=item_url(name))
    if match := _LCCN.fullmatch(url):
        return RowAddress(match["id"], is_item=False, url=url)
    page = _page(url)
    url = page.url if page and "sp=" in url else url
    return RowAddress(url or named, is_item=False, url=url)


def same_as(value: object) -> str:
    """An address as a name that can be compared: scheme, "www." and a closing slash say nothing."""
    address = absolute(value)
    return address.partition("://")[2].removeprefix("www.").rstrip("/")


# -- collections and headings --------------------------------------------------------------------------

_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*", re.IGNORECASE)
_COLLECTION = re.compile(r"https?://(?:www\.)?loc\.gov/collections/(?P<slug>[^/?#]+)(?:[/?#].*)?")
_NO_SLUG = frozenset(("static", "about-this-collection"))


def collection_slug(address: object) -> str | None:
    """The first segment after /collections/; collections still at memory.loc.gov have none."""
    match = _COLLECTION.fullmatch(absolute(address))
    found = match["slug"] if match else ""
    return found if _SLUG.fullmatch(found) and found not in _NO_SLUG else None


def slug_given(given: str) -> str:
    """The slug that a caller gave, or the one in an address. Raises `InvalidRequest`."""
    name = given.strip()
    found = collection_slug(name) if "/" in name else name
    if not found or len(found) > _LONGEST or not _SLUG.fullmatch(found):
        shown = inline(clip(name, 80))
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            f'`collection_slug` "{shown}" is not the slug of a collection.',
            "Take the slug of a row of libofcongress_browse_collections.",
        )
    return found


def collection_url(slug: str) -> str:
    return f"{SITE}/collections/{slug}/"


SUBJECTS = "http://id.loc.gov/authorities/subjects/"
_SUBJECT = re.compile(
    r"(?:(?:https?:)?//id\.loc\.gov/authorities/(?:subjects/)?|info:lc/authorities/)?"
    r"(?P<token>sh ?[0-9]{8,10})(?:\.html|\.json|\.madsrdf\.\w+|\.skos\.\w+)?/?(?:#concept)?",
    re.IGNORECASE,
)


def subject_token(given: str) -> str | None:
    """The id in an address or a bare id of a subject heading; None where a label was given.

    Raises `InvalidRequest` for an address that leads elsewhere.
    """
    name = given.strip()
    if match := _SUBJECT.fullmatch(name):
        return match["token"].lower().replace(" ", "")
    if "//" in name or "\\" in name or name.lower().startswith("info:"):
        shown = inline(clip(name, 80))
        raise InvalidRequest(
            Reason.INVALID_ID,
            f'"{shown}" is not a Library of Congress subject heading.',
            "Give the uri or the label of a row of libofcongress_search_subjects.",
        )
    return None


def subject_uri(token: str) -> str:
    """The name of a heading; it begins with http:, as the vocabulary itself writes it."""
    return SUBJECTS + token


def subject_url(token: str) -> str:
    """The page of a heading for people."""
    return f"https://id.loc.gov/authorities/subjects/{token}.html"
