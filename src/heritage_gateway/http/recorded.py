"""Answers from a file instead of the network, for the offline demo."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, cast

import httpx

Transport = httpx.AsyncBaseTransport  # what may stand in for the network

_Params = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """`path` is percent-encoded as on the wire; what stands before it depends on the base address."""

    path: str
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    @classmethod
    def of(cls, entry: Mapping[str, object]) -> Self:
        """From `{"path", "params", "status", "headers", "json" or "text"}`, most of it optional."""
        headers = {"content-type": "application/json"}
        for name, value in _texts(entry.get("headers")).items():
            headers[name.lower()] = value
        body = str(entry["text"]) if "text" in entry else json.dumps(entry.get("json"))
        status = entry.get("status", 200)
        if not isinstance(status, int):
            raise TypeError("a recorded status is a number")
        return cls(str(entry["path"]), _texts(entry.get("params")), status, headers, body.encode())


class RecordedTransport(httpx.AsyncBaseTransport):
    """Knows a request by the end of its path, from a slash on, and its parameters.

    So a recording serves whatever address is set; what is not recorded cannot be reached.
    """

    def __init__(self, entries: Sequence[Mapping[str, object]] = ()) -> None:
        self._recordings: dict[tuple[str, _Params], Recording] = {}
        self.add(entries)

    def add(self, entries: Sequence[Mapping[str, object]]) -> None:
        for recording in map(Recording.of, entries):
            self._recordings[recording.path, _sorted(recording.params)] = recording

    def add_file(self, file: Path) -> None:
        self.add(cast(list[Mapping[str, object]], json.loads(file.read_text(encoding="utf-8"))))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.partition(b"?")[0].decode("ascii")
        found = self._found(path, tuple(sorted(request.url.params.multi_items())))
        if found is None:
            raise httpx.ConnectError("not recorded")
        return httpx.Response(found.status, headers=dict(found.headers), content=found.body)

    def _found(self, path: str, params: _Params) -> Recording | None:
        """The recording of the longest end of `path`."""
        ends = (path[at:] for at, letter in enumerate(path) if letter == "/")
        known = (self._recordings.get((end, params)) for end in ends)
        return next((found for found in known if found is not None), None)


def _sorted(params: Mapping[str, str]) -> _Params:
    return tuple(sorted(params.items()))


def _texts(value: object) -> dict[str, str]:
    """Numbers in a hand-written file are meant as text."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError("recorded parameters and headers are objects")
    return {str(name): str(text) for name, text in cast(Mapping[object, object], value).items()}
