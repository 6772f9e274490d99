"""What a client is sent for, and what it brings back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.http.reply import Reply

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Statistics:
    """`sent` counts requests that left, redirects and retries included; `free` could leave now."""

    sent: int
    cache_hits: int
    resting_until: datetime | None
    free: float | None = None


@dataclass(frozen=True, slots=True)
class Errand(Generic[T]):
    key: Hashable
    path: str
    params: Mapping[str, str]
    endpoint: str
    read: Callable[[Reply], T]
    ttl: float | Callable[[T], float]
    size_hint: int | None
    follow: bool
    background: bool


@dataclass(frozen=True, slots=True)
class Dated(Generic[T_co]):
    """A value, with its age in seconds where it is a kept one and could not be asked for anew."""

    value: T_co
    age: float | None = None


@dataclass(frozen=True, slots=True)
class Stored(Generic[T]):
    """A value from the disk; `fresh` seconds are left of its lifetime, negative past it."""

    value: T
    age: float
    fresh: float


def refuse_detours(path: str) -> None:
    if not path.startswith("/") or "?" in path or "#" in path:
        raise ValueError("a path begins with a slash, and its parameters travel apart")
    if any(part.lower().replace("%2e", ".") in {".", ".."} for part in path.split("/")):
        # they would be resolved on the way, and the answer be that of another address
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            "An identifier holds a part that is only dots.",
            "Pass identifiers on exactly as they were given.",
        )
