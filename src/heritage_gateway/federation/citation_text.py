"""What a citation says of the thing it cites: links, ids, a title, years, names; pure.

Nothing here is certain but links: styles differ, and people write as they like. What is read is a
guess to be looked up, never an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
_ACCESSED = re.compile(r"\b(?:accessed|retrieved|visited)\b[^.;]*", re.IGNORECASE)
_NAME = re.compile(r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?), (?:[A-Z][\w'’.-]*\s?){1,4}")
_DATED_END = re.compile(r"[\s,;(]*(?:c\.?a?\.?\s*)?(?:1[0-9]{3}|20[0-9]{2})s?[)\s.]*$")
_NO_TITLE = re.compile(
    r"(?:in|from|by|photograph|photographer|print|map|library of congress|the library of congress)\b"
    r"[\w\s]{0,20}$",
    re.IGNORECASE,
)
_WORDS_OF_A_TITLE = 2
_WORDLIKE = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Reading:
    """`title` is the best guess, `is_sure` that it stood in quotes, italics or behind a label.

    `text` is what was read without links; `dated` the dates in it, but for days of access and what
    stands in the title.
    """

    links: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    title: str = ""
    is_sure: bool = False
    names: tuple[str, ...] = ()
    dated: str = ""
    text: str = ""


def read(text: str) -> Reading:
    """Never raises, and takes little time whatever comes in."""
    whole = text[:_LONGEST].strip()
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
    return Reading(
        links,
        ids[:_MOST],
        title,
        bool(marked),
        tuple(_names(bare)),
        "; ".join(date_words(said)),
        bare,
    )


def _trimmed(found: str) -> str:
    """A link without the punctuation of the sentence it stands in."""
    link = found.rstrip(_TAIL)
    closing = found[len(link) :]
    return f"{link})" if closing.startswith(")") and link.count("(") > link.count(")") else link


def _id(word: str) -> str:
    name = word.rstrip(".,:;/=-")
    digits = sum(map(str.isdigit, name))
    is_date = re.fullmatch(r"[0-9]{4}(?:[-/.][0-9]{1,4}){0,2}s?", name)
    return name if digits and len(name) > 4 and not is_date else ""


def _marked(text: str) -> Iterator[str]:
    for pattern in (_LABELLED, _QUOTED, _ITALIC):
        for match in pattern.finditer(text):
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
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", title)
    return " ".join(word.lower() if word in {"AND", "OR", "NOT"} else word for word in words[:most])
