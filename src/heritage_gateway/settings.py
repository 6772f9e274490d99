"""The environment, read once into frozen objects.

`HERITAGE_*` is read here; each provider reads its own prefix with the same base class. A blank
variable counts as absent, since configuration files of MCP clients often carry `"KEY": ""`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

SettingsT = TypeVar("SettingsT", bound="EnvironmentSettings")
Switch = Literal["on", "off"]


class SettingsError(Exception):
    """A variable that cannot be used; the message names it in one sentence."""


class EnvironmentSettings(BaseSettings):
    """Base of every settings class: frozen, from the environment alone."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Leave out dotenv files: a stray .env of another project must not change this server."""
        return init_settings, env_settings

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Blanks alone are no value, and neither is a list of nothing but commas."""
        return {name: value for name, value in given.items() if not _is_blank(value)}

    @field_validator("*", mode="before")
    @classmethod
    def _strip(cls, value: object) -> object:
        return value.strip() if isinstance(value, str) else value

    @classmethod
    def read(cls) -> Self:
        """The settings of this process. Raises `SettingsError`."""
        try:
            return cls()
        except ValidationError as error:
            raise SettingsError(_sentence(cls, error)) from None

    @classmethod
    def variables(cls) -> Mapping[str, str]:
        """Field name -> environment variable, in the order of the class."""
        prefix = cls.model_config.get("env_prefix", "")
        return {
            name: str(field.validation_alias or f"{prefix}{name}").upper()
            for name, field in cls.model_fields.items()
        }


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip(" \t\r\n,")


def _sentence(cls: type[EnvironmentSettings], error: ValidationError) -> str:
    """One sentence for the first bad variable; its value is not repeated (it may be a key)."""
    first = error.errors(include_url=False, include_input=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    told = first["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{cls.variables().get(name, name).upper()} cannot be used: {told}."


def _names(value: object) -> object:
    if isinstance(value, str):
        return tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
    return value


def _http_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("an address begins with http:// or https:// and names a host")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("an address holds no user name, query or fragment")
    return value.rstrip("/")


Names = Annotated[tuple[str, ...], NoDecode]
Address = Annotated[str, AfterValidator(_http_address)]


class GatewaySettings(EnvironmentSettings):
    """What concerns the whole server, whatever is plugged in."""

    model_config = SettingsConfigDict(env_prefix="HERITAGE_")

    providers: Names | None = Field(
        None, description="Names of the providers to serve, with commas; absent: all installed."
    )
    tools: Literal["all", "contract"] = Field(
        "all",
        description="`contract` serves the twelve tools of the contract alone.",
    )
    disable_tools: Names = Field((), description="Names of tools that are left out, with commas.")
    output_schemas: Switch = Field(
        "on", description="`off` leaves output schemas out of tools/list, for a smaller list."
    )
    answer_budget: int = Field(
        20_000,
        ge=0,
        description="Largest answer in tokens (characters of text and structure / 4), from about 700 "
        "up; 0: no limit.",
    )
    call_deadline: float = Field(
        45.0, gt=0, le=600, description="Seconds that one call may take, waits included."
    )
    rate_limits: Switch = Field(
        "on", description="`off` stops pacing, for loopback addresses only (tests)."
    )
    cache: Literal["off", "memory", "disk"] = Field(
        "disk",
        description="Where answers are kept: `disk` (they outlive the server), `memory` or `off`.",
    )
    cache_dir: Path | None = Field(
        None,
        description="Folder of kept answers and shared limits; by default the user's cache folder.",
    )
    cache_size: int = Field(
        256, ge=1, description="Largest size of the answers kept on disk, in megabytes."
    )
    contact: str = Field(
        "",
        description="Contact put into the User-Agent, such as an e-mail address; none by default.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "WARNING", description="What is logged to stderr: DEBUG, INFO, WARNING or ERROR."
    )

    @field_validator("providers", "disable_tools", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return _names(value)

    @field_validator("cache", "log_level", "output_schemas", "rate_limits", mode="before")
    @classmethod
    def _fold(cls, value: object, info: object) -> object:
        if not isinstance(value, str):
            return value
        return value.upper() if getattr(info, "field_name", "") == "log_level" else value.lower()

    @property
    def folder(self) -> Path:
        """Where this person's servers keep what they share."""
        if self.cache_dir is not None:
            return self.cache_dir
        from platformdirs import user_cache_path  # noqa: PLC0415 - few commands need a folder

        return user_cache_path("heritage-gateway", appauthor=False)


def data_folder(name: str) -> Path:
    """Where this person's own large data lie, apart from what may be forgotten at any time."""
    from platformdirs import user_data_path  # noqa: PLC0415 - few commands need a folder

    return user_data_path("heritage-gateway", appauthor=False) / name
