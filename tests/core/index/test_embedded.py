"""What is wrong with the embedded engine's folder is an `IndexFault`, never anything else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.index.engines import SMALL
from heritage_gateway.index import Clause, Entry, IndexFault, Layout, Phrase, Word
from heritage_gateway.index.embedded import EmbeddedReader, EmbeddedWriter

LAYOUT = Layout("things", 1, facets=("topic",), terms=("species",), orders=("when",))

VERBS: dict[str, Callable[[EmbeddedReader], object]] = {
    "word": lambda reader: reader.search([Clause(Word("title"))], start=0, rows=900),
    "phrase": lambda reader: reader.search([Clause(Phrase("text 5"))], start=0, rows=9),
    "star": lambda reader: reader.search([Clause(Word("ti", prefix=True))], start=0, rows=9),
    "order": lambda reader: reader.search((), start=0, rows=9, order="when"),
    "facet": lambda reader: reader.facet((), "topic", size=5),
    "rare facet": lambda reader: reader.facet((), "species", size=5),
    "vocabulary": lambda reader: reader.vocabulary("species"),
    "get": lambda reader: reader.get("1-400"),
}
DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda _: None,
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    writer = EmbeddedWriter(folder, LAYOUT, heap=SMALL)
    for part in range(2):
        for n in range(500):
            terms = [("topic", f"t{n % 20}"), ("species", f"s {n}")]
            texts = [f"word{n % 7} text {n}"]
            record = f"record {n}".encode() * 20
            writer.upsert(Entry(f"{part}-{n}", record, f"title {n}", texts, terms, {"when": n}))
        writer.commit()
    writer.close()
    return folder


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_a_fault_and_end_no_process(
    sound: Path, tmp_path: Path, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The engine panics over some of them, which is caught.

    Altered bytes are left out: what they are to the engine is chance, from unnoticed to an abort that
    nothing can catch. The checksums find them all (test_sums).
    """
    faults = 0
    for file in sorted((sound / "index").iterdir()):
        folder = tmp_path / file.name
        shutil.copytree(sound, folder)
        changed = DAMAGES[damage](file.read_bytes())
        if changed is None:
            (folder / "index" / file.name).unlink()
        else:
            (folder / "index" / file.name).write_bytes(changed)
        try:
            reader = EmbeddedReader(folder, LAYOUT)
        except IndexFault:
            faults += 1
            continue
        for verb in VERBS.values():
            try:
                verb(reader)
            except IndexFault:
                faults += 1
    assert faults


def test_a_sound_index_has_no_fault(sound: Path) -> None:
    reader = EmbeddedReader(sound, LAYOUT)
    for verb in VERBS.values():
        assert verb(reader)


@pytest.mark.parametrize("left", ["nothing", "empty folder", "other files", "a file"])
def test_a_folder_without_an_index_is_a_fault(tmp_path: Path, left: str) -> None:
    folder = tmp_path / "index of things"
    if left == "a file":
        folder.write_text("")
    elif left != "nothing":
        (folder / "index").mkdir(parents=True)
    if left == "other files":
        (folder / "index" / "meta.json").write_text("{}")
        (folder / "index" / "notes.txt").write_text("")
    with pytest.raises(IndexFault, match="cannot be opened"):
        EmbeddedReader(folder, LAYOUT)


@pytest.mark.parametrize("left", ["a file", "other files"])
def test_where_no_index_can_be_made_is_a_fault(tmp_path: Path, left: str) -> None:
    folder = tmp_path / "index of things"
    if left == "a file":
        folder.write_text("")
    else:
        (folder / "index").mkdir(parents=True)
        (folder / "index" / "meta.json").write_text("{}")
    with pytest.raises(IndexFault, match="cannot be written"):
        EmbeddedWriter(folder, LAYOUT, heap=SMALL)


def test_an_index_of_another_layout_is_not_written_to(sound: Path) -> None:
    other = Layout("things", 2, facets=("topic", "unit"))
    with pytest.raises(IndexFault, match="cannot be written"):
        EmbeddedWriter(sound, other, heap=SMALL)


def test_a_field_that_the_index_lacks_is_a_fault(sound: Path) -> None:
    reader = EmbeddedReader(sound, Layout("things", 2, facets=("unit",), orders=("size",)))
    with pytest.raises(IndexFault, match="cannot be read"):
        reader.vocabulary("unit")
    with pytest.raises(IndexFault, match="cannot be read"):
        reader.search((), start=0, rows=5, order="size")


def test_what_is_no_fault_of_the_index_is_not_called_one(sound: Path) -> None:
    reader = EmbeddedReader(sound, LAYOUT)
    with pytest.raises(TypeError):
        reader.search((), start=None, rows=5)  # type: ignore[arg-type]
