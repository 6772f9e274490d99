"""Work in threads that a cancelled caller does not run away from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


async def settled(work: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """In a thread, waited for to the end: nobody may use or close what it is still writing to."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        running.exception()  # if there is one, the cancelled caller does not want to hear of it
        raise
