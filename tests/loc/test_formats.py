"""Formats in their many spellings."""

from __future__ import annotations

import pytest

from heritage_loc.formats import FORMATS, ROUTES, format_of, route, searchable


def test_every_format_has_a_route_of_its_own_and_knows_it_again() -> None:
    assert len(set(ROUTES.values())) == len(FORMATS) == 8
    for word in FORMATS:
        assert format_of(word) == format_of(route(word)) == word


@pytest.mark.parametrize(
    ("spelling", "word"),
    [
        ("photo, print, drawing", "photo"),
        ("Manuscript/Mixed Material", "manuscript"),
        ("sound recording", "audio"),
        ("film, video", "film"),
        ("notated music", "notated-music"),
        ("Book/Printed Material", "book"),
        ("cartographic", "map"),
        ("web archive", None),
        ("periodical", None),
        ("collection", None),
        ("", None),
    ],
)
def test_a_spelling_is_known_or_has_no_route(spelling: str, word: str | None) -> None:
    assert format_of(spelling) == word


def test_what_can_be_searched_of_a_collection_stands_in_our_order() -> None:
    assert searchable(["collection", "book", "photo, print, drawing", "photos"]) == (
        "photo",
        "book",
    )
    assert searchable(["archived web site"]) == ()
