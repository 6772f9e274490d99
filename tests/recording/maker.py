"""Writes the cassettes and the recordings of the demo: `python -m recording.maker`.

Without an argument the answers come from records written for this project, so that what is
committed holds no prose of others. `--live FOLDER` asks the real services (with SMITHSONIAN_API_KEY,
and the addresses of the settings where they lie elsewhere) and writes the same cases into a folder
of your own, which `HERITAGE_TEST_CASSETTES=FOLDER pytest tests/recording` plays.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import vcr
import yaml

from core import virtual_time
from desk import Desk
from heritage_gateway.cli.demo import ABOVE
from heritage_gateway.plugin import Demo
from heritage_gateway.tool import Answer
from recording.case import Case, House
from recording.houses import HOUSES
from recording.page import shown

ROOM = Path(__file__).parents[2]
CASSETTES = ROOM / "cassettes"
_SECRET = ["x-api-key", "authorization", "user-agent", "cookie", "host", "connection"]
_KEPT = {
    *("content-type", "retry-after", "cache-control", "location"),
    *("x-cf-routererror", "cf-mitigated", "x-uri", "x-preflabel"),
}
_READ = ("HERITAGE_", "SMITHSONIAN_", "LOC_")


# -- playing -----------------------------------------------------------------------------------------


def player(*, mode: str = "none") -> Any:
    """The vcrpy of this project; one cassette at a time, for it patches the whole process."""
    machine = vcr.VCR(
        record_mode=mode,
        filter_headers=_SECRET,
        filter_query_parameters=["api_key"],
        decode_compressed_response=True,
        match_on=["method", "scheme", "host", "port", "path", "query"],
        before_record_response=_without_traces,
    )
    machine.register_persister(_Utf8)
    return machine


class _Utf8:
    """As vcrpy's own, but UTF-8 whatever the machine's language is."""

    @staticmethod
    def load_cassette(path: str, serializer: Any) -> Any:
        file = Path(path)
        if not file.is_file():
            raise vcr.persisters.filesystem.CassetteNotFoundError
        return vcr.serialize.deserialize(file.read_text("utf-8"), serializer)

    @staticmethod
    def save_cassette(path: str, recorded: Any, serializer: Any) -> None:
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        told = yaml.safe_load(vcr.serialize.serialize(recorded, serializer))
        file.write_text(dumped(told), "utf-8")


def _without_traces(response: Any) -> Any:
    """Dates, cookies and names of servers change with every recording and tell nothing."""
    kept = {name: value for name, value in response["headers"].items() if name.lower() in _KEPT}
    return {**response, "headers": kept}


@contextmanager
def surroundings(environment: Mapping[str, str]) -> Iterator[None]:
    """The environment of a case and of nobody else."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(_READ)}
    with patch.dict(os.environ, own | dict(environment), clear=True):
        yield


async def played(case: Case, desk: Desk) -> Answer:
    """The answer to the last call of a case."""
    for tool, arguments in case.before:
        await desk.call(tool, **arguments)
    return await desk.call(case.tool, **case.call[1])


# -- making ------------------------------------------------------------------------------------------


@asynccontextmanager
async def virtual_desk(**services: Any) -> AsyncIterator[Desk]:
    """A desk where an hour passes at once; its loop must be a `VirtualLoop`."""
    async with Desk(clock=virtual_time.clock, now=virtual_time.now, **services) as desk:
        yield desk


def file_of(house: House, case: Case, folder: Path = CASSETTES) -> Path:
    return folder / house.name / case.path


def made(house: House, case: Case) -> dict[str, Any]:
    """The cassette of a case."""
    heard: list[tuple[httpx.Request, httpx.Response]] = []
    upstream = house.pretend(case.script)

    def answer(request: httpx.Request) -> httpx.Response:
        heard.append((request, upstream(request)))
        return heard[-1][1]

    async def story() -> None:
        async with virtual_desk(transport=httpx.MockTransport(answer)) as desk:
            await played(case, desk)

    random.seed(case.path)  # so that tries of several hosts come in the same order at every making
    with surroundings(case.environment):
        virtual_time.run(story())
    return {"interactions": [_interaction(*pair) for pair in heard], "version": 1}


def _interaction(request: httpx.Request, response: httpx.Response) -> dict[str, Any]:
    headers = {name: [value] for name, value in response.headers.items() if name in _KEPT}
    return {
        "request": {
            "body": "",
            "headers": {"accept": ["*/*"]},
            "method": request.method,
            "uri": str(request.url),
        },
        "response": {
            "body": {"string": _body(response)},
            "headers": headers,
            "status": {"code": response.status_code, "message": response.reason_phrase},
        },
    }


def _body(response: httpx.Response) -> str | bytes:
    is_picture = response.headers.get("content-type", "").startswith("image/")
    return response.content if is_picture else response.content.decode("utf-8")


class _Readable(yaml.SafeDumper):
    """Bodies stand as blocks, as they came, so that a change of one word is a change of one line."""


def _text(dumper: _Readable, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Readable.add_representer(str, _text)


def dumped(cassette: dict[str, Any]) -> str:
    return yaml.dump(cassette, Dumper=_Readable, allow_unicode=True, width=10_000)


def recording(house: House, demo: Demo) -> str:
    """The recorded answers of a demo: whatever its calls ask for, each once."""
    upstream = house.pretend(())
    entries: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        response = upstream(request)
        entry: dict[str, Any] = {
            "path": request.url.raw_path.partition(b"?")[0].decode().removeprefix(house.root)
        }
        entry |= {"params": dict(request.url.params)} if request.url.params else {}
        entry |= {"status": response.status_code} if response.status_code != 200 else {}
        entries.append(entry | {"json": response.json()})
        return response

    async def story() -> None:
        async with virtual_desk(transport=httpx.MockTransport(answer)) as desk:
            for tool, arguments in demo.calls:
                await desk.call(tool, **arguments)

    with surroundings({}):
        virtual_time.run(story())
    return shown(entries) + "\n"


def the_demo(house: House) -> Demo:
    """The demo that a provider offers, or that of the tools above them."""
    if house.name == "heritage":
        return ABOVE
    (demo,) = [one.demo for one in Desk().house.providers if one.name == house.name]
    if demo is None:
        raise LookupError("the provider has no demo")
    return demo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--live", type=Path, metavar="FOLDER", help="ask the real services instead")
    live: Path | None = parser.parse_args().live
    if live is not None:
        asyncio.run(record(live))
        return
    for house in HOUSES:
        for case in house.cases:
            file = file_of(house, case)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dumped(made(house, case)), "utf-8")
    for house in HOUSES:
        demo = the_demo(house)
        demo.recording.parent.mkdir(exist_ok=True)
        demo.recording.write_text(recording(house, demo), "utf-8")


async def record(folder: Path) -> None:
    """Each case that can be had live, into a cassette of its own."""
    paced = os.environ.get("HERITAGE_RATE_LIMITS", "on") != "off"
    for house in HOUSES:
        for case in house.cases:
            if not case.can_be_live:
                continue
            file = file_of(house, case, folder)
            with player(mode="all").use_cassette(str(file)) as cassette:
                async with Desk() as desk:
                    answer = await played(case, desk)
            sys.stdout.write(f"{house.name}/{case.path}: {answer.reason or 'answered'}\n")
            if paced:
                await asyncio.sleep(house.pause * len(cassette))


if __name__ == "__main__":
    main()
