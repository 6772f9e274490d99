"""Whose an id or a link is, and what the houses that may have it say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from heritage_gateway.capability import Claim, Naming, Work
from heritage_gateway.errors import GatewayError, InvalidRequest, NothingFound, Reason
from heritage_gateway.federation.asking import answer_of, side_by_side, time_for_asking
from heritage_gateway.registry import House
from heritage_gateway.text import clip, inline

_NO_ID = (Reason.INVALID_ID, Reason.INVALID_PAGE_URL)


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
        return isinstance(self.error, InvalidRequest) and not self.is_open

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
    """Whether nothing can be told after it: neither that there is none, nor that this is no id.

    A good id may be refused on its way, by a firewall or a catalogue that could not read it.
    """
    if isinstance(error, InvalidRequest):
        return error.reason not in _NO_ID
    return not isinstance(error, NothingFound)


def telling(errors: Sequence[GatewayError]) -> GatewayError:
    """An outage outranks an absence: as long as one house gave no answer, nothing can be told."""
    return next(filter(is_open, errors), errors[0])


async def look_up(houses: Sequence[Namer], given: str) -> tuple[Look, ...]:
    """All houses at the same time, in the order given. Raises nothing but cancellation."""
    until = time_for_asking()
    return await side_by_side(partial(look, one, given, until) for one in houses)


async def look(one: Namer, given: str, until: float) -> Look:
    """In one house. Raises nothing but cancellation."""
    found = await answer_of(one.title, partial(one.naming.work, given), until)
    if isinstance(found, GatewayError):
        return Look(one.title, error=found)
    return Look(one.title, found)


def recased(given: str) -> tuple[str, ...]:
    """Other letter cases in which houses write such an id; links are left as they are."""
    if "//" in given:
        return ()
    head, line, rest = given.partition("_")
    usual = (f"{head.lower()}{line}{rest}", given.lower(), f"{head.lower()}{line}{rest.upper()}")
    forms = (*usual, f"{head.upper()}{line}{rest}") if line else (given.lower(),)
    return tuple(form for form in dict.fromkeys(forms) if form != given)
