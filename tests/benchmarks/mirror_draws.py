"""What one made-up record is about, and how each of its parts is said; every function gives JSON text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias
from zlib import crc32

from benchmarks.mirror_units import GROUPS, Unit
from benchmarks.mirror_vocabulary import (
    COMMON,
    COMMON_SHARE,
    CONTINENTS,
    WORD_BITS,
    Vocabulary,
    World,
    draws,
    gson,
)

LIFE = ["tax_kingdom", "tax_phylum", "tax_class", "tax_order", "tax_family", "scientific_name"]
SPREAD = sorted(Random(3).lognormvariate(-0.18, 0.6) for _ in range(256))
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
TOPICS = (1, 2, 2, 3, 3, 4, 5, 6)
ARK = re.compile(
    r"(ark:/65665/[a-z]{0,2}\d?)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
)


class Draw:
    """What one record is about; its functions draw from the same chance, one after the other."""

    __slots__ = (
        "bits",
        "chance",
        "common",
        "decade",
        "genus",
        "ident",
        "kinds",
        "length",
        "names",
        "people",
        "places",
        "science",
        "title",
        "topics",
        "unit",
        "world",
    )

    def __init__(self, world: World, chance: Random, unit: Unit, ident: str, length: float) -> None:
        self.world, self.chance, self.unit, self.ident, self.length = (
            world,
            chance,
            unit,
            ident,
            length,
        )
        self.bits = bits = chance.getrandbits
        self.common = chance.random() < COMMON_SHARE
        self.decade = world.dates.table[bits(16)]
        self.genus = world.genera.table[bits(19)]
        self.science = f"{self.genus} {world.epithets.table[bits(17)]}"
        self.names = [self.of(world.names) for _ in range(1 + (bits(2) == 0) + (bits(3) == 0))]
        self.people = self.of(world.cultures)
        self.kinds = [self.of(world.object_types) for _ in range(1 + (bits(2) == 0))]
        self.places = self._places()
        self.topics = self._topics()
        self.title = self._title()

    def of(self, vocabulary: Vocabulary) -> str:
        return vocabulary.table[self.bits(vocabulary.bits)]

    def _places(self) -> list[str]:
        country = self.of(self.world.countries)
        continent = CONTINENTS[crc32(country.encode()) % len(CONTINENTS)]
        return [continent, country, *(self.of(self.world.places) for _ in range(1 + self.bits(1)))]

    def _topics(self) -> list[str]:
        group = GROUPS.get(self.unit.kind)
        if group is None:
            return [self.of(self.world.topics) for _ in range(TOPICS[self.bits(3)])]
        kingdom, _, classes = group
        topics = [classes[self.bits(8) % len(classes)].replace("&", r"\u0026")]
        if kingdom == "Animalia" and self.bits(1):
            topics.insert(0, "Animals")
        if not self.bits(2):
            topics.append(self.of(self.world.topics))
        return topics

    def _title(self) -> str:
        """A scientific name, a kind of thing, or a few words."""
        choice = self.bits(3)
        if self.unit.kind in GROUPS and self.unit.kind not in {"peoples", "minerals"}:
            return f"{self.science} {self.author()}" if choice < 2 else self.science
        if choice < 2:
            return self.kinds[0]
        return self.words(3 + choice)

    def author(self) -> str:
        name, _, _ = self.of(self.world.names).partition(",")
        return f"({name}, {1760 + self.bits(8)})"

    def words(self, count: int) -> str:
        table = self.world.words.table
        words = [table[self.bits(WORD_BITS)] for _ in range(count)]
        words[0] = words[0].capitalize()
        return " ".join(words)


Slot: TypeAlias = Callable[[Draw], str]


def quoted(text: str) -> str:
    return f'"{text}"'


def listed(texts: Sequence[str]) -> str:
    return '["' + '","'.join(texts) + '"]'


def digits(text: str) -> Slot:
    """The same text with other digits; left alone where escapes have digits of their own."""
    escaped = gson(text)
    if "\\" in escaped:
        return lambda _: escaped
    pattern, count = re.subn(r"\d", "%s", escaped.replace("%", "%%"))
    ten = 10**count

    def draw(d: Draw) -> str:
        return pattern % tuple(f"{d.bits(4 * count) % ten:0{count}d}")

    return draw if count else lambda _: escaped


def fresh(part: Any, old: str) -> Slot:
    """The same part with the record's own id and identifiers of its own."""
    pattern = gson(part).replace("%", "%%")
    pattern = ARK.sub(
        lambda ark: ark[1] + ("%(dashed)s" if "-" in ark[0][11:] else "%(plain)s"), pattern
    )
    if old:
        pattern = pattern.replace(gson(old)[1:-1], "%(ident)s")

    def draw(d: Draw) -> str:
        ark = f"{d.bits(128):032x}"
        dashed = f"{ark[:8]}-{ark[8:12]}-{ark[12:16]}-{ark[16:20]}-{ark[20:]}"
        return pattern % {"plain": ark, "dashed": dashed, "ident": d.ident}

    return draw


def prose(count: int) -> Slot:
    """About so many words as sentences; the first of a record that has the common word holds it."""
    last = 2**WORD_BITS - 1

    def draw(d: Draw) -> str:
        many = max(2, int(count * d.length * SPREAD[d.bits(8)]))
        table = d.world.words.table
        words = [table[number & last] for number in draws(many, d.chance)]
        if d.common:
            words[many // 2] = COMMON
            d.common = False
        words[0] = words[0].capitalize()
        for end in range(7 + d.bits(3), many - 2, 13):
            words[end] += "."
            words[end + 1] = words[end + 1].capitalize()
        return '"' + " ".join(words) + '."'

    return draw


def title_sort(d: Draw) -> str:
    title = re.sub(r"\\u00..|[^\w ]", "", d.title) if "\\" in d.title else d.title
    return quoted(title.upper())


def display_name(d: Draw) -> str:
    family, _, given = d.names[d.bits(2) % len(d.names)].partition(", ")
    return quoted(f"{given} {family}" if given else family)


def date_text(d: Draw) -> str:
    decade, day = d.decade, d.bits(5)
    if len(decade) != 5:
        return quoted(decade)
    year = f"{decade[:3]}{d.bits(8) % 10}"
    if day < 4:
        return quoted(f"ca. {year}")
    return quoted(f"{day - 3} {MONTHS[d.bits(8) % 12]} {year}" if day < 24 else year)


def decades(d: Draw) -> str:
    more = [d.of(d.world.dates) for _ in range(2)] if not d.bits(5) else []
    return listed([d.decade, *more])


def place_text(d: Draw) -> str:
    return quoted(", ".join((d.words(1 + d.bits(2)), *reversed(d.places))))


def geography(d: Draw) -> str:
    levels = zip(("Continent", "Country", "State", "County"), d.places, strict=False)
    parts = [
        f'"L{number}":{{"content":"{place}","type":"{kind}"}}'
        for number, (kind, place) in enumerate(levels, 1)
    ]
    if d.bits(1):
        parts.append(f'"Other":{{"content":"{d.words(3)}","type":"Locality"}}')
    if d.bits(2) < 2:
        where = f'{{"content":"%.{2 + d.bits(1)}f","type":"decimal"}}'
        latitude, longitude = (
            where % (d.chance.random() * 160 - 80),
            where % (d.chance.random() * 360 - 180),
        )
        parts.append(f'"points":{{"point":{{"latitude":{latitude},"longitude":{longitude}}}}}')
    return "[{" + ",".join(parts) + "}]"


def lineage(d: Draw) -> Mapping[str, str]:
    """The ranks above a genus: always the same for the same genus."""
    kingdom, phyla, classes = GROUPS.get(d.unit.kind, GROUPS["plants"])
    mark, genera = crc32(d.genus.encode()), d.world.genera.terms
    return {
        "tax_kingdom": kingdom or "Animalia",
        "tax_phylum": phyla[mark % len(phyla)] if phyla else "Chordata",
        "tax_class": classes[mark % len(classes)].replace("&", r"\u0026"),
        "tax_order": genera[mark % 301] + "iformes",
        "tax_family": genera[mark % 1_499] + "idae",
        "scientific_name": d.science,
    }


def rank(key: str) -> Slot:
    return lambda d: listed([lineage(d)[key]])


def taxonomy(d: Draw) -> str:
    return quoted(", ".join(list(lineage(d).values())[:-1]))


def credit(d: Draw) -> str:
    return quoted(
        f"Gift of {d.of(d.world.names)}" if d.bits(1) else f"{d.words(3)}, {1846 + d.bits(7)}"
    )


INDEXED: Mapping[str, Slot] = {
    "topic": lambda d: listed(d.topics),
    "place": lambda d: listed(d.places[1:] if d.bits(1) else d.places),
    "name": lambda d: listed(d.names),
    "object_type": lambda d: listed(d.kinds),
    "culture": lambda d: listed([d.people]),
    "date": decades,
    "geoLocation": geography,
    "common_name": lambda d: listed([d.of(d.world.materials)]),
    "strat_formation": lambda d: listed([d.of(d.world.places)]),
    "geo_age-era": lambda d: listed([("Cenozoic", "Mesozoic", "Paleozoic")[d.bits(8) % 3]]),
    "geo_age-system": lambda d: listed([d.world.materials.terms[d.bits(6)]]),
    **{key: rank(key) for key in LIFE},
}
FREE: Mapping[str, Slot] = {
    "date": date_text,
    "name": display_name,
    "place": place_text,
    "topic": lambda d: quoted(d.topics[d.bits(3) % len(d.topics)]),
    "culture": lambda d: quoted(d.people),
    "object_type": lambda d: quoted(d.kinds[-1]),
    "taxonomy": taxonomy,
    "scientific_name": lambda d: quoted(d.science),
    "creditLine": credit,
}
ARCHIVE: Mapping[str, Slot] = {
    "title": lambda d: quoted(d.title),
    "id": lambda d: quoted(d.ident.replace("-ref", "_ref").replace("-", ".")),
    "record_id": lambda d: quoted(
        d.ident.removeprefix("sova-").replace("-ref", "_ref").replace("-", ".").upper()
    ),
    "unittitle": lambda d: quoted(d.words(4)),
}
