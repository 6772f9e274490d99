"""What a provider can do for the tools that stand above all providers: be searched, name a work, show it.

Each capability is a few functions in a frozen object, handed over in `Provider`. A third provider that
fills one in is searched, cited, verified or shown like the built-in ones; the tools above never know a
provider by name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Claim = Literal["mine", "maybe", "foreign"]
Permission = Literal["free_to_use", "conditions", "restricted", "unknown"]
Kind = Literal[
    "artwork",
    "photograph",
    "map",
    "book",
    "manuscript",
    "recording",
    "film",
    "score",
    "newspaper_page",
    "periodical",
    "specimen",
    "object",
    "archive",
    "webpage",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a thing may be used: `words` are the record's own, and `field` is where they stand.

    Without words nothing was said, and nothing may be concluded: `unknown`.
    """

    permission: Permission
    words: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool that can be made as it stands."""

    tool: str
    arguments: Mapping[str, Any]


# -- being searched --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listed:
    """A row that every house can give; `about` is one short line, such as museum and type."""

    id: str
    title: str
    link: str | None = None
    date: str | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """The first rows, and the catalogue's own count of all that match; zero is an answer."""

    total: int
    rows: tuple[Listed, ...]
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Searching:
    """One list of a provider that one question can be put to.

    `search(query, rows)` raises `GatewayError` where no usable answer came, never for a zero.
    `more(query, shown)` is the call of the provider's own tool that goes on after so many rows.
    `everything` searches what `search` leaves out as well, where the two differ.
    """

    key: str
    title: str
    search: Callable[[str, int], Awaitable[Results]]
    more: Callable[[str, int], Call]
    everything: Callable[[str, int], Awaitable[Results]] | None = None


# -- naming a work ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Creator:
    """`name` as the record has it, in full: "Earhart, Amelia, 1897-1937"; a body has no parts."""

    name: str
    role: str = ""
    is_body: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """What can be said of a record in a citation: nothing that the record does not say.

    `date` is in the record's own words and empty for an undated work; `iso` is the same as YYYY,
    YYYY-MM or YYYY-MM-DD where it is one date. `container` is the newspaper or collection it stands
    in.
    """

    id: str
    kind: Kind
    title: str
    link: str
    creators: tuple[Creator, ...] = ()
    date: str = ""
    iso: str = ""
    publisher: str = ""
    place: str = ""
    container: str = ""
    edition: str = ""
    page: str = ""
    medium: str = ""
    holder: str = ""
    identifier: str = ""
    rights: Verdict = Verdict("unknown")


@dataclass(frozen=True, slots=True)
class Naming:
    """Ids and links to works.

    `claim` looks at what was given and asks nobody: `mine` for a link of the house or an id of a form
    that only it has, `maybe` for a form that others share. `work` raises `NothingFound` after an
    actual look-up, `InvalidRequest` for what is no id, `UpstreamError` where nothing can be told.
    """

    claim: Callable[[str], Claim]
    work: Callable[[str], Awaitable[Work]]


# -- showing it ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a picture, in percent of its width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def iiif(self) -> str:
        """As the image interface of museums and libraries (IIIF) writes it."""
        parts = (self.x, self.y, max(self.width, 0.001), max(self.height, 0.001))
        return "pct:" + ",".join(f"{round(part, 3):g}" for part in parts)


@dataclass(frozen=True, slots=True)
class View:
    """What is to be seen of a thing: `longest` is in pixels, `number` from 1 where it has several."""

    longest: int
    number: int | None = None
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """The bytes as the image service sent them, for a longest side of about what was asked.

    `is_region` says that they are the region asked for; else it must still be cut out of them.
    `number` of `count` pictures this is, `count` being None where it is not known. `notice` says
    what is to be known of where the record came from, such as a mirror.
    """

    data: bytes
    title: str
    link: str
    rights: Verdict
    is_region: bool = False
    number: int = 1
    count: int | None = 1
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Picturing:
    """`picture(given, view)`: the picture of a record, a medium or a page.

    `claim` as in `Naming`. Raises `Refused` (`not_cc0`, `access_restricted`) where it may not be
    shown, `NothingFound` where there is no picture, and `InvalidRequest` for a number beyond the last.
    """

    claim: Callable[[str], Claim]
    picture: Callable[[str, View], Awaitable[Picture]]
