"""Many ids and links to works at the same time, each from the house that has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from heritage_gateway.capability import Work
from heritage_gateway.errors import GatewayError
from heritage_gateway.federation.asking import side_by_side, time_for_asking
from heritage_gateway.federation.lookup import (
    Look,
    Namer,
    claims,
    look,
    nobodys,
    telling,
)


@dataclass(frozen=True, slots=True)
class Looked:
    """What became of one id: a work of a house, or an error."""

    given: str
    house: str = ""
    work: Work | None = None
    error: GatewayError | None = None
    warnings: tuple[str, ...] = ()


async def fetched(houses: Sequence[Namer], given: Sequence[str]) -> tuple[Looked, ...]:
    """Every id at the same time, in the order given. Raises nothing but cancellation.

    The providers pace their own requests; what is not there when the call must end has failed.
    """
    until = time_for_asking()
    return await side_by_side(partial(_looked, houses, name, until) for name in given)


async def _looked(houses: Sequence[Namer], given: str, until: float) -> Looked:
    """By those whose it is, one after the other: the first that has it spares the rest a request."""
    _, asked = claims(houses, given)
    silent: list[Look] = []
    errors: list[GatewayError] = []
    for one in asked:
        seen = await look(one, given, until)
        if seen.work:
            return Looked(given, seen.house, seen.work, warnings=_unheard(silent))
        silent += [seen] if seen.is_open else []
        errors += [seen.error] if seen.error else []
    if not errors:
        return Looked(given, error=nobodys((one.title for one in houses), given))
    return Looked(given, error=telling(errors))


def _unheard(silent: Sequence[Look]) -> tuple[str, ...]:
    return tuple(
        f"{seen.house} may have a record of this id too, and gave no answer." for seen in silent
    )
