"""Where this server stands: what was asked of each host, what may be asked now, what is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from heritage_gateway.http import HttpClient
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House


async def status(house: House, services: Services) -> dict[str, Any]:
    """Plain data for an agent that plans; counts are this process's, limits and rests are shared."""
    return {
        "at": _told(datetime.now(UTC)),
        "providers": [
            {"name": one.name, "title": one.title, "remarks": list(one.remarks)}
            for one in house.providers
        ],
        "not_served": list(house.failures.values()),
        "hosts": [await _host(client) for client in services.clients],
        "kept_answers": _kept(services),
    }


async def _host(client: HttpClient) -> dict[str, Any]:
    standing, upstream = await client.standing(), client.upstream
    pace = next(iter(upstream.paces.values()))
    return {
        "host": upstream.name,
        "title": upstream.title,
        "requests_sent": standing.sent,
        "answers_from_cache": standing.cache_hits,
        "requests_free_now": None if standing.free is None else int(standing.free),
        "seconds_between_requests_after_that": round(pace.interval, 1) if upstream.paced else 0,
        "resting_until": standing.resting_until and _told(standing.resting_until),
    }


def _kept(services: Services) -> dict[str, Any]:
    store = services.sharing.store
    if store is None:
        return {"where": services.settings.cache if services.settings.cache == "off" else "memory"}
    contents = store.contents()
    oldest = contents.oldest and _told(datetime.fromtimestamp(contents.oldest, UTC))
    return {
        "where": "disk",
        "entries": contents.entries,
        "bytes": contents.bytes,
        "oldest": oldest,
    }


def _told(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
