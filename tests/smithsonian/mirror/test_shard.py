"""One file of the bucket: believed whole or not at all, and written where something has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio import to_process

from heritage_gateway.index import key_of
from heritage_gateway.index.embedded import EmbeddedReader, EmbeddedWriter
from heritage_smithsonian.mirror.entry import LAYOUT
from heritage_smithsonian.mirror.shard import (
    Doubtful,
    Overtaken,
    Prepared,
    prepare,
    refuse_loss,
    write,
)
from smithsonian.mirror.pretend_bucket import HEAP, many, record


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[EmbeddedWriter]:
    made = EmbeddedWriter(tmp_path / "index", LAYOUT, heap=HEAP)
    yield made
    made.close()


def shard(folder: Path, *lines: bytes) -> Path:
    file = folder / "shard.txt"
    file.write_bytes(b"".join(lines))
    return file


def read(writer: EmbeddedWriter, file: Path, batch: str) -> Prepared:
    """As a sync does it: with what the index has of the file."""
    return prepare(file, batch, writer.maker(), writer.held(writer.members(batch)))


def kept(writer: EmbeddedWriter, folder: Path, *lines: bytes) -> list[bytes]:
    """The records that a file is found to have."""
    write(writer, read(writer, shard(folder, *lines), "nasm/00"), accept_loss=True)
    writer.commit()
    reader = EmbeddedReader(folder / "index", LAYOUT)
    return list(reader.search((), start=0, rows=9).records)


def taken(writer: EmbeddedWriter, folder: Path, batch: str, *lines: bytes) -> tuple[int, int]:
    """Records written, and those that the file names no more."""
    done = write(writer, read(writer, shard(folder, *lines), batch), accept_loss=True)
    writer.commit()
    return done.written, len(done.stale)


# -- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_of_a_url_on_two_lines_the_newer_one_is_taken(
    writer: EmbeddedWriter, tmp_path: Path, order: list[int]
) -> None:
    lines = [record("a", version, at=version) for version in order]
    assert kept(writer, tmp_path, *lines) == [record("a", 2, at=2).strip()]


def test_of_two_lines_of_one_time_the_later_is_taken(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    assert kept(writer, tmp_path, record("a", 1), record("a", 2)) == [record("a", 2).strip()]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_line_that_is_held_just_so_gives_way_to_a_newer_one_of_its_file(
    writer: EmbeddedWriter, tmp_path: Path, order: list[int]
) -> None:
    held, newer = record("a", 1, at=1), record("a", 2, at=2)
    taken(writer, tmp_path, "nasm/00", held)
    lines = [(held, newer)[number - 1] for number in order]
    assert kept(writer, tmp_path, *lines) == [newer.strip()]
    assert kept(writer, tmp_path, held, record("a", 0, at=0)) == [held.strip()]


def test_a_record_is_kept_as_its_line_is(writer: EmbeddedWriter, tmp_path: Path) -> None:
    line = record("a").strip() + b"  \r\n"
    assert kept(writer, tmp_path, b"\n", line, b"\n") == [record("a").strip()]


def test_an_empty_shard_is_a_shard(writer: EmbeddedWriter, tmp_path: Path) -> None:
    assert read(writer, shard(tmp_path), "nasm/00").take() == []


def test_a_last_line_without_an_end_is_a_line_where_it_is_whole(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    assert len(kept(writer, tmp_path, record("a"), record("b").strip())) == 2


def test_what_is_held_just_so_is_not_made_into_a_document_again(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", *many(3))
    found = read(writer, shard(tmp_path, *many(2), record("n2", 2), record("n3")), "nasm/00")
    assert [bool(document.body) for document in found.take()] == [False, False, True, True]


@pytest.mark.anyio
async def test_another_process_prepares_a_file_just_as_this_one(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    writer.learn("NASM", [line.strip() for line in many(1_000)])
    here = prepare(shard(tmp_path, *many(500)), "nasm/00", writer.maker())
    there = await to_process.run_sync(
        prepare, tmp_path / "shard.txt", "nasm/00", writer.maker(), {}, cancellable=True
    )
    assert (there.rows, there.sizes) == (here.rows, here.sizes)
    assert there.bodies != here.bodies, "a process of a killed sync may still be at the file"
    assert there.take() == here.take()
    assert not there.bodies.exists()
    assert not here.bodies.exists()


@pytest.mark.parametrize("size", [1, 100, 300])
def test_a_shard_that_ends_in_mid_line_is_refused_and_says_so(
    writer: EmbeddedWriter, tmp_path: Path, size: int
) -> None:
    with pytest.raises(Doubtful, match=r"^line 2 is no record, which is cut off$"):
        read(writer, shard(tmp_path, record("a"), record("b")[:size]), "nasm/00")


@pytest.mark.parametrize(
    "line",
    [
        b"<!DOCTYPE html>",
        b"[]",
        b"{}",
        b'{"url": ""}',
        b"null",
        b"\x00",
        b"\x1f\x8b\x08\x00",
        b"[" * 100_000,
        b"\xff\xfe",
    ],
    ids=range(9),
)
def test_a_line_that_is_no_record_refuses_the_shard(
    writer: EmbeddedWriter, tmp_path: Path, line: bytes
) -> None:
    with pytest.raises(Doubtful, match=r"^line 1 is no record$"):
        read(writer, shard(tmp_path, line + b"\n", record("a")), "nasm/00")


@pytest.mark.parametrize(
    ("former", "now"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (100, 50), (5, 10), (0, 9)]
)
def test_a_slight_loss_and_half_of_it_are_believed(former: int, now: int) -> None:
    refuse_loss(former, now, "it")


@pytest.mark.parametrize(("former", "now"), [(3, 0), (4, 1), (5, 2), (100, 49), (10_000, 0)])
def test_more_than_half_is_not_believed(former: int, now: int) -> None:
    with pytest.raises(Doubtful, match=f"^it held {former:,} records and has only {now:,} now$"):
        refuse_loss(former, now, "it")


# -- writing ---------------------------------------------------------------------------------------


def test_only_what_has_changed_is_written(writer: EmbeddedWriter, tmp_path: Path) -> None:
    assert taken(writer, tmp_path, "nasm/00", *many(5)) == (5, 0)
    assert taken(writer, tmp_path, "nasm/00", *many(5)) == (0, 0)
    assert taken(writer, tmp_path, "nasm/00", *many(4), record("n4", 2)) == (1, 0)


def test_a_record_that_was_only_taken_in_again_is_not_written(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", record("a", at=1))
    assert taken(writer, tmp_path, "nasm/00", record("a", at=2)) == (0, 0)


def test_what_a_file_names_no_more_is_told_and_not_deleted(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", *many(3))
    done = write(writer, read(writer, shard(tmp_path, *many(2)), "nasm/00"), accept_loss=False)
    assert done.stale == {key_of("edanmdm:nasm_n2")}
    writer.commit()
    assert len(writer.members("nasm/00")) == 3


def test_a_shard_that_lost_more_than_half_writes_nothing(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", *many(5))
    with pytest.raises(Doubtful):
        write(writer, read(writer, shard(tmp_path, record("n0", 2)), "nasm/00"), accept_loss=False)
    writer.commit()
    assert len(writer.members("nasm/00")) == 5
    assert taken(writer, tmp_path, "nasm/00", *many(5)) == (0, 0)


def test_of_a_record_in_two_files_the_newer_version_stays(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", record("a", 2, at=2))
    assert taken(writer, tmp_path, "nasm/01", record("a", 1, at=1)) == (0, 0)
    assert taken(writer, tmp_path, "nasm/02", record("a", 3, at=3)) == (1, 0)
    assert len(writer.members("nasm/02")) == 1
    assert not writer.members("nasm/00")


def test_an_orphan_is_taken_by_whoever_names_it_even_in_an_older_version(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", record("a", 2, at=2))
    orphans = {key_of("edanmdm:nasm_a")}
    older = read(writer, shard(tmp_path, record("a", 1, at=1)), "nasm/01")
    assert write(writer, older, accept_loss=False, orphans=orphans).written == 1
    assert not orphans
    writer.commit()
    assert len(writer.members("nasm/01")) == 1


def test_what_was_held_and_was_taken_meanwhile_is_not_passed_over(
    writer: EmbeddedWriter, tmp_path: Path
) -> None:
    taken(writer, tmp_path, "nasm/00", record("a"))
    before = read(writer, shard(tmp_path, record("a")), "nasm/00")
    other = tmp_path / "other.txt"
    other.write_bytes(record("a"))
    assert write(writer, read(writer, other, "nasm/01"), accept_loss=True).written == 1
    with pytest.raises(Overtaken):
        write(writer, before, accept_loss=True)
    anew = prepare(shard(tmp_path, record("a")), "nasm/00", writer.maker())
    assert write(writer, anew, accept_loss=True).written == 1
    writer.commit()
    assert len(writer.members("nasm/00")) == 1
