"""The real network stack, on this machine only: a proxy, a private authority, no fake transport."""

from __future__ import annotations

import asyncio
import logging
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trustme

from core.http.museum import HOSTS, KEY, data, upstream
from heritage_gateway.errors import UpstreamError, UpstreamUnavailable
from heritage_gateway.http import AnswerCache, HttpClient

pytestmark = pytest.mark.anyio

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
BODY = b'{"via": "proxy"}'
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n" + BODY


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PROXY_VARIABLES, *CERTIFICATE_VARIABLES):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


class Proxy:
    """Leads every CONNECT to one TLS host and answers plain requests itself."""

    def __init__(self, context: ssl.SSLContext | None = None, status: int = 200) -> None:
        self.lines: list[str] = []
        self._context = context
        self._status = status

    @asynccontextmanager
    async def running(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.lines.append(head.partition(b"\r\n")[0].decode())
            if head.startswith(b"CONNECT") and self._status == 200:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await writer.drain()
                await writer.start_tls(self._context)  # type: ignore[arg-type]
                await reader.readuntil(b"\r\n\r\n")
            if self._status == 200:
                writer.write(ANSWER)
            else:
                writer.write(f"HTTP/1.1 {self._status} No\r\ncontent-length: 0\r\n\r\n".encode())
            await writer.drain()
            await reader.read()
        writer.close()


def client(**changes: Any) -> HttpClient:
    return HttpClient(
        upstream(attempts=1, connect_timeout=2.0, **changes),
        allowed_hosts=HOSTS | {"127.0.0.1:1"},
        cache=AnswerCache(),
        user_agent="heritage-gateway/test",
    )


async def asked(**changes: Any) -> object:
    async with client(**changes) as one:
        return await one.get("/a", params={"q": "s3cret"}, endpoint="search", read=data)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("museum.example").configure_cert(context)
    return context


async def test_a_proxy_and_a_private_authority_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
    authority: trustme.CA,
    tls: ssl.SSLContext,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    proxy = Proxy(tls)
    async with proxy.running() as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert await asked() == {"via": "proxy"}
    assert proxy.lines == ["CONNECT museum.example:443 HTTP/1.1"]
    for record in caplog.records:
        assert KEY not in record.getMessage()
        assert "s3cret" not in record.getMessage()
        assert not record.name.startswith("http")


async def test_an_unknown_authority_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch, tls: ssl.SSLContext
) -> None:
    async with Proxy(tls).running() as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        with pytest.raises(
            UpstreamUnavailable, match="certificate could not be verified"
        ) as caught:
            await asked()
    assert "SSL_CERT_FILE" in caught.value.hint
    assert not caught.value.transient


async def test_a_plain_proxy_is_given_the_whole_address(monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Proxy()
    async with proxy.running() as port:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        assert await asked(base_url="http://museum.example") == {"via": "proxy"}
    assert proxy.lines == ["GET http://museum.example/a?q=s3cret HTTP/1.1"]


async def test_a_host_exempt_from_the_proxy_is_asked_directly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proxy = Proxy()
    async with proxy.running() as port:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with pytest.raises(UpstreamUnavailable, match="could not be reached"):
            await asked(base_url="http://127.0.0.1:1")
    assert proxy.lines == []


@pytest.mark.parametrize(
    ("scheme", "status"),
    [("https", 403), ("https", 407), ("http", 407)],  # a plain 403 may come from the host itself
)
async def test_a_refusal_of_the_proxy_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, scheme: str, status: int
) -> None:
    async with Proxy(status=status).running() as port:
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://me:pa55@127.0.0.1:{port}")
        with pytest.raises(UpstreamUnavailable, match="proxy") as caught:
            await asked(base_url=f"{scheme}://museum.example")
    assert "HTTPS_PROXY" in caught.value.hint
    assert "pa55" not in str(caught.value)


@pytest.mark.parametrize("address", ["socks9://me:pa55@x", "http://[me:pa55", "me:pa55@:x"])
async def test_an_unusable_proxy_is_told_without_its_address(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", address)
    with pytest.raises(UpstreamUnavailable, match="proxy cannot be used") as caught:
        await asked()
    assert caught.value.__context__ is None


async def test_certificates_that_cannot_be_loaded_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "empty.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "empty.pem"))
    with pytest.raises(UpstreamUnavailable, match="could not be loaded"):
        await asked()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    with pytest.raises(UpstreamUnavailable, match="could not be loaded"):
        await asked()


async def test_a_host_that_is_down_is_an_upstream_error_after_all_tries() -> None:
    with pytest.raises(UpstreamError, match="could not be reached") as caught:
        await asked(base_url="http://127.0.0.1:1")
    assert caught.value.__context__ is None


def test_this_floor_comes_without_the_protocol() -> None:
    code = "import sys, heritage_gateway.http; print(sorted({'fastmcp', 'mcp'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
