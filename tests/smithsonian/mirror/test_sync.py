"""From one state of the bucket to the next: nothing lost, nothing double, nothing done twice."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from anyio import BrokenWorkerProcess, to_process

from heritage_smithsonian.mirror import sync
from heritage_smithsonian.mirror.intake import PARALLEL, SyncFault
from heritage_smithsonian.mirror.progress import Lines
from heritage_smithsonian.mirror.upkeep import Upkeep
from smithsonian.mirror.pretend_bucket import PretendBucket, holdings, many, record

pytestmark = pytest.mark.anyio

MOVED = record("moved", 2, at=2000)


def names(count: int, first: int = 0) -> set[str]:
    return {f"n{number}" for number in range(first, first + count)}


@pytest.fixture
def bucket() -> PretendBucket:
    """Two units; three files of five records, and one of one record."""
    made = PretendBucket()
    made.put("nasm/00", *many(5))
    made.put("nasm/01", *many(5, 5))
    made.put("saam/00", *many(5, 100, unit="SAAM"))
    made.put("saam/01", record("moved", unit="SAAM"))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


# -- only what has changed -------------------------------------------------------------------------


async def test_unchanged_files_are_not_asked_for(bucket: PretendBucket, folder: Path) -> None:
    first = await bucket.sync(folder)
    assert bucket.fresh() == ["nasm/00", "nasm/01", "saam/00", "saam/01"]
    assert (first.renewed, first.tally.fetched, first.tally.written) == (True, 4, 16)
    second = await bucket.sync(folder)
    assert (bucket.fresh(), second.renewed, second.imprint) == ([], False, first.imprint)
    bucket.put("nasm/01", *many(4, 5), record("n9", 2))
    third = await bucket.sync(folder)
    assert bucket.fresh() == ["nasm/01"]
    assert (third.renewed, third.tally.fetched, third.tally.written) == (True, 1, 1)
    assert third.imprint.snapshot != first.imprint.snapshot
    assert holdings(folder)["n9"] == "n9 2"


async def test_without_a_listing_files_are_asked_for_by_their_version(
    bucket: PretendBucket, folder: Path
) -> None:
    bucket.lists = False
    first = await bucket.sync(folder)
    bucket.fresh()
    bucket.put("nasm/00", *many(4), record("n4", 2))
    second = await bucket.sync(folder)
    assert sorted(bucket.kept) == ["nasm/01", "saam/00", "saam/01"]
    assert (second.tally.fetched, second.tally.unchanged, second.tally.written) == (1, 3, 1)
    bucket.lists = True
    third = await bucket.sync(folder)
    assert (third.renewed, third.imprint.snapshot) == (False, second.imprint.snapshot)
    assert first.imprint.snapshot != second.imprint.snapshot


async def test_records_that_were_only_taken_in_again_are_not_written(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *(record(name, at=9000) for name in sorted(names(5))))
    outcome = await bucket.sync(folder)
    assert (outcome.tally.fetched, outcome.tally.written, outcome.tally.deleted) == (1, 0, 0)
    bucket.fresh()
    await bucket.sync(folder)
    assert bucket.fresh() == [], "and the file is known from then on"


async def test_new_changed_and_deleted_records_of_all_units(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4), record("new"))
    bucket.put("saam/00", *many(4, 100, version=2, unit="SAAM"))
    bucket.put("fbr/a0", record("young", unit="FBR"))
    outcome = await bucket.sync(folder)
    assert (outcome.tally.written, outcome.tally.deleted) == (6, 2)
    found = holdings(folder)
    assert set(found) == names(4) | names(5, 5) | names(4, 100) | {"new", "moved", "young"}
    assert found["n103"] == "n103 2"
    assert outcome.imprint.units == {"FBR": 1, "NASM": 10, "SAAM": 5}
    assert outcome.imprint.records == 16


# -- other processes -------------------------------------------------------------------------------


async def test_files_prepared_in_other_processes_make_the_same_mirror(
    bucket: PretendBucket, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await bucket.sync(tmp_path / "here")
    monkeypatch.setattr(sync, "WORTH_A_PROCESS", 0)
    there = await bucket.sync(folder)
    assert holdings(folder) == holdings(tmp_path / "here")
    assert there.imprint.snapshot == here.imprint.snapshot
    bucket.put("nasm/00", *many(4), record("n4", 2))
    changed = await bucket.sync(folder)
    assert (changed.tally.written, holdings(folder)["n4"]) == (1, "n4 2")
    bucket.put("nasm/00", *many(4), record("n4", 3)[:-20])
    assert "cut off" in (await bucket.sync(folder)).tally.faults["nasm/00"]


async def test_a_process_that_is_ended_from_outside_is_told_and_what_was_written_is_kept(
    bucket: PretendBucket, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bucket.sync(folder)

    async def ended(*_: object, **__: object) -> None:
        raise BrokenWorkerProcess

    with monkeypatch.context() as patch:
        patch.setattr(sync, "WORTH_A_PROCESS", 0)
        patch.setattr(to_process, "run_sync", ended)
        bucket.put("nasm/00", *many(4), record("n4", 2))
        with pytest.raises(SyncFault, match="ended from outside; run the sync again"):
            await bucket.sync(folder)
    assert holdings(folder)["n4"] == "n4 1", "the former mirror serves"
    await bucket.sync(folder)
    assert holdings(folder)["n4"] == "n4 2"


# -- a record that moves ---------------------------------------------------------------------------

ORDERS = [("nasm/00", "nasm/01"), ("nasm/01", "nasm/00")]


@pytest.fixture(params=[1_000_000, 1], ids=["one commit", "a commit after each file"])
def _commits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == 1:
        monkeypatch.setattr(sync, "LEARN_FROM", 1)
        monkeypatch.setattr(sync, "COMMIT_EVERY", 1)


def moving(source: str, target: str) -> PretendBucket:
    made = PretendBucket()
    made.put(source, *many(5), record("moved"))
    made.put(target, *many(5, 5))
    return made


@pytest.mark.parametrize(("source", "target"), ORDERS)
@pytest.mark.parametrize("at", [2000, 1000, 500], ids=["newer", "as old", "older"])
@pytest.mark.usefixtures("_commits")
async def test_a_record_that_moves_to_another_file_is_there_once(
    folder: Path, source: str, target: str, at: int
) -> None:
    bucket = moving(source, target)
    await bucket.sync(folder)
    bucket.put(source, *many(5))
    bucket.put(target, *many(5, 5), record("moved", 2, at=at))
    outcome = await bucket.sync(folder)
    assert holdings(folder)["moved"] == "moved 2"
    assert set(holdings(folder)) == names(10) | {"moved"}
    assert outcome.tally.deleted == 0
    bucket.fresh()
    assert not (await bucket.sync(folder)).renewed
    assert bucket.fresh() == []


@pytest.mark.parametrize(("source", "target"), ORDERS)
@pytest.mark.parametrize("bad", ["source", "target"])
@pytest.mark.parametrize("how", ["cut", "404", "503"])
async def test_a_record_that_moves_while_a_file_fails_is_neither_lost_nor_double(
    folder: Path, source: str, target: str, bad: str, how: str
) -> None:
    bucket = moving(source, target)
    await bucket.sync(folder)
    bucket.put(source, *many(5))
    bucket.put(target, *many(5, 5), MOVED)
    broken = source if bad == "source" else target
    whole = bucket.files[broken]
    if how == "cut":
        bucket.files[broken] = whole[:-20]
    else:
        bucket.trouble[broken] = int(how)
    outcome = await bucket.sync(folder)
    assert list(outcome.tally.faults) == [broken]
    assert outcome.tally.deleted == 0
    assert set(holdings(folder)) == names(10) | {"moved"}
    assert holdings(folder)["moved"] == ("moved 2" if bad == "source" else "moved 1")
    bucket.files[broken] = whole
    bucket.trouble.clear()
    await bucket.sync(folder)
    assert set(holdings(folder)) == names(10) | {"moved"}
    assert holdings(folder)["moved"] == "moved 2"


@pytest.mark.parametrize(("leaves", "stays"), ORDERS)
@pytest.mark.parametrize(("at", "other"), [(2000, 1000), (1000, 2000), (1000, 1000)])
async def test_a_record_of_two_files_stays_while_one_of_them_names_it(
    folder: Path, leaves: str, stays: str, at: int, other: int
) -> None:
    bucket = PretendBucket()
    bucket.put(leaves, *many(5), record("twice", 7, at=at))
    bucket.put(stays, *many(5, 5), record("twice", 8, at=other))
    await bucket.sync(folder)
    bucket.fresh()
    assert set(holdings(folder)) == names(10) | {"twice"}
    assert not (await bucket.sync(folder)).renewed
    assert bucket.fresh() == [], "a double alone is no reason to read a file again and again"
    bucket.put(leaves, *many(4))
    outcome = await bucket.sync(folder)
    assert set(holdings(folder)) == names(4) | names(5, 5) | {"twice"}
    assert holdings(folder)["twice"] == "twice 8"
    assert outcome.tally.deleted == 1
    bucket.fresh()
    bucket.put(stays, *many(5, 5))
    await bucket.sync(folder)
    assert bucket.fresh() == [stays]
    assert set(holdings(folder)) == names(4) | names(5, 5)


async def test_a_record_of_two_files_is_kept_where_the_other_one_cannot_be_read_again(
    folder: Path,
) -> None:
    bucket = PretendBucket()
    bucket.put("nasm/00", *many(5), record("twice", 8, at=2000))
    bucket.put("nasm/01", *many(5, 5), record("twice", 7, at=1000))
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4))
    bucket.trouble["nasm/01"] = 404
    outcome = await bucket.sync(folder)
    assert list(outcome.tally.faults) == ["nasm/01"]
    assert holdings(folder)["twice"] == "twice 8"
    assert set(holdings(folder)) == names(10) | {"twice"}
    bucket.trouble.clear()
    await bucket.sync(folder)
    assert holdings(folder)["twice"] == "twice 7"
    assert set(holdings(folder)) == names(4) | names(5, 5) | {"twice"}


async def test_a_record_moves_out_of_a_file_that_vanishes(folder: Path) -> None:
    bucket = moving("nasm/00", "nasm/01")
    await bucket.sync(folder)
    bucket.put("nasm/01", *many(10), MOVED)
    del bucket.files["nasm/00"]
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 0)
    assert set(holdings(folder)) == names(10) | {"moved"}


async def test_older_versions_out_of_a_file_that_vanishes_are_taken_too(folder: Path) -> None:
    bucket = PretendBucket()
    bucket.put("nasm/00", *many(8), MOVED)
    bucket.put("nasm/01", record("n0", at=10), record("moved", 1, at=10), record("n100"))
    await bucket.sync(folder)
    del bucket.files["nasm/00"]
    outcome = await bucket.sync(folder, accept_loss=True)
    assert holdings(folder)["moved"] == "moved 1"
    assert set(holdings(folder)) == {"n0", "n100", "moved"}
    assert outcome.tally.deleted == 7


# -- deletions and losses --------------------------------------------------------------------------


async def test_nothing_of_a_unit_is_deleted_before_all_of_it_is_good(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4))
    bucket.put("saam/00", *many(4, 100, unit="SAAM"))
    whole = b"".join(many(5, 5, version=2))
    bucket.put("nasm/01", whole[:-3])
    outcome = await bucket.sync(folder)
    assert outcome.tally.deleted == 1, "the other unit is good"
    found = holdings(folder)
    assert names(10) <= set(found)
    assert "n104" not in found
    assert found["n5"] == "n5 1"
    bucket.put("nasm/01", whole)
    bucket.fresh()
    outcome = await bucket.sync(folder)
    assert bucket.fresh() == ["nasm/01"]
    assert (outcome.tally.written, outcome.tally.deleted) == (5, 1)
    assert "n4" not in holdings(folder)


async def test_a_refused_file_is_tried_again_and_makes_no_new_mirror(
    bucket: PretendBucket, folder: Path
) -> None:
    first = await bucket.sync(folder)
    bucket.put("nasm/00", *many(5)[:4], b'{"url": "edanmdm:nasm_n4"')
    for _ in range(2):
        bucket.fresh()
        outcome = await bucket.sync(folder)
        assert bucket.fresh() == ["nasm/00"]
        assert (outcome.renewed, outcome.imprint) == (False, first.imprint)
        assert outcome.tally.faults == {
            "nasm/00": "It is refused, and its former data kept: line 5 is no record, which is "
            "cut off."
        }
    assert len(holdings(folder)) == 16


async def test_a_file_that_lost_more_than_half_is_refused_until_the_loss_is_accepted(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(2, version=2))
    outcome = await bucket.sync(folder)
    assert outcome.tally.faults == {
        "nasm/00": "It is refused, and its former data kept: it held 5 records and has only 2 now."
    }
    assert holdings(folder)["n0"] == "n0 1"
    outcome = await bucket.sync(folder, accept_loss=True)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 3)
    assert names(2) | names(5, 5) == {name for name in holdings(folder) if name in names(10)}
    assert holdings(folder)["n0"] == "n0 2"


async def test_a_small_file_may_lose_two_records(bucket: PretendBucket, folder: Path) -> None:
    bucket.put("nasm/02", *many(2, 20))
    await bucket.sync(folder)
    bucket.put("nasm/02")
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 2)


async def test_a_file_that_vanished_takes_two_records_with_it_but_not_five(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    del bucket.files["saam/01"]
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 1)
    del bucket.files["nasm/01"]
    for _ in range(2):
        outcome = await bucket.sync(folder)
        assert outcome.tally.faults == {
            "nasm": "Nothing of it is deleted: nasm/01, which is no longer there, held 5 records "
            "and has only 0 now."
        }
    assert names(10) <= set(holdings(folder))
    outcome = await bucket.sync(folder, accept_loss=True)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 5)
    assert not (await bucket.sync(folder)).renewed


async def test_a_unit_that_vanished_is_kept_until_the_loss_is_accepted(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.files = {name: body for name, body in bucket.files.items() if "nasm" in name}
    outcome = await bucket.sync(folder)
    assert list(outcome.tally.faults) == ["saam"]
    assert len(holdings(folder)) == 16
    outcome = await bucket.sync(folder, accept_loss=True)
    assert (outcome.tally.deleted, outcome.imprint.units) == (6, {"NASM": 10})
    assert not (await bucket.sync(folder)).renewed


def crumbs(count: int) -> PretendBucket:
    """A unit of files with two records each, which may all go by themselves."""
    made = PretendBucket()
    for number in range(count):
        made.put(f"nasm/{number:02x}", *many(2, 2 * number))
    return made


async def test_a_unit_that_would_lose_more_than_half_loses_nothing(folder: Path) -> None:
    bucket = crumbs(10)
    await bucket.sync(folder)
    for number in range(6):
        bucket.put(f"nasm/{number:02x}")
    outcome = await bucket.sync(folder)
    assert outcome.tally.faults == {
        "nasm": "Nothing of it is deleted: nasm held 20 records and has only 8 now."
    }
    assert set(holdings(folder)) == names(20)
    outcome = await bucket.sync(folder)
    assert list(outcome.tally.faults) == ["nasm"], "and it is said again"
    for number in range(3):
        bucket.put(f"nasm/{number:02x}", *many(2, 2 * number))
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 6)
    assert set(holdings(folder)) == names(20) - names(6, 6)


async def test_a_unit_whose_records_were_all_named_anew_is_of_the_same_size(folder: Path) -> None:
    bucket = PretendBucket()
    bucket.put("nasm/00", *many(10))
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(10, 50))
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 10)
    assert set(holdings(folder)) == names(10, 50)


async def test_a_loss_counted_twice_by_a_killed_run_is_no_larger(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = PretendBucket()
    for number in range(10):
        bucket.put(f"nasm/{number:02x}", *many(10, 10 * number))
    await bucket.sync(folder)
    for number in range(10):
        bucket.put(f"nasm/{number:02x}", *many(6, 10 * number))
    real = sync.Build._going

    def killed(*_: object) -> frozenset[int]:
        raise RuntimeError("killed")

    monkeypatch.setattr(sync.Build, "_going", killed)
    with pytest.raises(RuntimeError):
        await bucket.sync(folder)
    monkeypatch.setattr(sync.Build, "_going", real)
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, outcome.tally.deleted) == ({}, 40)


async def test_a_short_index_deletes_nothing(bucket: PretendBucket, folder: Path) -> None:
    bucket.lists = False
    await bucket.sync(folder)
    del bucket.files["nasm/00"], bucket.files["nasm/01"]
    outcome = await bucket.sync(folder)
    assert list(outcome.tally.faults) == ["nasm"]
    assert names(10) <= set(holdings(folder))


# -- what breaks off -------------------------------------------------------------------------------


async def test_a_bucket_that_goes_down_is_told_in_a_sentence_and_all_that_came_is_kept(
    folder: Path,
) -> None:
    bucket = PretendBucket()
    for number in range(40):
        bucket.put(f"nasm/{number:02x}", *many(3, 3 * number))

    def down(name: str) -> None:
        if name == "nasm/14":
            bucket.trouble["all"] = httpx.ConnectError("the line is dead")

    bucket.before = down
    with pytest.raises(SyncFault, match=r"could not be reached.*Run the sync again later"):
        await bucket.sync(folder)
    assert Upkeep(folder).generations.current is None
    bucket.trouble.clear()
    bucket.before = lambda _: None
    bucket.fresh()
    outcome = await bucket.sync(folder)
    assert outcome.tally.written == 3 * len(bucket.fresh())
    assert outcome.tally.fetched <= 40 - 20 + PARALLEL
    assert set(holdings(folder)) == names(120)


async def test_the_former_mirror_serves_while_the_bucket_is_down(folder: Path) -> None:
    bucket = PretendBucket()
    for number in range(40):
        bucket.put(f"nasm/{number:02x}", *many(3, 3 * number))
    await bucket.sync(folder)
    for number in range(40):
        bucket.put(f"nasm/{number:02x}", *many(3, 3 * number, version=2))
    before = holdings(folder)

    def down(name: str) -> None:
        if name == "nasm/14":
            bucket.trouble["all"] = 503

    bucket.before = down
    with pytest.raises(SyncFault):
        await bucket.sync(folder)
    assert holdings(folder) == before
    bucket.trouble.clear()
    bucket.before = lambda _: None
    await bucket.sync(folder)
    assert set(holdings(folder).values()) == {f"n{number} 2" for number in range(120)}


async def test_single_files_that_fail_stop_nothing(bucket: PretendBucket, folder: Path) -> None:
    await bucket.sync(folder)
    for name in list(bucket.files):
        bucket.files[name] = bucket.files[name].replace(b"-1", b"-2")
    bucket.trouble = {"nasm/00": 503, "saam/01": httpx.ReadError("gone")}
    outcome = await bucket.sync(folder)
    assert sorted(outcome.tally.faults) == ["nasm/00", "saam/01"]
    assert all(sentence.endswith(".") for sentence in outcome.tally.faults.values())
    assert (outcome.renewed, outcome.tally.written) == (True, 10)
    bucket.trouble.clear()
    bucket.fresh()
    assert (await bucket.sync(folder)).tally.written == 6
    assert bucket.fresh() == ["nasm/00", "saam/01"]


async def test_a_file_that_changes_between_its_listing_and_its_coming_is_known_as_it_came(
    bucket: PretendBucket, folder: Path
) -> None:
    def change(name: str) -> None:
        if name == "nasm/00":
            bucket.put("nasm/00", *many(5, version=2))

    bucket.before = change
    await bucket.sync(folder)
    bucket.before = lambda _: None
    bucket.fresh()
    assert not (await bucket.sync(folder)).renewed
    assert bucket.fresh() == []


async def test_every_file_is_counted_whatever_became_of_it(
    bucket: PretendBucket, folder: Path
) -> None:
    bucket.trouble["nasm/00"] = 404
    bucket.put("nasm/01", b"no record")
    said: list[str] = []
    with pytest.raises(SyncFault):
        await bucket.sync(folder, progress=Lines(said.append))
    assert any("4 of 4 files" in line for line in said)
