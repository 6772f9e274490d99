"""Tools over all providers at once: one question to every house, a picture, a citation, a check.

They stand on the capabilities of the seam and know no provider by name.
"""

from __future__ import annotations

from heritage_gateway.plugin import Services
from heritage_gateway.registry import House
from heritage_gateway.tool import AnyTool


def federated(house: House, services: Services) -> tuple[AnyTool, ...]:
    """The tools that these providers make possible."""
    del house, services
    return ()
