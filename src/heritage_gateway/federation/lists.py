"""The lists of all houses, and one question put to several of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from heritage_gateway.capability import Results, Searching
from heritage_gateway.errors import GatewayError, NothingFound, Queued, Reason, UpstreamTimeout
from heritage_gateway.federation.asking import answer_of, side_by_side, time_for_asking
from heritage_gateway.http import collected_ages, said_of_ages
from heritage_gateway.registry import House

State = Literal["answered", "failed", "timed_out", "waiting", "switched_off"]


@dataclass(frozen=True, slots=True)
class Known:
    """A list that may be asked; `closed` says why it cannot be, and of which state that is.

    Of a provider that is not there only the name is known, and stands for its lists.
    """

    key: str
    title: str
    searching: Searching | None = None
    closed: tuple[State, GatewayError] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one list said: results where it answered, an error else."""

    known: Known
    state: State
    results: Results | None = None
    error: GatewayError | None = None


def known_lists(house: House) -> tuple[Known, ...]:
    """All lists of the house, those that are closed included."""
    found: list[Known] = []
    for provider in house.providers:
        served = {tool.name for tool in house.tools(provider)}
        for one in provider.searching:
            tool = one.more("", 0).tool
            closed = None if tool in served else _off(f"{tool} is switched off on this server.")
            found.append(Known(one.key, one.title, one, closed))
    for name in house.switched_off:
        closed = _off(f"{name} is switched off on this server (HERITAGE_PROVIDERS).")
        found.append(Known(name, name, closed=closed))
    for name, sentence in house.failures.items():
        error = GatewayError(Reason.INTERNAL, sentence, "`heritage-gateway doctor` says more.")
        found.append(Known(name, name, closed=("failed", error)))
    return tuple(found)


def _off(message: str) -> tuple[State, GatewayError]:
    hint = "Its operator can switch it on; until then nothing can be told of what it holds."
    return "switched_off", GatewayError(Reason.INVALID_INPUT, message, hint)


async def ask(
    lists: Sequence[Known], query: str, rows: int, *, everything: bool = False
) -> tuple[Outcome, ...]:
    """Every list at the same time, in the order given. Raises nothing but cancellation.

    With `everything` what a list leaves out of its count is searched, too.

    Each has the same share of what is left of the call, so none can spend the others' time.
    """
    until = time_for_asking()
    return await side_by_side(
        partial(_asked, _widened(known) if everything else known, query, rows, until)
        for known in lists
    )


def _widened(known: Known) -> Known:
    one = known.searching
    if one is None or one.everything is None:
        return known
    return replace(known, searching=replace(one, search=one.everything))


async def _asked(known: Known, query: str, rows: int, until: float) -> Outcome:
    if known.closed is not None or known.searching is None:
        state, closed = known.closed or _off(f"{known.title} cannot be searched.")
        return Outcome(known, state, error=closed)
    found = await answer_of(known.title, partial(_results, known.searching, query, rows), until)
    if isinstance(found, NothingFound):  # it was asked, and has none
        return Outcome(known, "answered", Results(0, (), found.message))
    if isinstance(found, GatewayError):
        return Outcome(known, _state(found), error=found)
    return Outcome(known, "answered", found)


async def _results(searching: Searching, query: str, rows: int) -> Results:
    with collected_ages() as ages:
        found = await searching.search(query, rows)
    notice = " ".join(filter(None, (found.notice, said_of_ages(ages))))
    return replace(found, rows=found.rows[:rows], notice=notice)


def _state(error: GatewayError) -> State:
    if isinstance(error, Queued):
        return "waiting"
    return "timed_out" if isinstance(error, UpstreamTimeout) else "failed"
