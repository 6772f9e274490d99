"""The images of an item or a page: ids of the image service, and files in their sizes; pure.

Addresses are taken apart and never followed: what lies at tile.loc.gov is kept, cdn.loc.gov holds the
same files under the same path, and of all other hosts nothing is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from heritage_gateway.capability import Region
from heritage_loc.wire import Raw, absolute, host, is_raw, items, mapping, mappings, number

_TILE, _CDN = "tile.loc.gov", "cdn.loc.gov"
_SERVICE = re.compile(
    r"/image-services/iiif/(?P<id>(?:service|public|master):[A-Za-z0-9_.,:+-]+)(?:/.*)?"
)
_FILE = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.,+()-]*)+\.(?:jpe?g|png|gif)", re.IGNORECASE)
_STORAGE = "/storage-services"
_SIZE = re.compile(r"h=(?P<h>[0-9]{1,6})&w=(?P<w>[0-9]{1,6})")
_KEYS = ("url", "info", "image", "service_low", "service_medium")


class File(NamedTuple):
    """A picture file at tile.loc.gov; its longest side in pixels, 0 where it is not told."""

    path: str
    longest: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """One image: by the image service in any size, or as files of fixed sizes."""

    service: str = ""
    files: tuple[File, ...] = ()


class Source(NamedTuple):
    """A path at tile.loc.gov; `is_region`: it answers with the region alone."""

    path: str
    is_region: bool


def source(leaf: Leaf, longest: int, region: Region | None) -> Source:
    """Where to get a leaf in about that size, or a region of it."""
    if leaf.service:
        part = "full" if region is None else region.iiif
        path = f"/image-services/iiif/{leaf.service}/{part}/!{longest},{longest}/0/default.jpg"
        return Source(path, is_region=True)
    needed = longest if region is None else longest * 100 / max(region.width, region.height)
    enough = [file for file in leaf.files if file.longest >= needed]
    best = (
        min(enough, key=lambda file: file.longest)
        if enough
        else max(leaf.files, key=lambda file: file.longest)
    )
    return Source(best.path, is_region=region is None)


# -- leaves of an answer -------------------------------------------------------------------------------


def leaves(body: Raw) -> tuple[Leaf, ...]:
    """All images of an item, in the order of its resources and their leaves.

    `files` of a resource is a list of lists, of which each inner one is a leaf, or a mere count.
    """
    block = mapping(body.get("item"))
    resources = [*mappings(body.get("resources"))] or [*mappings(block.get("resources"))]
    own = items(block.get("image_url"))
    found: list[Leaf] = []
    for resource in resources:
        spare: list[object] = [resource]
        spare += () if found else own
        leafed = [items(leaf) for leaf in items(resource.get("files")) if not is_raw(leaf)]
        told = [one for files in leafed if (one := _leaf(files))]
        found += told or [one for one in (_leaf(spare),) if one]
    return tuple(found) or tuple(one for one in (_leaf(own),) if one)


def leaf_of_page(body: Raw) -> Leaf | None:
    """The image of the page that an answer of /resource/ is about."""
    resource = mapping(body.get("resource"))
    return _leaf(tuple(mappings(body.get("page")))) or _leaf((resource,))


def _leaf(values: Sequence[object]) -> Leaf | None:
    found = list(_addresses(values))
    service = next((name for address, _ in found if (name := _service(address))), "")
    files = [File(path, size) for address, size in found if (path := _file(address))]
    return Leaf(service, tuple(files)) if service or files else None


def _addresses(values: Iterable[object]) -> Iterator[tuple[str, int]]:
    for value in values:
        if is_raw(value):
            told = max(number(value.get("height")) or 0, number(value.get("width")) or 0)
            for key in _KEYS:
                yield from (
                    (found, told or size) for found, size in _addresses(items(value.get(key)))
                )
        else:
            address, _, fragment = absolute(value).partition("#")
            match = _SIZE.search(fragment)
            yield address, max(int(match["h"]), int(match["w"])) if match else 0


def _service(address: str) -> str:
    if host(address) != _TILE:
        return ""
    match = _SERVICE.fullmatch(unquote(urlsplit(address).path))
    return match["id"] if match and ".." not in match["id"] else ""


def _file(address: str) -> str:
    """The path at tile.loc.gov of a file there, or of its twin at cdn.loc.gov."""
    where = host(address)
    if where not in {_TILE, _CDN}:
        return ""
    path = urlsplit(address).path
    if where == _TILE:
        path = path.removeprefix(_STORAGE) if path.startswith(f"{_STORAGE}/") else ""
    return f"{_STORAGE}{path}" if _FILE.fullmatch(path) and ".." not in path else ""
