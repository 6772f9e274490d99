"""The contracts of pyproject.toml, [tool.importlinter]: who may know whom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_room_knows_only_what_lies_below_it() -> None:
    """In a process of its own: the linter reconfigures logging for everybody."""
    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout
