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
