"""What may be done with an item or a page; pure.

The Library owns hardly any rights in what it holds. It says of an item what it knows (`rights_advisory`),
and of a collection what holds in general (`rights`), in prose that is the same for thousands of items:
this goes after what frees the item itself, and never above what does not. Words about access close the
image unless they are about the fragile original.
`access_restricted` is a fact where it is true; where it is false it permits nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import Ruling, Statement, judge, rule, silent
from heritage_loc.wire import Raw, absolute, items, mapping, paragraphs, texts

_CLOSED = "access_restricted"
_ACCESS = ("access_advisory", "restriction", "access_condition")
_ADVICE = ("rights_advisory", "rights_information")
_GENERAL = "rights"

_NO_COPYRIGHT = r"\bno (?:known )?copyright(?: protection| restrictions?)?(?=\W*$|[.;,(])"
_FRAGILE = (
    r"(?:fragile|preservation)\b(?: (?:reasons|concerns))?(?:,? and (?:not|cannot be) served\b)?"
)
_NOT_CLOSED = r"(?:(?!\buntil\b|\bclosed\b|\bnot available\b|\bimages? (?:is|are|not)\b|\d).)*"

# The Library's standing sentences, which warn of what may be protected and do not say what is.
_STANDING = (
    r"\bfor educational and research purposes\b",
    (
        r"\b(?:note that )?the written permission of the copyright owners\b[^.]*"
        r"\bof protected items beyond that allowed by fair use\b(?: or other (?:statutory )?exemptions)?"
    ),
    r"\bresponsibility for making an independent legal assessment\b[^.;]*",
    r"\brights and restrictions(?: information)?\b",
)
_NO_RENEWAL = (
    r"\bno (?:copyright )?renewal\b(?: (?:was )?found)?(?: in (?:the )?copyright office)?",
    r"\bcopyright (?:was )?not renewed\b",
    r"\bcopyright (?:has )?expired\b",
)

# The first that matches decides of a statement: access, what is said of the item, what is said of all.
RULES = (
    rule("access is restricted", "restricted", r"^true$", _CLOSED),
    silent(
        "how the original is seen, not how it may be used",
        rf"\b{_FRAGILE}|\bsurrogates?\b|^\W*none\W*$|\bunrestricted\b|\bno (?:access )?restrictions\b"
        r"|\boriginals? (?:(?:is|are) )?(?:not|cannot be) served\b|\bserved by appointment only\b"
        r"|\b(?<!not )open (?:for|to) research(?:ers)?\b|\bappointment(?: required)?\b|\badvance notice(?: (?:is )?required)?\b",
        *_ACCESS,
    ),
    rule(
        "access to the original is restricted, which is not the image",
        "unknown",
        rf"^\W*(?:restricted access|access(?: is)? restricted)\b[^.\w]*{_NOT_CLOSED}\b{_FRAGILE}"
        r"(?:\W+(?:use|served as) (?:the )?(?:digital )?surrogates?)?\W*$"
        rf"|^\W*access to (?:the )?originals?(?: is| are)? (?:restricted|limited)\b{_NOT_CLOSED}$"
        r"|\boriginals? (?:(?:is|are) )?(?:closed|restricted|unavailable|not available)\b",
        *_ACCESS,
        yields=True,
    ),
    rule(
        "access is for some readers only",
        "restricted",
        r"\b(?:access|use|available|viewable)\b[^.]*\b(?:limited|only|onsite|on-site|on site)\b",
        *_ACCESS,
    ),
    rule(
        "part of it may be closed; whether this is, is not said",
        "conditions",
        r"\b(?:some|certain|many|most|parts?|portions?)\b[^.]*\b(?:restricted|closed)\b"
        r"|\bmay be (?:restricted|closed)\b",
        *_ACCESS,
    ),
    rule(
        "it is closed to readers",
        "restricted",
        r"\bclosed\b|\brestricted\b|\bembargo|\bsealed\b|\bwithdrawn\b|\b(?:not|un) ?available\b|\bno (?:public )?access\b"
        r"|\b(?:not|cannot|may not) (?:be )?(?:open|accessible|accessed|viewed|shown|displayed)\b",
        *_ACCESS,
    ),
    rule(
        "readers need permission",
        "conditions",
        r"\b(?:permission|consent|approval)\b",
        *_ACCESS,
    ),
    rule(
        "the item may not be published",
        "restricted",
        r"\bmay not be (?:published|reproduced|copied|used)\b|\breserved\b"
        r"|\b(?:publication|reproduction|copying|use|access)(?: (?:is|are))?"
        r" (?:restricted|prohibited|forbidden|not (?:permitted|allowed))\b"
        r"|\b(?:not|cannot|never)(?: to)? be (?:published|reproduced|copied|used)\b(?![^.]*\bwithout\b)"
        r"|\bdo not (?:publish|reproduce|copy|use)\b"
        r"|^\W*restricted\b",
        *_ADVICE,
    ),
    rule(
        "the item is under conditions, or may be",
        "conditions",
        r"\bmay be restricted\b|\bpermission\b|\bconsent\b|\b(?:in|under) copyright\b(?! office)|©|\(c\)"
        r"|\bcopyright (?:held|by|owned|\d{4})|\bcopyrighted\b|\bsome restrictions\b"
        r"|\brestrictions apply\b|\brights (?:are )?(?:held|retained|owned)\b|\bCC[ -]BY\b|\bcreative commons attribution\b|\bcommercial",
        *_ADVICE,
    ),
    rule("nobody has looked into the rights", "unknown", r"\bnot (?:been )?evaluated\b", *_ADVICE),
    rule(
        "no restrictions known for the item",
        "free_to_use",
        rf"\bno known (?:copyright )?restrictions?\b|\bpublic domain\b|{_NO_COPYRIGHT}",
        *_ADVICE,
        beside="|".join((*_NO_RENEWAL, *_STANDING)),
    ),
    rule(
        "public domain in general, but parts may be protected",
        "conditions",
        r"\bpublic domain\b[^.]*\bbut may contain\b",
        _GENERAL,
    ),
    rule(
        "no restrictions known for the collection",
        "free_to_use",
        r"\bno known (?:copyright )?restrictions?\b|\bare in the public domain\b|\bfree to use\b"
        r"|\bnot aware of any (?:U\.S\. )?copyright\b(?: protection)?(?: \(see title 17[^)]*\))?"
        r"(?:,? or any other restrictions)?",
        _GENERAL,
        beside="|".join(_STANDING),
    ),
    rule(
        "protected items need permission, and which are protected is not said",
        "conditions",
        r"\bwritten permission\b|\bpermission (?:is|must)\b|\bmay be (?:protected|restricted)\b"
        r"|\bcopyright owners?\b",
        _GENERAL,
    ),
    rule(
        "the Library cannot say, and leaves it to the reader",
        "unknown",
        r"\bdoes not own rights\b|\bcannot grant or deny\b",
        _GENERAL,
    ),
    rule("permission is spoken of", "conditions", r"\bpermissions?\b", _GENERAL),
)


def of_item(block: Raw) -> Verdict:
    """Of the block of an item, or a row of a search."""
    return ruling(block).verdict


def is_closed(verdict: Verdict) -> bool:
    """Whether readers are kept out, beside what they may do with what they see."""
    return verdict.permission == "restricted" and verdict.field in (_CLOSED, *_ACCESS)


def ruling(block: Raw) -> Ruling:
    return judge(_statements(block), RULES, general=(_GENERAL,))


def _statements(block: Raw) -> Iterator[Statement]:
    """What is said of the item first, then of its collection, then of access to it."""
    inner = mapping(block.get("item"))
    if any(_is_true(value) for part in (block, inner) for value in items(part.get(_CLOSED))):
        yield Statement(_CLOSED, "true")
    for key in (*_ADVICE, _GENERAL):
        for part in (block, inner):
            for value in items(part.get(key)):
                words = paragraphs(value)
                if words and not absolute(words):  # the address of a page about rights says nothing
                    yield Statement(key, words)
    for key in _ACCESS:
        for part in (block, inner):
            for words in texts(part.get(key)):
                yield Statement(key, words)


def _is_true(value: object) -> bool:
    """Facts come as such, as numbers and as words."""
    return value is True or str(value).strip().casefold() in ("true", "yes", "1")
