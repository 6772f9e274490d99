"""The guides for agents, as this server can keep them: what names a tool that is not served is left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from heritage_gateway.registry import ABOVE, House

# The guide to the tools over all providers; with one provider alone, that one's guide is enough.
SKILLS = Path(__file__).with_name("skills")

_GUIDE = "heritage-guide"
_DOES: dict[str, str] = dict(
    zip(
        ABOVE,
        (
            "asks all at once",
            "tells whether a source exists",
            "writes citations",
            "shows a picture",
        ),
        strict=True,
    )
)
_SEVERAL = 2
_STARTS = re.compile(r"[|#]|- |\d+\. |$")
_SENTENCE = re.compile(r"(?<=\.) ")
_NUMBERED = re.compile(r"\d+(?=\. )")


def guides(house: House, served: Collection[str]) -> dict[str, dict[str, str]]:
    """By the path below `skill://`, the files of each guide; one without any tool is left out."""
    roots = [provider.skills for provider in house.providers if provider.skills]
    if len(house.providers) >= _SEVERAL:
        roots.append(SKILLS)
    absent = _absent(house, served)
    found: dict[str, dict[str, str]] = {}
    for root in roots:
        for skill in sorted(root.rglob("SKILL.md")):
            files = dict(_files(skill.parent, absent))
            if any(_names(text, served) for text in files.values()):
                found.setdefault(skill.parent.relative_to(root).as_posix(), files)
    return found


def houses_told(house: House, served: Collection[str]) -> list[str]:
    """What each provider says of itself, but for sentences that name a tool that is not served."""
    absent = _absent(house, served)
    told = (
        " ".join(part for part in _SENTENCE.split(one.instructions) if not _names(part, absent))
        for one in house.providers
    )
    return [sentences for sentences in told if sentences]


def above_told(tools: Sequence[str], guided: Mapping[str, object]) -> str:
    """The tools over all providers, in a sentence for those who have read nothing yet."""
    if not tools:
        return ""
    said = [f"{name} {_DOES[name]}" for name in tools]
    told = f"Over all collections: {', '.join(said)}."
    return f"{told} The guide is skill://{_GUIDE}/SKILL.md." if _GUIDE in guided else told


def _absent(house: House, served: Collection[str]) -> set[str]:
    known = {*ABOVE, *(tool.name for provider in house.providers for tool in provider.tools)}
    return known - set(served)


def _files(folder: Path, absent: Collection[str]) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_text("utf-8")
            name = path.relative_to(folder).as_posix()
            yield name, (without(text, absent) if path.suffix == ".md" else text)


def without(text: str, absent: Collection[str]) -> str:
    """A guide without the rows, list entries, recipes and paragraphs that name one of `absent`."""
    if not _names(text, absent):
        return text
    head, mark, body = text.partition("\n---\n")
    kept = [unit for unit in _units(body) if not _names(unit, absent)]
    return head + mark + "".join(_numbered(_headed(kept)))


def _names(text: str, tools: Collection[str]) -> bool:
    return not set(tools).isdisjoint(re.findall(r"\w+", text))


def _units(body: str) -> Iterator[str]:
    """Lines that stand or fall together: a row, an entry with what is indented below it, a paragraph."""
    unit, in_prose = "", False
    for line in body.splitlines(keepends=True):
        prose = not _STARTS.match(line) and not line.startswith(" ")
        if unit and (line.startswith(" ") or (prose and in_prose)):
            unit += line
            continue
        if unit:
            yield unit
        unit, in_prose = line, prose
    if unit:
        yield unit


def _headed(units: Sequence[str]) -> Iterator[str]:
    """Without sections of which only the heading is left."""
    for at, unit in enumerate(units):
        below = next((other for other in units[at + 1 :] if other.strip()), "## ")
        if not (unit.startswith("## ") and below.startswith("## ")):
            yield unit


def _numbered(units: Iterator[str]) -> Iterator[str]:
    number = 0
    for unit in units:
        number = 0 if unit.startswith("#") else number
        if _NUMBERED.match(unit):
            number += 1
            yield _NUMBERED.sub(str(number), unit, count=1)
        else:
            yield unit
