"""`doctor`: settings in force, and whether each upstream answers, in plain sentences."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from typing import Any, cast

import anyio
from pydantic import SecretStr

from heritage_gateway import __version__
from heritage_gateway.cli.house import Open, opened
from heritage_gateway.errors import GatewayError
from heritage_gateway.plugin import Fact, Probe
from heritage_gateway.settings import EnvironmentSettings, GatewaySettings

_TOO_SHORT_TO_SHOW = 8


def add_to(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="check the settings and the upstreams")
    parser.add_argument(
        "--facts",
        action="store_true",
        help="also re-check the facts about the upstreams on which sources differ",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    return asyncio.run(_examine(settings, facts=arguments.facts))


async def _examine(settings: GatewaySettings, *, facts: bool) -> int:
    healthy = True
    async with opened(settings) as place:
        for line in _setup(place):
            print(line)
        for sentence in place.house.failures.values():
            print(f"NOT SERVED: {sentence} The rest serves.")
            healthy = False
        for provider in place.house.providers:
            for probe in provider.probes:
                healthy = await _probed(probe, settings.call_deadline) and healthy
            for fact in provider.facts if facts else ():
                healthy = await _looked(fact, settings.call_deadline) and healthy
    print("All is well." if healthy else "Something needs attention, see above.")
    return 0 if healthy else 1


def _setup(place: Open) -> Iterator[str]:
    yield f"heritage-gateway {__version__}"
    yield from _settings(place.services.settings)
    for provider in place.house.providers:
        yield f"{provider.name}: {provider.title}"
        yield from _settings(provider.settings)
        yield from provider.remarks


def _settings(settings: EnvironmentSettings) -> Iterator[str]:
    for name, variable in settings.variables().items():
        value = getattr(settings, name)
        default = "" if name in settings.model_fields_set else " (default)"
        yield f"    {variable} = {masked(value)}{default}"


def masked(value: object) -> str:
    """A setting as it may be shown: of a key only its length and its last two characters."""
    if isinstance(value, tuple):
        return ", ".join(map(str, cast(tuple[object, ...], value))) or "none"
    if isinstance(value, SecretStr):
        secret = value.get_secret_value()
        if len(secret) <= _TOO_SHORT_TO_SHOW:
            return "set"
        return f"set ({len(secret)} characters, ends in {secret[-2:]})"
    return "not set" if value in (None, "") else str(value)


async def _probed(probe: Probe, deadline: float) -> bool:
    try:
        with anyio.fail_after(deadline):
            print(f"ok: {probe.title}: {await probe.ask()}")
    except GatewayError as error:
        print(f"NO ANSWER: {probe.title}: {error.message} {error.hint}")
        return False
    except TimeoutError:
        print(f"NO ANSWER: {probe.title}: nothing within {deadline:.0f} seconds.")
        return False
    return True


async def _looked(fact: Fact, deadline: float) -> bool:
    try:
        with anyio.fail_after(deadline):
            differs = await fact.look()
    except (GatewayError, TimeoutError) as error:
        print(f"NOT CHECKED: {fact.claim} {getattr(error, 'message', 'No answer in time.')}")
        return False
    print(f"DIFFERS: {fact.claim} Seen: {differs}" if differs else f"holds: {fact.claim}")
    return differs is None
