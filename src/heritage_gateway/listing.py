"""A page of rows as an answer: the fields every paged tool shares, and its cut to the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import Field

from heritage_gateway.notice import Notice, counted
from heritage_gateway.paging import Ask, Page
from heritage_gateway.tool import Output

RowT = TypeVar("RowT")
PagedT = TypeVar("PagedT", bound="Paged")


class Paged(Output):
    """An answer that is one page of something longer."""

    truncated: bool | None = Field(None, description="Rows remain beyond this page.")
    shown: int | None = Field(None, description="Rows on this page.")
    cap: int | None = Field(None, description="Page size served.")
    truncation_ceiling: int | None = Field(
        None,
        serialization_alias="truncationCeiling",
        description="Upper bound of what matches.",
    )
    notice: str | None = Field(None, description="What this answer leaves out, and how to get it.")


@dataclass(frozen=True, slots=True)
class Listing(Generic[RowT, PagedT]):
    """Rows at hand, to be served whole or cut at a row; a `Draft`.

    `make` gets the rows to show and the shared fields as keywords.
    """

    rows: Sequence[RowT]
    ask: Ask
    total: int
    make: Callable[[Sequence[RowT], dict[str, Any]], PagedT]
    notice: Notice = field(default_factory=Notice)
    ceiling: int | None = None  # upper bound of what matches, where `total` is no count of it

    @property
    def extent(self) -> int:
        return len(self.rows)

    @property
    def least(self) -> int:
        return min(1, len(self.rows))

    def within(self, extent: int) -> PagedT:
        page = Page(
            self.ask,
            shown=extent,
            total=self.total,
            available=len(self.rows),
            counted=self.ceiling is None,
        )
        shared: dict[str, Any] = {
            "truncated": page.truncated,
            "shown": page.shown,
            "notice": page.notice(self.notice).text,
        }
        if page.truncated or page.cut or self.ask.rows > self.ask.most:
            shared["cap"] = page.cap
        if page.truncated:
            shared["truncation_ceiling"] = self.total if self.ceiling is None else self.ceiling
        return self.make(self.rows[:extent], shared)


def headline(paged: Paged, *, total: int, noun: str) -> list[str]:
    """The first lines of a page's text: true total, rows shown, whether more remain, the notice."""
    said = f"{counted(total, noun)} match{'es' if total == 1 else ''}; {paged.shown or 0:,} shown"
    said += f", page size {paged.cap:,}" if paged.cap is not None else ""
    if paged.truncated:
        said += "; more remain"
    elif paged.shown:
        said += "; none remain beyond these"
    return [f"{said}.", *([f"Notice: {paged.notice}"] if paged.notice else [])]
