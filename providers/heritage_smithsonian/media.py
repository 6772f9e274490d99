"""The media of a record, read once; what is counted and what is delivered come from one list.

Open Access leaves media out that are not CC0, yet each image is judged by its own `usage.access`:
the record's flag speaks of the metadata. `online_media_type: ["Images"]` promises nothing, 147
captured records have it without any media.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import Rights
from heritage_smithsonian.models import MediaImage, MediaSummary, NonImageMedia, Rendition
from heritage_smithsonian.rights import of_image
from heritage_smithsonian.wire import (
    Raw,
    content,
    descriptive,
    is_raw,
    link,
    mapping,
    mappings,
    number,
    raw,
    text,
)

IDS = "https://ids.si.edu/ids/deliveryService"  # the public image service: links are for people
THUMBNAIL, SCREEN = 120, 800  # pixels of the long side, for media that list no files

_SIZE = re.compile(r"\(\s*([0-9]{1,7})\s*[xX×]\s*([0-9]{1,7})\s*\)")


@dataclass(frozen=True, slots=True)
class Medium:
    """One entry of `online_media`."""

    kind: str  # upstream's type: Images, 3d_voyager, Scanned books, ...
    is_image: bool
    is_cc0: bool
    media_id: str
    url: str | None
    thumbnail_url: str | None
    rights: Verdict
    screen_url: str | None = None
    jpeg: Rendition | None = None
    tiff: Rendition | None = None
    alt_text: str | None = None
    description: str | None = None


def media(row: Raw) -> tuple[Medium, ...]:
    """All media, in catalogue order. Entries without any id or address are husks and count nowhere."""
    return tuple(_medium(sighted, row) for sighted in _sighted(row))


def glimpse(row: Raw) -> tuple[bool, str | None]:
    """Are there any `media`, and the `thumbnail` of them: for lists, and read no further than that."""
    found, spare = False, None
    for sighted in _sighted(row):
        found = True
        if sighted.is_cc0 and (address := _thumbnail(sighted)):
            if sighted.is_image:
                return True, address
            spare = spare or address
    return found, spare


def summary(found: tuple[Medium, ...]) -> MediaSummary:
    cc0_images = sum(medium.is_image and medium.is_cc0 for medium in found)
    return MediaSummary(
        count=len(found),
        cc0_image_count=cc0_images,
        has_cc0_images=cc0_images > 0,
        thumbnail_url=thumbnail(found),
        non_image_media=tuple(
            NonImageMedia(type=medium.kind, url=medium.url, is_cc0=medium.is_cc0)
            for medium in found
            if not medium.is_image
        ),
    )


def thumbnail(found: tuple[Medium, ...]) -> str | None:
    """Of the first CC0 image; failing that, of another CC0 medium such as a 3D scene."""
    free = [medium for medium in found if medium.is_cc0 and medium.thumbnail_url]
    free.sort(key=lambda medium: not medium.is_image)
    return free[0].thumbnail_url if free else None


def images(found: tuple[Medium, ...]) -> tuple[MediaImage, ...]:
    """The CC0 images, as many as `summary` counts."""
    return tuple(
        MediaImage(
            media_id=medium.media_id,
            is_cc0=True,
            thumbnail_url=medium.thumbnail_url,
            screen_url=medium.screen_url,
            high_res_jpeg=medium.jpeg,
            high_res_tiff=medium.tiff,
            alt_text=medium.alt_text,
            description=medium.description,
            rights=Rights.of(medium.rights),
        )
        for medium in found
        if medium.is_image and medium.is_cc0
    )


# -- ids of images -------------------------------------------------------------------------------------

_ARK = re.compile(r"ark:/65665/[A-Za-z0-9][A-Za-z0-9._/-]*")
_NAMED = re.compile(r"[A-Z][A-Za-z]{1,12}-[A-Za-z0-9][A-Za-z0-9_.,+()-]*")
_COPY = re.compile(r"(?:_screen|_thumb|\.jpe?g|\.tiff?)$", re.IGNORECASE)
_SERVED = re.compile(r"(?:https?:)?//ids\.si\.edu/", re.IGNORECASE)
_PATH = re.compile(r"/(?:ids/)?(?:iiif|manifest)/(?P<id>[^/]+)")


def image_id(given: str) -> str | None:
    """The id of an image in an id or an address of the image service; None for what is neither.

    Ids of records have an underscore behind the museum's letters, and those of images a hyphen.
    """
    name = given.strip()
    if _ARK.fullmatch(name) or _NAMED.fullmatch(name):
        return name
    match = _SERVED.match(name)
    if match is None:
        return None
    address = f"https://ids.si.edu/{name[match.end() :]}"
    iiif = _PATH.match(_split(address)[0])
    found = unquote(iiif["id"]) if iiif else _COPY.sub("", _delivered_id(address))
    return found if _ARK.fullmatch(found) or _NAMED.fullmatch(found) else None


def image_ids(medium: Medium) -> tuple[str, ...]:
    """The ids by which an image goes: that of the record, and that of its files, which may be another."""
    of_file = image_id(medium.screen_url or "")
    return tuple(dict.fromkeys(name for name in (medium.media_id, of_file) if name))


# -- one entry -----------------------------------------------------------------------------------------


class _Sighted(NamedTuple):
    """What makes an entry a medium, and of which kind."""

    entry: Raw
    kind: str
    image_id: str
    is_image: bool
    is_cc0: bool


def _sighted(row: Raw) -> Iterator[_Sighted]:
    online = descriptive(row).get("online_media") or content(row).get("online_media")
    for entry in mappings(online.get("media") if is_raw(online) else online):
        kind, image_id = text(entry.get("type")), _image_id(entry)
        if image_id or _page(entry) or _any_file(entry):
            is_image = kind == "Images" or (not kind and bool(image_id))
            is_cc0 = mapping(entry.get("usage")).get("access") == "CC0"
            yield _Sighted(entry, kind, image_id, is_image, is_cc0)


def _medium(sighted: _Sighted, row: Raw) -> Medium:
    entry, kind, image_id, is_image, is_cc0 = sighted
    page = _page(entry)
    if not is_image:
        return Medium(
            kind=kind or "Unspecified",
            is_image=False,
            is_cc0=is_cc0,
            media_id=image_id or page,
            url=page or _any_file(entry) or None,
            thumbnail_url=_thumbnail(sighted),
            rights=of_image(row, entry),
        )
    screen = _file(entry, "screen")
    return Medium(
        kind="Images",
        is_image=True,
        is_cc0=is_cc0,
        media_id=image_id or page or _any_file(entry),
        url=page or None,
        thumbnail_url=_thumbnail(sighted),
        rights=of_image(row, entry),
        screen_url=screen.address if screen else sized(image_id, SCREEN) or page or None,
        jpeg=_rendition(_file(entry, "jpeg")),
        tiff=_rendition(_file(entry, "tiff")),
        alt_text=text(entry.get("altTextAccessibility")) or text(entry.get("text_equiv")) or None,
        description=text(entry.get("extDescrAccessibility")) or text(entry.get("caption")) or None,
    )


def _thumbnail(sighted: _Sighted) -> str | None:
    if sighted.is_image:
        if small := _file(sighted.entry, "thumb"):
            return small.address
        if address := sized(sighted.image_id, THUMBNAIL):
            return address
    return _given_thumbnail(sighted.entry)


def _page(entry: Raw) -> str:
    return _link(entry.get("content"))


def _image_id(entry: Raw) -> str:
    """`idsId`, else `id`, else the id in the delivery address; some NMNH ids are whole addresses."""
    given = raw(entry.get("idsId")).strip() or raw(entry.get("id")).strip()
    return given or _delivered_id(_page(entry))


def _delivered_id(address: str) -> str:
    """Both forms occur: `deliveryService?id=X` and `deliveryService/id/ark:/65665/X/90`."""
    if not address.startswith("https://ids.si.edu/"):
        return ""
    parts = _split(address)
    asked = parse_qs(parts[1]).get("id", [""])[0]
    if asked:
        return asked
    path = parts[0].partition("/deliveryService/id/")[2]
    return re.sub(r"/[0-9]{1,4}$", "", path)


def _split(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:  # brackets in a host name, for one
        return "", ""
    return parts.path, parts.query


def sized(image_id: str, pixels: int) -> str | None:
    """The image service's address of an image whose long side has at most so many pixels."""
    if not image_id or "://" in image_id:
        return None
    return f"{IDS}?id={quote(image_id, safe=':/')}&max={pixels}"


def _given_thumbnail(entry: Raw) -> str | None:
    """`thumbnail` is often the full picture: at the image service it is asked for small."""
    address = _link(entry.get("thumbnail"))
    return sized(_delivered_id(address), THUMBNAIL) or address or None


def _link(value: object) -> str:
    address = link(value)
    if address[:18].lower() == "http://ids.si.edu/":  # served by https too; most records are old
        return "https" + address[4:]
    return address


# -- files ---------------------------------------------------------------------------------------------


class _File(NamedTuple):
    address: str
    label: str
    resource: Raw


def _file(entry: Raw, kind: str) -> _File | None:
    """The first file of a kind; 1,276 of 5,143 captured media list none at all."""
    for resource in mappings(entry.get("resources")):
        label = raw(resource.get("label"))
        if _file_kind(label) == kind and (address := _link(resource.get("url"))):
            return _File(address, label, resource)
    return None


def _any_file(entry: Raw) -> str:
    """The address of the first file of whatever kind."""
    found = (_link(resource.get("url")) for resource in mappings(entry.get("resources")))
    return next(filter(None, found), "")


def _file_kind(label: str) -> str:
    """In this order: "High-resolution TIFF" is no JPEG, and 3D files have no label at all."""
    label = label.lower()
    if "tif" in label:
        return "tiff"
    if "jpeg" in label or "jpg" in label or "high-res" in label:
        return "jpeg"
    if "screen" in label:
        return "screen"
    return "thumb" if "thumb" in label else "other"


def _rendition(file: _File | None) -> Rendition | None:
    if file is None:
        return None
    width = number(file.resource.get("width")) or 0
    height = number(file.resource.get("height")) or 0
    if width <= 0 or height <= 0:
        width, height = _labelled_size(file.label)
    return Rendition(url=file.address, width=width or None, height=height or None)


def _labelled_size(label: str) -> tuple[int, int]:
    """Labels of 2020 give the long side twice, "(3000x3000)" for 3000x2000: a square is no size."""
    match = _SIZE.search(label)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    return (width, height) if width and height and width != height else (0, 0)
