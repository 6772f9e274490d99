"""Rows, records, pages and headings as the Library of Congress sends them, written for the tests.

The shapes are those of captured answers: keys, value types that vary with age and kind, addresses
without a scheme, gaps. Ids, names, titles, dates, places, headings and numbers are facts and are
restated; every sentence of prose, the text of newspaper pages included, was written for this project.
`map-of-the-tests` is invented from end to end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Card = dict[str, Any]

_SITE = "https://www.loc.gov"
_TILE = "https://tile.loc.gov"


def _row(name: str, title: str, kind: str, date: str, **more: Any) -> Card:
    """A row of a search for something that has a record; `more` replaces and adds."""
    address = f"http://www.loc.gov/item/{name}/"
    return {
        "access_restricted": False,
        "aka": [address],
        "campaigns": [],
        "date": date,
        "dates": [date],
        "description": [],
        "digitized": True,
        "extract_timestamp": "2024-01-04T04:00:00.000Z",
        "group": ["catalog"],
        "hassegments": False,
        "id": address,
        "image_url": [],
        "index": 1,
        "language": ["english"],
        "mime_type": ["image/jpeg"],
        "online_format": ["image"],
        "original_format": [kind],
        "other_title": [],
        "partof": [],
        "resources": [],
        "shelf_id": name,
        "subject": [],
        "timestamp": "2024-01-04T04:39:26.516Z",
        "title": title,
        "url": f"{_SITE}/item/{name}/",
    } | more


# -- things of the catalogue ---------------------------------------------------------------------------

CARD = _row(
    "2007680728",
    "[John Morrill, Boston Beaneaters, baseball card portrait]",
    "photo, print, drawing",
    "1888-01-01",
    aka=[
        "http://www.loc.gov/pictures/collection/bbc/item/2007680728/",
        "https://hdl.loc.gov/loc.pnp/bbc.0550b",
        "http://www.loc.gov/item/2007680728/",
    ],
    contributor=["allen & ginter"],
    dates=["1888-01-01T00:00:00Z"],
    description=["1 print : chromolithograph."],
    image_url=[
        f"{_TILE}/storage-services/service/pnp/bbc/0500/0550/0550f_150px.jpg#h=150&w=81",
        f"{_TILE}/storage-services/service/pnp/bbc/0500/0550/0550fr.jpg#h=640&w=346",
    ],
    item={
        "call_number": "LOT 13163-06, no. 1 [P&P]",
        "created_published": "1888.",
        "created_published_date": "1888.",
        "creators": [
            {
                "link": "//www.loc.gov/pictures/related/?fi=name&q=Allen%20%26%20Ginter&co=bbc",
                "role": "sponsor",
                "title": "Allen & Ginter",
            }
        ],
        "date": "1888.",
        "format": ["still image"],
        "genre": ["Baseball cards--1880-1890", "Chromolithographs--Color--1880-1890"],
        "id": "2007680728",
        "language": ["eng"],
        "link": "//www.loc.gov/pictures/item/2007680728/",
        "medium": ["1 print : chromolithograph."],
        "notes": ['The name stands on the card as "Morrell".', "Staff of the Library made up the title."],
        "other_title": ["Card set: Allen & Ginter World's Champions (N29)"],
        "part_of": "Baseball cards from the Benjamin K. Edwards Collection",
        "repository": "Library of Congress Prints and Photographs Division Washington, D.C. 20540 USA",
        "reproduction_number": "LC-DIG-bbc-0550f (front)\nLC-DIG-bbc-0550b (back)",
        "resource_links": ["//hdl.loc.gov/loc.pnp/bbc.0550f", "//hdl.loc.gov/loc.pnp/bbc.0550b"],
        "restriction": "The cards are too fragile to be handed out.",
        "rights_advisory": "No known restrictions on publication.",
        "rights_information": "No known restrictions on publication.",
        "sort_date": "1888",
        "source_collection": ["Baseball cards from the Benjamin K. Edwards Collection"],
        "subject_headings": [
            "Morrill, John (Team member)",
            "Boston Beaneaters (Baseball team)",
            "Baseball players--Massachusetts--Boston--1880-1890",
        ],
        "title": "[John Morrill, Boston Beaneaters, baseball card portrait]",
    },
    number_lccn=["2007680728"],
    partof=["lot 13163", "baseball cards", "prints and photographs division"],
    resources=[
        {
            "caption": "front",
            "files": 1,
            "image": f"{_TILE}/storage-services/service/pnp/bbc/0500/0550/0550fr.jpg",
            "url": f"{_SITE}/resource/bbc.0550f/",
        }
    ],
    subject=["baseball players", "massachusetts", "boston", "boston beaneaters (baseball team)"],
    type=["photo, print, drawing"],
)  # fmt: skip

MAP = _row(
    "sanborn00192_001",
    "Sanborn Fire Insurance Map from Arkadelphia, Clark County, Arkansas.",
    "map",
    "1886-06",
    aka=[
        "http://www.loc.gov/item/sanborn00192_001/",
        "http://hdl.loc.gov/loc.gmd/g4004am.g001921886",
        "http://www.loc.gov/resource/g4004am.g001921886/",
    ],
    dates=["1886-06-01T00:00:00Z", "1886-01-01T00:00:00Z"],
    description=["Jun 1886.   2."],
    hassegments=True,
    item={
        "created_published": "Sanborn Map Company, Jun 1886",
        "digital_id": ["http://hdl.loc.gov/loc.gmd/g4004am.g001921886"],
        "format": "cartographic",
        "language": "English",
        "notes": [" Jun 1886. ", " 2. "],
        "repository": "Library of Congress Geography and Map Division Washington, D.C. 20540-4650 USA",
        "title": "Sanborn Fire Insurance Map from Arkadelphia, Clark County, Arkansas.",
    },
    location=["arkansas", "arkadelphia", "clark county"],
    partof=["american memory", "sanborn maps", "geography and maps division"],
    resources=[
        {
            "files": 2,
            "image": f"{_TILE}/storage-services/service/gmd/gmd400m/g4004m/g4004am/g001921886/00192_1886-0001.gif",
            "segments": 2,
            "url": f"{_SITE}/resource/g4004am.g001921886/",
        }
    ],
    site=["ammem"],
    subject=["insurance maps", "arkansas"],
)

BOUNDARY = _row(
    "map-of-the-tests",
    "Sketch of a boundary",
    "map",
    "1769",
    dates=["1769-01-01T00:00:00Z"],
    contributor_names=[],
    creator=None,
    item={
        "created_published": ["[1769?]"],
        "call_number": ["G0000 1769 .T4"],
        "medium": ["map, on sheet 39 x 29 cm."],
        "notes": ["Drawn with pen and ink.", "The title stands on the back."],
        "subjects": ["New Jersey--Boundaries--New York (State)"],
        "title": "Sketch of a boundary",
    },
    location=["new jersey", "new york (state)", "united states"],
    rights=["<p>\r\nMaps of this age are free of rights; please name the Geography &amp; Map Division.</p>"],
    subject=["new jersey", "boundaries", "new york (state)", "maps, manuscript", "early works to 1800"],
)  # fmt: skip

SONG = _row(
    "lomaxbib000097",
    "Christopher Columbo",
    "sound recording",
    "1939-04-09",
    aka=["http://www.loc.gov/item/lomaxbib000097/", "https://hdl.loc.gov/loc.afc/afcss39.2589a1"],
    contributor=["jones, john b.", "lomax, ruby t. (ruby terrill)"],
    dates=["1939-04-09T00:00:00Z"],
    item={
        "call_number": ["AFC 1939/001: AFS 02589a01"],
        "contributors": [
            "Lomax, John A. (John Avery), 1867-1948 (Collector)",
            "Lomax, Ruby T. (Ruby Terrill) (Collector)",
            "Jones, John B. (Performer)",
        ],
        "created_published": ["Houston, Texas, April 9, 1939"],
        "date": "19390409",
        "format": "sound recording",
        "genre": ["Music", "Songs"],
        "language": ["eng"],
        "location": ["United States -- Texas -- Harris County -- Houston"],
        "medium": ["sound disc : analog, 78 rpm ; 12 in."],
        "notes": ["John B. Jones sings; the disc was cut at the house of Kate W. Jones."],
        "repository": "American Folklife Center",
        "rights": "No restrictions are known.",
        "source_collection": "John and Ruby Lomax 1939 Southern States Recording Trip (AFC 1939/001)",
        "subjects": ["Humorous songs", "Folk music--Texas"],
        "title": "Christopher Columbo",
    },
    location=["united states", "harris county", "houston", "texas"],
    mime_type=["application/x-audio"],
    online_format=["audio"],
    partof=["american memory", "john and ruby lomax", "american folklife center"],
    resources=[
        {
            "audio": f"{_TILE}/storage-services/media/ingested/api/loc.afc.afcss39.2589a1.mp3",
            "download_restricted": True,
            "files": 1,
            "media_object_id": "CEA2B42FAC5E0108E0438C93F0280108",
        },
        {
            "audio": f"{_TILE}/storage-services/media/afc/lomax/afc1939001_02589a1.mp3",
            "files": 1,
            "media_object_id": "043434F21E9A0448E0538C93F0280448",
        },
    ],
    subject=["humorous songs", "folk music", "texas"],
    type="sound recording",
)

DIARY = _row(
    "mss119730001",
    "Clara Barton Papers: Diaries and Journals: 1849, Jan. 23-Nov. 5 (includes poems)",
    "manuscript/mixed material",
    "1849-01-23",
    dates=["1849-01-23T00:00:00Z"],
    contributor=["barton, clara"],
    contributor_names=["Barton, Clara, 1821-1912.", "Barton, Clara, 1821-1912."],
    partof=["clara barton papers", "manuscript division"],
    rights=["<p>\n\tReaders judge for themselves what of these papers they may print.\n</p>"],
    subject=["manuscripts"],
)

BOOK = _row(
    "66089554",
    "Renati Des Cartes Specimina philosophiae",
    "book",
    "1644",
    dates=["1644-01-01T00:00:00Z"],
    contributor=["descartes, rené", "courcelles, etienne de"],
    item={
        "call_number": ["B1860 1644 Copy 2 B1845"],
        "contributors": ["Descartes, René, 1596-1650.", "Courcelles, Etienne de, 1586-1659."],
        "created_published": ["Amstelodami, Apud L. Elzevirium, 1644."],
        "date": "1644",
        "language": ["lat"],
        "medium": ["331 p. illus. 21 cm."],
        "subjects": ["Science--Methodology"],
        "title": "Renati Des Cartes Specimina philosophiae",
    },
    language=["latin"],
    online_format=["image", "pdf"],
    partof=["rare book and special collections division"],
    resources=[
        {
            "caption": "Page view",
            "files": 356,
            "image": "http://cdn.loc.gov/service/rbc/rbc0001/2013/2013rosen1432/0001t.gif",
            "pdf": "http://cdn.loc.gov/service/rbc/rbc0001/2013/2013rosen1432/2013rosen1432.pdf",
            "segments": 356,
            "url": f"{_SITE}/resource/rbc0001.2013rosen1432/",
        }
    ],
    subject=["science", "methodology"],
)

# Rows that have no record: a number of the catalogue, a guide, a collection.
NUMBER_ONLY = _row(
    "2004541479",
    "Global books in print",
    "book",
    "2001",
    digitized=False,
    id="http://lccn.loc.gov/2004541479",
    url="//lccn.loc.gov/2004541479",
    aka=["http://lccn.loc.gov/2004541479"],
)
GUIDE: Card = {
    "access_restricted": False,
    "aka": ["https://guides.loc.gov/e-books"],
    "campaigns": [],
    "description": ["Where books can be read on a screen, and by whom."],
    "digitized": True,
    "id": "https://guides.loc.gov/e-books",
    "image_url": [],
    "original_format": ["web page"],
    "title": "Finding E-Books",
    "url": "https://guides.loc.gov/e-books",
}


def _collection(slug: str, title: str, count: int, kind: str, items: str = "", **more: Any) -> Card:
    about = f"www.loc.gov/collections/{slug}/about-this-collection/"
    return {
        "access_restricted": False,
        "aka": [f"http://{about}"],
        "campaigns": [],
        "count": count,
        "date": "1841",
        "dates": ["1841-01-01T00:00:00Z"],
        "description": [f"{count:,} pieces can be seen here; this sentence is ours and cut ..."],
        "digitized": True,
        "group": ["collections-portal"],
        "hassegments": False,
        "id": f"http://{about}",
        "image_url": [f"{_SITE}/static/collections/{slug}/500_500.jpg"],
        "index": 1,
        "items": items or f"{_SITE}/collections/{slug}/",
        "original_format": ["collection", kind],
        "partof": ["digital collections", title.lower()],
        "title": title,
        "type": ["collection"],
        "url": f"https://{about}",
    } | more


COLLECTIONS: tuple[Card, ...] = (
    _collection("aaron-copland", "Aaron Copland Collection", 982, "manuscript/mixed material"),
    _collection("abdul-hamid-ii", "Abdul Hamid II Collection", 1825, "photo, print, drawing"),
    _collection(
        "lincoln-papers",
        "Abraham Lincoln Papers at the Library of Congress",
        20157,
        "manuscript/mixed material",
        "http://memory.loc.gov/ammem/alhtml/malhome.html",
    ),
    _collection("afghanistan-web-archive", "Afghanistan Web Archive", 21, "web archive"),
    _collection(
        "alan-lomax-in-michigan",
        "Alan Lomax Collection of Michigan and Wisconsin Recordings",
        444,
        "sound recording",
    ),
    _collection("john-and-ruby-lomax", "John and Ruby Lomax", 895, "sound recording"),
    _collection(
        "sanborn-maps", "Sanborn Maps", 35000, "map", item={"formats": ["maps"], "total": 50600}
    ),
)

WORKS: tuple[Card, ...] = (
    *(CARD, MAP, BOUNDARY, SONG, DIARY, BOOK, NUMBER_ONLY, GUIDE),
    COLLECTIONS[5],
)


# -- newspapers ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paper:
    lccn: str
    name: str
    place: str
    years: str
    state: str
    city: str
    batch: str
    reel: str
    library: str

    @property
    def title(self) -> str:
        return f"{self.name} ({self.place}) {self.years}"


VALLEY = Paper(
    *("sn92070146", "Imperial Valley press", "El Centro, Calif.", "1907-current", "california"),
    *("el centro", "curiv_ocotillo_ver01", "00414189696"),
    "university of california, riverside; riverside, ca",
)
REDWOOD = Paper(
    *("sn85025570", "The Redwood gazette", "Redwood Falls, Minn.", "1873-1940", "minnesota"),
    *("redwood falls", "mnhi_allemande_ver01", "00199919982"),
    "minnesota historical society; saint paul, mn",
)
PAPERS = (
    VALLEY,
    REDWOOD,
    Paper(
        *("sn83045462", "Evening star", "Washington, D.C.", "1854-1972", "district of columbia"),
        *("washington", "dlc_1_ver01", "00280654000", "library of congress, washington, dc"),
    ),
    Paper(
        *("sn84027621", "The Ocala evening star", "Ocala, Fla.", "1895-1943", "florida"),
        *("ocala", "fu_1_ver01", "00295878000", "university of florida"),
    ),
)


@dataclass(frozen=True)
class Print:
    """A page of a newspaper: where it is, and what is read on it."""

    paper: Paper
    day: str
    told_day: str
    number: int
    segment: str
    text: str
    snippet: str = ""

    @property
    def issue(self) -> str:
        return f"{self.paper.lccn}/{self.day}/ed-1"

    @property
    def path(self) -> str:
        """Where its text lies at the text service."""
        paper = self.paper
        owner = paper.batch.partition("_")[0]
        return (
            f"/service/ndnp/{owner}/batch_{paper.batch}/data/{paper.lccn}/{paper.reel}"
            f"/{self.day.replace('-', '')}01/{self.segment}.xml"
        )

    @property
    def picture(self) -> str:
        service = self.path.removesuffix(".xml").strip("/").replace("/", ":")
        return f"{_TILE}/image-services/iiif/{service}"

    @property
    def title(self) -> str:
        return f"Image {self.number} of {self.paper.name} ({self.paper.place}), {self.told_day}"


_CLARA = Print(
    VALLEY,
    "1924-11-20",
    "November 20, 1924",
    6,
    "1270",
    "WILSON LETTERS\n"
    "William Allen White, the editor of Emporia, stands by his book and by its chap-\n"
    "ter on the letters.\n"
    "CIRCUS COMES MONDAY\n"
    "Seats for the grand stand are for sale at the Valley Drug Co.\n"
    "FREAK ACCIDENT IN STUDIO\n"
    "A platinum ring and a buckle of metal did the work of an induction coil, and Clara\n"
    "Bow, ingenue film actress, was burned on one finger at the filming of a scene to-\n"
    "night. The current came from a lamp that stood too near the platform.",
    "... did the work of an induction coil, and [[tag]]Clara[[/tag]] [[tag]]Bow[[/tag]], ingenue "
    "film actress, was burned on one finger at the filming ...",
)
_REDWOOD_TEXTS = (
    "THE REDWOOD GAZETTE\nThe president has signed the tariff bill, ſo the wire ſays.",
    "Letters to the president\nFarmers of the county write that wheat does not pay.",
    "Wheat, oats and flax\nPrices at the mill on Wedneſday.",
    "A fair will be held in the fall.\nThe president of the fair board asks for stock.",
    "",
    "Notices and sales\nA good cow is to be sold.",
    "The president of the bank has gone to St. Paul.\nHe will be back by Sun-\nday.",
    "Trains leave at six and at noon.",
)
PRINTS: tuple[Print, ...] = (
    _CLARA,
    *(
        Print(REDWOOD, "1894-06-07", "June 7, 1894", number, f"{number:04}", text)
        for number, text in enumerate(_REDWOOD_TEXTS, 1)
    ),
)


def _place(paper: Paper) -> Card:
    return {
        "location": [paper.city, paper.state, "united states"],
        "location_city": [paper.city],
        "location_country": ["united states"],
        "location_state": [paper.state],
    }


def _parts(paper: Paper) -> Card:
    return {
        "number_lccn": [paper.lccn],
        "original_format": ["newspaper"],
        "partof": [paper.title.lower(), "chronicling america"],
        "partof_collection": ["chronicling america"],
        "partof_division": ["serial and government publications division"],
        "partof_title": [paper.title.lower()],
        "site": ["chroniclingamerica"],
        "subject": [paper.city, paper.state, "newspapers", "united states"],
    }


def page_row(page: Print, query: str) -> Card:
    """`query` is echoed into the addresses; a page with a snippet shows it where words were asked."""
    address = f"http://www.loc.gov/resource/{page.issue}/?sp={page.number}"
    words = query.replace(" ", "+")
    echoed = f"&q={words}" if query else ""
    encoded = page.path.replace("/", "%2F")
    service = f"{_TILE}/text-services/word-coordinates-service"
    found = f"q={words}&relevant_snippet=1&" if query else ""
    return {
        "access_restricted": False,
        "aka": [address],
        "batch": [page.paper.batch],
        "campaigns": [],
        "contributor": [page.paper.library],
        "date": page.day,
        "dates": [page.day],
        "description": [page.text.replace("\n", " ")] if page.text else [],
        "digitized": True,
        "hassegments": False,
        "id": address,
        "image_url": [
            f"{page.picture}/full/pct:6.25/0/default.jpg#h=462&w=365",
            f"{page.picture}/full/pct:12.5/0/default.jpg#h=925&w=730",
            *([f"{service}?segment={page.path}&format=alto_xml"] if page.text else []),
        ],
        "index": 1,
        "language": ["english"],
        **_place(page.paper),
        "number_edition": ["1"],
        "number_page": [f"{page.number:010}"],
        "number_reel": list(page.paper.reel),
        "online_format": ["image", "pdf", "online text"],
        **_parts(page.paper),
        **(
            {"page_coordinate_data": {"height": "29600", "relevant_snippet": page.snippet}}
            if page.snippet and query
            else {}
        ),
        "resources": [{"files": 1, "url": f"{_SITE}/resource/{page.issue}/?sp={page.number}"}],
        "segmentof": [f"http://www.loc.gov/resource/{page.issue}/"],
        "title": page.title,
        "type": ["segment"],
        "url": f"{_SITE}/resource/{page.issue}/?sp={page.number}{echoed}",
        **(
            {"word_coordinates_url": f"{service}?{found}segment={encoded}&format=alto_xml"}
            if page.text
            else {}
        ),
    }


def issue_row(page: Print) -> Card:
    paper = page.paper
    count = sum(other.issue == page.issue for other in PRINTS)
    title = f"{paper.name} ({paper.place}), {page.told_day}"
    return (
        _row(page.issue, title, "newspaper", page.day)
        | _place(paper)
        | _parts(paper)
        | {
            "batch": [paper.batch],
            "contributor": [paper.library],
            "description": [paper.place],
            "item": {
                "call_number": ["Newspaper"],
                "created_published": [f"{paper.place}, {page.told_day}"],
                "date": paper.years[:4],  # the first year of the paper
                "date_issued": page.day,
                "format": ["newspaper"],
                "medium": f"{count} pages",
                "newspaper_title": [paper.name],
                "place_of_publication": paper.place,
                "raw_lccn": f"{paper.lccn[:2]} {paper.lccn[2:]} ",
                "title": title,
            },
            "number_edition": ["1"],
            "resources": [
                {
                    "files": count,
                    "segments": count,
                    "url": f"{_SITE}/resource/{page.issue}/",
                    "word_coordinates": f"{_TILE}/text-services/word-coordinates-service",
                }
            ],
            "type": ["issue"],
        }
    )


def title_row(paper: Paper) -> Card:
    return (
        _row(paper.lccn, paper.title, "newspaper", paper.years[:4])
        | _place(paper)
        | _parts(paper)
        | {"aka": [f"http://lccn.loc.gov/{paper.lccn}"], "item_type": "title", "type": ["title"]}
    )


# -- headings --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    token: str
    label: str
    variants: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    note: str = ""
    use_instead: str = ""


HEADINGS: tuple[Heading, ...] = (
    Heading(
        "sh85021262",
        "Cats",
        ("Cat, Domestic", "Felis catus", "Felis domestica", "Felis silvestris catus"),
        ("sh85047702", "sh85038908"),
        ("sh90003833", "sh2009005683", "sh2004004502"),
        note="For the house cat and its breeds.",
    ),
    Heading("sh85047702", "Felis", narrower=("sh85021262",)),
    Heading("sh85038908", "Domestic animals", narrower=("sh85021262",)),
    Heading("sh90003833", "Working cats", broader=("sh85021262",)),
    Heading("sh2009005683", "Cats with disabilities", broader=("sh85021262",)),
    Heading("sh2004004502", "Trim (Cat)", broader=("sh85021262",)),
    Heading("sh85049843", "Folk music", ("Traditional music",)),
    Heading("sh00003119", "Folk songs, Croatian", ("Croatian folk songs",)),
    Heading("sh85049976", "Folk songs, Finnish", ("Finnish folk songs",)),
    Heading("sh85049998", "Folk songs, Hungarian", ("Hungarian folk songs",)),
    Heading("sh85025312", "Christmas music", ("Christmas--Songs and music",)),
    Heading("sh85119250", "Sea songs", ("Sea shanties", "Shanties")),
    Heading(
        "sh87003768",
        "Gaṇeśa (Hindu deity)",
        note="The same heading is now kept among the names.",
        use_instead="http://id.loc.gov/authorities/names/n2017065815",
    ),
)
