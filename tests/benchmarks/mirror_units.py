"""The units of the made-up corpus: how large each is, how much of it has media, and what it collects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MEDIA_SHARE = 0.36

# Code, prefix of the record's id, thousands of records, per cent with CC0 media, kind, source. Sizes of
# 2020-02 where they were counted, of the time after it where only that is known, else guesses; the kind
# is a group of specimens, "object" or "archive".
_UNITS = """
NMNHBOTANY|nmnhbotany|3800|64|plants|NMNH - Botany Dept.
NMNHINV|nmnhinvertebratezoology|2000|1|invertebrates|NMNH - Invertebrate Zoology Dept.
NMNHPALEO|nmnhpaleobiology|720|4|fossils|NMNH - Paleobiology Dept.
NMNHMAMMALS|nmnhvz|630|14|mammals|NMNH - Vertebrate Zoology - Mammals Division
NMNHENTO|nmnhentomology|820|15|insects|NMNH - Entomology Dept.
NMNHHERPS|nmnhvz|600|1|herps|NMNH - Vertebrate Zoology - Herpetology Division
NMNHBIRDS|nmnhvz|620|1|birds|NMNH - Vertebrate Zoology - Birds Division
NMNHANTHRO|nmnhanthropology|560|10|peoples|NMNH - Anthropology Dept.
NMNHFISHES|nmnhvz|490|1|fishes|NMNH - Vertebrate Zoology - Fishes Division
NMNHMINSCI|nmnhmineralsciences|460|3|minerals|NMNH - Mineral Sciences Dept.
NMNHEDUCATION|nmnheducation|6|66|invertebrates|NMNH - Education & Outreach
NMAH|nmah|1400|20|object|National Museum of American History
CHNDM|chndm|190|90|object|Cooper Hewitt, Smithsonian Design Museum
NPM|npm|60|40|object|National Postal Museum
SAAM|saam|50|90|object|Smithsonian American Art Museum
NMAI|NMAI|140|20|object|National Museum of the American Indian
NASM|nasm|60|40|object|National Air and Space Museum
NPG|npg|26|60|object|National Portrait Gallery
NMAA|fsg|46|90|object|National Museum of Asian Art
NMAAHC|nmaahc|42|90|object|National Museum of African American History and Culture
HMSG|hmsg|13|40|object|Hirshhorn Museum and Sculpture Garden
NMAfA|nmafa|13|30|object|National Museum of African Art
ACM|acm|6|60|object|Anacostia Community Museum
HAC|hac|2|70|object|Smithsonian Gardens
NZP|nzp|1|99|object|Smithsonian's National Zoo & Conservation Biology Institute
SIL|siris_sil|420|5|object|Smithsonian Libraries
SIA|siris_arc|170|20|object|Smithsonian Institution Archives
FBR|fbr_item|12|10|object|Smithsonian Field Book Project
OCIO_DPO3D|dpo|1|99|object|Smithsonian Institution, Digitization Program Office
NAA|naa|230|0|archive|National Anthropological Archives
AAA|aaa|120|0|archive|Archives of American Art
ACAH|acah|120|0|archive|Archives Center, National Museum of American History
CFCHFOLKLIFE|cfch|110|0|archive|Ralph Rinzler Folklife Archives and Collections
EEPA|eepa|60|0|archive|Eliot Elisofon Photographic Archives
AAG|aag|60|0|archive|Archives of American Gardens
HSFA|hsfa|10|0|archive|Human Studies Film Archives
FSA|fsa|40|0|archive|Freer Gallery of Art and Arthur M. Sackler Gallery Archives
NASMAC|nasmac|80|0|archive|National Air and Space Museum Archives
"""

# Kingdom, phyla, then the classes or subjects that most records of such a group hold.
GROUPS: Mapping[str, tuple[str, Sequence[str], Sequence[str]]] = {
    "plants": (
        "Plantae",
        ("Magnoliophyta", "Pteridophyta"),
        ("Dicotyledonae", "Dicotyledonae", "Monocotyledonae", "Pteridophyte", "Lecanoromycetes"),
    ),
    "invertebrates": (
        "Animalia",
        ("Mollusca", "Arthropoda", "Annelida", "Cnidaria", "Echinodermata"),
        (
            "Gastropoda",
            "Gastropoda",
            "Malacostraca",
            "Bivalvia",
            "Polychaeta",
            "Anthozoa",
            "Asteroidea",
        ),
    ),
    "fossils": (
        "Animalia",
        ("Brachiopoda", "Mollusca", "Foraminifera"),
        ("Paleogeneral", "Paleogeneral", "Stratigraphic", "Protists", "Ostracoda"),
    ),
    "mammals": ("Animalia", ("Chordata",), ("Mammals",)),
    "insects": ("Animalia", ("Arthropoda",), ("Insects",)),
    "herps": ("Animalia", ("Chordata",), ("Amphibians", "Amphibians", "Reptiles")),
    "birds": ("Animalia", ("Chordata",), ("Birds",)),
    "fishes": ("Animalia", ("Chordata",), ("Fishes", "Fishes", "Chondrichthyes")),
    "peoples": ("", (), ("Anthropology", "Anthropology", "Archaeology", "Ethnology")),
    "minerals": (
        "",
        (),
        ("Petrology & Volcanology", "Mineralogy", "Mineralogy", "Meteorites", "Sediments"),
    ),
}


@dataclass(frozen=True, slots=True)
class Unit:
    code: str
    prefix: str
    weight: int
    media: float
    kind: str
    source: str


def _units() -> tuple[Unit, ...]:
    """The shares of media are moved together so that all records come to MEDIA_SHARE."""
    rows = [line.split("|") for line in _UNITS.split("\n") if line]
    size = sum(int(row[2]) for row in rows)
    held = sum(int(row[2]) * int(row[3]) for row in rows) / 100
    open_to_it = sum(int(row[2]) for row in rows if row[4] != "archive")
    more = (size * MEDIA_SHARE - held) / (open_to_it - held)
    return tuple(
        Unit(code, prefix, int(weight), _raised(int(media) / 100, more, kind), kind, source)
        for code, prefix, weight, media, kind, source in rows
    )


def _raised(share: float, more: float, kind: str) -> float:
    return 0.0 if kind == "archive" else share + (1 - share) * more


UNITS = _units()


def own_template(kind: str) -> dict[str, Any]:
    """A record of our own wording, for where nothing captured is at hand: the content only."""
    if kind == "archive":
        return {"type": "ead_component", "title": "", "level": "file", "freetext": _ARCHIVE}
    return {
        "descriptiveNonRepeating": {
            "record_ID": "own_1",
            "unit_code": "",
            "title_sort": "",
            "guid": "http://n2t.net/ark:/65665/300000000-0000-4000-8000-000000000000",
            "record_link": "http://n2t.net/ark:/65665/300000000-0000-4000-8000-000000000000",
            "title": {"label": "Title", "content": ""},
            "metadata_usage": {"access": "CC0"},
            "online_media": {"mediaCount": 1, "media": [MEDIA]},
            "data_source": "",
        },
        "indexedStructured": dict.fromkeys(_SPECIMEN if kind in GROUPS else _OBJECT, ""),
        "freetext": _freetext(_NOTED if kind in GROUPS else _TOLD),
    }


def _freetext(entries: str) -> dict[str, list[dict[str, str]]]:
    """`key|label|content` a line."""
    freetext: dict[str, list[dict[str, str]]] = {}
    for line in filter(None, entries.split("\n")):
        key, label, text = line.split("|")
        freetext.setdefault(key, []).append({"label": label, "content": text})
    return freetext


_SPECIMEN = [
    "date",
    "geoLocation",
    "name",
    "place",
    "scientific_name",
    "tax_class",
    "tax_family",
    "tax_kingdom",
    "tax_order",
    "tax_phylum",
    "topic",
    "object_type",
    "common_name",
    "culture",
    "geo_age-era",
    "geo_age-system",
    "strat_formation",
    "online_media_type",
]
_OBJECT = ["date", "object_type", "name", "place", "topic", "culture", "online_media_type"]
MEDIA = {
    "thumbnail": "https://ids.si.edu/ids/deliveryService?id=OWN-1-r1&max=90",
    "idsId": "OWN-1-r1",
    "usage": {"access": "CC0"},
    "guid": "http://n2t.net/ark:/65665/m30000000-0000-4000-8000-000000000000",
    "type": "Images",
    "content": "https://ids.si.edu/ids/deliveryService?id=OWN-1-r1",
}
_NOTED = """
date|Collection Date|
identifier|Accession Number|2030677
identifier|Other Numbers|Field Number : 795
identifier|USNM Number|466243
name|Collector|
name|Determiner|
notes|Record Last Modified|30 Mar 2022
notes|Specimen Count|1
notes|Habitat|open ground beside a wet path under old trees near the stream
notes|Remarks|one of several that were found on the same day along the upper bank and kept together since
physicalDescription|Preparation|Dry
physicalDescription|Sex|Female
objectType|Type Status|holotype
place|Place|
publisher|Published Name|
setName|See more items in|General collection
taxonomicName|Taxonomy|
taxonomicName|Common name|
culture|Culture|
"""
_TOLD = """
date|Date|
identifier|ID Number|2017.0146.01
identifier|accession number|2017.0146
name|Maker|
name|Donor|
notes|Description|made of three parts that fit into each other and can be taken apart for cleaning and for travel
notes|Summary|it came to the museum with the rest of the workshop and shows how such things were made and mended
physicalDescription|Medium|wood
physicalDescription|Dimensions|overall: 12 1/2 in x 5 3/4 in; 31.75 cm x 14.605 cm
creditLine|Credit Line|a gift
objectRights|Restrictions & Rights|CC0
objectType|Object Name|
setName|See more items in|General collection
place|place made|
topic|Topic|
"""
_ARCHIVE = _freetext("""
identifier|Identifier|OWN.1997-02, File 12
unitdate|Date|
creator|Creator|
name|Collection Creator|
topic|Topic|
place|Place|
container|Container|Box 47, Folder 3
scopecontent|Scope and Contents|letters and lists of what was bought and sold on the way with remarks about people and weather
prefercite|Collection Citation|papers of a family that kept everything and gave it to the archives long after
objectType|Type|
""")
