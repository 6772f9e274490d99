"""smithsonian_get_media: every captured record, and every reason why there is no image to give."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conftest import Standin
from desk import Desk, check
from heritage_smithsonian.media import media as read_media
from heritage_smithsonian.media import summary
from shared import captured_records
from smithsonian.pretend_catalogue import PretendCatalogue

pytestmark = pytest.mark.anyio

MEDIA, GET = "smithsonian_get_media", "smithsonian_get_object"
IDS = "https://ids.si.edu/ids/deliveryService"


def card(*entries: dict[str, Any]) -> dict[str, Any]:
    name = "made_1"
    return {
        "id": "edanmdm-made_1",
        "title": "A *made up* vase",
        "unitCode": "NMAH",
        "type": "edanmdm",
        "url": f"edanmdm:{name}",
        "content": {
            "descriptiveNonRepeating": {
                "record_ID": name,
                "unit_code": "NMAH",
                "record_link": "https://example.org/made_1",
                "metadata_usage": {"access": "CC0"},
                "online_media": {"mediaCount": len(entries), "media": list(entries)},
            }
        },
    }


def image(number: int, access: str | None = "CC0", **more: Any) -> dict[str, Any]:
    usage = {} if access is None else {"usage": {"access": access}}
    name = f"NMAH-{number}"
    return {"type": "Images", "idsId": name, "content": f"{IDS}?id={name}", **usage, **more}


MODEL = {
    "type": "3d_voyager",
    "voyagerId": "x",
    "content": "https://3d-api.si.edu/voyager/x",
    "usage": {"access": "CC0"},
}
BOOK = {"type": "Scanned books", "content": "https://library.si.edu/x", "usage": {"access": "CC0"}}


def desk_of(*entries: dict[str, Any]) -> Desk:
    return Desk(transport=PretendCatalogue(cards=[card(*entries)]).transport)


@pytest.mark.captured
@pytest.mark.standin
async def test_all_captured_records_give_the_images_that_their_objects_count(
    standin: Standin,
) -> None:
    """By hand from the raw entries too: images whose own usage is exactly CC0."""
    served = 0
    async with Desk() as desk:
        edan = desk.tools[MEDIA].handle.__self__.catalogue.edan  # type: ignore[attr-defined]
        for number, raw in enumerate(captured_records()):
            url = raw.get("url") or ""
            if not url.startswith("edanmdm:"):
                continue
            edan.client.remember(f"/content/{url}", None, raw, ttl=9e9, size=1)
            given = {"id": url.removeprefix("edanmdm:")}
            answer = await desk.border.call(desk.tools[MEDIA], given)
            if number % 25 == 0:
                check(desk.tools[MEDIA], answer)
            counted = summary(read_media(raw))
            if answer.is_error:
                assert counted.cc0_image_count == 0
                assert answer.reason == ("no_media" if not counted.count else "no_images")
                continue
            told = answer.structure
            shown = told.get("shortened", [{"total": len(told["images"])}])
            total = {entry.get("section", "images"): entry["total"] for entry in shown}
            assert total.get("images", len(told["images"])) == counted.cc0_image_count > 0
            assert counted.has_cc0_images
            served += 1
    assert served > 2_500
    assert standin.requests == 0


@pytest.mark.captured
def test_no_captured_size_is_the_square_of_a_label() -> None:
    """In the data of 2020 a label gives the long side twice."""
    for raw in captured_records():
        for medium in read_media(raw):
            for file in (medium.jpeg, medium.tiff):
                if file is not None and file.width is not None:
                    assert file.height is not None
                    stated = re.search(
                        r'"width": ?"?' + str(file.width), str(raw).replace("'", '"')
                    )
                    assert file.width != file.height or stated


async def test_nothing_digitised_is_no_media() -> None:
    async with desk_of() as desk:
        answer = await desk.call(MEDIA, id="made_1")
    assert answer.reason == "no_media"
    assert answer.structure["error"]["code"] == -32001
    assert "https://example.org/made_1" in answer.text


async def test_only_other_media_are_no_images_and_their_types_are_named() -> None:
    async with desk_of(MODEL, BOOK, MODEL) as desk:
        answer = await desk.call(MEDIA, id="made_1")
        assert answer.reason == "no_images"
        assert "but other media: 3d_voyager, Scanned books." in answer.text
        assert f'{GET} id="made_1" lists them' in answer.text
        record = await desk.call(GET, id="made_1")
    assert len(record.structure["media_summary"]["non_image_media"]) == 3


@pytest.mark.parametrize("access", ["Usage conditions apply", "cc0", "CC0 ", "", None])
async def test_images_that_are_not_exactly_cc0_are_refused(access: str | None) -> None:
    async with desk_of(image(1, access), image(2, access), MODEL) as desk:
        answer = await desk.call(MEDIA, id="made_1")
    assert answer.reason == "not_cc0"
    assert answer.structure["error"]["code"] == -32005
    assert answer.structure["error"]["data"]["retryable"] is False


@pytest.mark.parametrize("name", ["", "   ", "a b", "edanmdm:", "../x", "http://x", "x" * 201])
async def test_what_is_no_id_is_refused_before_any_request(name: str) -> None:
    catalogue = PretendCatalogue(cards=[])
    async with Desk(transport=catalogue.transport) as desk:
        assert (await desk.call(MEDIA, id=name)).reason == "invalid_id"
    assert not catalogue.requests


async def test_an_unknown_id_is_not_found() -> None:
    async with desk_of(image(1)) as desk:
        assert (await desk.call(MEDIA, id="made_2")).reason == "not_found"


async def test_what_is_left_out_is_counted() -> None:
    async with desk_of(image(1), image(2, "Usage conditions apply"), image(3, None)) as desk:
        answer = await desk.call(MEDIA, id="made_1")
    assert [each["media_id"] for each in answer.structure["images"]] == ["NMAH-1"]
    assert answer.structure["notice"] == "2 more images are not CC0 and left out."
    assert answer.text.startswith("# A \\*made up\\* vase: 1 CC0 image\nNotice: 2 more images")
    async with desk_of(image(1), image(2), image(3, None)) as desk:
        told = (await desk.call(MEDIA, id="made_1")).structure
    assert told["notice"] == "1 more image is not CC0 and left out."


async def test_sizes_come_from_the_image_service_where_no_files_are_listed() -> None:
    async with desk_of(image(1)) as desk:
        (found,) = (await desk.call(MEDIA, id="made_1")).structure["images"]
    assert found["thumbnail_url"] == f"{IDS}?id=NMAH-1&max=120"
    assert found["screen_url"] == f"{IDS}?id=NMAH-1&max=800"
    assert "high_res_jpeg" not in found


async def test_a_square_size_of_a_label_is_no_size_and_an_oblong_one_is() -> None:
    def file(label: str, **more: Any) -> list[dict[str, Any]]:
        return [{"label": label, "url": "https://ids.si.edu/ids/download?id=NMAH-1.jpg", **more}]

    async with desk_of(
        image(1, resources=file("High-resolution JPEG (3000x3000)")),
        image(2, resources=file("High-resolution JPEG (3000x2000)")),
        image(3, resources=file("High-resolution JPEG (9x9)", width=3000, height=3000)),
    ) as desk:
        answer = await desk.call(MEDIA, id="made_1")
    first, second, third = (each["high_res_jpeg"] for each in answer.structure["images"])
    assert "width" not in first
    assert (second["width"], second["height"]) == (3000, 2000)
    assert (third["width"], third["height"]) == (3000, 3000)
    assert answer.text.count("(3000 x 2000)") == answer.text.count("(3000 x 3000)") == 1


async def test_every_fact_of_an_image_stands_in_the_text() -> None:
    described = image(1, altTextAccessibility="A blue vase", extDescrAccessibility="It is tall.")
    async with desk_of(described, image(2, altTextAccessibility="")) as desk:
        answer = await desk.call(MEDIA, id="made_1")
    for found in answer.structure["images"]:
        for value in (*found.pop("rights").values(), *found.values()):
            assert value is True or str(value) in answer.text
    assert "alt_text" not in answer.structure["images"][1]


@pytest.mark.parametrize("budget", ["600", "1500"])
async def test_following_the_notices_reads_every_image_exactly_once(
    budget: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", budget)
    got: list[str] = []
    async with desk_of(*(image(n, altTextAccessibility="word " * 20) for n in range(60))) as desk:
        given: dict[str, Any] = {}
        for _ in range(61):
            answer = await desk.call(MEDIA, id="made_1", **given)
            assert "60 CC0 images" in answer.text
            told = answer.structure
            assert f"\n{len(got) + 1}. media_id {told['images'][0]['media_id']} |" in answer.text
            got += [each["media_id"] for each in told["images"]]
            more = re.search(
                r'images: .*?; smithsonian_get_media id="made_1" section="images" offset=(\d+) continues',
                told.get("notice", ""),
            )
            if not more:
                break
            given = {"section": "images", "offset": int(more[1])}
    assert got == [f"NMAH-{n}" for n in range(60)]


async def test_an_offset_past_the_end_still_says_how_many_there_are() -> None:
    async with desk_of(*(image(n) for n in range(3))) as desk:
        answer = await desk.call(MEDIA, id="made_1", section="images", offset=3)
    assert answer.text.startswith("# A \\*made up\\* vase: 3 CC0 images\n")
    assert "offset=3 lies past the end; the last valid offset is 2." in answer.structure["notice"]


async def test_an_unknown_section_is_refused_by_name() -> None:
    async with desk_of(image(1)) as desk:
        answer = await desk.call(MEDIA, id="made_1", section="pictures")
    assert answer.reason == "invalid_input"
    assert "Sections: title, images." in answer.text


@pytest.mark.standin
async def test_after_a_search_that_showed_the_row_it_costs_no_request(standin: Standin) -> None:
    async with Desk() as desk:
        found = await desk.call("smithsonian_search_objects", query="Thunder god")
        before = standin.requests
        answer = await desk.call(MEDIA, id=found.structure["objects"][0]["record_id"])
        record = await desk.call(GET, id=found.structure["objects"][0]["record_id"])
    assert standin.requests == before
    count = record.structure["media_summary"]["cc0_image_count"]
    assert len(answer.structure["images"]) == count
