"""libofcongress_get_newspaper_page through the border: addresses in all forms, texts, and what is sent."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.budget import tokens
from loc.reading_room import GAZETTE, ITEM, PAGE, PAPERS, SEARCH, asked, in_mood
from loc.test_address import HOSTILE_PAGES
from mirror import unsaid

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin

SECOND = f"{GAZETTE}?sp=2"


@upstream
async def test_a_page_is_told_whole(standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAGE, page_url=SECOND)
    told = answer.structure
    assert unsaid(answer) == []
    assert told["page_url"] == SECOND
    assert told["newspaper_title"] == "The Redwood gazette"
    assert (told["date"], told["sequence"], told["segment_count"]) == ("1894-06-07", 2, 8)
    assert told["states"] == ["minnesota"]
    assert told["place_of_publication"] == "Redwood Falls, Minn."
    assert told["item_id"] == "sn85025570/1894-06-07/ed-1"
    assert told["ocr_available"] is True
    assert told["text_total"] == len(told["ocr_text"])
    assert told["image_url"].endswith("/full/pct:25/0/default.jpg")
    assert [one.host for one in asked(standin)] == ["loc", "tile"]
    async with Desk() as desk:
        assert not (await desk.call(ITEM, item_id=told["item_id"])).is_error


@upstream
async def test_after_a_search_a_page_costs_one_request(standin: Standin) -> None:
    async with Desk() as desk:
        rows = (await desk.call(PAPERS, query="president", limit=5)).structure["items"]
        before = len(asked(standin))
        for one in rows:
            answer = await desk.call(PAGE, page_url=one["url"])
            assert unsaid(answer) == []
            told = answer.structure
            assert told["ocr_text"]
            for name in ("date", "states", "newspaper_title"):
                assert told[name] == one[name]
        assert [one.host for one in asked(standin)[before:]] == ["tile"] * 5


@upstream
async def test_the_same_page_has_the_same_text_by_either_way(standin: Standin) -> None:
    async with Desk() as desk:
        cold = (await desk.call(PAGE, page_url=SECOND)).structure
    async with Desk() as desk:
        await desk.call(PAPERS, query="president", limit=5)
        warm = (await desk.call(PAGE, page_url=SECOND)).structure
    same = ("ocr_text", "ocr_available", "date", "sequence", "lccn", "item_id", "edition", "title")
    assert {name: warm.get(name) for name in same} == {name: cold.get(name) for name in same}


@upstream
@pytest.mark.parametrize(
    "given",
    [
        f"{SECOND}&q=president",
        f"{GAZETTE}?q=president&sp=2&st=text&r=-0.1,0.2,1,1,0",
        "http://www.loc.gov/resource/sn85025570/1894-06-07/ed-1/?sp=2",
        "https://loc.gov/resource/sn85025570/1894-06-07/ed-1?sp=2",
        f"  {SECOND}#page  ",
        "https://chroniclingamerica.loc.gov/lccn/sn85025570/1894-06-07/ed-1/seq-2/",
        "http://chroniclingamerica.loc.gov/lccn/sn85025570/1894-06-07/ed-1/seq-2/ocr/",
        "https://chroniclingamerica.loc.gov/lccn/sn85025570/1894-06-07/ed-1/seq-2.pdf",
        "https://chroniclingamerica.loc.gov/lccn/sn85025570/1894-06-07/ed-1/seq-2/ocr.txt",
    ],
)
async def test_one_page_has_one_address_however_it_is_written(given: str, standin: Standin) -> None:
    async with Desk() as desk:
        answer = await desk.call(PAGE, page_url=given)
        assert (await desk.call(PAGE, page_url=SECOND)).structure["ocr_text"]
    told = answer.structure
    assert (told["page_url"], told["sequence"]) == (SECOND, 2)
    assert ("old address" in told.get("notice", "")) == ("chronicling" in given)
    page, text = asked(standin)
    assert "sp=2" in page.query
    assert "q=" not in f"&{page.query}".replace("&fq=", "")
    assert not re.search(r"(?:^|&)q=", text.query)
    assert re.search(r"segment=/service/", text.query), "its slashes are sent as slashes"


@upstream
async def test_without_a_number_it_is_the_first_page(standin: Standin) -> None:
    async with Desk() as desk:
        told = (await desk.call(PAGE, page_url=GAZETTE)).structure
    assert (told["page_url"], told["sequence"]) == (f"{GAZETTE}?sp=1", 1)


@upstream
async def test_a_page_that_is_not_there_is_said_to_be_missing(standin: Standin) -> None:
    async with Desk() as desk:
        for address in (
            "https://www.loc.gov/resource/sn85025570/1894-06-09/ed-1/?sp=2",
            "https://www.loc.gov/resource/no.such.thing/",
        ):
            assert (await desk.call(PAGE, page_url=address)).reason == "page_not_found"


@upstream
async def test_no_text_is_not_the_same_as_a_text_that_did_not_come(standin: Standin) -> None:
    (silent, *_) = standin.get("samples")["page_without_ocr"]
    async with Desk() as desk:
        answer = await desk.call(PAGE, page_url=silent)
        told = answer.structure
        assert (told["ocr_available"], told["ocr_text"]) == (False, "")
        assert "could not be fetched" not in told.get("notice", "")
        assert unsaid(answer) == []
        sought = (await desk.call(PAGE, page_url=silent, find="president")).structure
        assert sought["notice"] == (
            "The page has no digitised text, so no words can be looked for in it."
        )
        standin.fault("500", host="tile")
        told = (await desk.call(PAGE, page_url=SECOND)).structure
        assert (told["ocr_available"], told["ocr_text"]) == (True, "")
        assert "The text exists but could not be fetched" in told["notice"]
        assert (await desk.call(PAGE, page_url=SECOND)).structure["ocr_text"]


# -- parts of a text ---------------------------------------------------------------------------------------


@upstream
async def test_passages_lie_where_they_say(standin: Standin) -> None:
    async with Desk() as desk:
        whole = (await desk.call(PAGE, page_url=SECOND)).structure["ocr_text"]
        answer = await desk.call(PAGE, page_url=SECOND, find='PRESIDENT "sends sympathy"')
    told = answer.structure
    assert unsaid(answer) == []
    assert told["passages"]
    for one in told["passages"]:
        assert whole[one["start"] : one["end"]] == one["text"]
        assert re.search(r"\bpresident\b|sends\s+sympathy", one["text"], re.IGNORECASE)
    assert told["ocr_text"] == whole[:1000]
    async with Desk() as desk:
        none = (await desk.call(PAGE, page_url=SECOND, find="?!")).structure
    assert "`find` holds no word" in none["notice"]
    assert "passages" not in none
    assert "offset=1000 continues it." in told["notice"]


@upstream
async def test_words_that_the_text_lacks_are_said_to_be_missing_there_alone(
    standin: Standin,
) -> None:
    async with Desk() as desk:
        told = (await desk.call(PAGE, page_url=SECOND, find="xyzzyplugh presid")).structure
        assert told["passages"] == []
        assert 'does not hold "xyzzyplugh presid" as whole words' in told["notice"]
        assert "machine-read text has errors" in told["notice"]
        standin.fault("500", host="tile", times=-1)
        other = (await desk.call(PAGE, page_url=f"{GAZETTE}?sp=3", find="president")).structure
    assert "does not hold" not in other["notice"]
    assert other.get("passages") != [], "an unread text holds nothing and lacks nothing"


@upstream
@pytest.mark.parametrize("size", [1, 500, 10_000])
async def test_a_text_is_read_piece_by_piece(size: int, standin: Standin) -> None:
    async with Desk() as desk:
        whole = (await desk.call(PAGE, page_url=SECOND)).structure["ocr_text"]
        got, at = "", 0 if size > 1 else len(whole) - 3
        got = whole[:at]
        while True:
            answer = await desk.call(PAGE, page_url=SECOND, offset=at, max_characters=size)
            told = answer.structure
            got += told["ocr_text"]
            found = re.search(r"offset=(\d+) continues it", told.get("notice", ""))
            if not found:
                break
            at = int(found[1])
        assert got == whole
        past = (await desk.call(PAGE, page_url=SECOND, offset=10**6)).structure
    assert past["ocr_text"] == ""
    assert "lies past the end" in past["notice"]


@upstream
async def test_a_text_larger_than_the_budget_is_read_on(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Desk() as desk:
        whole = (await desk.call(PAGE, page_url=SECOND)).structure["ocr_text"]
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "1000")
    got = ""
    async with Desk() as desk:
        while len(got) < len(whole):
            answer = await desk.call(PAGE, page_url=SECOND, offset=len(got))
            assert tokens(answer.text, answer.structure) <= 1000
            got += answer.structure["ocr_text"]
            if len(got) < len(whole):
                assert f"offset={len(got)} continues it." in answer.structure["notice"]
    assert got == whole


@upstream
async def test_passages_stay_within_the_budget_too(
    standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "1500")
    async with Desk() as desk:
        answer = await desk.call(PAGE, page_url=SECOND, find="the of and a in to is")
    assert tokens(answer.text, answer.structure) <= 1500
    assert answer.structure["passages"]
    assert unsaid(answer) == []


# -- other resources ---------------------------------------------------------------------------------------


@upstream
async def test_a_books_text_is_read_through_the_address_of_its_row(standin: Standin) -> None:
    (address, *_) = standin.get("samples")["item_plain_text_book"]
    name = address.rstrip("/").rsplit("/", 1)[1]
    async with Desk() as desk:
        links = (await desk.call(ITEM, item_id=name)).structure["resource_links"]
        page = next(link for link in links if "/resource/" in link)
        answer = await desk.call(PAGE, page_url=page)
        told = answer.structure
        assert unsaid(answer) == []
        assert told["ocr_available"] is True
        assert told["ocr_text"]
        assert "the whole work, without page breaks" in told["notice"]
        assert "newspaper_title" not in told
        rows = (await desk.call(SEARCH, query="rosenwald", format="book", limit=50)).structure
        row = next(one for one in rows["items"] if one["id"] == name)
        assert row["resource_url"] == page


@upstream
async def test_a_picture_has_no_text_and_a_record_that_fails_leaves_it_open(
    standin: Standin,
) -> None:
    """The address of a book does not name its text, so the record of the item is asked."""
    async with Desk() as desk:
        rows = (await desk.call(SEARCH, query="map", format="map", limit=10)).structure["items"]
        picture = next(one["resource_url"] for one in rows if "resource_url" in one)
        told = (await desk.call(PAGE, page_url=picture)).structure
        assert (told["ocr_available"], told["ocr_text"]) == (False, "")
        assert "notice" not in told
    async with Desk() as desk:
        standin.fault("500", host="loc", path="^/item/")
        told = (await desk.call(PAGE, page_url=picture)).structure
        assert "Whether there is a text could not be looked up" in told["notice"]


SEGMENT = "/service/ndnp/example/0001.xml"
TILE = "https://tile.loc.gov"
SERVICE = f"{TILE}/text-services/word-coordinates-service"


@pytest.mark.parametrize(
    ("value", "path", "query"),
    [
        (
            f"{SERVICE}?segment={SEGMENT}&format=alto_xml&full_text=1&q=fire",
            "/text-services/word-coordinates-service",
            f"segment={SEGMENT}&format=alto_xml&full_text=1",
        ),
        (
            f"{SERVICE}?segment={SEGMENT.replace('/', '%2F')}&format=alto_xml&full_text=1",
            "/text-services/word-coordinates-service",
            f"segment={SEGMENT}&format=alto_xml&full_text=1",
        ),
        (
            f"{TILE}/storage-services/public/books/example/example.text.txt",
            "/storage-services/public/books/example/example.text.txt",
            "",
        ),
    ],
)
async def test_both_forms_of_a_text_file_are_read(value: str, path: str, query: str) -> None:
    sent: list[httpx.URL] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.url)
        if request.url.host == "tile.loc.gov":
            if path.endswith(".txt"):
                return httpx.Response(200, text="plain words\nof a book")
            body = {SEGMENT: {"full_text": "plain words\nof a book", "height": 1, "width": 1}}
            return httpx.Response(200, json=body)
        resource = {"url": "https://www.loc.gov/resource/example/", "fulltext_file": value}
        return httpx.Response(200, json={"resource": resource, "item": {"title": "Example"}})

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        told = await desk.call(PAGE, page_url="https://www.loc.gov/resource/example/?q=fire")
    assert told.structure["ocr_text"] == "plain words\nof a book"
    assert [url.host for url in sent] == ["www.loc.gov", "tile.loc.gov"]
    assert sent[0].raw_path.decode().partition("?")[0] == "/resource/example/"
    assert "q" not in sent[0].params
    assert sent[1].raw_path.decode() == (f"{path}?{query}" if query else path)


@pytest.mark.parametrize(
    "value",
    [
        "https://evil.example/text-services/word-coordinates-service?segment=/x.xml&full_text=1",
        "https://tile.loc.gov@evil.example/a.txt",
        "https://tile.loc.gov/../secret.txt",
        "https://tile.loc.gov/text-services/word-coordinates-service?segment=../../etc/passwd",
        "file:///etc/passwd.txt",
    ],
)
async def test_a_text_that_lies_elsewhere_is_not_fetched(value: str) -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.host)
        resource = {"url": "https://www.loc.gov/resource/example/", "fulltext_file": value}
        return httpx.Response(200, json={"resource": resource, "item": {"title": "Example"}})

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        answered = await desk.call(PAGE, page_url="https://www.loc.gov/resource/example/")
    assert not answered.is_error
    assert sent == ["www.loc.gov"]


@upstream
async def test_a_query_echoed_into_a_text_address_is_not_sent(standin: Standin) -> None:
    async with Desk() as desk:
        with in_mood(standin, resource_q="echo"):
            told = (await desk.call(PAGE, page_url=f"{SECOND}&q=president")).structure
    assert told["ocr_text"]


async def test_nothing_is_sent_for_an_address_that_is_none() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError("something was sent")

    async with Desk(transport=httpx.MockTransport(answer)) as desk:
        for bad in HOSTILE_PAGES:
            answered: Any = await desk.call(PAGE, page_url=bad)
            assert answered.reason in {"invalid_page_url", "invalid_input"}, bad
            assert "internal" not in answered.text
