"""A research session of the Library's calls costs what it should, and a second one next to nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.session40 import SESSION, Played, play, requests
from conftest import Standin
from loc.reading_room import BROWSE, ITEM, PAGE, PAPERS, SEARCH, SUBJECTS

pytestmark = [pytest.mark.anyio, pytest.mark.standin]


def costs(played: list[Played], tool: str) -> list[dict[str, int]]:
    return [dict(one.requests) for one in played if one.tool == tool]


@pytest.mark.skipif(not SESSION.exists(), reason="the session is not beside this checkout")
async def test_what_the_session_sends(standin: Standin) -> None:
    first, second = await play(standin.base, "libofcongress_", rounds=2)
    assert len(first) == 20
    loc, tile, headings, none = {"loc": 1}, {"tile": 1}, {"id": 1}, dict[str, int]()
    assert costs(first, SUBJECTS) == [headings, none, headings]
    assert costs(first, SEARCH) == [loc, loc, loc, none]
    assert costs(first, ITEM) == [loc, loc, none, loc]
    assert costs(first, BROWSE) == [loc, none, none], "one list serves every filter and page"
    assert costs(first, PAPERS) == [loc, loc]
    assert costs(first, PAGE) == [tile, tile, tile, none], (
        "a page from a search costs its text alone"
    )
    assert requests(first) == Counter(loc=9, tile=3, id=2)
    assert requests(second) == Counter(loc=1), "only what is not there is asked for again"
    assert [one.reason for one in first if one.reason] == ["item_not_found"]
    assert all(one.tokens < 20_000 for one in first)
    assert [one.structure for one in first] == [one.structure for one in second]
