"""libofcongress_get_subject: one subject heading with everything that leads to and from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from heritage_gateway.errors import InvalidRequest, NothingFound, Reason, UpstreamError
from heritage_gateway.lines import yes
from heritage_gateway.notice import Notice
from heritage_gateway.section import Record, SectionArguments, Sectioned, refuse_unknown_section
from heritage_gateway.text import block, clip, inline
from heritage_gateway.tool import Tool
from heritage_loc.address import subject_token
from heritage_loc.catalogue import Catalogue
from heritage_loc.models import LinkedHeading, SubjectHeading
from heritage_loc.normalise import suggest2

REASONS = (Reason.NOT_FOUND, Reason.INVALID_ID)
SECTIONS = ("variants", "broader", "narrower", "related", "scope_note", "replaced_by")
_LONGEST_LABEL = 300
_CANDIDATES = 5


class Input(SectionArguments):
    subject: str = Field(
        min_length=1, description="uri, id (sh85021262) or whole label of a heading."
    )


class Output(SubjectHeading, Sectioned):
    """The heading, with what was left out of it."""


def get_subject(catalogue: Catalogue) -> Tool[Input, Output]:
    return Tool(
        name="libofcongress_get_subject",
        title="Get a Library of Congress Subject Heading",
        description=(
            "One subject heading: see-from terms, broader, narrower and related headings, scope note, "
            "and whether it was replaced. Takes a uri or label of libofcongress_search_subjects."
        ),
        input=Input,
        output=Output,
        reasons=REASONS,
        handle=_Get(catalogue).handle,
        render=render,
    )


@dataclass(frozen=True, slots=True)
class _Get:
    catalogue: Catalogue

    async def handle(self, asked: Input) -> Record[Output]:
        refuse_unknown_section(asked, SECTIONS)
        token = subject_token(asked.subject) or await self._by_label(asked.subject.strip())
        dated = await self.catalogue.subjects.heading(token)
        found = dated.value
        return Record(
            whole=Output(**dict(found)),
            sections=SECTIONS,
            call=f'libofcongress_get_subject subject="{token}"',
            asked=asked,
            notice=Notice(understood=_replaced(found)),
        )

    async def _by_label(self, label: str) -> str:
        if not label or len(label) > _LONGEST_LABEL:
            raise InvalidRequest(
                Reason.INVALID_ID,
                "`subject` is blank." if not label else "`subject` is too long for a heading.",
                "Give a uri, an id such as sh85021262, or the whole label of a heading.",
            )
        uri = await self.catalogue.subjects.labelled(label)
        token = subject_token(uri) if uri else None
        if token is None:
            raise _absent(label, await self._candidates(label))
        return token

    async def _candidates(self, label: str) -> str:
        """Headings with these words are listed, and none of them is chosen."""
        try:
            dated = await self.catalogue.subjects.suggest(label, offset=0)
        except UpstreamError:
            return "libofcongress_search_subjects finds headings by their words."
        found = suggest2(dated.value)
        rows = found.rows[:_CANDIDATES] if found else ()
        if not rows:
            return "libofcongress_search_subjects finds headings by their words."
        named = "; ".join(f'"{inline(row.label)}"' for row in rows)
        return f"Headings with these words: {named}."


def _absent(given: str, hint: str) -> NothingFound:
    return NothingFound(
        Reason.NOT_FOUND, f'"{inline(clip(given, 80))}" is not the label or id of a heading.', hint
    )


def _replaced(found: SubjectHeading) -> str:
    if not found.deprecated:
        return ""
    named = "; ".join(_named(one) for one in found.replaced_by)
    return "This heading is no longer used." + (f" Use instead: {named}." if named else "")


def _named(one: LinkedHeading) -> str:
    label = f'"{inline(one.label)}"' if one.label else ""
    return " ".join(filter(None, (label, one.uri))) or "a heading without a name"


def render(output: Output) -> str:
    return "\n".join(_lines(output))


def _lines(output: Output) -> Iterator[str]:
    yield f"# {inline(output.label)}"
    if output.notice:
        yield f"Notice: {output.notice}"
    yield f"- uri: {output.uri}"
    yield f"- link: {output.url}"
    yield f"- no longer used: {yes(output.deprecated)}"
    if output.deprecation_note:
        yield f"- why: {inline(output.deprecation_note)}"
    if output.variants:
        yield f"- see-from terms: {'; '.join(map(inline, output.variants))}"
    yield from _linked("broader", output.broader)
    yield from _linked("narrower", output.narrower)
    yield from _linked("related", output.related)
    yield from _linked("replaced by", output.replaced_by)
    if output.scope_note:
        yield f"Scope note:\n{block(output.scope_note)}"


def _linked(kind: str, headings: Sequence[LinkedHeading]) -> Iterator[str]:
    yield from (f"- {kind}: {_named(one)}" for one in headings)
