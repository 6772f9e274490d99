"""smithsonian_get_object at the border: ids as people give them, and records told whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.virtual_time import VirtualLoop
from heritage_gateway.budget import tokens
from mirror import unsaid
from recording.maker import virtual_desk
from smithsonian.catalogue_cards import CARDS, VEGA, Card
from smithsonian.pretend_catalogue import ROOT, PretendCatalogue

pytestmark = pytest.mark.anyio

GET = "smithsonian_get_object"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"loop_factory": VirtualLoop}


@pytest.fixture
def catalogue() -> PretendCatalogue:
    return PretendCatalogue()


@pytest.fixture
def desk(catalogue: PretendCatalogue) -> Callable[[], Any]:
    return lambda: virtual_desk(transport=catalogue.transport)


def name(card: Card) -> str:
    return str(card["url"])


@pytest.mark.parametrize("card", CARDS, ids=name)
async def test_a_record_says_the_same_in_text_and_in_structure(
    card: Card, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        answer = await opened.call(GET, id=card["url"])
    assert unsaid(answer) == []
    assert answer.structure["title"] == card["title"]


@pytest.mark.parametrize("card", CARDS, ids=name)
async def test_a_record_is_asked_for_once(
    card: Card, catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        first = await opened.call(GET, id=card["url"])
        again = await opened.call(GET, id=first.structure["record_id"])
    assert first == again
    assert len(catalogue.requests) == 1


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("nasm_A19670093000", "edanmdm:nasm_A19670093000"),
        ("npg_AD/NPG.74.8", "edanmdm:npg_AD%2FNPG.74.8"),
        ("NMAI_76890", "edanmdm:NMAI_76890"),
        ("ead_collection:sova-naa-1974-28", "ead_collection:sova-naa-1974-28"),
        ("ld1-1643390182193-1643390183699-0", "ld1-1643390182193-1643390183699-0"),
        ("edanmdm-nasm_A19670093000", "edanmdm-nasm_A19670093000"),
        (" \tedanmdm:nasm_A19670093000\n", "edanmdm:nasm_A19670093000"),
    ],
)
async def test_an_id_is_passed_on_as_it_was_given(
    given: str, sent: str, catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        await opened.call(GET, id=given)
    (request,) = catalogue.requests
    assert request.url.raw_path.decode() == f"{ROOT}/content/{sent}"


@pytest.mark.parametrize(
    "given",
    [
        *("", "   ", "\t\n", "edanmdm:", "ead_component:", "a b", "a//b", "../x", "a/../b", "."),
        *("https://www.si.edu/object/nasm_A1", "nasm_A1?x=y", "nasm_A1#x", "x" * 201, "Ä"),
        *('nasm"A1', "nasm*", "loc:x"),
    ],
)
async def test_what_can_be_no_id_is_refused_and_never_sent(
    given: str, catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        answer = await opened.call(GET, id=given)
    assert answer.reason == "invalid_id"
    assert "record_id" in answer.text
    assert catalogue.requests == []


async def test_a_missing_record_is_no_fault_and_is_remembered_for_minutes(
    catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        answer = await opened.call(GET, id="nasm_A0")
        assert answer.structure["error"] == {
            "code": -32001,
            "message": "The Smithsonian's catalogue holds no record with this id.",
            "data": answer.structure["error"]["data"],
        }
        assert answer.structure["error"]["data"]["retryable"] is False
        catalogue.cards = [*CARDS, {**VEGA, "url": "edanmdm:nasm_A0"}]
        assert (await opened.call(GET, id="nasm_A0")).reason == "not_found"


# -- the record itself -----------------------------------------------------------------------------


async def record(desk: Callable[[], Any], given: str) -> dict[str, Any]:
    async with desk() as opened:
        answer = await opened.call(GET, id=given)
    assert not answer.is_error
    structure: dict[str, Any] = answer.structure
    return structure


async def test_images_and_other_media_are_counted_apart(desk: Callable[[], Any]) -> None:
    media = (await record(desk, "nasm_A19700102000"))["media_summary"]
    assert (media["count"], media["cc0_image_count"], media["has_cc0_images"]) == (16, 14, True)
    assert [other["type"] for other in media["non_image_media"]] == ["3d_voyager", "3d_voyager"]
    assert media["thumbnail_url"].endswith("NASM-A19700102000-NASM2016-04272_thumb")


async def test_a_media_type_promises_no_media(desk: Callable[[], Any]) -> None:
    for given in ("npg_S_NPG.2002.184.54", "chndm_1974-100-11"):
        media = (await record(desk, given))["media_summary"]
        assert media == {
            "count": 0,
            "cc0_image_count": 0,
            "has_cc0_images": False,
            "non_image_media": [],
        }


async def test_markup_goes_and_entities_are_decoded_once(desk: Callable[[], Any]) -> None:
    (note,) = (await record(desk, "saam_1985.66.227"))["notes"]
    assert note["content"] == (
        "Catlin painted the elder “from life”; H2O colours & oil, 3 < 4. "
        "A second paragraph: über alles <i>hinweg</i>."
    )


async def test_a_specimen_has_a_place_in_nature_and_on_earth(desk: Callable[[], Any]) -> None:
    bat = await record(desk, "nmnhvz_7585998")
    assert bat["coordinates"] == [
        {"latitude": 10.58, "longitude": -83.53, "locality": "Cerro Del Tortuguero"}
    ]
    assert bat["taxonomy"] == {
        "kingdom": ["Animalia"],
        "phylum": ["Chordata"],
        "class": ["Mammalia"],
        "order": ["Chiroptera"],
        "family": ["Emballonuridae"],
    }
    assert bat["scientific_names"] == ["Saccopteryx bilineata"]
    assert [maker["role"] for maker in bat["makers"]] == ["Collector"]


async def test_where_it_can_be_seen_is_told(desk: Callable[[], Any]) -> None:
    painting = await record(desk, "fsg_F1900.47")
    assert painting["exhibitions"] == [
        {"name": "Japanese Art from the Collection", "building": "Freer"}
    ]
    assert (await record(desk, "nasm_A19700102000"))["exhibitions"] == [
        {"name": "On view", "building": "HAZY"}
    ]


async def test_all_dates_and_all_parties_are_told_with_their_labels(
    desk: Callable[[], Any],
) -> None:
    diary = await record(desk, "fbr_item_MODSI1318")
    assert diary["dates"] == [
        {"label": "Start Date", "value": "19370303"},
        {"label": "End Date", "value": "19370417"},
    ]
    beads = await record(desk, "NMAI_76890")
    assert [maker["role"] for maker in beads["makers"]] == ["Culture/People", "Seller"]
    assert beads["dates"] == []


async def test_an_archive_is_told_from_its_own_layout(desk: Callable[[], Any]) -> None:
    paper = await record(desk, "ead_component:sova-naa-1974-28-ref832")
    assert paper["dates"] == [{"label": "Date", "value": "undated"}]
    assert paper["makers"] == [
        {"role": "Collection Creator", "name": "Strong, William Duncan, 1899-1962"}
    ]
    assert {"label": "Container", "value": "Box 55"} in paper["other"]
    assert paper["record_link"].startswith("https://n2t.net/ark:")


async def test_every_note_stays_in_order_with_its_label(desk: Callable[[], Any]) -> None:
    vega = await record(desk, "nasm_A19670093000")
    source = VEGA["content"]["freetext"]["notes"]
    assert [note["label"] for note in vega["notes"]] == [note["label"] for note in source]
    assert vega["description"] == "\n\n".join(
        note["content"] for note in source if note["label"] == "Summary"
    )


# -- long records ----------------------------------------------------------------------------------


def long_card(notes: int, length: int) -> Card:
    """The Vega with notes that no budget holds."""
    told = [
        {"label": f"Note {n}", "content": " ".join(f"{n}.{word}" for word in range(length))}
        for n in range(notes)
    ]
    content = VEGA["content"]
    freetext = {**content["freetext"], "notes": told}
    return {**VEGA, "content": {**content, "freetext": freetext}}


@pytest.mark.parametrize(("notes", "length"), [(60, 40), (3, 2500), (1, 9000)])
async def test_a_shortened_record_is_read_to_its_end_by_its_notices(
    notes: int, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "2500")
    card = long_card(notes, length)
    pieces: dict[str, str] = {}
    given: dict[str, Any] = {}
    catalogue = PretendCatalogue([card])
    async with virtual_desk(transport=catalogue.transport) as opened:
        for _ in range(200):
            answer = await opened.call(GET, id="nasm_A19670093000", **given)
            assert tokens(answer.text, answer.structure) <= 2500
            for note in answer.structure["notes"]:
                pieces[note["label"]] = pieces.get(note["label"], "") + note["content"]
            cut = {part["section"]: part for part in answer.structure.get("shortened", [])}
            part = cut.get("notes")
            if part is None:
                break
            following = part["offset"] + part["shown"]
            if part.get("cut_at") is None and following >= part["total"]:
                break
            given = {"section": "notes", "offset": following}
            if part.get("cut_at") is not None:
                given = {"section": "notes", "offset": following - 1, "text_offset": part["cut_at"]}
            named = " ".join(f"{key}={value}" for key, value in given.items())
            assert named.replace("section=notes", 'section="notes"') in answer.structure["notice"]
    source = card["content"]["freetext"]["notes"]
    assert pieces == {note["label"]: note["content"] for note in source}
    assert len(catalogue.requests) == 1


async def test_an_unknown_section_is_refused_with_the_known_ones(
    catalogue: PretendCatalogue, desk: Callable[[], Any]
) -> None:
    async with desk() as opened:
        answer = await opened.call(GET, id="nasm_A19670093000", section="nots")
    assert answer.reason == "invalid_input"
    assert "notes" in answer.text
    assert catalogue.requests == []
