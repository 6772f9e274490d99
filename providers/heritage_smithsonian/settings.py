"""SMITHSONIAN_*: where the Smithsonian is reached, with which key, and how often."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from heritage_gateway.http import Pace, Upstream
from heritage_gateway.settings import Address, EnvironmentSettings, data_folder

DEMO_KEY = "DEMO_KEY"
SIGN_UP = "https://api.data.gov/signup/"
GET_A_KEY = f"Get a free key at {SIGN_UP} and set SMITHSONIAN_API_KEY."

# api.data.gov publishes 1,000 requests an hour for a registered key and 30 for DEMO_KEY (per
# address). Each pace admits burst + rate in any hour: 950 and 28, below 95 % of the table.
KEY_PACE = Pace(burst=150, rate=800, per=3600)
IMAGES = "image"
IMAGE_PACE = Pace(burst=10, rate=60, per=60)  # nothing is published for the image service
_MOST_IMAGE_BYTES = 12 * 1024 * 1024
ENDPOINT = "api"  # one class: the quota counts requests of every kind alike
DEMO_PACE = Pace(burst=20, rate=8, per=3600)


class SmithsonianSettings(EnvironmentSettings):
    """What concerns the Smithsonian."""

    model_config = SettingsConfigDict(env_prefix="SMITHSONIAN_")

    api_key: SecretStr | None = Field(
        None,
        description=f"Free key from {SIGN_UP}; without it DEMO_KEY is used, at 28 requests an hour.",
    )
    base_url: Address = Field(
        "https://api.si.edu/openaccess/api/v1.0", description="The Open Access API."
    )
    ids_url: Address = Field("https://ids.si.edu", description="The image delivery service.")
    bulk_url: Address = Field(
        "https://smithsonian-open-access.s3-us-west-2.amazonaws.com",
        description="The bucket of the bulk metadata.",
    )

    source: Literal["auto", "mirror", "live"] = Field(
        "auto",
        validation_alias="HERITAGE_SMITHSONIAN_SOURCE",
        description="`auto`: a local mirror first, the live API for what it cannot answer; `mirror` or "
        "`live` alone.",
    )
    mirror_dir: Path | None = Field(
        None,
        validation_alias="HERITAGE_SMITHSONIAN_MIRROR_DIR",
        description="Folder of the local mirror; by default in the user's data folder.",
    )

    @property
    def mirror_folder(self) -> Path:
        return self.mirror_dir or data_folder("smithsonian")

    @field_validator("api_key", mode="before")
    @classmethod
    def _clean(cls, value: object) -> object:
        """Pasted keys carry blanks and line ends; api.data.gov refuses those as invalid."""
        if not isinstance(value, str):
            return value
        key = "".join(value.split())
        if not key.isascii() or not key.isprintable():
            raise ValueError("a key holds ASCII letters and digits only")
        return key or None

    @property
    def has_own_key(self) -> bool:
        return self.api_key is not None and self.api_key.get_secret_value() != DEMO_KEY

    @property
    def rate_hint(self) -> str:
        """What to do when requests run out, in one sentence."""
        if self.has_own_key:
            return (
                "The key's quota is 1,000 requests an hour; wait, then call again with fewer calls."
            )
        return (
            "No SMITHSONIAN_API_KEY of your own is set, so DEMO_KEY is used, which serves about 30 requests an "
            f"hour per address. {GET_A_KEY}"
        )

    def api(self, *, paced: bool) -> Upstream:
        """The Open Access API as a host to be reached; the key travels as a header only."""
        key = self.api_key.get_secret_value() if self.api_key else DEMO_KEY
        pace = KEY_PACE if self.has_own_key else DEMO_PACE
        return Upstream(
            name="api.si.edu",
            title="the Smithsonian Open Access API",
            base_url=self.base_url,
            paces={ENDPOINT: pace},
            headers={"X-Api-Key": key},
            paced=paced,
            rate_limit_hint=self.rate_hint,
        )

    def images(self, *, paced: bool) -> Upstream:
        """The image service; it loses a connection now and then, and needs no key."""
        return Upstream(
            name="ids.si.edu",
            title="the image service of the Smithsonian",
            base_url=self.ids_url,
            paces={IMAGES: IMAGE_PACE},
            paced=paced,
            attempts=2,
            max_body=_MOST_IMAGE_BYTES,
            rate_limit_hint="Wait as long as stated; the records still come.",
        )
