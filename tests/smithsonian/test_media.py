"""The media of a record: what is counted is what is delivered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_smithsonian.media import glimpse, images, media, sized, summary, thumbnail
from heritage_smithsonian.models import MediaImage
from shared import captured_records

CC0 = {"usage": {"access": "CC0"}}
IDS = "https://ids.si.edu/ids/deliveryService"


def row(*entries: object, **online: object) -> dict[str, Any]:
    return {
        "content": {"descriptiveNonRepeating": {"online_media": {"media": [*entries], **online}}}
    }


def image(**fields: Any) -> dict[str, Any]:
    return {"type": "Images", "idsId": "NPG-1", "content": f"{IDS}?id=NPG-1", **CC0, **fields}


def only(entry: dict[str, Any]) -> MediaImage:
    (found,) = images(media(row(entry)))
    return found


@pytest.mark.parametrize("online", [None, {}, [], "", {"media": None}, {"mediaCount": "2"}, 3])
def test_a_record_without_media_has_none(online: object) -> None:
    found = media({"content": {"descriptiveNonRepeating": {"online_media": online}}})
    assert summary(found).count == 0
    assert thumbnail(found) is None


@pytest.mark.parametrize("online", [[image()], {"media": [image()]}, {"media": image()}])
def test_media_come_as_a_list_in_a_block_or_singly(online: object) -> None:
    found = media({"content": {"descriptiveNonRepeating": {"online_media": online}}})
    assert summary(found).cc0_image_count == 1


@pytest.mark.parametrize("access", ["CC0 ", "cc0", "Usage conditions apply", "", None, ["CC0"]])
def test_an_image_is_cc0_by_its_own_usage_and_nothing_else(access: object) -> None:
    found = media(row(image(usage={"access": access}), image(usage=None)))
    assert summary(found).count == 2
    assert summary(found).cc0_image_count == 0
    assert summary(found).thumbnail_url is None
    assert images(found) == ()


def test_sixteen_media_with_two_models_are_fourteen_images() -> None:
    model = {"type": "3d_voyager", "voyagerId": "3d_package:x", **CC0}
    model |= {"content": "https://3d-api.si.edu/voyager/3d_package:x"}
    told = summary(media(row(*[image()] * 14, model, model, mediaCount="16")))
    assert (told.count, told.cc0_image_count, len(told.non_image_media)) == (16, 14, 2)
    assert told.non_image_media[0].url == "https://3d-api.si.edu/voyager/3d_package:x"
    assert told.non_image_media[0].is_cc0


def test_a_model_alone_lends_its_thumbnail() -> None:
    scene = "https://3d-api.si.edu/content/document/3d_package:x/scene-image-thumb.jpg"
    files = [{"url": "https://3d-api.si.edu/x.zip", "type": "3D mesh"}]
    found = media(row({"type": "3d_voyager", "thumbnail": scene, "resources": files, **CC0}))
    assert thumbnail(found) == scene
    assert summary(found).non_image_media[0].url == "https://3d-api.si.edu/x.zip"


def test_a_husk_counts_nowhere() -> None:
    assert media(row({"type": "Images", **CC0}, {}, None, "x")) == ()


def test_an_image_without_files_is_sized_by_the_image_service() -> None:
    found = only(image(thumbnail=f"{IDS}?id=NPG-1"))
    assert found.thumbnail_url == f"{IDS}?id=NPG-1&max=120"
    assert found.screen_url == f"{IDS}?id=NPG-1&max=800"
    assert found.high_res_jpeg is None


def test_ark_ids_are_sized_too() -> None:
    ark = "ark:/65665/m3dc9bd663358d4053992c2be54b227c6b"
    assert sized(ark, 120) == f"{IDS}?id={ark}&max=120"
    found = only({"content": f"{IDS}/id/{ark}/90", **CC0})
    assert found.media_id == ark
    assert found.screen_url == f"{IDS}?id={ark}&max=800"


def test_an_image_on_another_host_keeps_its_own_addresses() -> None:
    host = "https://collections.nmnh.si.edu/media/?irn=1"
    found = only(image(idsId=host, content=host, thumbnail=f"{host}&thumb=yes"))
    assert found.thumbnail_url == f"{host}&thumb=yes"
    assert found.screen_url == host


def test_files_are_told_apart_by_the_beginning_of_their_label() -> None:
    base = "https://ids.si.edu/ids/download?id=NPG-1"
    found = only(
        image(
            thumbnail=f"{IDS}?id=NPG-1",
            resources=[
                {"label": "High-resolution TIFF (7033x1885)", "url": f"{base}.tif"},
                {"label": "High-resolution JPEG (3000x3000)", "url": f"{base}.jpg"},
                {"label": "Screen Image", "url": f"{base}_screen"},
                {
                    "label": "Thumbnail Image",
                    "url": "http://ids.si.edu/ids/download?id=NPG-1_thumb",
                },
                {"label": "Screen Image", "url": f"{base}_second"},
                {"label": "Screen Image"},
            ],
        )
    )
    assert found.high_res_tiff is not None
    assert (found.high_res_tiff.width, found.high_res_tiff.height) == (7033, 1885)
    assert found.high_res_jpeg is not None
    assert found.high_res_jpeg.width is None  # a square label is the long side twice
    assert found.screen_url == f"{base}_screen"
    assert found.thumbnail_url == f"{base}_thumb"


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ({"width": 3506, "height": 9833}, (3506, 9833)),
        ({"width": "3506", "height": "9833"}, (3506, 9833)),
        ({"width": 3000, "height": 3000}, (3000, 3000)),
        ({"width": 3000}, (None, None)),
        ({"width": 0, "height": -1}, (None, None)),
    ],
)
def test_a_size_is_told_only_when_both_sides_are_known(
    size: dict[str, object], told: tuple[int | None, int | None]
) -> None:
    found = only(image(resources=[{"label": "JPEG", "url": "https://ids.si.edu/x.jpg", **size}]))
    assert found.high_res_jpeg is not None
    assert (found.high_res_jpeg.width, found.high_res_jpeg.height) == told


def test_empty_alternative_texts_are_absent() -> None:
    found = only(image(altTextAccessibility="", extDescrAccessibility="", text_equiv="A propeller"))
    assert found.alt_text == "A propeller"
    assert found.description is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just("https://["),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["type", "idsId", "id", "content", "thumbnail", "resources", "url", "usage"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_odd_media_never_fail_and_always_add_up(odd: object) -> None:
    for place in (
        {"descriptiveNonRepeating": {"online_media": odd}},
        {"online_media": {"media": odd}},
    ):
        found = media({"content": place})
        assert summary(found).count == len(found)
        assert summary(found).cc0_image_count == len(images(found))


MEDIA = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["Images", "3d_voyager", "", None]),
            "idsId": st.sampled_from(["NPG-1", "https://nmnh.si.edu/x", ""]),
            "content": st.sampled_from([f"{IDS}?id=NPG-2", "https://si.edu/x", "x"]),
            "thumbnail": st.sampled_from([f"{IDS}?id=NPG-3", "https://si.edu/small", ""]),
            "usage": st.sampled_from([CC0["usage"], {}]),
            "resources": st.lists(
                st.fixed_dictionaries(
                    {"label": st.sampled_from(["Screen Image", "Thumbnail Image", "TIFF", ""])},
                    optional={"url": st.sampled_from(["https://si.edu/file", "x"])},
                ),
                max_size=3,
            ),
        },
    ),
    max_size=4,
)


@given(MEDIA | JSON)
def test_a_glimpse_sees_what_is_there(odd: object) -> None:
    record = {"content": {"descriptiveNonRepeating": {"online_media": {"media": odd}}}}
    found = media(record)
    assert glimpse(record) == (bool(found), thumbnail(found))


@pytest.mark.captured
def test_both_tools_count_alike_on_every_captured_record() -> None:
    for record in captured_records():
        found = media(record)
        told = summary(found)
        online = record["content"].get("descriptiveNonRepeating", {}).get("online_media", {})
        assert told.count == len(online.get("media", []))
        assert told.count == told.cc0_image_count + len(told.non_image_media)
        assert len(images(found)) == told.cc0_image_count
        assert glimpse(record) == (told.count > 0, told.thumbnail_url)
        for shown in images(found):
            assert shown.thumbnail_url
            assert shown.screen_url
            assert not shown.thumbnail_url.startswith("http://ids.si.edu")
            jpeg = shown.high_res_jpeg
            assert jpeg is None or (jpeg.width is None) == (jpeg.height is None)
