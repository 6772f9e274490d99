"""Items and pages as works: imprints in their parts, makers alone, and the Library's own citations."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from core.citation.made_works import TODAY
from heritage_gateway.capability import Work
from heritage_gateway.citation import PROSE, cite
from heritage_gateway.citation.names import credited
from heritage_gateway.errors import InvalidRequest
from heritage_loc.address import PageAddress, page_address
from heritage_loc.imprint import imprint
from heritage_loc.models import ItemRecord, NewspaperPage
from heritage_loc.normalise import item_record
from heritage_loc.works import claim, meant, parted, work_of_item, work_of_page
from shared import CAPTURED

LOC = CAPTURED / "loc"


def item(name: str = "2007680728", **block: Any) -> Work:
    found = item_record({"item": {"id": f"http://www.loc.gov/item/{name}/", **block}}, name)
    assert found is not None
    return work_of_item(found)


@pytest.mark.parametrize(
    ("words", "place", "publisher"),
    [
        ("Ulm, Lienhart Holle, 28 May 1483.", "Ulm", "Lienhart Holle"),
        ("[Ulm] Johann Zainer, 20 Oct. [14]75.", "Ulm", "Johann Zainer"),
        ("[Ulm, Conrad Dinckmut] 1482.", "Ulm", "Conrad Dinckmut"),
        ("Augsburg, Anton Sorg, 10 Mar. (Freitag vor Gregorii) 1480.", "Augsburg", "Anton Sorg"),
        ("Romae, Typographia Medicea, 1590 [i. e. 1591]", "Romae", "Typographia Medicea"),
        ("Charleston, W. Va. : Advocate Pub. Co.", "Charleston, W. Va.", "Advocate Pub. Co."),
        ("near Varner, Arkansas, May 21, 1939", "near Varner, Arkansas", ""),
        ("[Houston], [Texas], April 9, 1939", "Houston, Texas", ""),
        ("[S.l. : s.n., 1850]", "", ""),
        ("[1769?]", "", ""),
        ("1888.", "", ""),
        ("", "", ""),
    ],
)
def test_an_imprint_in_its_parts(words: str, place: str, publisher: str) -> None:
    year = re.search(r"\d{4}", words)
    assert imprint(words, year.group() if year else "") == (place, publisher)


@pytest.mark.parametrize(
    ("told", "name", "roles"),
    [
        ("Green, Joe (Performer)", "Green, Joe", ("performer",)),
        ("Lomax, Alan, 1915-2002, photographer.", "Lomax, Alan, 1915-2002", ("photographer",)),
        ("Allen & Ginter (sponsor)", "Allen & Ginter", ("sponsor",)),
        ("Lomax, John A. (John Avery), 1867-1948", "Lomax, John A. (John Avery), 1867-1948", ("",)),
        (
            "Giovanni, da Capua, active 13th century.",
            "Giovanni, da Capua, active 13th century.",
            ("",),
        ),
        ("Hartlieb, Johann, active 1450, tr.", "Hartlieb, Johann, active 1450", ("tr",)),
    ],
)
def test_a_name_and_its_role(told: str, name: str, roles: tuple[str, ...]) -> None:
    assert parted(told) == (name, roles)


def test_collectors_owners_and_words_of_the_index_are_no_creators() -> None:
    contributors = [
        "Lomax, John A. (John Avery), 1867-1948 (Collector)",
        "Green, Joe (Performer)",
        "Perrins, Charles William Dyson, 1864-1958, former owner.",
        "Lessing J. Rosenwald Collection (Library of Congress)",
    ]
    found = item(item={"contributors": contributors})
    assert [creator.name for creator in found.creators] == ["Green, Joe"]
    assert item(contributor=["lomax, alan"]).creators == ()


def test_a_guessed_date_keeps_its_doubt() -> None:
    assert item(created_published=["[1769?]"], date="1769").date == "[1769?]"
    assert item(created_published=["Paris, 1769."], date="1769").date == "1769"


def test_an_issue_is_a_newspaper_and_not_its_libraries() -> None:
    found = item(
        "sn96060002/1916-01-31/ed-1",
        title="The Alaska citizen (Fairbanks, Alaska), January 31, 1916",
        type=["issue"],
        contributor_names=["Alaska State Library Historical Collections"],
        newspaper_title=["The Alaska citizen"],
        place_of_publication="Fairbanks, Alaska",
        date="1910",
    )
    assert found.kind == "newspaper_page"
    assert found.creators == ()
    assert (found.container, found.place) == ("The Alaska citizen", "Fairbanks, Alaska")
    assert (found.iso, found.edition, found.page) == ("1916-01-31", "1", "")


def test_a_page_is_its_paper_and_where_in_it() -> None:
    address = page_address("https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6")
    page = NewspaperPage(
        page_url=address.url,
        title="Image 6 of Imperial Valley press (El Centro, Calif.), November 20, 1924",
        ocr_text="",
        ocr_available=False,
    )
    found = work_of_page(page, address)
    assert found.container == "Imperial Valley press (El Centro, Calif.)"
    assert (found.date, found.page) == ("1924-11-20", "6")
    assert cite(found, "chicago", TODAY).startswith(
        "*Imperial Valley press (El Centro, Calif.)*. November 20, 1924, p. 6. Library of Congress."
    )


@pytest.mark.parametrize(
    ("given", "claimed"),
    [
        ("2007680728", "mine"),
        ("sn83030214/1894-06-07/ed-1", "mine"),
        ("lomaxbib000097", "mine"),
        ("mss119730001", "mine"),
        ("https://www.loc.gov/item/2007680728/", "mine"),
        ("https://lccn.loc.gov/2007680728", "mine"),
        ("https://chroniclingamerica.loc.gov/lccn/sn83030214/1894-06-07/ed-1/seq-2/", "mine"),
        ("www.loc.gov/item/2007680728/", "mine"),
        ("sanborn00192_001", "mine"),
        ("LOMAXBIB000112", "mine"),
        ("libofcongress://item/2007680728", "mine"),
        ("nasm_A19670093000", "maybe"),
        ("edanmdm:nasm_A19670093000", "foreign"),
        ("https://collections.si.edu/search/detail/edanmdm:x", "foreign"),
        ("https://loc.gov.evil.example/item/1/", "foreign"),
        ("a picture of a horse", "foreign"),
        ("", "foreign"),
    ],
)
def test_what_is_claimed(given: str, claimed: str) -> None:
    assert claim(given) == claimed


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("2007680728", "2007680728"),
        ("https://www.loc.gov/item/2007680728/?q=x#y", "2007680728"),
        ("https://lccn.loc.gov/2007680728", "2007680728"),
        (
            "https://www.loc.gov/resource/sn83030214/1894-06-07/ed-1/?sp=2&r=0.1",
            PageAddress("sn83030214/1894-06-07/ed-1", 2),
        ),
        (
            "https://chroniclingamerica.loc.gov/lccn/sn83030214/1894-06-07/ed-1/seq-2/",
            PageAddress("sn83030214/1894-06-07/ed-1", 2),
        ),
        ("https://www.loc.gov/resource/sn83030214/1894-06-07/ed-1/", "sn83030214/1894-06-07/ed-1"),
        ("https://www.loc.gov/resource/ppmsca.12345/", PageAddress("ppmsca.12345", 1)),
        ("www.loc.gov/resource/ppmsca.12345/", PageAddress("ppmsca.12345", 1)),
    ],
)
def test_what_an_id_or_a_link_means(given: str, wanted: str | PageAddress) -> None:
    assert meant(given) == wanted


@pytest.mark.parametrize("given", ["https://www.loc.gov/", "https://blogs.loc.gov/x/", " "])
def test_an_address_without_an_item_is_refused(given: str) -> None:
    with pytest.raises(InvalidRequest):
        meant(given)


@pytest.mark.parametrize(
    ("card", "filed", "place", "publisher", "when"),
    [
        ("[Germany, ca. 1470]", "1470", "Germany", "", "ca. 1470"),
        ("Cologne [Johann Landen, ca. 1498]", "1498", "Cologne", "Johann Landen", "ca. 1498"),
        ("Gouda, G[erard] L[eeu] 6 Aug. 1477.", "1477", "Gouda", "Gerard Leeu", "1477"),
        ("Ulm [Hans Otmar] 12 Mar. (Dienstag) [14]82.", "1482", "Ulm", "Hans Otmar", "1482"),
        (
            "Mainz [Printer of the X (J. Y?)] 1460.",
            "1460",
            "Mainz",
            "Printer of the X (J. Y?)",
            "1460",
        ),
        ("Audenarde [A. de K., before 1483]", "1483", "Audenarde", "A. de K.", "before 1483"),
        ("[Augsburg Hans Zainer, 1475-1478]", "1475", "", "Augsburg Hans Zainer", "1475-1478"),
        (
            "[Paris, Par A B, pour C D, et pour E, ca 1505]",
            "1505",
            "Paris",
            "Par A B, pour C D, et pour E",
            "ca 1505",
        ),
        ("Some Map Company, Jun 1886", "1886-06", "", "Some Map Company", "1886-06"),
        (
            "[Late 17th or early 18th century?]",
            "1650",
            "",
            "",
            "[Late 17th or early 18th century?]",
        ),
    ],
)
def test_an_imprint_is_parted_where_it_can_be_and_keeps_its_doubt(
    card: str, filed: str, place: str, publisher: str, when: str
) -> None:
    record = item_record(
        {
            "item": {
                "title": "A book",
                "id": "http://www.loc.gov/item/48034881/",
                "date": filed,
                "created_published": card,
                "original_format": ["book"],
            }
        },
        "48034881",
    )
    assert record is not None
    found = work_of_item(record)
    assert (found.place, found.publisher, found.date) == (place, publisher, when)


# -- over all captured items -----------------------------------------------------------------------


def captured() -> list[ItemRecord]:
    bodies: list[dict[str, Any]] = []
    for path in sorted((*LOC.glob("item/*.json"), *LOC.glob("search/*.json"))):
        body = json.loads(path.read_text("utf-8"))
        bodies += [body] if "item" in body else [{"item": row} for row in body["results"]]
    records = (item_record(body, "asked") for body in bodies)
    return [record for record in records if record is not None]


@pytest.mark.captured
def test_every_captured_item_can_be_cited() -> None:
    works = [work_of_item(record) for record in captured()]
    assert len(works) > 350
    for work in works:
        assert work.holder.startswith("Library of Congress")
        for style in PROSE:
            told = cite(work, style, TODAY)
            assert work.link in told
            assert "None" not in told
            assert "(Collector)" not in told
            assert "digitising" not in told


@pytest.mark.captured
def test_a_work_has_the_rights_of_its_record() -> None:
    for record in captured():
        assert record.rights is not None
        assert work_of_item(record).rights == record.rights.verdict
    assert {work_of_item(record).rights.permission for record in captured()} >= {
        "free_to_use",
        "unknown",
    }


@pytest.mark.captured
def test_no_bracket_of_a_card_is_left_open() -> None:
    for work in map(work_of_item, captured()):
        for part in (work.place, work.publisher, work.date):
            assert part.count("[") == part.count("]"), work.id


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text))


# What the Library adds to every citation: it pads dates, and names states by their postal codes.
PADDING = {"January", "Jan", "1", "Retrieved", "from", "the", "WV"}


@pytest.mark.captured
def test_the_librarys_own_citations_name_what_ours_name() -> None:
    """The title, the makers, the year and the address; theirs are the check of ours."""
    compared = [record for record in captured() if record.citations]
    assert compared
    for record in compared:
        work = work_of_item(record)
        families = {name.family or name.literal for name in credited(work.creators).makers}
        theirs = {one.label.lower(): words(one.value) for one in record.citations}
        assert set(theirs) == set(PROSE)
        for style in PROSE:
            ours = words(cite(work, style, TODAY))
            assert theirs[style] - ours <= PADDING, (work.id, style)
            assert not {"Jan", "January"} & ours
            both = ours & theirs[style]
            assert words(work.link) - {"https"} <= both
            assert words(work.date) <= both
            assert words(work.title) <= both
            assert all(words(family) <= both for family in families)
