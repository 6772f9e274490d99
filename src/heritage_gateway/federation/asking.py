"""Houses are asked side by side, each for no longer than its share of the call, and none spoils another's."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

import anyio

from heritage_gateway.errors import GatewayError, Reason, UpstreamTimeout
from heritage_gateway.notice import duration

log = logging.getLogger(__name__)

T = TypeVar("T")
_SHARE = 0.9  # of what is left of a call: the rest is for writing the answer
_NOTHING_SAID = "This says nothing about what it holds."


def time_for_asking() -> float:
    """Until when houses may be waited for, on the clock of the event loop."""
    now = anyio.current_time()
    return now + _SHARE * (anyio.current_effective_deadline() - now)


async def answer_of(title: str, ask: Callable[[], Awaitable[T]], until: float) -> T | GatewayError:
    """What a house says, or why it says nothing. Raises nothing but cancellation."""
    seconds = until - anyio.current_time()
    try:
        with anyio.move_on_after(seconds):
            return await ask()
    except GatewayError as problem:
        return problem
    except Exception:
        log.exception("asking %s crashed", title)
        fault = f"{title} failed by a fault of this server."
        return GatewayError(Reason.INTERNAL, fault, _NOTHING_SAID)
    late = f"{title} did not answer within {duration(seconds)}, its share of this call."
    return UpstreamTimeout(late, _NOTHING_SAID)


async def side_by_side(asks: Iterable[Callable[[], Awaitable[T]]]) -> tuple[T, ...]:
    """All at the same time, and what came of them in the order given."""
    found: dict[int, T] = {}

    async def put(place: int, ask: Callable[[], Awaitable[T]]) -> None:
        found[place] = await ask()

    async with anyio.create_task_group() as group:
        for place, ask in enumerate(asks):
            group.start_soon(put, place, ask)
    return tuple(found[place] for place in sorted(found))
