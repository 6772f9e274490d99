"""Text as it is searched: without letter case, accents and the letters that only look different."""

from __future__ import annotations

import re
import unicodedata

# What no decomposition takes apart. The live catalogues fold these too.
_LETTERS = {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"}
_LETTER = re.compile(f"[{''.join(_LETTERS)}]")
_ACCENTS = re.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    "\ud800-\udfff]+"  # and halves of letters, which no engine takes
)


def folded(text: str) -> str:
    """Letter case is left to the engine where all is ASCII, as it is quicker there."""
    if text.isascii():
        return text
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return _LETTER.sub(lambda letter: _LETTERS[letter.group()], plain)
