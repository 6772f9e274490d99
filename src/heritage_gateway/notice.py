"""The one string that tells an agent what an answer is not.

Parts stand in a fixed order (SEMANTICS: Notice), so that an agent finds the cap first and the way
on before the provenance. A notice never promises a page that cannot be had.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


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
            capped=_joined(self.capped, capped),
            failed=_joined(self.failed, failed),
            withheld=_joined(self.withheld, withheld),
            understood=_joined(self.understood, understood),
            snapshot=_joined(self.snapshot, snapshot),
        )

    @property
    def text(self) -> str | None:
        """All parts in order; None when there is nothing to say."""
        return (
            _joined(self.capped, self.failed, self.withheld, self.understood, self.snapshot) or None
        )


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def wait(seconds: float) -> str:
    """A waiting time in words: "20 seconds", "5 minutes"; rounded up, so never too short."""
    whole = max(1, int(-(-seconds // 1)))
    if whole < 120:
        return f"{whole} second{'s' if whole != 1 else ''}"
    return f"{-(-whole // 60)} minutes"
