"""LOC_*: where the Library of Congress is reached, and how often. No key is needed.

Two tables of limits are published for www.loc.gov, and the stricter rule of each holds here: 20
requests a minute in all, and 10 items in 10 seconds. A breach blocks the address for up to an hour.
The text services of tile.loc.gov allow 150 a minute, and nothing is published for id.loc.gov.
"""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator
from pydantic_settings import SettingsConfigDict

from heritage_gateway.http import Pace, Upstream, is_loopback
from heritage_gateway.settings import Address, EnvironmentSettings

IMAGES = "image"  # counted apart from texts, of which there are as many
ENDPOINT = "json"  # one class a host: the table of 2026 counts all of a host together
_PER_MINUTE = 20
_ITEMS_PER_10_S = 10
_TEXT_PER_MINUTE = 150
_IMAGE_PACE = Pace(burst=10, rate=60, per=60)
_MOST_TILE_BYTES = 16 * 1024 * 1024
_SHARE = 0.95  # of a published limit
_HOUR = 3600.0
_WAIT_HINT = (
    "The Library of Congress blocks addresses that ask too fast. Wait as long as stated; other "
    "tools and answers that were fetched before still work."
)


class LocSettings(EnvironmentSettings):
    """What concerns the Library of Congress."""

    model_config = SettingsConfigDict(env_prefix="LOC_")

    base_url: Address = Field("https://www.loc.gov", description="The catalogue.")
    tile_url: Address = Field("https://tile.loc.gov", description="Page texts and images.")
    id_url: Address = Field("https://id.loc.gov", description="Subject headings.")
    burst: int = Field(
        4, ge=1, le=9, description="Requests to the catalogue that may go out at once."
    )
    interval: float = Field(
        4.0, gt=0, description="Seconds between requests to the catalogue after that."
    )
    text_per_minute: int = Field(60, ge=1, le=130, description="Page texts fetched in a minute.")

    @model_validator(mode="after")
    def _keeps_the_table(self) -> Self:
        if self.burst + 60 / self.interval > _PER_MINUTE * _SHARE:
            raise ValueError(
                f"LOC_BURST and LOC_INTERVAL together allow more than {_PER_MINUTE * _SHARE:.0f} "
                "requests a minute, the Library's limit with a margin"
            )
        if self.burst + 10 / self.interval > _ITEMS_PER_10_S * _SHARE:
            raise ValueError(
                f"LOC_BURST and LOC_INTERVAL together allow more than {_ITEMS_PER_10_S * _SHARE:g} "
                "requests in 10 seconds, the Library's limit for items with a margin"
            )
        return self

    @property
    def pace_told(self) -> str:
        """The pace in a sentence."""
        return f"Its catalogue is asked {self.burst} times at once, then every {self.interval:g} seconds."

    def www(self, *, rate_limits: bool) -> Upstream:
        return Upstream(
            name="www.loc.gov",
            title="the catalogue of the Library of Congress",
            base_url=self.base_url,
            paces={ENDPOINT: Pace(self.burst, 1, self.interval)},
            paced=rate_limits or not is_loopback(self.base_url),
            read_timeout=60.0,  # full text takes up to 37 s, and the edge gives up at 56
            attempts=2,  # one quiet retry; every further one is a twentieth of the minute
            retry_429=False,
            rest_after_429=_HOUR,
            rest_after_block=_HOUR,
            rate_limit_hint=_WAIT_HINT,
        )

    def tile(self, *, rate_limits: bool) -> Upstream:
        return Upstream(
            name="tile.loc.gov",
            title="the text and image service of the Library of Congress",
            base_url=self.tile_url,
            paces={ENDPOINT: Pace(10, self.text_per_minute, 60), IMAGES: _IMAGE_PACE},
            max_body=_MOST_TILE_BYTES,
            paced=rate_limits or not is_loopback(self.tile_url),
            attempts=2,
            retry_429=False,
            rest_after_429=_HOUR,
            rest_after_block=_HOUR,
            rate_limit_hint=_WAIT_HINT,
        )

    def linked_data(self, *, rate_limits: bool) -> Upstream:
        return Upstream(
            name="id.loc.gov",
            title="the subject headings of the Library of Congress",
            base_url=self.id_url,
            paces={ENDPOINT: Pace(5, 1, 1)},
            paced=rate_limits or not is_loopback(self.id_url),
            attempts=2,
            retry_429=False,
            rest_after_429=_HOUR,
            rest_after_block=_HOUR,
            rate_limit_hint=_WAIT_HINT,
        )
