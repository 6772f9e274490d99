"""Pictures of the Library: from tile.loc.gov alone, of what is open, by the image service where it can."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from conftest import Standin
from core.test_pictures import picture
from desk import Desk
from heritage_gateway.capability import Region
from heritage_gateway.tool import Answer
from heritage_loc.leaves import File, Leaf, leaf_of_page, leaves, source
from hurry import Hurry
from shared import CAPTURED

pytestmark = pytest.mark.anyio

VIEW = "heritage_view_image"
TILE = "tile.loc.gov"
SERVICE = "service:ndnp:mnhi:batch_a_ver01:data:sn1:0001:0006"
IIIF = f"https://{TILE}/image-services/iiif/{SERVICE}"
STORED = f"https://{TILE}/storage-services/service/pnp/bbc/0500/0550/0550f"
PAGE = "https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6"


class House:
    """A library with one answer, and an image service that sends what it is told to."""

    def __init__(self, body: dict[str, Any], data: bytes | None = None) -> None:
        self.body = body
        self.data = picture(1000, 800) if data is None else data
        self.asked: list[str] = []
        self.answer: Callable[[], httpx.Response] = lambda: httpx.Response(200, content=self.data)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "www.loc.gov":
            return httpx.Response(200, text=json.dumps(self.body))
        self.asked.append(str(request.url))
        return self.answer()

    async def view(self, given: str = "2007680728", **arguments: Any) -> Answer:
        hurry = Hurry()
        transport = httpx.MockTransport(self)
        async with Desk(transport=transport, clock=hurry.clock, sleep=hurry.sleep) as desk:
            return await desk.call(VIEW, id=given, **arguments)


def item(*resources: dict[str, Any], **block: Any) -> dict[str, Any]:
    named = {"id": "http://www.loc.gov/item/2007680728/", "title": "A card"}
    return {"item": {**named, **block}, "resources": list(resources)}


def size_of(answer: Answer) -> tuple[int, int]:
    assert answer.jpeg is not None, answer.text
    return Image.open(BytesIO(answer.jpeg)).size


def stored(*sizes: tuple[str, int]) -> list[dict[str, Any]]:
    return [
        {"url": f"{STORED}{name}.jpg", "height": size, "width": size // 2} for name, size in sizes
    ]


# -- which image -----------------------------------------------------------------------------------


async def test_the_image_service_gives_size_and_region() -> None:
    house = House(item({"files": [[{"info": f"{IIIF}/info.json"}]]}))
    assert size_of(await house.view()) == (768, 614)
    await house.view(size=1024, region={"x": 10, "y": 20, "width": 30.5, "height": 40})
    assert house.asked == [
        f"{IIIF}/full/!768,768/0/default.jpg",
        f"{IIIF}/pct:10,20,30.5,40/!1024,1024/0/default.jpg",
    ]


async def test_of_files_the_smallest_that_is_large_enough_comes_and_its_region_is_cut_here() -> (
    None
):
    house = House(item({"files": [stored(("_150px", 150), ("r", 640), ("v", 1024), ("u", 6000))]}))
    await house.view(size=512)
    await house.view(size=1024)
    answer = await house.view(size=768, region={"x": 0, "y": 0, "width": 50, "height": 25})
    assert house.asked == [f"{STORED}r.jpg", f"{STORED}v.jpg", f"{STORED}u.jpg"]
    assert size_of(answer) == (500, 200)


async def test_a_number_picks_a_leaf_and_one_past_the_last_is_refused() -> None:
    front = {"files": [[{"url": f"{STORED}.jpg"}]]}
    pages = {"files": [[{"info": f"{IIIF}{n}/info.json"}] for n in (1, 2)]}
    house = House(item(front, {"files": [[{"url": "https://x.example/a.mp3"}]]}, pages))
    assert "image 3 of 3" in (await house.view(number=3)).text
    assert house.asked == [f"{IIIF}2/full/!768,768/0/default.jpg"]
    answer = await house.view(number=4)
    assert (answer.reason, len(house.asked)) == ("invalid_input", 1)
    assert "names 3 images" in answer.text


async def test_the_line_says_what_may_be_done_with_an_item() -> None:
    files = {"files": [[{"info": f"{IIIF}/info.json"}]]}
    told = (await House(item(files)).view()).text
    assert told.endswith("https://www.loc.gov/item/2007680728/ | may it be used: unknown")
    house = House(item(files, rights_advisory="Publication may be restricted."))
    assert 'conditions, by "Publication may be restricted." (rights' in (await house.view()).text


@pytest.mark.parametrize(
    "block",
    [
        {"access_restricted": True, "unrestricted": True},
        {"access_advisory": ["Access limited to subscribers."]},
        {"access_restricted": "true"},
        {"restriction": "Closed to researchers."},
        {"rights_advisory": "May not be reproduced.", "access_condition": ["Closed until 2090."]},
    ],
)
async def test_what_is_closed_is_not_even_asked_for(block: dict[str, Any]) -> None:
    house = House(item({"files": [[{"info": f"{IIIF}/info.json"}]]}, **block))
    answer = await house.view()
    assert (answer.reason, house.asked) == ("access_restricted", [])
    page = House({"item": block, "resource": {}, "page": [{"info": f"{IIIF}/info.json"}]})
    assert ((await page.view(PAGE)).reason, page.asked) == ("access_restricted", [])


async def test_a_fragile_original_is_shown_as_an_image() -> None:
    advice = "Restricted access: the originals are fragile and cannot be served."
    house = House(item({"files": [[{"info": f"{IIIF}/info.json"}]]}, access_advisory=advice))
    assert f'unknown, by "{advice}" (access_advisory)' in (await house.view()).text


async def test_a_page_is_shown_by_its_link_and_number_picks_another() -> None:
    house = House(
        {
            "resource": {"segment_count": 8, "url": "https://www.loc.gov/resource/x/"},
            "page": [{"mimetype": "image/jp2"}, {"info": f"{IIIF}/info.json"}],
            "segments": [{"title": "Image 6 of A press"}],
        }
    )
    answer = await house.view(PAGE)
    assert "**Image 6 of A press** | image 6 of 8" in answer.text
    assert PAGE in answer.text
    assert "?sp=2" in (await house.view(PAGE, number=2)).text


async def test_an_item_without_any_picture_says_so() -> None:
    sound = item({"files": [[{"url": "https://tile.loc.gov/storage-services/a.mp3"}]]})
    house = House(sound | {"image_url": ["https://www.loc.gov/static/images/group.svg"]})
    assert ((await house.view()).reason, house.asked) == ("no_images", [])
    page = House({"resource": {"url": "x"}, "page": []})
    assert (await page.view(PAGE)).reason == "no_images"


# -- addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "leaf"),
    [
        (f"{IIIF}/full/pct:25/0/default.jpg#h=10&w=20", Leaf(SERVICE)),
        (f"//{TILE}/image-services/iiif/public:x:1/info.json", Leaf("public:x:1")),
        (
            "//cdn.loc.gov/service/rbc/rbc0001/2008/2008rosen1207/0001v.jpg#h=2636&w=406",
            Leaf(
                files=(
                    File(
                        "/storage-services/service/rbc/rbc0001/2008/2008rosen1207/0001v.jpg", 2636
                    ),
                )
            ),
        ),
        (
            "http://cdn.loc.gov/master/a/0001.gif",
            Leaf(files=(File("/storage-services/master/a/0001.gif", 0),)),
        ),
        (
            f"{STORED}r.jpg",
            Leaf(files=(File("/storage-services/service/pnp/bbc/0500/0550/0550fr.jpg", 0),)),
        ),
    ],
)
def test_addresses_become_paths_at_one_host(address: str, leaf: Leaf) -> None:
    assert leaves({"item": {"image_url": [address]}}) == (leaf,)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/image-services/iiif/service:x/full/max/0/default.jpg",
        "https://tile.loc.gov.evil.example/storage-services/a.jpg",
        "https://tile.loc.gov/storage-services/../secret.jpg",
        "https://tile.loc.gov/storage-services/%2e%2e/secret.jpg",
        "https://tile.loc.gov/image-services/iiif/service:..%2f..%2fx/info.json",
        "https://tile.loc.gov/text-services/word-coordinates-service?segment=/a.jpg",
        "https://www.loc.gov/static/images/group.jpg",
        "https://tile.loc.gov@evil.example/storage-services/a.jpg",
        "//memory.loc.gov/ammem/a.jpg",
        "cdn.loc.gov/a.jpg",
        "",
    ],
)
def test_every_other_address_is_dropped(address: str) -> None:
    assert leaves({"item": {"image_url": [address]}}) == ()
    assert leaf_of_page({"resource": {"image": address}}) is None


@pytest.mark.captured
def test_every_captured_image_is_found_at_one_host() -> None:
    shown = 0
    for path in sorted((CAPTURED / "loc" / "search").glob("*.json")):
        for row in json.loads(path.read_text("utf-8"))["results"]:
            found = leaves({"item": row, "resources": row.get("resources", [])})
            named = " ".join(row.get("image_url") or [])
            pictured = "iiif" in named or "cdn.loc.gov" in named or "storage-services" in named
            assert bool(found) >= pictured
            for leaf in found:
                for region in (None, Region(5, 5, 10, 10)):
                    path_there = source(leaf, 768, region).path
                    assert path_there.startswith(("/image-services/iiif/", "/storage-services/"))
                    shown += 1
    assert shown > 250


# -- what the service sends ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "reason", "sent"),
    [
        (200, b"<html>maintenance</html>", "upstream_unavailable", 1),
        (200, b"", "upstream_malformed", 1),
        (200, b"\0" * 17_000_000, "upstream_malformed", 1),
        (404, b"no", "no_images", 1),
        (403, b"no", "upstream_unavailable", 1),
        (503, b"no", "upstream_unavailable", 2),
        (429, b"no", "rate_limit_exceeded", 1),
    ],
)
async def test_what_is_no_picture_is_told_for_what_it_is(
    status: int, body: bytes, reason: str, sent: int
) -> None:
    house = House(item({"files": [[{"info": f"{IIIF}/info.json"}]]}))
    house.answer = lambda: httpx.Response(status, content=body)
    answer = await house.view()
    assert (answer.reason, len(house.asked)) == (reason, sent)


# -- against the stand-in --------------------------------------------------------------------------


@pytest.mark.standin
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("2007680728", "free_to_use"),
        ("https://www.loc.gov/item/73691632/", "free_to_use"),
        ("mss119730001", "conditions"),
        ("sn85025570/1894-06-07/ed-1", "image 1 of 8"),
        (PAGE, "Image 6 of Imperial Valley press"),
        ("https://chroniclingamerica.loc.gov/lccn/sn92070146/1924-11-20/ed-1/seq-6/", PAGE),
    ],
)
async def test_items_and_pages_are_shown(given: str, said: str, standin: Standin) -> None:
    async with Hurry().desk() as desk:
        answer = await desk.call(VIEW, id=given)
    assert max(size_of(answer)) <= 768
    assert said in answer.text
    hosts = {entry["host"] for entry in standin.get("log?n=50")}
    assert hosts == {"loc", "tile"}


@pytest.mark.standin
async def test_a_dropped_connection_is_tried_once_more(standin: Standin) -> None:
    standin.fault("reset", host="tile", times=1)
    async with Hurry().desk() as desk:
        assert (await desk.call(VIEW, id="73691632")).jpeg
        assert standin.requests == 3
        standin.post("reset")
        standin.fault("reset", host="tile", times=-1)
        assert (await desk.call(VIEW, id="73691632")).reason == "upstream_unavailable"
    assert standin.requests == 2


@pytest.mark.standin
async def test_reasons_of_records_stay_what_they_are(standin: Standin) -> None:
    async with Hurry().desk() as desk:
        assert (await desk.call(VIEW, id="https://www.loc.gov/item/1/")).reason == "item_not_found"
        assert (await desk.call(VIEW, id="96514161")).reason == "access_restricted"
        assert (await desk.call(VIEW, id=PAGE.replace("sp=6", "sp=900"))).reason == "page_not_found"
        tile = "https://tile.loc.gov/image-services/iiif/service:x/full/max/0/default.jpg"
        assert (await desk.call(VIEW, id=tile)).reason == "invalid_id"
    assert standin.get("stats")["violations"] in ([], {})
