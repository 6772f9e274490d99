"""Catalogue text: from upstream's mark-up to plain text, and from plain text into markdown.

Two dangers meet here. Catalogue text carries mark-up and entities by accident, and it is written by
strangers: once it stands beside the server's own words, it must not look like them. `plain` answers
the first and is applied to everything that is read; `inline` and `block` answer the second and are
applied where markdown is written. All of it takes linear time, whatever comes in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.entities import html5

# Tags that separate words, beside tags that only dress them. Elements of archival finding aids (EAD)
# come through in records of archives. What is not listed is taken for text: `<Smith>`, `<a@b.org>`.
_BLOCKS = frozenset(
    re.findall(
        r"\S+",
        "address article aside blockquote body br caption center dd div dl dt figcaption figure "
        "footer form h1 h2 h3 h4 h5 h6 head header hr html iframe lb legend li main nav object ol "
        "option p pre section select table tbody td textarea tfoot th thead tr ul",
    )
)
_DRESSING = frozenset(
    re.findall(
        r"\S+",
        "a abbr acronym audio b base basefont bdi bdo big button canvas cite code col colgroup data "
        "del dfn em embed emph extref font i img input ins kbd label link map mark math meta "
        "noscript o:p param persname picture q ref rp rt ruby s samp script small source span "
        "strike strong style sub sup svg template time title tt u var video wbr",
    )
)
_TAGS = _BLOCKS | _DRESSING
_SWALLOWED = frozenset(("script", "style"))  # what stands inside them was never text

# Every repetition is possessive and none runs past the next `<`, so a long row of `<` stays cheap.
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:]*+)(?=[\s/>])"
    r"""(?P<rest>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+|[^<>]*+)>"""
    r"|<(?P<comment>!--)|<(?:!doctype\b|\?xml\b)[^<>]*+>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")
_BLANKS = re.compile("[\t\x0b\x0c\xa0]")
# Controls, lone surrogates (they cannot be sent), overrides of reading direction, and the invisible
# "tag" letters that can hide words from a human reader but not from a model.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def seen(value: str) -> str:
    """Text without what no reader sees: line ends become newlines, other blanks become spaces."""
    if value.isprintable():  # true of nearly all texts, and much faster than to search them
        return value
    return _UNSEEN.sub("", _BLANKS.sub(" ", _LINE_ENDS.sub("\n", value)))


def plain(value: str) -> str:
    """Upstream's text as plain text; a text without mark-up comes out as it went in, but trimmed.

    A block tag becomes a space, any other known tag goes without a trace, so that `H<sub>2</sub>O`
    reads H2O. Entities are decoded once and after the tags, so `&lt;i&gt;` ends as `<i>`, which
    somebody meant to be seen. Blanks are collapsed only where a tag went.
    """
    text = seen(value)
    if "<" in text:
        text = _untagged(text)
    if "&" in text:
        text = seen(_ENTITY.sub(_decoded, text))
    return text.strip()


def _decoded(match: re.Match[str]) -> str:
    entity = match.group()
    if entity[1] != "#":
        return html5.get(entity[1:], entity)
    number = int(entity[3:-1], 16) if entity[2] in "xX" else int(entity[2:-1])
    if number == 0 or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        return entity
    return unescape(entity)


def _untagged(text: str) -> str:
    joiner = _Joiner()
    at = 0
    for start, end, gap in _tags(text):
        joiner.add(text[at:start])
        joiner.cut(gap)
        at = end
    joiner.add(text[at:])
    return "".join(joiner.parts)


def _tags(text: str) -> Iterator[tuple[int, int, str]]:
    """The stretches to cut out, and what stands in their place."""
    at = 0
    endless: set[str] = set()  # ends that are known not to come any more: searched for only once
    while match := _TAG.search(text, at):
        start, at = match.span()
        if match["comment"]:
            close = _find(text, "-->", at, endless)
            if close < 0:
                continue  # a comment that never ends hides nothing
            at = close + 3
            yield start, at, ""
            continue
        name = (match["name"] or "!").lower()
        if name != "!" and not _is_tag(name, match["rest"]):
            continue
        if name in _SWALLOWED and not match["close"]:
            close = _find(text, f"</{name}", at, endless)
            at = at if close < 0 else close
        yield start, at, " " if name in _BLOCKS else ""


def _is_tag(name: str, rest: str) -> bool:
    """`<map>` and `<map name="x">` are tags, `<map missing>` is a cataloguer's remark."""
    return name in _TAGS and ("=" in rest or not rest.strip(" \n/"))


def _find(text: str, end: str, at: int, endless: set[str]) -> int:
    if end in endless:
        return -1
    found = re.compile(re.escape(end), re.IGNORECASE).search(text, at)
    if found is None:
        endless.add(end)
        return -1
    return found.start()


class _Joiner:
    """Puts the stretches between tags together, collapsing the blanks at each seam.

    A blank line at a seam stays one: records of archives hold their paragraphs apart by it.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._seam: list[str] | None = None

    def cut(self, gap: str) -> None:
        if self._seam is None:
            self._seam = []
            if self.parts:
                body = self.parts[-1].rstrip()
                self._seam.append(self.parts[-1][len(body) :])
                self.parts[-1] = body
        self._seam.append(gap)

    def add(self, stretch: str) -> None:
        if self._seam is not None:
            body = stretch.lstrip()
            self._seam.append(stretch[: len(stretch) - len(body)])
            if not body:
                return
            self.parts.append(_collapsed("".join(self._seam)))
            self._seam = None
            stretch = body
        if stretch:
            self.parts.append(stretch)


def _collapsed(blanks: str) -> str:
    lines = blanks.count("\n")
    if lines:
        return "\n\n" if lines > 1 else "\n"
    return " " if blanks else ""


# -- into markdown ---------------------------------------------------------------------------------

# A backslash counts only before punctuation; there, and at the end, it would undo our own escapes.
# Each alternative begins with its character: so most texts are only looked through for these.
_LIVE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)"  # a backslash that markdown would read as an escape
    r"|\*|`"  # emphasis, code
    r"|<(?=[A-Za-z/!?])"  # HTML, autolinks
    r"|\((?<=\]\()|\[(?<=\]\[)"  # the second half of a link or an image
    r"|_(?:(?<![^\W_]_)|(?![^\W_]))"  # an underscore inside a word, as in a record ID, is only a letter
    r"|~(?=~)"  # struck-out text
)


def inline(value: str) -> str:
    """Catalogue text for use inside one markdown line that the server writes.

    Nothing that is not live markdown is touched: "[untitled]" and "nmah_694280" stay readable.
    """
    return _LIVE.sub(_escaped, " ".join(seen(value).split()))


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group()


def block(value: str) -> str:
    """Longer catalogue prose: each line is quoted, so that none can pose as a line of the server."""
    lines = (_undefined(inline(line)) for line in seen(value).strip().split("\n"))
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _undefined(line: str) -> str:
    """A definition `[x]: address` works inside a quotation too, and makes a link of every [x]."""
    return line.replace("]:", "]\\:") if line.startswith("[") else line


def clip(value: str, limit: int) -> str:
    """At most `limit` characters, cut between words where that loses less than half."""
    if len(value) <= limit:
        return value
    if limit < 1:
        return ""
    head = value[: limit - 1]
    if not value[limit - 1].isspace():
        words = _last_blank(head)
        head = head[:words] if words >= limit // 2 else head
    return head.rstrip(" \n\t,;:-–—") + "…"


def _last_blank(head: str) -> int:
    return max(head.rfind(" "), head.rfind("\n"))
