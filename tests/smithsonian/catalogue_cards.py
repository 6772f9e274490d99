"""Records as the catalogue sends them, written for the tests.

The shapes are those of captured records: keys, key order by age, value types, gaps and quirks. Ids,
names, titles, dates, terms and numbers are facts and are restated; every sentence of prose was
written for this project. `dpo_3d_rover`, `nmai_some_free` and `npg_on_loan` are invented from end
to end, `chndm_1974-100-11` but for its id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

Card = dict[str, Any]

_MUSEUMS = {
    "NASM": "National Air and Space Museum",
    "FSG": "Freer Gallery of Art and Arthur M. Sackler Gallery",
    "NMNHMAMMALS": "NMNH - Vertebrate Zoology - Mammals Division",
    "SIA": "Smithsonian Institution Archives",
    "NPG": "National Portrait Gallery",
    "SAAM": "Smithsonian American Art Museum",
    "NMAI": "National Museum of the American Indian",
    "NZP": "Smithsonian's National Zoo & Conservation Biology Institute",
    "FBR": "Smithsonian Field Book Project",
    "CHNDM": "Cooper Hewitt, Smithsonian Design Museum",
}
_DELIVERY = "ids.si.edu/ids/deliveryService?id="
_DOWNLOAD = "https://ids.si.edu/ids/download?id="
CC0 = {"access": "CC0"}


def _entries(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"label": label, "content": content} for label, content in pairs]


def _country(name: str) -> list[Any]:
    return [{"L2": {"type": "Country", "content": name}}]


def _digest(word: str, kind: str) -> str:
    return hashlib.new(kind, word.encode(), usedforsecurity=False).hexdigest()


def _old_image(name: str, long_side: int, alt: str = "") -> Card:
    """As of 2020: http addresses, and the long side told twice in the label."""
    medium: Card = {
        "thumbnail": f"http://{_DELIVERY}{name}",
        "idsId": name,
        "usage": CC0,
        "type": "Images",
        "content": f"http://{_DELIVERY}{name}",
    }
    if alt:
        medium["text_equiv"] = alt
    jpeg = f"High-resolution JPEG ({long_side}x{long_side})"
    return medium | {"resources": _files(name, tiff="High-resolution TIFF", jpeg=jpeg)}


def _new_image(name: str, width: int, height: int) -> Card:
    """As of 2022 and later: sizes as numbers, and texts for the blind that are mostly empty."""
    size = {"width": width, "height": height, "dimensions": f"{width}x{height}"}
    files = _files(name, tiff="High-resolution TIFF", jpeg="High-resolution JPEG")
    return {
        "id": f"media:{name}",
        "type": "Images",
        "idsId": name,
        "usage": CC0,
        "content": f"https://{_DELIVERY}{name}",
        "thumbnail": f"https://{_DELIVERY}{name}",
        "altTextAccessibility": "",
        "extDescrAccessibility": "",
        "resources": [file | (size if "High" in file["label"] else {}) for file in files],
    }


def _files(name: str, **high: str) -> list[Card]:
    ends = {"tiff": ".tif", "jpeg": ".jpg"}
    return [
        *({"label": high[kind], "url": f"{_DOWNLOAD}{name}{ends[kind]}"} for kind in high),
        {"label": "Screen Image", "url": f"{_DOWNLOAD}{name}_screen"},
        {"label": "Thumbnail Image", "url": f"{_DOWNLOAD}{name}_thumb"},
    ]


def _scene(package: str) -> Card:
    return {
        "thumbnail": f"https://3d-api.si.edu/content/document/3d_package:{package}/scene-image-thumb.jpg",
        "content": f"https://3d-api.si.edu/voyager/3d_package:{package}",
        "type": "3d_voyager",
        "voyagerId": f"3d_package:{package}",
        "usage": {"access": "CC0", "codes": "", "text": ""},
    }


def _online(media: Iterable[Card], **more: Any) -> Card:
    listed = list(media)
    return {"mediaCount": len(listed), "media": listed} | more


def _card(
    record: str,
    title: str,
    unit: str,
    *,
    freetext: Card,
    index: Card,
    label: str = "Title",
    row_id: str = "",
    stamp: str = "1582708307",
    **fixed: Any,
) -> Card:
    """A museum record. An older one has `descriptiveNonRepeating` first, a newer one has it last."""
    url = f"edanmdm:{record}"
    new = row_id.startswith("ld1-")
    source = fixed.pop("data_source", _MUSEUMS.get(unit, unit))
    parts = {
        "descriptiveNonRepeating": {
            "record_ID": record,
            **fixed,
            "unit_code": unit,
            "title_sort": title.upper(),
            "title": {"label": label, "content": title},
            "metadata_usage": CC0,
            "data_source": source,
        },
        "indexedStructured": index,
        "freetext": freetext | {"dataSource": _entries(("Data Source", source))},
    }
    if new:
        parts = dict(reversed(parts.items()))
    return {
        "id": row_id or url.replace(":", "-"),
        "title": title,
        "unitCode": unit,
        "type": "edanmdm",
        "url": url,
        "content": parts,
        "hash": _digest(url, "sha1"),
        "docSignature": _digest(url, "md5") if new else f"{_digest(title, 'sha1')}_{_digest(url, 'md5')}",
        "timestamp": stamp,
        "lastTimeUpdated": stamp,
        "version": "",
    }  # fmt: skip


VEGA = _card(
    "nasm_A19670093000",
    "Lockheed Vega 5B, Amelia Earhart",
    "NASM",
    label="Object Name",
    record_link="https://airandspace.si.edu/collection/id/nasm_A19670093000",
    guid="http://n2t.net/ark:/65665/nv908b322a7-9925-4071-b2b2-26a162dc0fce",
    online_media=_online(
        (
            _old_image("NASM-A19670093000-NASM2018-10363-000001", 8688, "The red Vega seen whole"),
            _old_image("NASM-A19670093000-NASM2018-10364-000001", 8688, "Tail of the red Vega"),
            _old_image("NASM-A19670093000-NASM2018-10365-000001", 7104, "One wing, close by"),
        )
    ),
    index={
        "date": ["1920s"],
        "geoLocation": _country("United States of America"),
        "object_type": ["Aircraft"],
        "name": ["Earhart, Amelia", "Lockheed Aircraft Company"],
        "place": ["United States of America"],
        "usage_flag": ["Women", "Aviation", "People", "Records & Firsts"],
        "online_media_type": ["Images"],
    },
    freetext={
        "setName": _entries(("See more items in", "National Air and Space Museum Collection")),
        "date": _entries(("Date", "1927-1929")),
        "identifier": _entries(("Inventory Number", "A19670093000")),
        "notes": _entries(
            ("Physical Description", "A single-engined cabin monoplane of wood, painted red; registration NR7952."),
            ("Summary", "With this machine Earhart crossed the Atlantic alone in May 1932, from Newfoundland to a pasture in Northern Ireland."),
            ("Summary", "Three months later it carried her from coast to coast of the United States without a landing."),
            ("Long Description", "Jack Northrop drew the Vega, and Lockheed sold it from 1927 on. A shell of glued veneer made struts and wires needless, so it was quick for its day."),
            ("Long Description", "Her own example was rebuilt after it tipped over on landing, and got a fresh hull, larger tanks and a stronger engine before the ocean flight."),
            ("Long Description", "The flight lasted not quite fifteen hours. A split seam in the exhaust showed flame all night, ice formed on the wings, and the altimeter gave out."),
            ("Long Description", "She sold the aeroplane in 1933 to the Franklin Institute of Philadelphia, from which it came to Washington."),
            ("Alternate Name", "Lockheed Vega 5B <i>Little Red Bus</i>"),
            ("Brief Description", "The red monoplane of two of Amelia Earhart's records of 1932."),
        ),
        "creditLine": _entries(("Credit Line", "Gift of the Franklin Institute")),
        "name": _entries(("Pilot", "Amelia Earhart"), ("Manufacturer", "Lockheed Aircraft Company")),
        "place": _entries(("Country of Origin", "United States of America")),
        "physicalDescription": _entries(
            ("Materials", "Fuselage: wooden monocoque"),
            ("Materials", "Wings: wooden cantilever"),
            ("Dimensions", "Wingspan: 12.49 m (41ft.)"),
            ("Dimensions", "Length: 8.38 m (27ft. 6in.)"),
        ),
        "objectRights": _entries(("Restrictions & Rights", "CC0")),
        "objectType": _entries(("Type", "CRAFT-Aircraft")),
    },
)  # fmt: skip

COLUMBIA = _card(
    "nasm_A19700102000",
    "Command Module, Apollo 11",
    "NASM",
    label="Object Name",
    record_link="https://airandspace.si.edu/collection/id/nasm_A19700102000",
    online_media=_online(
        (
            *(_old_image(f"NASM-A19700102000-NASM2016-0{number}", 3000) for number in range(4272, 4286)),
            _scene("d8c63e8a-4ebc-11ea-b77f-2e728ce88125"),
            _scene("d8c6457e-4ebc-11ea-b77f-2e728ce88125"),
        )
    ),
    index={
        "exhibition": [{"building": "HAZY"}],
        "geoLocation": _country("United States of America"),
        "object_type": ["Manned spacecraft"],
        "name": ["Collins, Michael", "Armstrong, Neil A.", "Aldrin, Buzz", "North American Rockwell"],
        "onPhysicalExhibit": ["Yes"],
        "place": ["United States of America"],
        "usage_flag": ["Space", "Moon", "Apollo Program"],
        "online_media_type": ["Full text documents", "Images"],
    },
    freetext={
        "setName": _entries(
            ("See more items in", "National Air and Space Museum Collection"),
            ("Location", "Steven F. Udvar-Hazy Center in Chantilly, VA"),
            ("Hangar", "Boeing Aviation Hangar"),
        ),
        "identifier": _entries(("Inventory Number", "A19700102000")),
        "notes": _entries(
            ("Summary", "Three men lived in this capsule on the first voyage to the surface of the Moon, and it alone came back."),
            ("Alternate Name", "<i>Columbia</i>"),
            ("Brief Description", "Cabin of Apollo 11, called <i>Columbia</i> by its crew."),
        ),
        "creditLine": _entries(("Credit Line", "Transferred from NASA")),
        "name": _entries(
            ("Astronaut", "Buzz Aldrin"),
            ("Astronaut", "Michael Collins"),
            ("Astronaut", "Neil A. Armstrong, 1930 - 2012"),
            ("Manufacturer", "North American Rockwell"),
        ),
        "place": _entries(("Country of Origin", "United States of America")),
        "title": _entries(("Title", "Command Module, Apollo 11")),
        "physicalDescription": _entries(
            ("Materials", "Aluminum alloy, Stainless steel, Titanium"),
            ("Dimensions", "271.8 × 391.2cm, 4141.3kg"),
        ),
        "objectRights": _entries(("Restrictions & Rights", "CC0")),
        "objectType": _entries(("Type", "SPACECRAFT-Manned")),
    },
    stamp="1583226712",
)  # fmt: skip

THUNDER_GOD = _card(
    "fsg_F1900.47",
    "Thunder god",
    "FSG",
    row_id="ld1-1643390182193-1643390183699-0",
    record_link="https://asia.si.edu/object/F1900.47/",
    online_media=_online(
        (_new_image("FS-F1900.47_001", 3506, 9833), _new_image("FS-F1900.47_002", 4295, 9700))
    ),
    index={
        "date": ["1700s", "1710s", "1840s", "1610s"],
        "name": ["Fenollosa, Ernest Francisco", "Freer, Charles Lang"],
        "place": ["Japan"],
        "topic": ["Charles Lang Freer collection", "Japanese Art", "Ukiyo-e"],
        "culture": ["Japanese"],
        "exhibition": [
            {
                "room": "Gallery 07",
                "building": "Freer",
                "exhibitionTitle": "Japanese Art from the Collection",
            }
        ],
        "geoLocation": _country("Japan"),
        "object_type": ["Paintings"],
        "onPhysicalExhibit": ["Yes"],
        "online_media_type": ["Images"],
    },
    freetext={
        "date": _entries(("Date", "1847"), ("Period", "Edo period")),
        "name": _entries(("Artist", "Katsushika Hokusai 葛飾北斎 (1760-1849)")),
        "notes": _entries(
            ("Label", "Raijin, drummer of storms, leans out of a black cloud."),
            ("Label", "Hokusai was well over eighty when he made the scroll."),
            ("Provenance", "To 1900"),
            ("Provenance", "Ernest Francisco Fenollosa (1853-1908), Japan, to 1900 [1]"),
            ("Provenance", "From 1900 to 1919"),
            ("Provenance", "Charles Lang Freer (1854-1919), bought from the foregoing [2]"),
        ),
        "place": _entries(("Origin", "Japan")),
        "topic": _entries(("Topic", "ukiyo-e"), ("Topic", "Japanese Art")),
        "setName": _entries(("On View", "Gallery 07: Japanese Art from the Collection")),
        "creditLine": _entries(("Credit Line", "Gift of Charles Lang Freer")),
        "identifier": _entries(("Accession Number", "F1900.47")),
        "objectType": _entries(("Type", "Painting")),
        "objectRights": _entries(("Restrictions & Rights", "CC0")),
        "physicalDescription": _entries(
            ("Medium", "Ink and color on paper"),
            ("Dimensions", "H x W (image): 126.9 x 53.8 cm (49 15/16 x 21 3/16 in)"),
        ),
    },
    stamp="1758793013",
)

BAT = _card(
    "nmnhvz_7585998",
    "Saccopteryx bilineata",
    "NMNHMAMMALS",
    label="title",
    record_link="http://n2t.net/ark:/65665/308a4e035-1493-4c97-b60f-9ae7eecfa06a",
    online_media=_online(
        (
            {
                "content": "https://ids.si.edu/ids/deliveryService/id/ark:/65665/m3210a583da18545648754b98630c39922",
                "guid": "http://n2t.net/ark:/65665/m3210a583d-a185-4564-8754-b98630c39922",
                "idsId": "ark:/65665/m3210a583da18545648754b98630c39922",
                "thumbnail": "https://ids.si.edu/ids/deliveryService/id/ark:/65665/m3210a583da18545648754b98630c39922/90",
                "type": "Images",
                "usage": CC0,
            },
        )
    ),
    index={
        "date": ["2000s"],
        "geoLocation": [
            {
                "L1": {"content": "North America", "type": "Continent"},
                "L2": {"content": "Costa Rica", "type": "Country"},
                "L3": {"content": "Limon", "type": "State"},
                "Other": {"content": "Cerro Del Tortuguero", "type": "Locality"},
                "points": {
                    "point": {
                        "latitude": {"content": "10.58", "type": "decimal"},
                        "longitude": {"content": "-83.53", "type": "decimal"},
                    }
                },
            }
        ],
        "name": ["Woodman, N."],
        "online_media_type": ["Images"],
        "place": ["North America", "Costa Rica", "Limon"],
        "scientific_name": ["Saccopteryx bilineata"],
        "tax_class": ["Mammalia"],
        "tax_family": ["Emballonuridae"],
        "tax_kingdom": ["Animalia"],
        "tax_order": ["Chiroptera"],
        "tax_phylum": ["Chordata"],
        "topic": ["Animals", "Mammals"],
    },
    freetext={
        "date": _entries(("Collection Date", "20 Apr 2002")),
        "identifier": _entries(("Accession Number", "2030677"), ("USNM Number", "568481")),
        "name": _entries(("Collector", "N. Woodman"), ("Microhabitat Description", "Roof of a cave")),
        "notes": _entries(("Record Last Modified", "5 Nov 2019"), ("Specimen Count", "1")),
        "physicalDescription": _entries(
            ("Preparation", "Skin"), ("Preparation", "Skull"), ("Sex", "Male")
        ),
        "place": _entries(("Place", "Cerro Del Tortuguero, Limon, Costa Rica, North America")),
        "publisher": _entries(("Published Name", "Saccopteryx bilineata")),
        "setName": _entries(("See more items in", "Vertebrate Zoology"), ("See more items in", "Mammals")),
        "taxonomicName": _entries(("Taxonomy", "Animalia, Chordata, Mammalia, Chiroptera, Emballonuridae")),
    },
    stamp="1581942019",
)  # fmt: skip

ELEPHANT = _card(
    "siris_arc_291918",
    "Views of the National Zoological Park in Washington, DC, showing Elephant",
    "SIA",
    online_media=_online(
        (
            {
                "content": "https://ids.si.edu/ids/deliveryService?id=SIA-SIA2010-2358",
                "idsId": "SIA-SIA2010-2358",
                "thumbnail": "https://ids.si.edu/ids/deliveryService?id=SIA-SIA2010-2358&max=150",
                "type": "Images",
                "usage": {"access": "CC0", "text": ""},
            },
        )
    ),
    index={
        "date": ["1920s", "1910s"],
        "name": [
            {"content": "Gruber, Martin A", "type": "personal_main"},
            {"content": "National Zoological Park (U.S.)", "type": "corporate_subj"},
        ],
        "object_type": ["Archival materials", "Photographs"],
        "online_media_type": ["Images"],
        "topic": ["Animals"],
        "usage_flag": ["Personal Paper Deposit"],
    },
    freetext={
        "date": _entries(("Date", "1919"), ("Date", "C. 1920-1924")),
        "identifier": _entries(("Local number", "SIA RU007355 [SIA2010-2358]")),
        "name": _entries(("Creator", "Gruber, Martin A"), ("Subject", "National Zoological Park (U.S.)")),
        "notes": _entries(("Cite as", "Record Unit 7355, image SIA2010-2358")),
        "objectRights": _entries(
            ("Restrictions & Rights", "Open to readers; please write ahead."),
            ("Restrictions & Rights", "No Copyright - United States"),
        ),
        "objectType": _entries(("Type", "Black-and-white photographs")),
        "topic": _entries(("Topic", "Animals")),
    },
    stamp="1580116221",
)  # fmt: skip

SILHOUETTE = _card(
    "npg_S_NPG.2002.184.54",
    "Unidentified Woman",
    "NPG",
    row_id="ld1-1643399756728-1643399813356-1",
    record_link="https://npg.si.edu/object/npg_S_NPG.2002.184.54",
    index={
        "date": ["1800s", "1810s"],
        "name": ["Bache, William"],
        "topic": ["Women", "Cut-out", "Portraits", "Silhouette"],
        "object_type": ["Silhouettes"],
        "online_media_type": ["Images"],
    },
    freetext={
        "date": _entries(("Date", "c. 1803-12")),
        "name": _entries(
            ("Artist", "William Bache, 22 Dec 1771 - 9 Jul 1845"), ("Sitter", "Unidentified Woman")
        ),
        "notes": _entries(
            ("Exhibition Label", "A lady whose name is lost, cut from paper with the help of a tracing machine."),
            ("Exhibition Label", "Una dama de nombre perdido, recortada en papel."),
        ),
        "topic": _entries(("Topic", "Silhouette\\Cut-out"), ("Topic", "Unidentified Woman: Female")),
        "setName": _entries(("Location", "Currently not on view")),
        "creditLine": _entries(("Credit Line", "Partial gift of Sarah Bache Bloise")),
        "identifier": _entries(("Object number", "S/NPG.2002.184.54")),
        "objectType": _entries(("Type", "Silhouette")),
        "objectRights": _entries(("Restrictions & Rights", "CC0")),
        "physicalDescription": _entries(
            ("Medium", "Cut paper silhouette on paper"), ("Dimensions", 'Sheet: 7.9 × 5.6 cm (3 1/8 × 2 3/16")')
        ),
    },
    stamp="1727437972",
)  # fmt: skip

ROVER = _card(
    "dpo_3d_rover",
    "Model of a rover",
    "OCIO_DPO3D",
    row_id="ld1-1700000000000-1700000000001-0",
    data_source="National Air and Space Museum",
    online_media=_online((_scene("00000000-0000-4000-8000-000000000001"),)),
    index={
        "object_type": ["3D models"],
        "topic": ["Space"],
        "online_media_type": ["3D Models"],
    },
    freetext={
        "notes": _entries(("Summary", "A scanned model, invented for the tests of this project.")),
        "identifier": _entries(("Package", "00000000")),
    },
    stamp="1700000000",
)

STUDENT_PAPER: Card = {
    "id": "ebl-1643208600211-1643208602932-0",
    "title": 'Victor Barnouw, "The Stephens-Catherwood Expeditions in Central America and Yucatan"',
    "unitCode": "NAA",
    "type": "ead_component",
    "url": "ead_component:sova-naa-1974-28-ref832",
    "content": {
        "id": "sova.naa.1974-28_ref832",
        "guid": "https://n2t.net/ark:/65665/nw342ec577a-8e88-4a9f-ae24-5b1afc537d94",
        "type": "ead_component",
        "boost": "1.4",
        "level": "file",
        "title": 'Victor Barnouw, "The Stephens-Catherwood Expeditions in Central America and Yucatan"',
        "freetext": {
            "name": [
                {
                    "flag": ["personal_name", "personal_main", "inherited"],
                    "label": "Collection Creator",
                    "content": "Strong, William Duncan, 1899-1962",
                    "indexedContent": "Strong, William Duncan",
                }
            ],
            "setName": [
                {
                    "label": "See more items in",
                    "content": "William Duncan Strong papers",
                    "indexedContent": "William Duncan Strong papers",
                }
            ],
            "unitdate": [
                {
                    "flag": ["datechar:creation", "normal:1902/1965", "type:inclusive"],
                    "label": "Date",
                    "content": "undated",
                    "indexedContent": "1902/1965",
                }
            ],
            "container": [{"label": "Container", "content": "Box 55"}],
            "dataSource": [
                {
                    "label": "Archival Repository",
                    "content": "National Anthropological Archives",
                    "indexedContent": "National Anthropological Archives",
                }
            ],
            "objectType": [
                {
                    "label": "Type",
                    "content": "Archival materials",
                    "indexedContent": "Archival materials",
                }
            ],
            "scopecontent": [
                {
                    "label": "Scope and Contents",
                    "content": "An essay by a student.\n\nIt follows two travellers of the 1840s.",
                }
            ],
            "accessrestrict": [
                {
                    "flag": ["inherited"],
                    "label": "Collection Restrictions",
                    "content": "The papers may be read.\n\nAn appointment is needed.",
                }
            ],
        },
        "record_id": "NAA.1974-28_ref832",
        "containedIn": [
            {
                "url": "https://sova.si.edu/record/NAA.1974-28",
                "type": "Collection",
                "unittitle": "William Duncan Strong papers",
            },
            {
                "url": "https://sova.si.edu/details/NAA.1974-28#ref826",
                "type": "Series",
                "unittitle": "Teaching materials and course work",
            },
            {
                "url": "https://sova.si.edu/details/NAA.1974-28#ref832",
                "type": "File",
                "unittitle": 'Victor Barnouw, "The Stephens-Catherwood Expeditions in Central America and Yucatan"',
            },
        ],
        "record_link": "https://n2t.net/ark:/65665/nw342ec577a-8e88-4a9f-ae24-5b1afc537d94",
        "collection_id": "NAA.1974-28",
        "metadata_usage": CC0,
        "archival_repository": "NAA",
        "digital_assets_available": "false",
    },
    "hash": _digest("sova-naa-1974-28-ref832", "sha1"),
    "docSignature": f"NAA.1974-28_{_digest('sova-naa-1974-28-ref832', 'md5')}",
    "timestamp": "1660680003",
    "lastTimeUpdated": "1672889150",
    "version": "",
}

EARTH_STANDING = _card(
    "saam_1985.66.227",
    "Aúh-ka-nah-paw-wáh, Earth Standing",
    "SAAM",
    record_link="http://americanart.si.edu/collections/search/artwork/?id=4046",
    online_media=_online((_old_image("SAAM-1985.66.227_1", 1986),)),
    index={
        "date": ["1830s"],
        "object_type": ["Paintings"],
        "culture": ["Indians of North America", "Menominee Indians", "Native Americans"],
        "name": ["Earth Standing", "Catlin, George"],
        "topic": ["Ethnicity", "Older people", "Men", "Portraits"],
        "usage_flag": ["permcoll"],
        "online_media_type": ["Images"],
    },
    freetext={
        "setName": _entries(("Department", "Painting and Sculpture")),
        "date": _entries(("Date", "1831")),
        "identifier": _entries(("Object number", "1985.66.227")),
        "notes": _entries(
            (
                "Luce Center Label",
                ('<p align="left">Catlin painted the elder &ldquo;from life&rdquo;; H<sub>2</sub>O colours &amp; oil, '
                "3 < 4.</p><p>A second paragraph&#58; &uuml;ber alles &lt;i&gt;hinweg&lt;/i&gt;.</p>"),
            ),
        ),
        "creditLine": _entries(("Credit Line", "Gift of Mrs. Joseph Harrison, Jr.")),
        "name": _entries(
            ("Artist", "George Catlin, born Wilkes-Barre, PA 1796-died Jersey City, NJ 1872"),
            ("Sitter", "Earth Standing"),
        ),
        "topic": _entries(("Topic", "Ethnic\\Indian\\Menominee"), ("Topic", "Portrait male\\elderly")),
        "physicalDescription": _entries(
            ("Medium", "oil on canvas"), ("Dimensions", "21 1/8 x 16 1/2 in. (53.6 x 41.9 cm)")
        ),
        "objectRights": _entries(("Restrictions & Rights", "CC0")),
        "objectType": _entries(("Type", "Painting")),
    },
    stamp="1583487412",
)  # fmt: skip

BEADS = _card(
    "NMAI_76890",
    "Bead/beads",
    "NMAI",
    label="Object Name",
    record_type="",
    record_link="http://n2t.net/ark:/65665/ws6b359bd6a-57e7-4ee5-a680-31a17db8de26",
    online_media=_online(
        (
            {
                "thumbnail": "https://ids.si.edu/ids/deliveryService?id=ark:/65665/om8a73e60ce-a91c-48ea-ac51-6aafa50bff17&max=90",
                "idsId": "ark:/65665/om8a73e60ce-a91c-48ea-ac51-6aafa50bff17",
                "usage": CC0,
                "type": "Images",
                "content": "https://ids.si.edu/ids/deliveryService?id=ark:/65665/om8a73e60ce-a91c-48ea-ac51-6aafa50bff17",
            },
        )
    ),
    index={
        "date": [],
        "geoLocation": [
            {
                "L2": {"type": "Country", "content": "Canada"},
                "L3": {"type": "State", "content": "Manitoba"},
                "L5": {"type": "City", "content": "Winnipeg"},
            }
        ],
        "object_type": ["Ornaments", "Jewelry", "Bead/beads"],
        "culture": ["Native Americans"],
        "name": ["Cadzow, Donald A.", "Hudson's Bay Company"],
        "place": ["Canada", "Winnipeg", "Manitoba"],
        "online_media_type": ["Catalog cards", "Images"],
    },
    freetext={
        "identifier": _entries(("Catalog Number", "7/1404"), ("Barcode", "071404.000")),
        "notes": _entries(("Contact Us", "Write to the museum about anything that is amiss here.")),
        "name": _entries(("Culture/People", "Non-Indian"), ("Seller", "Hudson's Bay Company (Hudson Bay Co.)")),
        "place": _entries(("Place", "Winnipeg; Manitoba; Canada")),
        "physicalDescription": _entries(
            ("Object Name", "Bead/beads"), ("Media/Materials", "Glass bead/beads"), ("Techniques", "Unmodified")
        ),
        "objectType": _entries(("Object Type", "Adornment/Jewelry")),
    },
    stamp="1579297422",
)  # fmt: skip

PANDA = _card(
    "nzp_NZP-20190822_001RP",
    "Giant Panda Bei Bei's 4th Birthday",
    "NZP",
    row_id="zoo-1601418305219-1601418322394-0",
    online_media=_online((_new_image("NZP-20190822_001RP", 3000, 2000),)),
    index={},
    freetext={
        "date": _entries(("Creation Date", "2019:08:02 13:40:00.24")),
        "notes": _entries(("Keywords", "National Zoo,Animals,NZP,Panda")),
        "place": _entries(("City", "Washington, D.C."), ("Country", "USA")),
        "objectRights": _entries(("Credit Line", "Roshan Patel, Smithsonian's National Zoo")),
    },
    stamp="1662560354",
)

# Single objects where lists are due, and a number as text.
DIARY = _card(
    "fbr_item_MODSI1318",
    "Smithsonian-Hartford West Indies Expedition, 1937 : diary",
    "FBR",
    row_id="edb-1651773417324-1651773421852-2",
    online_media={
        "mediaCount": "1",
        "media": {
            "type": "Electronic resource",
            "content": "https://siarchives.si.edu/collections/fbr_item_modsi1318",
            "usage": CC0,
        },
    },
    index={
        "date": "1930s",
        "object_type": ["Diaries", "Field notes"],
        "name": {
            "type": "personal_main",
            "content": "Schmitt, Waldo L. (Waldo Lasalle), 1887-1977",
        },
        "topic": ["Zoology"],
        "place": ["West Indies", "Saint Thomas", "Saba"],
        "online_media_type": ["Electronic resource"],
    },
    freetext={
        "date": _entries(("Start Date", "19370303"), ("End Date", "19370417")),
        "identifier": {"label": "Accession #", "content": "SIA RU007231"},
        "notes": {
            "label": "Abstract",
            "content": "Daily entries of a naturalist among islands & reefs.",
        },
        "name": _entries(("Alternate Title", "Diary, March 3 - April 17, 1937")),
        "place": _entries(("Place", "West Indies")),
        "physicalDescription": _entries(
            ("Physical Description", "1 field book"), ("Sublocation", "Box 92")
        ),
        "objectType": _entries(("Object Type", "Field notes")),
    },
    stamp="1579717974",
)

POSTER = _card(
    "chndm_1974-100-11",
    "Poster",
    "CHNDM",
    online_media={},
    index={
        "date": ["1960s"],
        "object_type": ["Posters"],
        "online_media_type": ["Images"],
        "topic": ["graphic design"],
    },
    freetext={
        "identifier": _entries(("Accession Number", "1974-100-11")),
        "objectType": _entries(("Type", "graphic design")),
        "date": _entries(("Date", "1960s")),
    },
)

RESERVED = {"access": "Usage conditions apply", "codes": "", "text": ""}


def _reserved(medium: Card) -> Card:
    return medium | {"usage": RESERVED}


BASKET = _card(
    "nmai_some_free",
    "Basket of which one picture is free",
    "NMAI",
    online_media=_online(
        (_new_image("BASKET-1", 1200, 900), _reserved(_new_image("BASKET-2", 1200, 900)))
    ),
    index={
        "culture": ["Native Americans"],
        "object_type": ["Baskets"],
        "online_media_type": ["Images"],
    },
    freetext={"notes": _entries(("Summary", "Invented for the tests of this project."))},
    stamp="1700000000",
)

ON_LOAN = _card(
    "npg_on_loan",
    "Portrait on loan",
    "NPG",
    record_link="https://npg.si.edu/object/npg_on_loan",
    online_media=_online((_reserved(_new_image("ON-LOAN-1", 800, 1000)),)),
    index={"object_type": ["Paintings on loan"], "online_media_type": ["Images"]},
    freetext={"notes": _entries(("Summary", "Invented for the tests of this project, too."))},
    stamp="1700000000",
)

CARDS: tuple[Card, ...] = (
    *(VEGA, COLUMBIA, THUNDER_GOD, BAT, ELEPHANT, SILHOUETTE, ROVER, STUDENT_PAPER),
    *(EARTH_STANDING, BEADS, PANDA, DIARY, POSTER, BASKET, ON_LOAN),
)
