"""Whatever happens to a build, the generation that serves stays whole, and nothing is left for ever."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.index.engines import SMALL, found
from heritage_gateway.index import Busy, Entry, IndexFault, Layout, Word
from heritage_gateway.index.embedded import EmbeddedReader, EmbeddedWriter
from heritage_gateway.index.generations import Generations, write_whole

LAYOUT = Layout("things", 1, facets=("topic",))
REWRITTEN = ("meta.json", ".managed.json", "state.sqlite3")


@pytest.fixture
def shelf(tmp_path: Path) -> Generations:
    return Generations(tmp_path / "mirror")


def fill(folder: Path, text: str) -> None:
    """As an index does: one file under a name of its own, others written anew where they lie."""
    (folder / "index").mkdir(exist_ok=True)
    (folder / "index" / f"segment-{text}").write_text(text)
    (folder / "index" / "meta.json").write_text(text)
    (folder / "state.sqlite3").write_text(text)
    (folder / "index" / ".writer.lock").write_text("")
    write_whole(folder / "terms" / "topic.tsv", text)


def contents(folder: Path | None) -> dict[str, str]:
    assert folder is not None
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".lock")
    }


def build(shelf: Generations, text: str) -> Path:
    made = shelf.fork()
    fill(made, text)
    shelf.switch(made)
    return made


def names(shelf: Generations) -> list[str]:
    return sorted(path.name for path in (shelf.folder / "generations").iterdir())


# -- fork, switch, sweep ---------------------------------------------------------------------------


def test_where_nothing_was_built_nothing_serves(shelf: Generations) -> None:
    assert shelf.current is shelf.working is shelf.stamp() is None
    shelf.sweep()
    shelf.abandon()
    shelf.drop()
    assert not shelf.folder.exists()


def test_a_build_serves_from_the_switch_on(shelf: Generations) -> None:
    made = shelf.fork()
    assert (shelf.current, shelf.working) == (None, made)
    fill(made, "one")
    shelf.switch(made)
    assert (shelf.current, shelf.working) == (made, None)


def test_a_fork_begins_with_what_serves_and_changes_nothing_of_it(shelf: Generations) -> None:
    served = build(shelf, "one")
    before = contents(served)
    made = shelf.fork()
    assert contents(made) == before
    assert not (made / "index" / ".writer.lock").exists()
    fill(made, "two")
    assert contents(served) == before
    assert contents(made) != before


def test_what_does_not_change_takes_no_room(shelf: Generations) -> None:
    served, made = build(shelf, "one"), shelf.fork()
    for name in ("index/segment-one", "terms/topic.tsv"):
        assert (served / name).samefile(made / name)
    for name in ("index/meta.json", "state.sqlite3"):
        assert not (served / name).samefile(made / name)


def test_where_there_are_no_hard_links_files_are_copied(
    shelf: Generations, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refused)
    served = build(shelf, "one")
    made = shelf.fork()
    assert contents(made) == contents(served)
    assert not (served / "index" / "segment-one").samefile(made / "index" / "segment-one")


def test_a_fork_afresh_is_empty(shelf: Generations) -> None:
    build(shelf, "one")
    assert contents(shelf.fork(afresh=True)) == {}


def test_the_generation_before_stays_for_its_readers_until_the_next_switch(
    shelf: Generations,
) -> None:
    one, two = build(shelf, "one"), build(shelf, "two")
    assert names(shelf) == [one.name, two.name]
    three = build(shelf, "three")
    assert names(shelf) == [two.name, three.name]


def test_a_sweep_spares_what_serves_and_what_is_being_built(shelf: Generations) -> None:
    build(shelf, "zero")
    served = build(shelf, "one")
    working = shelf.fork()
    (shelf.folder / "generations" / "000099.part").mkdir()
    shelf.sweep()
    assert names(shelf) == [served.name, working.name]


def test_names_go_on_above_left_overs(shelf: Generations) -> None:
    build(shelf, "one")
    (shelf.folder / "generations" / "000041").mkdir()
    assert shelf.fork().name == "000042"


def test_an_abandoned_build_leaves_what_serves(shelf: Generations) -> None:
    served = build(shelf, "one")
    fill(shelf.fork(), "two")
    shelf.abandon()
    assert (shelf.current, shelf.working) == (served, None)
    assert names(shelf) == [served.name]
    assert contents(served)["state.sqlite3"] == "one"


def test_a_build_is_found_again_by_another_process(shelf: Generations) -> None:
    build(shelf, "one")
    working = shelf.fork()
    assert Generations(shelf.folder).working == working


def test_after_a_drop_nothing_is_left_but_the_lock(shelf: Generations) -> None:
    with shelf.locked():
        build(shelf, "one")
        shelf.fork()
        shelf.drop()
    assert shelf.current is shelf.working is None
    assert [path.name for path in shelf.folder.iterdir()] == ["builder.lock"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"generation": "000009"}', '{"generation": null}', "\xff"]
)
def test_a_pointer_that_leads_nowhere_is_none(shelf: Generations, text: str) -> None:
    build(shelf, "one")
    for pointer in ("current.json", "working.json"):
        (shelf.folder / pointer).write_bytes(text.encode("latin-1"))
    assert shelf.current is shelf.working is None


# -- the stamp -------------------------------------------------------------------------------------


def test_the_stamp_changes_exactly_at_the_switch(shelf: Generations) -> None:
    build(shelf, "one")
    before = shelf.stamp()
    made = shelf.fork()
    fill(made, "two")
    shelf.sweep()
    assert shelf.stamp() == before
    shelf.switch(made)
    after = shelf.stamp()
    assert after != before
    shelf.fork()
    shelf.abandon()
    assert shelf.stamp() == after
    shelf.drop()
    assert shelf.stamp() is None


def test_no_two_switches_have_one_stamp(shelf: Generations) -> None:
    stamps = [(build(shelf, str(n)), shelf.stamp())[1] for n in range(30)]
    assert all(one != other for one, other in pairwise(stamps))


# -- builds that break off -------------------------------------------------------------------------

STEPS = ("link", "copy2", "replace", "fsync", "unlink", "rmtree", "mkdir")


class Killed(BaseException):
    """Stands for the end of the process: nothing is cleaned up after it."""


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many steps on the disk are left before the end comes; counts them up while below zero."""
    left = [-1]

    def counted(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def step(*args: Any, **more: Any) -> Any:
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            return real(*args, **more)

        monkeypatch.setattr(owner, name, step)

    for owner in (os, shutil, Path):
        for name in STEPS:
            if hasattr(owner, name):
                counted(owner, name)
    yield left
    left[0] = -1


def test_a_build_that_ends_at_any_step_leaves_the_old_generation_or_the_new_one(
    tmp_path: Path, steps: list[int]
) -> None:
    reached: list[str] = []
    for last in range(200):
        shelf = Generations(tmp_path / str(last))
        build(shelf, "zero")
        build(shelf, "one")
        old, stamp = contents(shelf.current), shelf.stamp()
        steps[0] = last
        try:
            build(shelf, "two")
        except Killed:
            pass
        else:
            steps[0] = -1
            break
        steps[0] = -1
        state = contents(shelf.current)["state.sqlite3"]
        reached.append(state)
        if state == "one":
            assert (contents(shelf.current), shelf.stamp()) == (old, stamp)
        else:
            assert state == "two"
            assert shelf.stamp() != stamp
            assert contents(shelf.current)["terms/topic.tsv"] == "two"
        _goes_on(shelf, state)
    assert len(reached) < 190
    assert reached == sorted(reached)  # "one" up to the switch, "two" from then on
    assert {"one", "two"} == set(reached)


def _goes_on(shelf: Generations, state: str) -> None:
    """The next build finds its way, and what was left over is gone two switches later."""
    served = shelf.current
    assert shelf.working != served
    shelf.abandon()
    assert shelf.current == served
    assert contents(served)["state.sqlite3"] == state
    build(shelf, "three")
    last = build(shelf, "four")
    assert shelf.current == last
    assert len(names(shelf)) == 2


def test_a_switch_that_ends_half_way_has_not_left_the_serving_one_to_be_abandoned(
    shelf: Generations, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shelf.fork()
    fill(made, "one")

    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch, suppress(Killed):
        patch.setattr(Path, "unlink", killed)
        shelf.switch(made)
    assert (shelf.folder / "working.json").exists()
    assert (shelf.current, shelf.working) == (made, None)
    shelf.abandon()
    assert contents(shelf.current)["state.sqlite3"] == "one"


BUILDER = """
import sys
from pathlib import Path
from heritage_gateway.index import Entry, Layout, key_of
from heritage_gateway.index.embedded import EmbeddedWriter
from heritage_gateway.index.generations import Generations

shelf = Generations(Path(sys.argv[1]))
with shelf.locked():
    made = shelf.working or shelf.fork()
    writer = EmbeddedWriter(made, Layout("things", 1, facets=("topic",)), heap=30_000_000)
    for number in range(3):
        writer.upsert(Entry(f"new {number}", b"new %d" % number, "word"))
    writer.delete(key_of("old 1"))
    writer.commit()
    for number in range(5_000):
        writer.upsert(Entry(f"lost {number}", b"lost", "word"))
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="nobody is killed so there")
def test_a_builder_that_is_killed_leaves_an_index_that_serves_and_one_that_goes_on(
    shelf: Generations,
) -> None:
    def old(folder: Path) -> set[str]:
        return found(EmbeddedReader(folder, LAYOUT), Word("word"))

    made = shelf.fork()
    writer = EmbeddedWriter(made, LAYOUT, heap=SMALL)
    for number in range(3):
        writer.upsert(Entry(f"old {number}", f"old {number}".encode(), "word"))
    writer.commit()
    writer.close()
    shelf.switch(made)
    command = [sys.executable, "-c", BUILDER, str(shelf.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as builder:
        assert builder.stdout is not None
        assert builder.stdout.readline() == b"ready\n"
        with pytest.raises(Busy), shelf.locked():
            pass
        builder.send_signal(signal.SIGKILL)
    assert shelf.current == made
    assert old(made) == {"old 0", "old 1", "old 2"}
    working = shelf.working
    assert working is not None
    with shelf.locked():
        assert old(working) == {"old 0", "old 2", "new 0", "new 1", "new 2"}
        writer = EmbeddedWriter(working, LAYOUT, heap=SMALL)
        writer.upsert(Entry("last", b"last", "word"))
        writer.commit()
        writer.close()
        shelf.switch(working)
    assert old(working) == {"old 0", "old 2", "new 0", "new 1", "new 2", "last"}
    assert old(made) == {"old 0", "old 1", "old 2"}


# -- the lock, and single files --------------------------------------------------------------------


def test_one_builder_at_a_time(shelf: Generations) -> None:
    with shelf.locked(), pytest.raises(Busy), Generations(shelf.folder).locked():
        pass
    with shelf.locked():
        pass


def test_the_lock_falls_with_whoever_fails(shelf: Generations) -> None:
    with suppress(RuntimeError), shelf.locked():
        raise RuntimeError
    with shelf.locked():
        pass


def test_a_folder_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexFault), Generations(tmp_path / "file" / "mirror").locked():
        pass


def test_a_text_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a" / "file.json"
    write_whole(file, "one\n")

    def full(_: int) -> None:
        raise OSError("no room")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no room"):
        write_whole(file, "two\n")
    assert file.read_text() == "one\n"
    monkeypatch.undo()
    write_whole(file, "three\n")
    assert [path.name for path in file.parent.iterdir()] == ["file.json"]
