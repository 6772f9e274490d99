"""heritage_verify: does this exist? By id, link or citation, and never by a guess."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from heritage_gateway.arguments import Arguments, Texts
from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.federation.asking import side_by_side
from heritage_gateway.federation.blocks import Block, Continuation
from heritage_gateway.federation.comparison import Claimed, Existence, Judged, Thing
from heritage_gateway.federation.judge import Judge
from heritage_gateway.federation.lists import known_lists
from heritage_gateway.federation.lookup import namers
from heritage_gateway.lines import cell
from heritage_gateway.notice import Notice, counted, duration
from heritage_gateway.registry import House
from heritage_gateway.text import clip, inline
from heritage_gateway.tool import Output as Answered
from heritage_gateway.tool import Tool

NAME = "heritage_verify"
MOST = 10
_ECHO = 300


class Input(Arguments):
    what: Annotated[
        Texts, Field(min_length=1, max_length=MOST, description="Ids, links or citations.")
    ]
    title: str | None = Field(None, description="Title claimed; with one entry only.")
    date: str | None = Field(None, description="Date claimed; with one entry only.")


class Difference(Block):
    field: Literal["title", "date"]
    claimed: str
    recorded: str


class Candidate(Block):
    house: str
    id: str
    title: str
    date: str | None = None
    link: str | None = None


class Item(Block):
    what: str
    verdict: Annotated[
        Existence, Field(description="not_found after a look-up, never from an outage.")
    ]
    why: str | None = None
    house: str | None = None
    id: str | None = None
    title: Annotated[str | None, Field(description="The record's own.")] = None
    date: Annotated[str | None, Field(description="The record's own.")] = None
    link: str | None = None
    differences: Annotated[
        tuple[Difference, ...], Field(description="What is claimed and the record has otherwise.")
    ]
    tried: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    retry_after: Annotated[float | None, Field(description="Seconds to wait, where known.")] = None


class Output(Answered):
    items: Annotated[tuple[Item, ...], Field(description="In the order given.")]
    continue_: Annotated[
        Continuation | None,
        Field(serialization_alias="continue", description="Gets what was cut."),
    ] = None
    notice: Annotated[
        str | None, Field(description="What this answer leaves out, and how to get it.")
    ] = None


def verify(house: House) -> Tool[Input, Output]:
    lists = known_lists(house)
    judge = Judge(namers(house), lists, (*house.switched_off, *house.failures))
    return Tool(
        name=NAME,
        title="Verify that something exists",
        description=(
            "Does this exist? Takes ids, links or citations, up to 10. exists: with the record's own "
            "title, date and link, and what the claim has otherwise. not_found: looked up, and not "
            "there. cannot_tell: an outage, or too vague; candidates are listed. Use it before a "
            "source is cited."
        ),
        input=Input,
        output=Output,
        reasons=(),
        handle=_Verify(judge).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Verify:
    judge: Judge

    async def handle(self, asked: Input) -> _Draft:
        what = [text.strip() for text in asked.what]
        if not all(what):
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                "`what` has a blank entry.",
                "Give ids, links or the text of citations.",
            )
        if len(what) > 1 and (asked.title or asked.date):
            raise InvalidRequest(
                Reason.INVALID_INPUT,
                "`title` and `date` are claims on one thing, and several are given.",
                "Give one entry, or write what is claimed into each citation.",
            )
        claims = [Claimed(text, asked.title or "", asked.date or "") for text in what]
        judged = await side_by_side(partial(self.judge.judge, claimed) for claimed in claims)
        return _Draft(tuple(what), judged)


@dataclass(frozen=True, slots=True)
class _Draft:
    """Verdicts to be served whole or cut at one of them."""

    what: tuple[str, ...]
    judged: tuple[Judged, ...]

    @property
    def extent(self) -> int:
        return len(self.what)

    @property
    def least(self) -> int:
        return 1

    def within(self, extent: int) -> Output:
        cut = self.what[extent:]
        said = Notice()
        if cut:
            said = said.with_(
                capped=f"The answer was cut to {counted(extent, 'verdicts')} to fit the answer budget.",
                withheld=f"{len(cut)} more were judged; `continue` gets them.",
            )
        return Output(
            items=tuple(map(_item, self.what[:extent], self.judged[:extent])),
            continue_=Continuation(tool=NAME, arguments={"what": list(cut)}) if cut else None,
            notice=said.text,
        )


def _item(text: str, judged: Judged) -> Item:
    thing = judged.thing
    return Item(
        what=clip(text, _ECHO),
        verdict=judged.verdict,
        why=judged.why or None,
        house=thing.house if thing else None,
        id=thing.id if thing else None,
        title=thing.title if thing else None,
        date=(thing.date or None) if thing else None,
        link=(thing.link or None) if thing else None,
        differences=tuple(
            Difference(field=one.field, claimed=one.claimed, recorded=one.recorded)
            for one in judged.differences
        ),
        tried=judged.tried,
        candidates=tuple(map(_candidate, judged.candidates)),
        retry_after=None if judged.retry_after is None else round(judged.retry_after, 1),
    )


def _candidate(thing: Thing) -> Candidate:
    return Candidate(
        house=thing.house,
        id=thing.id,
        title=thing.title,
        date=thing.date or None,
        link=thing.link or None,
    )


# -- text ------------------------------------------------------------------------------------------


def render(output: Output) -> str:
    lines = [f"Notice: {output.notice}"] if output.notice else []
    lines += [line for item in output.items for line in _item_lines(item)]
    return "\n".join([*lines, *([output.continue_.told] if output.continue_ else [])])


def _item_lines(item: Item) -> Iterator[str]:
    yield f"## {inline(item.what)}: {item.verdict}"
    if item.why:
        yield item.why
    if item.house and item.id is not None:
        yield _thing_line(
            Candidate(
                house=item.house,
                id=item.id,
                title=item.title or "",
                date=item.date,
                link=item.link,
            )
        )
    for one in item.differences:
        yield f'- {one.field} differs: claimed "{inline(one.claimed)}", recorded "{inline(one.recorded)}"'
    if item.retry_after is not None:
        yield f"Wait: {duration(item.retry_after)}."
    yield from (f"- candidate: {_thing_line(one)}" for one in item.candidates)
    yield from (f"- tried: {words}" for words in item.tried)


def _thing_line(thing: Candidate) -> str:
    facts = [
        f"**{cell(thing.title)}**",
        *([cell(thing.date)] if thing.date else []),
        cell(thing.house),
        *([f"id {cell(thing.id)}"] if thing.id != thing.link else []),
        *([thing.link] if thing.link else []),
    ]
    return " | ".join(facts)
