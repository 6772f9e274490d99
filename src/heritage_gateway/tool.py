"""The tool border: arguments in, an answer or the error envelope out, whatever happens between.

Domain errors are raised below and translated once, here. Nothing in this room knows the wire
library, so that `heritage-gateway call` and the tests use the very border that serves agents.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import anyio
from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.arguments import Arguments
from heritage_gateway.budget import Draft, clipped, largest, tokens
from heritage_gateway.errors import GatewayError, Reason, UpstreamTimeout
from heritage_gateway.http import collected_ages, said_of_ages
from heritage_gateway.notice import duration
from heritage_gateway.schema import ErrorBody, ErrorData, Recovery, input_schema, output_schema
from heritage_gateway.text import clip

log = logging.getLogger(__name__)

_LIMITS = (2_000, 500, 200)  # characters of a text, where nothing else makes an answer fit

InputT = TypeVar("InputT", bound=Arguments)
OutputT = TypeVar("OutputT", bound="Output")


class Output(BaseModel):
    """Base of every tool's answer. Absent, never null; closed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def structure(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class Pictured(Output):
    """Base of answers that are a picture with a line of text.

    They have no structure and no output schema: clients that find one beside a picture drop the
    picture, and a structure made of the answer would hold its bytes a second time.
    """

    jpeg: bytes = Field(exclude=True, repr=False)

    def structure(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What leaves the border: the same facts as text and as structure.

    With a picture, `jpeg`, there is no structure.
    """

    text: str
    structure: dict[str, Any]
    is_error: bool = False
    jpeg: bytes | None = field(default=None, repr=False)

    @property
    def reason(self) -> str | None:
        """The reason of a failure."""
        return self.structure["error"]["data"]["reason"] if self.is_error else None


@dataclass(frozen=True, slots=True)
class Tool(Generic[InputT, OutputT]):
    """One verb of a provider: its contract above, its behaviour in `handle`, its text in `render`.

    `handle` gives the output, or a `Draft` of it where the answer can be cut to the budget.
    `reasons` are the declared ones of its contract; the common ones are not repeated.
    """

    name: str
    title: str
    description: str
    input: type[InputT]
    output: type[OutputT]
    reasons: tuple[Reason, ...]
    handle: Callable[[InputT], Awaitable[OutputT | Draft[OutputT]]]
    render: Callable[[OutputT], str]

    @property
    def input_schema(self) -> dict[str, Any]:
        return input_schema(self.input)

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """None for a picture."""
        if issubclass(self.output, Pictured):
            return None
        return output_schema(self.output, self.reasons)


AnyTool = Tool[Any, Any]


@dataclass(frozen=True, slots=True)
class Border:
    """Runs tools: `deadline` in seconds for the whole call, `budget` in tokens, 0 for none."""

    deadline: float
    budget: int

    async def call(self, tool: Tool[InputT, OutputT], arguments: Mapping[str, Any]) -> Answer:
        """Never raises but for cancellation."""
        try:
            # Parsed apart from the work: a pydantic error raised later is our bug, not the caller's.
            asked = tool.input.parse(arguments)
            with anyio.fail_after(self.deadline), collected_ages() as ages:
                worked = await tool.handle(asked)
            return self._answer(tool, worked, said_of_ages(ages))
        except GatewayError as error:
            return self._failure(error)
        except TimeoutError:
            return self._failure(_too_slow(self.deadline))
        except Exception:
            log.exception("%s crashed", tool.name)
            return self._failure(_crashed(tool.name))

    def _answer(
        self, tool: Tool[InputT, OutputT], worked: OutputT | Draft[OutputT], aged: str
    ) -> Answer:
        if not self.budget:
            whole = worked if isinstance(worked, BaseModel) else worked.within(worked.extent)
            return _served(tool, whole, aged)

        def served(output: OutputT) -> Answer | None:
            answer = _served(tool, output, aged)
            return answer if self._fits(answer) else None

        if isinstance(worked, BaseModel):
            output, answer = worked, served(worked)
        else:
            output, answer = largest(worked, served)
        if answer:
            return answer
        clippings = [_served(tool, _clipped(output, limit), aged) for limit in _LIMITS]
        return next(filter(self._fits, clippings), clippings[-1])

    def _failure(self, error: GatewayError) -> Answer:
        """The envelope; words of a failure are few, but may quote what a caller or catalogue wrote."""
        whole = envelope(error)
        if not self.budget or self._fits(whole):
            return whole
        shorter = (_shortened(error, room) for room in (self.budget, self.budget // 2))
        return next(filter(self._fits, map(envelope, shorter)), whole)

    def _fits(self, answer: Answer) -> bool:
        return tokens(answer.text, answer.structure) <= self.budget


def _clipped(output: OutputT, limit: int) -> OutputT:
    """What could not be cut at a row or a section: every long text and list in it is."""
    shorter = clipped(output, limit)
    if shorter == output or "notice" not in type(output).model_fields:
        return shorter
    said = f"Texts of more than {limit:,} characters are cut to fit the answer budget."
    notice = " ".join(filter(None, (getattr(output, "notice", None), said)))
    return shorter.model_copy(update={"notice": notice})


def _served(tool: Tool[InputT, OutputT], output: OutputT, aged: str) -> Answer:
    if aged:  # whatever the tool, a kept answer says so where every notice stands
        told = getattr(output, "notice", None)
        output = output.model_copy(update={"notice": f"{told} {aged}" if told else aged})
    jpeg = output.jpeg if isinstance(output, Pictured) else None
    return Answer(tool.render(output), output.structure(), jpeg=jpeg)


def _shortened(error: GatewayError, room: int) -> GatewayError:
    """The same failure in at most so many characters, two thirds of them for the hint."""
    message = clip(error.message, room // 3)
    return GatewayError(
        error.reason, message, clip(error.hint, room - len(message)), retry_after=error.retry_after
    )


def envelope(error: GatewayError) -> Answer:
    """A failure in structure and in text: some clients show only one of the two."""
    meaning = error.meaning
    body = ErrorBody(
        code=meaning.code,
        message=error.message,
        data=ErrorData(
            reason=error.reason,
            recovery=Recovery(hint=error.hint),
            retryable=meaning.retryable,
            retry_after=None if error.retry_after is None else round(error.retry_after, 1),
        ),
    )
    lines = [f"Error ({error.reason}): {error.message}", f"Next: {error.hint}"]
    if error.retry_after is not None:
        lines.append(f"Wait: {duration(error.retry_after)}.")
    structure = {"error": body.model_dump(mode="json", exclude_none=True)}
    return Answer("\n".join(lines), structure, is_error=True)


def _too_slow(deadline: float) -> UpstreamTimeout:
    return UpstreamTimeout(
        f"The call was not finished within {duration(deadline)}, so it was stopped.",
        "This says nothing about what the catalogue holds; call again, with fewer rows if many were asked.",
    )


def _crashed(name: str) -> GatewayError:
    return GatewayError(
        Reason.INTERNAL,
        f"{name} failed by a fault of this server.",
        "This says nothing about what the catalogue holds; report it with the arguments of the call.",
    )
