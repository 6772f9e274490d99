"""Pydantic models to the schemas that clients see.

Every client is met at its weakest: no `$ref` or `$defs` (Gemini, opencode), no type lists, roots
`type: object`, dialect 2020-12, and an optional field is absent, never null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from heritage_gateway.errors import Reason

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFINITION = "#/$defs/"


class _Plain(GenerateJsonSchema):
    """Optional means absent: no null branch, and no default of null."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


class Recovery(BaseModel):
    """The way on after a failure."""

    model_config = ConfigDict(extra="forbid")

    hint: str


class ErrorData(BaseModel):
    """The machine's part of a failure."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    recovery: Recovery
    retryable: bool
    retry_after: float | None = Field(None, description="Seconds to wait, where known.")


class ErrorBody(BaseModel):
    """A failure as `structuredContent.error`."""

    model_config = ConfigDict(extra="forbid")

    code: int
    message: str
    data: ErrorData


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The published input schema of a tool."""
    return {"$schema": DIALECT, **_plain_schema(model, "validation")}


def output_schema(model: type[BaseModel], reasons: tuple[Reason, ...]) -> dict[str, Any]:
    """Success or error, never both; some clients validate failures against it too."""
    schema = _plain_schema(model, "serialization")
    required = schema.pop("required", [])
    error = _plain_schema(ErrorBody, "serialization")
    reason = error["properties"]["data"]["properties"]["reason"]
    reason.clear()
    reason.update({"type": "string", "examples": [str(word) for word in reasons]})
    schema["properties"]["error"] = error
    return {
        "$schema": DIALECT,
        **schema,
        "anyOf": [
            {"required": required, "not": {"required": ["error"]}},
            {"required": ["error"]},
        ],
    }


def _plain_schema(
    model: type[BaseModel], mode: Literal["validation", "serialization"]
) -> dict[str, Any]:
    typed: JsonSchemaMode = mode
    whole = model.model_json_schema(mode=typed, schema_generator=_Plain)
    definitions: Mapping[str, Any] = whole.pop("$defs", {})
    schema: dict[str, Any] = _inlined(whole, definitions)
    schema.pop("description", None)
    return schema


def _inlined(node: Any, definitions: Mapping[str, Any]) -> Any:
    """`node` with every reference replaced by what it names, and generated titles gone."""
    if isinstance(node, list):
        return [_inlined(item, definitions) for item in node]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(node, dict):
        return node
    schema = cast(dict[str, Any], node)
    if "$ref" in schema:
        named: dict[str, Any] = definitions[schema["$ref"].removeprefix(_DEFINITION)]
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        own = {key: value for key, value in named.items() if key != "description"}
        return _inlined({**own, **beside}, definitions)
    return {
        key: _named(value, definitions) if key == "properties" else _inlined(value, definitions)
        for key, value in schema.items()
        if key != "title"
    }


def _named(properties: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Properties keep their names, one of which may be `title`."""
    return {name: _inlined(part, definitions) for name, part in properties.items()}
