"""What callers send: forgiven where nothing is lost, refused by name where something would be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Annotated, Any, Self, cast, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.text import clip, inline

_UNSENDABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_PARSING = re.compile(
    r", (?:got|unable to) .*"
)  # how pydantic tried; the caller knows what was sent
_LIKE = 0.5  # of 1; names that are less alike were not meant
LARGEST = 2**53 - 1  # JSON numbers beyond it are not exact in JavaScript clients


def _no_boolean(value: object) -> object:
    """Python counts true as 1; a caller who sends it means something else."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "a whole number is expected")
    return value


NO_BOOLEAN = BeforeValidator(_no_boolean)
Count = Annotated[int, Field(ge=1, multiple_of=1), NO_BOOLEAN]
Offset = Annotated[int, Field(ge=0, le=LARGEST), NO_BOOLEAN]


def _several(value: object) -> object:
    """One text alone for a list of them, or the list as a JSON string."""
    if not isinstance(value, str):
        return value
    parsed = _parsed(value) if value.lstrip().startswith("[") else value
    return parsed if isinstance(parsed, list) else [value]  # pyright: ignore[reportUnknownVariableType]


def _all_sendable(values: list[str]) -> list[str]:
    if any(map(_UNSENDABLE.search, values)):
        raise PydanticCustomError("unsendable", "text holds a control character")
    return values


Texts = Annotated[list[str], BeforeValidator(_several), AfterValidator(_all_sendable)]


class Arguments(BaseModel):
    """Base of every tool's input, and of the objects nested in it.

    Null or "" for an optional argument counts as absent, an object may come as a JSON string, and
    pydantic takes "20" for 20. Unknown keys are refused.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _forgive(cls, value: object) -> object:
        if isinstance(value, str):
            value = _parsed(value)
        if not isinstance(value, dict):
            return value
        given = cast(dict[str, Any], value)
        return {key: item for key, item in given.items() if not cls._absent(key, item)}

    @field_validator("*", mode="before")
    @classmethod
    def _sendable(cls, value: object) -> object:
        if isinstance(value, str) and _UNSENDABLE.search(value):
            raise PydanticCustomError("unsendable", "text holds a control character")
        return value

    @classmethod
    def _absent(cls, key: str, item: object) -> bool:
        field = cls.model_fields.get(key)
        return field is not None and not field.is_required() and (item is None or item == "")

    @classmethod
    def parse(cls, arguments: Mapping[str, Any]) -> Self:
        """Raises `InvalidRequest` naming the first wrong argument by its full path."""
        try:
            return cls.model_validate(dict(arguments))
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=True, include_input=False)
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                " ".join(_sentence(cls, problem) for problem in problems[:3]),
                f"Arguments: {', '.join(_signature(cls))}.",
            ) from None


def _parsed(value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _sentence(cls: type[Arguments], problem: ErrorDetails) -> str:
    path = ".".join(str(part) for part in problem["loc"])
    name = inline(clip(path, 80)) or "arguments"
    kind = problem["type"]
    if kind == "extra_forbidden":
        nearest = _nearest(path, list(_paths(cls)))
        offered = f"; did you mean `{nearest}`?" if nearest else "."
        return f"`{name}` is not an argument of this tool{offered}"
    if kind == "missing":
        return f"`{name}` is missing."
    told = problem["msg"].removeprefix("Input should be ").rstrip(".")
    told = _PARSING.sub("", told)
    return (
        f"`{name}` is wrong: {told} is expected."
        if told != problem["msg"]
        else (f"`{name}` is wrong: {told}.")
    )


def _nearest(path: str, paths: list[str]) -> str | None:
    """The valid path whose last name is most like that of a wrong one, wherever it belongs."""
    outer, _, name = path.rpartition(".")
    ranked = [
        (
            SequenceMatcher(None, name, known.rpartition(".")[2]).ratio(),
            known.startswith(outer),
            known,
        )
        for known in paths
    ]
    likeness, _, nearest = max(ranked, key=lambda entry: entry[:2])
    return nearest if likeness >= _LIKE else None


def _nested(annotation: object) -> type[Arguments] | None:
    """The nested input model in an annotation such as `Filters | None`."""
    for part in (annotation, *get_args(annotation)):
        if isinstance(part, type) and issubclass(part, Arguments):
            return part
    return None


def _paths(cls: type[Arguments], prefix: str = "") -> Iterator[str]:
    for name, field in cls.model_fields.items():
        yield prefix + name
        if (inner := _nested(field.annotation)) is not None:
            yield from _paths(inner, f"{prefix}{name}.")


def _signature(cls: type[Arguments]) -> Iterator[str]:
    for name, field in cls.model_fields.items():
        inner = _nested(field.annotation)
        needed = " (required)" if field.is_required() else ""
        yield name + (f" {{{', '.join(inner.model_fields)}}}" if inner else "") + needed
