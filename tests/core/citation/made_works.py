"""A work of each kind, made up of facts of catalogues, and the day on which they were looked at."""

from __future__ import annotations

from datetime import date

from heritage_gateway.capability import Creator, Work

TODAY = date(2026, 10, 8)

PAINTING = Work(
    id="saam_1985.66.307",
    kind="artwork",
    title="A Seminole Woman",
    link="https://n2t.net/ark:/65665/vk76af0328a",
    creators=(Creator("George Catlin, 26 Jul 1796 - 23 Dec 1872", "Artist"),),
    date="1838",
    medium="oil on canvas",
    holder="Smithsonian American Art Museum",
    identifier="1985.66.307",
)
BOOK = Work(
    id="48042060",
    kind="book",
    title="Cosmographia.",
    link="https://www.loc.gov/item/48042060/",
    creators=(
        Creator("Ptolemy, active 2nd century."),
        Creator("Nicolaus Germanus, active 15th century."),
        Creator("D'Angelo, Jacopo.", "translator"),
    ),
    date="1482",
    publisher="Lienhart Holle",
    place="Ulm",
    holder="Library of Congress, Rare Book and Special Collections Division",
    identifier="Incun. 1482 .P8",
)
PAGE = Work(
    id="https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6",
    kind="newspaper_page",
    title="Image 6 of Imperial Valley press (El Centro, Calif.), November 20, 1924",
    link="https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6",
    date="1924-11-20",
    iso="1924-11-20",
    place="El Centro, Calif.",
    container="Imperial Valley press",
    edition="1",
    page="6",
    holder="Library of Congress",
)
SONG = Work(
    id="lomaxbib000097",
    kind="recording",
    title="Christopher Columbo",
    link="https://www.loc.gov/item/lomaxbib000097/",
    creators=(Creator("Jones, John B.", "performer"),),
    date="1939-04-09",
    place="Houston, Texas",
    medium="sound disc: analog, 78 rpm; 12 in",
    holder="Library of Congress, American Folklife Center",
    identifier="AFC 1939/001: AFS 02589a01",
)
MAP = Work(
    id="73691632",
    kind="map",
    title="Lines run in the Jersies",
    link="https://www.loc.gov/item/73691632/",
    date="[1769?]",
    holder="Library of Congress, Geography and Map Division",
)
FOLDER = Work(
    id="ead_component:sova-naa-2011-11-ref424",
    kind="archive",
    title="Women and the Admin. Hierarchy",
    link="https://sova.si.edu/details/NAA.2011-11#ref424",
    creators=(Creator("Silverman, Sydel", "Creator"),),
    date="circa 1978-1979",
    container="Sydel Silverman papers",
    holder="National Anthropological Archives",
    identifier="NAA.2011-11_ref424",
)
PLANE = Work(
    id="nasm_A19700318000",
    kind="object",
    title="Lunar Orbiter, Engineering Mock-up",
    link="https://n2t.net/ark:/65665/nv9fe656352",
    creators=(Creator("Boeing Company", "Manufacturer", is_body=True),),
    medium="Aluminum, mixed metals, phenolics",
    holder="National Air and Space Museum",
    identifier="A19700318000",
)
PHOTOGRAPH = Work(
    id="siris_arc_291918",
    kind="photograph",
    title="Views of the National Zoological Park",
    link="https://collections.si.edu/search/detail/edanmdm:siris_arc_291918",
    creators=(
        Creator("Gruber, Martin A", "Creator"),
        Creator("Lange, Dorothea, 1895-1965", "Photographer"),
        Creator("Unidentified artist", "Artist"),
    ),
    date="c. 1920-1924",
    holder="Smithsonian Institution Archives",
)
BIRD = Work(
    id="nmnhvz_14800560",
    kind="specimen",
    title="Passerculus sandwichensis nevadensis",
    link="https://n2t.net/ark:/65665/34857ca78",
    date="22 Apr 1958",
    holder="National Museum of Natural History, Birds",
    identifier="466243",
)
ATTRIBUTED = Work(
    id="saam_1929.7.188R",
    kind="artwork",
    title="Hercules Holding a Club",
    link="https://n2t.net/ark:/65665/vk7",
    creators=(
        Creator("Giuseppe Cesari, Italian, born Arpino 1568-died Rome 1640", "attributed to"),
    ),
    holder="Smithsonian American Art Museum",
)
WORKS = (PAINTING, BOOK, PAGE, SONG, MAP, FOLDER, PLANE, PHOTOGRAPH, BIRD, ATTRIBUTED)
