"""heritage_search: one question to every house at once, and its lists kept apart."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from heritage_gateway.arguments import Arguments, Count, Texts
from heritage_gateway.capability import Listed
from heritage_gateway.errors import GatewayError, InvalidRequest, Reason
from heritage_gateway.federation.blocks import Block, Continuation
from heritage_gateway.federation.lists import Known, Outcome, State, ask, known_lists
from heritage_gateway.lines import cell
from heritage_gateway.notice import Notice, duration
from heritage_gateway.registry import House
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Output as Answered
from heritage_gateway.tool import Tool

MOST_ROWS = 25

# Where no list answered, the reason of the first of these that one of them gave is the call's.
_TELLING = (
    Reason.RATE_LIMIT_EXCEEDED,
    Reason.UPSTREAM_BLOCKED,
    Reason.UPSTREAM_TIMEOUT,
    Reason.UPSTREAM_UNAVAILABLE,
    Reason.UPSTREAM_MALFORMED,
    Reason.API_KEY_INVALID,
    Reason.API_KEY_MISSING,
    Reason.INTERNAL,
)
REASONS = _TELLING[:4]

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
# Words that a question is put in, and that a catalogue need not hold.
_ASKING_WORDS = (
    "a about all am an and any anything are as at be been but by can could did do does ever find for "
    "from give had has have how i if in is it its list look looking many me much my not of on or our "
    "please search show some somebody someone something tell than that the their them there these they "
    "this those to us was we were what when where which who whom whose why will with would you your"
)
_ASKING = frozenset(_ASKING_WORDS.split())


class Input(Arguments):
    query: Annotated[
        str, Field(min_length=1, description="Words, all required; plain ones suit all.")
    ]
    rows: Count = Field(5, description="Rows a list; at most 25 are served.")
    lists: Texts | None = Field(None, description="Keys of the lists to ask; all by default.")


class Row(Block):
    id: Annotated[str, Field(description="Input of the house's own tools.")]
    title: str
    date: str | None = None
    about: str | None = None
    link: str | None = None


class OneList(Block):
    list: str
    title: str
    state: Annotated[State, Field(description="Zero is answered, never failed.")]
    total: Annotated[
        int | None, Field(description="The catalogue's own count; never to be added up.")
    ] = None
    rows: tuple[Row, ...]
    notice: str | None = None
    continue_: Annotated[
        Continuation | None,
        Field(
            serialization_alias="continue",
            description="Gets what follows, or asks again; absent where nothing remains.",
        ),
    ] = None
    reason: Annotated[str | None, Field(description="Why it did not answer.")] = None
    message: str | None = None
    retry_after: Annotated[float | None, Field(description="Seconds to wait, where known.")] = None


class Output(Answered):
    lists: tuple[OneList, ...]
    notice: str | None = Field(None, description="What this answer leaves out, and how to get it.")


def search(house: House) -> Tool[Input, Output]:
    lists = known_lists(house)
    return Tool(
        name="heritage_search",
        title="Search every collection at once",
        description=(
            "Put one question to every collection at once. Each list keeps its own total, its state "
            "(answered, failed, timed_out, waiting, switched_off) and the call that continues it; "
            "totals are not added, orders not compared. For filters use the search of one "
            f"collection. Lists: {', '.join(known.key for known in lists)}."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Search(lists).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Search:
    lists: tuple[Known, ...]

    async def handle(self, asked: Input) -> _Lists:
        _refuse_wordless(asked.query)
        chosen = self._chosen(asked.lists)
        outcomes = await ask(chosen, asked.query, min(asked.rows, MOST_ROWS))
        if not any(outcome.results for outcome in outcomes):
            raise _unanswered(outcomes)
        return _Lists(asked, outcomes)

    def _chosen(self, keys: Sequence[str] | None) -> tuple[Known, ...]:
        keys = [name.strip() for key in keys or () for name in key.split(",") if name.strip()]
        if not keys:
            return self.lists
        known = {one.key: one for one in self.lists}
        if unknown := [key for key in keys if key not in known]:
            named = ", ".join(f'"{inline(clip(key, 40))}"' for key in unknown[:3])
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                f"`lists` names what is no list here: {named}.",
                f"Lists: {', '.join(known)}.",
            )
        return tuple(known[key] for key in dict.fromkeys(keys))


def _refuse_wordless(query: str) -> None:
    """Houses differ in what they make of it: all that they hold, nothing, or a fault."""
    if not any(sign.isalnum() for sign in query):
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            "`query` holds no word that can be searched for.",
            "Give at least one word; what is listed without any is in the search of one collection.",
        )


@dataclass(frozen=True, slots=True)
class _Lists:
    """The answer, to be served whole or with every list cut to the same number of rows; a `Draft`."""

    asked: Input
    outcomes: tuple[Outcome, ...]

    @property
    def extent(self) -> int:
        return max(len(found.results.rows) for found in self.outcomes if found.results)

    @property
    def least(self) -> int:
        return min(1, self.extent)

    def within(self, extent: int) -> Output:
        said = Notice(
            failed=_failed(self.outcomes), understood=_all_required(self.outcomes, self.asked.query)
        )
        if self.asked.rows > MOST_ROWS:
            said = said.with_(
                capped=f"rows={self.asked.rows} was asked; a list holds at most {MOST_ROWS} rows here."
            )
        if extent < self.extent:
            said = said.with_(
                capped=f"Each list was cut to {extent} rows to fit the answer budget; its `continue` "
                "goes on from there."
            )
        lists = (_one_list(found, self.asked.query, extent) for found in self.outcomes)
        return Output(lists=tuple(lists), notice=said.text)


def _failed(outcomes: Sequence[Outcome]) -> str:
    silent = [found.known.title for found in outcomes if not found.results]
    if not silent:
        return ""
    return f"Nothing can be told of what is in {'; '.join(silent)}: no answer came from there."


def _all_required(outcomes: Sequence[Outcome], query: str) -> str:
    """Why a question in whole sentences finds nothing, and what would find more."""
    words = _WORD.findall(query)
    empty = [found.known.key for found in outcomes if found.results and not found.results.total]
    if not empty or len(words) < 2:
        return ""
    fewer = _telling(words)
    example = f', such as "{clip(" ".join(fewer), 80)}"' if len(fewer) < len(words) else ""
    return (
        f"Every word is required, and nothing was found with all {len(words)} in: {', '.join(empty)}. "
        f"Fewer, telling words find more{example}."
    )


def _telling(words: Sequence[str]) -> Sequence[str]:
    """The names in a question; where it has none, its words without those of asking.

    A capital at its start makes no name, unless the next word has one, too.
    """
    said = [word for word in words if word.casefold() not in _ASKING]
    is_name = words[1][0].isupper()
    names = [word for word in said if word[0].isupper() and (is_name or word != words[0])]
    return names or said or words


def _one_list(found: Outcome, query: str, most: int) -> OneList:
    known, results, error = found.known, found.results, found.error
    rows = results.rows[:most] if results else ()
    call = None
    if known.searching and not _is_over(found, len(rows)):
        call = Continuation.of(known.searching.more(query, len(rows)))
    return OneList(
        list=known.key,
        title=known.title,
        state=found.state,
        total=results.total if results else None,
        rows=tuple(map(_row, rows)),
        notice=(results.notice if results else "") or None,
        continue_=call,
        reason=str(error.reason) if error and found.state != "switched_off" else None,
        message=f"{error.message} {error.hint}" if error else None,
        retry_after=round(error.retry_after, 1) if error and error.retry_after else None,
    )


def _is_over(found: Outcome, shown: int) -> bool:
    """Whether nothing remains to be called: all is shown, or the same call would fail again."""
    if found.results is not None:
        return shown >= found.results.total
    at_fault = found.error is not None and found.error.reason == Reason.INVALID_INPUT
    return at_fault or found.state == "switched_off"


def _row(row: Listed) -> Row:
    return Row(
        id=row.id, title=row.title, date=row.date, about=row.about or None, link=row.link or None
    )


def _unanswered(outcomes: Sequence[Outcome]) -> GatewayError:
    """No list answered: what each of them said, and its own wait.

    The reason is the most telling one. The wait and the hint are those of the list that, of all that
    failed for this reason, can be asked again first.
    """
    failed = [(found, found.error) for found in outcomes if found.error]
    open_ = [pair for pair in failed if pair[0].state != "switched_off"] or failed
    reasons = [error.reason for _, error in open_]
    reason = next((word for word in _TELLING if word in reasons), reasons[0])
    first, error = min(
        (pair for pair in open_ if pair[1].reason == reason),
        key=lambda pair: math.inf if pair[1].retry_after is None else pair[1].retry_after,
    )
    whose = f"{first.known.title} can be asked again first: " if error.retry_after else ""
    return GatewayError(
        reason,
        f"No list answered. {' '.join(_said(*pair) for pair in failed)}",
        f"This says nothing about what the collections hold. {whose}{error.hint}",
        retry_after=error.retry_after,
    )


def _said(found: Outcome, error: GatewayError) -> str:
    wait = "" if error.retry_after is None else f"; wait {duration(error.retry_after)}"
    return f"{found.known.title} ({found.state.replace('_', ' ')}{wait}): {error.message}"


# -- text ------------------------------------------------------------------------------------------


def render(output: Output) -> str:
    lines = ["Each list has its own count; counts are not to be added, nor orders compared."]
    lines += [f"Notice: {output.notice}"] if output.notice else []
    return "\n".join([*lines, *(line for one in output.lists for line in _list_lines(one))])


def _list_lines(one: OneList) -> Iterator[str]:
    state: str = one.state
    if one.total is not None:
        state += f", {one.total:,}" + (f"; {len(one.rows)} shown" if one.total else "")
    elif one.reason:
        state += f" ({one.reason})"
    yield f"\n## {inline(one.title)} [{inline(one.list)}]: {state}"
    if one.message:
        yield one.message
    if one.retry_after is not None:
        yield f"Wait: {duration(one.retry_after)}."
    if one.notice:
        yield f"Notice: {one.notice}"
    yield from (f"- {_row_text(row)}" for row in one.rows)
    if one.continue_:
        yield one.continue_.told


def _row_text(row: Row) -> str:
    facts = [
        f"**{cell(row.title)}**",
        *(cell(part) for part in (row.date, row.about) if part),
        *([f"id {cell(row.id)}"] if row.id != row.link else []),
        *([f"id and link {row.link}" if row.id == row.link else row.link] if row.link else []),
    ]
    return " | ".join(facts)
