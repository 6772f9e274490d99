"""Which source answers: by setting, by what a mirror holds, and when it breaks while serving."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Standin
from desk import Desk
from heritage_gateway.tool import Answer
from mirror import unsaid
from shared import captured_records
from sources.houses import (
    BROWSE,
    GET,
    MEDIA,
    PUBLISHED,
    RELATED,
    SEARCH,
    TERMS,
    copied,
    desk_of,
    synced,
)
from sources.questions import objects, terms

pytestmark = [pytest.mark.anyio, pytest.mark.standin, pytest.mark.captured]

VEGA, PAINTED = "nasm_A19670093000", "edanmdm:saam_1979.98.185"
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    (SEARCH, {"query": "vega", "rows": 2}),
    (TERMS, {"field": "culture", "rows": 2}),
    (GET, {"id": VEGA}),
    (MEDIA, {"id": VEGA}),
    (BROWSE, {"mode": "culture", "value": "Cheyenne Indians", "rows": 2}),
    (RELATED, {"id": VEGA, "limit": 2}),
)
every_tool = pytest.mark.parametrize(("tool", "given"), CALLS, ids=[name for name, _ in CALLS])
UNREAD = "The local mirror could not be read, so the live API was asked."


def generation(folder: Path) -> Path:
    return next(path for path in (folder / "generations").iterdir() if path.name.isdigit())


def served_live(answer: Answer, *, said: str = "") -> None:
    assert not answer.is_error, answer.text
    assert answer.structure["sources"] == ["edan_api"]
    assert "mirror_snapshot" not in answer.structure
    assert "Source: edan_api." in answer.text
    assert answer.structure.get("notice", "").endswith(said)
    assert "Answered from a local mirror" not in answer.text
    assert not unsaid(answer)


# -- by setting --------------------------------------------------------------------------------------


@every_tool
async def test_live_is_live_whatever_lies_on_the_disk(
    tool: str, given: dict[str, Any], standin: Standin, mirror: Path
) -> None:
    async with desk_of("live", mirror) as desk:
        answer = await desk.call(tool, **given)
    assert "sources" not in answer.structure
    assert standin.requests > 0


@every_tool
@pytest.mark.parametrize("source", ["auto", "mirror"])
async def test_a_mirror_answers_alone(
    source: str, tool: str, given: dict[str, Any], standin: Standin, mirror: Path
) -> None:
    async with desk_of(source, mirror) as desk:
        answer = await desk.call(tool, **given)
    assert answer.structure["sources"] == ["oa_mirror"]
    assert standin.requests == 0


@every_tool
async def test_a_mirror_that_is_wanted_and_not_there_is_an_error_and_no_zero(
    tool: str, given: dict[str, Any], standin: Standin
) -> None:
    async with desk_of("mirror") as desk:
        answer = await desk.call(tool, **given)
    assert answer.reason == "upstream_unavailable"
    assert "HERITAGE_SMITHSONIAN_SOURCE=mirror" in answer.text
    assert "heritage-gateway mirror sync" in answer.text
    assert standin.requests == 0


async def test_a_mirror_that_comes_and_goes_is_noticed(
    standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "later"
    async with desk_of("auto", folder) as desk:
        assert "sources" not in (await desk.call(GET, id=VEGA)).structure
        copied(mirror, folder)
        assert (await desk.call(GET, id=VEGA)).structure["sources"] == ["oa_mirror"]
        (folder / "current.json").unlink()
        assert "sources" not in (await desk.call(GET, id=VEGA)).structure


async def test_a_list_goes_on_in_the_source_that_it_began_in(
    standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "later"
    asked: dict[str, Any] = {"query": "portrait", "rows": 5}
    async with desk_of("auto", folder) as desk:
        assert "sources" not in (await desk.call(SEARCH, **asked)).structure
        copied(mirror, folder)
        second = await desk.call(SEARCH, **asked, start=5)
        assert "sources" not in second.structure
        anew = await desk.call(SEARCH, **asked)
        assert anew.structure["sources"] == ["oa_mirror"]
        (folder / "current.json").unlink()
        third = await desk.call(SEARCH, **asked, start=5)
        assert third.structure["sources"] == ["oa_mirror"]


# -- a record that is newer ----------------------------------------------------------------------------


async def test_the_live_api_has_the_last_word_on_a_record(
    standin: Standin, mirror: Path, no_budget: None
) -> None:
    """In the stand-in's next snapshot there are records that the mirror of this one lacks."""
    known = {record["url"] for record in captured_records()}
    standin.post("snapshot", {"snapshot": 2})
    try:
        async with desk_of("live") as live:
            listed = await live.call(SEARCH, query="", sort="newest", rows=1000)
            newer = next(
                row["record_id"]
                for row in listed.structure["objects"]
                if f"edanmdm:{row['record_id']}" not in known
            )
        async with desk_of("auto", mirror) as desk:
            found = await desk.call(GET, id=newer)
            served_live(found)
            related = await desk.call(RELATED, id=newer, limit=3)
            assert set(related.structure["sources"]) == {"oa_mirror", "edan_api"}
            assert related.structure["mirror_snapshot"].startswith(PUBLISHED)
            assert "The record itself is from the live API." in related.structure["notice"]
            before = standin.requests
            assert (await desk.call(GET, id="nasm_A0")).reason == "not_found"
            assert standin.requests == before + 1, "asked once"
        async with desk_of("mirror", mirror) as alone:
            absent = await alone.call(GET, id=newer)
            assert absent.reason == "not_found"
            assert "The local mirror holds no record with this id." in absent.text
            assert PUBLISHED in absent.text
    finally:
        standin.post("snapshot", {"snapshot": 1})


async def test_what_the_live_api_cannot_say_is_not_read_as_absent(
    standin: Standin, mirror: Path
) -> None:
    standin.fault("500", host="si", times=-1)
    async with desk_of("auto", mirror) as desk:
        assert (await desk.call(GET, id="nasm_A0")).reason == "upstream_unavailable"
        assert not (await desk.call(GET, id=VEGA)).is_error


# -- a mirror of some units ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nasm(tmp_path_factory: pytest.TempPathFactory, _standin_address: str) -> Path:
    import asyncio

    folder = tmp_path_factory.mktemp("partial") / "nasm"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMITHSONIAN_BULK_URL", f"{_standin_address}/s3")
        patch.setenv("HERITAGE_RATE_LIMITS", "off")
        asyncio.run(synced(folder, "NASM"))
    return folder


@pytest.fixture
async def partial(standin: Standin, nasm: Path) -> AsyncIterator[Desk]:
    async with desk_of("auto", nasm) as desk:
        yield desk


HELD = f"Answered from a local mirror of {PUBLISHED}. It holds only NASM."


async def test_some_units_answer_for_themselves(partial: Desk, standin: Standin) -> None:
    asked = {"query": "", "filters": {"unit_code": "NASM"}, "rows": 2}
    for answer in (
        await partial.call(SEARCH, **asked),
        await partial.call(BROWSE, mode="museum", value="NASM", rows=2),
        await partial.call(GET, id=VEGA),
        await partial.call(MEDIA, id=VEGA),
    ):
        assert answer.structure["sources"] == ["oa_mirror"]
        assert answer.structure["notice"].endswith(HELD)
        assert answer.structure.get("total_count", 169) == terms("unit_code")["NASM"] == 169
    assert standin.requests == 0


async def test_what_lies_outside_of_them_is_asked_of_the_live_api(partial: Desk) -> None:
    for tool, given in (
        (SEARCH, {"query": "vega"}),
        (SEARCH, {"query": "unit_code:NASM vega"}),
        (SEARCH, {"query": "", "filters": {"unit_code": "SAAM"}}),
        (BROWSE, {"mode": "culture", "value": "Cheyenne Indians"}),
        (TERMS, {"field": "culture"}),
        (GET, {"id": next(one["url"] for one in objects() if one["unitCode"] == "SAAM")}),
    ):
        served_live(await partial.call(tool, **given))
    for field in ("object_type", "name", "scientific_name"):
        assert (await partial.call(TERMS, field=field)).reason == "mirror_required"
    counted = await partial.call(TERMS, field="culture", sort="count")
    assert counted.reason == "mirror_required"


async def test_relatives_are_looked_for_everywhere(partial: Desk, standin: Standin) -> None:
    async with desk_of("live") as live:
        expected = await live.call(RELATED, id=VEGA, limit=1000)
    found = await partial.call(RELATED, id=VEGA, limit=1000)
    assert found.structure["signals"] == expected.structure["signals"]
    assert found.structure["related"] == expected.structure["related"]
    assert found.structure["sources"] == ["oa_mirror", "edan_api"]
    assert "the live API listed its relatives" in found.structure["notice"]


async def test_a_zero_within_some_units_says_nothing_of_the_others(partial: Desk) -> None:
    """The hint is about the catalogue: a culture that these units lack is a term all the same."""
    answer = await partial.call(
        SEARCH, query="", filters={"unit_code": "NASM", "culture": "Cheyenne Indians"}
    )
    assert answer.reason == "invalid_filter"
    assert '"Cheyenne Indians" is not a term' not in answer.text
    assert '"Cheyenne Indians" is a term of culture' in answer.text
    assert HELD in answer.text


async def test_a_mirror_of_some_units_alone_never_says_that_there_is_none(
    standin: Standin, nasm: Path
) -> None:
    async with desk_of("mirror", nasm) as desk:
        for tool, given in (
            (SEARCH, {"query": "xyzzyplugh"}),
            (SEARCH, {"query": "", "filters": {"unit_code": "SAAM"}}),
            (SEARCH, {"query": "", "filters": {"culture": "Cheyenne Indians"}}),
            (BROWSE, {"mode": "culture", "value": "Cheyenne Indians"}),
        ):
            answer = await desk.call(tool, **given)
            assert "in a mirror of NASM alone." in answer.structure["error"]["message"]
            assert HELD in answer.text
        absent = await desk.call(GET, id="saam_0")
        assert "The local mirror holds no record" in absent.text
        assert HELD in absent.text
        inside = await desk.call(SEARCH, query="xyzzyplugh", filters={"unit_code": "NASM"})
        assert "alone" not in inside.structure["error"]["message"]
        listed = await desk.call(TERMS, field="topic", contains="Cheyenne")
        assert listed.structure["total"] == 0
        assert listed.structure["notice"].endswith(HELD)
        empty = await desk.call(TERMS, field="culture")
        assert empty.reason == "no_terms"
        assert "No object of the local mirror has a term of culture." in empty.text
        assert HELD in empty.text
        wide = await desk.call(SEARCH, query="painting")
        assert wide.structure["notice"].endswith(HELD)
    assert standin.requests == 0


async def test_archives_are_looked_for_live_and_a_mirror_alone_cannot_tell_of_them(
    standin: Standin, mirror: Path
) -> None:
    title = "Paleopathology Implications for the History and Evolution of Tuberculosis"
    async with desk_of("auto", mirror) as desk:
        (found,) = (await desk.call("heritage_verify", what=[title])).structure["items"]
        assert (found["verdict"], found["id"]) == (
            "exists",
            "ead_component:sova-naa-2014-07-ref320",
        )
    async with desk_of("mirror", mirror) as alone:
        (silent,) = (await alone.call("heritage_verify", what=[title])).structure["items"]
        assert silent["verdict"] == "cannot_tell"
    assert standin.requests > 0


async def test_a_count_of_objects_says_that_archives_are_not_in_it(
    standin: Standin, mirror: Path
) -> None:
    async with desk_of("auto", mirror) as desk:
        answer = await desk.call("heritage_search", query="xyzzyplugh", lists=["smithsonian"])
        (listed,) = answer.structure["lists"]
        assert (listed["state"], listed["total"]) == ("answered", 0)
        assert "Archival records (finding aids) are not in this count." in listed["notice"]


# -- a mirror that breaks --------------------------------------------------------------------------------


def without(part: str) -> Callable[[Path], None]:
    return lambda folder: shutil.rmtree(generation(folder) / part)


def cut_short(folder: Path) -> None:
    """As after a disk that was full. Under a server that has them open this ends the process."""
    for path in (generation(folder) / "index").glob("*.store"):
        os.truncate(path, path.stat().st_size // 2)


def scrambled(folder: Path, pattern: str) -> None:
    for path in (generation(folder) / "index").glob(pattern):
        held = path.read_bytes()
        middle = len(held) * 3 // 4
        path.unlink()
        path.write_bytes(bytes(byte ^ 0x55 for byte in held[:middle]) + held[middle:])


def foreign(folder: Path) -> None:
    file = generation(folder) / "format.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "engine": "tantivy 0.1"}))


BREAKS: dict[str, Callable[[Path], None]] = {
    "index gone": without("index"),
    "dictionaries gone": without("dictionaries"),
    "cut short": cut_short,
    "records scrambled": lambda folder: scrambled(folder, "*.store"),
    "postings scrambled": lambda folder: scrambled(folder, "*.idx"),
    "another version": foreign,
    "unfinished": lambda folder: os.truncate(generation(folder) / "format.json", 1),
}


@pytest.mark.parametrize("how", BREAKS)
async def test_a_broken_mirror_is_stepped_over_and_that_is_said(
    how: str, standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = copied(mirror, tmp_path / "broken")
    BREAKS[how](folder)
    async with desk_of("auto", folder) as desk:
        answer = await desk.call(SEARCH, query="vega lockheed")
        assert answer.structure["total_count"] > 0
        served_live(answer, said=UNREAD)
    async with desk_of("mirror", folder) as alone:
        refused = await alone.call(SEARCH, query="vega lockheed")
    assert refused.reason == "upstream_unavailable"
    assert "The operator of this server should run `heritage-gateway mirror" in refused.text
    assert str(tmp_path) not in refused.text, "no folder of the person's own"


@pytest.mark.parametrize("how", ["dictionaries gone", "another version"])
async def test_every_tool_steps_over_a_broken_mirror(
    how: str, standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = copied(mirror, tmp_path / "broken")
    BREAKS[how](folder)
    async with desk_of("auto", folder) as desk:
        for tool, given in CALLS:
            answer = await desk.call(tool, **given)
            if how == "dictionaries gone" and tool == TERMS:
                assert answer.structure["sources"] == ["oa_mirror"], "what is whole still serves"
            else:
                served_live(answer, said=UNREAD)


async def test_vocabularies_that_are_gone_are_asked_of_the_live_api(
    standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = copied(mirror, tmp_path / "broken")
    async with desk_of("auto", folder) as desk:
        assert (await desk.call(TERMS, field="name")).structure["sources"] == ["oa_mirror"]
        without("terms")(folder)
        served_live(await desk.call(TERMS, field="culture"), said=UNREAD)
        assert (await desk.call(TERMS, field="object_type")).reason == "mirror_required"
        zero = await desk.call(SEARCH, query="", filters={"culture": "Nobody"})
        assert zero.reason == "invalid_filter"
        assert not (await desk.call(TERMS, field="name")).is_error, "what was read is kept"


async def test_a_mirror_that_is_deleted_while_it_serves_goes_without_a_gap(
    standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = copied(mirror, tmp_path / "broken")
    async with desk_of("auto", folder) as desk:
        assert (await desk.call(SEARCH, query="vega")).structure["sources"] == ["oa_mirror"]
        shutil.rmtree(folder)
        for tool, given in CALLS:
            answer = await desk.call(tool, **given)
            assert not answer.is_error
            assert "oa_mirror" not in answer.structure.get("sources", [])


async def test_a_newer_mirror_that_cannot_be_read_leaves_the_former_at_work(
    standin: Standin, mirror: Path, tmp_path: Path
) -> None:
    folder = copied(mirror, tmp_path / "broken")
    async with desk_of("auto", folder) as desk:
        assert (await desk.call(SEARCH, query="vega")).structure["sources"] == ["oa_mirror"]
        (folder / "generations" / "000099").mkdir()
        (folder / "current.json").unlink()
        (folder / "current.json").write_text('{"generation": "000099"}')
        assert (await desk.call(SEARCH, query="vega")).structure["sources"] == ["oa_mirror"]
        assert standin.requests == 0
