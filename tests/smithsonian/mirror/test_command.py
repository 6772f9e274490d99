"""`heritage-gateway mirror`: what is printed, in whole sentences, and with which exit code."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from heritage_gateway.cli import main
from heritage_gateway.plugin import Services
from heritage_gateway.settings import GatewaySettings
from heritage_smithsonian.mirror.upkeep import Upkeep
from hurry import Hurry
from smithsonian.mirror.pretend_bucket import HOST, PretendBucket, holdings, many, record

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> PretendBucket:
    """The one that the command finds, whose waits pass at once."""
    made = PretendBucket()
    made.put("nasm/00", *many(5))
    made.put("saam/00", *many(1234, 100, unit="SAAM"))

    def shared(settings: GatewaySettings) -> Services:
        hurry = Hurry()
        transport = httpx.MockTransport(made)
        return Services(
            settings, transport=transport, clock=hurry.clock, now=hurry.now, sleep=hurry.sleep
        )

    monkeypatch.setattr(Services, "shared", shared)
    monkeypatch.setenv("SMITHSONIAN_BULK_URL", HOST)
    return made


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["mirror", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def is_sentence(text: str) -> bool:
    return re.fullmatch(r"heritage-gateway: [A-Z`][^\n]*\.\n", text) is not None


def test_a_mirror_is_made_renewed_shown_checked_and_dropped(
    bucket: PretendBucket, run: Run, tmp_path: Path
) -> None:
    assert run("status") == (0, "There is no mirror here.\n", "")
    code, out, err = run("sync")
    assert (code, err) == (0, "")
    assert "2 files to fetch, 0." in out
    assert out.endswith(
        "2 files fetched, 1,239 records written, 0 deleted.\n"
        "The mirror is of 2026-03-01, and holds 1,239 objects.\n"
    )
    code, out, _ = run("sync", "--units", "nasm")
    assert (code, "Nothing has changed.\n" in out) == (0, True)
    bucket.put("nasm/00", *many(4), record("new"))
    code, out, _ = run("sync")
    assert "1 file fetched, 1 record written, 1 deleted.\n" in out
    code, out, err = run("status")
    assert (code, err) == (0, "")
    for pattern in (
        r"^snapshot [0-9a-f]{16} of 2026-03-01 04:05 UTC$",
        r"^built .* with tantivy [0-9.]+$",
        r"^1,239 records, 1,239 of them found by searches$",
        r"^[0-9.]+ MB in .*mirror$",
        r"^it holds all units$",
        r"^    NASM 5$",
        r"^    SAAM 1,234$",
        r"^last sync [^ ]+: done$",
    ):
        assert re.search(pattern, out, re.MULTILINE), pattern
    assert run("verify") == (0, "All is well.\n", "")
    assert run("drop") == (0, "The mirror is gone.\n", "")
    assert run("drop") == (0, "There is no mirror here.\n", "")
    assert holdings_are_gone(tmp_path / "mirror")


def holdings_are_gone(folder: Path) -> bool:
    return [path.name for path in folder.iterdir()] == ["builder.lock"]


def test_the_folder_can_be_named(bucket: PretendBucket, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    assert run("sync", "--units", " nasm, ", "--dir", str(folder))[0] == 0
    assert len(holdings(folder)) == 5
    assert "it holds only NASM\n" in run("status", "--dir", str(folder))[1]
    assert not (tmp_path / "mirror").exists()
    assert run("sync", "--all", "--dir", str(folder))[0] == 0
    assert "it holds all units\n" in run("status", "--dir", str(folder))[1]


def test_an_unreachable_bucket_is_one_sentence_and_a_failure(
    bucket: PretendBucket, run: Run
) -> None:
    bucket.trouble["all"] = httpx.ConnectError("no route to host 10.0.0.1")
    code, out, err = run("sync")
    assert (code, out) == (1, "")
    assert is_sentence(err)
    assert "10.0.0.1" not in err
    _, out, _ = run("status")
    assert re.search(r"^last sync [^ ]+: .*could not be reached", out, re.MULTILINE)


def test_an_unknown_unit_is_one_sentence_and_a_failure(bucket: PretendBucket, run: Run) -> None:
    assert run("sync", "--units", "NASM,XYZ")[::2] == (
        1,
        "heritage-gateway: The bulk data have no unit XYZ.\n",
    )


def test_what_is_refused_is_named_at_once_and_in_the_status_and_is_a_failure(
    bucket: PretendBucket, run: Run
) -> None:
    run("sync")
    bucket.put("nasm/00", *many(2))
    sentence = (
        "nasm/00: It is refused, and its former data kept: it held 5 records and has only 2 now."
    )
    code, out, err = run("sync")
    assert (code, err) == (1, "")
    assert f"{sentence}\n" in out
    assert "What is named above is as it was (1 in all); sync again later.\n" in out
    assert f"    {sentence}\n" in run("status")[1]
    assert run("sync", "--accept-loss")[0] == 0
    assert "It is refused" not in run("status")[1]


def test_a_first_build_that_is_not_whole_says_how_to_go_on(bucket: PretendBucket, run: Run) -> None:
    bucket.put("nasm/00", b'{"url":')
    code, out, err = run("sync")
    assert code == 1
    assert "nasm/00: It is refused" in out
    assert is_sentence(err)
    assert "does not serve yet" in err
    assert "is unfinished" in run("status")[1]
    assert run("sync", "--accept-loss")[0] == 1
    assert "    SAAM 1,234\n" in run("status")[1]


def test_a_damaged_mirror_is_told_and_a_failure(
    bucket: PretendBucket, run: Run, tmp_path: Path
) -> None:
    run("sync")
    current = Upkeep(tmp_path / "mirror").generations.current
    assert current is not None
    (current / "terms" / "topic.tsv").unlink()
    code, out, _ = run("verify")
    assert (code, out) == (
        1,
        "terms/topic.tsv is missing.\nSomething is not as it was built; drop the mirror and sync.\n",
    )


def test_a_damaged_list_of_files_is_one_sentence(
    bucket: PretendBucket, run: Run, tmp_path: Path
) -> None:
    run("sync")
    current = Upkeep(tmp_path / "mirror").generations.current
    assert current is not None
    (current / "state.sqlite3").write_bytes(b"by no means a database" * 100)
    code, _, err = run("sync")
    assert code == 1
    assert is_sentence(err)


def test_a_folder_that_cannot_be_made_is_one_line(
    bucket: PretendBucket, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run("sync", "--dir", str(tmp_path / "file" / "mirror"))
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith("heritage-gateway: ")


@pytest.mark.parametrize("verb", ["sync", "drop"])
def test_a_second_one_is_refused_in_a_sentence(
    bucket: PretendBucket, run: Run, tmp_path: Path, verb: str
) -> None:
    run("sync")
    with Upkeep(tmp_path / "mirror").generations.locked():
        assert run(verb)[::2] == (
            1,
            "heritage-gateway: Another process is at work on this folder.\n",
        )
        assert run("status")[0] == 0
        assert run("verify")[0] == 0


def test_an_interrupt_is_no_failure_of_the_mirror(
    bucket: PretendBucket, run: Run, tmp_path: Path
) -> None:
    run("sync")
    bucket.put("nasm/00", *many(5, version=2))

    def interrupt(_: str) -> None:
        for task in asyncio.all_tasks():
            task.cancel()
        raise KeyboardInterrupt

    bucket.before = interrupt
    code, _, err = run("sync")
    assert (code, err) == (130, "")
    assert set(holdings(tmp_path / "mirror").values()) >= {"n0 1"}
    bucket.before = lambda _: None
    assert run("sync")[0] == 0
    assert set(holdings(tmp_path / "mirror").values()) >= {"n0 2"}
