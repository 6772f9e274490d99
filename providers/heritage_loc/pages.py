"""Answers that page by number: the fields they share, and their cut to the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import Field

from heritage_gateway.notice import Notice, counted
from heritage_gateway.tool import Output
from heritage_loc.normalise import CEILING, Paging

RowT = TypeVar("RowT")
OutputT = TypeVar("OutputT", bound=Output)


class Paged(Output):
    """One page of a numbered sequence; the two totals are the same number."""

    total: int = Field(description="Everything that matches.")
    totalCount: int = Field(description="The same as total.")  # noqa: N815 - the contract's name
    page: int
    pages: int = Field(description="Pages that can be had.")
    has_next: bool
    truncated: bool | None = Field(None, description="The page was cut to the answer budget.")
    shown: int | None = None
    cap: int | None = None
    notice: str | None = Field(None, description="What this answer leaves out, and how to get it.")


@dataclass(frozen=True, slots=True)
class Numbered(Generic[RowT, OutputT]):
    """Rows at hand, to be served whole or cut at a row from which another page size goes on."""

    rows: Sequence[RowT]
    paging: Paging
    limit: int
    make: Callable[[Sequence[RowT], dict[str, Any]], OutputT]
    notice: Notice = field(default_factory=Notice)
    noun: str = "items"
    # The row of the search after so many of these: some are merged into others, or left out.
    place: Callable[[int], int] | None = None
    # Where pages do not count: the way on after so many rows, and whether one is needed after all.
    follow: Callable[[int], str] | None = None
    more: bool = False

    @property
    def extent(self) -> int:
        return len(self.rows)

    @property
    def least(self) -> int:
        return min(1, len(self.rows))

    def within(self, extent: int) -> OutputT:
        shown, size = self._cut(extent)
        paging = self.paging
        shared: dict[str, Any] = {
            "total": paging.total,
            "totalCount": paging.total,
            "page": paging.page,
            "pages": paging.pages if self.follow is None else paging.page + self.more,
            "has_next": paging.has_next if self.follow is None else self.more,
            "shown": shown,
            "notice": self._notice(shown, size).text,
        }
        if shown < len(self.rows):
            shared |= {"truncated": True, "cap": shown, "has_next": True}
        return self.make(self.rows[:shown], shared)

    def _cut(self, extent: int) -> tuple[int, int]:
        """So many rows that some page begins exactly at the next one, and the size of that page."""
        if self.follow is not None or extent >= len(self.rows) or not extent:
            return extent, self.limit
        sizes = ((_divisor(self._after(shown), shown), shown) for shown in range(1, extent + 1))
        size, shown = max(sizes)
        return shown, size

    def _after(self, shown: int) -> int:
        """The number of the search's rows up to here."""
        return (self.paging.page - 1) * self.limit + (self.place(shown) if self.place else shown)

    def _notice(self, shown: int, size: int) -> Notice:
        paging, said = self.paging, self.notice
        cut = shown < len(self.rows)
        if cut:
            said = said.with_(
                capped=f"The page was cut to {counted(shown, self.noun)} to fit the answer budget."
            )
        if self.follow is not None:
            said = said.with_(withheld=self.follow(shown))
        elif cut:
            following = self._after(shown) // size + 1
            said = said.with_(withheld=f"limit={size} page={following} continues it.")
        elif paging.past_end:
            said = said.with_(
                withheld=f"page={paging.page} lies past the end: {counted(paging.total, self.noun)} "
                f"in all. The last valid page is {paging.pages}."
            )
        elif paging.has_next:
            said = said.with_(withheld=f"page={paging.page + 1} gets the next {self.noun}.")
        if paging.beyond_ceiling:
            said = said.with_(
                withheld=f"Only about the first {CEILING:,} of {paging.total:,} can be paged to: split "
                "the search by dates, subject or place to reach the rest."
            )
        return said


def _divisor(number: int, most: int) -> int:
    return next(size for size in range(most, 0, -1) if number % size == 0)


def headline(paged: Paged, noun: str) -> list[str]:
    """The first lines of a page's text."""
    total = paged.total
    said = (
        f"{counted(total, noun)} match{'es' if total == 1 else ''}; {paged.shown or 0} shown, "
        f"page {paged.page:,} of {paged.pages:,}"
    )
    said += "; more follow." if paged.has_next else "; no page follows."
    if paged.truncated:
        said += f" Cut to {paged.cap} to fit the budget."
    return [said, *([f"Notice: {paged.notice}"] if paged.notice else [])]
