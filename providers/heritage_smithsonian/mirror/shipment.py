"""The mirror on several machines: published to a folder or an address, and pulled from there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from heritage_gateway.errors import NothingFound, UpstreamUnavailable
from heritage_gateway.http import Downloads, Transport, Uploads, Upstream
from heritage_gateway.index import IndexFault
from heritage_gateway.index.embedded import ENGINE
from heritage_gateway.index.published import Folder, Missing, Place
from heritage_gateway.index.shipping import Shipment, publish, pull
from heritage_smithsonian.mirror.entry import LAYOUT_NAME
from heritage_smithsonian.mirror.imprint import read_imprint
from heritage_smithsonian.mirror.upkeep import Upkeep

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_HOST = re.compile(r"[\w.:%-]+")
_IMPRINT = "format.json"  # tells whether the rest is of use here
_WORDS = (
    "The mirror can be published to, and pulled from, a folder or an http:// or https:// address"
)


def publish_mirror(upkeep: Upkeep, place: Place, say: Callable[[str], object]) -> Shipment:
    """The mirror that serves here. Raises `IndexFault`, `GatewayError` and `OSError`."""
    upkeep.imprint()  # one that this version cannot read is published by the version that can
    current = upkeep.generations.current
    if current is None:
        raise IndexFault("There is no mirror here.")
    return publish(current, place, say=say)


def pull_mirror(upkeep: Upkeep, place: Place, say: Callable[[str], object]) -> Shipment:
    """What is published serves here. Raises `IndexFault`, `Busy`, `GatewayError` and `OSError`."""
    return pull(place, upkeep.generations, first=_IMPRINT, accept=_refuse_foreign, say=say)


def _refuse_foreign(made: Path) -> None:
    imprint = read_imprint(made)
    if (imprint.engine, imprint.layout) != (ENGINE, LAYOUT_NAME):
        raise IndexFault(
            f"The published mirror was built by {imprint.engine}, layout {imprint.layout}; here are "
            f"{ENGINE}, layout {LAYOUT_NAME}. Use the same version of heritage-gateway on both sides."
        )


@contextmanager
def place_named(
    name: str,
    *,
    user_agent: str,
    transport: Transport | None = None,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Generator[Place]:
    """The folder or the address of that name. Raises `IndexFault` for a name of neither."""
    scheme = _SCHEME.match(name)
    if scheme is None:
        yield Folder(Path(name).expanduser())
        return
    upstream = _upstream(name)
    downloads = Downloads(
        upstream,
        allowed_hosts=frozenset({upstream.host}),
        user_agent=user_agent,
        transport=transport,
        sleep=sleep,
    )
    uploads = Uploads(upstream, user_agent=user_agent, transport=transport, sleep=sleep)
    with asyncio.Runner() as runner:
        try:
            yield Address(runner, downloads, uploads)
        finally:
            runner.run(downloads.aclose())
            runner.run(uploads.aclose())


def _upstream(address: str) -> Upstream:
    """A host that the person has named; no other is ever reached. Raises `IndexFault`."""
    parts = _split(address)
    if parts is None or parts.scheme not in {"http", "https"}:
        raise IndexFault(f"{_WORDS}.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise IndexFault(f"{_WORDS}, without user name, query or fragment.")
    return Upstream(
        name=parts.hostname or "",
        title="the server of the published mirror",
        base_url=address,
        paces={},
        read_timeout=120.0,
        attempts=5,
        backoff=1.0,
        rate_limit_hint="Start again later; what has arrived is kept.",
    )


def _split(address: str) -> SplitResult | None:
    """None for what is no address."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # looks whether it is a number
    except ValueError:
        return None
    return parts if address.isprintable() and _HOST.fullmatch(parts.hostname or "") else None


class Address:
    """A server of files. Publishing asks it to take them by PUT; nothing is ever removed from it."""

    def __init__(self, runner: asyncio.Runner, downloads: Downloads, uploads: Uploads) -> None:
        self._runner = runner
        self._downloads = downloads
        self._uploads = uploads

    def fetch(self, name: str, to: Path, *, most: int) -> None:
        arriving = to.with_name(f"{to.name}.part")  # as Downloads has it

        def measure(_: int) -> None:
            if arriving.stat().st_size > most:
                raise IndexFault(f"{name} is larger than announced.")

        try:
            self._runner.run(self._downloads.fetch(f"/{name}", to, on_bytes=measure))
        except NothingFound:
            pass
        except UpstreamUnavailable as error:
            if error.transient or not self._runner.run(self._uploads.is_missing(f"/{name}")):
                raise  # most servers of files have a page for what is missing, as outages have
        else:
            return
        raise Missing(f"{name} is not there.")

    def held(self, name: str) -> int | None:
        return self._runner.run(self._uploads.size(f"/{name}"))

    def put(self, file: Path, name: str) -> None:
        self._runner.run(self._uploads.put(f"/{name}", file))

    def room(self) -> int | None:
        return None

    def tidy(self, keep: Collection[str]) -> None:
        """Servers of files have no list of what they hold."""
