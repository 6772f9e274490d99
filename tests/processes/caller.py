"""One process of several: sends twenty searches at once, and prints what became of each."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path

import anyio

from heritage_gateway.errors import RateLimited
from heritage_gateway.http import AnswerCache, HttpClient, Ledger, Pace, Sharing, Upstream

CALLS = 20


async def main(address: str, folder: str, scale: float) -> None:
    upstream = Upstream(
        name="www.loc.gov",
        title="the stand-in",
        base_url=f"{address}/loc",
        paces={"json": Pace(4, 1, 4 * scale)},
        retry_429=False,
        attempts=1,
    )
    client = HttpClient(
        upstream,
        allowed_hosts=frozenset({upstream.host}),
        cache=AnswerCache(),
        user_agent="heritage-gateway/test",
        sharing=Sharing(Ledger(Path(folder) / "limits.sqlite3")),
    )
    outcomes: list[tuple[str, float]] = []

    async def call(number: int) -> None:
        asked = {"q": f"map {os.getpid()} {number}", "fo": "json", "c": "1", "at": "pagination"}
        try:
            with anyio.fail_after(45):
                status = await client.get(
                    "/search/", params=asked, endpoint="json", read=lambda reply: reply.status
                )
            outcomes.append((str(status), time.time()))
        except RateLimited as error:
            outcomes.append(("refused", error.retry_after or 0))

    await asyncio.gather(*(call(number) for number in range(CALLS)))
    await client.aclose()
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
