"""A long record is shortened where it is longest, says so, and gives the exact way to the rest."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from heritage_gateway.section import Record, SectionArguments, Sectioned


class Note(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str
    content: str


class Thing(Sectioned):
    title: str
    notes: list[Note]
    topics: list[str]


SECTIONS = ("title", "notes", "topics")
CONTINUES = re.compile(
    r'get id="1" section="(\w+)" offset=(\d+)(?: text_offset=(\d+))? continues it'
)


def record(thing: Thing, asked: SectionArguments | None = None) -> Record[Thing]:
    return Record(
        whole=thing, sections=SECTIONS, call='get id="1"', asked=asked or SectionArguments()
    )


def thing(notes: int = 40, topics: int = 3) -> Thing:
    return Thing(
        title="A thing",
        notes=[Note(label="Note", content=f"{number} {'words ' * 5}") for number in range(notes)],
        topics=[f"topic {number}" for number in range(topics)],
    )


def test_a_record_that_fits_is_whole_and_says_nothing() -> None:
    draft = record(thing())
    whole = draft.within(draft.extent)
    assert whole == thing()
    assert whole.shortened is None


def test_the_longest_section_is_shortened_and_the_others_stay_whole() -> None:
    shorter = record(thing()).within(500)
    assert 0 < len(shorter.notes) < 40
    assert len(shorter.topics) == 3
    assert [told.section for told in shorter.shortened or []] == ["notes"]
    assert f"notes: {len(shorter.notes)} of 40 shown" in str(shorter.notice)


@pytest.mark.parametrize("room", [200, 500, 2000])
def test_following_the_notice_reads_every_note_once(room: int) -> None:
    read: list[Note] = []
    asked = SectionArguments()
    while True:
        shorter = record(thing(), asked).within(room)
        read += shorter.notes
        way_on = CONTINUES.search(str(shorter.notice))
        if way_on is None:
            break
        asked = SectionArguments(section=way_on[1], offset=int(way_on[2]))
    assert read == thing().notes


def test_one_note_longer_than_the_room_is_read_in_parts() -> None:
    text = "".join(f"{number:05d}" for number in range(2000))
    long = Thing(title="A", notes=[Note(label="Note", content=text)], topics=[])
    read = ""
    asked = SectionArguments()
    for _ in range(50):
        shorter = record(long, asked).within(1500)
        read += shorter.notes[0].content
        way_on = CONTINUES.search(str(shorter.notice))
        if way_on is None:
            break
        asked = SectionArguments(
            section=way_on[1], offset=int(way_on[2]), text_offset=int(way_on[3] or 0)
        )
    assert read == text


def test_a_section_past_its_end_is_empty_and_says_how_many_there_are() -> None:
    beyond = record(thing(), SectionArguments(section="notes", offset=99)).within(5000)
    assert beyond.notes == []
    assert "notes: offset=99 lies past the end; the last valid offset is 39." in str(beyond.notice)


def test_the_smallest_measure_names_the_lists_that_go_and_keeps_the_title() -> None:
    smallest = record(thing()).within(0)
    assert (smallest.title, smallest.notes, smallest.topics) == ("A thing", [], [])
    assert smallest.notice == (
        'Left out or cut for want of room: notes, topics; get id="1" section="notes" gets the '
        "first, and so on."
    )
    assert [(told.section, told.shown, told.total) for told in smallest.shortened or []] == [
        ("notes", 0, 40),
        ("topics", 0, 3),
    ]


def test_the_section_asked_for_gets_on_at_the_smallest_measure() -> None:
    smallest = record(thing(), SectionArguments(section="notes", offset=7)).within(0)
    assert smallest.notes == thing().notes[7:8]
    assert "notes: 1 of 40 shown from 7;" in str(smallest.notice)
    assert 'cut for want of room: topics; get id="1" section="topics"' in str(smallest.notice)


def test_a_section_that_is_never_empty_keeps_an_entry() -> None:
    draft = replace(record(thing()), never_empty=("topics",))
    assert draft.within(0).topics == ["topic 0", "topic 1", "topic 2"]
    assert draft.within(0).notes == []


class Shelf(BaseModel):
    model_config = ConfigDict(frozen=True)

    count: int
    books: tuple[str, ...]


class Room(Sectioned):
    shelf: Shelf


def test_a_section_inside_another_field_is_shortened_and_continued_there() -> None:
    room = Room(shelf=Shelf(count=90, books=tuple(f"book {number}" for number in range(90))))
    sections = ("shelf.books",)
    shorter = Record(room, sections, 'get id="1"', SectionArguments()).within(200)
    assert shorter.shelf.count == 90
    shown = len(shorter.shelf.books)
    assert 0 < shown < 90
    assert f'get id="1" section="shelf.books" offset={shown} continues it.' in str(shorter.notice)
    rest = Record(room, sections, "", SectionArguments(section="shelf.books", offset=shown))
    assert rest.within(10_000).shelf.books == room.shelf.books[shown:]


@given(st.integers(0, 3000), st.integers(0, 60), st.integers(0, 60))
def test_a_smaller_measure_never_shows_more(room: int, notes: int, topics: int) -> None:
    draft = record(thing(notes, topics))
    smaller, larger = draft.within(room), draft.within(room + 50)
    assert len(smaller.notes) <= len(larger.notes)
    assert len(smaller.topics) <= len(larger.topics)
    assert (smaller.shortened is None) == (smaller.notice is None)
