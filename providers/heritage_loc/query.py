"""What www.loc.gov is asked: paths and parameters as data, and what may be asked at all.

Unknown parameters and unknown facet names are dropped there without a word and the unfiltered answer
comes, so facet names are a closed list here, dates go into `dates=a/b` (start_date and end_date do
nothing), and `at=` and `c` are always sent: without the one an answer is 80 times as large, without
the other the page size depends on the route.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.text import clip, inline
from heritage_loc.address import slug_given
from heritage_loc.dates import moment
from heritage_loc.formats import route

BLOCKS = "results,pagination,search"
ITEM_BLOCKS = "item,resources,related_items,cite_this"
# `resource` alone lacks the date and the number of the page.
PAGE_BLOCKS = "item,resource,page,pagination,segments"
SORTS: Mapping[str, str | None] = {
    "relevance": None,
    "date": "date",
    "date_desc": "date_desc",
    "title": "title_s",
    "title_desc": "title_s_desc",
}
# Page texts of newspapers are searched at either; sources disagree, so the row type decides.
NEWSPAPER_ROUTES = ("/newspapers/", "/collections/chronicling-america/")


# -- facets --------------------------------------------------------------------------------------------

FACETS = frozenset(
    (
        *("access-restricted", "contributor", "digitized", "language", "location"),
        *("online-format", "original-format", "partof", "subject", "location_state"),
        *("location_city", "location_county", "location_country", "number_lccn", "batch"),
        *("partof_title", "partof_collection", "partof_division", "segmentof"),
        *("subject_ethnicity", "subject_topic", "publication_frequency"),
    )
)


class Facet(NamedTuple):
    """An exact filter. Values are lower-case in the index; a name not in `FACETS` filters nothing."""

    name: str
    value: str
    negative: bool = False

    @property
    def sent(self) -> str:
        return f"{self.name}{'!' if self.negative else ''}:{self.value}"


def facet(name: str, value: str, *, negative: bool = False) -> Facet:
    """A filter that can be sent.

    Only the first colon parts name and value, so colons in a value are harmless; a `|` would begin
    another filter, stands in no value of the index, and becomes a space.
    """
    if name not in FACETS:
        raise ValueError(f"{name} is no facet that loc.gov applies")
    words = " ".join(value.replace("|", " ").splitlines()).strip().lower()
    if not words:
        raise InvalidRequest(
            Reason.INVALID_FILTER,
            f"The filter {name} holds nothing that can be matched.",
            "Give one value as the index spells it, in words.",
        )
    return Facet(name, words, negative)


# -- dates ---------------------------------------------------------------------------------------------

# Far bounds for an open end: a range needs both. They lie beyond everything that is digitised, and
# are among those that others have used; a bound that grows old with the clock would hide new items.
_FIRST, _LAST = "1000", "2100"
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


@dataclass(frozen=True, slots=True)
class Span:
    """Inclusive; each end is a year (YYYY) or a day (YYYY-MM-DD)."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"{self.start}/{self.end}"

    def holds(self, told: str) -> bool | None:
        """Does a date touch the span? None where it cannot be read, as in "ca. 1920-ca. 1950"."""
        return self.meets(told, told)

    def meets(self, first: str, last: str) -> bool | None:
        """Does another span touch this one?"""
        ends = tuple(map(moment, (first, last, self.start, self.end)))
        if None in ends:
            return None
        theirs, their_end, ours, our_end = (end for end in ends if end)
        return theirs.first <= our_end.last and their_end.last >= ours.first


def span(start: int | str | None, end: int | str | None) -> Span | None:
    """The span of two years or days, one of which may be open; None where both are.

    Raises `InvalidRequest` for what is no date, and for a start after the end.
    """
    if start is None and end is None:
        return None
    first = None if start is None else _bound(start)
    last = None if end is None else _bound(end)
    first = first or (_FIRST if last is None or last >= _FIRST else "0001")
    last = last or (_LAST if first[:4] <= _LAST else "9999")
    # Compared at the precision they share: 1901/1901-05-03 is a good span.
    shared = min(len(first), len(last))
    if first[:shared] > last[:shared]:
        raise InvalidRequest(
            Reason.INVALID_DATE_RANGE,
            f"The start {first} lies after the end {last}.",
            "Swap the two, or leave one out for an open end.",
        )
    return Span(first, last)


def _bound(given: int | str) -> str:
    if isinstance(given, int):
        if not 1 <= given <= 9999:
            raise InvalidRequest(
                Reason.INVALID_DATE_RANGE,
                f"The year {given} cannot be searched for.",
                "Give years of the common era with at most four digits, such as 1906.",
            )
        return f"{given:04}"
    if (match := _DAY.fullmatch(given.strip())) and _exists(*map(int, match.groups())):
        return match.group()
    raise InvalidRequest(
        Reason.INVALID_DATE_RANGE,
        f'"{inline(clip(given, 40))}" is not a day.',
        "Give days as YYYY-MM-DD, such as 1906-04-18.",
    )


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


# -- searches ------------------------------------------------------------------------------------------


class Request(NamedTuple):
    """A path at www.loc.gov and its parameters."""

    path: str
    params: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A search of the catalogue: everywhere, in one format, or in one collection."""

    query: str = ""
    format: str | None = None
    collection_slug: str | None = None
    dates: Span | None = None
    facets: tuple[Facet, ...] = ()
    sort: str = "relevance"
    limit: int = 25
    page: int = 1

    @property
    def request(self) -> Request:
        """Raises `InvalidRequest` for a format together with a collection, and for no slug."""
        if self.format and self.collection_slug:
            raise InvalidRequest(
                Reason.INCOMPATIBLE_FILTERS,
                "`format` and `collection_slug` each name a place to search, so they exclude each other.",
                "Leave out one of them; a collection mostly holds one format anyway.",
            )
        path = "/search/"
        if self.format:
            path = f"/{route(self.format)}/"
        elif self.collection_slug:
            path = f"/collections/{slug_given(self.collection_slug)}/"
        return Request(path, _params(self, {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewspaperQuery:
    """A search of newspaper pages; without `dl=page` an empty query would list issues.

    Pages of one paper, whole issues and papers are listed by `level` page, issue and title.
    """

    query: str = ""
    dates: Span | None = None
    facets: tuple[Facet, ...] = ()
    sort: str = "relevance"
    limit: int = 25
    page: int = 1
    level: str = "page"
    route: str = NEWSPAPER_ROUTES[0]

    @property
    def request(self) -> Request:
        return Request(self.route, _params(self, {"dl": self.level}))


AnyQuery = SearchQuery | NewspaperQuery


def _params(asked: AnyQuery, more: Mapping[str, str]) -> dict[str, str]:
    sort = SORTS[asked.sort]
    query = " ".join(asked.query.split())
    return {
        **({"q": query} if query else {}),
        **({"dates": str(asked.dates)} if asked.dates else {}),
        **({"fa": "|".join(facet.sent for facet in asked.facets)} if asked.facets else {}),
        **({"sb": sort} if sort else {}),
        **more,
        "c": str(asked.limit),
        "sp": str(asked.page),
        "at": BLOCKS,
        "fo": "json",
    }
