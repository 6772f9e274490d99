"""Records in little space: each kind is packed with a dictionary learnt from the first of its records.

A record of 2.5 kB takes about 500 bytes with a dictionary, and 1,100 without. A dictionary never
changes once it was used; packed records name theirs, so that old ones stay readable.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zstandard

from heritage_gateway.index.engine import IndexFault

ENOUGH = 1_000  # records to learn from; of fewer than a tenth, nothing is learnt
_SIZE = 96 * 1024  # bytes of a dictionary
_LEVEL = 3
_FIRST_ID = 32_768  # below it, ids are registered ones
_SUFFIX = ".zdict"


class Blobs:
    """Packs and unpacks; one folder of dictionaries."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = (file for file in folder.glob(f"*{_SUFFIX}") if file.stem.isdecimal())
        self._known = {int(file.stem): _loaded(file) for file in files}
        self._packers: dict[int, zstandard.ZstdCompressor] = {}
        self._threads = threading.local()  # an unpacker serves one thread at a time

    def knows(self, kind: str) -> bool:
        return _number(kind) in self._known

    def learn(self, kind: str, records: Sequence[bytes]) -> None:
        """Once for each kind, before its first record is packed."""
        if self.knows(kind) or len(records) < ENOUGH // 10:
            return
        try:
            learnt = zstandard.train_dictionary(_SIZE, list(records), dict_id=_number(kind))
        except zstandard.ZstdError:  # too little in them, or all the same
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{_number(kind)}{_SUFFIX}"
        partial = file.with_suffix(".part")
        partial.write_bytes(learnt.as_bytes())
        partial.replace(file)
        self._known[_number(kind)] = learnt

    def pack(self, kind: str, records: Sequence[bytes]) -> list[bytes]:
        """Other threads go on meanwhile."""
        number = _number(kind) if self.knows(kind) else 0
        packer = self._packers.get(number)
        if packer is None:
            learnt: Any = self._known.get(number)
            if learnt is not None:
                learnt.precompute_compress(level=_LEVEL)  # or every call goes through it anew
            packer = zstandard.ZstdCompressor(level=_LEVEL, dict_data=learnt)
            self._packers[number] = packer
        if not records or not all(records):  # the quicker call takes nothing empty
            return [packer.compress(record) for record in records]
        packed: Any = packer.multi_compress_to_buffer(list(records), threads=1)
        return [segment.tobytes() for segment in packed]

    def unpack(self, packed: bytes) -> bytes:
        """Raises `IndexFault` for what is no packed record, or lacks its dictionary."""
        try:
            number = zstandard.get_frame_parameters(packed).dict_id
            return self._unpacker(number).decompress(packed)
        except (zstandard.ZstdError, KeyError):
            pass
        raise IndexFault("A record of the index cannot be unpacked.")

    def _unpacker(self, number: int) -> zstandard.ZstdDecompressor:
        mine: dict[int, zstandard.ZstdDecompressor] = self._threads.__dict__.setdefault("mine", {})
        if number not in mine:
            known = self._known[number] if number else None
            mine[number] = zstandard.ZstdDecompressor(dict_data=known)
        return mine[number]


def _loaded(file: Path) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(file.read_bytes())


def _number(kind: str) -> int:
    return _FIRST_ID + zlib.crc32(kind.encode()) % (2**31 - _FIRST_ID)
