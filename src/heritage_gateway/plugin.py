"""The seam: what a provider is, and what it is given.

A plugin is an entry point in the group `heritage_gateway.providers` that names a function
`plugin(services) -> Provider`. Built-in providers and strangers enter by the same door.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from heritage_gateway import __version__
from heritage_gateway.capability import Naming, Picturing, Searching
from heritage_gateway.http import (
    AnswerCache,
    HttpClient,
    Ledger,
    Sharing,
    Store,
    Transport,
    Upstream,
)
from heritage_gateway.settings import EnvironmentSettings, GatewaySettings
from heritage_gateway.tool import AnyTool


@dataclass(frozen=True, slots=True)
class Probe:
    """One cheap request that shows whether an upstream answers.

    `ask` returns what it saw in a plain sentence, and raises `GatewayError` where it got no answer.
    """

    title: str
    ask: Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something about an upstream on which sources differ, and how to look at it.

    `look` returns None while the claim holds, else what was seen instead.
    """

    claim: str
    look: Callable[[], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class Template:
    """Resources by address: `uri_template` with one reserved variable, such as `house://item/{+id}`.

    `read` gets its value, decoded, and raises `GatewayError` where there is no such resource.
    """

    uri_template: str
    read: Callable[[str], Awaitable[str]]
    name: str
    description: str
    mime: str


@dataclass(frozen=True, slots=True)
class Demo:
    """A short session: calls in order, and the recorded answers (a JSON file) that serve them."""

    recording: Path
    calls: tuple[tuple[str, dict[str, Any]], ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each term of a field occurs among all that match, the most frequent first.

    `complete`: no other term occurs. `source` names in words what was counted, and of which day.
    """

    total: int
    counts: tuple[tuple[str, int], ...]
    complete: bool
    source: str


@dataclass(frozen=True, slots=True)
class Counting:
    """A provider that can break down all that matches, exactly; for tools that count.

    `count(query, filters, field, size)` takes the query and filters of the provider's own search,
    and raises `GatewayError`, with `mirror_required` where it could if a mirror were there.
    """

    fields: tuple[str, ...]
    count: Callable[[str, Mapping[str, Any], str, int], Awaitable[Counts]]


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a provider brings: `heritage-gateway NAME`.

    An entry point in the group `heritage_gateway.commands`, of the same name, leads to it. `run`
    returns the exit code, and raises `SettingsError`.
    """

    help: str
    arguments: Callable[[argparse.ArgumentParser], object]
    run: Callable[[argparse.Namespace, GatewaySettings], int]


@dataclass(frozen=True, slots=True)
class Provider:
    """One house of collections: its tools, and what `doctor` may ask it.

    `skills` is a folder of guides in the form of the MCP skills extension, one folder a guide. Rows,
    list entries, recipes and paragraphs that name a tool which is not served are left out of them, as
    are such sentences of `instructions`.
    `remarks` are sentences on the settings in force, such as which key is used. `contract` names the
    tools that `HERITAGE_TOOLS=contract` serves.
    """

    name: str
    title: str
    settings: EnvironmentSettings
    tools: tuple[AnyTool, ...]
    instructions: str
    demo: Demo | None = None
    skills: Path | None = None
    templates: tuple[Template, ...] = ()
    remarks: tuple[str, ...] = ()
    probes: tuple[Probe, ...] = ()
    facts: tuple[Fact, ...] = ()
    contract: tuple[str, ...] = ()
    counting: Counting | None = None
    searching: tuple[Searching, ...] = ()
    naming: Naming | None = None
    picturing: Picturing | None = None


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Services:
    """What the core lends to providers: the settings, and HTTP clients that share manners.

    `hosts` is the one table of all upstreams that any tool may call; nothing else can be reached.
    `transport` replaces the network, for recorded answers and tests; `clock`, `now` and `sleep`
    replace time, for tests that wait for nothing.
    """

    settings: GatewaySettings
    transport: Transport | None = None
    hosts: dict[str, Upstream] = field(default_factory=dict[str, Upstream])
    cache: AnswerCache = field(default_factory=AnswerCache)
    sharing: Sharing = field(default_factory=Sharing)
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _now
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    _clients: list[HttpClient] = field(default_factory=list[HttpClient])

    @classmethod
    def shared(cls, settings: GatewaySettings) -> Self:
        """Services that share limits, rests and kept answers with the person's other processes."""
        folder = settings.folder
        store = (
            Store(folder / "answers.sqlite3", max_bytes=settings.cache_size * 1_000_000)
            if settings.cache == "disk"
            else None
        )
        cache = AnswerCache(0) if settings.cache == "off" else AnswerCache()
        return cls(settings, cache=cache, sharing=Sharing(Ledger(folder / "limits.sqlite3"), store))

    @property
    def user_agent(self) -> str:
        """Honest and descriptive: project and version; a contact only where one was set."""
        contact = f" ({self.settings.contact})" if self.settings.contact else ""
        return f"heritage-gateway/{__version__}{contact}"

    def client(self, upstream: Upstream) -> HttpClient:
        """Opens no connection yet; `aclose` of these services ends it."""
        self.hosts[upstream.name] = upstream
        client = HttpClient(
            upstream,
            allowed_hosts=frozenset({upstream.host}),
            cache=self.cache,
            user_agent=self.user_agent,
            transport=self.transport,
            sharing=self.sharing,
            clock=self.clock,
            now=self.now,
            sleep=self.sleep,
        )
        self._clients.append(client)
        return client

    @property
    def clients(self) -> tuple[HttpClient, ...]:
        return tuple(self._clients)

    async def aclose(self) -> None:
        for client in self._clients:
            await client.aclose()
        self.sharing.close()


Plugin = Callable[[Services], Provider]
