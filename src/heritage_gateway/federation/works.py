"""Ids and links to works: the house that each belongs to, asked once, all of them at the same time."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from heritage_gateway.capability import Naming, Work
from heritage_gateway.errors import (
    GatewayError,
    InvalidRequest,
    NothingFound,
    Reason,
    UpstreamTimeout,
)
from heritage_gateway.plugin import Provider
from heritage_gateway.text import clip, inline

log = logging.getLogger(__name__)

_SHARE = 0.9  # of what is left of a call: the rest is for writing the answer


@dataclass(frozen=True, slots=True)
class Looked:
    """What became of one id: a work of a house, or an error."""

    given: str
    house: str = ""
    work: Work | None = None
    error: GatewayError | None = None
    warnings: tuple[str, ...] = ()


async def fetched(providers: Sequence[Provider], given: Sequence[str]) -> tuple[Looked, ...]:
    """Every id at the same time, in the order given. Raises nothing but cancellation.

    The providers pace their own requests; what is not there when the call must end has failed.
    """
    seconds = _SHARE * (anyio.current_effective_deadline() - anyio.current_time())
    found: dict[int, Looked] = {}

    async def put(place: int, name: str) -> None:
        found[place] = await _looked(providers, name)

    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as group:
            for place, name in enumerate(given):
                group.start_soon(put, place, name)
    return tuple(found.get(place) or _late(name) for place, name in enumerate(given))


async def _looked(providers: Sequence[Provider], given: str) -> Looked:
    """By those who say that it is theirs, then by those who say that it may be."""
    candidates = _candidates(providers, given)
    problems: list[tuple[Provider, GatewayError]] = []
    for provider, naming in candidates:
        try:
            work = await naming.work(given)
        except GatewayError as error:
            problems.append((provider, error))
        except Exception:
            log.exception("naming a work of %s crashed", provider.name)
            fault = f"{provider.title} failed by a fault of this server."
            problems.append((provider, GatewayError(Reason.INTERNAL, fault, _NOTHING_SAID)))
        else:
            return Looked(given, provider.title, work, warnings=_unasked(problems))
    if not problems:
        return Looked(given, error=_nobodys(providers, given))
    return Looked(given, problems[0][0].title, error=_telling(problems))


def _candidates(providers: Sequence[Provider], given: str) -> tuple[tuple[Provider, Naming], ...]:
    claims = [
        (one.naming.claim(given), one, one.naming) for one in providers if one.naming is not None
    ]
    return tuple(
        (provider, naming)
        for wanted in ("mine", "maybe")
        for claim, provider, naming in claims
        if claim == wanted
    )


def _telling(problems: Sequence[tuple[Provider, GatewayError]]) -> GatewayError:
    """An outage outranks an absence: as long as one house gave no answer, nothing can be told."""
    errors = [error for _, error in problems]
    return next(
        (one for one in errors if not isinstance(one, NothingFound | InvalidRequest)), errors[0]
    )


def _unasked(problems: Sequence[tuple[Provider, GatewayError]]) -> tuple[str, ...]:
    """Houses that may have it too, and gave no answer."""
    return tuple(
        f"{provider.title} may have a record of this id too, and gave no answer."
        for provider, error in problems
        if not isinstance(error, NothingFound | InvalidRequest)
    )


def _nobodys(providers: Sequence[Provider], given: str) -> GatewayError:
    titles = " or ".join(one.title for one in providers if one.naming is not None)
    return InvalidRequest(
        Reason.INVALID_ID,
        f'"{inline(clip(given, 80))}" is no id and no link of {titles}.',
        "Give an id or a link of a row of a search, unchanged.",
    )


def _late(given: str) -> Looked:
    error = UpstreamTimeout(
        "Its record did not come within the time of this call.",
        "This says nothing about what the catalogue holds; ask again for what is missing.",
    )
    return Looked(given, error=error)


_NOTHING_SAID = "This says nothing about what it holds."
