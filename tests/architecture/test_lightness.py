"""What does not serve does not pay for the wire library."""

from __future__ import annotations

import subprocess
import sys

import pytest

_RUN = """
import sys
from heritage_gateway.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
heavy = {"fastmcp", "mcp", "mcp_types", "starlette", "uvicorn", "opentelemetry"}
print("loaded:", *sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["tools"],
        ["tools", "--json"],
        ["providers"],
        ["call", "smithsonian_get_object", "id= "],  # refused before any request
    ],
    ids=" ".join,
)
def test_a_command_that_does_not_serve_loads_no_wire_library(words: list[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", _RUN, *words], capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines()[-1] == "loaded:"
    assert len(told.stdout.splitlines()) > 1


_WITHOUT_EXTRAS = """
import sys
for name in ("tantivy", "zstandard", "orjson"):
    sys.modules[name] = None  # as where heritage-gateway[mirror] is not installed
from heritage_gateway.cli import main
sys.exit(main(sys.argv[1:]))
"""


def _without_extras(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _WITHOUT_EXTRAS, *words], capture_output=True, text=True, check=False
    )


def test_everything_but_the_mirror_works_in_the_default_install() -> None:
    tools = _without_extras("tools")
    assert "smithsonian_search_objects" in tools.stdout
    assert "libofcongress_search" in tools.stdout
    demo = _without_extras("demo")
    assert demo.returncode == 0, demo.stderr
    assert "record_id nasm_A19670093000" in demo.stdout


@pytest.mark.parametrize("verb", ["sync", "status", "verify", "drop"])
def test_without_its_engine_the_mirror_says_what_is_missing(verb: str) -> None:
    told = _without_extras("mirror", verb)
    assert told.returncode == 1
    assert told.stderr == (
        "heritage-gateway: The mirror needs its engine, which the extra heritage-gateway[mirror] installs.\n"
    )
