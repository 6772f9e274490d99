"""tile.loc.gov: the text of a page or of a whole work. It has a limit of its own, seven times wider."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from heritage_gateway.errors import NothingFound, Reason, UpstreamMalformed, UpstreamUnavailable
from heritage_gateway.http import Dated, HttpClient, Reply
from heritage_loc.address import TextAddress
from heritage_loc.normalise import page_text, plain_text
from heritage_loc.settings import ENDPOINT

_LIFETIME = 86_400.0
_HINT = "The page itself is there; call again in a minute for its text."


@dataclass(frozen=True, slots=True)
class TextService:
    client: HttpClient

    async def text(self, address: TextAddress) -> Dated[str]:
        """The text, with its line ends. Raises `NothingFound` where there is none at the address."""
        return await self.client.fetch(
            address.path,
            params=address.params,
            endpoint=ENDPOINT,
            read=_plain_file if address.segment is None else partial(_segment, address.segment),
            ttl=_LIFETIME,
        )


def _checked(reply: Reply) -> Reply:
    if reply.status == 404:
        raise NothingFound(
            Reason.PAGE_NOT_FOUND, "The Library of Congress has no text for this page.", _HINT
        )
    if reply.status != 200 or reply.is_html:
        raise UpstreamUnavailable(
            f"The text service of the Library of Congress answered with status {reply.status}.",
            _HINT,
        )
    return reply


def _plain_file(reply: Reply) -> str:
    return plain_text(_checked(reply).body)


def _segment(segment: str, reply: Reply) -> str:
    text = page_text(_checked(reply).json(), segment)
    if text is None:
        raise UpstreamMalformed(
            "The text service of the Library of Congress sent an answer without a text.", _HINT
        )
    return text
