"""The command line: `heritage-gateway [serve|call|tools|providers|doctor|cache|demo]`."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from heritage_gateway import __version__
from heritage_gateway.cli import cache, call, demo, doctor, provided, providers, serve, tools
from heritage_gateway.settings import GatewaySettings, SettingsError

_COMMANDS = (serve, call, tools, providers, doctor, cache, demo)
CANNOT_START = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 the call or check failed, 2 wrong usage or settings."""
    given = list(sys.argv[1:] if argv is None else argv)
    arguments = _parsed(given if _names_a_command(given) else ["serve", *given])
    try:
        settings = GatewaySettings.read()
        # stdout of a stdio server carries protocol only, so everything logged goes to stderr.
        logging.basicConfig(
            stream=sys.stderr,
            level=settings.log_level,
            format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        )
        code: int = arguments.run(arguments, settings)
    except SettingsError as error:
        print(f"heritage-gateway: {error}", file=sys.stderr)
        return CANNOT_START
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output left, as `| head` does
        return 0
    return code


def _parsed(given: Sequence[str]) -> argparse.Namespace:
    """The command with its arguments; `key=value` words may stand behind options too."""
    parser = _parser(given[0])
    arguments, rest = parser.parse_known_args(given)
    if rest and not (hasattr(arguments, "pairs") and all(map(_is_pair, rest))):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        arguments.pairs = [*arguments.pairs, *rest]
    return arguments


def _is_pair(word: str) -> bool:
    return "=" in word and not word.startswith(("-", "="))


def _names_a_command(given: Sequence[str]) -> bool:
    return bool(given) and (
        not given[0].startswith("-") or given[0] in {"-h", "--help", "--version"}
    )


def _parser(word: str) -> argparse.ArgumentParser:
    """With the commands of providers, unless `word` is one of our own: finding them takes time."""
    parser = argparse.ArgumentParser(
        prog="heritage-gateway",
        description="One MCP server for the Smithsonian Open Access collections and the Library of "
        "Congress. Without a command it serves over stdio.",
    )
    parser.add_argument("--version", action="version", version=f"heritage-gateway {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND")
    for command in _COMMANDS:
        command.add_to(commands)
    if word not in commands.choices:
        provided.add_to(commands)
    return parser
