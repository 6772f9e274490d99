"""heritage_cite: ids and links of any house to citations, each from the record fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from heritage_gateway.arguments import Arguments, Texts
from heritage_gateway.citation import PROSE, Style, cautions, cite
from heritage_gateway.errors import GatewayError, Reason
from heritage_gateway.federation.blocks import Block, Continuation
from heritage_gateway.federation.lookup import Namer, namers, telling
from heritage_gateway.federation.works import Looked, fetched
from heritage_gateway.lines import cell
from heritage_gateway.notice import Notice, counted
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House
from heritage_gateway.rights import Rights
from heritage_gateway.text import inline
from heritage_gateway.tool import Output as Answered
from heritage_gateway.tool import Tool

NAME = "heritage_cite"
MOST = 50
_MOST_NAMED = 5  # other names of records cited already
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
REASONS = (
    Reason.INVALID_ID,
    Reason.NOT_FOUND,
    Reason.ITEM_NOT_FOUND,
    Reason.PAGE_NOT_FOUND,
    Reason.RATE_LIMIT_EXCEEDED,
    Reason.UPSTREAM_BLOCKED,
    Reason.UPSTREAM_TIMEOUT,
    Reason.UPSTREAM_UNAVAILABLE,
)


class Input(Arguments):
    ids: Annotated[
        Texts,
        Field(
            min_length=1, max_length=MOST, description="Ids or links of records, as rows give them."
        ),
    ]
    style: Style = "chicago"
    accessed: date | None = Field(None, description="Day of access, YYYY-MM-DD; today by default.")

    @field_validator("accessed", mode="before")
    @classmethod
    def _day(cls, given: object) -> object:
        if given is None or isinstance(given, date):
            return given
        if isinstance(given, str) and _DAY.fullmatch(given.strip()):
            try:
                return date.fromisoformat(given.strip())
            except ValueError:
                pass
        raise PydanticCustomError("day", "must be a day written YYYY-MM-DD, such as 2026-10-08")


class Citation(Block):
    given: str
    id: str
    house: Annotated[str, Field(description="Whose record it is.")]
    text: Annotated[
        str,
        Field(
            description="chicago, mla, apa: markdown, titles in italics; else an entry to import."
        ),
    ]
    link: str | None = None
    rights: Annotated[Rights, Field(description="What may be done with the work.")]
    warnings: Annotated[
        tuple[str, ...] | None, Field(description="What to check before it is used.")
    ] = None


class Failed(Block):
    given: str
    reason: str
    message: str


class Output(Answered):
    style: Style
    accessed: str
    citations: Annotated[tuple[Citation, ...], Field(description="In the order given.")]
    failed: Annotated[
        tuple[Failed, ...], Field(description="Nothing is cited that was not fetched.")
    ] = ()
    continue_: Annotated[
        Continuation | None,
        Field(
            serialization_alias="continue",
            description="Gets what was cut, and asks again where that may help.",
        ),
    ] = None
    notice: str | None = Field(None, description="What this answer leaves out, and how to get it.")


def cite_works(house: House, services: Services) -> Tool[Input, Output]:
    houses = namers(house)
    titles = " or ".join(one.title for one in houses)
    return Tool(
        name=NAME,
        title="Cite records",
        description=(
            f"Citations of up to {MOST} records of {titles}, from ids or links: Chicago "
            "(bibliography), MLA or APA, or BibTeX, RIS, CSL-JSON to import. Each is made from the "
            "record as fetched: full names, nothing invented for an undated work, access date, "
            "stable link. One that fails spoils no other."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Cite(houses, services).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Cite:
    houses: tuple[Namer, ...]
    services: Services

    async def handle(self, asked: Input) -> _Draft:
        accessed = asked.accessed or self.services.now().date()
        distinct = tuple(dict.fromkeys(given.strip() for given in asked.ids))
        looked = await fetched(self.houses, distinct)
        if not any(one.work for one in looked):
            raise _none(looked)
        once, same = _once(looked)
        return _Draft(once, asked.style, accessed, len(asked.ids) - len(distinct), same)


def _once(looked: Sequence[Looked]) -> tuple[tuple[Looked, ...], tuple[str, ...]]:
    """Each record of a house under the first of its names, and the other names that it was given by."""
    kept: dict[object, Looked] = {}
    same: list[str] = []
    for one in looked:
        work = one.work
        key = (one.house, work.id, work.link, work.page) if work else one.given
        if key in kept:
            same.append(one.given)
        else:
            kept[key] = one
    return tuple(kept.values()), tuple(same)


@dataclass(frozen=True, slots=True)
class _Draft:
    """What became of each id, to be served whole or cut at one of them: citations first, then failures."""

    looked: tuple[Looked, ...]
    style: Style
    accessed: date
    again: int = 0
    same: tuple[str, ...] = ()

    @property
    def found(self) -> list[Looked]:
        return [one for one in self.looked if one.work]

    @property
    def lost(self) -> list[tuple[str, GatewayError]]:
        return [(one.given, one.error) for one in self.looked if one.error]

    @property
    def extent(self) -> int:
        return len(self.found) + len(self.lost)

    @property
    def least(self) -> int:
        return min(1, self.extent)

    def within(self, extent: int) -> Output:
        shown, cut = self.found[:extent], self.found[extent:]
        at = max(0, extent - len(self.found))
        failed, unsaid = self.lost[:at], self.lost[at:]
        later = [given for given, error in failed if error.meaning.retryable]
        more = [*(one.given for one in cut), *(given for given, _ in unsaid), *later]
        call = Continuation(
            tool=NAME,
            arguments={"ids": more, "style": self.style, "accessed": self.accessed.isoformat()},
        )
        return Output(
            style=self.style,
            accessed=self.accessed.isoformat(),
            citations=tuple(self._citation(one) for one in shown),
            failed=tuple(
                Failed(given=given, reason=error.reason, message=f"{error.message} {error.hint}")
                for given, error in failed
            ),
            continue_=call if more else None,
            notice=self._notice(len(cut), len(failed), len(later), len(unsaid)).text,
        )

    def _citation(self, one: Looked) -> Citation:
        if one.work is None:
            raise ValueError(one.given)
        warnings = (*one.warnings, *cautions(one.work))
        return Citation(
            given=one.given,
            id=one.work.id,
            house=one.house,
            text=cite(one.work, self.style, self.accessed),
            link=one.work.link or None,
            rights=Rights.of(one.work.rights),
            warnings=warnings or None,
        )

    def _notice(self, cut: int, failed: int, later: int, unsaid: int) -> Notice:
        said = Notice()
        if cut or unsaid:
            said = said.with_(
                capped=f"The answer was cut to {counted(len(self.found) - cut, 'citations')} to fit the "
                "answer budget.",
                withheld=" and ".join(
                    filter(
                        None,
                        (
                            f"{cut} more were fetched" if cut else "",
                            f"{unsaid} more could not be cited" if unsaid else "",
                        ),
                    )
                )
                + "; `continue` gets them.",
            )
        if failed:
            told = f"{counted(failed, 'ids')} could not be cited; `failed` says why."
            if later:
                told += f" {later} of them may succeed later; `continue` asks again."
            said = said.with_(failed=told)
        if self.again or self.same:
            told = "What was given twice is cited once."
            if self.same:
                names = ", ".join(cell(given) for given in self.same[:_MOST_NAMED])
                told += f" Of a record cited under another of its names: {names}."
            said = said.with_(understood=told)
        return said


def _none(looked: Sequence[Looked]) -> GatewayError:
    """The failure of all: the most telling one, whose hint and wait it has, and what was said of each."""
    errors = [(one.given, one.error) for one in looked if one.error]
    worst = telling([error for _, error in errors])
    if len(errors) == 1:
        return worst
    told = " ".join(f"{inline(given)}: {error.message}" for given, error in errors)
    return GatewayError(
        worst.reason,
        f"None of the {len(errors)} ids could be cited. {told}",
        worst.hint,
        retry_after=worst.retry_after,
    )


# -- text ------------------------------------------------------------------------------------------

_TICKS = re.compile("`+")


def render(output: Output) -> str:
    return "\n".join(_lines(output))


def _lines(output: Output) -> Iterator[str]:
    said = counted(len(output.citations), "citations")
    yield f"{said}, style {output.style}, accessed {output.accessed}."
    if output.notice:
        yield f"Notice: {output.notice}"
    for one in output.citations:
        yield ""
        yield from _written(one, output.style)
    if output.failed:
        yield "\nFailed:"
    for lost in output.failed:
        yield f"- {cell(lost.given)} ({lost.reason}): {lost.message}"
    if output.continue_:
        yield output.continue_.told


def _written(one: Citation, style: Style) -> Iterator[str]:
    if style in PROSE:
        yield f"- {one.text}"
    else:  # to be copied as it stands: behind a fence longer than any row of backticks in it
        fence = "`" * max(3, *(len(run) + 1 for run in _TICKS.findall(one.text)), 0)
        yield from (fence, one.text, fence)
    facts = [
        *(f"id {cell(one.id)}", f"given as {cell(one.given)}", cell(one.house)),
        *([one.link] if one.link else []),
        f"may it be used: {one.rights.told}",
    ]
    yield f"  ({' | '.join(facts)})"
    yield from (f"  Warning: {warning}" for warning in one.warnings or ())
