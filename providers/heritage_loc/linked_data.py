"""id.loc.gov: subject headings as the Library's cataloguers keep them. Answers may be kept 28 days.

The scheme stands in the path, where it is enforced; as a parameter (`memberOf`) it is not, and names
and children's headings come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from heritage_gateway.errors import (
    NothingFound,
    Reason,
    UpstreamBlocked,
    UpstreamMalformed,
    UpstreamUnavailable,
)
from heritage_gateway.http import Dated, HttpClient, Reply
from heritage_loc.models import SubjectHeading
from heritage_loc.normalise import heading
from heritage_loc.settings import ENDPOINT
from heritage_loc.wire import Raw, items, mapping, number

LIFETIME = 28 * 86_400.0  # what its own answers allow
_MINUTES = 600.0  # for what is not there: it may be an outage, and is cheap to ask again
POOL = 50  # hits a request gets at most
_SUBJECTS = "/authorities/subjects"
_SCHEME = "http://id.loc.gov/authorities/subjects"  # its name keeps http although the site is https
_LATER = "This says nothing about which headings exist; call again in a minute."


@dataclass(frozen=True, slots=True)
class LinkedData:
    client: HttpClient

    async def suggest(self, words: str, *, offset: int) -> Dated[Raw]:
        """Headings that hold all words, each taken as a beginning; `POOL` after the first `offset`.

        The service counts from 1, as the `start` of its answers shows.
        """
        return await self.client.fetch(
            f"{_SUBJECTS}/suggest2",
            params={
                "q": words,
                "searchtype": "keyword",
                "count": str(POOL),
                **({"offset": str(offset + 1)} if offset else {}),
            },
            endpoint=ENDPOINT,
            read=_suggestions,
            ttl=lambda body: LIFETIME if number(body.get("count")) else _MINUTES,
        )

    async def suggest_older(self, words: str) -> Dated[tuple[object, ...]]:
        """The older service: four lists, never more than `POOL` in all, and of every scheme."""
        return await self.client.fetch(
            "/suggest/",
            params={"q": words, "memberOf": _SCHEME, "count": str(POOL)},
            endpoint=ENDPOINT,
            read=_lists,
            ttl=LIFETIME,
        )

    async def heading(self, name: str) -> Dated[SubjectHeading]:
        """A heading by its id, such as sh85021262. Raises `NothingFound`."""
        return await self.client.fetch(
            f"{_SUBJECTS}/{quote(name, safe='')}.json",
            endpoint=ENDPOINT,
            read=partial(_heading, name),
            ttl=LIFETIME,
        )

    async def labelled(self, label: str) -> str | None:
        """The URI of a heading by its whole label, in any letter case; None where there is none."""
        found = await self.client.get(
            f"{_SUBJECTS}/label/{quote(label, safe='')}",
            endpoint=ENDPOINT,
            read=_uri,
            ttl=lambda uri: LIFETIME if uri else _MINUTES,
            follow=False,
        )
        return found or None


def _answered(reply: Reply) -> Reply:
    if reply.status == 403:
        raise UpstreamBlocked(
            "The subject headings of the Library of Congress are refused to this address.", _LATER
        )
    if reply.status != 200 or reply.is_html:
        raise UpstreamUnavailable(
            f"The subject headings of the Library of Congress answered with status {reply.status}.",
            _LATER,
        )
    return reply


def _suggestions(reply: Reply) -> Raw:
    body = mapping(_answered(reply).json())
    if number(body.get("count")) is None or body.get("hits") is None:
        raise _malformed()
    return body


def _lists(reply: Reply) -> tuple[object, ...]:
    lists = items(_answered(reply).json())
    if len(lists) < 4:
        raise _malformed()
    return lists


def _heading(name: str, reply: Reply) -> SubjectHeading:
    if reply.status == 404:
        raise _absent()
    found = heading(_answered(reply).json(), name)
    if found is None:
        raise _malformed()
    return found


def _uri(reply: Reply) -> str:
    if reply.status == 404:
        return ""
    if "x-uri" not in reply.headers:
        _answered(reply)
        raise _malformed()
    return reply.headers["x-uri"]


def _absent() -> NothingFound:
    return NothingFound(
        Reason.NOT_FOUND,
        "The Library of Congress keeps no subject heading under this id.",
        "Take a uri from libofcongress_search_subjects.",
    )


def _malformed() -> UpstreamMalformed:
    return UpstreamMalformed(
        "The subject headings of the Library of Congress came in a form that cannot be read.",
        _LATER,
    )
