"""Pictures as strangers send them, to a checked JPEG that fits into a message; the one room with Pillow.

Every picture is decoded and written anew, so that nothing but its pixels goes on: no comment, no
embedded text, no second file behind it. What is animated, too large, broken or no picture is refused.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from io import BytesIO
from threading import Lock

from PIL import Image, ImageOps

from heritage_gateway.capability import Region
from heritage_gateway.errors import UpstreamMalformed

MOST_BASE64 = 700_000  # bytes of base64: clients refuse messages of more than a megabyte
MOST_PIXELS = 60_000_000  # of what comes in: 180 MB when decoded
_FORMATS = ("JPEG", "PNG", "GIF", "WEBP")
_QUALITIES = (85, 75, 65, 50)
_SHRINK = 0.8
_TOO_LARGE = f"has more than {MOST_PIXELS // 1_000_000} million pixels, and is not opened"
_MARGIN = 2  # times the size asked for: what JPEG scaling while reading may not go below

# What is to be done with warnings is the whole process's, so it is changed by one thread at a time.
_OPENING = Lock()


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A JPEG and its size in pixels."""

    data: bytes
    width: int
    height: int


def most_bytes(base64: int = MOST_BASE64) -> int:
    """How many bytes make so much base64."""
    return base64 // 4 * 3


def shown(data: bytes, longest: int, region: Region | None = None) -> Jpeg:
    """The picture, or a region of it, with a longest side of at most so many pixels; never enlarged.

    Raises `UpstreamMalformed` for whatever is no single picture of a readable size.
    """
    try:
        return _written(_read(data, longest, region), longest)
    except UpstreamMalformed:
        raise
    except Exception:  # noqa: BLE001 - decoders fail in every way that bytes can be wrong
        raise _refused("is broken, or cut off in the middle") from None


def _read(data: bytes, longest: int, region: Region | None) -> Image.Image:
    with _opened(data) as image:
        if image.width * image.height > MOST_PIXELS:
            raise _refused(_TOO_LARGE)
        # a JPEG with a preview beside it counts as several frames too
        if image.format in {"PNG", "GIF", "WEBP"} and getattr(image, "is_animated", False):
            raise _refused("is animated, and only a single one can be shown")
        if image.format == "JPEG" and region is None:
            image.draft("RGB", (_MARGIN * longest, _MARGIN * longest))
        upright = ImageOps.exif_transpose(image)
        part = upright if region is None else upright.crop(_box(upright, region))
        return _opaque(part)


def _opened(data: bytes) -> Image.Image:
    """Its head alone is read, and refused by the library's own guard where it promises far too much."""
    try:
        with _OPENING, warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return Image.open(BytesIO(data), formats=_FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _refused(_TOO_LARGE) from None
    except Exception:  # noqa: BLE001 - as above
        raise _refused("cannot be read: it is broken, or no JPEG, PNG, GIF or WebP") from None


def _box(image: Image.Image, region: Region) -> tuple[int, int, int, int]:
    """The region in pixels, at least one of them."""
    left = min(round(image.width * region.x / 100), image.width - 1)
    top = min(round(image.height * region.y / 100), image.height - 1)
    right = round(image.width * (region.x + region.width) / 100)
    bottom = round(image.height * (region.y + region.height) / 100)
    return (
        left,
        top,
        min(max(right, left + 1), image.width),
        min(max(bottom, top + 1), image.height),
    )


def _opaque(image: Image.Image) -> Image.Image:
    """Three plain channels and nothing else; what is transparent lies on white."""
    if image.has_transparency_data:
        layered = image.convert("RGBA")
        plain = Image.new("RGB", image.size, "white")
        plain.paste(layered, mask=layered.getchannel("A"))
    else:
        plain = image.convert("RGB")
    plain.info = {}
    return plain


def _written(image: Image.Image, longest: int) -> Jpeg:
    """In the best quality that fits, then smaller."""
    side = float(longest)
    while True:
        small = image.copy()
        small.thumbnail((max(1, round(side)), max(1, round(side))), Image.Resampling.LANCZOS)
        for quality in _QUALITIES:
            out = BytesIO()
            small.save(out, "JPEG", quality=quality, optimize=True)
            if out.tell() <= most_bytes():
                return Jpeg(out.getvalue(), small.width, small.height)
        side = _SHRINK * max(small.size)


def _refused(what: str) -> UpstreamMalformed:
    return UpstreamMalformed(
        f"The picture that the image service sent {what}.",
        "The page of the record shows it, if it can be shown.",
    )
