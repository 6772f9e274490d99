"""README.md as its readers use it: the fenced blocks under each heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, and the nearest heading above it."""

    heading: str
    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        """The lines of a shell block, without their remarks."""
        lines = (re.sub(r"\s+# .*$", "", line).strip() for line in self.text.splitlines())
        return [line for line in lines if line and not line.startswith("#")]


def blocks() -> list[Block]:
    text = README.read_text("utf-8")
    return [
        Block(_heading(text[: found.start()]), found["language"], found["text"])
        for found in _BLOCK.finditer(text)
    ]


def under(heading: str) -> list[Block]:
    return [block for block in blocks() if block.heading == heading]


def _heading(before: str) -> str:
    headings: list[str] = _HEADING.findall(before)
    return headings[-1] if headings else ""
