"""What may be done with an item or a page; pure.

The Library owns hardly any rights in what it holds. It says of an item what it knows (`rights_advisory`),
and of a collection what holds in general (`rights`), in prose that is the same for thousands of items.
`access_restricted` is a fact where it is true; where it is false it permits nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import Ruling, Statement, judge, rule
from heritage_loc.wire import Raw, absolute, items, mapping, paragraphs, texts

_CLOSED = "access_restricted"
_ACCESS = ("access_advisory", "restriction", "access_condition")
_ADVICE = ("rights_advisory", "rights_information")
_GENERAL = "rights"

# The first that matches wins: what closes it, what is said of the item, what is said of all.
RULES = (
    rule("access is restricted", "restricted", r"^true$", _CLOSED),
    rule(
        "access is for some readers only",
        "restricted",
        r"\b(?:access|use|available|viewable)\b[^.]*\b(?:limited|only|onsite|on-site|on site)\b",
        *_ACCESS,
    ),
    rule(
        "the item may not be published",
        "restricted",
        r"\bmay not be (?:published|reproduced|copied)\b|\brights reserved\b",
        *_ADVICE,
    ),
    rule(
        "the item is under conditions, or may be",
        "conditions",
        r"\bmay be restricted\b|\bpermission\b|\bin copyright\b|©|\bcopyright (?:held|by|owned)\b"
        r"|\bsome restrictions\b|\brestrictions apply\b",
        *_ADVICE,
    ),
    rule(
        "no restrictions known for the item",
        "free_to_use",
        r"\bno known (?:copyright )?restrictions?\b|\bpublic domain\b|\bno copyright\b",
        *_ADVICE,
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
        r"\bno known (?:copyright )?restrictions?\b|\bnot aware of any (?:U\.S\. )?copyright\b"
        r"|\bare in the public domain\b|\bfree to use\b",
        _GENERAL,
    ),
    rule(
        "the Library cannot say, and leaves it to the reader",
        "unknown",
        r"\bdoes not own rights\b|\bcannot grant or deny\b",
        _GENERAL,
    ),
    rule(
        "protected items need permission, and which are protected is not said",
        "conditions",
        r"\bpermission\b|\bmay be (?:protected|restricted)\b|\bcopyright owners?\b",
        _GENERAL,
    ),
    rule(
        "how the original is seen, not how it may be used",
        "unknown",
        r"\bfragile\b|\bsurrogate|\bserved\b|\bnone\b",
        *_ACCESS,
    ),
)


def of_item(block: Raw) -> Verdict:
    """Of the block of an item, or a row of a search."""
    return ruling(block).verdict


def is_closed(verdict: Verdict) -> bool:
    """Whether readers are kept out, beside what they may do with what they see."""
    return verdict.permission == "restricted" and verdict.field in (_CLOSED, *_ACCESS)


def ruling(block: Raw) -> Ruling:
    return judge(_statements(block), RULES)


def _statements(block: Raw) -> Iterator[Statement]:
    """What is said of the item first, then of its collection, then of access to it."""
    inner = mapping(block.get("item"))
    if block.get(_CLOSED) is True or inner.get(_CLOSED) is True:
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
