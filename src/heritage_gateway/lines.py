"""Lines of an answer's text: the same facts as the structure, each on one line, none of them markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heritage_gateway.text import inline


def yes(value: bool) -> str:
    return "yes" if value else "no"


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
