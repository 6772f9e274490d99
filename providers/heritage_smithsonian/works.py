"""A record as a work to be cited, and links as ids; pure.

Only those who made a thing are its creators: of the parties in free text most are sitters, donors,
owners, collectors, or those whom a copy follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from heritage_gateway.capability import Claim, Creator, Kind, Work
from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.text import clip, inline
from heritage_smithsonian.normalise import read_header
from heritage_smithsonian.rights import of_object
from heritage_smithsonian.wire import (
    Entry,
    Raw,
    content,
    descriptive,
    freetext,
    indexed,
    is_archival,
    labelled,
    link,
    mappings,
    raw,
    strings,
    text,
)

# Labels of those who made it, in small letters. "Copy after" and "Formerly attributed to" made others.
_MAKERS = frozenset(
    (
        *("artist", "artist/maker", "maker", "creator", "created by", "author", "photographer"),
        *(
            "manufacturer",
            "designer",
            "model maker",
            "attributed to",
            "attribution",
            "lithographer",
        ),
        *("printmaker", "engraver", "etcher", "sculptor", "painter", "illustrator", "architect"),
        *("composer", "lyricist", "inventor", "draftsman", "founder", "studio", "begun by"),
        *("finished by", "possibly by", "cartographer", "writer", "performer", "director"),
        *("producer", "weaver", "potter", "quilter", "(obverse)", "(reverse)", "editor"),
        *("translator", "recorder", "singer", "artist and printer", "printer"),
    )
)
_OF_A_FILE = frozenset(("creator", "author", "photographer", "artist", "translator", "singer"))
_BODIES = frozenset(("manufacturer", "studio", "founder"))  # firms, and people who stood for one
_PERSON = re.compile(r"(?:[A-Z][a-z]+|[A-Z]\.) [A-Z]\. [A-Z][a-z]+(?: [JS]r\.?)?$")
_OLD_RESOLVER = re.compile(r"^http://n2t\.net/", re.IGNORECASE)
_INVERTED = re.compile(r",\s*[^\W\d_]")
_NO_MEDIUM = re.compile(r"\W*(?:hazmat|hazard|text\W*$|image\W*$|paper records\W*$)", re.IGNORECASE)
_GUESSED = frozenset(("attribution", "possibly by"))

_DATES = (
    *("date", "date made", "date created", "creation date", "date range", "publication date"),
    *("date printed", "issue date", "associated date", "collection date"),
)
_IDENTIFIERS = (
    *("object number", "id number", "usnm number", "catalog number", "inventory number"),
    *("accession number", "identifier", "local number", "call number", "accession #"),
)
_MEDIA = ("medium", "media/materials", "materials")

# Words of the type by which the kind is known, the most telling first.
_KINDS: tuple[tuple[str, Kind], ...] = (
    (r"photograph|daguerreotype|tintype|photoprint|negatives?\b|stereograph", "photograph"),
    (r"sheet music|scores?\b", "score"),
    (r"\bmaps?\b|\batlas|\bglobes?\b", "map"),
    (r"field notes|diar|letters?\b|manuscript|notebook|logs \(records\)|correspond", "manuscript"),
    (r"sound record|phonograph record|audio|oral histor", "recording"),
    (r"motion picture|\bfilms?\b|video", "film"),
    (r"\bbooks?\b|trade catalog|pamphlet|trade literature", "book"),
    (r"periodical|journals?\b|magazine", "periodical"),
    (r"\bpaintings?\b|\bdrawings?\b|\bprints?\b|graphic arts?\b|sculpture|miniatures\b", "artwork"),
    (r"silhouette|relief|collage|lithograph|engraving|etching|woodcut|poster", "artwork"),
    (r"watercolor|pastel|still lif|portrait|figurine|decorative art|folk art|quilt", "artwork"),
    (r"holotype|specimen|fossil|meteorite|mineral", "specimen"),
)
_ART_UNITS = frozenset(("SAAM", "NPG", "HMSG", "FSG", "NMAA", "CHNDM", "NMAfA"))
_NO_ART = re.compile(r"equipment|printing|photographic eq|artists' materials", re.IGNORECASE)


def work(row: Raw) -> Work:
    header = read_header(row)
    blocks = freetext(row)
    archival = is_archival(row)
    return Work(
        id=header.record_id,
        kind="archive" if archival else _kind(row, header.unit_code),
        title=header.title,
        link=_link(row, header.record_link),
        creators=tuple(_archive_creators(blocks) if archival else _creators(blocks)),
        date=_date(blocks),
        publisher=_publisher(blocks),
        container=_collection(row) if archival else "",
        medium=_medium(blocks),
        holder=header.holding_museum_name or header.museum_name,
        identifier=_identifier(row),
        rights=of_object(row),
    )


def _link(row: Raw, page: str | None) -> str:
    """The guid is made to last; a page for people may move with its site.

    Both may be ark addresses without encryption, as they were written before their resolver had it.
    """
    found = link(descriptive(row).get("guid")) or link(content(row).get("guid")) or page or ""
    return _OLD_RESOLVER.sub("https://n2t.net/", found)


def _creators(blocks: Raw) -> Iterator[Creator]:
    for entry in labelled(blocks.get("name")):
        role = entry.label.casefold()
        if role in _MAKERS:
            is_body = role in _BODIES and not _PERSON.match(entry.content)
            yield Creator(entry.content, _role(entry.label), is_body=is_body)


def _role(label: str) -> str:
    return "attributed to" if label.casefold() in _GUESSED else label


def _archive_creators(blocks: Raw) -> Iterator[Creator]:
    """Its own alone: what is inherited are the collection's, which did not write every folder."""
    for entry in (*labelled(blocks.get("creator")), *labelled(blocks.get("name"))):
        if "inherited" not in entry.flags and entry.label.casefold() in _OF_A_FILE:
            # A heading without a comma before the years stands in its own order: "Silver Horn".
            is_direct = not _INVERTED.search(entry.content)
            yield Creator(entry.content, entry.label, is_body=is_direct)


def _publisher(blocks: Raw) -> str:
    """In free text; of specimens this block holds the published name of the species."""
    named = (
        *labelled(blocks.get("publisher")),
        *(entry for entry in labelled(blocks.get("name")) if entry.label.casefold() == "publisher"),
    )
    return next((_bare(one.content) for one in named if one.label.casefold() == "publisher"), "")


def _bare(party: str) -> str:
    """A publisher without life dates: "Currier and Ives, 1857-1907"."""
    return re.sub(r",\s*(?:active\s|born\s|c\.\s|\d).*$", "", party)


def _date(blocks: Raw) -> str:
    if is_dated := labelled(blocks.get("unitdate")):
        return is_dated[0].content
    entries = labelled(blocks.get("date"))
    for wanted in _DATES:
        for entry in entries:
            if entry.label.casefold() == wanted:
                return entry.content
    return ""


def _medium(blocks: Raw) -> str:
    """Warnings of a store and words of a format are no medium."""
    entries = labelled(blocks.get("physicalDescription"))
    for wanted in _MEDIA:
        said = [one.content for one in entries if one.label.casefold() == wanted]
        if found := [words for words in said if not _NO_MEDIUM.match(words)]:
            return "; ".join(found)
    return ""


def _identifier(row: Raw) -> str:
    """Its number in the house; archives are cited by their record's."""
    entries = labelled(freetext(row).get("identifier"))
    return _numbered(entries) or (text(content(row).get("record_id")) if is_archival(row) else "")


def _numbered(entries: tuple[Entry, ...]) -> str:
    for wanted in _IDENTIFIERS:
        for entry in entries:
            # "000000" is how one department writes that it has none.
            if entry.label.casefold() == wanted and entry.content.strip("0"):
                return entry.content
    return ""


def _collection(row: Raw) -> str:
    """The collection that a folder lies in."""
    steps = list(mappings(content(row).get("containedIn")))
    return text(steps[0].get("unittitle")) if steps else ""


def _kind(row: Raw, unit: str) -> Kind:
    words = " ".join(
        (*strings(indexed(row).get("object_type")), *_contents(freetext(row).get("objectType")))
    )
    if unit.startswith("NMNH") and unit != "NMNHANTHRO":
        return "specimen"
    plainly = _NO_ART.sub("", words)
    for pattern, kind in _KINDS:
        if re.search(pattern, plainly, re.IGNORECASE):
            return kind
    if unit == "NZP":
        return "photograph"  # the zoo's records have no type, and are pictures of its animals
    return "artwork" if unit in _ART_UNITS else "object"


def _contents(block: object) -> Iterator[str]:
    return (entry.content for entry in labelled(block))


# -- links -----------------------------------------------------------------------------------------

_UNITS = (
    "acm|aaa|acah|cfchfolklife|chndm|chsdm|dpo|eepa|fbr|fsg|fsa|hac|hmsg|hsfa|nasm|nmaahc|nmaa|nmafa"
    "|nmah|nmai|nmnh[a-z]*|npg|npm|nzp|ofeo-sg|saam|sil|silaf|silnmahtl|sia|siris|sova|sla_sro|si"
)
_OWN = re.compile(
    rf"(?:edanmdm|ead_component|ead_collection):.+|(?:ld1|edanmdm|ebl|edb|zoo)-.+|(?:{_UNITS})_.+",
    re.IGNORECASE,
)
_SHARED = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,20}_[A-Za-z0-9_.,+=~()/-]+")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_NAAN = "65665/"  # the Smithsonian's number among those who name by ark
_ARK = re.compile(r"(?:https?://)?(?:www\.)?n2t\.net/ark:/?65665/.*|ark:/?65665/.*", re.IGNORECASE)
_SEGMENT = re.compile(
    rf"(?:edanmdm|ead_component|ead_collection):.+|(?:{_UNITS})_.+", re.IGNORECASE
)
_FINDING_AID = re.compile(r"/(?:record|details)/(?P<aid>[A-Za-z]+\.[A-Za-z0-9.-]+)/?")
_ASIAN = re.compile(r"/object/(?P<number>[FS][A-Za-z0-9.-]+)/?")
_HINT = (
    "Search for it by title or number with smithsonian_search_objects, and give the record_id of "
    "the row."
)


def claim(given: str) -> Claim:
    """Links of the house and ids of its forms; a word with an underscore may be somebody else's."""
    name = given.strip()
    if _ARK.fullmatch(name) or _is_own_host(name):
        return "mine"
    if "//" in name:
        return "foreign"
    if _OWN.fullmatch(name):
        return "mine"
    return "maybe" if _SHARED.fullmatch(name) else "foreign"


def _is_own_host(name: str) -> bool:
    host = _host(name)
    return host == "si.edu" or host.endswith(".si.edu")


def _host(name: str) -> str:
    try:
        return (urlsplit(name).hostname or "") if _ADDRESS.match(name) else ""
    except ValueError:
        return ""


def named(given: str) -> str:
    """The id in a link; what is no link stays as it is. Raises `InvalidRequest` where it names none.

    Museums that put the record's id into their addresses have it as one whole segment, or as a value
    of the query. Those of archives and of Asian art follow a rule of their own.
    """
    name = given.strip()
    if not _is_own_host(name) and not _ARK.fullmatch(name):
        return name
    parts = urlsplit(name)
    if found := next(filter(_SEGMENT.fullmatch, _candidates(parts.path, parts.query)), None):
        return found
    if (match := _FINDING_AID.fullmatch(parts.path)) and parts.hostname == "sova.si.edu":
        aid = f"sova-{match['aid'].lower().replace('.', '-')}"
        reference = parts.fragment
        return f"ead_component:{aid}-{reference}" if reference else f"ead_collection:{aid}"
    if (match := _ASIAN.fullmatch(parts.path)) and parts.hostname == "asia.si.edu":
        return f"fsg_{match['number']}"
    shown = inline(clip(name, 120))
    raise InvalidRequest(
        Reason.INVALID_ID, f'"{shown}" does not name the record that it leads to.', _HINT
    )


def ark_of(link: str) -> str:
    """What an ark link or id is about, without its resolver; empty for anything else."""
    name = link.strip().rstrip("./,;")
    match = _ARK.fullmatch(name)
    return name[name.index(_NAAN) :].lower() if match else ""


def arks(row: Raw) -> Iterator[str]:
    """Those that lead to a record, by which the catalogue cannot be asked."""
    return filter(None, map(ark_in, ark_addresses(row)))


def ark_in(address: str) -> str:
    """The ark of an address as a record has it; empty where it is no ark link."""
    return ark_of(link(address))


def ark_addresses(row: Raw) -> Iterator[str]:
    """Where a record says that it is found, as it says it; what is surely no ark is left out."""
    fixed = descriptive(row)
    told = (fixed.get("guid"), content(row).get("guid"), fixed.get("record_link"))
    return (address for address in map(raw, told) if _NAAN in address)


def _candidates(path: str, query: str) -> Iterator[str]:
    """Whole segments, and what stands behind the words of a title: ".../object/lockheed-vega:nasm_A1"."""
    segments = [unquote(segment) for segment in path.split("/") if segment]
    yield from segments
    yield from (tail for segment in segments if (tail := segment.rpartition(":")[2]) != segment)
    for pair in query.split("&"):
        yield unquote(pair.partition("=")[2])
