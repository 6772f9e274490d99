"""A reader's desk: tools called through the real border, every answer checked against its schemas."""

from __future__ import annotations

from functools import cache
from typing import Any, Self

from jsonschema import Draft202012Validator

from heritage_gateway.errors import Reason
from heritage_gateway.federation import federated
from heritage_gateway.plugin import Services
from heritage_gateway.registry import House, load
from heritage_gateway.schema import output_schema
from heritage_gateway.settings import GatewaySettings
from heritage_gateway.tool import Answer, AnyTool, Border, Output
from shared import contract


class Desk:
    """`async with Desk() as desk: await desk.call(tool, key=value)`; settings come from the environment."""

    def __init__(self, **services: Any) -> None:
        """`services` are those that stand in for the world: `transport`, `clock`, `sleep`."""
        settings = GatewaySettings.read()
        self.services = Services(settings, **services)
        self.house: House = load(self.services)
        self.border = Border(deadline=settings.call_deadline, budget=settings.answer_budget)
        self.own: list[AnyTool] = [
            tool for provider in self.house.providers for tool in provider.tools
        ]
        above = federated(self.house, self.services)
        self.tools: dict[str, AnyTool] = {tool.name: tool for tool in (*self.own, *above)}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.services.aclose()

    async def call(self, name: str, /, **arguments: Any) -> Answer:
        answer = await self.border.call(self.tools[name], arguments)
        check(self.tools[name], answer)
        return answer


def check(tool: AnyTool, answer: Answer) -> None:
    """Valid under our schema, and under the contract once fields it does not know are removed."""
    output: type[Output] = tool.output
    if answer.jpeg is not None:  # a picture with a line of text, and nothing else
        assert (answer.structure, tool.output_schema) == ({}, None)
        return
    _ours(output, tool.reasons).validate(answer.structure)
    agreed = contract(tool.name)
    if agreed is not None:
        schema = agreed["outputSchema"]
        _agreed(tool.name).validate(known_to(schema, answer.structure))


@cache
def _ours(output: type[Output], reasons: tuple[Reason, ...]) -> Draft202012Validator:
    return _validator(output_schema(output, reasons))


@cache
def _agreed(name: str) -> Draft202012Validator:
    return _validator((contract(name) or {})["outputSchema"])


def _validator(schema: dict[str, Any]) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def known_to(schema: dict[str, Any], value: Any) -> Any:
    """`value` without the fields that a closed schema does not know (the superset rule)."""
    if isinstance(value, list):
        return [known_to(schema.get("items", {}), item) for item in value]
    properties = schema.get("properties")
    if not isinstance(value, dict) or properties is None:
        return value
    closed = schema.get("additionalProperties") is False
    return {
        key: known_to(properties.get(key, {}), item)
        for key, item in value.items()
        if key in properties or not closed
    }
