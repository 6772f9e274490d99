"""`providers`: which houses are served, what they may reach, and why others are not served."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from heritage_gateway.cli.house import opened
from heritage_gateway.settings import GatewaySettings


def add_to(commands: Any) -> None:
    parser = commands.add_parser("providers", help="list the providers and the hosts they reach")
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    return asyncio.run(_list(settings))


async def _list(settings: GatewaySettings) -> int:
    async with opened(settings) as place:
        for provider in place.house.providers:
            print(f"{provider.name}: {provider.title}; {len(place.house.tools(provider))} tools")
        for name in place.house.switched_off:
            print(f"{name}: switched off by HERITAGE_PROVIDERS")
        for sentence in place.house.failures.values():
            print(sentence)
        for upstream in place.services.hosts.values():
            print(f"    may reach {upstream.host} ({upstream.title})")
    return 0
