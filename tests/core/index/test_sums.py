"""Checksums: every file of a generation is held against them, and none that is no part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from heritage_gateway.index import IndexFault
from heritage_gateway.index.sums import (
    Sum,
    differences,
    is_written_once,
    parse_sums,
    read_sums,
    take,
    write_sums,
)

SEGMENT = "index/0123456789abcdef0123456789abcdef.store"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "000001"
    files = {SEGMENT: b"segment", "index/meta.json": b"{}", "terms/topic.tsv": b"1\tx\n"}
    files |= {
        "index/.tantivy-writer.lock": b"",
        "state.sqlite3": b"s",
        "imprint.json.part": b"half",
    }
    for name, data in files.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(data)
    return made


def test_all_files_are_summed_but_locks_and_halves_and_the_list_itself(folder: Path) -> None:
    write_sums(folder, take(folder))
    assert set(take(folder)) == {SEGMENT, "index/meta.json", "terms/topic.tsv", "state.sqlite3"}
    assert take(folder)["terms/topic.tsv"].size == 4


def test_sums_come_back_as_they_were_written(folder: Path) -> None:
    sums = take(folder)
    write_sums(folder, sums)
    assert read_sums(folder) == sums


def test_what_is_as_it_was_shows_no_difference(folder: Path) -> None:
    sums = take(folder)
    (folder / "index" / "new.lock").write_bytes(b"")
    assert differences(folder, sums) == []


def test_what_is_missing_cut_or_altered_is_told_by_name(folder: Path) -> None:
    sums = take(folder)
    (folder / SEGMENT).unlink()
    (folder / "index" / "meta.json").write_bytes(b"[]")  # of the same size
    (folder / "terms" / "topic.tsv").write_bytes(b"1")
    assert sorted(differences(folder, sums)) == [
        f"{SEGMENT} is missing.",
        "index/meta.json has changed.",
        "terms/topic.tsv has changed.",
    ]


def test_a_folder_in_the_place_of_a_file_is_a_difference(folder: Path) -> None:
    sums = take(folder)
    (folder / SEGMENT).unlink()
    (folder / SEGMENT).mkdir()
    assert differences(folder, sums) == [f"{SEGMENT} is missing."]


def test_files_that_are_written_once_are_not_read_again(folder: Path) -> None:
    """Their name says what is in them; a size that differs is looked at all the same."""
    known = {name: Sum(one.size, "known") for name, one in take(folder).items()}
    again = take(folder, known)
    assert {name for name, one in again.items() if one.sha256 == "known"} == {SEGMENT}
    (folder / SEGMENT).write_bytes(b"longer than before")
    assert take(folder, known)[SEGMENT].sha256 != "known"


@pytest.mark.parametrize(
    ("name", "once"),
    [
        (SEGMENT, True),
        ("index/0123456789abcdef0123456789abcdef.1234.del", True),
        ("index/meta.json", False),
        ("index/.managed.json", False),
        ("dictionaries/140695389.zdict", False),  # learnt anew by a build that begins afresh
        ("0123456789abcdef0123456789abcdef/meta.json", False),
        ("0123456789abcdef0123456789abcdef", False),
    ],
)
def test_only_segments_are_known_by_their_names(name: str, once: bool) -> None:
    assert is_written_once(name) is once


def test_a_missing_list_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(IndexFault, match="missing"):
        read_sums(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "1", "null", '["a"]', '{"a": 1}', '{"a": {}}', '{"a": null}'),
        *('{"a": {"size": "x", "sha256": ""}}', '{"a": {"size": null, "sha256": ""}}'),
    ],
)
def test_what_is_no_list_is_a_fault(text: str) -> None:
    with pytest.raises(IndexFault, match="cannot be read"):
        parse_sums(text)
