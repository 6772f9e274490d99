"""What is published, held against the contract: every valid call stays valid, every field is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from desk import Desk
from heritage_gateway.registry import ABOVE
from shared import CONTRACT, contract

TOOLS = tuple(Desk().tools.values())
NAMES = tuple(tool.name for tool in TOOLS)
OURS = {"libofcongress_get_subject", *ABOVE}  # tools that the contract does not know
AGREED = tuple(tool for tool in TOOLS if tool.name not in OURS)
AGREED_NAMES = tuple(tool.name for tool in AGREED)

# Names under which a tool may reach a client: prefixed by it, and cut at 64 there.
LONGEST_NAME = 40


def walk(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, list):
        for number, item in enumerate(node):
            yield from walk(item, f"{path}[{number}]")
    if isinstance(node, dict):
        yield path, node
        for key, item in node.items():
            yield from walk(item, f"{path}.{key}")


def accepts(ours: dict[str, Any], agreed: dict[str, Any], path: str) -> None:
    """Our input schema takes everything that the agreed one takes, with the same defaults."""
    assert ours.get("type") == agreed.get("type"), path
    assert ours.get("default") == agreed.get("default"), path
    assert ours.get("minimum", 0) <= agreed.get("minimum", 0), path
    assert ours.get("maximum", 2**53) >= agreed.get("maximum", 0), path
    assert set(ours.get("enum", agreed.get("enum", []))) >= set(agreed.get("enum", [])), path
    assert set(ours.get("required", [])) <= set(agreed.get("required", [])), path
    for key, inner in agreed.get("properties", {}).items():
        assert key in ours["properties"], f"{path}.{key}"
        accepts(ours["properties"][key], inner, f"{path}.{key}")


def offers(ours: dict[str, Any], agreed: dict[str, Any], path: str) -> None:
    """Our output schema has every agreed field, of a type that the agreed one allows."""
    if "type" in agreed:
        narrower = {"number": {"number", "integer"}}
        assert ours.get("type") in narrower.get(agreed["type"], {agreed["type"]}), path
    assert set(ours.get("required", [])) >= set(agreed.get("required", [])), path
    if "items" in agreed:
        offers(ours["items"], agreed["items"], f"{path}[]")
    for key, inner in agreed.get("properties", {}).items():
        assert key in ours["properties"], f"{path}.{key}"
        offers(ours["properties"][key], inner, f"{path}.{key}")


@pytest.mark.captured
@pytest.mark.parametrize("tool", AGREED, ids=AGREED_NAMES)
def test_every_call_that_the_contract_allows_is_allowed_here(tool: Any) -> None:
    agreed = contract(tool.name)
    assert agreed is not None, f"{tool.name} is no tool of the contract"
    accepts(tool.input_schema, agreed["inputSchema"], tool.name)


@pytest.mark.captured
@pytest.mark.parametrize("tool", AGREED, ids=AGREED_NAMES)
def test_every_field_of_the_contract_is_offered(tool: Any) -> None:
    agreed = contract(tool.name)
    assert agreed is not None
    offers(tool.output_schema, agreed["outputSchema"], tool.name)
    success = tool.output_schema["anyOf"][0]["required"]
    assert set(success) >= set(agreed["outputSchema"]["anyOf"][0]["required"])


@pytest.mark.captured
@pytest.mark.parametrize("tool", AGREED, ids=AGREED_NAMES)
def test_the_reasons_of_the_contract_are_declared(tool: Any) -> None:
    def reasons(schema: dict[str, Any]) -> list[str]:
        error = schema["properties"]["error"]
        return list(error["properties"]["data"]["properties"]["reason"].get("examples", []))

    agreed = contract(tool.name)
    assert agreed is not None
    assert set(reasons(tool.output_schema)) >= set(reasons(agreed["outputSchema"]))


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_schemas_are_portable(tool: Any) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", tool.name)
    assert len(tool.name) <= LONGEST_NAME
    assert not {"anyOf", "oneOf", "allOf", "not"} & tool.input_schema.keys()
    for schema in filter(None, (tool.input_schema, tool.output_schema)):
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        for path, node in walk(schema):
            if path.endswith(".properties"):
                continue  # its keys are names, not keywords
            assert not {"$ref", "$defs", "definitions"} & node.keys(), path
            assert not isinstance(node.get("type"), list), path
            if node.get("type") == "object":
                assert "additionalProperties" in node, path


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_descriptions_are_short_and_whole_sentences(tool: Any) -> None:
    assert tool.description.endswith(".")
    assert len(tool.description) <= 500
    assert tool.title


def test_the_contract_folder_is_the_one_expected() -> None:
    if CONTRACT.exists():
        assert len(list(CONTRACT.glob("*.json"))) == 12
