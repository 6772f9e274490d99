"""What is said about the live API and could not be checked here; `doctor --facts` looks.

Each claim decides something in this provider, so a difference names the room to be changed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from heritage_gateway.http import Reply
from heritage_gateway.plugin import Fact

from heritage_smithsonian import wire
from heritage_smithsonian.edan import Edan


def disputed(edan: Edan) -> tuple[Fact, ...]:
    """The facts, cheapest first; together about fifteen requests."""

    async def send(path: str, **params: str) -> Reply:
        return await edan.client.get(
            path, params=params, endpoint=path.split("/")[1], read=lambda reply: reply
        )

    async def response(**params: str) -> wire.Raw:
        reply = await send("/search", **params)
        return wire.mapping(wire.mapping(reply.json()).get("response"))

    async def count(q: str, **params: str) -> int:
        return wire.number((await response(q=q, rows="0", **params)).get("rowCount")) or 0

    async def rows_above_the_limit() -> str | None:
        served = len(wire.items((await response(q="*", rows="1001")).get("rows")))
        return None if served == 10 else f"{served} rows."

    async def fq_is_dropped() -> str | None:
        all_of_them, filtered = await count("*"), await count("*", fq="unit_code:NASM")
        return None if all_of_them == filtered else "fq changes the count."

    async def or_does_not_widen() -> str | None:
        one, either = await count("quilt"), await count("quilt OR submarine")
        return None if either <= one else f"{either:,} for two words, {one:,} for one."

    async def asian_art() -> str | None:
        freer, asian = await count('unit_code:"FSG"'), await count('unit_code:"NMAA"')
        return None if asian and not freer else f"NMAA {asian:,}, FSG {freer:,}."

    async def past_the_end() -> str | None:
        found = await response(q='unit_code:"NPM"', rows="1", start="9999999")
        rows, total = wire.items(found.get("rows")), wire.number(found.get("rowCount"))
        return None if not rows and total else f"{len(rows)} rows, count {total}."

    async def linked_id() -> str | None:
        rows = wire.items((await response(q="*", rows="1")).get("rows"))
        return "linkedId is there." if any("linkedId" in wire.mapping(row) for row in rows) else None

    def status(
        expected: int, path: str, *, json_body: bool | None = None, **params: str
    ) -> Callable[[], Awaitable[str | None]]:
        async def look() -> str | None:
            reply = await send(path, **params)
            is_json = not reply.is_html and reply.body.lstrip()[:1] == b"{"
            if reply.status != expected or (json_body is not None and json_body != is_json):
                return f"status {reply.status}, {'JSON' if is_json else 'no JSON'}."
            return None

        return look

    return (
        Fact("A missing record is a 404 with a JSON body.", status(404, "/content/edanmdm:no_such_record", json_body=True)),
        Fact("An empty q is a 400.", status(400, "/search", q="")),
        Fact("The vocabulary of object_type is refused with 403.", status(403, "/terms/object_type")),
        Fact("media_usage has no vocabulary (400).", status(400, "/terms/media_usage")),
        Fact("More than 1,000 rows are answered with 10.", rows_above_the_limit),
        Fact("fq is dropped in silence.", fq_is_dropped),
        Fact("OR does not widen a search.", or_does_not_widen),
        Fact("Asian art is NMAA; FSG matches nothing.", asian_art),
        Fact("A start past the end gives no rows and the true count.", past_the_end),
        Fact("Rows of the API carry no linkedId.", linked_id),
    )
