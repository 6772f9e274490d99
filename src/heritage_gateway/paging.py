"""Honest paging by start: what was shown, what remains, and the exact input that gets it."""

from __future__ import annotations

from dataclasses import dataclass

from heritage_gateway.notice import Notice


@dataclass(frozen=True, slots=True)
class Ask:
    """A page as asked: `rows` above `most` is served at `most`, never refused."""

    start: int
    rows: int
    most: int
    noun: str = "objects"
    rows_name: str = "rows"

    @property
    def cap(self) -> int:
        """The page size served."""
        return min(self.rows, self.most)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as served.

    `total` is the true count of what matches; where there is none (`counted` is false), it is what
    is known to be there, one row beyond this page included if there is one.
    """

    ask: Ask
    shown: int
    total: int
    available: int = -1  # rows of this page that were at hand; more than shown = cut by the budget
    counted: bool = True

    @property
    def truncated(self) -> bool:
        """Do objects remain beyond this page? Past the end nothing remains."""
        return self.ask.start < self.total and self.next_start < self.total

    @property
    def next_start(self) -> int:
        return self.ask.start + self.shown

    @property
    def past_end(self) -> bool:
        return self.total > 0 and self.ask.start >= self.total

    @property
    def cap(self) -> int:
        """The page size served: below the size asked when the budget cut the page."""
        return self.shown if self.cut else self.ask.cap

    @property
    def cut(self) -> bool:
        return self.shown < self.available

    def notice(self, notice: Notice | None = None) -> Notice:
        """`notice`, with what this page has to say put in its place."""
        said = notice or Notice()
        ask = self.ask
        if ask.rows > ask.most:
            said = said.with_(
                capped=f"{ask.rows_name}={ask.rows} was asked; a page holds at most {ask.most:,} {ask.noun}."
            )
        if self.past_end:
            return said.with_(
                withheld=f"start={ask.start} lies past the end: {self.total:,} {ask.noun} match. "
                f"The last valid start is {self.total - 1}."
            )
        if self.cut:
            said = said.with_(
                capped=f"The page was cut to {self.shown:,} {ask.noun} to fit the answer budget."
            )
        if self.truncated:
            more = f"{self.total - self.next_start:,} more match" if self.counted else "More follow"
            said = said.with_(withheld=f"{more}; start={self.next_start} gets the next page.")
        return said
