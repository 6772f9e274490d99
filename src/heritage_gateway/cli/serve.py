"""`serve`: the MCP server over stdio, or over streamable HTTP."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from typing import Any

from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.settings import GatewaySettings


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "serve", help="serve MCP over stdio (the default), or over HTTP with --http"
    )
    parser.add_argument("--http", action="store_true", help="streamable HTTP at /mcp, and /health")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name that may stand in the Host header; may be repeated",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: GatewaySettings) -> int:
    services = Services.shared(settings)
    house = load(services)
    for sentence in house.failures.values():
        print(f"heritage-gateway: {sentence}", file=sys.stderr)
    quiet_fastmcp(settings)
    from heritage_gateway.server import build  # noqa: PLC0415 - only what serves pays for fastmcp

    server = build(house, services)
    if arguments.http:
        serving = server.run_async(
            transport="http",
            show_banner=False,
            host=arguments.host,
            port=arguments.port,
            stateless_http=True,
            host_origin_protection=True,
            allowed_hosts=arguments.allow_host or None,
            uvicorn_config={"log_level": settings.log_level.lower()},
        )
    else:
        serving = server.run_async(transport="stdio", show_banner=False)
    asyncio.run(serving)
    return 0


def quiet_fastmcp(settings: GatewaySettings) -> None:
    """To be called before fastmcp is imported, which reads these once.

    A stray .env in the working folder must not configure this server, its look-up of newer
    versions would go to the network, and its log belongs into ours.
    """
    os.environ["FASTMCP_ENV_FILE"] = os.devnull
    os.environ.setdefault("FASTMCP_CHECK_FOR_UPDATES", "off")
    os.environ.setdefault("FASTMCP_ENABLE_RICH_LOGGING", "false")
    os.environ.setdefault("FASTMCP_LOG_LEVEL", settings.log_level)
