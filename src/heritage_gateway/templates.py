"""Resources whose address is given by a template with a reserved variable, such as `skill://{+path}`.

FastMCP's decorator refuses the `{+path}` form that our templates publish, but matches many path
segments by `{path*}`; this class publishes the one and matches by the other.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Self

from fastmcp.resources.base import ResourceResult
from fastmcp.resources.template import ResourceTemplate, match_uri_template
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS
from pydantic import PrivateAttr

from heritage_gateway.errors import GatewayError, InvalidRequest, NothingFound
from heritage_gateway.plugin import Template

Read = Callable[[str], Awaitable[str]]


class ReservedTemplate(ResourceTemplate):
    """`read` gets the value of the one variable, decoded; it raises `not_there` for an unknown one."""

    _read_one: Read = PrivateAttr()
    _variable: str = PrivateAttr()

    @classmethod
    def make(cls, uri_template: str, read: Read, *, name: str, description: str, mime: str) -> Self:
        made = cls(
            uri_template=uri_template,
            name=name,
            description=description,
            mime_type=mime,
            parameters={"type": "object"},
        )
        found = re.search(r"\{\+(\w+)\}", uri_template)
        if found is None:
            raise ValueError(f"{uri_template} has no reserved variable")
        made._read_one = read
        made._variable = found[1]
        return made

    def matches(self, uri: str) -> dict[str, Any] | None:
        return match_uri_template(uri, re.sub(r"\{\+(\w+)\}", r"{\1*}", self.uri_template))

    async def read(self, arguments: dict[str, Any]) -> str | bytes | ResourceResult:
        return await self._read_one(str(arguments[self._variable]))

    async def _read(self, uri: str, params: dict[str, Any], *_: Any, **__: Any) -> ResourceResult:
        return self.convert_result(await self.read(params))


def not_there(uri: str) -> MCPError:
    """The protocol's answer for a resource that does not exist."""
    return MCPError(code=INVALID_PARAMS, message="Resource not found.", data={"uri": uri})


def provider_template(template: Template) -> ReservedTemplate:
    """A provider's template; whatever a read of it raises becomes the protocol's answer."""

    async def read(value: str) -> str:
        uri = re.sub(r"\{\+\w+\}", lambda _: value, template.uri_template)
        try:
            return await template.read(value)
        except (InvalidRequest, NothingFound):
            raise not_there(uri) from None
        except GatewayError as error:
            raise MCPError(
                code=INTERNAL_ERROR,
                message=f"{error.message} {error.hint}",
                data={"uri": uri, "reason": str(error.reason)},
            ) from None

    return ReservedTemplate.make(
        template.uri_template,
        read,
        name=template.name,
        description=template.description,
        mime=template.mime,
    )


def skills_template(skills: Mapping[str, Mapping[str, str]]) -> ReservedTemplate:
    """All files of all skills by their path below `skill://`."""
    files = {
        f"{path}/{name}": text for path, texts in skills.items() for name, text in texts.items()
    }

    async def read(path: str) -> str:
        if path not in files:
            raise not_there(f"skill://{path}")
        return files[path]

    return ReservedTemplate.make(
        "skill://{+path}",
        read,
        name="skill",
        description="A file of a guide: the name of the guide, a slash, the name of the file.",
        mime="text/markdown",
    )
