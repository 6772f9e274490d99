"""Lines of an answer's text: the same facts as the structure, each on one line, none of them markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from heritage_gateway.text import inline

# What is live in markdown, or not seen, outside of what JSON itself escapes.
_LIVE_IN_JSON = re.compile(
    "[*`<~\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|(?<=])[(\\[]"
)


def yes(value: bool) -> str:
    return "yes" if value else "no"


def cell(value: str) -> str:
    """Catalogue text as one fact of a row, whose facts are parted by bars."""
    return inline(value).replace("|", "\\|")


def json_line(written: str) -> str:
    """JSON in a line of text: it can be copied as it stands, so what is live is escaped JSON's way."""
    return _LIVE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def listed(name: str, entries: Sequence[str]) -> Iterator[str]:
    """All entries of a list in one line; none for an empty list."""
    if entries:
        yield f"- {name}: {'; '.join(map(inline, entries))}"


def labelled(heading: str, entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A heading and a line for each label with its value; none where there are none."""
    lines = [f"- {inline(label)}: {inline(value)}" for label, value in entries]
    if lines:
        yield heading
    yield from lines
