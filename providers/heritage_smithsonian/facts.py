"""What is said about the live API and could not be checked here; `doctor --facts` looks.

Each claim decides something in this provider, so a difference names the room to be changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from heritage_gateway.http import Reply
from heritage_gateway.plugin import Fact
from heritage_smithsonian import wire
from heritage_smithsonian.edan import Edan
from heritage_smithsonian.settings import ENDPOINT


def disputed(edan: Edan) -> tuple[Fact, ...]:
    """The facts, cheapest first; together fourteen requests."""
    look = _Look(edan)
    return (
        Fact(
            "A missing record is a 404 with a JSON body.",
            partial(look.status, 404, "/content/edanmdm:no_such_record", json_body=True),
        ),
        Fact("An empty q is a 400.", partial(look.status, 400, "/search", q="")),
        Fact(
            "The vocabulary of object_type is refused with 403.",
            partial(look.status, 403, "/terms/object_type"),
        ),
        Fact(
            "media_usage has no vocabulary (400).",
            partial(look.status, 400, "/terms/media_usage"),
        ),
        Fact("More than 1,000 rows are answered with 10.", look.rows_above_the_limit),
        Fact("fq is dropped in silence.", look.fq),
        Fact("OR does not widen a search.", look.either_word),
        Fact("Asian art is NMAA; FSG matches nothing.", look.asian_art),
        Fact("A start past the end gives no rows and the true count.", look.past_the_end),
        Fact("Rows of the API carry no linkedId.", look.linked_id),
    )


@dataclass(frozen=True, slots=True)
class _Look:
    """Each method returns None while its claim holds, else what was seen."""

    edan: Edan

    async def status(
        self, expected: int, path: str, *, json_body: bool = False, **params: str
    ) -> str | None:
        reply = await self._send(path, **params)
        is_json = not reply.is_html and reply.body.lstrip()[:1] == b"{"
        if reply.status == expected and (is_json or not json_body):
            return None
        return f"status {reply.status}, {'JSON' if is_json else 'no JSON'}."

    async def rows_above_the_limit(self) -> str | None:
        served = len(wire.items((await self._response(q="*", rows="1001")).get("rows")))
        return None if served == 10 else f"{served} rows."

    async def fq(self) -> str | None:
        everything, filtered = await self._count("*"), await self._count("*", fq="unit_code:NASM")
        return None if everything == filtered else "fq changes the count."

    async def either_word(self) -> str | None:
        one, either = await self._count("quilt"), await self._count("quilt OR submarine")
        return None if either <= one else f"{either:,} for two words, {one:,} for one."

    async def asian_art(self) -> str | None:
        old, new = await self._count('unit_code:"FSG"'), await self._count('unit_code:"NMAA"')
        return None if new and not old else f"NMAA {new:,}, FSG {old:,}."

    async def past_the_end(self) -> str | None:
        found = await self._response(q='unit_code:"NASM"', rows="1", start="9999999")
        rows, total = wire.items(found.get("rows")), wire.number(found.get("rowCount"))
        return None if not rows and total else f"{len(rows)} rows, count {total}."

    async def linked_id(self) -> str | None:
        rows = wire.mappings((await self._response(q="*", rows="1")).get("rows"))
        return "linkedId is there." if any("linkedId" in row for row in rows) else None

    async def _send(self, path: str, **params: str) -> Reply:
        return await self.edan.client.get(path, params=params, endpoint=ENDPOINT, read=_as_it_is)

    async def _response(self, **params: str) -> wire.Raw:
        reply = await self._send("/search", **params)
        return wire.mapping(wire.mapping(reply.json()).get("response"))

    async def _count(self, q: str, **params: str) -> int:
        found = await self._response(q=q, rows="0", **params)
        return wire.number(found.get("rowCount")) or 0


def _as_it_is(reply: Reply) -> Reply:
    return reply
