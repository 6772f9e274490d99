"""The shapes of loc.gov: facts as strings, lists or link objects, and addresses without a scheme.

One field may be a string in a row, a list in an item and a list of link objects beside it: either
`{name: facet address}` (2017 to today) or `{title, url}` and `{label, link}`. Addresses come without
a scheme ("//www.loc.gov/..."), with the old one, or relative to the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from heritage_gateway.text import seen
from heritage_gateway.wire import NOTHING, Raw, is_raw, items, mapping, mappings, number, raw, text

__all__ = [
    "NOTHING",
    "Raw",
    "absolute",
    "first",
    "flag",
    "is_raw",
    "items",
    "mapping",
    "mappings",
    "names",
    "number",
    "paragraphs",
    "prose",
    "raw",
    "text",
    "texts",
]

SITE = "https://www.loc.gov"
_TITLES = ("title", "label", "name", "value")
_BLANK_LINE = re.compile(r"\n\s*\n")
_RUN = re.compile(r"\s+")
_SCHEME = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_AUTHORITY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?")
_SECURE = re.compile(r"(?:[a-z0-9-]+\.)*(?:loc|read|congress|copyright)\.gov")


def line(value: object) -> str:
    """Plain text on one line: LCCNs and repositories come padded, titles with line ends inside."""
    return _RUN.sub(" ", text(value)).strip()


def names(value: object) -> tuple[str, ...]:
    """What a list names, whatever its entries are; addresses among the names are dropped.

    `subject` of newspapers holds lower-cased OCLC addresses beside the headings.
    """
    found = (name for item in items(value) for name in _named(item))
    return tuple(dict.fromkeys(name for name in found if name and not _SCHEME.match(name)))


def _named(item: object) -> Iterator[str]:
    if not is_raw(item):
        yield line(item)
        return
    for key in _TITLES:
        if title := line(item.get(key)):
            yield title
            return
    yield from (line(key) for key, value in item.items() if absolute(value))


def texts(value: object) -> tuple[str, ...]:
    """Every text of a list, addresses too, each once; for notes and what else is prose."""
    found = (line(item) for item in items(value) if not is_raw(item))
    return tuple(dict.fromkeys(text for text in found if text and text != "None"))


def first(*values: object) -> str | None:
    """The first text there is."""
    return next((found for value in values for found in (*texts(value), *names(value))), None)


def paragraphs(value: object) -> str:
    """Plain text whose blank lines alone part paragraphs: HTML is broken and indented anyhow."""
    return "\n\n".join(
        found for part in _BLANK_LINE.split(text(value)) if (found := _RUN.sub(" ", part).strip())
    )


def prose(*values: object) -> str | None:
    """The texts of the first value that has any, as paragraphs."""
    for value in values:
        found = dict.fromkeys(paragraphs(item) for item in items(value) if not is_raw(item))
        if told := [part for part in found if part]:
            return "\n\n".join(told)
    return None


def flag(value: object) -> bool | None:
    """A boolean that is a fact; anything else is unknown."""
    return value if isinstance(value, bool) else None


def absolute(value: object) -> str:
    """A web address in full; empty for what is none.

    All hosts of the Library speak https; of others the scheme is kept as it came.
    """
    found = seen(raw(value)).strip()
    if found.startswith("/") and not found.startswith("//"):
        found = SITE + found
    start = _SCHEME.match(found)
    if start is None or "\\" in found:
        return ""
    rest = found[start.end() :]
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if not _AUTHORITY.fullmatch(authority):
        return ""
    is_plain = start.group().lower() == "http://" and not _SECURE.fullmatch(authority.lower())
    tail = quote(rest[len(authority) :], safe="/%?#[]@!$&'()*+,;=:~")
    return f"{'http' if is_plain else 'https'}://{authority.lower()}{tail}"


def host(address: str) -> str:
    """The host of an absolute address; empty where it cannot be told."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
