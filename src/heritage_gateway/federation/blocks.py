"""What the answers of these tools are made of."""

from __future__ import annotations

import json
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from heritage_gateway.capability import Call
from heritage_gateway.lines import json_line


class Block(BaseModel):
    """A part of an answer; closed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Continuation(Block):
    """A call that can be made as it stands."""

    tool: str
    arguments: dict[str, Any]

    @classmethod
    def of(cls, call: Call) -> Self:
        return cls(tool=call.tool, arguments=dict(call.arguments))

    @property
    def told(self) -> str:
        """The same as text."""
        return f"Continue: {self.tool} {json_line(json.dumps(self.arguments, ensure_ascii=False))}"
