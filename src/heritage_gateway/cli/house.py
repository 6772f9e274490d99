"""Opening the house for one command."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from heritage_gateway.federation import federated
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House, load
from heritage_gateway.settings import GatewaySettings
from heritage_gateway.tool import AnyTool, Border


@dataclass(frozen=True, slots=True)
class Open:
    """What a command works with."""

    house: House
    services: Services

    @property
    def tools(self) -> dict[str, AnyTool]:
        """The tools that are served, by name."""
        house = self.house
        own = [tool for provider in house.providers for tool in house.tools(provider)]
        return {tool.name: tool for tool in (*own, *federated(house, self.services))}

    @property
    def border(self) -> Border:
        settings = self.services.settings
        return Border(deadline=settings.call_deadline, budget=settings.answer_budget)


@asynccontextmanager
async def opened(settings: GatewaySettings) -> AsyncGenerator[Open]:
    """The loaded house; its connections are closed at the end."""
    services = Services.shared(settings)
    try:
        yield Open(load(services), services)
    finally:
        await services.aclose()
