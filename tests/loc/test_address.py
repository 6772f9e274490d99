"""Ids and addresses: one thing has one address, and what is none is refused before any request."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_loc import address

SEGMENT = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.,+=~()-]{0,12}", fullmatch=True)
ID = (
    st.lists(SEGMENT, min_size=1, max_size=4)
    .map("/".join)
    .filter(lambda name: not address._HOSTLIKE.fullmatch(name.split("/")[0]))
)

HOSTILE_IDS = [
    "",
    " ",
    "/",
    "//",
    "..",
    ".",
    "../collections",
    "a/../b",
    "a/./b",
    "a/..",
    "a//b",
    "/a",
    "a//",
    "...",
    "a/.../b",
    "%2e%2e",
    "%2e%2e%2fcollections",
    "..%2fcollections",
    "a%2f..%2fb",
    "a%2f%2fb",
    "%2fa",
    "a%252fb",
    "%252e%252e",
    "a%5cb",
    "a/b%2fc",
    "a\\b",
    "..\\b",
    "a\nb",
    "a\r\nHost: evil.example",
    "a\x00b",
    "a\x7f",
    "a%00b",
    "a%0ab",
    "a b",
    "a\tb",
    "2007680728?fo=yaml",
    "2007680728/?at=options",
    "2007680728#x",
    "2007680728&q=x",
    "a%3Ffo=json",
    "a%23x",
    "http://evil.example/item/1/",
    "https://evil.example/www.loc.gov/item/1/",
    "https://www.loc.gov.evil.example/item/1/",
    "https://www.loc.gov@evil.example/item/1/",
    "https://user@www.loc.gov/item/1/",
    "https://user:secret@www.loc.gov/item/1/",
    "user@www.loc.gov/item/1",
    "https://www.loc.gov:8443/item/1/",
    "https://www.loc.gov./item/1/",
    "https://tile.loc.gov/item/1/",
    "https://www.loc.gov/collections/bain/",
    "https://www.loc.gov/item/",
    "https://www.loc.gov/item/../search/",
    "https://www.loc.gov/item/%2e%2e/search/",
    "https://www.loc.gov/item/a%2fb/",
    "https://www.loc.gov/item/1/?fo=yaml",
    "https://www.loc.gov/item/1/#frag",
    "https://www.loc.gov\\@evil.example/item/1",
    "https:/www.loc.gov/item/1/",
    "ftp://www.loc.gov/item/1/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "libofcongress://subject/1",
    "//evil.example/1",
    "//lccn.loc.gov/",
    "//lccn.loc.gov/1/../2",
    "//lccn.loc.gov/1/evil",
    "evil.com/item/1",
    "evil.com",
    "127.0.0.1/x",
    "localhost",
    "ａ/１",
    "a／b",
    "a\u202eb",
    "é",
    "x" * 201,
    "/".join("abcdefghi"),
    "<script>",
    "a|b",
    "{id}",
]

HOSTILE_PAGES = [
    "",
    "https://www.loc.gov/",
    "https://www.loc.gov/item/2007680728/",
    "https://www.loc.gov/resource/",
    "https://www.loc.gov/resource/../search/?sp=1",
    "https://www.loc.gov/resource/%2e%2e/search/",
    "https://www.loc.gov/resource/a//b/",
    "https://www.loc.gov/resource/a%2fb/",
    "https://www.loc.gov/resource/a/?sp=1&sp=2",
    "https://www.loc.gov/resource/a/?sp=0",
    "https://www.loc.gov/resource/a/?sp=-1",
    "https://www.loc.gov/resource/a/?sp=1e3",
    "https://www.loc.gov/resource/a/?sp=999999",
    "https://www.loc.gov/resource/a/?sp=1;q=2",
    "https://www.loc.gov/resource/a/?sp=1%26fo=yaml",
    "https://www.loc.gov/resource/a/?x=%0d%0aHost:evil",
    "https://www.loc.gov/resource/a/?x=http://evil.example",
    "https://www.loc.gov/resource/a\n/?sp=1",
    "https://www.loc.gov/resource/a b/?sp=1",
    "https://www.loc.gov:80/resource/a/?sp=1",
    "https://me@www.loc.gov/resource/a/?sp=1",
    "https://www.loc.gov@evil.example/resource/a/?sp=1",
    "https://evil.example/resource/a/?sp=1",
    "https://evil.example/?u=https://www.loc.gov/resource/a/",
    "https://tile.loc.gov/resource/a/",
    "ftp://www.loc.gov/resource/a/",
    "javascript:alert(1)//www.loc.gov/resource/a/",
    "https://chroniclingamerica.loc.gov/",
    "https://chroniclingamerica.loc.gov/lccn/sn83030214/",
    "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-13-20/ed-1/seq-1/",
    "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-0/",
    "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/../../x/",
    "https://chroniclingamerica.loc.gov/search/pages/results/?andtext=x",
    "https://chroniclingamerica.loc.gov.evil.example/lccn/sn83030214/1906-04-20/ed-1/seq-1/",
    "https://www.loc.gov/resource/" + "a" * 300 + "/",
    "https://www.loc.gov/resource/a/?x=" + "1" * 3000,
]


def refused(read: object, given: str) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as caught:
        read(given)  # type: ignore[operator]
    return caught.value


def test_the_tables_are_long_enough() -> None:
    assert len(HOSTILE_IDS) + len(HOSTILE_PAGES) > 100


@pytest.mark.parametrize("given", HOSTILE_IDS)
def test_a_hostile_id_is_refused(given: str) -> None:
    error = refused(address.item_id, given)
    assert error.reason == Reason.INVALID_ID
    assert "\n" not in error.message


@pytest.mark.parametrize("given", HOSTILE_PAGES)
def test_a_hostile_page_address_is_refused(given: str) -> None:
    assert refused(address.page_address, given).reason == Reason.INVALID_PAGE_URL


# -- items -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("2007680728", "2007680728"),
        (" 2007680728/ ", "2007680728"),
        ("sn85025570/1894-06-07/ed-1", "sn85025570/1894-06-07/ed-1"),
        ("sn85025570%2F1894-06-07%2Fed-1", "sn85025570/1894-06-07/ed-1"),
        ("sn85025570%2f1894-06-07%2fed-1", "sn85025570/1894-06-07/ed-1"),
        ("lcwaN0035206", "lcwaN0035206"),
        ("mss11973.001_0027_0078", "mss11973.001_0027_0078"),
        ("https://www.loc.gov/item/sn85025570/1894-06-07/ed-1/", "sn85025570/1894-06-07/ed-1"),
        ("HTTP://WWW.LOC.GOV/item/73691632", "73691632"),
        ("//www.loc.gov/item/73691632/", "73691632"),
        ("www.loc.gov/item/73691632/", "73691632"),
        ("loc.gov/item/73691632/", "73691632"),
        ("/item/lomaxbib000179", "lomaxbib000179"),
        ("//lccn.loc.gov/2004541479", "2004541479"),
        ("https://lccn.loc.gov/2004541479/marcxml", "2004541479"),
        ("https://www.loc.gov/item/2007680728/manifest.json", "2007680728"),
        ("https://www.loc.gov/pictures/item/2007680728/", "2007680728"),
        ("lccn.loc.gov/2007680728", "2007680728"),
        ("libofcongress://item/2007680728", "2007680728"),
        ("libofcongress://item/sn85025570%2F1894-06-07%2Fed-1", "sn85025570/1894-06-07/ed-1"),
        ("2007680728.", "2007680728"),
        ("LOMAXBIB000112", "lomaxbib000112"),
        ("MSS119730001", "mss119730001"),
        ("SN85025570", "sn85025570"),
        ("Sn85025570/1894-06-07/ED-1", "sn85025570/1894-06-07/ed-1"),
        ("lcwaN0010863", "lcwaN0010863"),
        ("thc1995000605/PP", "thc1995000605/PP"),
    ],
)
def test_an_id_is_taken_from_what_people_have_at_hand(given: str, found: str) -> None:
    assert address.item_id(given) == found


@pytest.mark.parametrize(
    "given",
    [
        "sh85021262",
        "http://id.loc.gov/authorities/subjects/sh85021262",
        "https://id.loc.gov/authorities/names/n2017065815.html",
    ],
)
def test_a_heading_is_no_item_and_is_said_to_be_one(given: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        address.item_id(given)
    assert "is a heading of the Library of Congress" in refused.value.message
    assert "libofcongress_get_subject" in refused.value.hint


@pytest.mark.parametrize(
    "given", ["https://hdl.loc.gov/loc.pnp/cph.3c33165", "https://guides.loc.gov/jazz"]
)
def test_a_link_of_the_library_without_an_item_is_not_called_foreign(given: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        address.item_id(given)
    assert "leads to no item of the Library of Congress" in refused.value.message
    assert "https://www.loc.gov/item/2007680728/" in refused.value.hint


@given(ID)
def test_an_id_comes_back_from_each_of_its_forms(name: str) -> None:
    assume(name[-1].isalnum() and name == name.lower() and not name.startswith("sh"))
    assert address.item_id(name) == name
    assert address.item_id(name.replace("/", "%2F")) == name
    assert address.item_id(address.item_url(name)) == name
    assert unquote(address.item_path(name)) == f"/item/{name}/"


@given(st.text(max_size=30))
def test_whatever_is_given_an_id_stays_within_its_path(given: str) -> None:
    try:
        name = address.item_id(given)
    except InvalidRequest:
        return
    path = address.item_path(name)
    assert path.startswith("/item/")
    assert not {"", ".", ".."} & set(path[6:-1].split("/"))
    assert not set(path) & set("?#\\ @:")


# -- pages -------------------------------------------------------------------------------------------

PAGE = "https://www.loc.gov/resource/sn83030214/1906-04-20/ed-1/?sp=3"


@pytest.mark.parametrize(
    "given",
    [
        PAGE,
        f"{PAGE}&q=earthquake&st=text",
        f"{PAGE}&r=-0.1,0.2,1.3,0.8,0&fo=json",
        "http://www.loc.gov/resource/sn83030214/1906-04-20/ed-1?st=text&amp;sp=3",
        "//www.loc.gov/resource/sn83030214/1906-04-20/ed-1/?sp=0003",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3/",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3",
        "http://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3/ocr/",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3/ocr.txt",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3/ocr.xml",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3.pdf",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3.jp2",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3.json",
        "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/seq-3/#words=fire",
    ],
)
def test_a_page_has_one_address(given: str) -> None:
    found = address.page_address(given)
    assert found.url == PAGE
    assert (found.lccn, found.date, found.edition) == ("sn83030214", "1906-04-20", "1")
    assert found.issue_id == "sn83030214/1906-04-20/ed-1"
    assert found.params == {"sp": "3"}
    assert "q" not in found.params


def test_an_issue_is_read_as_its_first_page() -> None:
    old = "https://chroniclingamerica.loc.gov/lccn/sn83030214/1906-04-20/ed-1/"
    assert address.page_address(old).sp == 1
    assert address.page_address(PAGE.partition("?")[0]).sp == 1


def test_other_parameters_are_kept_and_ordered() -> None:
    found = address.page_address("https://www.loc.gov/resource/a.b/?z=2&sp=4&b=1&q=x")
    assert found.url == "https://www.loc.gov/resource/a.b/?b=1&sp=4&z=2"
    assert found.issue_id is None
    assert found.date is None


@given(
    st.lists(SEGMENT, min_size=1, max_size=4).map("/".join),
    st.integers(1, 9999),
    st.sampled_from(["", "q=a+b", "st=gallery", "q=%22x%22&st=text"]),
)
def test_the_address_of_a_page_means_the_same_when_it_is_read_again(
    resource: str, sp: int, more: str
) -> None:
    given = f"https://www.loc.gov/resource/{resource}/?{more}&sp={sp}"
    found = address.page_address(given)
    assert (found.resource, found.sp) == (resource, sp)
    assert address.page_address(found.url) == found


# -- texts -------------------------------------------------------------------------------------------

SEGMENT_PATH = "/service/ndnp/curiv/batch_x_ver01/data/sn9/0041/1924112001/1270.xml"
SERVICE = "https://tile.loc.gov/text-services/word-coordinates-service"


@pytest.mark.parametrize(
    "given",
    [
        f"{SERVICE}?segment={SEGMENT_PATH}&format=alto_xml&full_text=1",
        f"{SERVICE}?q=a+b&relevant_snippet=1&segment={quote(SEGMENT_PATH, safe='')}&format=alto_xml",
        f"//tile.loc.gov/text-services/word-coordinates-service?segment={SEGMENT_PATH}",
    ],
)
def test_the_segment_of_a_page_is_found_encoded_or_not(given: str) -> None:
    found = address.text_address(given)
    assert found is not None
    assert found.segment == SEGMENT_PATH
    assert found.params == {"segment": SEGMENT_PATH, "format": "alto_xml", "full_text": "1"}


def test_the_plain_file_of_a_work_is_an_address_too() -> None:
    found = address.text_address(
        "https://tile.loc.gov/storage-services/public/gdc/x12/x12.text.txt"
    )
    assert found == address.TextAddress("/storage-services/public/gdc/x12/x12.text.txt")
    assert found.params == {}


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        7,
        "https://evil.example/text-services/word-coordinates-service?segment=/a/b.xml",
        f"{SERVICE}?segment=/a/../../b.xml",
        f"{SERVICE}?segment=%2Fa%2F%2e%2e%2Fb.xml",
        f"{SERVICE}?segment=http://evil.example/",
        f"{SERVICE}?segment=/a/b.xml%0d%0a",
        f"{SERVICE}?q=x",
        "https://tile.loc.gov/storage-services/../x.txt",
        "https://tile.loc.gov/storage-services/x/1.jp2",
        "https://x@tile.loc.gov/storage-services/x.txt",
        "https://tile.loc.gov",
    ],
)
def test_no_text_is_fetched_from_elsewhere(given: object) -> None:
    assert address.text_address(given) is None


# -- rows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (
            {"id": "http://www.loc.gov/item/96514161/", "url": "//www.loc.gov/item/96514161/?q=a"},
            ("96514161", True, "https://www.loc.gov/item/96514161/"),
        ),
        (
            {"id": "http://lccn.loc.gov/2004541479", "url": "//lccn.loc.gov/2004541479"},
            ("2004541479", False, "https://lccn.loc.gov/2004541479"),
        ),
        (
            {"url": "https://guides.loc.gov/item/e-books"},
            (
                "https://guides.loc.gov/item/e-books",
                False,
                "https://guides.loc.gov/item/e-books",
            ),
        ),
        (
            {"id": "http://www.loc.gov/resource/a/?sp=6", "url": f"{PAGE}&q=clara+bow"},
            (PAGE, False, PAGE),
        ),
        (
            {"id": "Pwebrecon.cgi?BBID=13848727", "url": "http://catalog.loc.gov/vwebv/x?bibId=1"},
            (
                "https://catalog.loc.gov/vwebv/x?bibId=1",
                False,
                "https://catalog.loc.gov/vwebv/x?bibId=1",
            ),
        ),
        ({"id": "http://www.loc.gov/item/../x/"}, None),
        ({}, ("", False, "")),
        ({"id": ["x"], "url": {"a": 1}}, ("", False, "")),
    ],
)
def test_only_what_lies_under_item_is_an_item(
    row: dict[str, object], found: tuple[str, bool, str] | None
) -> None:
    told = address.row_address(row)
    assert not told.is_item if found is None else tuple(told) == found


@pytest.mark.parametrize(
    ("given", "slug"),
    [
        ("https://www.loc.gov/collections/aaron-copland/", "aaron-copland"),
        ("//www.loc.gov/collections/bain/about-this-collection/", "bain"),
        ("http://memory.loc.gov/ammem/alhtml/malhome.html", None),
        ("https://www.loc.gov/collections/", None),
        ("https://www.loc.gov/collections/../item/", None),
        (None, None),
    ],
)
def test_the_slug_of_a_collection_stands_in_its_address(given: object, slug: str | None) -> None:
    assert address.collection_slug(given) == slug


def test_a_slug_is_taken_as_given_or_from_an_address() -> None:
    assert address.slug_given(" bain ") == "bain"
    assert address.slug_given("https://www.loc.gov/collections/bain/?q=x") == "bain"
    for wrong in ("a/b", "../item", "a b", "", "a?fo=x", "https://evil.example/collections/bain/"):
        assert refused(address.slug_given, wrong).reason == Reason.INVALID_INPUT


# -- headings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        "sh85021262",
        "sh 85021262",
        "http://id.loc.gov/authorities/subjects/sh85021262",
        "https://id.loc.gov/authorities/subjects/sh85021262.html",
        "//id.loc.gov/authorities/subjects/sh85021262",
        "info:lc/authorities/sh85021262",
        "http://id.loc.gov/authorities/sh85021262#concept",
    ],
)
def test_a_heading_is_known_by_its_id_and_by_its_addresses(given: str) -> None:
    assert address.subject_token(given) == "sh85021262"


def test_what_is_no_address_is_a_label() -> None:
    assert address.subject_token("Cats") is None
    assert address.subject_token("World War, 1939-1945--Aerial operations") is None


@pytest.mark.parametrize(
    "given",
    [
        "http://id.loc.gov/authorities/names/n79006404",
        "https://evil.example/authorities/subjects/sh85021262",
        "https://id.loc.gov@evil.example/authorities/subjects/sh85021262",
        "http://id.loc.gov/authorities/subjects/../names/n1",
        "info:lc/authorities/n79006404",
        "sh85021262\\..",
    ],
)
def test_an_address_that_leads_elsewhere_is_no_heading(given: str) -> None:
    assert refused(address.subject_token, given).reason == Reason.INVALID_ID
