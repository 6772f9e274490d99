"""What may be done with an object and with each of its images; pure.

That the metadata are CC0 is true of every record and permits nothing else. An image has its own
`usage.access`, which decides where it frees what the record says of rights in general: records marked
as copyright protected have images that the Smithsonian has released. A warning beside it is heard.
"""

from __future__ import annotations

from collections.abc import Iterator

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import Ruling, Statement, judge, rule, silent, warns
from heritage_smithsonian.wire import (
    Entry,
    Raw,
    freetext,
    indexed,
    labelled,
    mapping,
    strings,
    text,
)

_OBJECT = "objectRights"
_CREDIT = "objectRights: Credit Line"
_COPYRIGHT = "objectRights: Copyright"
_USE, _THEIR_USE = "userestrict", "userestrict (inherited)"
_ACCESS, _THEIR_ACCESS = "accessrestrict", "accessrestrict (inherited)"

_ANYTHING = r"^"
_NO_COPYRIGHT = r"^no (?:known )?copyright(?: restrictions?| protection)?(?=\W*$|\s*[-–:.,;(])"

# Of objects. The first that matches decides of a statement; "inherited" words are those of the
# collection or series.
OBJECT_RULES = (
    rule(
        "it is closed to readers",
        "restricted",
        r"\brestricted until\b|\bclosed\b|^\W*restricted\W*$",
        _ACCESS,
    ),
    rule(
        "the whole that it belongs to is closed to readers",
        "restricted",
        r"\b(?:is|are)(?: currently)? closed to\b|^\W*restricted\W*(?:until \d{4}\W*)?$"
        r"|\bmaterial in this (?:sub-?)?series is restricted\b",
        _THEIR_ACCESS,
    ),
    rule(
        "copyright is claimed, whatever else is said",
        "conditions",
        r"©|\(c\)",
        _COPYRIGHT,
        _OBJECT,
        _CREDIT,
        _USE,
        _THEIR_USE,
    ),
    rule("CC0", "free_to_use", r"^\W*CC0\W*$", _OBJECT),
    rule(
        "no copyright, or none known", "free_to_use", rf"{_NO_COPYRIGHT}|\bpublic domain\b", _OBJECT
    ),
    rule(
        "there is no copyright, or none is known",
        "free_to_use",
        r"^(?:none|no)(?: is)?(?: known)?\W*$",
        _COPYRIGHT,
    ),
    rule(
        "copyright is protected or use is restricted",
        "restricted",
        r"\bcopyright protected\b|\brights reserved\b|\b(?:usage|use) (?:is )?restricted\b",
        _OBJECT,
    ),
    rule(
        "rights were given to the public",
        "free_to_use",
        r"\brights\b(?: (?:in|to) unpublished material)?(?=.*\bgiven to the public\b)",
        _USE,
    ),
    rule(
        "rights were given to the public for some of the collection",
        "conditions",
        r"\brights\b.*\bgiven to the public\b",
        _THEIR_USE,
    ),
    rule(
        "terms of use are to be asked for, or somebody holds rights",
        "conditions",
        r"\bterms of use\b|\bpermission\b|\bretained .*rights\b|\bconditions apply\b",
        _USE,
        _THEIR_USE,
        _OBJECT,
        _CREDIT,
    ),
    rule("a rights statement of the house applies", "conditions", r"\bin copyright\b", _OBJECT),
    silent(
        "nothing is registered, which leaves it open", r"\b(?:none|not) registered\b", _COPYRIGHT
    ),
    silent(
        "a year from which the term is reckoned, no more",
        r"\bdeath date\b|^\W*\d{4}\W*$",
        _COPYRIGHT,
    ),
    rule("a holder of the copyright is named", "conditions", r"\w", _COPYRIGHT),
    silent(
        "how the original is seen, not how it may be used",
        r"\bopen for research\b|\bno (?:access )?restrictions\b"
        r"|\b(?:requires? )?advanced? notice\b|\b(?:requires? (?:an |and )?)?appointment\b"
        r"|\bmany of\b[^.]*\bholdings are located off-?site\b|\bcontact the (?:division|department) of\b",
        _OBJECT,
        _ACCESS,
        _THEIR_ACCESS,
    ),
    rule(
        "part of the collection is restricted; whether this is, is not said",
        "conditions",
        r"\brestricted\b|\brestrictions? (?:on|apply)\b|\bcovered by copyright\b|\bpermission\b",
        _THEIR_ACCESS,
        _ACCESS,
    ),
    silent("whom to name, not what is allowed", _ANYTHING, _CREDIT),
)

_IMAGE, _IMAGE_TEXT, _MEDIA_RIGHTS = "usage.access", "usage.text", "online_media_rights"

# Of images.
IMAGE_RULES = (
    rule(
        "released, with a warning of the rights of others",
        "conditions",
        r"^CC0\b.*\brestrictions\b.*\bmay apply\b",
        _IMAGE,
    ),
    rule("CC0", "free_to_use", r"^CC0\b", _IMAGE),
    rule("not released", "conditions", r"^(?!CC0\b).*\w", _IMAGE),
    rule(
        "copyright is protected or use is restricted",
        "restricted",
        r"\bcopyright protected\b|\brestricted\b",
        _MEDIA_RIGHTS,
    ),
    rule("no copyright, or none known", "free_to_use", _NO_COPYRIGHT, _MEDIA_RIGHTS),
    rule(
        "terms apply",
        "conditions",
        r"\brestrictions\b|\bconditions\b|©|\bcopyright\b|\bpermission\b|\bcommercial\b",
        _IMAGE_TEXT,
        _MEDIA_RIGHTS,
    ),
    silent(
        "whom to thank or to name, not what is allowed",
        r"\b(?:support|sponsored|funded|funding|gift|courtesy|credit|thanks|digiti[sz]ed)\b"
        r"|\b(?:photo|photograph|photography|image|scan) by\b|\bprovided by\b",
        _IMAGE_TEXT,
    ),
)


def of_object(row: Raw) -> Verdict:
    return ruling_on_object(row).verdict


def of_image(row: Raw, medium: Raw) -> Verdict:
    """Of an entry of `online_media`; `row` is the record it stands in."""
    return ruling_on_image(row, medium).verdict


def ruling_on_object(row: Raw) -> Ruling:
    return judge(_object_statements(row), OBJECT_RULES)


def ruling_on_image(row: Raw, medium: Raw) -> Ruling:
    return judge(_image_statements(row, medium), IMAGE_RULES, general=(_MEDIA_RIGHTS,))


def _object_statements(row: Raw) -> Iterator[Statement]:
    blocks = freetext(row)
    for entry in labelled(blocks.get("objectRights")):
        yield Statement(_named(entry), entry.content)
    for block, own, theirs in (
        ("userestrict", _USE, _THEIR_USE),
        ("accessrestrict", _ACCESS, _THEIR_ACCESS),
    ):
        for entry in labelled(blocks.get(block)):
            yield Statement(theirs if "inherited" in entry.flags else own, entry.content)


def _named(entry: Entry) -> str:
    label = entry.label.casefold()
    if label.startswith("credit"):
        return _CREDIT
    return _COPYRIGHT if label == "copyright" else _OBJECT


def _image_statements(row: Raw, medium: Raw) -> Iterator[Statement]:
    """A warning beside CC0 is read with it; thanks to a donor stand in the same place."""
    usage = mapping(medium.get("usage"))
    access, words = text(usage.get("access")), text(usage.get("text"))
    is_warned = bool(access) and warns(words)
    yield Statement(_IMAGE, f"{access}. {words}" if is_warned else access)
    yield Statement(_IMAGE_TEXT, "" if is_warned else words)
    for said in strings(indexed(row).get("online_media_rights")):
        yield Statement(_MEDIA_RIGHTS, said)
