"""The one string that tells an agent what an answer is not.

Parts stand in a fixed order (SEMANTICS: Notice), so that an agent finds the cap first and the way
on before the provenance. A notice never promises a page that cannot be had.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

_SLACK = 1e-3  # seconds by which clocks and floats may differ


@dataclass(frozen=True, slots=True)
class Notice:
    """What there is to say beside the rows; every part is one or more whole sentences."""

    capped: str = ""
    failed: str = ""
    withheld: str = ""
    understood: str = ""
    snapshot: str = ""

    def with_(
        self,
        *,
        capped: str = "",
        failed: str = "",
        withheld: str = "",
        understood: str = "",
        snapshot: str = "",
    ) -> Notice:
        """The same notice with sentences added to its parts."""
        return replace(
            self,
            capped=sentences(self.capped, capped),
            failed=sentences(self.failed, failed),
            withheld=sentences(self.withheld, withheld),
            understood=sentences(self.understood, understood),
            snapshot=sentences(self.snapshot, snapshot),
        )

    @property
    def text(self) -> str | None:
        """All parts in order; None when there is nothing to say."""
        return (
            sentences(self.capped, self.failed, self.withheld, self.understood, self.snapshot)
            or None
        )


def sentences(*said: str) -> str:
    """What there is to say, one after the other."""
    return " ".join(filter(None, map(str.strip, said)))


def duration(seconds: float) -> str:
    """A wait in words, rounded up: who comes back then is not early."""
    if math.isinf(seconds):
        return "an unknown time"
    for size, noun in ((3600, "hour"), (60, "minute")):
        if seconds > 2 * size:
            return f"{math.ceil(seconds / size)} {noun}s"
    whole = max(1, math.ceil(seconds - _SLACK))
    return "1 second" if whole == 1 else f"{whole} seconds"


def counted(number: int, noun: str) -> str:
    """So many of a noun: 1 object, 2 objects, 1 term of topic.

    `noun` is plural, and its first word ends in s.
    """
    if number != 1:
        return f"{number:,} {noun}"
    first, blank, rest = noun.partition(" ")
    return f"1 {first.removesuffix('s')}{blank}{rest}"
