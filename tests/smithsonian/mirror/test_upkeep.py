"""What the person who runs a server does with a mirror, and what it says to that."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import namedtuple
from pathlib import Path

import httpx
import pytest

from heritage_gateway.errors import UpstreamError
from heritage_gateway.index import IndexFault, generations
from heritage_gateway.index.engine import Busy
from heritage_gateway.index.generations import Generations
from heritage_smithsonian.mirror import intake
from heritage_smithsonian.mirror import upkeep as keeping
from heritage_smithsonian.mirror.intake import PARALLEL, SyncFault
from heritage_smithsonian.mirror.upkeep import Upkeep
from smithsonian.mirror.pretend_bucket import PretendBucket, holdings, many, record

pytestmark = pytest.mark.anyio

Usage = namedtuple("Usage", "total used free")  # noqa: PYI024 - as shutil's own


@pytest.fixture
def bucket() -> PretendBucket:
    made = PretendBucket()
    made.put("nasm/00", *many(5))
    made.put("saam/00", *many(5, 100, unit="SAAM"))
    made.put("fbr/00", *many(5, 200, unit="FBR"))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def left_over(folder: Path) -> list[str]:
    return files(folder / "generations")


def units(bucket: PretendBucket) -> set[str]:
    return {name.partition("/")[0] for name in bucket.fresh()}


def stopped(bucket: PretendBucket, at: str) -> None:
    """The process ends when it asks for that file, as if it were killed."""

    def stop(name: str) -> None:
        if name == at:
            bucket.before = lambda _: None
            raise RuntimeError("killed")

    bucket.before = stop


# -- which units -----------------------------------------------------------------------------------


async def test_a_mirror_of_some_units_says_so_and_grows_by_those_that_are_asked_for(
    bucket: PretendBucket, folder: Path
) -> None:
    outcome = await bucket.sync(folder, "nasm")
    assert (outcome.imprint.only, units(bucket)) == (("NASM",), {"nasm"})
    outcome = await bucket.sync(folder, "Saam")
    assert (outcome.imprint.only, units(bucket)) == (("NASM", "SAAM"), {"saam"})
    for name in bucket.files:
        bucket.files[name] = bucket.files[name].replace(b"-1", b"-2")
    outcome = await bucket.sync(folder)
    assert (outcome.imprint.only, units(bucket)) == (("NASM", "SAAM"), {"nasm", "saam"})
    assert outcome.imprint.units == {"NASM": 5, "SAAM": 5}
    outcome = await bucket.sync(folder, everything=True)
    assert (outcome.imprint.only, units(bucket)) == ((), {"fbr"})
    assert len(holdings(folder)) == 15


async def test_all_units_are_all_also_where_some_are_named(
    bucket: PretendBucket, folder: Path
) -> None:
    outcome = await bucket.sync(folder, "NASM", everything=True)
    assert (outcome.imprint.only, units(bucket)) == ((), {"nasm", "saam", "fbr"})


async def test_a_whole_mirror_stays_whole_where_one_unit_of_it_is_renewed(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.fresh()
    for name in bucket.files:
        bucket.files[name] = bucket.files[name].replace(b"-1", b"-2")
    outcome = await bucket.sync(folder, "NASM")
    assert (outcome.imprint.only, units(bucket)) == ((), {"nasm"})
    assert len(holdings(folder)) == 15


async def test_a_mirror_that_holds_all_there_is_can_be_called_whole(folder: Path) -> None:
    bucket = PretendBucket({"nasm/00": record("a")})
    await bucket.sync(folder, "NASM")
    outcome = await bucket.sync(folder, everything=True)
    assert (outcome.imprint.only, outcome.renewed) == ((), True)


@pytest.mark.parametrize("named", [["XYZ"], ["NASM", "XYZ"], ["../nasm"]])
async def test_an_unknown_unit_is_told_and_nothing_begun(
    bucket: PretendBucket, folder: Path, named: list[str]
) -> None:
    with pytest.raises(SyncFault, match=rf"(?i)^The bulk data have no unit {named[-1]}\.$"):
        await bucket.sync(folder, *named)
    assert not (folder / "generations").exists()


async def test_a_unit_of_a_mirror_of_some_that_vanished_keeps_none_of_the_others_back(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder, "NASM", "SAAM")
    del bucket.files["nasm/00"]
    bucket.put("saam/00", *many(5, 100, version=2, unit="SAAM"))
    outcome = await bucket.sync(folder)
    assert (list(outcome.tally.faults), outcome.tally.written) == (["nasm"], 5)
    assert len(holdings(folder)) == 10


# -- a build that did not come to its end ----------------------------------------------------------


@pytest.mark.parametrize("everything", [True, False])
async def test_a_plain_sync_goes_on_with_the_units_of_an_unfinished_build(
    bucket: PretendBucket, folder: Path, everything: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "PARALLEL", 1)
    await bucket.sync(folder, "SAAM")
    bucket.fresh()
    named = () if everything else ("NASM", "FBR")
    stopped(bucket, "nasm/00")
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder, *named, everything=everything)
    outcome = await bucket.sync(folder)
    assert outcome.imprint.only == (() if everything else ("FBR", "NASM", "SAAM"))
    assert len(holdings(folder)) == 15


async def test_a_first_build_of_one_unit_goes_on_with_that_unit(
    bucket: PretendBucket, folder: Path
) -> None:
    stopped(bucket, "nasm/00")
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder, "NASM")
    outcome = await bucket.sync(folder)
    assert (outcome.imprint.only, set(holdings(folder))) == (
        ("NASM",),
        {f"n{number}" for number in range(5)},
    )


async def test_another_wish_begins_anew(bucket: PretendBucket, folder: Path) -> None:
    stopped(bucket, "nasm/00")
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder, "NASM")
    outcome = await bucket.sync(folder, "FBR")
    assert outcome.imprint.only == ("FBR",)
    assert set(holdings(folder)) == {f"n{number}" for number in range(200, 205)}
    assert left_over(folder) == [str(Upkeep(folder).generations.current).rpartition("/")[2]]


@pytest.mark.parametrize("moment", ["dump", "write_sums", "switch", "_sync_tree"])
async def test_a_build_killed_between_its_last_commit_and_its_switch_serves_after_the_next_run(
    bucket: PretendBucket, folder: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4), record("new"))
    before = holdings(folder)
    kill(monkeypatch, moment)
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder)
    monkeypatch.undo()
    assert holdings(folder) == before
    bucket.fresh()
    outcome = await bucket.sync(folder)
    assert (outcome.renewed, bucket.fresh()) == (True, [])
    assert set(holdings(folder)) == set(before) - {"n4"} | {"new"}


def kill(patch: pytest.MonkeyPatch, moment: str) -> None:
    def killed(*_: object) -> None:
        raise RuntimeError("killed")

    if moment == "switch":
        patch.setattr(Generations, moment, killed)
    elif moment == "_sync_tree":
        patch.setattr(generations, moment, killed)
    else:
        patch.setattr(keeping, moment, killed)


async def test_a_build_killed_just_after_its_switch_goes_on_serving(
    bucket: PretendBucket, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4), record("new"))
    real = Path.unlink

    def unlink(self: Path, missing_ok: bool = False) -> None:
        if self.name == "working.json" and self.exists():
            raise RuntimeError("killed")
        real(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder)
    monkeypatch.undo()
    found = holdings(folder)
    assert "new" in found
    bucket.fresh()
    outcome = await bucket.sync(folder)
    assert (outcome.renewed, bucket.fresh()) == (False, [])
    assert holdings(folder) == found
    bucket.put("saam/00", *many(5, 100, version=2, unit="SAAM"))
    assert (await bucket.sync(folder)).tally.written == 5
    assert set(holdings(folder)) == set(found)


async def test_a_damaged_build_is_given_up(bucket: PretendBucket, folder: Path) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4), record("new"))
    stopped(bucket, "nasm/00")
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder)
    working = Upkeep(folder).generations.working
    assert working is not None
    (working / "state.sqlite3").write_bytes(b"by no means a database" * 100)
    outcome = await bucket.sync(folder)
    assert (outcome.tally.written, outcome.tally.deleted) == (1, 1)


# -- first builds and other versions ---------------------------------------------------------------


async def test_a_first_build_with_a_bad_file_does_not_serve_until_it_is_mended_or_accepted(
    bucket: PretendBucket, folder: Path
) -> None:
    whole = bucket.files["nasm/00"]
    bucket.files["nasm/00"] = whole[:-9]
    sentence = (
        r"^The mirror is not whole and does not serve yet, as 1 file could not be taken; run the "
        r"sync again, or with --accept-loss\.$"
    )
    for expected in (["fbr/00", "nasm/00", "saam/00"], ["nasm/00"]):
        with pytest.raises(SyncFault, match=sentence):
            await bucket.sync(folder)
        assert bucket.fresh() == expected
        with pytest.raises(IndexFault, match=r"^There is no mirror here\.$"):
            Upkeep(folder).imprint()
    last = Upkeep(folder).last()
    assert last is not None
    assert (list(last["faults"]), last["error"][:23]) == (["nasm/00"], "The mirror is not whole")
    accepted = shutil.copytree(folder, folder.with_name("accepted"))
    outcome = await bucket.sync(accepted, accept_loss=True)
    assert (list(outcome.tally.faults), len(holdings(accepted))) == (["nasm/00"], 10)
    bucket.files["nasm/00"] = whole
    outcome = await bucket.sync(folder)
    assert (outcome.tally.faults, len(holdings(folder))) == ({}, 15)


@pytest.mark.parametrize("field", ["engine", "layout"])
async def test_a_mirror_of_another_version_is_built_anew_with_the_units_it_has(
    bucket: PretendBucket, folder: Path, field: str
) -> None:
    await bucket.sync(folder, "NASM", "SAAM")
    old = disguise(folder, field)
    with pytest.raises(IndexFault, match=r"^The mirror was built by .* builds it anew\.$"):
        Upkeep(folder).imprint()
    stopped(bucket, "saam/00")
    with pytest.raises(RuntimeError, match="killed"):
        await bucket.sync(folder)
    assert Upkeep(folder).generations.current == old
    bucket.fresh()
    outcome = await bucket.sync(folder)
    assert (outcome.imprint.only, outcome.tally.deleted) == (("NASM", "SAAM"), 0)
    assert len(holdings(folder)) == 10
    assert left_over(folder) == ["000001", "000002"]


async def test_a_mirror_of_another_version_is_built_anew_as_a_whole_where_one_unit_is_named(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder, "NASM", "SAAM")
    disguise(folder, "engine")
    outcome = await bucket.sync(folder, "NASM")
    assert outcome.imprint.units == {"NASM": 5, "SAAM": 5}


def disguise(folder: Path, field: str) -> Path:
    current = Upkeep(folder).generations.current
    assert current is not None
    told = json.loads((current / "format.json").read_text("utf-8"))
    (current / "format.json").write_text(json.dumps({**told, field: "tantivy 9.9"}), "utf-8")
    return current


# -- what stands in the way ------------------------------------------------------------------------


async def test_an_unreachable_bucket_leaves_nothing_behind(
    bucket: PretendBucket, folder: Path
) -> None:
    bucket.trouble["all"] = httpx.ConnectError("no route")
    with pytest.raises(UpstreamError) as caught:
        await bucket.sync(folder)
    assert caught.value.message.endswith(".")
    assert not (folder / "generations").exists()
    assert not (folder / "working.json").exists()
    last = Upkeep(folder).last()
    assert last is not None
    assert last["error"] == caught.value.message
    bucket.trouble.clear()
    await bucket.sync(folder)
    bucket.trouble["all"] = 503
    with pytest.raises(UpstreamError):
        await bucket.sync(folder)
    assert (left_over(folder), Upkeep(folder).generations.working) == (["000001"], None)
    assert len(holdings(folder)) == 15


async def test_too_small_a_disk_is_told_before_the_first_file_is_fetched(
    bucket: PretendBucket, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum(map(len, bucket.files.values()))
    largest = max(map(len, bucket.files.values()))
    free = int(size * 0.8) + largest

    def usage(_: object) -> Usage:
        return Usage(10**12, 0, free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    free -= 1
    with pytest.raises(
        SyncFault, match=r"^The disk is too small: building takes about .* in .*\.$"
    ):
        await bucket.sync(folder)
    assert bucket.fresh() == []
    assert not (folder / "generations").exists()
    free += 1
    await bucket.sync(folder)
    free = 0
    assert not (await bucket.sync(folder)).renewed, "nothing to fetch takes no room"
    bucket.put("nasm/00", *many(6))
    with pytest.raises(SyncFault):
        await bucket.sync(folder)
    assert (left_over(folder), Upkeep(folder).generations.working) == (["000001"], None)


async def test_a_disk_that_refuses_is_remembered_as_the_last_error(
    bucket: PretendBucket, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping, "dump", full)
    with pytest.raises(SyncFault, match=r"^The mirror cannot be written: No space left .*\.$"):
        await bucket.sync(folder)
    last = Upkeep(folder).last()
    assert last is not None
    assert "No space left" in last["error"]


async def test_a_second_sync_and_a_drop_are_refused_while_one_is_at_work(
    bucket: PretendBucket, folder: Path
) -> None:
    refused: list[str] = []

    def meanwhile(name: str) -> None:
        if name == "nasm/00":
            for work in (lambda: asyncio.run(bucket.sync(folder)), Upkeep(folder).drop):
                with pytest.raises(Busy) as caught:
                    work()
                refused.append(str(caught.value))

    def before(name: str) -> None:
        import threading

        thread = threading.Thread(target=meanwhile, args=(name,))
        thread.start()
        thread.join()

    bucket.before = before
    await bucket.sync(folder)
    assert refused == ["Another process is at work on this folder."] * 2
    assert len(holdings(folder)) == 15


async def test_an_interrupted_sync_waits_for_what_it_is_writing_and_keeps_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = PretendBucket()
    for number in range(40):
        bucket.put(f"nasm/{number:02x}", *many(3, 3 * number))
    running = asyncio.ensure_future(bucket.sync(folder))

    def interrupt(name: str) -> None:
        if name == "nasm/14":
            running.cancel()

    bucket.before = interrupt
    with pytest.raises(asyncio.CancelledError):
        await running
    bucket.before = lambda _: None
    bucket.fresh()
    await bucket.sync(folder)
    assert 40 - 20 <= len(bucket.fresh()) <= 40 - 20 + 2 * PARALLEL
    assert len(holdings(folder)) == 120


# -- status, verify, drop --------------------------------------------------------------------------


async def test_what_a_mirror_says_of_itself(bucket: PretendBucket, folder: Path) -> None:
    assert Upkeep(folder).last() is None
    assert Upkeep(folder).size() == 0
    outcome = await bucket.sync(folder)
    upkeep = Upkeep(folder)
    assert upkeep.imprint() == outcome.imprint
    assert f"{outcome.imprint.published:%Y-%m-%d}" == "2026-03-01"
    current = upkeep.generations.current
    assert current is not None
    assert upkeep.size() == sum(
        path.stat().st_size for path in current.rglob("*") if path.is_file()
    )
    last = upkeep.last()
    assert last is not None
    assert (last["error"], last["faults"], last["fetched"], last["written"]) == ("", {}, 3, 15)


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_a_last_sync_that_cannot_be_read_is_none(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "last-sync.json").write_text(text)
    assert not Upkeep(folder).last()


async def test_a_mirror_that_is_as_it_was_built_is_found_good(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    bucket.put("nasm/00", *many(4), record("new"))
    await bucket.sync(folder)
    assert Upkeep(folder).check() == []


async def test_every_file_that_is_damaged_or_missing_is_told(
    bucket: PretendBucket, folder: Path
) -> None:
    await bucket.sync(folder)
    current = Upkeep(folder).generations.current
    assert current is not None
    parts = [
        path
        for path in sorted(current.rglob("*"))
        if path.is_file()
        and path.name not in {"sums.json", "format.json"}
        and not path.name.endswith(".lock")
    ]
    whole = {path: path.read_bytes() for path in parts}
    assert len(parts) > 10
    for path in parts:
        path.write_bytes(whole[path][:-1] + b"\x7f")
        name = path.relative_to(current).as_posix()
        assert Upkeep(folder).check() == [f"{name} has changed."]
        path.unlink()
        assert Upkeep(folder).check() == [f"{name} is missing."]
        path.write_bytes(whole[path])
    assert Upkeep(folder).check() == []


async def test_a_mirror_is_dropped_and_can_be_made_again(
    bucket: PretendBucket, folder: Path
) -> None:
    assert not Upkeep(folder).drop()
    assert not list(folder.parent.glob("mirror"))
    await bucket.sync(folder)
    assert Upkeep(folder).drop()
    assert files(folder) == ["builder.lock"]
    assert not Upkeep(folder).drop()
    await bucket.sync(folder)
    assert len(holdings(folder)) == 15


async def test_nothing_is_left_over_after_many_syncs(bucket: PretendBucket, folder: Path) -> None:
    for version in range(1, 6):
        bucket.put("nasm/00", *many(5, version=version))
        await bucket.sync(folder)
    assert left_over(folder) == ["000004", "000005"]
    assert not (folder / "downloads").exists()
    assert Upkeep(folder).check() == []
