"""Tools over all providers at once: one question to every house, a picture, a citation, a check.

They stand on the capabilities of the seam and know no provider by name.
"""

from __future__ import annotations

from heritage_gateway.federation.cite import cite_works
from heritage_gateway.federation.search import search
from heritage_gateway.federation.verify import verify
from heritage_gateway.federation.view_image import view_image
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House
from heritage_gateway.tool import AnyTool


def federated(house: House, services: Services) -> tuple[AnyTool, ...]:
    """The tools that these providers make possible."""
    if house.contract_only:
        return ()
    tools: list[AnyTool] = []
    if any(provider.searching for provider in house.providers):
        tools.append(search(house))
    if any(provider.naming for provider in house.providers):
        tools += (verify(house), cite_works(house, services))
    if any(provider.picturing for provider in house.providers):
        tools.append(view_image(house))
    return tuple(tool for tool in tools if tool.name not in house.disabled)
