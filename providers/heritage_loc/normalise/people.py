"""Who had a hand in it, and as what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heritage_loc.wire import Raw, first, is_raw, items, mapping, mappings, names

_NOBODY: tuple[str, ...] = ()


def contributors(record: Raw) -> tuple[str, ...]:
    """Names with their role where one is given, each person once.

    The best form differs by age and kind: `creators` of photographs keeps name and role apart,
    `contributor_names` has the role in the name, `contributors` is plain in rows and in an item's
    inner block, but link objects of lower-case names in an item; `contributor` is lower-case always.
    """
    inner = mapping(record.get("item"))
    plain = (
        *(inner.get("contributor_names"), record.get("contributor_names")),
        *(_plain(inner.get("contributors")), _plain(record.get("contributors"))),
    )
    lower = (record.get("contributors"), record.get("contributor"), record.get("creator"))
    found = (*_with_roles(inner), *_with_roles(record))
    return _once(found or first_named(*plain, *lower))


def first_named(*values: object) -> tuple[str, ...]:
    """The names of the first value that has any."""
    return next((found for value in values if (found := names(value))), _NOBODY)


def _plain(value: object) -> list[object]:
    return [item for item in items(value) if not is_raw(item)]


def _with_roles(block: Raw) -> Iterator[str]:
    for creator in mappings(block.get("creators")):
        name, role = first(creator.get("title")), first(creator.get("role"))
        if name:
            yield f"{name} ({role})" if role else name


def _once(found: Iterable[str]) -> tuple[str, ...]:
    """Names stand twice in some records; a closing full stop makes no other person."""
    kept: dict[str, str] = {}
    for name in found:
        kept.setdefault(name.rstrip(" .").casefold(), name)
    return tuple(kept.values())
