"""Whose an image is, is remembered of as many images as there is room for."""

from __future__ import annotations

from heritage_smithsonian.catalogue import KnownNames


def test_the_record_of_an_image_is_known_after_it_was_told() -> None:
    known = KnownNames()
    known.note([("NMAH-1", "nmah_1"), ("NMAH-2", "nmah_1")])
    assert known.record_of("NMAH-2") == "nmah_1"
    assert known.record_of("NMAH-3") is None
    known.note([("NMAH-2", "nmah_2")])
    assert known.record_of("NMAH-2") == "nmah_2"


def test_beyond_the_bound_those_of_which_was_heard_last_are_kept() -> None:
    known = KnownNames(most=2)
    known.note([("a", "1"), ("b", "1"), ("a", "1"), ("c", "1")])
    assert [known.record_of(name) for name in "abc"] == ["1", None, "1"]
