"""Ids as callers give them, to the `url` under which the catalogue keeps a record.

Museum records are `edanmdm:<record ID>`; archives `ead_component:...` and `ead_collection:...`.
Row ids (`ld1-...`, older `edanmdm-...`) change between ingests but are still answered.
"""

from __future__ import annotations

import re

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.lines import cell
from heritage_gateway.text import clip, inline

_MUSEUM = "edanmdm:"
_TYPES = (_MUSEUM, "ead_component:", "ead_collection:")
_ROW_ID = re.compile(r"(?:ld1|edanmdm|ebl|edb|zoo)-")
# Letters, digits, dot, dash and underscore were seen; slashes are documented, the rest is generous.
_ALLOWED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,:;@+=~()/-]*")
_LONGEST = 200
_STOPS = ".,;/"  # no id ends with one; sentences and addresses do
_PREFIX = re.compile(r"(?P<type>[A-Za-z_]+:)?(?P<unit>[A-Za-z]+)_(?P<rest>.+)")
_SMALL = frozenset(
    (
        *("acm", "aaa", "chndm", "chsdm", "eepa", "fbr", "fsg", "hac", "hmsg", "nasm", "nmaahc"),
        *("nmafa", "nmah", "nmnhvz", "nmnhpaleobiology", "nmnhmineralsciences", "npg", "npm"),
        *("nzp", "saam", "siris"),
    )
)
_GREAT = frozenset(("nmai",))
_FINDING_AID = re.compile(
    r"(?P<type>ead_(?:component|collection):)?(?P<name>sova-.+)", re.IGNORECASE
)
_SPACE_NUMBER = re.compile(r"^a(?=[0-9]{8,})")
_HINT = (
    "Give the record_id of a row of smithsonian_search_objects, unchanged; "
    "nasm_A19670093000 is one."
)


def written(record_id: str) -> str:
    """An id within a line of text: as it is, for it is passed on; what is no id, as catalogue text."""
    return record_id if _ALLOWED.fullmatch(record_id) else cell(record_id)


def record_url(given: str) -> str:
    """The `url` of an id. Raises `InvalidRequest` for a blank or malformed one, before any request."""
    name = _spelt(given.strip())
    if not name:
        raise InvalidRequest(Reason.INVALID_ID, "The id is blank.", _HINT)
    segments = re.split(r"[:/]", name)
    if (
        len(name) > _LONGEST
        or not _ALLOWED.fullmatch(name)
        or "//" in name
        or {".", ".."} & set(segments)
        or (":" in name and not name.startswith(_TYPES))
        or name in _TYPES
    ):
        shown = inline(clip(name, 80))
        raise InvalidRequest(Reason.INVALID_ID, f'"{shown}" is not a Smithsonian id.', _HINT)
    if name.startswith(_TYPES) or _ROW_ID.match(name):
        return name
    return f"{_MUSEUM}{name}"


def _spelt(name: str) -> str:
    """As the catalogue spells it, as far as that is known: letter case counts there.

    The museum's part is small ("nasm_"), but for one; what follows is left as it is, save that
    numbers of the air and space museum begin with a capital A. Archival ids are small throughout.
    """
    if "//" in name or {".", ".."} & set(re.split(r"[:/]", name)):
        return name
    bare = name.rstrip(_STOPS)
    colon = bare.find(":") + 1
    if bare[:colon].lower() in _TYPES:
        bare = bare[:colon].lower() + bare[colon:]
    if _FINDING_AID.fullmatch(bare):
        return bare.lower()
    match = _PREFIX.fullmatch(bare)
    unit = match["unit"].lower() if match else ""
    if match is None or not (unit in _SMALL or (unit in _GREAT and match["rest"].isdigit())):
        return bare
    rest = _SPACE_NUMBER.sub("A", match["rest"], count=1) if unit == "nasm" else match["rest"]
    return f"{match['type'] or ''}{unit.upper() if unit in _GREAT else unit}_{rest}"
