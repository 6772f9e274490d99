"""Published schemas that every known client takes, and that say success or error, never both."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.arguments import Arguments, Count
from heritage_gateway.errors import NothingFound, Reason
from heritage_gateway.schema import DIALECT, input_schema, output_schema
from heritage_gateway.tool import Output, envelope


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str
    date: str | None = None


class Answered(Output):
    rows: list[Row]
    first: Row | None = Field(None, description="The first of them.")


class Nested(Arguments):
    title: str | None = None


class Asked(Arguments):
    query: str = Field(description="Words.")
    filters: Nested | None = None
    rows: Count = Field(20)


def walk(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [part for item in node for part in walk(item)]
    if isinstance(node, dict):
        return [node, *(part for item in node.values() for part in walk(item))]
    return []


@pytest.mark.parametrize(
    "schema", [input_schema(Asked), output_schema(Answered, (Reason.NOT_FOUND,))]
)
def test_no_schema_holds_what_some_client_refuses(schema: dict[str, Any]) -> None:
    assert schema["type"] == "object"
    assert schema["$schema"] == DIALECT
    for node in walk(schema):
        assert not {"$ref", "$defs", "definitions"} & node.keys()
        assert not isinstance(node.get("type"), list)
        assert node.get("type") != "null"


def test_an_input_is_closed_with_its_defaults_and_without_null() -> None:
    assert input_schema(Asked) == {
        "$schema": DIALECT,
        "type": "object",
        "additionalProperties": False,
        "required": ["query"],
        "properties": {
            "query": {"type": "string", "description": "Words."},
            "filters": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"title": {"type": "string"}},
            },
            "rows": {"type": "integer", "default": 20, "minimum": 1, "multipleOf": 1},
        },
    }


def test_success_and_error_are_told_apart_by_the_schema() -> None:
    schema = output_schema(Answered, (Reason.NOT_FOUND,))
    success = Answered(rows=[Row(title="A")]).structure()
    failure = envelope(NothingFound(Reason.NOT_FOUND, "No.", "Look elsewhere.")).structure
    jsonschema.validate(success, schema)
    jsonschema.validate(failure, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({}, schema)


def test_declared_reasons_are_examples_for_the_agent() -> None:
    schema = output_schema(Answered, (Reason.NOT_FOUND, Reason.INVALID_ID))
    reason = schema["properties"]["error"]["properties"]["data"]["properties"]["reason"]
    assert reason == {"type": "string", "examples": ["not_found", "invalid_id"]}


def test_what_is_absent_is_not_null() -> None:
    assert Answered(rows=[Row(title="A")]).structure() == {"rows": [{"title": "A"}]}
