"""Text mirrors structure: every value that a client gets as data can be read in the text too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from heritage_gateway.text import seen
from heritage_gateway.tool import Answer

_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_YES = {True: "yes", False: "no"}

# How a boolean is said; the two values are two different sentences.
_SAID = {
    "is_cc0": "metadata is CC0: {}",
    "has_cc0_images": "(any: {})",
    "media_summary.non_image_media.is_cc0": "CC0 {}",
    "objects.is_cc0": "CC0 metadata: {}",
    "objects.has_media": "media: {}",
}


def unsaid(answer: Answer) -> list[str]:
    """The paths of all values that the text does not hold; `truncated` is said in a sentence."""
    text = told(answer.text)
    return [
        f"{path}: {value!r}"
        for path, value in values(answer.structure, "")
        if words(path, value) not in text
    ]


def told(text: str) -> str:
    """The text as a reader takes it: without quotation signs and escapes, blanks as one."""
    return " ".join(_ESCAPE.sub(r"\1", _QUOTE.sub("", text)).split())


def words(path: str, value: object) -> str:
    if path == "truncated":
        return "more remain." if value else "none remain beyond these."
    if isinstance(value, bool):
        said = [said for end, said in _SAID.items() if path.endswith(end)]
        return said[-1].format(_YES[value])
    if isinstance(value, int):
        return f"{value:,}"
    return " ".join(seen(str(value)).split())


def values(value: Any, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from values(part, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for part in value:
            yield from values(part, path)
    else:
        yield path, value
