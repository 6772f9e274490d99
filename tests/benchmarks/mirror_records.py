"""A made-up Smithsonian as large as wanted, line by line as the bulk bucket has it.

    .venv/bin/python tests/benchmarks/mirror_records.py [records] [mean bytes]

Each line has the shape of a captured record and the words, names and subjects of a corpus of full size.
Record `n` of a seed is the same whatever is asked for before it. Run by hand it prints what it makes.
"""

# ruff: noqa: E402 - the paths stand before what is found by them
from __future__ import annotations

import json
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]

from benchmarks.mirror_draws import Draw
from benchmarks.mirror_templates import Dresser, Form
from benchmarks.mirror_units import GROUPS, UNITS, Unit, own_template
from benchmarks.mirror_vocabulary import COMMON, WORD, world
from shared import captured_records

MEAN = 2_500
FORMS = 40  # for each unit, with media and without
SAMPLE = 2_500
LONGEST = 20_000  # bytes of a template; longer ones are few, and would make the mean drift
SHARDS = tuple(f"{number:02x}" for number in range(256))

LINE = (
    '{"id":"ld1-%d-%d-0","version":"","unitCode":"%s","linkedId":"","type":"%s","content":%s,"url":"%s:%s",'
    '"hash":"%s","docSignature":"%032x","timestamp":%d,"lastTimeUpdated":%d,"title":"%s"}'
)


def records(count: int, *, mean: int = MEAN, seed: int = 1, first: int = 0) -> Iterator[bytes]:
    """Lines without their ends, `mean` bytes long on average."""
    length = _length(mean)
    return (_line(number, seed, length) for number in range(first, first + count))


def shards(
    count: int, *, mean: int = MEAN, seed: int = 1, first: int = 0
) -> Iterator[tuple[str, str, Iterator[bytes]]]:
    """The same records as (unit, first two digits of the hash, lines), by unit; empty shards are left out.

    Costs about ten microseconds a record more, and eight bytes of memory.
    """
    length, chance = _length(mean), Random()
    groups: defaultdict[tuple[int, int], array[int]] = defaultdict(lambda: array("Q"))
    for number in range(first, first + count):
        unit, digest = _start(chance, seed, number)
        groups[unit, digest >> 152].append(number)
    for unit, shard in sorted(groups):
        numbers = groups[unit, shard]
        yield UNITS[unit].code, SHARDS[shard], (_line(number, seed, length) for number in numbers)


def url(number: int, *, seed: int = 1) -> str:
    """The url of a record, by which it is got."""
    line: dict[str, Any] = json.loads(_line(number, seed, 1.0))
    return str(line["url"])


def _start(chance: Random, seed: int, number: int) -> tuple[int, int]:
    """The unit's place in UNITS, and the hash: what is drawn first."""
    chance.seed(seed << 44 | number)
    return _by_weight()[chance.getrandbits(16)], chance.getrandbits(160)


def _line(number: int, seed: int, length: float, chance: Random = Random()) -> bytes:  # noqa: B008 - seeded anew for each record
    place, digest = _start(chance, seed, number)
    unit = UNITS[place]
    bare, pictured = _forms()[place]
    forms = pictured if chance.random() < unit.media else bare
    form = forms[chance.getrandbits(16) % len(forms)]
    ident = f"{unit.prefix}_{1_000_000 + number}"
    if unit.kind == "archive":
        ident = f"sova-{unit.prefix}-{number // 40}-ref{number % 40}"
    draw = Draw(world(), chance, unit, ident, length)
    made = 1_581_942_003 + (digest & 0x7FFFFFF)
    content = form.fill(draw)
    signature = chance.getrandbits(128)
    head = (
        made * 1_000,
        made * 1_000 + number % 99_991,
        unit.code,
        form.kind,
        content,
        form.kind,
        ident,
    )
    line = LINE % (*head, f"{digest:040x}", signature, made, made, draw.title)
    return line.encode()


@cache
def _by_weight() -> Sequence[int]:
    """The places of UNITS, 65,536 of them, in proportion."""
    size, reached, table = sum(unit.weight for unit in UNITS), 0, array("B")
    for place, unit in enumerate(UNITS):
        reached += unit.weight
        table.extend([place] * (round(65_536 * reached / size) - len(table)))
    return table


@cache
def _forms() -> Sequence[tuple[Sequence[Form], Sequence[Form]]]:
    """For each unit the forms without media and those with them."""
    chance, captured = Random(1_846), _captured()
    made = []
    for unit in UNITS:
        dresser = Dresser(unit, chance)
        contents = [chance.choice(_contents(unit, captured)) for _ in range(FORMS)]
        bare = [dresser.form(content, media=False) for content in contents]
        pictured = (
            [dresser.form(content, media=True) for content in contents] if unit.media else bare
        )
        made.append((bare, pictured))
    return made


def _captured() -> Mapping[str, Sequence[dict[str, Any]]]:
    """Contents by unit, and those that stand for others under "specimen", "object" and "archive"."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in captured_records():
        content, code = record["content"], str(record["unitCode"])
        if len(json.dumps(content)) > LONGEST:
            continue
        kind = "archive" if record["type"] != "edanmdm" else "object"
        if kind == "object" and not content.get("indexedStructured"):
            continue
        kind = "specimen" if code.startswith("NMNH") else kind
        found[kind].append(content)
        if kind != "specimen":
            found[code].append(content)
    return found


def _contents(
    unit: Unit, captured: Mapping[str, Sequence[dict[str, Any]]]
) -> Sequence[dict[str, Any]]:
    own = own_template(unit.kind)
    if unit.kind in GROUPS:
        some = list(captured.get("specimen", ()))
        return [*some, *[own] * max(1, len(some) // 2)]
    if unit.kind == "archive":
        return captured.get("archive") or [own]
    return (
        captured.get({"NMAA": "FSG"}.get(unit.code, unit.code)) or captured.get("object") or [own]
    )


@cache
def _length(mean: int) -> float:
    """How long prose must be for the mean; found by measuring, since all else is given."""
    low, high = 0.5, 2.0
    for _ in range(2):
        short, long = _measured(low), _measured(high)
        low, high = high, max(0.05, low + (mean - short) * (high - low) / (long - short))
        if abs(high - low) < 0.02:
            break
    return high


def _measured(length: float) -> float:
    """The sample has a seed of its own, and gives every unit its part."""
    return sum(len(_line(number, 1_846, length)) for number in range(SAMPLE)) / SAMPLE


def main(count: int, mean: int) -> None:
    """Prints what the records are like."""
    _length(mean)
    began = time.process_time()
    size = sum(map(len, records(count, mean=mean)))
    spent = time.process_time() - began
    print(
        f"{count:,} records, {size / count:,.0f} bytes on average, {spent / count * 1e6:.0f} us each"
    )
    terms: defaultdict[str, set[str]] = defaultdict(set)
    media = held = specimens = 0
    for line in records(count, mean=mean):
        record = json.loads(line)
        content, text = record["content"], json.dumps(record["content"]["freetext"])
        media += "online_media" in content.get("descriptiveNonRepeating", {})
        specimens += record["unitCode"].startswith("NMNH")
        words = set(WORD.findall(f"{record['title']} {text}".lower()))
        held += COMMON in words
        terms["words"] |= words
        for field, found in content.get("indexedStructured", {}).items():
            terms[field].update(term for term in found if isinstance(term, str))
    print(
        f"natural history {specimens / count:.1%}, media {media / count:.1%}, '{COMMON}' {held / count:.2%}"
    )
    print(", ".join(f"{field} {len(found):,}" for field, found in sorted(terms.items())))


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(numbers + [100_000, MEAN][len(numbers) :]))
