"""How much there is: pages that can be had, and totals that mean what they say.

`of` counts items and `total` counts pages. `last` is wrong (page 4 of 8 was seen) and never read.
Nothing beyond the 100,000th item can be had; some pages just past the computed end can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heritage_loc.wire import Raw, mapping, number, raw

CEILING = 100_000
_RANGE = re.compile(r"\s*([0-9][0-9,]*)\s*(?:[-–]\s*([0-9][0-9,]*)\s*)?(?:of\s+([0-9][0-9,]*)\s*)?")


@dataclass(frozen=True, slots=True)
class Paging:
    """One page of an answer. `total` counts matches, `counted` is false where it is a lower bound."""

    total: int
    page: int
    per_page: int
    shown: int
    counted: bool = True

    @property
    def last_reachable(self) -> int:
        """The last page before the ceiling."""
        return max(1, CEILING // self.per_page)

    @property
    def pages(self) -> int:
        """Pages that can be had; a page with rows is one of them, whatever was computed."""
        computed = min(-(-self.total // self.per_page), self.last_reachable)
        return max(computed, self.page) if self.shown else computed

    @property
    def has_next(self) -> bool:
        return self.page < self.pages

    @property
    def beyond_ceiling(self) -> bool:
        """Matches remain that no page can get: the search must be split."""
        return self.total > self.last_reachable * self.per_page

    @property
    def past_end(self) -> bool:
        return self.total > 0 and not self.shown and self.page > self.pages

    @property
    def lacks_rows(self) -> bool:
        """A count whose rows did not come: upstream's fault, and no empty page."""
        return not self.shown and self.page <= self.pages


def paging(body: Raw, *, shown: int, page: int, limit: int) -> Paging:
    """The paging of a search answer; `shown` are its rows before any were merged."""
    block = mapping(body.get("pagination"))
    per_page = number(block.get("perpage")) or limit
    counts = (number(block.get("of")), number(mapping(body.get("search")).get("hits")))
    total = next((found for found in counts if found is not None and found >= 0), None)
    if total is not None and (total or not shown):
        return Paging(total, page, max(1, per_page), shown)
    least = max(_ranged(raw(block.get("results"))), (page - 1) * per_page + shown if shown else 0)
    return Paging(least if shown else 0, page, max(1, per_page), shown, counted=False)


def _ranged(told: str) -> int:
    """What "1 - 25" or "1 - 25 of 2,363" proves to be there."""
    match = _RANGE.fullmatch(told)
    found = (match[3] or match[2] or match[1]) if match else "0"
    return int(found.replace(",", ""))
