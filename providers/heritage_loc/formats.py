"""Formats: the word a caller uses, the route that searches it, and the spellings of the records."""

from __future__ import annotations

from collections.abc import Iterable

ROUTES: dict[str, str] = {
    "photo": "photos",
    "map": "maps",
    "newspaper": "newspapers",
    "manuscript": "manuscripts",
    "audio": "audio",
    "film": "film-and-videos",
    "book": "books",
    "notated-music": "notated-music",
}
FORMATS = tuple(ROUTES)
_BY_ROUTE = {route: word for word, route in ROUTES.items()}

# `original_format` of rows, `formats` of collections and the type words of other catalogues meet
# here. Web archives and pages, periodicals, legislation and objects have no route.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "photo": (
        *("photo, print, drawing", "photos, prints, drawings", "photos", "photograph"),
        *("photographs", "still image", "print", "prints", "drawing", "drawings", "photo"),
    ),
    "map": ("map", "maps", "cartographic"),
    "newspaper": ("newspaper", "newspapers"),
    "manuscript": (
        *("manuscript/mixed material", "manuscripts/mixed material", "mixed material"),
        *("manuscript", "manuscripts", "manuscripts/mixed materials"),
    ),
    "audio": (
        *("sound recording", "sound recordings", "audio", "audio recording", "audio recordings"),
        *("sound recording-musical", "sound recording-nonmusical"),
    ),
    "film": (
        *("film, video", "films, videos", "film", "films", "film and video", "film and videos"),
        *("moving image", "video", "videos", "motion picture", "motion pictures"),
    ),
    "book": ("book", "books", "book/printed material", "books/printed material"),
    "notated-music": (
        *("notated music", "notated-music", "sheet music", "printed music", "music score"),
    ),
}
_BY_SPELLING = {
    spelling: word for word, spellings in _SPELLINGS.items() for spelling in spellings
} | _BY_ROUTE


def route(word: str) -> str:
    """The route that searches a format; it shows digitised items only, unless told otherwise."""
    return ROUTES[word]


def format_of(spelling: str) -> str | None:
    """Our word for a record's `original_format`; None where no route searches it."""
    words = " ".join(spelling.split()).casefold()
    return _BY_SPELLING.get(words) or _BY_SPELLING.get(words.replace("-", " "))


def searchable(spellings: Iterable[str]) -> tuple[str, ...]:
    """Our words for those formats that can be searched, each once, in our order."""
    found = {format_of(spelling) for spelling in spellings}
    return tuple(word for word in FORMATS if word in found)
