"""How far a sync is, for those who look at a terminal and for those who read a log."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import pytest

from heritage_smithsonian.mirror import progress
from heritage_smithsonian.mirror.progress import Bars, Lines, Silent


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def lines(said: list[str], clock: Clock) -> Lines:
    return Lines(said.append, clock)


def test_a_line_carries_files_bytes_rate_records_and_time_left(
    lines: Lines, said: list[str], clock: Clock
) -> None:
    lines.begin(4, 8_000_000)
    clock.now += 20
    lines.arrived(2_000_000)
    lines.arrived(500_000)
    lines.done("nasm/00", 1234)
    assert said == [
        "4 files to fetch, 8.0 MB.",
        "nasm/00: 1 of 4 files, 2.5 MB, 0.1 MB/s, 1,234 records written, 60 s left",
    ]


def test_lines_come_every_ten_seconds_and_at_the_end(
    lines: Lines, said: list[str], clock: Clock
) -> None:
    lines.begin(100, None)
    for _ in range(100):
        clock.now += 1
        lines.done("nasm/00", 1)
    assert said[0] == "100 files to fetch."
    assert [re.findall(r": ([0-9]+) of", line)[0] for line in said[1:]] == [
        str(count) for count in range(10, 101, 10)
    ]
    assert said[-1].endswith("100 of 100 files, 0.0 MB, 0.0 MB/s, 100 records written, 0 s left")


def test_files_that_are_read_twice_leave_no_time_below_nothing(
    lines: Lines, said: list[str], clock: Clock
) -> None:
    lines.begin(1, 0)
    clock.now += 30
    lines.done("nasm/00", 1)
    clock.now += 30
    lines.done("nasm/00", 1)
    assert said[-1].endswith("0 s left")


def test_no_time_at_all_is_no_division(lines: Lines, said: list[str]) -> None:
    lines.begin(1, 5)
    lines.arrived(5)
    lines.done("nasm/00", 1)
    assert "0.0 MB/s" in said[-1]


def test_what_is_said_is_a_line(lines: Lines, said: list[str]) -> None:
    lines.say("nasm/00: It is refused.")
    assert said == ["nasm/00: It is refused."]


def test_lines_reach_a_pipe_while_the_sync_runs() -> None:
    script = (
        "import sys; from heritage_smithsonian.mirror.progress import Lines; Lines().say('begun');"
        "sys.stdin.readline()"
    )
    buffered = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env=buffered,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.communicate("\n")


def test_bars_show_bytes_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    with Bars() as bars:
        bars.begin(2, 3_000_000)
        bars.arrived(1_500_000)
        bars.done("nasm/00", 1234)
        bars.say("nasm/01: [red]It is refused[/red].")
        bars.arrived(1_500_000)
        bars.done("nasm/01", 0)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.getvalue())
    assert "nasm/01, file 2 of 2, 1,234 records written" in text
    assert "3.0/3.0 MB" in text
    assert re.search(r"[0-9.]+ .?B/s|\?", text)
    assert "0:00:00" in text
    assert "nasm/01: [red]It is refused[/red]." in text


def test_bars_of_unknown_size_and_of_nothing_are_bars_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    for files, size in ((300, None), (0, 0)):
        with Bars() as bars:
            bars.begin(files, size)
            bars.arrived(10)
            bars.done("nasm/00", 0)


def test_silence_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    silent = Silent()
    silent.begin(1, 1)
    silent.arrived(1)
    silent.done("nasm/00", 1)
    silent.say("Nothing.")
    assert capsys.readouterr() == ("", "")


def test_only_a_terminal_has_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not progress.is_terminal()
