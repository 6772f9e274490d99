"""libofcongress_get_subject through the border: a heading by uri, id or label, and what replaced it."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from loc.heading_service import TOKENS, URI, HeadingService
from loc.reading_room import SUBJECT, SUBJECTS
from mirror import unsaid

pytestmark = pytest.mark.anyio
upstream = pytest.mark.standin

JAZZ = TOKENS["Jazz"]


async def told(given: str, service: HeadingService | None = None) -> dict[str, Any]:
    service = service or HeadingService()
    async with Desk(transport=service.transport) as desk:
        answer = await desk.call(SUBJECT, subject=given)
    assert not answer.is_error, answer.text
    assert unsaid(answer) == []
    return answer.structure


@pytest.mark.parametrize(
    "given",
    [
        JAZZ,
        JAZZ.upper(),
        f"sh {JAZZ[2:]}",
        URI + JAZZ,
        (URI + JAZZ).replace("http:", "https:"),
        f"https://id.loc.gov/authorities/subjects/{JAZZ}.html",
        "Jazz",
        "jazz",
        " JAZZ ",
    ],
)
async def test_a_heading_is_found_by_uri_id_or_label_in_any_case(given: str) -> None:
    found = await told(given)
    assert (found["label"], found["uri"]) == ("Jazz", URI + JAZZ)
    assert found["variants"] == ["Jazz music"]
    assert found["deprecated"] is False
    assert found["url"] == f"https://id.loc.gov/authorities/subjects/{JAZZ}.html"


async def test_an_id_costs_one_request_and_a_label_two() -> None:
    for given, count in ((JAZZ, 1), ("jazz", 2)):
        service = HeadingService()
        await told(given, service)
        assert len(service.asked) == count


@pytest.mark.parametrize(
    "label", ["World War, 1939-1945--Aerial operations", "Motion pictures--History"]
)
async def test_a_subdivided_label_is_found_whole(label: str) -> None:
    assert (await told(label))["label"] == label


async def test_a_heading_that_was_replaced_says_by_what() -> None:
    found = await told("Afro-Americans")
    assert found["deprecated"] is True
    instead = TOKENS["African Americans"]
    assert found["replaced_by"] == [{"label": "African Americans", "uri": URI + instead}]
    assert f'Use instead: "African Americans" {URI}{instead}.' in found["notice"]


@pytest.mark.parametrize("label", ["Aerial", "Cinema", "Jaz"])
async def test_a_label_that_is_none_lists_candidates_and_chooses_none(label: str) -> None:
    service = HeadingService()
    async with Desk(transport=service.transport) as desk:
        answer = await desk.call(SUBJECT, subject=label)
    assert answer.reason == "not_found"
    assert "Headings with these words: " in answer.text
    assert any(name in answer.text for name in ("Photography, Aerial", "Motion pictures", "Jazz"))


async def test_a_label_without_candidates_names_the_tool_that_finds_some() -> None:
    for fails in ((), ("suggest2",)):
        async with Desk(transport=HeadingService(*fails).transport) as desk:
            answer = await desk.call(SUBJECT, subject="xyzzyplugh")
        assert answer.reason == "not_found"
        assert SUBJECTS in answer.text


@pytest.mark.parametrize("given", ["sh00000000", URI + "sh99999999"])
async def test_an_unknown_id_is_said_to_be_one(given: str) -> None:
    async with Desk(transport=HeadingService().transport) as desk:
        answer = await desk.call(SUBJECT, subject=given)
    assert answer.reason == "not_found"


@pytest.mark.parametrize("part", ["label", "record"])
async def test_an_outage_is_never_an_unknown_heading(part: str) -> None:
    async with Desk(transport=HeadingService(part).transport) as desk:
        answer = await desk.call(SUBJECT, subject="Jazz")
    assert answer.reason == "upstream_unavailable"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("", "invalid_input"),
        ("  ", "invalid_id"),
        ("x" * 301, "invalid_id"),
        ("https://evil.example/authorities/subjects/sh85069833", "invalid_id"),
        ("http://id.loc.gov@evil.example/authorities/subjects/sh85069833", "invalid_id"),
        ("http://id.loc.gov/authorities/names/n79021164", "invalid_id"),
        ("..\\..\\etc", "invalid_id"),
        ("a\x00b", "invalid_input"),
        ("..", "invalid_input"),
        (".", "invalid_input"),
    ],
)
async def test_what_is_no_heading_is_refused_before_any_request(given: str, reason: str) -> None:
    service = HeadingService()
    async with Desk(transport=service.transport) as desk:
        answer = await desk.call(SUBJECT, subject=given)
    assert (answer.reason, service.asked) == (reason, [])


@pytest.mark.parametrize(
    "label", ["a/b", "Jazz?x=1", "Jazz#x", "100% cotton", "Caf\u00e9s", "../names"]
)
async def test_a_label_stays_one_segment_of_the_path(label: str) -> None:
    service = HeadingService()
    async with Desk(transport=service.transport) as desk:
        answer = await desk.call(SUBJECT, subject=label)
    assert answer.reason == "not_found"
    sent = service.asked[0].raw_path.decode()
    assert sent.startswith("/authorities/subjects/label/")
    assert sent.count("/") == 4
    assert "?" not in sent


@upstream
async def test_headings_of_the_stand_in(standin: Standin) -> None:
    async with Desk() as desk:
        for given in ("sh85009792", "authority files (information retrieval)"):
            answer = await desk.call(SUBJECT, subject=given)
            assert unsaid(answer) == []
            assert answer.structure["variants"]
        old = await desk.call(SUBJECT, subject="sh87003768")
        assert old.structure["deprecated"] is True
        assert old.structure["replaced_by"]
        assert unsaid(old) == []
        part = await desk.call(SUBJECT, subject="sh85009792", section="variants", offset=1)
        whole = await desk.call(SUBJECT, subject="sh85009792")
        assert part.structure["variants"] == whole.structure["variants"][1:]
        wrong = await desk.call(SUBJECT, subject="sh85009792", section="notes")
        assert wrong.reason == "invalid_input"


@upstream
async def test_every_suggested_heading_can_be_looked_up(standin: Standin) -> None:
    async with Desk() as desk:
        rows = (await desk.call(SUBJECTS, query="folk", limit=20)).structure["subjects"]
        assert rows
        for row in rows:
            for given in (row["uri"], row["label"]):
                found = (await desk.call(SUBJECT, subject=given)).structure
                assert (found["uri"], found["label"]) == (row["uri"], row["label"])
