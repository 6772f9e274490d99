"""How a host is treated: how fast, how long, how often, and with which headers."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Pace:
    """A leaky bucket: `burst` calls at once, refilled with `rate` calls per `per` seconds."""

    burst: int
    rate: float
    per: float

    def __post_init__(self) -> None:
        if self.burst < 1 or self.rate <= 0 or self.per <= 0:
            raise ValueError("A pace needs a burst of at least 1, and a rate and period above 0.")

    @property
    def interval(self) -> float:
        """Seconds in which the place of one call is refilled."""
        return self.per / self.rate

    def admits(self, seconds: float) -> float:
        """The upper bound of the calls admitted in any window of that length."""
        return self.burst + self.rate * seconds / self.per


@dataclass(frozen=True, slots=True)
class Upstream:
    """One host and the manners it asks for.

    `name` and `title` are what error messages say; `headers` may hold a key, so they show in no
    repr. `rest_after_429` counts where the host does not say itself how long to wait.
    """

    name: str
    title: str
    base_url: str
    paces: Mapping[str, Pace]
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    connect_timeout: float = 10.0
    read_timeout: float = 20.0
    attempts: int = 3
    backoff: float = 0.5
    max_body: int = 32 * _MIB
    rest_after_429: float = 60.0
    rest_after_block: float = 300.0
    retry_429: bool = True
    paced: bool = True
    rate_limit_hint: str = "Wait as long as stated, then ask for less at a time."

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        object.__setattr__(self, "paces", MappingProxyType(dict(self.paces)))
        sendable = {name: value.strip() for name, value in self.headers.items()}
        object.__setattr__(self, "headers", MappingProxyType(sendable))
        if urlsplit(self.base_url).scheme not in _DEFAULT_PORTS:
            raise ValueError(f"The address for {self.name} must begin with http:// or https://.")
        if not all(value.isascii() and value.isprintable() for value in sendable.values()):
            # said here, because the complaint of the HTTP library would quote the key
            raise ValueError(f"A header for {self.name} holds characters that cannot be sent.")
        if not self.paced and not is_loopback(self.base_url):
            raise ValueError(f"The pace of {self.name} may be off only at a loopback address.")

    def bucket(self, endpoint: str) -> str:
        """The name under which places are counted, here and in other processes.

        Quotas are kept for each key, so another key is another bucket; a name tells no key.
        """
        secret = "\n".join(f"{name}: {value}" for name, value in sorted(self.headers.items()))
        return f"{self.name} {self.host} {endpoint} {sha256(secret.encode()).hexdigest()[:12]}"

    @property
    def host(self) -> str:
        """`host`, or `host:port` for another port than the scheme's: the form of the host list."""
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        if ":" in host:
            host = f"[{host}]"
        if parts.port in {None, _DEFAULT_PORTS[parts.scheme]}:
            return host
        return f"{host}:{parts.port}"


def is_loopback(url: str) -> bool:
    """Whether the address stays on this machine; no name but `localhost` is looked at."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
