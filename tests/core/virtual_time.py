"""An event loop on which an hour passes at once: nobody sleeps in the tests."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_TURN = 1e-9  # a turn of the loop takes time, else rounding could hold a timer up for ever
_STUCK = 3.0
_MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)


class _Skipping(selectors.SelectSelector):
    """Looks at the real sockets, and where none is ready lets the wait have passed."""

    def __init__(self) -> None:
        super().__init__()
        self.passed = 0.0
        self.threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and self.threads and timeout != 0:
            return super().select(_STUCK)  # no time passes while a thread works
        if not ready and timeout is None:
            ready = super().select(_STUCK)  # a thread may still call
            if not ready:
                raise RuntimeError("nothing is scheduled: the test waits for ever")
        elif not ready and timeout is not None:
            self.passed += timeout
        self.passed += _TURN
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Give it as `loop_factory`; `time()` begins at 0 and jumps to the next timer."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.passed

    def run_in_executor(
        self, executor: Any, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        working = super().run_in_executor(executor, func, *args)
        self._skipping.threads += 1
        working.add_done_callback(self._has_worked)
        return working

    def _has_worked(self, _: object) -> None:
        self._skipping.threads -= 1

    def be_busy(self, seconds: float) -> None:
        """What a callback does that holds the loop up: time passes, timers become late."""
        self._skipping.passed += seconds


def clock() -> float:
    """The running loop's time, to be given where a monotonic clock is asked for."""
    return asyncio.get_running_loop().time()


def now() -> datetime:
    """The same as a date: the loop begins at midnight UTC."""
    return _MIDNIGHT + timedelta(seconds=clock())


def run(story: Coroutine[object, object, T]) -> T:
    """The result of a coroutine on a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)
