"""Pictures of the Smithsonian: released ones only, from one host, by the right address."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from conftest import Standin
from core.test_pictures import picture
from desk import Desk
from heritage_gateway.capability import Region, View
from heritage_gateway.tool import Answer
from heritage_smithsonian.media import image_id, image_ids, media
from heritage_smithsonian.pictures import claim, delivery, iiif
from hurry import Hurry
from shared import captured_records
from smithsonian.pretend_catalogue import PretendCatalogue
from smithsonian.test_get_media import BOOK, MODEL, card, image

pytestmark = pytest.mark.anyio

VIEW = "heritage_view_image"
VEGA = "nasm_A19670093000"
HOST = "ids.si.edu"
ARK = "ark:/65665/m3b6b8c2b1"


class House:
    """A pretend catalogue, and an image service that sends what it is told to."""

    def __init__(self, *entries: dict[str, Any], body: bytes | None = None) -> None:
        self.catalogue = PretendCatalogue(cards=[card(*entries)])
        self.body = picture(1000, 800) if body is None else body
        self.asked: list[httpx.Request] = []
        self.answer: Callable[[httpx.Request], httpx.Response] = self.send

    def send(self, _request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=self.body, headers={"Content-Type": "image/jpeg"})

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.host != HOST:
            return self.catalogue(request)
        self.asked.append(request)
        return self.answer(request)

    async def view(self, **arguments: Any) -> Answer:
        hurry = Hurry()
        async with Desk(
            transport=httpx.MockTransport(self), clock=hurry.clock, sleep=hurry.sleep
        ) as desk:
            return await desk.call(VIEW, **{"id": "edanmdm:made_1", **arguments})

    @property
    def addresses(self) -> list[str]:
        return [str(request.url) for request in self.asked]


def size_of(answer: Answer) -> tuple[int, int]:
    assert answer.jpeg is not None, answer.text
    return Image.open(BytesIO(answer.jpeg)).size


# -- which image -----------------------------------------------------------------------------------


async def test_of_several_images_the_first_comes_and_the_line_says_how_many_there_are() -> None:
    house = House(MODEL, image(1, "Usage conditions apply"), image(2), image(3))
    answer = await house.view()
    assert house.addresses == [f"https://{HOST}/ids/iiif/NMAH-2/full/!768,768/0/default.jpg"]
    assert "image 1 of 2 (`number` picks another)" in answer.text
    assert 'may it be used: free_to_use, by "CC0" (usage.access)' in answer.text
    assert "https://example.org/made_1" in answer.text
    assert size_of(answer) == (768, 614)


async def test_number_picks_another_and_one_past_the_last_is_refused() -> None:
    house = House(image(1), image(2))
    assert "image 2 of 2" in (await house.view(number=2)).text
    assert "NMAH-2" in house.addresses[0]
    answer = await house.view(number=3)
    assert answer.reason == "invalid_input"
    assert "from 1 to 2" in answer.text
    assert len(house.asked) == 1


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ((), "no_media"),
        ((MODEL, BOOK), "no_images"),
        ((image(1, None), image(2, "Usage conditions apply")), "not_cc0"),
    ],
)
async def test_what_is_not_released_is_not_even_asked_for(
    entries: tuple[dict[str, Any], ...], reason: str
) -> None:
    """The metadata of this record are CC0, which permits no image."""
    house = House(*entries)
    assert (await house.view()).reason == reason
    assert house.asked == []


async def test_an_image_of_another_service_is_not_followed() -> None:
    other = "https://images.example/1.jpg"
    entry = {"type": "Images", "content": other, "idsId": other, "usage": {"access": "CC0"}}
    house = House(entry, {**image(2), "content": "https://evil.example/steal?id=NMAH-2"})
    answer = await house.view()
    assert (answer.reason, house.asked) == ("no_images", [])
    assert (await house.view(number=2)).jpeg
    assert [request.url.host for request in house.asked] == [HOST]


async def test_a_warning_beside_the_release_is_told() -> None:
    words = "Third party restrictions may apply to your use."
    answer = await House(image(1, usage={"access": "CC0", "text": words})).view()
    assert f'may it be used: conditions, by "CC0. {words}"' in answer.text
    assert answer.jpeg


# -- by the id of an image -------------------------------------------------------------------------


async def test_an_image_is_known_by_its_id_once_its_record_was_seen() -> None:
    house = House(image(1), image(2), image(3, "Usage conditions apply"))
    async with Desk(transport=httpx.MockTransport(house)) as desk:
        await desk.call("smithsonian_get_media", id="made_1")
        for given in (
            "NMAH-2",
            "https://ids.si.edu/ids/deliveryService?id=NMAH-2&max=1024",
            "http://ids.si.edu/ids/download?id=NMAH-2_screen",
            "https://ids.si.edu/ids/iiif/NMAH-2/full/max/0/default.jpg",
        ):
            answer = await desk.call(VIEW, id=given)
            assert "image 2 of 2" in answer.text
        assert (await desk.call(VIEW, id="NMAH-3")).reason == "not_cc0"
    assert all("NMAH-2" in address for address in house.addresses)
    assert len(house.catalogue.requests) == 1


async def test_the_thumbnail_of_a_search_row_leads_to_its_record() -> None:
    house = House(image(1))
    async with Desk(transport=httpx.MockTransport(house)) as desk:
        found = await desk.call("smithsonian_search_objects", query="vase")
        given = found.structure["objects"][0]["thumbnail_url"]
        assert (await desk.call(VIEW, id=given)).jpeg


async def test_an_image_never_seen_is_looked_up_in_the_catalogue() -> None:
    house = House(image(1), image(2))
    assert "image 2 of 2" in (await house.view(id="NMAH-2")).text
    answer = await house.view(id="NMAH-77")
    assert answer.reason == "not_found"
    assert "rights are not known" in answer.text
    assert len(house.asked) == 1


@pytest.mark.captured
def test_ids_of_images_and_of_records_are_told_apart() -> None:
    for row in captured_records():
        url = str(row["url"])
        assert image_id(url.removeprefix("edanmdm:")) is None
        assert image_id(url) is None
        for medium in media(row):
            if medium.is_image and "//" not in medium.media_id:
                assert image_id(medium.media_id) == medium.media_id
                assert claim(medium.media_id) == "mine"
            if medium.is_image and medium.screen_url and "ids.si.edu" in medium.screen_url:
                assert image_id(medium.screen_url) in {*image_ids(medium), None}


@pytest.mark.parametrize(
    "given",
    [
        "https://ids.si.edu.evil.example/ids/deliveryService?id=NMAH-1",
        "https://evil.example/ids/deliveryService?id=NMAH-1",
        "https://ids.si.edu/ids/deliveryService?id=https://evil.example/1.jpg",
        "https://ids.si.edu/ids/deliveryService?id=../../x",
        "nasm_A1",
        "",
        "sn85025570/1894-06-07/ed-1",
    ],
)
def test_what_is_no_id_of_an_image_is_none(given: str) -> None:
    assert image_id(given) is None


# -- addresses -------------------------------------------------------------------------------------


def test_a_region_is_asked_for_in_percent() -> None:
    step = iiif("NMAH-1", View(1024, region=Region(12.5, 0, 33.3333333, 1e-9)))
    assert step is not None
    assert step.path == "/ids/iiif/NMAH-1/pct:12.5,0,33.333,0.001/!1024,1024/0/default.jpg"
    assert step.is_region


async def test_an_ark_goes_by_the_delivery_service_and_its_region_is_cut_here() -> None:
    house = House(image(1, idsId=ARK, content=f"https://{HOST}/ids/deliveryService?id={ARK}"))
    assert iiif(ARK, View(768)) is None
    assert size_of(await house.view()) == (768, 614)
    region = {"x": 0, "y": 0, "width": 50, "height": 25}
    assert size_of(await house.view(size=512, region=region)) == (500, 200)
    assert house.addresses == [
        f"https://{HOST}/ids/deliveryService?id={ARK}&max=768",
        f"https://{HOST}/ids/deliveryService?id={ARK}&max=1024",
    ]


def test_no_more_is_fetched_for_a_small_region_than_a_limit() -> None:
    step = delivery(ARK, View(1024, region=Region(0, 0, 1, 1)))
    assert step is not None
    assert step.params["max"] == "3000"
    assert not step.is_region


async def test_where_iiif_has_nothing_the_delivery_service_is_asked() -> None:
    house = House(image(1))
    house.answer = lambda request: (
        httpx.Response(404, html="<html>404</html>")
        if "iiif" in request.url.path
        else house.send(request)
    )
    assert (await house.view()).jpeg
    house.answer = lambda _request: httpx.Response(404, html="<html>404</html>")
    assert (await house.view()).reason == "no_images"
    assert len(house.asked) == 4


# -- what the service sends ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "reason", "sent"),
    [
        (200, b"<!doctype html><html>maintenance</html>", "upstream_unavailable", 1),
        (200, b"", "upstream_malformed", 1),
        (200, picture()[:900], "upstream_malformed", 1),
        (200, b"\0" * 13_000_000, "upstream_malformed", 1),
        (403, b"no", "upstream_unavailable", 1),
        (500, b"no", "upstream_unavailable", 1),
        (503, b"no", "upstream_unavailable", 2),
        (429, b"no", "rate_limit_exceeded", 1),
    ],
)
async def test_what_is_no_picture_is_told_for_what_it_is(
    status: int, body: bytes, reason: str, sent: int
) -> None:
    house = House(image(1))
    house.answer = lambda _request: httpx.Response(status, content=body)
    answer = await house.view()
    assert (answer.reason, len(house.asked)) == (reason, sent)
    assert HOST not in answer.text or "https://" not in answer.text.partition("Next:")[0]


async def test_a_redirect_to_another_host_is_not_followed() -> None:
    house = House(image(1))
    house.answer = lambda _request: httpx.Response(302, headers={"Location": "https://e.example/"})
    assert (await house.view()).reason == "upstream_unavailable"
    assert {request.url.host for request in house.asked} == {HOST}


async def test_pictures_are_asked_for_anew_and_the_key_stays_at_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "secret")
    house = House(image(1))
    async with Desk(transport=httpx.MockTransport(house)) as desk:
        await desk.call(VIEW, id="edanmdm:made_1")
        await desk.call(VIEW, id="edanmdm:made_1")
    assert len(house.asked) == 2
    assert len(house.catalogue.requests) == 1
    assert all("x-api-key" not in request.headers for request in house.asked)


# -- against the stand-in --------------------------------------------------------------------------


@pytest.mark.standin
async def test_a_dropped_connection_is_tried_once_more(standin: Standin) -> None:
    standin.fault("reset", host="ids", times=1)
    async with Hurry().desk() as desk:
        assert size_of(await desk.call(VIEW, id=VEGA)) == (768, 768)
        assert standin.requests == 3
        standin.post("reset")
        standin.fault("reset", host="ids", times=-1)
        answer = await desk.call(VIEW, id=VEGA)
    assert (answer.reason, standin.requests) == ("upstream_unavailable", 2)


@pytest.mark.standin
async def test_an_image_whose_connection_is_always_lost_is_told(standin: Standin) -> None:
    lost = set(standin.get("samples")["ids_dropped"])
    async with Hurry().desk() as desk:
        for row in captured_records():
            names = [medium.media_id for medium in media(row) if medium.is_image]
            if lost & set(names):
                name = str(row["url"]).removeprefix("edanmdm:")
                number = min(names.index(one) for one in lost & set(names)) + 1
                answer = await desk.call(VIEW, id=name, number=number)
                assert answer.reason == "upstream_unavailable"
                return
    pytest.fail("no captured image is among those that the stand-in drops")


@pytest.mark.standin
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("truncate", "upstream_malformed"),
        ("truncate-length", "upstream_unavailable"),
        ("html-200", "upstream_unavailable"),
        ("captcha-200", "upstream_blocked"),
        ("garbage", "upstream_malformed"),
        ("404", "no_images"),
    ],
)
async def test_a_fault_of_the_image_service_is_told_and_hurts_no_record(
    kind: str, reason: str, standin: Standin
) -> None:
    standin.fault(kind, host="ids", times=-1)
    async with Hurry().desk() as desk:
        assert (await desk.call(VIEW, id=VEGA)).reason == reason
        assert not (await desk.call("smithsonian_get_object", id=VEGA)).is_error


@pytest.mark.standin
async def test_an_animated_picture_is_refused(standin: Standin) -> None:
    """Two frames of one pixel; all its bytes are of seven bits, as the fault needs them."""
    head = "GIF89a\x01\x00\x01\x00\x00\x00\x00"
    frame = ",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00"
    standin.fault("custom", host="ids", times=-1, body=head + 2 * frame + ";", type="image/gif")
    async with Hurry().desk() as desk:
        answer = await desk.call(VIEW, id=VEGA)
    assert answer.reason == "upstream_malformed"
    assert "animated" in answer.text


@pytest.mark.standin
@pytest.mark.parametrize("size", [512, 768, 1024])
async def test_every_size_fits_into_a_message(size: int, standin: Standin) -> None:
    async with Hurry().desk() as desk:
        answer = await desk.call(VIEW, id=VEGA, size=size)
    assert max(size_of(answer)) == size
    assert standin.requests == 2
