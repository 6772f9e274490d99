"""The vocabularies of both sources: where they differ, no object is lost by it."""

from __future__ import annotations

import random

import pytest

from sources.differences import Allowed
from sources.houses import SEARCH, TERMS, Both
from sources.questions import terms

pytestmark = [pytest.mark.anyio, pytest.mark.standin, pytest.mark.captured]

LIVE_FIELDS = ("unit_code", "culture", "place", "date", "online_media_type", "topic")
ALL = 40_000


async def listed(both: Both, field: str) -> tuple[list[str], list[str]]:
    live, mirror = await both.call(TERMS, field=field, rows=ALL)
    assert live.structure["total"] == len(live.structure["terms"])
    assert mirror.structure["total"] == len(mirror.structure["terms"])
    return live.structure["terms"], mirror.structure["terms"]


@pytest.mark.parametrize("field", LIVE_FIELDS)
async def test_a_term_of_the_mirror_is_one_of_the_live_api(field: str, both: Both) -> None:
    live, mirror = await listed(both, field)
    assert not set(mirror) - set(live)
    assert mirror == sorted(terms(field)), "and every term that an object carries is there"
    assert [term for term in live if term in set(mirror)] == mirror, "in the same order"


@pytest.mark.parametrize("field", LIVE_FIELDS)
async def test_a_term_that_the_mirror_lacks_finds_no_object(field: str, both: Both) -> None:
    live, mirror = await listed(both, field)
    lacking = sorted(set(live) - set(mirror))
    assert bool(lacking) == (field in {"unit_code", "culture", "place", "date", "topic"}), (
        Allowed.EMPTY_TERMS
    )
    for term in random.Random(field).sample(lacking, min(5, len(lacking))):
        answers = await both.call(SEARCH, query="", filters={field: term})
        assert [answer.reason for answer in answers] == ["invalid_filter"] * 2, term


@pytest.mark.parametrize("field", LIVE_FIELDS)
async def test_parts_of_terms_are_found_alike(field: str, both: Both) -> None:
    _, mirror = await listed(both, field)
    known = set(mirror)
    for part in ("AME", "19", "museum", '"', "xyzzyplugh", "é", " "):
        live, ours = await both.call(TERMS, field=field, contains=part, rows=ALL)
        assert [one for one in live.structure["terms"] if one in known] == ours.structure["terms"]
