"""A sync killed at any moment: the former mirror serves on, and the next run makes the new one whole."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from heritage_gateway.index.embedded import EmbeddedReader
from heritage_smithsonian.mirror.entry import LAYOUT, decoded
from heritage_smithsonian.mirror.upkeep import Upkeep

KILLS = int(os.environ.get("HERITAGE_TEST_KILLS", "20"))
SEED = 20260301
UNITS = "FBR,NASM,NZP"
ASK_EVERY = 5  # kills between those after which a command of its own asks the mirror
POLL = 0.0005
_MAIN = (
    "import sys\n"
    "from heritage_gateway.cli import main\n"
    "from heritage_smithsonian.mirror import sync\n"
    "sync.WORTH_A_PROCESS = 0\n"  # so that there are other processes that outlive the killed one
    "sys.exit(main())"
)

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.standin,
    pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL"),
]

Holdings = dict[str, bytes]


@dataclass(frozen=True)
class House:
    """A stand-in, and the mirrors of its first and its second snapshot, built without a kill."""

    base: str
    folder: Path
    first: Path
    second: Holdings
    seconds: float  # that a run takes from the first to the second

    def run(self, folder: Path) -> subprocess.Popen[str]:
        return self.command(folder, "mirror", "sync", "--units", UNITS)

    def command(self, folder: Path, *words: str) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "SMITHSONIAN_BULK_URL": f"{self.base}/s3",
            "SMITHSONIAN_BASE_URL": "http://127.0.0.1:9/nowhere",
            "HERITAGE_RATE_LIMITS": "off",
            "HERITAGE_SMITHSONIAN_SOURCE": "mirror",
            "HERITAGE_SMITHSONIAN_MIRROR_DIR": str(folder),
            "HERITAGE_CACHE_DIR": str(self.folder / "cache"),
        }
        return subprocess.Popen(
            [sys.executable, "-c", _MAIN, *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def done(process: subprocess.Popen[str]) -> str:
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0, said
    return said


def held(folder: Path) -> Holdings:
    """Every record by its url, each once, and found by id as by search."""
    upkeep = Upkeep(folder)
    current = upkeep.generations.current
    assert current is not None
    reader = EmbeddedReader(current, LAYOUT)
    hits = reader.search((), start=0, rows=10_000)
    found = {str(decoded(line)["url"]): line for line in hits.records}
    imprint = upkeep.imprint()
    assert hits.total == len(found) == reader.stats().entries == imprint.records
    assert sum(imprint.units.values()) == hits.total
    assert all(reader.get(url) == line for url, line in found.items())
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    from standin import create_app, running

    folder = tmp_path_factory.mktemp("crashes")
    with running(create_app()) as base:
        bare = House(base, folder, folder / "first", {}, 0)
        done(bare.run(bare.first))
        request = urllib.request.Request(f"{base}/_standin/snapshot", b'{"snapshot": 2}')
        urllib.request.urlopen(request).read()
        whole = Path(shutil.copytree(bare.first, folder / "whole"))
        done(
            bare.run(Path(shutil.copytree(bare.first, folder / "warm")))
        )  # it lists slowly at first
        began = time.monotonic()
        done(bare.run(whole))
        yield House(base, folder, bare.first, held(whole), time.monotonic() - began)


# -- moments ---------------------------------------------------------------------------------------

Moment = Callable[[Path], bool]


def at_once(_: Path) -> bool:
    return True


def is_there(pattern: str, count: int = 1) -> Moment:
    return lambda folder: sum(1 for _ in folder.glob(pattern)) >= count


def is_new(pattern: str) -> Moment:
    """Of the generation that is being built, a file that the first one does not have."""
    names: set[str] = set()

    def looks(folder: Path) -> bool:
        if not names:
            names.update(path.name for path in folder.glob(f"generations/000001/{pattern}"))
            names.add("")
        made = folder.glob(f"generations/000002/{pattern}")
        return any(path.name not in names for path in made)

    return looks


def is_other(name: str) -> Moment:
    """A file of the new generation is another than in the first one."""

    def looks(folder: Path) -> bool:
        old, new = folder / "generations/000001" / name, folder / "generations/000002" / name
        try:
            return new.stat().st_ino != old.stat().st_ino and new.read_bytes() != old.read_bytes()
        except OSError:
            return False

    return looks


def is_rewritten(name: str) -> Moment:
    """A file that began as a link to the one of the first generation is none any more."""

    def looks(folder: Path) -> bool:
        old, new = folder / "generations/000001" / name, folder / "generations/000002" / name
        return new.exists() and not new.samefile(old)

    return looks


def is_renamed(folder: Path) -> bool:
    try:
        return "000002" in (folder / "current.json").read_text("utf-8")
    except OSError:
        return False


MOMENTS: dict[str, Moment] = {
    "fork": is_there("generations/000002*"),
    "download": is_there("downloads/*"),
    "writing": is_there("generations/000002/index/.tantivy-writer.lock"),
    "segment": is_new("index/*.store"),
    "deletion": is_new("index/*.del"),
    "commit": is_other("index/meta.json"),
    "state": is_there("generations/000002/state.sqlite3-journal"),
    "vocabulary": is_rewritten("terms/topic.tsv"),
    "imprint": is_other("format.json"),
    "sums": is_other("sums.json"),
    "switch": is_there("current.json.part"),
    "switched": is_renamed,
}


@dataclass(frozen=True)
class Kill:
    """After a moment has come, and so many seconds more; without a moment, seconds alone."""

    moment: str
    seconds: float


def kills(seconds: float) -> list[Kill]:
    """Every other one by the clock over a whole run, the others at moments in turn, the last first."""
    chance = random.Random(SEED)
    moments = list(reversed(MOMENTS))
    chosen: list[Kill] = []
    for number in range(KILLS):
        if number % 2:
            chosen.append(Kill("clock", chance.uniform(0.3, 1.05) * seconds))
        else:
            moment = moments[number // 2 % len(moments)]
            chosen.append(Kill(moment, chance.choice([0, 0, chance.uniform(0, 0.05)])))
    return chosen


def killed(process: subprocess.Popen[str], folder: Path, kill: Kill) -> bool:
    """False where the process came to its end before."""
    came = MOMENTS.get(kill.moment, at_once)
    while not came(folder) and process.poll() is None:
        time.sleep(POLL)
    ends = time.monotonic() + kill.seconds
    while time.monotonic() < ends and process.poll() is None:
        time.sleep(POLL)
    ended = process.poll() is not None
    process.kill()
    process.communicate()
    return not ended


def phase(folder: Path) -> str:
    """How far the killed run had come."""
    if is_renamed(folder):
        return "working still named" if (folder / "working.json").exists() else "switched"
    if not (folder / "working.json").exists():
        return "starting" if not is_there("generations/000002*")(folder) else "forking"
    for name in ("sums", "imprint", "vocabulary", "commit"):
        if MOMENTS[name](folder):
            return f"after {name}"
    return "downloading and writing"


# -- the test --------------------------------------------------------------------------------------


def asked(house: House, folder: Path, holdings: Holdings) -> None:
    """A server of its own, on the mirror as the kill left it."""
    said = done(house.command(folder, "call", "smithsonian_search_objects", "query=*", "rows=1"))
    assert f"{len(holdings):,} " in said
    url = sorted(holdings)[len(holdings) // 2]
    assert url.partition(":")[2] in done(
        house.command(folder, "call", "smithsonian_get_object", f"id={url}")
    )


def whole_again(house: House, folder: Path) -> None:
    """The next run completes, equals a mirror that was never killed, and leaves nothing over."""
    done(house.run(folder))
    assert held(folder) == house.second
    upkeep = Upkeep(folder)
    assert upkeep.check() == []
    current = upkeep.generations.current
    assert current is not None
    names = {path.name for path in (folder / "generations").iterdir()}
    assert names <= {"000001", current.name}, "the one that serves, and the one before"
    assert not (folder / "downloads").exists()
    assert upkeep.generations.working is None
    assert not (folder / "working.json").exists()


def test_a_sync_killed_at_any_moment_leaves_one_mirror_or_the_other(house: House) -> None:
    first = held(house.first)
    assert first != house.second
    phases: Counter[str] = Counter()
    for number, kill in enumerate(kills(house.seconds)):
        folder = Path(shutil.copytree(house.first, house.folder / f"{number}"))
        was_killed = killed(house.run(folder), folder, kill)
        phases[f"at {kill.moment}: {phase(folder) if was_killed else 'ended before'}"] += 1
        now = held(folder)
        expected = house.second if is_renamed(folder) else first
        assert now == expected, f"{kill}, {phase(folder)}"
        if number % ASK_EVERY == 0:
            asked(house, folder, now)
        whole_again(house, folder)
        shutil.rmtree(folder)
    sys.stderr.write(f"\n{sum(phases.values())} kills: {dict(sorted(phases.items()))}\n")
    assert len(phases) > 3, phases
