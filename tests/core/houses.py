"""Houses of strangers for the tools over all providers: each list does what its name says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from core.stranger import Asked, Greeting, greet
from heritage_gateway.capability import Call, Claim, Listed, Naming, Results, Searching, Work
from heritage_gateway.errors import NothingFound, Queued, Reason, UpstreamUnavailable
from heritage_gateway.plugin import Provider
from heritage_gateway.registry import House
from heritage_gateway.settings import EnvironmentSettings
from heritage_gateway.tool import Answer, AnyTool, Tool
from mirror import unsaid

Answering = Callable[[str, int], Awaitable[Results]]


def rows(count: int, *, title: str = "Row", total: int | None = None) -> Results:
    listed = tuple(
        Listed(f"id_{number}", f"{title} {number}", f"https://x.example/{number}", "1936", "Thing")
        for number in range(1, count + 1)
    )
    return Results(count if total is None else total, listed)


async def many(_query: str, count: int) -> Results:
    return rows(count, total=1234)


async def none(_query: str, _count: int) -> Results:
    return rows(0)


async def slow(_query: str, _count: int) -> Results:
    await anyio.sleep(3600)
    return rows(1)


async def down(_query: str, _count: int) -> Results:
    raise UpstreamUnavailable("The catalogue is down.", "Try again later.")


async def queued(_query: str, _count: int) -> Results:
    raise Queued("No place is free for 90 seconds.", "Nothing was sent.", retry_after=90.0)


async def crashing(_query: str, _count: int) -> Results:
    raise KeyError("https://secret.example/?api_key=SECRET")


def unmirrored(answer: Answer) -> list[str]:
    """What the text lacks; a wait stands there in words."""
    return [said for said in unsaid(answer) if ".retry_after: " not in said]


def tool_of(name: str) -> AnyTool:
    return Tool(
        name=f"{name}_search",
        title="Search",
        description="Searches.",
        input=Asked,
        output=Greeting,
        reasons=(Reason.NOT_FOUND,),
        handle=greet,
        render=lambda answer: answer.greeting,
    )


def listing(key: str, answering: Answering) -> Searching:
    return Searching(
        key,
        f"List {key}",
        answering,
        lambda query, shown: Call(f"{key}_search", {"name": f"{query} after {shown}"}),
    )


@dataclass
class Shelf:
    """A house's records by id; `asked` are the ids that were looked up."""

    works: dict[str, Work]
    prefix: str = ""
    down: bool = False
    asked: list[str] = field(default_factory=list[str])

    def claim(self, given: str) -> Claim:
        name = given.strip()
        if self.prefix and name.startswith((self.prefix, f"https://{self.prefix}")):
            return "mine"
        return "maybe" if name.isdecimal() else "foreign"

    async def work(self, given: str) -> Work:
        await anyio.lowlevel.checkpoint()
        name = given.rpartition("/")[2]
        self.asked.append(name)
        if self.down:
            raise UpstreamUnavailable("The catalogue is down.", "Try again later.")
        if name not in self.works:
            raise NothingFound(Reason.NOT_FOUND, "No record has this id.", "Search for it.")
        return self.works[name]


def provider(
    name: str, *lists: tuple[str, Answering], shelf: Shelf | None = None, title: str = ""
) -> Provider:
    return Provider(
        name=name,
        title=title or f"House of {name}",
        settings=EnvironmentSettings(),
        tools=tuple(tool_of(key) for key, _ in lists),
        instructions="Searches.",
        searching=tuple(listing(key, answering) for key, answering in lists),
        naming=Naming(shelf.claim, shelf.work) if shelf else None,
    )


def house(*providers: Provider, off: tuple[str, ...] = (), disabled: tuple[str, ...] = ()) -> House:
    return House(providers, {}, off, disabled)
