"""How ids of the Library are spelt, and what is told of what is given in place of one; pure."""

from __future__ import annotations

import re

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.text import clip, inline

ITEM_HINT = (
    "Give the id of a row of libofcongress_search, unchanged; 2007680728 and "
    "sn85025570/1894-06-07/ed-1 are two."
)
_PAGE_NOT_ITEM = (
    "This is an address of pages: libofcongress_get_newspaper_page reads it, and names the item_id."
)
_OWN_SCHEME = re.compile(r"libofcongress://item/", re.IGNORECASE)
_OWN_ADDRESS = re.compile(
    r"(?:(?:https?:)?//)?(?:[a-z0-9-]+\.)*loc\.gov(?:[/?#:]|$)", re.IGNORECASE
)
_AUTHORITY = re.compile(
    r"(?:(?:https?:)?//)?id\.loc\.gov/(?:authorities|vocabulary|rwo)/|info:lc/authorities/",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"[a-z]{0,3}\d{8,10}|(?:lomaxbib|mss|sanborn|afcwip|afc|musp|mal|wpalh)\d[a-z0-9_.-]*",
    re.IGNORECASE,
)
_NO_ITEM_LINK = (
    "Give the link that has /item/ and the id, https://www.loc.gov/item/2007680728/ for one; a number "
    "of lccn.loc.gov serves, too. libofcongress_search finds the item by its title."
)
_SUBJECT = re.compile(r"sh ?[0-9]{8,10}(?:\.html|\.json)?/?", re.IGNORECASE)


def without_scheme(name: str) -> str:
    """An id of an item, out of the address that this server lists it under."""
    return _OWN_SCHEME.sub("", name)


def unstopped(path: str | None) -> str | None:
    """Without the stop of the sentence it stood in, and without the form of the record."""
    if path is None or not re.search(r"[A-Za-z0-9][.,;/]*$", path):
        return path
    bare = path.rstrip(".,;")
    if bare != path and bare.endswith("/"):
        return path
    return (
        bare.removesuffix("/").removesuffix("/manifest.json") if not bare.endswith("//") else path
    )


def no_id(name: str) -> InvalidRequest:
    """An address of the Library is its own, and names no item: to say that it is foreign were false."""
    is_own = _OWN_ADDRESS.match(name)
    said = "leads to no item" if is_own else "is not an id"
    hint = _PAGE_NOT_ITEM if "/resource/" in name else _NO_ITEM_LINK if is_own else ITEM_HINT
    return InvalidRequest(
        Reason.INVALID_ID, f'"{inline(clip(name, 80))}" {said} of the Library of Congress.', hint
    )


def heading(name: str) -> InvalidRequest:
    return InvalidRequest(
        Reason.INVALID_ID,
        f'"{inline(clip(name, 80))}" is a heading of the Library of Congress, and no record of an item.',
        "libofcongress_get_subject reads a subject heading; items about it are found with "
        "libofcongress_search.",
    )


def is_heading(name: str, path: str | None) -> bool:
    """Control numbers that begin with sh are those of subject headings."""
    return bool(_AUTHORITY.match(name) or (path and _SUBJECT.fullmatch(path)))


def spelt(name: str) -> str:
    """As the catalogue spells it, where that is known: ids of these forms are in small letters.

    Others are left as they are, since letter case counts: lcwaN0010863 and thc1995000605/PP are two.
    """
    first, slash, rest = name.partition("/")
    if not _SMALL.fullmatch(first):
        return name
    rest = rest.lower() if re.fullmatch(r"\d{4}-\d\d-\d\d/ed-\d+", rest, re.IGNORECASE) else rest
    return f"{first.lower()}{slash}{rest}"
