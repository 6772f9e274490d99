"""`cache`: what is kept on disk between starts, and forgetting it."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from heritage_gateway.plugin import Services
from heritage_gateway.settings import GatewaySettings


def add_to(commands: Any) -> None:
    parser = commands.add_parser("cache", help="show or clear the answers kept on disk")
    parser.add_argument("what", choices=("status", "clear"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    services = Services.shared(settings)
    store = services.sharing.store
    if store is None:
        print(f"Nothing is kept on disk (HERITAGE_CACHE={settings.cache}).")
        return 0
    if arguments.what == "clear":
        print(f"{store.clear():,} answers forgotten.")
    else:
        contents = store.contents()
        print(f"{contents.entries:,} answers, {contents.bytes / 1e6:.1f} MB, in {settings.folder}")
        if contents.oldest:
            print(
                f"the oldest from {datetime.fromtimestamp(contents.oldest, UTC):%Y-%m-%d %H:%M} UTC"
            )
    services.sharing.close()
    return 0
