"""A client of a stdio server that adds nothing to what the server takes: a line out, a line in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

GATEWAY = (str(Path(sys.executable).with_name("heritage-gateway")), "serve")
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "lean", "version": "1"},
}


class Lean:
    """One session; answers come as whole messages, unchecked."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        assert server.stdin
        assert server.stdout
        self._out: IO[bytes] = server.stdin
        self._in: IO[bytes] = server.stdout
        self._number = 0

    def ask(self, method: str, params: Mapping[str, Any]) -> bytes:
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        return self._in.readline()

    def tell(self, method: str) -> None:
        self._write({"method": method})

    def _write(self, message: Mapping[str, Any]) -> None:
        self._out.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._out.flush()


@contextmanager
def session(command: Iterable[str], env: Mapping[str, str]) -> Generator[Lean]:
    with subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **env},
    ) as server:
        lean = Lean(server)
        lean.ask("initialize", _HELLO)
        lean.tell("notifications/initialized")
        try:
            yield lean
        finally:
            server.kill()


def per_call(
    tool: str,
    calls: Iterable[Mapping[str, Any]],
    *,
    rounds: int,
    env: Mapping[str, str],
    command: Iterable[str] = GATEWAY,
) -> list[float]:
    """Milliseconds of each call, the best of so many rounds. Raises where an answer is an error."""
    with session(command, env) as lean:
        asked = [{"name": tool, "arguments": dict(call)} for call in calls]
        return [min(_timed(lean, call) for _ in range(rounds)) for call in asked]


def _timed(lean: Lean, call: Mapping[str, Any]) -> float:
    began = time.perf_counter()
    answer = lean.ask("tools/call", call)
    took = (time.perf_counter() - began) * 1000
    result = json.loads(answer)["result"]
    if result.get("isError"):
        raise AssertionError(result["content"][0]["text"])
    return took
