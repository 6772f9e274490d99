"""Text as it is searched: without letter case, accents and the letters that only look different."""

from __future__ import annotations

import re
import unicodedata

# What no decomposition takes apart. The live catalogues fold these too.
_LETTERS = {"ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ß": "ss", "æ": "ae"} | {
    "Æ": "ae",
    "œ": "oe",
    "Œ": "oe",
    "ſ": "s",
    "ı": "i",
    "ð": "d",
    "þ": "th",
}
_LETTER = re.compile(f"[{''.join(_LETTERS)}]")
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")


def folded(text: str) -> str:
    """Letter case is left to the engine where all is ASCII, as it is quicker there."""
    if text.isascii():
        return text
    plain = _LETTER.sub(lambda letter: _LETTERS[letter.group()], text)
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", plain)).casefold()
