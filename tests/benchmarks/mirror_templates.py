"""How a record becomes a form with gaps: one format string and a list of functions to fill it.

What a captured record says is replaced; its shape, labels and lengths are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.mirror_draws import (
    ARCHIVE,
    FREE,
    INDEXED,
    LIFE,
    Draw,
    Slot,
    digits,
    fresh,
    prose,
    quoted,
    title_sort,
)
from benchmarks.mirror_units import GROUPS, MEDIA, Unit
from benchmarks.mirror_vocabulary import gson

LEFT_OUT = 0.25  # of what a captured record holds: they are richer than most
MOST_ENTRIES = 4
ENTRY = {
    "creator": "name",
    "unitdate": "date",
    "taxonomicName": "taxonomy",
    "publisher": "scientific_name",
    "objectType": "object_type",
}


@dataclass(slots=True)
class Form:
    """A record's content with gaps, and its type."""

    kind: str
    text: str
    slots: Sequence[Slot]

    def fill(self, d: Draw) -> str:
        return self.text % tuple([slot(d) for slot in self.slots])


@dataclass(slots=True)
class Dresser:
    """Turns the content of a record into forms for a unit, each with other parts left out."""

    unit: Unit
    chance: Random
    slots: list[Slot] = field(default_factory=list)

    def form(self, content: Mapping[str, Any], *, media: bool) -> Form:
        self.slots = []
        old = content.get("descriptiveNonRepeating", {}).get("record_ID", "")
        if self.unit.kind == "archive":
            dressed = self.archive(content)
        else:
            dressed = {
                "descriptiveNonRepeating": self.described(
                    content["descriptiveNonRepeating"], old, media
                ),
                "indexedStructured": self.indexed(content["indexedStructured"], media),
            }
        dressed["freetext"] = self.freetext(content["freetext"])
        keys = list(dressed)
        self.chance.shuffle(keys)
        return Form(
            content.get("type", "edanmdm"),
            self.write({key: dressed[key] for key in keys}),
            tuple(self.slots),
        )

    def write(self, node: Any) -> str:
        if callable(node):
            self.slots.append(node)
            return "%s"
        if isinstance(node, dict):
            return (
                "{"
                + ",".join(f"{gson(key)}:{self.write(part)}" for key, part in node.items())
                + "}"
            )
        if isinstance(node, list):
            return "[" + ",".join(map(self.write, node)) + "]"
        return gson(node).replace("%", "%%")

    def described(self, content: Mapping[str, Any], old: str, media: bool) -> dict[str, Any]:
        made: dict[str, Any] = {
            "record_ID": lambda d: quoted(d.ident),
            "unit_code": self.unit.code,
            "data_source": self.unit.source,
            "title_sort": title_sort,
        }
        dressed: dict[str, Any] = {}
        for key, part in content.items():
            if key == "title":
                dressed[key] = {"label": part["label"], "content": lambda d: quoted(d.title)}
            elif key == "online_media":
                continue
            elif key in made or not isinstance(part, str):
                dressed[key] = made.get(key, part)
            else:
                dressed[key] = fresh(part, old)
        if media:
            items = content.get("online_media", {}).get("media") or [MEDIA]
            count = 1 + (self.chance.random() < 0.15)
            dressed["online_media"] = {
                "mediaCount": count,
                "media": [fresh(items[0], str(items[0].get("idsId", ""))) for _ in range(count)],
            }
        return dressed

    def indexed(self, content: Mapping[str, Any], media: bool) -> dict[str, Any]:
        dressed: dict[str, Any] = {}
        for key, part in content.items():
            if key in LIFE and GROUPS.get(self.unit.kind, ("",))[0] == "":
                continue
            if key == "object_type" and self.unit.kind in GROUPS and self.chance.random() < 0.75:
                continue
            if key not in {"topic", "online_media_type"} and self.chance.random() < LEFT_OUT:
                continue
            if key == "online_media_type":
                if media or self.chance.random() < 0.15:
                    dressed[key] = ["Images"]
            else:
                dressed[key] = INDEXED.get(key, part)
        dressed.setdefault("topic", INDEXED["topic"])
        if self.unit.kind == "peoples":
            dressed.setdefault("culture", INDEXED["culture"])
        return dressed

    def freetext(self, content: Mapping[str, Any]) -> dict[str, Any]:
        dressed: dict[str, Any] = {}
        for key, entries in content.items():
            kept = [entry for entry in entries if self.chance.random() > LEFT_OUT][:MOST_ENTRIES]
            if key in {"taxonomicName", "publisher"} and not GROUPS.get(self.unit.kind, ("-",))[0]:
                kept = []
            if kept:
                dressed[key] = [self.entry(key, entry) for entry in kept]
        dressed["dataSource"] = [{"label": "Data Source", "content": self.unit.source}]
        dressed.setdefault("notes", []).append(
            {"label": "Notes", "content": prose(self.chance.randrange(18, 60))}
        )
        return dressed

    def entry(self, key: str, entry: Mapping[str, Any]) -> dict[str, Any]:
        text, kind = str(entry["content"]), ENTRY.get(key, key)
        slot: Slot | str = FREE.get(kind) or free_text(key, text)
        if key == "name" and len(text.split()) > 9:
            slot = prose(len(text.split()))
        dressed = {"label": entry.get("label", ""), "content": slot}
        if entry.get("indexedContent"):
            dressed["indexedContent"] = slot
        if "flag" in entry:
            dressed["flag"] = entry["flag"]
        return dressed

    def archive(self, content: Mapping[str, Any]) -> dict[str, Any]:
        dressed: dict[str, Any] = {}
        for key, part in content.items():
            if key == "containedIn":
                dressed[key] = [self.archive(level) for level in part[-2:]]
            elif key in ARCHIVE:
                dressed[key] = ARCHIVE[key]
            elif isinstance(part, str):
                dressed[key] = fresh(part, "") if "ark:" in part else digits(part)
            elif key != "freetext":
                dressed[key] = part
        return dressed


def free_text(key: str, text: str) -> Slot | str:
    """What stands for a captured text where the record's subject does not say it."""
    words = len(text.split())
    if key in {"objectRights", "setName", "language"}:
        return text
    if words > 6 and not (key == "physicalDescription" and re.search(r"\d", text)):
        return prose(min(words, 400))
    if re.search(r"\d", text):
        return digits(text)
    return lambda d: quoted(d.of(d.world.materials))
