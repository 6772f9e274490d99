"""Whose an id or a link is, and what the houses that may have it say of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import anyio

from heritage_gateway.capability import Claim, Naming, Work
from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    NothingFound,
    Reason,
    UpstreamTimeout,
)
from heritage_gateway.notice import duration
from heritage_gateway.registry import House
from heritage_gateway.text import clip, inline

log = logging.getLogger(__name__)

_SHARE = 0.9  # of what is left of a call: the rest is for writing the answer
_NOTHING_SAID = "This says nothing about what it holds."


class Claiming(Protocol):
    """Who can say of what is given whether it may be its own."""

    @property
    def claim(self) -> Callable[[str], Claim]: ...


Claimant = TypeVar("Claimant", bound=Claiming)


@dataclass(frozen=True, slots=True)
class Namer:
    """A house that can name its works."""

    title: str
    naming: Naming

    @property
    def claim(self) -> Callable[[str], Claim]:
        return self.naming.claim


@dataclass(frozen=True, slots=True)
class Look:
    """What a house said of an id: the work, or why there is none."""

    house: str
    work: Work | None = None
    error: GatewayError | None = None

    @property
    def is_absent(self) -> bool:
        """It was looked up, and is not there."""
        return isinstance(self.error, NothingFound)

    @property
    def is_foreign(self) -> bool:
        """The house says that this is no id of its own."""
        return isinstance(self.error, InvalidRequest)

    @property
    def is_open(self) -> bool:
        """Nothing can be told."""
        return self.error is not None and is_open(self.error)


def namers(house: House) -> tuple[Namer, ...]:
    return tuple(
        Namer(provider.title, provider.naming)
        for provider in house.providers
        if provider.naming is not None
    )


def claims(houses: Iterable[Claimant], given: str) -> tuple[Claim, tuple[Claimant, ...]]:
    """The houses that an id is of: the one that knows it for its own, else all that may mean it."""
    told = [(one.claim(given), one) for one in houses]
    for claim in ("mine", "maybe"):
        if of := tuple(one for said, one in told if said == claim):
            return claim, of
    return "foreign", ()


def nobodys(titles: Iterable[str], given: str) -> InvalidRequest:
    """What is to be told of an id that none of these houses claims."""
    return InvalidRequest(
        Reason.INVALID_ID,
        f'"{inline(clip(given, 80))}" is no id and no link of {" or ".join(titles)}.',
        "Give an id or a link of a row of a search, unchanged.",
    )


def is_open(error: GatewayError) -> bool:
    """Whether nothing can be told after it: neither that there is none, nor that this is no id."""
    return not isinstance(error, NothingFound | InvalidRequest)


def telling(errors: Sequence[GatewayError]) -> GatewayError:
    """An outage outranks an absence: as long as one house gave no answer, nothing can be told."""
    return next(filter(is_open, errors), errors[0])


def time_for_looking() -> float:
    """Until when houses may be waited for, on the clock of the event loop."""
    now = anyio.current_time()
    return now + _SHARE * (anyio.current_effective_deadline() - now)


async def look_up(houses: Sequence[Namer], given: str) -> tuple[Look, ...]:
    """All houses at the same time, in the order given. Raises nothing but cancellation."""
    until = time_for_looking()
    looks: dict[int, Look] = {}

    async def put(place: int, one: Namer) -> None:
        looks[place] = await look(one, given, until)

    async with anyio.create_task_group() as group:
        for place, one in enumerate(houses):
            group.start_soon(put, place, one)
    return tuple(looks[place] for place in range(len(houses)))


async def look(one: Namer, given: str, until: float) -> Look:
    """In one house. Raises nothing but cancellation."""
    seconds = until - anyio.current_time()
    try:
        with anyio.move_on_after(seconds):
            return Look(one.title, await one.naming.work(given))
        late = f"{one.title} did not answer within {duration(seconds)}."
        error: GatewayError = UpstreamTimeout(late, _NOTHING_SAID)
    except GatewayError as problem:
        error = problem
    except Exception:
        log.exception("the look-up in %s crashed", one.title)
        fault = f"{one.title} failed by a fault of this server."
        error = GatewayError(Reason.INTERNAL, fault, _NOTHING_SAID)
    return Look(one.title, error=error)
