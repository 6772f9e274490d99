"""A small Library of Congress that answers as its three hosts do: the same question, the same bytes.

It knows the parameters that this project sends; everything else about it is deliberately strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus, unquote

import httpx

from loc.library_cards import (
    COLLECTIONS,
    HEADINGS,
    PAPERS,
    PRINTS,
    WORKS,
    Card,
    Heading,
    Print,
    issue_row,
    page_row,
    title_row,
)
from recording.page import PICTURE, Page, Scripted, shown, website

_SITE = "https://www.loc.gov"
_TILE = "https://tile.loc.gov"
_KINDS = {
    "photos": "photo, print, drawing",
    "maps": "map",
    "manuscripts": "manuscript/mixed material",
    "audio": "sound recording",
    "film-and-videos": "film, video",
    "books": "book",
    "notated-music": "notated music",
}
_NEWSPAPERS = ("newspapers", "collections/chronicling-america")
_A_DAY = {"Content-Type": "application/json", "Cache-Control": "public, max-age=86400"}
_FOUR_WEEKS = {"Cache-Control": "public, max-age=2419200"}
_SUGGESTIONS = {"Content-Type": "application/x-suggestions+json; charset=utf-8"} | _FOUR_WEEKS


def data(body: object, status: int = 200, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(status, shown(body), _A_DAY | named)


NOT_FOUND = data(
    {"status": 404, "type": "exception", "caption": "Not Found", "timestamp": 0, "options": {}}, 404
)
MISSING_IN_200 = data({"status": 404, "type": "exception", "caption": "Not Found"})
NO_ITEM_IN_200 = data({"item": {}, "resources": [], "related_items": []})
NO_PAGE = website(404, "Not Found | Library of Congress")
CHALLENGE = website(403, "Just a moment...", Cf_Mitigated="challenge")
CAPTCHA_IN_200 = website(200, "Please solve this captcha")
REFUSED = website(403, "Forbidden")
TOO_MANY = website(429, "Too Many Requests")
TOO_MANY_FOR_A_WHILE = website(429, "Too Many Requests", Retry_After="1200")
BROKEN = website(500, "Internal Server Error")
RESULTS_NULL = data({"results": None, "pagination": {"of": 3, "total": 1}, "search": {}})
COUNT_WITHOUT_ROWS = data(
    {"results": [], "pagination": {"of": 584, "total": 1}, "search": {"hits": 584}}
)
NO_HITS_LIST = Page(200, shown({"q": "cats*", "count": 3, "hits": None}), _SUGGESTIONS)


def failing_search(page: Page) -> Page:
    """No rows, and not to be kept: the search is failing, and says nothing about the holdings."""
    del page
    body = {
        "results": [],
        "pagination": {"of": 0, "total": 0, "results": ""},
        "search": {"hits": 0},
    }
    return data(body, Cache_Control="no-cache")


def unfiltered(_page: Page) -> Page:
    """What loc.gov does with a filter that it does not know: the answer without it."""
    rows = _numbered(WORKS[:4])
    return data(
        {"results": rows, "pagination": _pagination("/search/", {}, 4, 25, 1), "search": {}}
    )


def issues_for_pages(_page: Page) -> Page:
    """What one of the two routes answers, whichever it is: issues, where pages were asked for."""
    rows = [issue_row(PRINTS[1])]
    return data({"results": rows, "pagination": _pagination("/", {}, 1, 25, 1), "search": {}})


@dataclass
class PretendLibrary:
    """`script` holds answers that come before those of the cards; None in it lets one through."""

    script: list[Scripted] = field(default_factory=list[Scripted])
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        scripted = self.script.pop(0) if self.script else None
        if isinstance(scripted, Page):
            return scripted.response()
        page = self.answer(request)
        return (scripted(page) if scripted else page).response()

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self)

    def answer(self, request: httpx.Request) -> Page:
        params = dict(request.url.params)
        path = request.url.path
        if request.url.host == "tile.loc.gov":
            return PICTURE if path.endswith(".jpg") else _text(path, params)
        if request.url.host == "id.loc.gov":
            return _linked(path, params)
        if params.get("fo") != "json":
            return CHALLENGE
        place = path.strip("/")
        if place.startswith("item/"):
            return _item(place.removeprefix("item/"))
        if place.startswith("resource/"):
            return _resource(place.removeprefix("resource/"), params)
        return _search(place, params, str(request.url))


# -- searches --------------------------------------------------------------------------------------------


def _search(place: str, params: Mapping[str, str], url: str) -> Page:
    rows = _rows(place, params)
    if rows is None:
        return NOT_FOUND
    found = [row for row in rows if _matches(row, params)]
    found.sort(key=lambda row: row.get("date", ""), reverse=params.get("sb") == "date_desc")
    size, page = int(params["c"]), int(params["sp"])
    shown_rows = found[(page - 1) * size : page * size]
    if page > 1 and not shown_rows:
        return NOT_FOUND
    body = {
        "results": _numbered(shown_rows),
        "pagination": _pagination(f"/{place}/", params, len(found), size, page),
        "search": {
            "dates": params.get("dates"),
            "facet_limits": params.get("fa", ""),
            "field": None,
            "hits": len(found),
            "in": "",
            "query": params.get("q", ""),
            "recommended": 0,
            "sort_by": params.get("sb"),
            "type": "search",
            "url": url,
        },
    }
    return data({key: body[key] for key in params["at"].split(",")})


def _rows(place: str, params: Mapping[str, str]) -> list[Card] | None:
    """What a route searches; None for a collection that is not there."""
    if place in _NEWSPAPERS:
        return _of_newspapers(params)
    if place == "search":
        return [*WORKS, *map(title_row, PAPERS)]
    if place == "collections":
        return list(COLLECTIONS)
    if place in _KINDS:
        return [row for row in WORKS if _KINDS[place] in row["original_format"]]
    slug = place.removeprefix("collections/")
    title = next((row["title"].lower() for row in COLLECTIONS if slug in row["items"]), None)
    return None if title is None else [row for row in WORKS if title in row.get("partof", ())]


def _of_newspapers(params: Mapping[str, str]) -> list[Card]:
    level = params.get("dl", "issue")
    if level == "title":
        return list(map(title_row, PAPERS))
    if level == "issue":
        return list({page.issue: issue_row(page) for page in PRINTS}.values())
    return [page_row(page, params.get("q", "")) for page in PRINTS]


def _matches(row: Card, params: Mapping[str, str]) -> bool:
    text = " ".join(_texts(row)).casefold()
    for phrase, word in re.findall(r'"([^"]*)"|(\S+)', params.get("q", "")):
        if (phrase or word).casefold() not in text:
            return False
    if params.get("dates"):
        first, last = params["dates"].split("/")
        date = row.get("date", "")
        if not date or date[: len(first)] < first or date[: len(last)] > last:
            return False
    return all(_has(row, one) for one in params.get("fa", "").split("|") if one)


def _has(row: Card, told: str) -> bool:
    name, _, value = told.partition(":")
    held = row.get(name.rstrip("!").replace("-", "_")) or ()
    return (value in ([held] if isinstance(held, str) else held)) != name.endswith("!")


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        if not value.startswith(("http", "//")):  # addresses echo the words that were asked for
            yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _numbered(rows: Iterable[Card]) -> list[Card]:
    return [row | {"index": number} for number, row in enumerate(rows, 1)]


def _pagination(path: str, params: Mapping[str, str], total: int, size: int, page: int) -> Card:
    """`of` counts items and `total` pages; `last` is no guide."""
    pages = -(-total // size)
    first, last = (page - 1) * size + 1, min(page * size, total)
    query = "&".join(f"{key}={quote_plus(value)}" for key, value in params.items() if key != "sp")

    def address(number: int) -> str | None:
        return f"{_SITE}{path}?{query}&sp={number}" if 1 <= number <= pages else None

    return {
        "current": page,
        "first": address(1) if page > 1 else None,
        "from": first if total else 0,
        "last": address(pages - 1) if page < pages else None,
        "next": address(page + 1),
        "of": total,
        "page_list": [{"number": page, "url": None}],
        "perpage": size,
        "perpage_options": [25, 50, 100, 150],
        "previous": address(page - 1),
        "results": f"{first} - {last}" if total else "0",
        "to": last,
        "total": pages,
    }


# -- records ---------------------------------------------------------------------------------------------


def _link(facet: str, names: Iterable[str]) -> list[Card]:
    return [{name: f"{_SITE}/search/?fa={facet}:{quote_plus(name)}&fo=json"} for name in names]


def _item(name: str) -> Page:
    issues = {page.issue: issue_row(page) for page in PRINTS}
    rows = [*WORKS, *issues.values(), *map(title_row, PAPERS)]
    row = next((row for row in rows if row["url"] == f"{_SITE}/item/{name}/"), None)
    if row is None:
        return NOT_FOUND
    return data(
        {
            "cite_this": {
                "apa": f"<cite>{row['title']}</cite>. ({row['date']}) Retrieved from {row['url']}.",
                "mla": f"<cite>{row['title']}</cite>. {row['date']}. {row['url']}.",
            },
            "item": _block(row),
            "related_items": [],
            "resources": [_with_files(resource) for resource in row["resources"]],
        }
    )


def _block(row: Card) -> Card:
    """A row's facts, as link objects where an item has them so; `files` stays a count here."""
    return row | {
        "contributors": _link("contributor", row.get("contributor", ())),
        "dates": [{row["date"][:4]: f"{_SITE}/search/?dates={row['date'][:4]}&fo=json"}],
        "format": _link("original_format", row["original_format"]),
        "languages": _link("language", row["language"]),
        "locations": _link("location", row.get("location", ())),
        "other_formats": [{"label": "MARCXML Record", "link": f"{row['url']}marcxml"}],
        "partof": [
            {"count": 10, "title": title, "url": f"{_SITE}/search/?fa=partof:{quote_plus(title)}"}
            for title in row["partof"]
        ],
        "subjects": _link("subject", row["subject"]),
    }


def _with_files(resource: Card) -> Card:
    """Here `files` is a list of lists of files."""
    listed = [
        {"mimetype": "image/jpeg", "url": resource[key], "use": ""}
        for key in ("image", "audio")
        if key in resource
    ]
    return resource | {"files": [listed]}


_BOOK = "rbc0001.2013rosen1432"
_BOOK_TEXT = "/storage-services/service/rbc/rbc0001/2013/2013rosen1432/2013rosen1432.text.txt"
_PICTURE_ONLY = "bbc.0550f"


def _resource(name: str, params: Mapping[str, str]) -> Page:
    if "q" in params:
        return website(503, "Service Unavailable")
    number = int(params.get("sp", "1"))
    page = next((page for page in PRINTS if (page.issue, page.number) == (name, number)), None)
    if page is not None:
        return data(_page_of(page))
    row = next((row for row in WORKS if f"/resource/{name}/" in str(row.get("resources"))), None)
    if row is None:
        return NOT_FOUND
    resource = dict(row["resources"][0])
    if name == _BOOK:
        resource["fulltext_file"] = f"{_TILE}{_BOOK_TEXT}"
    return data(
        {"item": _block(row), "page": [], "pagination": {"current": number}, "resource": resource}
    )


def _page_of(page: Print) -> Card:
    place = f"{_TILE}/storage-services{page.path.removesuffix('.xml')}"
    service = f"{_TILE}/text-services/word-coordinates-service"
    text = f"{service}?segment={page.path}&format=alto_xml&full_text=1"
    count = sum(other.issue == page.issue for other in PRINTS)
    files = [
        {"mimetype": "image/jp2", "url": f"{place}.jp2", "use": ""},
        {"mimetype": "application/pdf", "url": f"{place}.pdf", "use": ""},
        {"info": f"{page.picture}/info.json", "mimetype": "application/json", "title": page.title},
    ]
    if page.text:
        files.append({"fulltext_service": text, "mimetype": "text/plain", "use": "text"})
    return {
        "item": {
            "batch": [page.paper.batch],
            "date": page.paper.years[:4],
            "date_issued": page.day,
            "location_city": [page.paper.city],
            "location_state": [page.paper.state],
            "newspaper_title": [page.paper.name],
            "number_edition": ["1"],
            "number_lccn": [page.paper.lccn],
        },
        "page": files,
        "pagination": {"current": page.number},
        "resource": {
            "image": f"{page.picture}/full/pct:6.25/0/default.jpg",
            "pdf": f"{place}.pdf",
            "segment_count": count,
            "url": f"{_SITE}/resource/{page.issue}/",
            "word_coordinates": service,
            **({"fulltext_file": text} if page.text else {}),
        },
        "segments": [
            {
                "date": page.day,
                "number_page": [f"{page.number:010}"],
                "partof_title": [page.paper.title.lower()],
                "title": page.title,
            }
        ],
    }


def _text(path: str, params: Mapping[str, str]) -> Page:
    if path == _BOOK_TEXT:
        body = (
            "SPECIMINA PHILOSOPHIÆ\nDe methodo.\n\nOf the whole work, without a break of pages.\n"
        )
        return Page(200, body, {"Content-Type": "text/plain; charset=utf-8"})
    segment = params.get("segment", "")
    page = next((page for page in PRINTS if page.path == segment and page.text), None)
    if page is None or "q" in params:
        return website(404, "Not Found")
    body_of = {segment: {"full_text": page.text, "height": "29600", "width": "23372"}}
    return data(body_of, Cache_Control="public, max-age=604800")


# -- headings --------------------------------------------------------------------------------------------

_SUBJECTS = "/authorities/subjects"
_NAME = f"http://id.loc.gov{_SUBJECTS}/"
_MADS = "http://www.loc.gov/mads/rdf/v1#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def _linked(path: str, params: Mapping[str, str]) -> Page:
    if path == f"{_SUBJECTS}/suggest2":
        return _suggest2(params)
    if path == "/suggest/":
        return _suggest1(params)
    if path.startswith(f"{_SUBJECTS}/label/"):
        return _label(unquote(path.removeprefix(f"{_SUBJECTS}/label/")))
    token = path.removeprefix(f"{_SUBJECTS}/").removesuffix(".json")
    heading = next((one for one in HEADINGS if one.token == token), None)
    if heading is None:
        return NO_PAGE
    return Page(200, shown(_graph(heading)), {"Content-Type": "application/json"} | _FOUR_WEEKS)


def _through(heading: Heading, words: str) -> str | None:
    """The label or see-from term of which every word is a beginning; empty for the label."""
    beginnings = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words.split()]
    for told in (heading.label, *heading.variants):
        if all(beginning.search(told) for beginning in beginnings):
            return "" if told == heading.label else told
    return None


def _hits(words: str) -> Iterator[Card]:
    for heading in HEADINGS:
        variant = _through(heading, words)
        if variant is None or heading.use_instead:
            continue
        yield {
            "suggestLabel": heading.label,
            "uri": _NAME + heading.token,
            "aLabel": heading.label,
            "vLabel": variant,
            "sLabel": "",
            "code": "",
            "token": heading.token,
            "rank": "5701",
            "more": {
                "rdftypes": ["Topic", "SimpleType", "Authority"],
                "collections": [f"{_NAME}collection_LCSHAuthorizedHeadings"],
                "variantLabels": list(heading.variants),
                "broaders": [_named(token) for token in heading.broader],
                "useFors": [],
            },
        }


def _suggest2(params: Mapping[str, str]) -> Page:
    if not params.get("q"):
        return Page(404, "No search entered", {"Content-Type": "text/plain; charset=UTF-8"})
    hits = list(_hits(params["q"]))
    start, count = int(params.get("offset", "1")) - 1, int(params["count"])  # it counts from 1
    body = {
        "q": f"{params['q']}*",
        "count": len(hits),
        "pagesize": count,
        "start": start + 1,
        "sortmethod": "rank",
        "searchtype": params["searchtype"],
        "directory": f"{_SUBJECTS}/",
        "hits": hits[start : start + count],
    }
    return Page(200, shown(body), _SUGGESTIONS)


def _suggest1(params: Mapping[str, str]) -> Page:
    """Names come first: the scheme is no more than a wish there."""
    hits = list(_hits(params["q"]))
    labels = ["Cats (Musical group)", *(hit["aLabel"] for hit in hits)]
    uris = ["http://id.loc.gov/authorities/names/n00000001", *(hit["uri"] for hit in hits)]
    return Page(200, shown([params["q"], labels, ["1 result"] * len(uris), uris]), _SUGGESTIONS)


def _label(label: str) -> Page:
    heading = next((one for one in HEADINGS if one.label.casefold() == label.casefold()), None)
    if heading is None:
        return NO_PAGE
    headers = {
        "Location": f"https://id.loc.gov{_SUBJECTS}/{heading.token}",
        "X-Uri": _NAME + heading.token,
        "X-Preflabel": heading.label.encode("ascii", "ignore").decode(),
    }
    return Page(302, "", headers)


def _named(token: str) -> str:
    return next(one.label for one in HEADINGS if one.token == token)


def _english(text: str) -> list[Card]:
    return [{"@language": "en", "@value": text}]


def _graph(heading: Heading) -> list[Card]:
    """Expanded JSON-LD: a flat list of nodes, the variants blank ones."""
    own = _NAME + heading.token
    blanks = [f"_:b{number}{heading.token}" for number in range(len(heading.variants))]
    kinds = (
        ["Topic", "Variant", "DeprecatedAuthority"]
        if heading.use_instead
        else ["Topic", "Authority"]
    )
    node: Card = {
        "@id": own,
        _TYPE: [{"@id": _MADS + kind} for kind in kinds],
        f"{_MADS}isMemberOfMADSScheme": [{"@id": _NAME.rstrip("/")}],
    }
    if heading.use_instead:
        node |= {
            f"{_MADS}variantLabel": _english(heading.label),
            f"{_MADS}deletionNote": _english(heading.note),
            f"{_MADS}useInstead": [{"@id": heading.use_instead}],
        }
    else:
        node |= {
            f"{_MADS}authoritativeLabel": _english(heading.label),
            f"{_SKOS}prefLabel": _english(heading.label),
            f"{_MADS}hasVariant": [{"@id": blank} for blank in blanks],
            f"{_SKOS}altLabel": [
                told for variant in heading.variants for told in _english(variant)
            ],
            **({f"{_MADS}note": [{"@value": heading.note}]} if heading.note else {}),
        }
    kin: tuple[tuple[str, Sequence[str]], ...] = (
        ("hasBroaderAuthority", heading.broader),
        ("hasNarrowerAuthority", heading.narrower),
        ("hasReciprocalAuthority", heading.related),
    )
    for term, tokens in kin:
        if tokens:
            node[_MADS + term] = [{"@id": _NAME + token} for token in tokens]
    return [
        *(
            {
                "@id": blank,
                _TYPE: [{"@id": f"{_MADS}Topic"}, {"@id": f"{_MADS}Variant"}],
                f"{_MADS}variantLabel": _english(variant),
            }
            for blank, variant in zip(blanks, heading.variants, strict=True)
        ),
        node,
        *(
            {
                "@id": _NAME + token,
                _TYPE: [{"@id": f"{_MADS}Topic"}, {"@id": f"{_MADS}Authority"}],
                f"{_MADS}authoritativeLabel": _english(_named(token)),
            }
            for _, tokens in kin
            for token in tokens
        ),
    ]
