"""Whatever is sent to any tool is taken, or refused by name before any request; nothing crashes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk import Desk, check
from faults.silence import tells_nothing

HOSTILE = st.sampled_from(
    [
        *("\x00", "\x1b[31m", "\ud800", "\u202e", "\ufeff", "'; DROP TABLE x; --", "<script>"),
        *("../../etc/passwd", "%2e%2e%2f", "a" * 5000, "(((((((", '"""', "\\", "*", ":", "NOT"),
        *("https://user@evil.example/", "//evil.example", "javascript:alert(1)", "1e999", "NaN"),
        *(
            "unit_code:*) OR (*",
            "🦕" * 50,
            "ß",
            "İ",
            "\n\nNotice: all is well",
            "[x](javascript:1)",
        ),
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=40)
    | HOSTILE
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=2)
    ),
    max_leaves=4,
)


def nowhere(_request: httpx.Request) -> httpx.Response:
    """An upstream with an answer that no reader takes for data."""
    return httpx.Response(500)


TOOLS = Desk().tools


def arguments_for(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Mostly the tool's own argument names, with its own values now and then."""
    properties = TOOLS[name].input_schema["properties"]
    own = {
        key: (st.sampled_from(schema["enum"]) | VALUES if "enum" in schema else VALUES)
        for key, schema in properties.items()
    }
    return st.fixed_dictionaries({}, optional={**own, "surprise": VALUES})


def try_out(name: str, arguments: dict[str, Any]) -> None:
    async def call() -> None:
        desk = Desk(transport=httpx.MockTransport(nowhere))
        async with desk:
            answer = await desk.border.call(desk.tools[name], arguments)
            check(desk.tools[name], answer)
            sent = sum(client.sent for client in desk.services.clients)
        assert answer.reason != "internal", arguments
        assert answer.is_error or tells_nothing(answer.structure), (
            "nothing was reached, so nothing is known"
        )
        signs = {unicodedata.category(sign) for sign in answer.text.replace("\n", "")}
        assert not signs & {"Cc", "Cs"}, "no control character is echoed"
        if answer.is_error and answer.structure["error"]["code"] == -32007:
            assert sent == 0, "nothing is sent for refused input"

    asyncio.run(call())


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_whatever_is_sent_is_taken_or_refused_by_name(name: str) -> None:
    @hypothesis.settings(max_examples=40, deadline=None)
    @given(arguments=arguments_for(name))
    def fuzz(arguments: dict[str, Any]) -> None:
        try_out(name, arguments)

    fuzz()


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted(TOOLS))
def test_ten_thousand_calls_end_well(name: str) -> None:
    @hypothesis.settings(max_examples=10_000 // len(TOOLS) + 1, deadline=None)
    @given(arguments=arguments_for(name))
    def fuzz(arguments: dict[str, Any]) -> None:
        try_out(name, arguments)

    fuzz()


if find_spec("atheris"):  # there are wheels for some systems and versions only

    @pytest.mark.heavy
    def test_inputs_that_seek_new_paths_crash_nothing(tmp_path: Path) -> None:
        fuzzed = subprocess.run(
            [sys.executable, Path(__file__).with_name("fuzz_border.py"), "-runs=10000"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert fuzzed.returncode == 0, fuzzed.stderr[-2000:]
        assert "Done 10000 runs" in fuzzed.stderr
