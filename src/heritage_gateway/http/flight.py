"""One request for all who want the same answer at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field

from heritage_gateway.errors import UpstreamUnavailable


@dataclass(slots=True, eq=False)
class Flight:
    """`until` is the latest deadline among those who have waited, in the loop's time."""

    until: float
    waiting: int = 0
    task: asyncio.Task[object] | None = field(default=None, repr=False)

    def left(self) -> float:
        return self.until - asyncio.get_running_loop().time()


class Flights:
    """A flight lives as long as anybody waits for it, whoever started it."""

    def __init__(self) -> None:
        self._aloft: dict[Hashable, Flight] = {}
        self._tasks: set[asyncio.Task[object]] = set()  # the loop itself holds tasks weakly

    async def board(
        self,
        key: Hashable,
        until: float,
        fly: Callable[[Flight], Coroutine[object, object, object]],
    ) -> object:
        """The result of the flight of that key, started here if there is none."""
        flight = self._aloft.get(key)
        if flight is None:
            flight = Flight(until)
            self._aloft[key] = flight
            task = flight.task = asyncio.create_task(self._fly(key, flight, fly))
            self._tasks.add(task)
            task.add_done_callback(self._landed)
        else:
            flight.until = max(flight.until, until)
            task = _task(flight)
        flight.waiting += 1
        try:
            await asyncio.wait({task})
        finally:
            flight.waiting -= 1
            if not flight.waiting and not task.done():
                self._leave(key, flight)
                task.cancel()
        if task.cancelled():
            raise UpstreamUnavailable("The server is shutting down.", "Try again later.")
        return task.result()

    async def land(self) -> None:
        """Cancel all flights and wait until their connections are given back."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _fly(
        self,
        key: Hashable,
        flight: Flight,
        fly: Callable[[Flight], Coroutine[object, object, object]],
    ) -> object:
        try:
            return await fly(flight)
        finally:
            self._leave(key, flight)

    def _leave(self, key: Hashable, flight: Flight) -> None:
        if self._aloft.get(key) is flight:
            del self._aloft[key]

    def _landed(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may be left to look at it


def _task(flight: Flight) -> asyncio.Task[object]:
    if flight.task is None:
        raise RuntimeError("a flight is listed with its task")
    return flight.task
