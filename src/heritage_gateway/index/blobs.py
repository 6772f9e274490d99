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
        self._known: dict[int, zstandard.ZstdCompressionDict] = {}  # as far as they were needed
        self._packers: dict[int, zstandard.ZstdCompressor] = {}
        self._threads = threading.local()  # an unpacker serves one thread at a time

    def __reduce__(self) -> tuple[type[Blobs], tuple[Path]]:
        """Sent to another process, it reads the same folder there."""
        return Blobs, (self._folder,)

    def load(self) -> None:
        """All dictionaries now, for whoever goes on when the folder is gone."""
        for file in self._folder.glob(f"*{_SUFFIX}"):
            if file.stem.isdecimal():
                self._dictionary(int(file.stem))

    def _dictionary(self, number: int) -> zstandard.ZstdCompressionDict | None:
        if number not in self._known:
            try:
                whole = self._file(number).read_bytes()
            except FileNotFoundError:
                return None
            self._known[number] = zstandard.ZstdCompressionDict(whole)
        return self._known[number]

    def _file(self, number: int) -> Path:
        return self._folder / f"{number}{_SUFFIX}"

    def knows(self, kind: str) -> bool:
        return self._dictionary(_number(kind)) is not None

    def learn(self, kind: str, records: Sequence[bytes]) -> None:
        """Once for each kind, before its first record is packed."""
        if self.knows(kind) or len(records) < ENOUGH // 10:
            return
        try:
            learnt = zstandard.train_dictionary(_SIZE, list(records), dict_id=_number(kind))
        except zstandard.ZstdError:  # too little in them, or all the same
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._file(_number(kind))
        partial = file.with_suffix(".part")
        partial.write_bytes(learnt.as_bytes())
        partial.replace(file)
        self._known[_number(kind)] = learnt

    def pack(self, kind: str, records: Sequence[bytes]) -> list[bytes]:
        """Other threads go on meanwhile."""
        number = _number(kind)
        learnt: Any = self._dictionary(number)
        number = 0 if learnt is None else number
        packer = self._packers.get(number)
        if packer is None:
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
        except (zstandard.ZstdError, LookupError):
            pass
        raise IndexFault("A record of the index cannot be unpacked.")

    def _unpacker(self, number: int) -> zstandard.ZstdDecompressor:
        mine: dict[int, zstandard.ZstdDecompressor] = self._threads.__dict__.setdefault("mine", {})
        if number not in mine:
            known = self._dictionary(number) if number else None
            if number and known is None:
                raise LookupError(number)
            mine[number] = zstandard.ZstdDecompressor(dict_data=known)
        return mine[number]


def _number(kind: str) -> int:
    return _FIRST_ID + zlib.crc32(kind.encode()) % (2**31 - _FIRST_ID)
