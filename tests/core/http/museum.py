"""A host of the tests: what it is asked, and how a client for it is built."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from core.virtual_time import clock, now
from heritage_gateway.errors import InvalidRequest, Reason, UpstreamError
from heritage_gateway.http import AnswerCache, HttpClient, Pace, Reply, Upstream

KEY = "s3cret-k3y"
HOSTS = frozenset({"museum.example", "ids.museum.example"})
Answer = httpx.Response | Exception | Callable[[httpx.Request], Awaitable[httpx.Response]]


def page(status: int = 200, body: object = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(body, str):
        return httpx.Response(status, text=body, headers=named)
    return httpx.Response(status, json=body, headers=named)


def website(status: int, title: str = "Museum") -> httpx.Response:
    return httpx.Response(status, html=f"<!DOCTYPE html><html><title>{title}</title></html>")


@dataclass
class Museum:
    """Gives the answers in turn, the last one for ever."""

    answers: list[Answer] = field(default_factory=lambda: [page(body={"ok": True})])
    requests: list[httpx.Request] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        self.times.append(round(clock(), 3))
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else await answer(request)

    def client(self, *, cache: AnswerCache | None = None, **changes: Any) -> HttpClient:
        return HttpClient(
            upstream(**changes),
            allowed_hosts=HOSTS,
            cache=cache or AnswerCache(clock=clock),
            user_agent="heritage-gateway/test",
            transport=httpx.MockTransport(self),
            clock=clock,
            now=now,
            chance=lambda: 0.5,
        )


def museum(*answers: Answer) -> Museum:
    return Museum(list(answers)) if answers else Museum()


def upstream(**changes: Any) -> Upstream:
    settings: dict[str, Any] = {
        "name": "museum.example",
        "title": "the museum's catalogue",
        "base_url": "https://museum.example/api",
        "paces": {"search": Pace(100, 100, 1), "item": Pace(1, 1, 10)},
        "headers": {"X-Api-Key": KEY},
        "rate_limit_hint": "Use a key of your own.",
    }
    return Upstream(**settings | changes)


def data(reply: Reply) -> object:
    """A plain reader: data with 200, an InvalidRequest with all else."""
    if reply.status != 200:
        raise InvalidRequest(Reason.INVALID_INPUT, f"The status is {reply.status}.", "Change it.")
    return reply.json()


async def failing(host: Museum, kind: type[UpstreamError], **changes: Any) -> UpstreamError:
    """The error of a call, after a look at everything that could be printed of it."""
    async with host.client(**changes) as client:
        with pytest.raises(kind) as caught:
            await client.get("/search", params={"q": "s3cret query"}, endpoint="search", read=data)
    error = caught.value
    seen: BaseException | None = error
    while seen is not None:
        told = f"{seen} {seen.args} {getattr(seen, 'hint', '')}"
        assert not any(word in told for word in (KEY, "s3cret", "https:", "/search"))
        seen = seen.__cause__ or seen.__context__
    return error
