"""Where an item's pages and files are, and what it is related to."""

from __future__ import annotations

from collections.abc import Iterator

from heritage_loc.address import row_address
from heritage_loc.wire import Raw, absolute, first, is_raw, items, mapping, mappings

# Addresses in a resource that are no file or page of it: a search, and a service without its input.
_NO_LINK = frozenset(("search", "word_coordinates", "files", "segments"))
_FILE_KEYS = ("url", "fulltext_service", "info")


def resource_links(body: Raw) -> tuple[str, ...]:
    """Every page and file, each once: pages of resources, their images and documents, all files.

    `files` is a list of lists here and a mere count in a row and in the item's own `resources`.
    """
    block = mapping(body.get("item"))
    inner = mapping(block.get("item"))
    found: dict[str, None] = {}
    resources = [*mappings(body.get("resources")), *mappings(block.get("resources"))]
    resources += [*mappings(body.get("resource")), *mappings(block.get("resource"))]
    for resource in resources:
        found.update(dict.fromkeys(_own(resource)))
    for resource in resources:
        found.update(dict.fromkeys(_files(resource.get("files"))))
    for part in (block, inner):
        found.update(dict.fromkeys(_listed(part.get("resource_links"))))
    return tuple(found)


def _own(resource: Raw) -> Iterator[str]:
    keys = ("url", *(key for key in resource if key != "url" and key not in _NO_LINK))
    for key in keys:
        yield from _listed(resource.get(key))


def _listed(value: object) -> Iterator[str]:
    """Addresses; sizes stand in a fragment of image addresses, and make no other image of them."""
    for item in items(value):
        if address := absolute(item).partition("#h=")[0]:
            yield address


def _files(value: object) -> Iterator[str]:
    """The files of each leaf, however deep they are nested."""
    waiting = [value]
    while waiting:
        entry = waiting.pop()
        if not is_raw(entry):
            waiting += [item for item in reversed(items(entry)) if item is not entry]
        elif address := next((a for key in _FILE_KEYS for a in _listed(entry.get(key))), None):
            yield address


def related_items(body: Raw, *, own: str) -> tuple[str, ...]:
    """What the record itself names first; then what the site finds alike, which is no relation."""
    block = mapping(body.get("item"))
    named = (
        *items(block.get("related_items")),
        *items(mapping(block.get("item")).get("related_items")),
        *items(body.get("related_items")),
    )
    found = dict.fromkeys(name for item in named if (name := _related(item)))
    return tuple(name for name in found if name != own)


def _related(item: object) -> str:
    """Its id, else its address, else its title."""
    if not is_raw(item):
        return row_address({"id": item}).id or first(item) or ""
    return row_address(item).id or first(item.get("title")) or ""


def former_ids(block: Raw, *, own: str) -> tuple[str, ...]:
    """Ids under which it was known; the inner record alone keeps their letter case."""
    inner = mapping(block.get("item"))
    found: dict[str, str] = {}
    for part in (inner, block):
        for value in items(part.get("number_former_id")):
            address = row_address({"id": value})
            name = address.id if address.is_item else (first(value) or "")
            if name and name.lower() != own.lower():
                found.setdefault(name.lower(), name)
    return tuple(found.values())
