"""The commands that providers bring, by the same door as the providers themselves."""

from __future__ import annotations

import logging
from importlib.metadata import entry_points
from typing import Any

from heritage_gateway.plugin import Command

GROUP = "heritage_gateway.commands"
_log = logging.getLogger(__name__)


def add_to(commands: Any) -> None:
    """One that cannot be loaded is reported and left out; our own names are not given away."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name in commands.choices:
            continue
        try:
            command = point.load()
        except Exception as error:  # noqa: BLE001 - a stranger's module may fail in any way
            _log.warning("The command %s cannot be loaded: %s.", point.name, type(error).__name__)
            continue
        if isinstance(command, Command):
            parser = commands.add_parser(point.name, help=command.help)
            command.arguments(parser)
            parser.set_defaults(run=command.run)
