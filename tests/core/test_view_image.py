"""heritage_view_image over houses of strangers: one block, one line, and nothing twice."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from threading import Barrier, Lock
from typing import Any, Literal

import anyio
import pytest
from fastmcp import Client
from mcp_types import ImageContent, TextContent
from PIL import Image

from core.houses import house, provider
from core.test_pictures import picture
from desk import check
from heritage_gateway import cli
from heritage_gateway.capability import Claim, Picture, Picturing, Region, Verdict, View
from heritage_gateway.errors import (
    NothingFound,
    Reason,
    Refused,
    UpstreamUnavailable,
)
from heritage_gateway.federation import federated
from heritage_gateway.federation.view_image import NAME, view_image
from heritage_gateway.http.age import note_age
from heritage_gateway.pictures import Jpeg, shown
from heritage_gateway.plugin import Provider, Services
from heritage_gateway.registry import House
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings
from heritage_gateway.tool import Answer, Border

pytestmark = pytest.mark.anyio

Painting = Callable[[str, View], Awaitable[Picture]]
ASKED: list[View] = []


async def painting(given: str, view: View) -> Picture:
    ASKED.append(view)
    return Picture(
        picture(1600, 1200),
        f"A *picture* of | {given}",
        "https://house.example/1",
        Verdict("conditions", "Ask | us first.", "rights"),
        number=view.number or 1,
        count=14,
    )


async def missing(_given: str, _view: View) -> Picture:
    raise NothingFound(Reason.NOT_FOUND, "It is not here.", "Search for it.")


async def down(_given: str, _view: View) -> Picture:
    raise UpstreamUnavailable("The house is down.", "Come back.")


async def closed(_given: str, _view: View) -> Picture:
    raise Refused(Reason.ACCESS_RESTRICTED, "It is closed.", "Its page says more.")


async def page_of_html(given: str, view: View) -> Picture:
    return replace(await painting(given, view), data=b"<html>maintenance</html>")


def showing(name: str, paint: Painting, claim: Claim = "maybe") -> Provider:
    return replace(provider(name), picturing=Picturing(lambda _given: claim, paint))


async def asked(place: House, **arguments: Any) -> Answer:
    tool = view_image(place)
    answer = await Border(40, 20_000).call(tool, {"id": "thing_1", **arguments})
    check(tool, answer)
    return answer


async def test_the_line_names_title_source_and_what_may_be_done() -> None:
    answer = await asked(house(showing("a", painting)))
    assert answer.text == (
        r"**A \*picture\* of \| thing_1** | image 1 of 14 (`number` picks another) | "
        "768 x 576 pixels | https://house.example/1 | "
        r'may it be used: conditions, by "Ask \| us first." (rights)'
    )
    assert answer.jpeg is not None
    assert Image.open(BytesIO(answer.jpeg)).size == (768, 576)
    assert answer.structure == {}
    assert answer.reason is None


async def test_number_size_and_region_reach_the_house() -> None:
    region = {"x": 25, "y": "50", "width": 50, "height": 25}
    answer = await asked(house(showing("a", painting)), number="3", size="1024", region=region)
    view = ASKED[-1]
    assert (view.longest, view.number) == (1024, 3)
    assert view.region is not None
    assert (view.region.x, view.region.y) == (25.0, 50.0)
    assert "image 3 of 14" in answer.text
    assert "region x 25 %, y 50 %, 50 % by 25 % | 800 x 300 pixels" in answer.text


async def test_one_picture_alone_is_not_counted() -> None:
    async def single(given: str, view: View) -> Picture:
        return replace(await painting(given, view), count=1)

    async def uncounted(given: str, view: View) -> Picture:
        return replace(await painting(given, view), count=None)

    assert "image 1" not in (await asked(house(showing("a", single)))).text
    assert "image 1 (`number`" in (await asked(house(showing("a", uncounted)))).text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"size": 640}, "`size` is wrong"),
        ({"size": True}, "`size` is wrong"),
        ({"number": 0}, "`number` is wrong"),
        ({"region": {"x": 60, "y": 0, "width": 50, "height": 10}}, "within 100 percent"),
        ({"region": {"x": 0, "y": 0, "width": 0, "height": 10}}, "`region.width` is wrong"),
        ({"region": {"x": -1, "y": 0, "width": 5, "height": 10}}, "`region.x` is wrong"),
        ({"region": {"x": "nan", "y": 0, "width": 5, "height": 10}}, "`region.x` is wrong"),
        ({"region": {"x": 0, "y": 0, "width": 10}}, "`region.height` is missing"),
        ({"regoin": {}}, "did you mean `region`"),
    ],
)
async def test_what_cannot_be_shown_is_refused_before_any_request(
    arguments: dict[str, Any], told: str
) -> None:
    ASKED.clear()
    answer = await asked(house(showing("a", painting)), **arguments)
    assert (answer.reason, ASKED) == ("invalid_input", [])
    assert told in answer.text


async def test_the_house_whose_id_it_is_is_asked_alone_and_else_all_whose_it_may_be() -> None:
    ASKED.clear()
    theirs = house(showing("a", painting), showing("b", missing, "mine"))
    assert ((await asked(theirs)).reason, ASKED) == ("not_found", [])
    assert ((await asked(house(showing("a", closed), showing("b", painting)))).reason, ASKED) == (
        "access_restricted",
        [],
    )
    assert (await asked(house(showing("a", missing), showing("b", painting)))).jpeg
    answer = await asked(house(showing("a", painting, "foreign"), provider("b")))
    assert answer.reason == "invalid_id"
    assert "no id and no link of House of a." in answer.text


async def test_an_outage_outranks_an_absence() -> None:
    assert (await asked(house(showing("a", missing)))).reason == "not_found"
    both = house(showing("a", missing), showing("b", down))
    assert (await asked(both)).reason == "upstream_unavailable"


async def test_a_refusal_is_told_with_its_reason() -> None:
    answer = await asked(house(showing("a", closed)))
    assert answer.reason == "access_restricted"
    assert answer.structure["error"]["data"]["retryable"] is False


async def test_what_is_no_picture_is_malformed() -> None:
    assert (await asked(house(showing("a", page_of_html)))).reason == "upstream_malformed"


async def test_where_a_record_came_from_is_said_behind_its_picture() -> None:
    async def mirrored(given: str, view: View) -> Picture:
        return replace(await painting(given, view), notice="From a mirror of yesterday.")

    assert (await asked(house(showing("a", mirrored)))).text.endswith(
        " | From a mirror of yesterday."
    )


async def test_a_record_that_was_kept_says_its_age_behind_its_picture() -> None:
    async def aged(given: str, view: View) -> Picture:
        note_age(7200)
        return await painting(given, view)

    assert "fetched 120 minutes ago" in (await asked(house(showing("a", aged)))).text


async def test_no_more_than_two_pictures_are_decoded_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair, lock, decoding, most = Barrier(2, timeout=30), Lock(), 0, 0

    def decode(data: bytes, longest: int, region: Region | None = None) -> Jpeg:
        nonlocal decoding, most
        with lock:
            decoding += 1
            most = max(most, decoding)
        pair.wait()  # each has another beside it
        with lock:
            decoding -= 1
        return shown(data, longest, region)

    module = import_module("heritage_gateway.federation.view_image")
    monkeypatch.setattr(module, "shown", decode)
    tool = view_image(house(showing("a", painting)))
    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(Border(40, 20_000).call, tool, {"id": "thing_1"})
    assert most == 2


def test_the_tool_is_there_only_where_a_house_can_show_something() -> None:
    services = Services(GatewaySettings.read())
    names = {tool.name for tool in federated(house(provider("a")), services)}
    assert NAME not in names
    able = house(showing("a", painting))
    assert NAME in {tool.name for tool in federated(able, services)}
    off = house(showing("a", painting), disabled=(NAME,))
    assert NAME not in {tool.name for tool in federated(off, services)}


# -- as a client sees it ---------------------------------------------------------------------------


@asynccontextmanager
async def client(mode: Literal["auto", "legacy"], paint: Painting) -> AsyncGenerator[Client[Any]]:
    served = build(house(showing("a", paint)), Services(GatewaySettings()))
    async with Client(served, mode=mode) as connected:
        yield connected


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_gets_one_image_and_one_line(mode: Literal["auto", "legacy"]) -> None:
    async with client(mode, painting) as connected:
        result = await connected.call_tool_mcp(NAME, {"id": "thing_1"})
        (tool,) = [one for one in await connected.list_tools() if one.name == NAME]
    assert tool.output_schema is None
    line, image = result.content
    assert isinstance(line, TextContent)
    assert "\n" not in line.text
    assert isinstance(image, ImageContent)
    assert image.mime_type == "image/jpeg"
    assert b64decode(image.data)[:2] == b"\xff\xd8"
    assert result.structured_content is None
    assert not result.is_error
    wire = result.model_dump_json(by_alias=True, exclude_none=True)
    assert wire.count(image.data[:200]) == 1
    assert "structuredContent" not in wire


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_failure_comes_with_its_envelope(mode: Literal["auto", "legacy"]) -> None:
    async with client(mode, closed) as connected:
        result = await connected.call_tool_mcp(NAME, {"id": "thing_1"})
    assert result.is_error
    assert result.structured_content is not None
    assert result.structured_content["error"]["data"]["reason"] == "access_restricted"
    (line,) = result.content
    assert isinstance(line, TextContent)
    assert "It is closed." in line.text


# -- in a shell ------------------------------------------------------------------------------------


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "heritage_gateway.cli.house.load", lambda _services: house(showing("a", painting))
    )


@pytest.mark.usefixtures("shell")
def test_a_shell_saves_the_picture(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "picture.jpg"
    assert cli.main(["call", NAME, "id=x_1", "--save", str(file)]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"**A ")
    assert b"bytes of JPEG were written to" in err
    assert Image.open(BytesIO(file.read_bytes())).size == (768, 576)


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("more", [[], ["--structured"]])
def test_a_shell_is_told_how_to_save_it(
    more: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(["call", NAME, "id=x_1", *more]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"**A ")
    assert b"--save FILE writes it" in err


@pytest.mark.usefixtures("shell")
def test_what_cannot_be_written_is_told(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(["call", NAME, "id=x_1", "--save", str(tmp_path)]) == 1
    assert b"cannot be written" in capfdbinary.readouterr().err


def test_an_answer_without_a_picture_saves_none(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.houses import many

    monkeypatch.setattr(
        "heritage_gateway.cli.house.load", lambda _services: house(provider("a", ("a", many)))
    )
    file = tmp_path / "picture.jpg"
    assert cli.main(["call", "heritage_search", "query=x", "--save", str(file)]) == 1
    assert b"holds no picture" in capfdbinary.readouterr().err
    assert not file.exists()
