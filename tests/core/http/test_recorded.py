from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from heritage_gateway.http import RecordedTransport

pytestmark = pytest.mark.anyio

ENTRIES: list[dict[str, object]] = [
    {"path": "/si/search", "params": {"q": "a b", "rows": 5}, "json": {"rowCount": 1}},
    {"path": "/si/search", "json": []},
    {"path": "/loc/item/a%2Fb/", "status": 404, "text": "<html>", "headers": {"Content-Type": "text/html"}},
]  # fmt: skip


async def test_a_recorded_request_is_answered_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "demo.json"
    file.write_text(json.dumps(ENTRIES), encoding="utf-8")
    transport = RecordedTransport()
    transport.add_file(file)
    async with httpx.AsyncClient(transport=transport, base_url="https://host") as client:
        found = await client.get("/si/search", params={"rows": "5", "q": "a b"})
        assert found.json() == {"rowCount": 1}
        assert (await client.get("/si/search")).json() == []
        missing = await client.get("/loc/item/a%2Fb/")
        assert (missing.status_code, missing.headers["content-type"]) == (404, "text/html")
        for path in ("/si/search?q=a", "/si/search?q=a+b&rows=5&rows=5", "/loc/item/a/b/"):
            with pytest.raises(httpx.ConnectError, match="not recorded"):
                await client.get(path)


@pytest.mark.parametrize("base", ["", "/si", "/openaccess/api/v1.0"])
async def test_a_recording_serves_at_whatever_address_is_set(base: str) -> None:
    transport = RecordedTransport([{"path": "/search", "params": {"q": "a"}, "json": 1}])
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:9") as client:
        assert (await client.get(f"{base}/search?q=a")).json() == 1
        for path in ("/research?q=a", "/search/a?q=a", "/search?q=b"):
            with pytest.raises(httpx.ConnectError, match="not recorded"):
                await client.get(f"{base}{path}")


async def test_the_recording_of_the_longer_path_wins() -> None:
    entries: list[dict[str, object]] = [
        {"path": "/search", "json": "short"},
        {"path": "/loc/search", "json": "long"},
    ]
    transport = RecordedTransport(entries)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:9") as client:
        assert (await client.get("/x/loc/search")).json() == "long"
        assert (await client.get("/si/search")).json() == "short"


@pytest.mark.parametrize(
    "entry", [{"path": "/a", "status": "200"}, {"path": "/a", "params": ["q"]}]
)
def test_a_recording_of_the_wrong_shape_is_refused(entry: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        RecordedTransport([entry])
