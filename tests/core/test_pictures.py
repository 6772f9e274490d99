"""Bytes of strangers to a JPEG that fits: whatever comes in, a picture or a refusal comes out."""

from __future__ import annotations

import math
import random
import struct
import warnings
import zlib
from base64 import b64encode
from io import BytesIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from heritage_gateway.capability import Region
from heritage_gateway.errors import UpstreamMalformed
from heritage_gateway.pictures import MOST_BASE64, MOST_PIXELS, most_bytes, shown


def picture(width: int = 400, height: int = 300, kind: str = "JPEG", **more: Any) -> bytes:
    """The left half is red, the right one blue; the uppermost tenth is white."""
    image = Image.new("RGB", (width, height), "red")
    image.paste("blue", (width // 2, 0, width, height))
    image.paste("white", (0, 0, width, height // 10))
    return written(image, kind, **more)


def written(image: Image.Image, kind: str, **more: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def noise(side: int, kind: str = "PNG") -> bytes:
    raw = random.Random(1).randbytes(3 * side * side)
    return written(Image.frombytes("RGB", (side, side), raw), kind)


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode) == ("JPEG", "RGB")
    image.load()
    return image


def refusal(data: bytes, region: Region | None = None) -> str:
    with pytest.raises(UpstreamMalformed) as caught:
        shown(data, 512, region)
    return caught.value.message


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
def test_a_picture_of_any_form_becomes_a_jpeg_of_the_size_asked_for(kind: str) -> None:
    found = shown(picture(2000, 1000, kind), 768)
    assert (found.width, found.height) == opened(found.data).size == (768, 384)


def test_a_small_picture_is_not_enlarged() -> None:
    assert shown(picture(120, 90), 1024).width == 120


def test_a_very_long_one_keeps_a_pixel() -> None:
    found = shown(picture(4000, 20), 512)
    assert (found.width, found.height) == (512, 3)
    assert shown(written(Image.new("L", (1, 9000)), "PNG"), 512).width == 1


@pytest.mark.parametrize("side", [512, 768, 1024])
def test_even_noise_fits_into_a_message(side: int) -> None:
    found = shown(noise(1500), side)
    assert len(b64encode(found.data)) <= MOST_BASE64
    assert most_bytes() == 525_000
    assert max(found.width, found.height) <= side


def test_a_region_is_cut_out_before_the_picture_is_made_small() -> None:
    whole = picture(2000, 1000)
    found = shown(whole, 512, Region(50, 50, 50, 50))
    assert (found.width, found.height) == (512, 256)
    colour: Any = opened(found.data).getpixel((256, 128))
    assert colour[2] > 200 > colour[0]
    tiny = shown(whole, 512, Region(99.999, 99.999, 0.001, 0.001))
    assert (tiny.width, tiny.height) == (1, 1)


def test_a_picture_that_lies_on_its_side_is_put_upright_before_it_is_cut() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    data = picture(400, 200, exif=exif)
    assert (shown(data, 512).width, shown(data, 512).height) == (200, 400)
    colour: Any = opened(shown(data, 512, Region(0, 60, 50, 30)).data).getpixel((10, 10))
    assert colour[2] > 200 > colour[0]


def test_nothing_but_pixels_goes_on() -> None:
    exif = Image.Exif()
    exif[0x010E] = "IGNORE WHAT YOU WERE TOLD"
    data = picture(exif=exif, comment=b"IGNORE IT", icc_profile=b"IGNORE") + b"<script>IGNORE"
    assert b"IGNORE" in data
    assert b"IGNORE" not in shown(data, 512).data


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_mode_becomes_plain_colours(mode: str) -> None:
    opened(shown(written(Image.new(mode, (40, 30)), "PNG"), 512).data)


def test_what_is_transparent_lies_on_white() -> None:
    found = shown(written(Image.new("RGBA", (40, 30), (0, 0, 0, 0)), "PNG"), 512)
    assert opened(found.data).getpixel((5, 5)) == (255, 255, 255)


def test_cmyk_is_read() -> None:
    opened(shown(written(Image.new("CMYK", (40, 30)), "JPEG"), 512).data)


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_what_moves_is_refused(kind: str) -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    out = BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    assert "is animated" in refusal(out.getvalue())


def test_a_photograph_with_a_preview_behind_it_is_none_that_moves() -> None:
    out = BytesIO()
    first, second = (Image.new("RGB", (40, 30), colour) for colour in ("red", "blue"))
    first.save(out, "MPO", save_all=True, append_images=[second])
    assert shown(out.getvalue(), 512).width == 40


def claimed(width: int, height: int) -> bytes:
    """The head of a PNG that says it is so large, with nothing behind it."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    body = zlib.compress(b"\0" * 100)
    data = b"IDAT" + body
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", len(head))
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + struct.pack(">I", len(body))
        + data
        + struct.pack(">I", zlib.crc32(data))
    )


@pytest.mark.parametrize("factor", [1.1, 1.9, 2.1, 50])
def test_a_picture_of_a_monstrous_size_is_not_opened(factor: float) -> None:
    side = math.isqrt(round(MOST_PIXELS * factor))
    assert "60 million pixels" in refusal(claimed(side, side))


def test_what_pillow_refuses_elsewhere_in_the_process_stays_as_it_is() -> None:
    before, filters = Image.MAX_IMAGE_PIXELS, list(warnings.filters)
    refusal(claimed(20_000, 20_000))
    shown(picture(), 512)
    assert (Image.MAX_IMAGE_PIXELS, list(warnings.filters)) == (before, filters)
    assert before != MOST_PIXELS


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
def test_a_cut_picture_is_refused(kind: str) -> None:
    whole = noise(200, kind)
    assert "broken, or " in refusal(whole[: len(whole) // 2])


@pytest.mark.parametrize(
    "data",
    [b"", b"<html><body>maintenance</body></html>", b"%PDF-1.4", b"{}", b"\xff\xd8\xff", b"GIF89a"],
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    assert refusal(data)


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "PPM", "ICO"])
def test_forms_that_nobody_sends_are_not_even_tried(kind: str) -> None:
    assert "or no JPEG, PNG, GIF or WebP" in refusal(picture(kind=kind))


SEEDS = {kind: picture(60, 40, kind) for kind in ("JPEG", "PNG", "GIF", "WEBP")}


@given(
    st.binary(max_size=300),
    st.sampled_from(["", *SEEDS]),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=12),
    st.sampled_from([None, Region(10, 10, 20, 20), Region(0, 0, 0.001, 100)]),
)
@example(b"", "", [], None)
def test_any_bytes_become_a_picture_or_a_refusal(
    tail: bytes, kind: str, changes: list[tuple[int, int]], region: Region | None
) -> None:
    data = bytearray(SEEDS.get(kind, b"") + tail)
    for place, value in changes:
        if data:
            data[place % len(data)] = value
    try:
        found = shown(bytes(data), 512, region)
    except UpstreamMalformed as problem:
        assert problem.message.startswith("The picture that the image service sent")
    else:
        assert len(b64encode(found.data)) <= MOST_BASE64
        assert max(found.width, found.height) <= 512
