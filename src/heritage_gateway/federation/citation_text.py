"""What a citation says of the thing it cites: links, ids, a title, years, names; pure.

Nothing here is certain but links: styles differ, and people write as they like. What is read is a
guess to be looked up, never an answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heritage_gateway.federation.citation_formats import Entry, entry
from heritage_gateway.federation.likeness import date_words

_LONGEST = 2_000
_MOST = 8
_LINK = re.compile(
    r"(?:https?://|www\.|\b(?:[a-z0-9-]+\.)+(?:gov|edu|org|com|net|info)/)[^\s<>\"“”{}|\\^`]+",
    re.IGNORECASE,
)
_TAIL = ".,;:!?)]'’>*_"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/=-]{4,}")
_QUOTED = re.compile(r"“([^“”]{2,400})”|\"([^\"]{2,400})\"|«([^«»]{2,400})»|„([^„“”]{2,400})[“”]")
_ITALIC = re.compile(r"(?<![\w*])\*([^*]{2,400})\*(?![\w*])|(?<![\w_])_([^_]{2,400})_(?![\w_])")
_LABELLED = re.compile(
    r"(?:^|[,\n{])\s*(?:TI|T1|title)\s*(?:=|-|:)\s*[{\"]*([^{}\"\n]{2,400})", re.IGNORECASE
)
_YEAR_ASIDE = re.compile(r"\((?:c\.?a?\.?\s*)?(?:1[0-9]{3}|20[0-9]{2}|n\.d\.)[^()]{0,30}\)\.?")
_KIND_ASIDE = re.compile(r"\[[A-Z][a-z]+(?: [a-z]+){0,2}\]")
_PARTS = re.compile(r"(?<!\b[A-Z])\.\s+|\n+")
_ACCESSED = re.compile(
    r"\b(?:accessed|retrieved|visited)\b(?:[^.;]|(?<=[a-z]{3})\.(?= \d{4}))*", re.IGNORECASE
)
_NAME = re.compile(r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?), (?:[A-Z][\w'’.-]*\s?){1,4}")
_DATED_END = re.compile(r"[\s,;(]*(?:c\.?a?\.?\s*)?(?:1[0-9]{3}|20[0-9]{2})s?[)\s.]*$")
_NO_TITLE = re.compile(
    r"(?:in|from|by|photograph|photographer|print|map|library of congress|the library of congress)\b"
    r"[\w\s]{0,20}$",
    re.IGNORECASE,
)
_WORDS_OF_A_TITLE = 2
_AROUND = "\"'“”„‘’«»<>[]{}*` \t\n"
_ENDS = ".,;:!?)]'’”\">*"
_LABEL = re.compile(r"^[(\[]?\s*(?:(?:lccn|record_?id|id|url|link|see)\s*[:=]\s*)?", re.IGNORECASE)
_PAGE = re.compile(r"\b(?:p|page)\.? ([0-9]{1,4})\b")
_NUMBER = re.compile(r", ([^\s,;]*[0-9][^\s,;]*?)\.?(?=\s*$|[.,] |\.\s)")
_DATELIKE = re.compile(  # a number with two dots is a museum's, as a rule
    r"(?:1[0-9]{3}|20[0-9]{2})(?:[-–/][0-9]{1,4}){0,2}s?|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}"
    r"|(?:[a-z]+-)?[0-9]{1,2}(?:st|nd|rd|th)?(?:-[a-z]+)?",
    re.IGNORECASE,
)
_WORDLIKE = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Reading:
    """`title` is the best guess, `is_sure` that it stood in quotes, italics or behind a label.

    `text` is what was read without links; `dated` the dates in it, but for days of access and what
    stands in the title. `numbers` may be call numbers or those of a museum; `page` is one that is cited.
    """

    links: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    title: str = ""
    is_sure: bool = False
    names: tuple[str, ...] = ()
    dated: str = ""
    text: str = ""
    numbers: tuple[str, ...] = ()
    page: str = ""


def read(text: str) -> Reading:
    """Never raises, and takes little time whatever comes in."""
    whole = unicodedata.normalize("NFC", text[:_LONGEST]).strip()
    if found := entry(whole):
        return _of_entry(found)
    links = tuple(dict.fromkeys(_trimmed(found[0]) for found in _LINK.finditer(whole)))[:_MOST]
    bare = _LINK.sub(" ", whole)
    marked = next(_marked(bare), "")
    beside = bare.replace(marked, " ") if marked else bare
    ids = tuple(dict.fromkeys(name for found in _ID.finditer(beside) if (name := _id(found[0]))))
    said = _ACCESSED.sub(" ", beside)
    for name in ids:
        said = said.replace(name, " ")
    title = marked or _guessed(said)
    said = said.replace(title, " ") if title else said
    page = _PAGE.search(beside)
    return Reading(
        links,
        ids[:_MOST],
        title,
        bool(marked),
        tuple(_names(bare)),
        "; ".join(date_words(said)),
        bare,
        (*ids[:_MOST], *(found[1] for found in _NUMBER.finditer(said) if not _is_date(found[1]))),
        page[1] if page else "",
    )


def _of_entry(found: Entry) -> Reading:
    told = (*found.names, found.title, found.container, found.number)
    return Reading(
        links=(found.link,) if found.link else (),
        ids=(found.id,) if found.id else (),
        title=found.title or found.container,
        is_sure=True,
        names=found.names,
        dated=found.date.replace("/", "-") if found.date.count("/") == 2 else found.date,
        text=". ".join(filter(None, told)),
        numbers=(found.number,) if found.number else (),
        page=found.page,
    )


def unwrapped(text: str) -> str:
    """One word without the marks around it and the label before it; several words as they are."""
    word = _LABEL.sub("", text.strip().strip(_AROUND)).strip().strip(_AROUND)
    if any(map(str.isspace, word)):
        return text.strip()
    ends = word.rstrip(_ENDS)
    return f"{ends})" if word[len(ends) :].startswith(")") and "(" in ends else ends


def _trimmed(found: str) -> str:
    """A link without the punctuation of the sentence it stands in."""
    link = found.rstrip(_TAIL)
    closing = found[len(link) :]
    return f"{link})" if closing.startswith(")") and link.count("(") > link.count(")") else link


def _id(word: str) -> str:
    name = word.rstrip(".,:;/=-")
    digits = sum(map(str.isdigit, name))
    return name if digits and len(name) > 4 and not _is_date(name) else ""


def _is_date(name: str) -> bool:
    """Or a part of one, such as "Mid-19th"."""
    return bool(_DATELIKE.fullmatch(name))


def _marked(text: str) -> Iterator[str]:
    """What is labelled first; then in order, so that a quotation within a title is not the title."""
    dressed = sorted(
        (*_QUOTED.finditer(text), *_ITALIC.finditer(text)), key=lambda match: match.start()
    )
    for match in (*_LABELLED.finditer(text), *dressed):
        title = next(filter(None, match.groups()), "").strip(" .,;:*_")
        if _WORDLIKE.search(title):
            yield title


def _guessed(text: str) -> str:
    """The first part that is neither a name, nor a date, nor what something is."""
    parts = [part.strip(" ,;:") for part in _PARTS.split(_YEAR_ASIDE.sub(". ", text))]
    titles = [_DATED_END.sub("", _KIND_ASIDE.sub("", part)).strip(" .,;:") for part in parts]
    for title in titles:
        is_name = _NAME.match(title) and len(title.split()) <= 5 and len(titles) > 1
        if len(title.split()) >= _WORDS_OF_A_TITLE and not is_name and not _NO_TITLE.match(title):
            return title[:400]
    return max(titles, key=len, default="")[:400]


def _names(text: str) -> Iterator[str]:
    """Family names, where a name stands in reverse before the rest."""
    for part in _PARTS.split(_YEAR_ASIDE.sub(". ", text))[:2]:
        if (match := _NAME.match(part.strip())) and len(part.split()) <= 6:
            yield match[1]


def words_of(title: str, most: int = 12) -> str:
    """The words of a title as a search takes them: no operators, no marks."""
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", unicodedata.normalize("NFC", title))
    return " ".join(word.lower() if word in {"AND", "OR", "NOT"} else word for word in words[:most])


def fewer_words(title: str, names: Sequence[str]) -> str:
    """The two longest words of a title, in their order, with the name before it."""
    words = words_of(title).split()
    telling = sorted(words, key=len, reverse=True)[:2]
    kept = [word for word in words if word in telling]
    if len(words) < 2:
        return ""
    return " ".join(dict.fromkeys([*" ".join(names[:1]).split(), *kept]))
