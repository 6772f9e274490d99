"""The Smithsonian's units: what their codes mean, and which code people mean by a name.

A unit code is exact and case-sensitive in the index ("NMAfA"). Unknown codes are accepted and echoed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NMNH = "National Museum of Natural History"
_ACM, _NMAH, _NPM = (
    "Anacostia Community Museum",
    "National Museum of American History",
    "National Postal Museum",
)
_FREER_SACKLER = "Freer Gallery of Art and Arthur M. Sackler Gallery"

# Unnamed on purpose, because the sources disagree or are silent: FSA, NASMAC, NMAIA, SAAMPAIK.
NAMES: dict[str, str] = {
    "AAA": "Archives of American Art",
    "AAG": "Archives of American Gardens",
    "ACAH": f"Archives Center, {_NMAH}",
    "ACM": _ACM,
    "ACMA": f"{_ACM} Archives",
    "CFCHFOLKLIFE": "Ralph Rinzler Folklife Archives and Collections",
    "CHNDM": "Cooper Hewitt, Smithsonian Design Museum",
    "CHSDM": "Cooper Hewitt, Smithsonian Design Museum",
    "EEPA": "Eliot Elisofon Photographic Archives",
    "FBR": "Smithsonian Field Book Project",
    "HAC": "Smithsonian Gardens",
    "HMSG": "Hirshhorn Museum and Sculpture Garden",
    "HSFA": "Human Studies Film Archives",
    "NAA": "National Anthropological Archives",
    "NASM": "National Air and Space Museum",
    "NMAA": "National Museum of Asian Art",
    "FSG": _FREER_SACKLER,  # the code of Asian Art until 2025; today's index does not hold it
    "NMAAHC": "National Museum of African American History and Culture",
    "NMAH": _NMAH,
    "NMAI": "National Museum of the American Indian",
    "NMAfA": "National Museum of African Art",
    "NMNHANTHRO": f"{_NMNH}, Anthropology",
    "NMNHBIRDS": f"{_NMNH}, Birds",
    "NMNHBOTANY": f"{_NMNH}, Botany",
    "NMNHEDUCATION": f"{_NMNH}, Education and Outreach",
    "NMNHENTO": f"{_NMNH}, Entomology",
    "NMNHFISHES": f"{_NMNH}, Fishes",
    "NMNHHERPS": f"{_NMNH}, Amphibians and Reptiles",
    "NMNHINV": f"{_NMNH}, Invertebrate Zoology",
    "NMNHMAMMALS": f"{_NMNH}, Mammals",
    "NMNHMINSCI": f"{_NMNH}, Mineral Sciences",
    "NMNHPALEO": f"{_NMNH}, Paleobiology",
    "NPG": "National Portrait Gallery",
    "NPM": _NPM,
    "NPMA": f"{_NPM} Archives",
    "NZP": "Smithsonian's National Zoo & Conservation Biology Institute",
    "OCIO_DPO3D": "Smithsonian 3D Digitization",
    "OFEO-SG": "Smithsonian Gardens",
    "SAAM": "Smithsonian American Art Museum",
    "SI": "Smithsonian Institution",
    "SIA": "Smithsonian Institution Archives",
    "SIL": "Smithsonian Libraries",
    "SILAF": "Smithsonian Libraries, Art and Artist Files",
    "SILNMAHTL": f"Smithsonian Libraries, {_NMAH} Trade Literature",
    "SLA_SRO": "Smithsonian Libraries and Archives, Research Online",
}
UNNAMED = frozenset(("FSA", "NASMAC", "NMAIA", "SAAMPAIK"))
SUPERSEDED = {"FSG": "NMAA", "CHSDM": "CHNDM", "OFEO-SG": "HAC"}  # one museum under two codes

# How records spell the name of their own unit in `data_source`, where it is not the name above.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "NMNH - Anthropology Dept.": ("NMNHANTHRO",),
    "NMNH - Vertebrate Zoology - Birds Division": ("NMNHBIRDS",),
    "NMNH - Botany Dept.": ("NMNHBOTANY",),
    "NMNH - Education & Outreach": ("NMNHEDUCATION",),
    "NMNH - Entomology Dept.": ("NMNHENTO",),
    "NMNH - Vertebrate Zoology - Fishes Division": ("NMNHFISHES",),
    "NMNH - Vertebrate Zoology - Herpetology Division": ("NMNHHERPS",),
    "NMNH - Invertebrate Zoology Dept.": ("NMNHINV",),
    "NMNH - Vertebrate Zoology - Mammals Division": ("NMNHMAMMALS",),
    "NMNH - Mineral Sciences Dept.": ("NMNHMINSCI",),
    "NMNH - Paleobiology Dept.": ("NMNHPALEO",),
    f"{_FREER_SACKLER} Archives": ("FSA",),
    "Smithsonian Institution, Digitization Program Office": ("OCIO_DPO3D",),
    "Smithsonian Libraries": ("SIL", "SILAF", "SILNMAHTL", "SLA_SRO"),
    "Smithsonian Libraries and Archives": ("SIL", "SILAF", "SILNMAHTL", "SLA_SRO"),
    "National Zoological Park": ("NZP",),
    # An archive inside a museum may go by the museum's name; that makes the museum no other holder.
    _ACM: ("ACM", "ACMA"),
    _NMAH: ("NMAH", "ACAH"),
    _NPM: ("NPM", "NPMA"),
    "National Museum of African Art": ("NMAfA", "EEPA"),
    "Smithsonian Gardens": ("HAC", "AAG"),
    "National Museum of the American Indian": ("NMAI", "NMAIA"),
    "National Air and Space Museum": ("NASM", "NASMAC"),
    "Smithsonian American Art Museum": ("SAAM", "SAAMPAIK"),
    _NMNH: tuple(code for code in NAMES if code.startswith("NMNH")),
}

# Words by which a unit is known beside those of its name.
_ALSO: dict[str, str] = {
    "CHNDM": "cooperhewitt",
    "NASM": "udvar hazy aerospace",
    "NMAA": "freer gallery arthur m sackler",
    "NMAAHC": "black",
    "NPG": "portraits",
    "NZP": "zoological park",
    "HMSG": "modern art",
    "HSFA": "films",
    "FBR": "fieldbook",
}
_SMALL_WORDS = frozenset(
    ("a", "an", "and", "at", "for", "in", "museum", "national", "of", "s", "smithsonian", "the")
)
_WORD = re.compile(r"[^\W_]+")


def museum_name(code: str) -> str:
    return NAMES.get(code, code)


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """`code` is None when nothing or too much matches; then `candidates` are for the caller to choose."""

    code: str | None
    candidates: tuple[str, ...] = ()
    exact: bool = False


def resolve(words: str) -> UnitMatch:
    """The unit meant by a code in any letter case, or by words of its name: "freer" is NMAA.

    An exact code always wins. Words that are the whole of a name beat words that are part of several,
    so "american history" is NMAH although NMAAHC's name holds both; "natural history" stays open.
    """
    asked = words.strip()
    codes = (*NAMES, *sorted(UNNAMED))
    if asked in codes:
        return UnitMatch(asked, (asked,), exact=True)
    for code in codes:
        if asked.casefold() == code.casefold():
            return UnitMatch(code, (code,))
    wanted = _telling(asked)
    if not wanted:
        return UnitMatch(None)
    current = {code: known for code, known in _KNOWN.items() if code not in SUPERSEDED}
    whole = tuple(code for code, (name, _) in current.items() if wanted == name)
    found = whole or tuple(code for code, (name, also) in current.items() if wanted <= name | also)
    return UnitMatch(found[0] if len(found) == 1 else None, found)


def holding_museum(unit_code: str, data_source: str) -> str | None:
    """The museum that a record's own data source names, if that is another unit than its code says.

    Spellings differ within one museum, "NMNH - Botany Dept." for one; those name no other museum. A
    source that is in no table counts as another museum only when its name shares no telling word
    with the unit's.
    """
    source = " ".join(data_source.split())
    if not source or source == NAMES.get(unit_code):
        return None
    unit = SUPERSEDED.get(unit_code, unit_code)
    codes = _SOURCES.get(source.casefold(), ())
    if codes:
        if any(SUPERSEDED.get(code, code) == unit for code in codes):
            return None
        return NAMES.get(codes[0], source)
    known = _KNOWN.get(unit_code)
    if known is None or _telling(source) & (known[0] | known[1]) or not _telling(source):
        return None
    return source


def _telling(name: str) -> frozenset[str]:
    """The words that tell one unit from another, without the plural's "s"."""
    found = _WORD.findall(name.casefold())
    return frozenset(word.rstrip("s") or word for word in found if word not in _SMALL_WORDS)


def _known(code: str) -> tuple[frozenset[str], frozenset[str]]:
    also = f"{code[:4] if code.startswith('NMNH') else code} {_ALSO.get(code, '')}"
    return _telling(NAMES[code]), _telling(also)


def _sources() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, name in NAMES.items():
        found[name.casefold()] = (*found.get(name.casefold(), ()), code)
    found.update({name.casefold(): codes for name, codes in _SPELLINGS.items()})
    return found


_KNOWN = {code: _known(code) for code in NAMES}
_SOURCES = _sources()
