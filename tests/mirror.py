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
_MORE = ("more remain.", "; more follow.")
_NO_MORE = (
    "none remain beyond these.",
    "; no more follow.",
    "; no page follows.",
    "; the list ends here.",
)
_KINDS = {"match": "passage with the words", "opening": "opening of the page"}

# How a boolean is said; the two values are two different sentences.
_SAID = {
    "items.is_item": "item record: {}",
    "access_restricted": "access restricted: {}",
    "ocr_available": "digitised text exists: {}",
    "deprecated": "no longer used: {}",
    "filtered_here": "Rows were chosen here: {}",
    "is_cc0": "metadata is CC0: {}",
    "has_cc0_images": "(any: {})",
    "media_summary.non_image_media.is_cc0": "CC0 {}",
    "objects.is_cc0": "CC0 metadata: {}",
    "objects.has_media": "media: {}",
    "related.is_cc0": "CC0 metadata: {}",
}


def unsaid(answer: Answer) -> list[str]:
    """The paths of all values that the text does not hold; `truncated` is said in a sentence."""
    text = told(answer.text)
    return [
        f"{path}: {value!r}"
        for path, value in values(answer.structure, "")
        if not any(form in text for form in words(path, value))
    ]


def told(text: str) -> str:
    """The text as a reader takes it: without quotation signs and escapes, blanks as one."""
    return " ".join(_ESCAPE.sub(r"\1", _QUOTE.sub("", text)).split())


def words(path: str, value: object) -> tuple[str, ...]:
    """The ways to say a value."""
    if path in {"truncated", "has_next"}:
        return _MORE if value else _NO_MORE
    if isinstance(value, bool):
        said = [said for end, said in _SAID.items() if path.endswith(end)]
        return (said[-1].format(_YES[value]),)
    if isinstance(value, int):
        return f"{value:,}", str(value)
    if (
        path == "citations.text"
    ):  # an entry to import may hold backslashes, which are taken for escapes
        return (told(str(value)),)
    if path == "items.excerpt_kind":
        return (_KINDS[str(value)],)
    return (" ".join(seen(str(value)).split()),)


def values(value: Any, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from values(part, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for part in value:
            yield from values(part, path)
    else:
        yield path, value
