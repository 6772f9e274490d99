"""Files on their way from the bucket: some at a time, and handed on in the order they were asked for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from heritage_gateway.errors import GatewayError, NothingFound, Refused, UpstreamError
from heritage_gateway.http import Downloaded
from heritage_gateway.index import IndexFault
from heritage_smithsonian.mirror.bucket import Bucket, Shard

PARALLEL = 6  # downloads at a time
_GIVE_UP_AFTER = 5  # files in a row that could not be fetched


class SyncFault(IndexFault):
    """The sync cannot go on; the message says why in one sentence, and what was done is kept."""


@dataclass(slots=True)
class Intake:
    """`file` and `etag` are of a batch: where it goes, and the version of it that is at hand."""

    bucket: Bucket
    file: Callable[[str], Path]
    etag: Callable[[str], str | None]
    on_bytes: Callable[[int], object]
    _ended: SyncFault | None = field(default=None, init=False)

    def raise_if_ended(self) -> None:
        """Raises `SyncFault` where fewer came than were asked for; to be called after the last."""
        if self._ended is not None:
            raise self._ended

    async def outcomes(
        self, shards: Iterable[Shard]
    ) -> AsyncGenerator[tuple[Shard, Downloaded | GatewayError]]:
        """Ends early where it is of no use to go on, so that what came can still be dealt with."""
        window: deque[tuple[Shard, asyncio.Task[Downloaded | GatewayError]]] = deque()
        failures = 0
        try:
            for shard in (*shards, None):
                if shard is not None:
                    window.append((shard, asyncio.create_task(self._fetch(shard))))
                while window and (shard is None or len(window) >= PARALLEL):
                    first, task = window.popleft()
                    outcome = await task
                    failures = failures + 1 if isinstance(outcome, UpstreamError) else 0
                    if failures >= _GIVE_UP_AFTER and isinstance(outcome, GatewayError):
                        self._ended = SyncFault(
                            f"{outcome.message} Run the sync again later to go on."
                        )
                        return
                    yield first, outcome
        except SyncFault as fault:
            self._ended = fault
        finally:
            for _, task in window:
                task.cancel()
            await asyncio.gather(*(task for _, task in window), return_exceptions=True)

    async def _fetch(self, shard: Shard) -> Downloaded | GatewayError:
        file, etag = self.file(shard.batch), self.etag(shard.batch)
        try:
            return await self.bucket.fetch(shard, file, etag=etag, on_bytes=self.on_bytes)
        except GatewayError as error:
            if not isinstance(error, UpstreamError | NothingFound | Refused):
                raise SyncFault(f"{error.message} {error.hint}") from None
            return error
