"""The border: whatever happens inside, an answer or the envelope comes out."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest

from heritage_gateway.arguments import Arguments
from heritage_gateway.budget import Draft, tokens
from heritage_gateway.errors import MEANINGS, NothingFound, RateLimited, Reason
from heritage_gateway.listing import Listing, Paged, headline
from heritage_gateway.paging import Ask
from heritage_gateway.tool import Border, Tool, envelope

pytestmark = pytest.mark.anyio
BORDER = Border(deadline=5, budget=0)


class Asked(Arguments):
    word: str = "x"


class Answered(Paged):
    rows: list[str]


def tool(handle: Callable[[Asked], Awaitable[Answered | Draft[Answered]]]) -> Tool[Asked, Answered]:
    return Tool(
        name="house_verb",
        title="Verb",
        description="Does it.",
        input=Asked,
        output=Answered,
        reasons=(Reason.NOT_FOUND,),
        handle=handle,
        render=lambda answer: "\n".join(
            [*headline(answer, total=len(answer.rows), noun="rows"), *answer.rows]
        ),
    )


async def crash(_asked: Asked) -> Answered:
    raise KeyError("https://secret.example/?api_key=SECRET")


async def absent(_asked: Asked) -> Answered:
    raise NothingFound(Reason.NOT_FOUND, "Nothing has this id.", "Search for it.")


async def crowded(_asked: Asked) -> Answered:
    raise RateLimited("Too many.", "Wait.", retry_after=61.2)


async def never(_asked: Asked) -> Answered:
    await anyio.sleep_forever()
    raise AssertionError


async def test_a_failure_says_the_same_in_structure_and_in_text() -> None:
    answer = await BORDER.call(tool(absent), {})
    assert answer.is_error
    assert answer.structure == {
        "error": {
            "code": -32001,
            "message": "Nothing has this id.",
            "data": {
                "reason": "not_found",
                "recovery": {"hint": "Search for it."},
                "retryable": False,
            },
        }
    }
    assert answer.text == "Error (not_found): Nothing has this id.\nNext: Search for it."


async def test_a_known_wait_stands_in_both() -> None:
    answer = await BORDER.call(tool(crowded), {})
    assert answer.structure["error"]["data"]["retry_after"] == 61.2
    assert answer.text.endswith("Wait: 62 seconds.")


async def test_bad_arguments_get_the_same_envelope_before_any_work() -> None:
    answer = await BORDER.call(tool(crash), {"wort": "y"})
    assert answer.reason == "invalid_input"
    assert "did you mean `word`?" in answer.text


async def test_a_crash_is_internal_and_tells_nothing_of_the_inside(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = await BORDER.call(tool(crash), {})
    assert answer.reason == "internal"
    assert "SECRET" not in answer.text + str(answer.structure)
    assert "house_verb crashed" in caplog.text


async def test_the_deadline_ends_a_call_that_would_not_end() -> None:
    answer = await Border(deadline=0.01, budget=0).call(tool(never), {})
    assert answer.reason == "upstream_timeout"
    assert answer.structure["error"]["data"]["retryable"] is True


async def test_cancellation_passes_through() -> None:
    with anyio.move_on_after(0.01) as scope:
        await BORDER.call(tool(never), {})
    assert scope.cancelled_caught


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_code(reason: Reason) -> None:
    assert MEANINGS[reason].code < 0
    structure = envelope(NothingFound(reason, "It.", "So.")).structure
    assert structure["error"]["data"]["reason"] == reason


def long_page(count: int) -> Callable[[Asked], Awaitable[Listing[str, Answered]]]:
    def made(rows: Sequence[str], shared: dict[str, Any]) -> Answered:
        return Answered(rows=list(rows), **shared)

    async def handle(_asked: Asked) -> Listing[str, Answered]:
        rows = [f"row {number} {'x' * (number % 90)}" for number in range(count)]
        return Listing(rows=rows, ask=Ask(0, count, most=1000), total=5000, make=made)

    return handle


@pytest.mark.parametrize("budget", [500, 2_000, 20_000])
@pytest.mark.parametrize("count", [1, 20, 999])
async def test_no_answer_exceeds_the_budget_and_a_cut_page_says_how_to_go_on(
    budget: int, count: int
) -> None:
    answer = await Border(deadline=5, budget=budget).call(tool(long_page(count)), {})
    assert tokens(answer.text, answer.structure) <= budget
    shown = len(answer.structure["rows"])
    assert answer.structure["truncated"] is True
    assert f"start={shown} gets the next page." in answer.structure["notice"]
    assert ("answer budget" in answer.structure["notice"]) == (shown < count)


async def test_an_answer_that_fits_is_written_once() -> None:
    written: list[Answered] = []

    def render(answer: Answered) -> str:
        written.append(answer)
        return "rows"

    listing = replace(tool(long_page(20)), render=render)
    assert not (await Border(deadline=5, budget=20_000).call(listing, {})).is_error
    assert len(written) == 1


@pytest.mark.parametrize("letters", [3_000, 100_000, 1_000_000])
async def test_a_single_row_larger_than_the_budget_is_clipped_and_says_so(letters: int) -> None:
    async def handle(_asked: Asked) -> Listing[str, Answered]:
        made = long_row("x" * letters)
        return Listing(rows=["x"], ask=Ask(0, 1, most=1000), total=1, make=made)

    answer = await Border(deadline=5, budget=1_200).call(tool(handle), {})
    assert tokens(answer.text, answer.structure) <= 1_200
    assert answer.structure["rows"][0].endswith("…")
    assert "are cut to fit the answer budget." in answer.structure["notice"]


def long_row(row: str) -> Callable[[Sequence[str], dict[str, Any]], Answered]:
    return lambda _rows, shared: Answered(rows=[row], **shared)


async def test_an_address_of_usable_length_is_never_clipped() -> None:
    address = f"https://example.org/{'a' * 900}"

    async def handle(_asked: Asked) -> Answered:
        return Answered(rows=[address, "x" * 90_000])

    answer = await Border(deadline=5, budget=1_000).call(tool(handle), {})
    assert tokens(answer.text, answer.structure) <= 1_000
    assert answer.structure["rows"][0] == address


@pytest.mark.parametrize("budget", [300, 1_000, 20_000])
async def test_a_failure_that_quotes_too_much_is_clipped_too(budget: int) -> None:
    async def handle(_asked: Asked) -> Answered:
        raise NothingFound(
            Reason.NOT_FOUND, f'"{"x" * 200_000}" is absent.', "Say it shorter. " * 9
        )

    answer = await Border(deadline=5, budget=budget).call(tool(handle), {})
    assert tokens(answer.text, answer.structure) <= budget
    assert answer.reason == "not_found"
    assert answer.structure["error"]["message"].endswith("…")
    assert answer.structure["error"]["data"]["recovery"]["hint"].startswith("Say it shorter.")


async def test_a_budget_of_nothing_is_no_budget() -> None:
    answer = await Border(deadline=5, budget=0).call(tool(long_page(999)), {})
    assert len(answer.structure["rows"]) == 999
