"""The local mirror, measured: what it takes to build, how much room, how long each kind of question.

    python tests/benchmarks/mirror.py [--records 1000000] [--mean 2500] [--folder DIR]

Records are captured ones multiplied with realistic vocabularies (`mirror_records`), written first to
files as the bucket has them, so that making them is not measured; the dictionaries are learnt from
other records than those. A question is asked through the engine's seam, and its page of 20 read back to id and title; figures
are the best of three warm runs, as in the measurements that the engine was chosen by. Figures of a
busy machine drift. A folder that is named is kept, and what was built in it is not built again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.lean import per_call
from benchmarks.mirror_queries import Ask, queries
from benchmarks.mirror_records import records, shards
from heritage_gateway.http import Downloaded
from heritage_gateway.index import Clause
from heritage_gateway.index.embedded import ENGINE, EmbeddedReader, EmbeddedWriter
from heritage_gateway.index.generations import Generations
from heritage_gateway.index.sums import take, write_sums
from heritage_gateway.index.terms import dump, load
from heritage_smithsonian.mirror.bucket import Shard
from heritage_smithsonian.mirror.entry import LAYOUT, LAYOUT_NAME, entry
from heritage_smithsonian.mirror.imprint import Imprint
from heritage_smithsonian.mirror.progress import Lines
from heritage_smithsonian.mirror.state import State
from heritage_smithsonian.mirror.sync import Build
from heritage_smithsonian.query import Filters, Lucene, build
from heritage_smithsonian.vocabulary import Vocabulary

LEARNT_FROM = 20_000  # records of another seed
WARM_RUNS = 3
THREADS = 8
STDIO_CALLS = 300
VOCABULARY = "vocabulary substring"


@dataclass(frozen=True, slots=True)
class Plan:
    records: int
    mean: int
    folder: Path

    @property
    def lines(self) -> Path:
        return self.folder / "lines"

    @property
    def files(self) -> list[Path]:
        """As a sync takes them: one unit after the other."""
        return sorted(self.lines.glob("*/*.txt"))

    @property
    def generations(self) -> Generations:
        return Generations(self.folder / "mirror")

    @property
    def built(self) -> Path:
        """The generation that serves."""
        current = self.generations.current
        assert current is not None
        return current


# -- building --------------------------------------------------------------------------------------


def make_lines(plan: Plan) -> None:
    """Sixteen files a unit, not 256: at a million records, each is about as large as the bucket's."""
    if plan.lines.exists():
        return
    partial = plan.lines.with_suffix(".part")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for unit, shard, lines in shards(plan.records, mean=plan.mean):
        file = partial / unit.lower() / f"{shard[0]}.txt"
        file.parent.mkdir(exist_ok=True)
        with file.open("ab") as there:
            there.write(b"\n".join(lines) + b"\n")
    partial.rename(plan.lines)


@dataclass(frozen=True, slots=True)
class At:
    """In place of the bucket: files that are here, so that their coming takes no time."""

    files: Sequence[Path]

    @property
    def units(self) -> dict[str, list[Shard]]:
        found: dict[str, list[Shard]] = {}
        for file in self.files:
            found.setdefault(file.parent.name, []).append(Shard(file.parent.name, file.stem))
        return found

    async def fetch(self, shard: Shard, to: Path, **_: Any) -> Downloaded:
        (file,) = (one for one in self.files if f"{one.parent.name}/{one.stem}" == shard.batch)
        os.link(file, to)
        return Downloaded(
            changed=True, etag=shard.batch, last_modified=None, size=file.stat().st_size
        )


def cpu() -> float:
    """Seconds, of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def ingest(plan: Plan) -> None:
    """As a sync does it, downloads apart; run in a process of its own."""
    made = plan.generations.fork()
    writer = EmbeddedWriter(made, LAYOUT)
    kinds: dict[str, list[bytes]] = {}
    for line in records(LEARNT_FROM, mean=plan.mean, seed=2):
        kinds.setdefault(entry(line, "").kind, []).append(line)
    for kind, lines in kinds.items():
        writer.learn(kind, lines[:1000])
    began, worked = time.perf_counter(), cpu()
    with State(made) as state:
        fetched = cast(Any, At(plan.files))
        build = Build(fetched, writer, state, plan.folder / "downloads", Lines(lambda _: None))
        asyncio.run(build.run(fetched.units))
    writer.close()
    seconds, busy = time.perf_counter() - began, cpu() - worked
    reader = EmbeddedReader(made, LAYOUT)
    dump(reader, LAYOUT.fields, made)
    stats = reader.stats()
    now = datetime.now(UTC)
    Imprint(
        engine=ENGINE,
        layout=LAYOUT_NAME,
        snapshot="benchmark",
        published=now,
        built=now,
        records=stats.entries,
        units=dict(reader.facet((), "unit_code", size=1000).counts),
    ).write(made)
    write_sums(made, take(made))
    plan.generations.switch(made)
    peak, beside = (
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    size = sum(path.stat().st_size for path in made.rglob("*") if path.is_file())
    raw = sum(path.stat().st_size for path in plan.files)
    print(
        f"{stats.entries:,} records of {raw / stats.entries:,.0f} bytes, {stats.segments} segments"
    )
    print(
        f"ingest {stats.entries / seconds:,.0f} records/s, {busy / stats.entries * 1e6:,.0f} us of "
        f"CPU each, peak {peak:,.0f} MB and {beside:,.0f} MB beside it; {size / stats.entries:,.0f} MB per million with raw records"
    )


# -- asking ----------------------------------------------------------------------------------------


def clauses(ask: Ask) -> Sequence[Clause]:
    lucene = build(ask.query, Filters(**filters(ask)))
    assert isinstance(lucene, Lucene)
    return (*lucene.clauses, *map(Clause, lucene.filters))


def filters(ask: Ask) -> dict[str, Any]:
    """As the tool takes them."""
    given: dict[str, Any] = dict(ask.filters)
    return given if given.pop("media_usage", None) is None else {**given, "cc0_only": True}


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers a question of any kind, as far as id and title of each row."""

    reader: EmbeddedReader
    folder: Path
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict[str, Vocabulary])

    @classmethod
    def opened(cls, folder: Path) -> Desk:
        return cls(EmbeddedReader(folder, LAYOUT), folder)

    def answer(self, kind: str, ask: Ask) -> int:
        if kind == VOCABULARY:
            return len(self.vocabulary(ask.facet).containing(ask.query))
        if kind == "get by id":
            return self.reader.get(ask.query) is not None
        if ask.facet and not clauses(ask):  # as the mirror does it
            return len(self.vocabulary(ask.facet).commonest(20))
        if ask.facet:
            return len(self.reader.facet(clauses(ask), ask.facet, size=20).counts)
        found = self.reader.search(clauses(ask), start=ask.start, rows=ask.rows)
        shown = [orjson.loads(record) for record in found.records]
        assert all(row["url"] and row["title"] for row in shown)
        return found.total

    def vocabulary(self, name: str) -> Vocabulary:
        if name not in self.vocabularies:
            self.vocabularies[name] = Vocabulary(*load(name, self.folder))
        return self.vocabularies[name]


def timed(desk: Desk, kind: str, ask: Ask) -> float:
    began = time.perf_counter()
    desk.answer(kind, ask)
    return (time.perf_counter() - began) * 1000


def told(name: str, times: Sequence[float]) -> None:
    ordered = sorted(times)
    at = ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)]
    print(
        f"{name:<24} p50 {statistics.median(ordered):8.2f}  p95 {at:8.2f}  max {ordered[-1]:8.2f} ms"
    )


def serve(plan: Plan) -> None:
    """The mix, in a process of its own, so that its memory can be told."""
    mix = queries(plan.records, mean=plan.mean)
    began = time.perf_counter()
    desk = Desk.opened(plan.built)
    opened = time.perf_counter()
    desk.answer("rare word", mix["rare word"][0])
    print(
        f"open {(opened - began) * 1000:,.0f} ms, first search "
        f"{(time.perf_counter() - opened) * 1000:,.0f} ms"
    )
    first: list[float] = []
    everything: list[float] = []
    for kind, asks in mix.items():
        first += [timed(desk, kind, ask) for ask in asks]  # loads the vocabularies, too
        best = [min(timed(desk, kind, ask) for _ in range(WARM_RUNS)) for ask in asks]
        told(kind, best)
        if kind not in ("get by id", "1000 rows"):
            everything += best
    told("ALL", everything)
    told("ALL, first pass", first)
    breakdown = [Ask("*", facet="unit_code")] * 20
    told("units over everything", [timed(desk, "facet counts", ask) for ask in breakdown])
    threads(desk, mix)
    print(memory())


def threads(desk: Desk, mix: dict[str, tuple[Ask, ...]]) -> None:
    work = [(kind, ask) for kind, asks in mix.items() if kind != "1000 rows" for ask in asks]
    began = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        times = list(pool.map(lambda one: timed(desk, *one), work))
    seconds = time.perf_counter() - began
    told(f"{THREADS} threads", times)
    print(f"{THREADS} threads: {len(work) / seconds:,.0f} questions/s")


def memory() -> str:
    status = Path("/proc/self/status").read_text()
    sizes = {
        line.split(":")[0]: line.split()[1]
        for line in status.splitlines()
        if "Rss" in line or "VmRSS" in line
    }
    whole, own = (int(sizes[name]) / 1024 for name in ("VmRSS", "RssAnon"))
    return f"memory while serving {whole:,.0f} MB, of it {own:,.0f} MB anonymous"


# -- all of it -------------------------------------------------------------------------------------


def apart(step: str, plan: Plan) -> None:
    """A step in a process of its own; its lines come out as they are made."""
    words = ["--records", str(plan.records), "--mean", str(plan.mean), "--folder", str(plan.folder)]
    subprocess.run([sys.executable, __file__, *words, "--step", step], check=True)


def drop_page_cache() -> bool:
    try:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        return False
    return True


def stdio(plan: Plan) -> None:
    """A 20-row search by words through the whole server, asked by a client that adds nothing."""
    env = {
        "HERITAGE_SMITHSONIAN_MIRROR_DIR": str(plan.folder / "mirror"),
        "HERITAGE_CACHE": "memory",
    }
    mix = queries(plan.records, mean=plan.mean)
    asks = [ask for kind in ("2 words", "facet and text") for ask in mix[kind]]
    calls = [{"query": ask.query, "filters": filters(ask), "rows": 20} for ask in asks]
    times = per_call("smithsonian_search_objects", calls, rounds=5, env=env)
    told("stdio call, 20 rows", times)


STEPS = {"ingest": ingest, "serve": serve, "stdio": stdio}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--mean", type=int, default=2_500)
    parser.add_argument("--folder", type=Path)
    parser.add_argument(
        "--step", choices=sorted(STEPS), help="one step alone, of a folder built before"
    )
    return parser.parse_args()


def kept_or_lent(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory() as lent:
        yield Path(lent)


def main() -> None:
    given = arguments()
    for folder in kept_or_lent(given.folder):
        plan = Plan(given.records, given.mean, folder)
        if given.step:
            STEPS[given.step](plan)
            continue
        make_lines(plan)
        if plan.generations.current is None:
            apart("ingest", plan)
        print("page cache dropped" if drop_page_cache() else "page cache not dropped")
        apart("serve", plan)
        apart("stdio", plan)


if __name__ == "__main__":
    main()
