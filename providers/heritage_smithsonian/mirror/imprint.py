"""What a built mirror says of itself: of which day it is, what it holds, and who can read it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from heritage_gateway.index import IndexFault
from heritage_gateway.index.generations import write_whole

_FILE = "format.json"


class Imprint(BaseModel):
    """`published` is when the newest of the files held was written by the Smithsonian.

    There is no snapshot date upstream: `snapshot` is our own, over the names and ETags of all files.
    `only` names the units of a mirror that does not hold all.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    engine: str
    layout: str
    snapshot: str
    published: datetime
    built: datetime
    records: int
    units: Mapping[str, int]  # by unit code; objects that searches find
    only: tuple[str, ...] = ()

    def write(self, folder: Path) -> None:
        write_whole(folder / _FILE, self.model_dump_json(indent=1))


def read_imprint(folder: Path) -> Imprint:
    """Raises `IndexFault` where there is none, or one that was not finished."""
    try:
        return Imprint.model_validate_json((folder / _FILE).read_bytes())
    except (OSError, ValidationError):
        pass
    raise IndexFault("The mirror is not complete.")


def refuse_foreign(imprint: Imprint, *, engine: str, layout: str) -> None:
    """Raises `IndexFault` where another version built it: its files cannot be read by this one."""
    if (imprint.engine, imprint.layout) != (engine, layout):
        raise IndexFault(
            f"The mirror was built by {imprint.engine}, layout {imprint.layout}; here are {engine}, "
            f"layout {layout}. `heritage-gateway mirror sync` builds it anew."
        )
