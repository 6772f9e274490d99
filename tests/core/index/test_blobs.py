"""Records packed small come back as they were, in every process and for ever."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.index import IndexFault
from heritage_gateway.index.blobs import Blobs

CARDS = [
    f'{{"id": "card {n}", "title": "A quilt of {n % 13} colours", "unit": "NMAH"}}'.encode()
    for n in range(1_000)
]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a dictionary for cards."""
    folder = tmp_path_factory.mktemp("dictionaries")
    Blobs(folder).learn("cards", CARDS)
    return folder


def test_records_that_are_alike_take_little_room(shelf: Path) -> None:
    blobs = Blobs(shelf)
    alone, learnt = blobs.pack("other", [CARDS[500]])[0], blobs.pack("cards", [CARDS[500]])[0]
    assert len(learnt) < len(alone) / 2
    assert blobs.unpack(alone) == blobs.unpack(learnt) == CARDS[500]


def test_what_one_process_packed_another_unpacks(shelf: Path) -> None:
    packed = [Blobs(shelf).pack("cards", [card])[0] for card in CARDS[:50]]
    assert [Blobs(shelf).unpack(one) for one in packed] == CARDS[:50]


@given(st.lists(st.binary(max_size=2_000), max_size=9), st.sampled_from(["cards", "", "é"]))
def test_any_records_come_back_in_their_order(shelf: Path, records: list[bytes], kind: str) -> None:
    blobs = Blobs(shelf)
    assert [blobs.unpack(one) for one in blobs.pack(kind, records)] == records


def test_a_dictionary_never_changes_once_it_was_learnt(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    blobs.learn("cards", CARDS)
    packed = blobs.pack("cards", [CARDS[0]])[0]
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    others = [random.Random(n).randbytes(300) for n in range(1_000)]
    blobs.learn("cards", others)
    Blobs(tmp_path).learn("cards", others)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert Blobs(tmp_path).unpack(packed) == CARDS[0]


@pytest.mark.parametrize(
    "records", [[], CARDS[:99], [b""] * 1_000, [b"same"] * 1_000, [b"1", b"2"] * 500]
)
def test_where_little_can_be_learnt_records_are_packed_all_the_same(
    tmp_path: Path, records: Sequence[bytes]
) -> None:
    blobs = Blobs(tmp_path / "none yet")
    blobs.learn("cards", records)
    assert Blobs(tmp_path / "none yet").unpack(blobs.pack("cards", [CARDS[0]])[0]) == CARDS[0]


def test_what_was_packed_before_the_dictionary_stays_readable(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    packed = blobs.pack("cards", [CARDS[0]])[0]
    blobs.learn("cards", CARDS)
    assert blobs.knows("cards")
    assert blobs.unpack(packed) == CARDS[0]
    assert Blobs(tmp_path).unpack(blobs.pack("cards", [CARDS[1]])[0]) == CARDS[1]


def test_what_is_no_packed_record_is_a_fault(shelf: Path) -> None:
    blobs = Blobs(shelf)
    packed = blobs.pack("cards", [CARDS[0]])[0]
    for bad in (b"", b"garbage", CARDS[0], packed[:-1], packed[: len(packed) // 2], packed[4:]):
        with pytest.raises(IndexFault):
            blobs.unpack(bad)


def test_a_record_without_its_dictionary_is_a_fault(shelf: Path, tmp_path: Path) -> None:
    packed = Blobs(shelf).pack("cards", [CARDS[0]])[0]
    with pytest.raises(IndexFault):
        Blobs(tmp_path).unpack(packed)
    for file in shelf.iterdir():
        (tmp_path / file.name).write_bytes(b"no dictionary at all")
    with pytest.raises(IndexFault):
        Blobs(tmp_path).unpack(packed)


def test_half_written_and_foreign_files_are_no_dictionaries(shelf: Path, tmp_path: Path) -> None:
    for file in shelf.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "123.part").write_bytes(b"half")
    (tmp_path / "notes.zdict").write_bytes(b"somebody's own")
    packed = Blobs(shelf).pack("cards", [CARDS[0]])[0]
    assert Blobs(tmp_path).unpack(packed) == CARDS[0]


def test_several_threads_unpack_at_once(shelf: Path) -> None:
    blobs = Blobs(shelf)
    packed = [blobs.pack("cards" if n % 2 else "", [card])[0] for n, card in enumerate(CARDS)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(blobs.unpack, packed)) == CARDS
