"""Names as records have them, taken apart: who made a work, in full, without life dates or nationality.

Libraries write "Last, First, 1897-1937", museums "First Last, American, 22 Dec 1771 - 9 Jul 1845". What
cannot be taken apart with certainty stays whole, and is printed as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from heritage_gateway.capability import Creator


@dataclass(frozen=True, slots=True)
class Name:
    """A person with family name and given names, or a `literal`: a body, or a name of one part."""

    family: str = ""
    given: str = ""
    suffix: str = ""
    literal: str = ""
    attributed: bool = False

    @property
    def inverted(self) -> str:
        """Last, First: how a list of works is ordered."""
        return self.literal or ", ".join(filter(None, (self.family, self.given, self.suffix)))

    @property
    def plain(self) -> str:
        """First Last."""
        return self.literal or " ".join(filter(None, (self.given, self._closed)))

    @property
    def _closed(self) -> str:
        comma = "," if self.suffix.startswith(("Jr", "Sr")) else ""
        return f"{self.family}{comma} {self.suffix}" if self.suffix else self.family

    @property
    def initials(self) -> str:
        """Last, F. M.: the form of APA, which allows no other."""
        if self.literal:
            return self.literal
        given = " ".join(map(_initial, self.given.split()))
        return ", ".join(filter(None, (self.family, given, self.suffix)))


@dataclass(frozen=True, slots=True)
class Credits:
    """The names of a work by what they did: `editors` and `translators` made it of another's work."""

    makers: tuple[Name, ...] = ()
    editors: tuple[Name, ...] = ()
    translators: tuple[Name, ...] = ()


def credited(creators: Iterable[Creator]) -> Credits:
    """Each name once; those that say that nobody is known are left out."""
    found: dict[str, dict[tuple[str, str, str, str], Name]] = {"": {}, "edit": {}, "transl": {}}
    for creator in _each(creators):
        name = read(creator)
        if name is None:
            continue
        role = creator.role.casefold()
        task = next((word for word in ("edit", "transl") if role.startswith(word)), "")
        found[task].setdefault((name.family, name.given, name.suffix, name.literal), name)
    makers, editors, translators = (tuple(names.values()) for names in found.values())
    return Credits(makers, editors, translators)


def _each(creators: Iterable[Creator]) -> Iterable[Creator]:
    """In "First Last, 1890-1942 and Last Brothers" two are named, since nobody goes on after his years."""
    for creator in creators:
        for name in _AFTER_YEARS.split(creator.name):
            yield replace(creator, name=name)


_AFTER_YEARS = re.compile(r"(?<=\d{4}) and (?=[A-Z])")
_CLOSED_ASIDE = re.compile(r"\)\.$")


def read(creator: Creator) -> Name | None:
    """None for a name that names nobody, such as "Unidentified artist"."""
    whole = _CLOSED_ASIDE.sub(")", " ".join(creator.name.split()).strip(" ,;"))
    if not whole or _NOBODY.fullmatch(whole):
        return None
    attributed = bool(_ATTRIBUTED.search(creator.role))
    if creator.is_body or _is_body(whole):
        return Name(literal=_body(whole), attributed=attributed)
    kept, expansion = _without_asides(whole)
    segments = _telling_segments([part.strip() for part in kept.split(",") if part.strip()])
    if not segments or not _LETTER.search(segments[0]):
        return Name(literal=whole, attributed=attributed)
    foreign = _CJK.search(whole) is not None or _of_old(whole)
    name = _person(segments, expansion, foreign=foreign)
    return Name(name.family, name.given, name.suffix, name.literal, attributed)


def _of_old(whole: str) -> bool:
    """In "Otto von Passau, active 1386" the byname is no family name."""
    return ", active " in whole and not _PARTICLES.isdisjoint(whole.split())


# -- what a name is not ----------------------------------------------------------------------------

_LETTER = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_NOBODY = re.compile(
    r"\W*(?:(?:un(?:known|identified|attributed|recorded)|anonymous|anon)\b.*"
    r"|n/?a|none|various(?: \w+)?|artist unknown|maker unknown|not (?:known|recorded))\W*",
    re.IGNORECASE,
)
_ATTRIBUTED = re.compile(r"\battribut|\bpossibly\b|\bprobably\b", re.IGNORECASE)
_BODY_WORDS = frozenset(
    re.findall(
        r"\S+",
        "academy administration aeronautics agency aircraft airlines airways army arsenal associates "
        "association aviation bros brothers bureau center centre club co commission committee company "
        "congress corp corporation council department dept division engineering expedition factory "
        "family firm foundation foundry gallery gmbh government inc incorporated industries institut "
        "institute institution laboratories laboratory limited llc ltd ministry motors museum navy "
        "observatory office orchestra ordnance organization partners plc post productions quartet "
        "railroad railway research section societe société society specialists squadron station studio "
        "studios survey system systems theatre tribe university werke workshop",
    )
)
# These are family names, too: they tell only where nothing follows that belongs to a person.
_DOUBTFUL_WORDS = frozenset(
    [
        "archives",
        "band",
        "bank",
        "board",
        "church",
        "college",
        "force",
        "group",
        "lab",
        "library",
        "mission",
        "press",
        "school",
        "scouts",
        "service",
        "shop",
        "sons",
        "team",
        "technologies",
        "trust",
        "union",
        "works",
    ]
)
_BODY_MARKS = re.compile(r"\s&\s|\bU\.\s?S\.|United States\b|\(Firm\)| and | et ", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def _is_body(name: str) -> bool:
    """By its words: a person's name holds none of these but by accident, and is then printed whole."""
    if _BODY_MARKS.search(name):
        return True
    parts = _PAREN.sub("", name).split(",")
    if any(_INCORPORATED.fullmatch(part.strip()) for part in parts[1:]):
        return True
    telling = _BODY_WORDS if len(parts) > 1 else _BODY_WORDS | _DOUBTFUL_WORDS
    return any(word.casefold() in telling for part in parts[:2] for word in _WORD.findall(part)[1:])


_LAST_ASIDE = re.compile(r"\s*\([^()]*\)$")
_INCORPORATED = re.compile(r"(?:Inc|Ltd|Limited|LLC|L\.L\.C|Co|S\.?A|GmbH|Incorporated)\b\.?")


def _body(name: str) -> str:
    """Without its place and years; "Inc." belongs to the name, and so does a division."""
    parts = [part.strip() for part in name.split(",") if part.strip()]
    kept = parts[:1]
    for part in parts[1:]:
        words = {word.casefold() for word in _WORD.findall(part)}
        if not _INCORPORATED.fullmatch(part) and (_is_qualifier(part) or not words & _BODY_WORDS):
            break
        kept.append(part)
    whole = ", ".join(kept)
    if whole.count("(") > whole.count(")"):  # the place in parentheses had a comma
        whole = whole[: whole.rindex("(")].rstrip()
    said = _LAST_ASIDE.sub("", whole) or name
    return said if _ABBREVIATED.search(said) else said.rstrip(".") or name


_ABBREVIATED = re.compile(r"\b(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|S\.A|U\.S|[A-Z])\.$")

# -- what follows a name ---------------------------------------------------------------------------

_YEARS = re.compile(
    r"\d{3,4}|\b(?:b|d|fl|ca?|n\.d)\.|\b(?:[Bb]orn|[Dd]ied|[Aa]ctive|[Ff]ounded|[Cc]losed|[Cc]irca)\b"
    r"|\b(?:[Ee]stablished|[Cc]entury|[Aa]pproximately|[Ff]lourished|[Pp]resent)\b"
)
_SUFFIX = re.compile(
    r"[Tt]he (?:Younger|Elder)|(?:Jr|Sr|[23]d|[1-4](?:st|nd|rd|th))\.?|I{2,3}|IV|VI{0,3}"
)
_FORM_OF_ADDRESS = re.compile(
    r"(?:Mrs|Mr|Miss|Ms|Dr|Sir|Lady|Princess|Prince|Lord|Rev|Captain|Count|Baron|Chief|Saint)\.?$"
)
_TITLE = re.compile(
    r"(?:Sir|Captain|Capt|Colonel|Col|General|Gen|Major|Dr|Rev|Brigadier|Mr|Lady)\.?"
)
_DEMONYMS = frozenset(
    re.findall(
        r"\S+",
        "greek dutch french swiss czech thai iraqi israeli pakistani british welsh haida hopi navajo "
        "diné seminole cherokee cree sioux lakota zuni tlingit inuit maya ojibwe chippewa kiowa apache "
        "pueblo yup'ik unknown filipino iroquois argentine german ottoman burman",
    )
)
_DEMONYM = re.compile(r"(?:[A-Z]\w+[- ])*[A-Z]\w*(?:ean|ian|ican|can|ese|ish|lander)")


def _is_qualifier(part: str) -> bool:
    """Life dates, places and nationalities: after the first of them nothing is a name any more."""
    return bool(
        _YEARS.search(part)
        or part.casefold() in _DEMONYMS
        or (_DEMONYM.fullmatch(part) and part not in _NAMES_LIKE_NATIONS)
        or part.casefold().startswith("non-")
    )


_NAMES_LIKE_NATIONS = frozenset(
    (
        "Ian",
        "Brian",
        "Sebastian",
        "Adrian",
        "Julian",
        "Christian",
        "Fabian",
        "Damian",
        "Lillian",
        "Vivian",
        "Marian",
        "Dorian",
        "Jean",
        "Sean",
        "Dean",
        "Rosean",
        "Duncan",
        "Cyprian",
    )
)


def _telling_segments(parts: list[str]) -> list[str]:
    """The segments of the name itself; a date without a comma before it is cut off, too."""
    kept = [_TRAILING_DATES.sub("", parts[0]).strip()] if parts else []
    for part in parts[1:]:
        if _is_qualifier(part):
            cut = _TRAILING_DATES.sub("", part).strip()
            if len(kept) == 1 and cut != part and _GIVEN_ALONE.fullmatch(cut):
                kept.append(cut)
            break
        kept.append(part)
    return [part for part in kept if part]


_GIVEN_ALONE = re.compile(
    r"(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?$)[A-Z][^\d,]*"
)
_TRAILING_DATES = re.compile(
    r"\s+(?:(?:b|d|ca?|fl)\.\s*)?(?:\d{1,2}\s\w{3,9}\s)?\d{3,4}\??(?:\s*[-–—].*)?$"
)
_PAREN = re.compile(r"\s*\(([^()]*)\)")


def _without_asides(name: str) -> tuple[str, str]:
    """The name without what stands in parentheses or in another script, and the longest of the former."""
    asides = _PAREN.findall(name)
    kept = _PAREN.sub("", name)
    western = _CJK_RUN.sub("", kept).strip()
    return (western if _LETTER.search(western) else kept), max(asides, key=len, default="")


_CJK_RUN = re.compile(r"\s*[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+(?:\s*[\u2e80-\u9fff]+)*")

# -- the parts of a person's name ------------------------------------------------------------------

_PARTICLES = frozenset(
    [
        "da",
        "dal",
        "de",
        "del",
        "della",
        "den",
        "der",
        "des",
        "di",
        "do",
        "dos",
        "du",
        "la",
        "le",
        "lo",
        "san",
        "st.",
        "st",
        "ten",
        "ter",
        "van",
        "von",
        "zu",
        "zur",
        "el",
        "al",
    ]
)


def _person(segments: list[str], expansion: str, *, foreign: bool) -> Name:
    first, rest = segments[0].rstrip(" .") if len(segments) > 1 else segments[0], segments[1:]
    suffix = next((part for part in rest if _SUFFIX.fullmatch(part)), "")
    names = [part for part in rest if part != suffix]
    suffix = re.sub("^The ", "the ", suffix)
    if not names:
        return Name(literal=first) if foreign else _uninverted(first, suffix, expansion)
    given = _unstopped(_NICKNAME.sub("", names[0]).strip() or names[0])
    if not _is_given(given):
        return Name(literal=f"{first} {given}" if _BYNAME.match(given) else first)
    if titles := [part for part in names[1:] if _FORM_OF_ADDRESS.fullmatch(part)]:
        given = f"{_WHOLE_TITLE.sub('', titles[0])} {given}"
    return Name(first, _full(given, expansion, first), suffix)


_WHOLE_TITLE = re.compile(r"(?<=Sir|ady|ord|unt|ron|ief|int|ess|nce)\.$")
# "da Capua" is part of a name; "glossator" says what somebody was.
_BYNAME = re.compile(r"(?:[ld]['’]|(?:da|dal|de|del|della|di|du|of|the|van|von|le|la)\s)")
_BARE_INITIAL = re.compile(r"(?<![^\s])([A-Z])(?![^\s])")
_NICKNAME = re.compile(r"""\s*["“][^"“”]*["”]""")


def _unstopped(given: str) -> str:
    """An initial has a stop, a name has none, whatever the card says."""
    told = given.rstrip(".") if re.search(r"[^\W\d_]{3,}\.$", given) else given
    return _BARE_INITIAL.sub(r"\1.", told)


def _is_given(part: str) -> bool:
    """Given names are "Alan", "J. N. B.", "Anton von"; a byname ("da Capua") or a title alone is none."""
    return part[:1].isupper() and not _FORM_OF_ADDRESS.fullmatch(part)


def _uninverted(name: str, suffix: str, expansion: str) -> Name:
    words = name.split()
    if len(words) > 2 and not suffix and _SUFFIX.fullmatch(words[-1]):
        suffix, words = words[-1], words[:-1]
    words = _within(words, expansion)
    if len(words) > 2 and _TITLE.fullmatch(words[0]):
        words = words[1:]
    if len(words) < 2 or len(words[-1].rstrip(".")) < 2 or {"the", "of"} & set(words):
        return Name(literal=name)
    at = len(words) - 1
    while at > 1 and words[at - 1].casefold() in _PARTICLES:
        at -= 1
    return Name(" ".join(words[at:]), _unstopped(" ".join(words[:at])), suffix)


def _within(words: list[str], expansion: str) -> list[str]:
    """In "J. Louis Schaefer (John Louis Schaefer)" the aside is the same name in full."""
    fuller = expansion.split()
    if len(fuller) < 2 or len(words) < 2 or fuller[-1] != words[-1]:
        return words
    return fuller if _expands(words[:-1], fuller[:-1]) else words


def _full(given: str, expansion: str, family: str) -> str:
    """In "John A. (John Avery)" the aside of a library's heading is the given names in full."""
    fuller = [word for word in expansion.split() if word != family]
    words = [word for word in given.split() if not _FORM_OF_ADDRESS.fullmatch(word)]
    return " ".join(fuller) if words and _expands(words, fuller) else given


def _expands(short: list[str], fuller: list[str]) -> bool:
    """Is every short form the beginning of its fuller one, in order, and nothing lost?"""
    heads = [word.rstrip(".").casefold() for word in short]
    wholes = [word.rstrip(".").casefold() for word in fuller]
    return len(heads) <= len(wholes) and all(
        whole.startswith(head) for head, whole in zip(heads, wholes, strict=False)
    )


def _initial(word: str) -> str:
    if _FORM_OF_ADDRESS.fullmatch(word) or word.casefold() in _PARTICLES or word.startswith('"'):
        return word
    parts = [part for part in word.split("-") if part]
    return "-".join(f"{part[0]}." for part in parts)
