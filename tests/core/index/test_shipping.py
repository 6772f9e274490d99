"""An index goes to other machines: changed files only, whole or not at all, and nothing on trust."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from heritage_gateway.index import Busy, Entry, IndexFault, Layout
from heritage_gateway.index.embedded import EmbeddedReader, EmbeddedWriter
from heritage_gateway.index.generations import Generations
from heritage_gateway.index.published import Folder, Missing, Published
from heritage_gateway.index.shipping import Shipment, publish, pull
from heritage_gateway.index.sums import differences, read_sums, take, write_sums

HEAP = 30_000_000
LAYOUT = Layout("cards", 1, facets=("drawer",))
ABOUT = "format.json"
HASH = "0" * 64

Accept = Callable[[Path], object]


def grow(builder: Generations, *names: str, about: str = "v1") -> Path:
    """The next generation of a builder: the former cards, and these."""
    made = builder.fork()
    writer = EmbeddedWriter(made, LAYOUT, heap=HEAP)
    for name in names:
        writer.upsert(Entry(name, name.encode(), name, terms=(("drawer", "A"),)))
    writer.commit()
    writer.close()
    (made / ABOUT).write_text(about)
    (made / "terms").mkdir(exist_ok=True)
    (made / "terms" / "drawer.tsv").write_text("A\n")
    (made / "state.sqlite3").write_text(" ".join((*names, about)))
    write_sums(made, take(made))
    builder.switch(made)
    return made


def pulled(place: Any, to: Generations, accept: Accept = lambda _: None) -> Shipment:
    return pull(place, to, first=ABOUT, accept=accept)


def cards(generations: Generations) -> int:
    assert generations.current is not None
    assert differences(generations.current, read_sums(generations.current)) == []
    return EmbeddedReader(generations.current, LAYOUT).stats().entries


class Cut(Exception):
    """The line, or the process, broke off."""


def _cut() -> None:
    raise Cut


@dataclass
class Watched:
    """A place that notes what is asked of it, and breaks off after so many files."""

    folder: Folder
    breaks_after: int = 1_000
    breaks: Callable[[], None] = field(default=_cut)
    fetched: list[str] = field(default_factory=list[str])
    sent: list[str] = field(default_factory=list[str])

    def _counted(self) -> None:
        if len(self.fetched) + len(self.sent) >= self.breaks_after:
            self.breaks()

    def fetch(self, name: str, to: Path, *, most: int) -> None:
        if name != "current.json":
            self._counted()
            self.fetched.append(name)
        self.folder.fetch(name, to, most=most)

    def put(self, file: Path, name: str) -> None:
        self._counted()
        self.sent.append(name)
        self.folder.put(file, name)

    def held(self, name: str) -> int | None:
        return self.folder.held(name)

    def room(self) -> int | None:
        return self.folder.room()

    def tidy(self, keep: Collection[str]) -> None:
        self.folder.tidy(keep)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class World(NamedTuple):
    """A builder, a published index, and another machine."""

    builder: Generations
    depot: Path
    other: Generations

    @property
    def place(self) -> Watched:
        return Watched(Folder(self.depot))

    @property
    def here(self) -> Path:
        assert self.builder.current is not None
        return self.builder.current

    def listed(self) -> Published:
        return Published.parse((self.depot / "current.json").read_text())

    def stored(self) -> set[str]:
        return {f"files/{path.name}" for path in (self.depot / "files").iterdir()}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(
        Generations(tmp_path / "builder"), tmp_path / "depot", Generations(tmp_path / "other")
    )
    grow(world.builder, "a", "b")
    return world


# -- there and back --------------------------------------------------------------------------------


def test_what_is_published_serves_on_another_machine(world: World) -> None:
    sent = publish(world.here, world.place)
    assert (sent.copied, sent.kept, sent.changed) == (len(world.listed().places), 0, True)
    got = pulled(world.place, world.other)
    assert (got.copied, got.kept, got.changed) == (len(world.listed().files), 0, True)
    assert got.size == sum(one.size for one in world.listed().files.values())
    assert cards(world.other) == 2
    assert world.other.working is None
    assert not list(world.other.folder.rglob("*.part*"))


def test_only_what_has_changed_goes_over(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    before = world.listed()
    grow(world.builder, "c", about="v2")
    place = world.place
    sent = publish(world.here, place)
    fresh = world.listed().places - before.places
    assert 0 < sent.copied < len(world.listed().places)
    assert sorted(place.sent) == sorted([*fresh, "current.json"])
    place = world.place
    pulled(place, world.other)
    unchanged = {
        name for name, one in world.listed().files.items() if before.files.get(name) == one
    }
    assert len([name for name in unchanged if name.startswith("index/")]) >= 6  # a segment
    assert len(place.fetched) == len(world.listed().files) - len(unchanged)
    assert cards(world.other) == 3


def test_what_is_already_here_takes_no_room_again(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    former = world.other.current
    grow(world.builder, "c", about="v2")
    publish(world.here, world.place)
    pulled(world.place, world.other)
    current = world.other.current
    assert former is not None
    assert current is not None
    stores = [path.name for path in (former / "index").glob("*.store")]
    shared = [name for name in stores if (current / "index" / name).exists()]
    assert shared
    assert all((former / "index" / name).samefile(current / "index" / name) for name in shared)
    assert not (former / "index" / "meta.json").samefile(current / "index" / "meta.json")


def test_the_same_again_is_nothing_to_do(world: World) -> None:
    publish(world.here, world.place)
    place = world.place
    assert publish(world.here, place) == Shipment(0, 0, len(world.listed().places), changed=False)
    assert place.sent == []
    pulled(place, world.other)
    stamp, place = world.other.stamp(), world.place
    assert pulled(place, world.other) == Shipment(0, 0, len(world.listed().files), changed=False)
    assert place.fetched == []
    assert world.other.stamp() == stamp


def test_a_pulled_index_can_be_published_further(world: World, tmp_path: Path) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert world.other.current is not None
    publish(world.other.current, Folder(tmp_path / "further"))
    third = Generations(tmp_path / "third")
    pulled(Folder(tmp_path / "further"), third)
    assert cards(third) == 2


def test_a_pulled_index_goes_on_to_be_built_here(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    grow(world.other, "z")
    assert cards(world.other) == 3
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert cards(world.other) == 2  # the published one wins


def test_files_of_the_former_generation_stay_until_the_next_one(world: World) -> None:
    lists: list[Published] = []
    for name in "cde":
        grow(world.builder, name, about=name)
        publish(world.here, world.place)
        lists.append(world.listed())
    assert world.stored() == lists[1].places | lists[2].places


def test_one_who_is_fetching_the_former_generation_comes_to_an_end(world: World) -> None:
    publish(world.here, world.place)

    def publish_next() -> None:
        place.breaks_after = 1_000
        grow(world.builder, "c", about="v2")
        publish(world.here, Folder(world.depot))

    place = Watched(Folder(world.depot), breaks_after=2, breaks=publish_next)
    pulled(place, world.other)
    assert cards(world.other) == 2
    pulled(world.place, world.other)
    assert cards(world.other) == 3


def test_one_who_is_two_generations_late_is_told_to_pull_again(world: World) -> None:
    publish(world.here, world.place)

    def publish_twice() -> None:
        place.breaks_after = 1_000
        for name in "cd":
            grow(world.builder, name, about=name)
            publish(world.here, Folder(world.depot))

    place = Watched(Folder(world.depot), breaks_after=1, breaks=publish_twice)
    with pytest.raises(IndexFault, match="pull again"):
        pulled(place, world.other)
    assert world.other.current is None
    pulled(world.place, world.other)
    assert cards(world.other) == 4


# -- broken off ------------------------------------------------------------------------------------


def test_a_publication_that_broke_off_changes_nothing_and_goes_on(world: World) -> None:
    publish(world.here, world.place)
    before = world.listed()
    grow(world.builder, "c", about="v2")
    needed = len(places(world.here) - before.places)
    for sent in range(needed + 1):  # the last time before the list itself
        place = Watched(Folder(world.depot), breaks_after=1 if sent < needed else 0)
        with pytest.raises(Cut):
            publish(world.here, place)
        assert len(place.sent) == (1 if sent < needed else 0)
        assert world.listed() == before
        assert before.places <= world.stored()
    place = world.place
    publish(world.here, place)
    assert place.sent == ["current.json"]
    pulled(world.place, world.other)
    assert cards(world.other) == 3


def places(folder: Path) -> set[str]:
    return Published(folder.name, read_sums(folder)).places


def test_a_pull_that_broke_off_fetches_only_the_rest(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    grow(world.builder, "c", "d", about="v2")
    publish(world.here, world.place)
    straight = world.place
    pulled(straight, Generations(world.depot.parent / "straight"))
    place = Watched(Folder(world.depot), breaks_after=5)
    with pytest.raises(Cut):
        pulled(place, world.other)
    assert cards(world.other) == 2
    again = world.place
    pulled(again, world.other)
    assert cards(world.other) == 4
    once = Counter(straight.fetched)
    top = Counter(
        f"files/{one.sha256}" for name, one in world.listed().files.items() if "/" not in name
    )
    assert Counter(place.fetched) + Counter(again.fetched) <= once + top  # those come anew


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_a_killed_pull_leaves_the_former_serving_and_is_continued(world: World, after: int) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    grow(world.builder, "c", about="v2")
    publish(world.here, world.place)
    run_killed("pull", world, after)
    assert cards(world.other) == 2
    pulled(world.place, world.other)
    assert cards(world.other) == 3


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_killed_publication_leaves_the_former_one_whole(world: World, after: int) -> None:
    publish(world.here, world.place)
    before = world.listed()
    grow(world.builder, "c", about="v2")
    run_killed("publish", world, after)
    assert world.listed() == before
    pulled(world.place, world.other)
    assert cards(world.other) == 2
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert cards(world.other) == 3


_KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_shipping import Watched, kill, pulled
from heritage_gateway.index.generations import Generations
from heritage_gateway.index.published import Folder
from heritage_gateway.index.shipping import publish
_, _, verb, builder, depot, other, after = sys.argv
place = Watched(Folder(Path(depot)), breaks_after=int(after), breaks=kill)
if verb == "pull":
    pulled(place, Generations(Path(other)))
else:
    publish(Generations(Path(builder)).current, place)
"""


def run_killed(verb: str, world: World, after: int) -> None:
    folders = (str(world.builder.folder), str(world.depot), str(world.other.folder))
    ended = subprocess.run(
        [sys.executable, "-c", _KILLED, str(Path(__file__).parent), verb, *folders, str(after)],
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL


def test_what_an_unfinished_build_left_never_passes_for_a_pulled_file(world: World) -> None:
    """Neither its index files nor what it says of them."""
    publish(world.here, world.place)
    left = world.other.fork(afresh=True)
    shutil.copytree(world.here, left, dirs_exist_ok=True)
    (left / "state.sqlite3").write_text("of another build")
    segment = next((left / "index").glob("*.store"))
    segment.write_bytes(b"x" * segment.stat().st_size)
    (left / "index" / "0123.store").write_bytes(b"of another build")
    place = Watched(Folder(world.depot), breaks_after=0)
    with pytest.raises(Cut):
        pulled(place, world.other)
    assert not (left / "state.sqlite3").exists()
    place = world.place
    pulled(place, world.other)
    assert cards(world.other) == 2
    assert len(place.fetched) == 3  # two at the top, and the broken one
    assert not (left / "index" / "0123.store").exists()


def test_a_pull_that_was_killed_when_it_began_to_serve_spoils_nothing(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    serving = world.other.current
    assert serving is not None
    (world.other.folder / "working.json").write_text(json.dumps({"generation": serving.name}))
    grow(world.builder, "c", about="v2")
    publish(world.here, world.place)
    with pytest.raises(Cut):
        pulled(Watched(Folder(world.depot), breaks_after=2), world.other)
    assert world.other.current == serving
    assert cards(world.other) == 2
    pulled(world.place, world.other)
    assert cards(world.other) == 3


# -- nothing on trust ------------------------------------------------------------------------------


def test_a_corrupted_file_is_refused_by_name_and_the_former_serves_on(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    before = world.listed()
    grow(world.builder, "c", about="v2")
    publish(world.here, world.place)
    name = next(name for name in world.listed().files if name not in before.files)
    one = world.listed().files[name]
    file = world.depot / "files" / one.sha256
    file.write_bytes(bytes(one.size))
    with pytest.raises(IndexFault, match=f"{name} is not what its checksum says"):
        pulled(world.place, world.other)
    assert cards(world.other) == 2
    file.unlink()  # as the sentence says
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert cards(world.other) == 3


def test_a_file_that_was_cut_at_the_place_is_sent_again(world: World) -> None:
    publish(world.here, world.place)
    one = world.listed().files["index/meta.json"]
    (world.depot / "files" / one.sha256).write_bytes(b"{")
    place = world.place
    assert publish(world.here, place).changed
    assert place.sent == [f"files/{one.sha256}"]


def test_a_file_that_spoiled_here_is_fetched_instead_of_linked(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert world.other.current is not None
    spoilt = next((world.other.current / "index").glob("*.store"))
    spoilt.write_bytes(bytes(spoilt.stat().st_size))
    grow(world.builder, "c", about="v2")
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert cards(world.other) == 3


def test_a_file_that_spoiled_at_the_builder_is_not_published(world: World) -> None:
    spoilt = next((world.here / "index").glob("*.store"))
    spoilt.write_bytes(bytes(spoilt.stat().st_size))
    with pytest.raises(IndexFault, match=f"index/{spoilt.name} is not as it was built"):
        publish(world.here, world.place)
    assert not (world.depot / "current.json").exists()


def test_a_larger_file_than_announced_is_not_taken(world: World) -> None:
    publish(world.here, world.place)
    one = world.listed().files["index/meta.json"]
    with (world.depot / "files" / one.sha256).open("ab") as file:
        file.write(b" ")
    with pytest.raises(IndexFault, match="larger than announced"):
        pulled(world.place, world.other)
    assert world.other.current is None


def test_an_index_of_no_use_here_is_refused_before_the_rest_comes(world: World) -> None:
    def refuse(made: Path) -> None:
        assert (made / ABOUT).read_text() == "v1"
        raise IndexFault("It is foreign.")

    publish(world.here, world.place)
    place = world.place
    with pytest.raises(IndexFault, match="foreign"):
        pulled(place, world.other, refuse)
    assert len(place.fetched) == 1
    assert world.other.current is None
    assert world.other.working is None


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "/etc/passwd", "index/../../x", "a/b/c", "..", ".", "", "index/", "/x", "a//b"),
        *("index\\x", "c:x", "sums.json", "Sums.JSON", "x.lock", "x.part", "x.part.etag"),
        *("state.sqlite3-journal", "index/x.", "index/ x", "é", "a\0b", "a\nb", "x" * 101),
    ],
)
def test_a_name_that_leads_astray_is_refused_before_anything_is_fetched(
    world: World, name: str
) -> None:
    publish(world.here, world.place)
    told = json.loads((world.depot / "current.json").read_text())
    told["files"][name] = told["files"][ABOUT]
    (world.depot / "current.json").write_text(json.dumps(told))
    place = world.place
    with pytest.raises(IndexFault, match="cannot be its own"):
        pulled(place, world.other)
    assert place.fetched == []
    assert world.other.working is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", '{"generation": "1"}', '{"generation": "1", "files": []}'),
        *('{"generation": "1", "files": {}}', '{"generation": "1", "files": {"x": 1}}'),
        '{"generation": "1", "files": {"x": {"size": Infinity, "sha256": "' + HASH + '"}}}',
        '{"generation": "1", "files": {"x": {"size": -1, "sha256": "' + HASH + '"}}}',
        '{"generation": "1", "files": {"x": {"size": 1, "sha256": "../../x"}}}',
        '{"generation": "1", "files": {"x": {"size": 1, "sha256": "' + HASH + '"},'
        ' "X": {"size": 1, "sha256": "' + HASH + '"}}}',
        "[" * 100_000,
    ],
)
def test_a_list_that_is_none_is_neither_pulled_nor_written_over(world: World, text: str) -> None:
    world.depot.mkdir()
    (world.depot / "current.json").write_text(text)
    with pytest.raises(IndexFault, match=r"\.$"):
        pulled(world.place, world.other)
    with pytest.raises(IndexFault, match=r"\.$"):
        publish(world.here, world.place)
    assert (world.depot / "current.json").read_text() == text


def test_a_list_without_the_file_that_tells_all_is_refused(world: World) -> None:
    publish(world.here, world.place)
    with pytest.raises(IndexFault, match=r"lacks other\.json"):
        pull(world.place, world.other, first="other.json", accept=lambda _: None)


def test_nothing_published_is_said(world: World) -> None:
    with pytest.raises(Missing, match="No index is published there"):
        pulled(world.place, world.other)


def test_the_folder_of_an_index_and_a_published_one_are_not_mistaken(world: World) -> None:
    with pytest.raises(IndexFault, match="holds an index itself"):
        Folder(world.builder.folder)
    publish(world.here, world.place)
    with pytest.raises(IndexFault, match="needs another folder"):
        pulled(world.place, Generations(world.depot))
    assert world.listed().generation == "000001"


def test_a_disk_that_is_too_small_is_said_before_anything_is_copied(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(world.here, world.place)
    usage = shutil.disk_usage(world.depot)._replace(free=10)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    place = world.place
    with pytest.raises(IndexFault, match=r"The disk is too small: .* and 0\.0 MB are free\."):
        pulled(place, world.other)
    assert len(place.fetched) == 1  # what tells whether it is of use
    elsewhere = Watched(Folder(world.depot.parent / "elsewhere"))
    with pytest.raises(IndexFault, match="The disk is too small"):
        publish(world.here, elsewhere)
    assert elsewhere.sent == []


def test_one_at_a_time_pulls_into_a_folder(world: World) -> None:
    publish(world.here, world.place)
    with world.other.locked(), pytest.raises(Busy):
        pulled(world.place, world.other)


def test_one_whose_files_another_publisher_removed_publishes_no_list(world: World) -> None:
    class Robbed(Watched):
        def put(self, file: Path, name: str) -> None:
            super().put(file, name)
            if len(self.sent) == 3:
                self.folder.tidy(())

    place = Robbed(Folder(world.depot))
    with pytest.raises(IndexFault, match="somebody else publishes there"):
        publish(world.here, place)
    assert not (world.depot / "current.json").exists()


def test_a_reader_stays_at_its_generation_while_others_are_pulled(world: World) -> None:
    publish(world.here, world.place)
    pulled(world.place, world.other)
    assert world.other.current is not None
    reader = EmbeddedReader(world.other.current, LAYOUT)
    for name in "cd":
        grow(world.builder, name, about=name)
        publish(world.here, world.place)
        pulled(world.place, world.other)
    assert reader.stats().entries == 2
    assert reader.get("a") == b"a"
    assert cards(world.other) == 4


def test_how_far_it_is_is_said_in_words(world: World) -> None:
    said: list[str] = []
    publish(world.here, world.place, say=said.append)
    assert said[0] == f"{len(world.listed().places)} files to copy, 0.0 MB."
    assert said[-1].endswith("0.0 of 0.0 MB")
    assert len(said) == 1 + len(world.listed().places)
