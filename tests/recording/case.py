"""A case that is recorded and played: calls, what upstream does, and what the answer must say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from recording.page import Scripted

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """`script` is what upstream says first; `requests` counts all that leave, repetitions too.

    It is None where how many it takes to work a hint out is left to the tool.
    """

    name: str
    call: Call
    tells: tuple[str, ...]
    reason: str | None = None
    before: tuple[Call, ...] = ()
    script: tuple[Scripted, ...] = ()
    requests: int | None = 1
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def tool(self) -> str:
        return self.call[0]

    @property
    def path(self) -> str:
        return f"{self.tool}/{self.name}.yaml"

    @property
    def can_be_live(self) -> bool:
        """Faults do not come when they are wanted."""
        return not self.script


Answering = Callable[[httpx.Request], httpx.Response]


@dataclass(frozen=True)
class House:
    """A provider with its cases and what answers in its place.

    `pretend` makes an upstream that says a script first. `root` is what the paths of its base
    address begin with, and `pause` the seconds after each live request, since every case begins with
    a fresh limiter.
    """

    name: str
    cases: Sequence[Case]
    pretend: Callable[[Sequence[Scripted]], Answering]
    root: str = ""
    pause: float = 0.0
