"""One long record as an answer: its longest lists and texts are shortened, never dropped unsaid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.arguments import Arguments, Offset
from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.notice import Notice
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Output

RecordT = TypeVar("RecordT", bound="Sectioned")
_LEAST = 40  # characters; below it a list goes whole, and its name alone is told
_BESIDE = 600  # characters of the other sections when one was asked for


class Shortened(BaseModel):
    """A section that is not whole here; entries of a list, or characters of a text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    section: str
    offset: int = Field(description="Entries (of a text: characters) before the first one shown.")
    shown: int
    total: int
    cut_at: int | None = Field(
        None, description="The last entry shown is itself cut after so many characters."
    )


class SectionArguments(Arguments):
    """Base of an input that can ask for the rest of a shortened record."""

    section: str | None = Field(
        None, description="Name of a list or text to continue, as a notice gave it."
    )
    offset: Offset = Field(0, description="Entries (of a text: characters) of it to skip.")
    text_offset: Offset = Field(0, description="Characters to skip in its first entry.")


def refuse_unknown_section(asked: SectionArguments, sections: tuple[str, ...]) -> None:
    """To be called before any request. Raises `InvalidRequest` naming the sections there are."""
    if asked.section is not None and asked.section not in sections:
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            f'`section` "{inline(clip(asked.section, 80))}" is none of this answer.',
            f"Sections: {', '.join(sections)}.",
        )


class Sectioned(Output):
    """Base of an answer that holds one record."""

    shortened: list[Shortened] | None = Field(
        None, description="Sections that are not whole here; absent when all are."
    )
    notice: str | None = Field(None, description="What this answer leaves out, and how to get it.")


@dataclass(frozen=True, slots=True)
class Record(Generic[RecordT]):
    """A record to be served whole or with its longest sections shortened; a `Draft`.

    The measure is characters per section; a section may stand inside another field
    ("media_summary.non_image_media"), and those in `never_empty` keep an entry whatever the measure.
    `call` is the call that gets the record, such as `smithsonian_get_object id="nasm_A1"`.
    """

    whole: RecordT
    sections: tuple[str, ...]
    call: str
    asked: SectionArguments
    notice: Notice = field(default_factory=Notice)
    never_empty: tuple[str, ...] = ()

    @property
    def extent(self) -> int:
        longest = max((_size(self._value(name)) for name in self.sections), default=0)
        return max(longest, _LEAST)  # below it lists are left out, however short they are

    @property
    def least(self) -> int:
        return 0

    def within(self, extent: int) -> RecordT:
        changed: dict[str, Any] = {}
        shortened: list[Shortened] = []
        for name in self.sections:
            value = self._value(name)
            if not value:
                continue
            part, told = self._part(name, value, extent)
            if told is not None:
                changed[name] = tuple(part) if isinstance(value, tuple) else part
                shortened.append(told)
        told_one_by_one = [
            told for told in shortened if extent >= _LEAST or told.section in self._always_told
        ]
        withheld = [self._way_on(told) for told in told_one_by_one]
        if others := [told.section for told in shortened if told not in told_one_by_one]:
            withheld.append(
                f"Left out or cut for want of room: {', '.join(others)}; {self.call} "
                f'section="{others[0]}" gets the first, and so on.'
            )
        update = self._updates(changed)
        if shortened:
            update["shortened"] = shortened
        notice = self.notice.with_(withheld=" ".join(withheld))
        return self.whole.model_copy(update={**update, "notice": notice.text})

    @property
    def _always_told(self) -> tuple[str | None, ...]:
        return (self.asked.section, *self.never_empty)

    def _value(self, name: str) -> Any:
        return reduce(getattr, name.split("."), self.whole)

    def _updates(self, changed: Mapping[str, Any]) -> dict[str, Any]:
        """The changed fields of the record; of a nested section the field that holds it."""
        update: dict[str, Any] = {}
        for name, value in changed.items():
            outer, _, inner = name.partition(".")
            held = update.get(outer, getattr(self.whole, outer))
            update[outer] = held.model_copy(update={inner: value}) if inner else value
        return update

    def _part(self, name: str, value: Any, extent: int) -> tuple[Any, Shortened | None]:
        continued = self.asked.section == name
        if extent < _LEAST:
            if name not in self._always_told and not isinstance(value, str):
                told = Shortened(section=name, offset=0, shown=0, total=len(value), cut_at=None)
                return [], told
            extent = _LEAST
        room = extent if continued or not self.asked.section else min(extent, _BESIDE)
        offset = self.asked.offset if continued else 0
        if isinstance(value, str):
            shown = clip(value[offset:], room)
            kept = len(shown.removesuffix("…")) if len(value) - offset > room else len(shown)
            whole = not offset and kept >= len(value)
            told = Shortened(section=name, offset=offset, shown=kept, total=len(value), cut_at=None)
            return shown, None if whole else told
        skipped = self.asked.text_offset if continued else 0
        return _entries(name, value, room, offset, skipped)

    def _way_on(self, told: Shortened) -> str:
        if told.offset >= told.total:
            return (
                f"{told.section}: offset={told.offset} lies past the end; the last valid offset is "
                f"{told.total - 1}."
            )
        total = f"{told.shown:,} of {told.total:,}"
        said = f"{told.section}: {total} shown"
        said += f" from {told.offset:,}" if told.offset else ""
        following = told.offset + told.shown
        if told.cut_at is not None:
            last = following - 1
            return f'{said}, the last one cut; {self.call} section="{told.section}" offset={last} text_offset={told.cut_at} continues it.'
        if following >= told.total:
            return f"{said}."
        return f'{said}; {self.call} section="{told.section}" offset={following} continues it.'


def _size(value: Any) -> int:
    if not value:
        return 0
    if isinstance(value, str):
        return len(value)
    return sum(_entry_size(entry) for entry in value)


def _entry_size(entry: Any) -> int:
    shown = entry.model_dump(mode="json") if isinstance(entry, BaseModel) else entry
    return len(json.dumps(shown, ensure_ascii=False))


def _entries(
    name: str, value: list[Any], room: int, offset: int, skipped: int
) -> tuple[list[Any], Shortened | None]:
    """The entries that fit into `room` characters; a first one that is too long is cut itself."""
    rest = list(value[offset:])
    if skipped and rest:
        rest[0] = _sliced(rest[0], skipped, None)
    kept: list[Any] = []
    used = 0
    cut_at = None
    for entry in rest:
        used += _entry_size(entry)
        if used > room:
            break
        kept.append(entry)
    if not kept and rest:  # at least one, or following the notice would never get on
        is_long = len(_longest(rest[0])[1]) > room
        kept = [_sliced(rest[0], 0, room) if is_long else rest[0]]
        cut_at = skipped + room if is_long else None
    if not offset and not skipped and len(kept) == len(value) and cut_at is None:
        return kept, None
    return kept, Shortened(
        section=name, offset=offset, shown=len(kept), total=len(value), cut_at=cut_at
    )


def _longest(entry: Any) -> tuple[str | None, str]:
    """The longest text of an entry, and the field it stands in (None for a plain text)."""
    if isinstance(entry, str):
        return None, entry
    if not isinstance(entry, BaseModel):
        return None, ""
    fields: Mapping[str, Any] = dict(entry)
    texts = [(name, text) for name, text in fields.items() if isinstance(text, str)]
    return max(texts, key=lambda pair: len(pair[1]), default=(None, ""))


def _sliced(entry: Any, start: int, length: int | None) -> Any:
    name, text = _longest(entry)
    part = text[start:] if length is None else text[start : start + length]
    if name is None:
        return part if isinstance(entry, str) else entry
    return entry.model_copy(update={name: part})
