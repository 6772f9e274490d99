"""heritage-gateway: one MCP server in front of the Smithsonian and the Library of Congress."""

from __future__ import annotations

__version__ = "0.1.0"
