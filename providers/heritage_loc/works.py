"""A record of the Library as a work to be cited, and what was given as its id or page; pure.

Those who collected, owned, printed or digitised a thing did not make it. The imprint is one line of
words on catalogue cards: "Ulm, Lienhart Holle, 28 May 1483." or "Place : Publisher, date."
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from heritage_gateway.capability import Claim, Creator, Kind, Verdict, Work
from heritage_gateway.errors import InvalidRequest
from heritage_gateway.rights import Rights
from heritage_loc.address import PageAddress, item_id, page_address
from heritage_loc.imprint import CENTURY, imprint
from heritage_loc.models import ItemRecord, NewspaperPage
from heritage_loc.wire import SITE

LIBRARY = "Library of Congress"
_ISO = re.compile(r"\d{4}(?:-\d{2}){0,2}")


def work_of_item(record: ItemRecord) -> Work:
    """Of an issue of a newspaper the paper is the container; it is cited like one of its pages."""
    issue = _issue(record)
    other = {one.label: one.value for one in reversed(record.other)}
    is_issue = issue is not None
    run = _run(record, other) if issue is None and _kind(record) == "periodical" else ""
    when = (issue.date if issue else None) or run or _guessed(record) or record.date or ""
    place, publisher = imprint(record.created_published or "", record.date or "")
    kind: Kind = "newspaper_page" if is_issue else _kind(record)
    return Work(
        id=record.item_id,
        kind=kind,
        title=record.title,
        link=record.url,
        creators=() if is_issue else tuple(_creators(record.contributors)),
        date=when,
        iso=_iso(when),
        publisher="" if is_issue or kind in _UNPUBLISHED else publisher,
        place=(other.get("Place of publication") or place or _appeared(record.title))
        if is_issue
        else place,
        container=_paper(record, other) if is_issue else "",
        edition=(issue.edition or "") if issue else "",
        medium="" if is_issue else _medium(record.physical_description),
        holder=_holder(record.repository, record.part_of),
        identifier="" if is_issue else _call_number(record.call_number),
        rights=_rights(record.rights),
    )


def work_of_page(page: NewspaperPage, address: PageAddress) -> Work:
    """A page of a newspaper; of other resources the item is the work, and the page stands in it."""
    return Work(
        id=page.page_url,
        kind="newspaper_page",
        title=page.title or page.newspaper_title or "",
        link=address.url,
        date=page.date or address.date or "",
        iso=_iso(page.date or address.date),
        place=page.place_of_publication or _appeared(page.newspaper_title or page.title or ""),
        container=_undated_paper(page.newspaper_title or page.title or ""),
        edition=page.edition or "",
        page=str(page.sequence or address.sp),
        holder=LIBRARY,
        rights=_rights(page.rights),
    )


def _rights(published: Rights | None) -> Verdict:
    return published.verdict if published else Verdict("unknown")


def _iso(date: str | None) -> str:
    return date if date and _ISO.fullmatch(date) else ""


_GUESS = re.compile(
    r"(?:^|[\s,\[])(?P<date>\[(?:ca?\.?\s?|between\s|not (?:before|after)\s)?\d{2,4}[^\[\]]*\]"
    r"|\d{4} \[i\. ?e\. \d{4}\]|\d{4}-\d{2,4}"
    r"|(?:ca?\.?|circa|between|about|approximately|(?:not )?(?:before|after))\s?\d{4}[^,\[\]]*)\]?\.?$",
    re.IGNORECASE,
)


def _guessed(record: ItemRecord) -> str:
    """A date that the card puts in brackets, or calls a guess; what is filed has lost the doubt."""
    card = (record.created_published or "").strip()
    if CENTURY.fullmatch(card):
        return card.rstrip(".")
    match = _GUESS.search(card)
    if match is None or (record.date and record.date[:4] not in match["date"]):
        return ""
    return match["date"].strip()


def _issue(record: ItemRecord) -> PageAddress | None:
    address = PageAddress(record.item_id)
    return address if address.issue_id else None


# -- papers ----------------------------------------------------------------------------------------

_RUN = re.compile(r"\s+(?:\d{4}|\d{2}\?\?)-(?:\d{4}|current|\?+)?$")
_DAY = re.compile(r",\s+[A-Z][a-z]+\s+\d{1,2},\s+\d{4}$")
_IMAGE = re.compile(r"^(?:Image|Page)\s+\d+\s+of\s+", re.IGNORECASE)


_APPEARED = re.compile(r"\((?P<place>[^()]*[A-Z][^()]*)\)")


def _appeared(title: str) -> str:
    """The place that a newspaper's title carries: "The sun (New York [N.Y.])"."""
    match = _APPEARED.search(title)
    return match["place"].strip() if match else ""


_WHOLE_RUN = re.compile(r"(?P<run>\d{4}-(?:\d{4}|current))\W*$")


def _run(record: ItemRecord, other: dict[str, str]) -> str:
    """The years of a whole newspaper: its first alone is not when it appeared."""
    told = next(
        (text for label, text in other.items() if "dates of publication" in label.lower()), ""
    )
    match = _WHOLE_RUN.search(told or record.title)
    return match["run"] if match else ""


def _paper(record: ItemRecord, other: dict[str, str]) -> str:
    return _undated_paper(other.get("Newspaper title", "").partition(";")[0] or record.title)


def _undated_paper(title: str) -> str:
    """The paper in "Evening star (Washington, D.C.) 1854-1972" and "..., January 31, 1916"."""
    return _RUN.sub("", _DAY.sub("", _IMAGE.sub("", title.strip()))).strip()


# -- who -------------------------------------------------------------------------------------------

# Roles of makers; a name without a role is the card's main entry, an author as a rule.
_MAKERS = frozenset(
    (
        *(
            "",
            "artist",
            "author",
            "photographer",
            "cartographer",
            "composer",
            "lyricist",
            "librettist",
        ),
        *("performer", "singer", "musician", "instrumentalist", "speaker", "narrator", "director"),
        *("producer", "filmmaker", "film director", "film producer", "engraver", "etcher"),
        *("lithographer", "printmaker", "illustrator", "draftsman", "delineator", "architect"),
        *("designer", "sculptor", "creator", "correspondent", "writer", "surveyor", "interviewee"),
        *("interviewer", "cinematographer", "screenwriter", "arranger", "conductor", "maker"),
        *("compiler", "editor", "translator", "attributed name", "attributed to", "scribe"),
        *(
            "recordist",
            "calligrapher",
            "caricaturist",
            "cartoonist",
            "aut",
            "pht",
            "art",
            "tr",
            "ed",
        ),
    )
)
_SPELT = {"tr": "translator", "ed": "editor", "attributed name": "attributed to"}
_ROLE_ASIDE = re.compile(r"\s*\((?P<role>[A-Za-z][a-z /-]+)\)\s*$")
_ROLE_WORD = re.compile(r",\s*(?P<role>[a-z][a-z ./-]+?)\.?\s*$")
_NO_PARTY = re.compile(r"\(Library of Congress\)|Collection(?:s)?\b.*$")


def _creators(contributors: Iterable[str]) -> Iterator[Creator]:
    for told in contributors:
        name, roles = parted(told)
        if told == told.lower():  # words of the index: which role they had is not known
            continue
        if not (set(roles) & _MAKERS) or (not roles[0] and _NO_PARTY.search(name)):
            continue
        role = next(role for role in roles if role in _MAKERS)
        yield Creator(name, _SPELT.get(role, role))


def parted(told: str) -> tuple[str, tuple[str, ...]]:
    """A name and its roles, in small letters; a name without a role has the empty one.

    The role stands in parentheses at the end, or after the last comma ("printer", "former owner").
    """
    name = " ".join(told.split())
    match = _ROLE_ASIDE.search(name)
    if match and (match["role"].lower() in _MAKERS or match["role"].lower() in _OTHERS):
        return name[: match.start()].strip(), _split(match["role"])
    match = _ROLE_WORD.search(name)
    if match and not match["role"].startswith(_BYNAMES):
        return name[: match.start()].strip(), _split(match["role"])
    return name, ("",)


_OTHERS = frozenset(
    (
        *("collector", "sponsor", "former owner", "printer", "publisher", "digitising institution"),
        *(
            "donor",
            "binder",
            "subject",
            "depicted",
            "bookseller",
            "funder",
            "associated name",
            "host",
        ),
    )
)
_BYNAMES = (
    "da ",
    "de ",
    "of ",
    "active ",
    "approximately ",
    "von ",
    "van ",
    "le ",
    "el ",
    "b.",
    "d.",
)


def _split(role: str) -> tuple[str, ...]:
    return tuple(part.strip(" .").lower() for part in re.split(r"[/,]| and ", role))


# -- what ------------------------------------------------------------------------------------------

_KINDS: tuple[tuple[str, Kind], ...] = (
    ("photo, print, drawing", "photograph"),
    ("map", "map"),
    ("notated music", "score"),
    ("sound recording", "recording"),
    ("film, video", "film"),
    ("film", "film"),
    ("manuscript/mixed material", "manuscript"),
    ("personal narrative", "manuscript"),
    ("book", "book"),
    ("newspaper", "periodical"),
    ("periodical", "periodical"),
    ("archived web site", "webpage"),
    ("web archive", "webpage"),
    ("web page", "webpage"),
    ("legislation", "book"),
    ("3d object", "object"),
    ("collection", "archive"),
)
_UNPUBLISHED: frozenset[Kind] = frozenset(("manuscript", "recording", "archive"))
_PHOTOGRAPHIC = re.compile(
    r"photo|negative|daguerreotype|tintype|ambrotype|stereograph|slide|albumen|gelatin|transparency",
    re.IGNORECASE,
)


def _kind(record: ItemRecord) -> Kind:
    """The pictures of the Library are one format; the medium tells photographs from other pictures."""
    formats = [name.casefold() for name in record.original_formats]
    medium = record.physical_description or ""
    for name, kind in _KINDS:
        if name in formats:
            is_other = kind == "photograph" and medium and not _PHOTOGRAPHIC.search(medium)
            return "artwork" if is_other else kind
    return "object"


def _medium(words: str | None) -> str:
    """The first of several; the stop of a card goes."""
    first = (words or "").partition(";  ")[0].strip().rstrip(".")
    return first.replace(" : ", ": ").replace(" ; ", "; ")


def _call_number(told: str | None) -> str:
    """What is filed for every piece of a kind ("Newspaper") is no number."""
    first = (told or "").partition("; ")[0].strip()
    return first if any(letter.isdigit() for letter in first) else ""


_ADDRESS = re.compile(r",?\s*\b(?:Washington|Wash\.),?\s+D\.?C\.?.*$", re.IGNORECASE)
_DIVISION = re.compile(r"\b(?:division|center|office|project|reading room)\b$", re.IGNORECASE)
_SMALL = frozenset(("and", "of", "the", "in", "for"))


def _holder(repository: str | None, part_of: Iterable[str]) -> str:
    """The division that keeps it, named by the record's repository or among what it is part of."""
    named = _ADDRESS.sub("", " ".join((repository or "").split()))
    named = named.removeprefix(LIBRARY).strip(" ,.;")
    if not named:
        found = next((name for name in part_of if _DIVISION.search(name)), "")
        named = " ".join(
            word if at and word in _SMALL else word.capitalize()
            for at, word in enumerate(found.split())
        )
    return f"{LIBRARY}, {named}" if named else LIBRARY


# -- ids and links ---------------------------------------------------------------------------------

_HOSTS = re.compile(
    r"(?:https?:)?//(?:[a-z0-9-]+\.)*loc\.gov(?:[:/?#].*)?|libofcongress://.*|info:lc/.*",
    re.IGNORECASE,
)
_BARE_HOST = re.compile(r"(?:[a-z0-9-]+\.)?loc\.gov/.*", re.IGNORECASE)
_OWN = re.compile(
    r"[a-z]{0,3}\d{8,10}(?:/\d{4}-\d{2}-\d{2}/ed-\d+)?/?"
    r"|(?:lomaxbib|mss|mal|wpalh|lcwa[A-Za-z]|afc\d{4}|ihas\.|musp|jukebox-|unk|sanborn)"
    r"[A-Za-z0-9._-]*\d[\w.-]*",
    re.IGNORECASE,
)
_SHARED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,+=~()-]*(?:/[A-Za-z0-9_.,+=~()-]+)*/?")


def claim(given: str) -> Claim:
    """Links of the Library and control numbers are its own; another word with a digit may be an id."""
    name = given.strip().rstrip(".,;")
    if _HOSTS.fullmatch(name) or _BARE_HOST.fullmatch(name):
        return "mine"
    if "//" in name or not name:
        return "foreign"
    if _OWN.fullmatch(name):
        return "mine"
    is_like = _SHARED.fullmatch(name) and any(letter.isdigit() for letter in name)
    return "maybe" if is_like and len(name) <= 200 else "foreign"


def meant(given: str) -> str | PageAddress:
    """The item's id, or the page that an address leads to. Raises `InvalidRequest` (`invalid_id`)."""
    name = given.strip().partition("#")[0]
    if "/resource/" in name or "chroniclingamerica.loc.gov/" in name.lower():
        whole = name if "//" in name else f"{SITE.partition('//')[0]}//{name}"
        page = page_address(whole)
        has_page = "sp=" in name or "seq-" in name
        return page.issue_id if page.issue_id and not has_page else page
    try:
        return item_id(name.partition("?")[0])
    except InvalidRequest:
        return item_id(given)
