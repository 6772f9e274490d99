"""One id or link, looked up in every house that may mean it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

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

log = logging.getLogger(__name__)

_SHARE = 0.9  # of what is left of a call
_NOTHING_SAID = "This says nothing about what it holds."


@dataclass(frozen=True, slots=True)
class Namer:
    """A house that can name its works."""

    title: str
    naming: Naming


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
        return self.error is not None and not self.is_absent and not self.is_foreign


def namers(house: House) -> tuple[Namer, ...]:
    return tuple(
        Namer(provider.title, provider.naming)
        for provider in house.providers
        if provider.naming is not None
    )


def claims(houses: Sequence[Namer], given: str) -> tuple[Claim, tuple[Namer, ...]]:
    """The houses that an id is of: the one that knows it for its own, else all that may mean it."""
    told = [(one.naming.claim(given), one) for one in houses]
    for claim in ("mine", "maybe"):
        if of := tuple(one for said, one in told if said == claim):
            return claim, of
    return "foreign", ()


async def look_up(houses: Sequence[Namer], given: str) -> tuple[Look, ...]:
    """All houses at the same time, in the order given. Raises nothing but cancellation."""
    seconds = _SHARE * (anyio.current_effective_deadline() - anyio.current_time())
    looks: dict[int, Look] = {}

    async def put(place: int, one: Namer) -> None:
        looks[place] = await _look(one, given, seconds)

    async with anyio.create_task_group() as group:
        for place, one in enumerate(houses):
            group.start_soon(put, place, one)
    return tuple(looks[place] for place in range(len(houses)))


async def _look(one: Namer, given: str, seconds: float) -> Look:
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
