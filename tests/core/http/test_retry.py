from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.errors import InvalidRequest, Reason, UpstreamUnavailable
from heritage_gateway.http.retry import another, delay

PASSING = UpstreamUnavailable("The host is away.", "Wait.", transient=True)
LASTING = UpstreamUnavailable("The host is away.", "Wait.")


def test_waits_double_and_stop_growing() -> None:
    waits = [delay(n, backoff=0.5, chance=0.5, asked=None) for n in range(1, 8)]
    assert waits == [0.5, 1, 2, 4, 8, 8, 8]


@given(
    attempt=st.integers(1, 60),
    chance=st.floats(0, 1),
    asked=st.none() | st.floats(0, 1e6),
)
def test_jitter_stays_within_a_quarter_and_never_undercuts_what_was_asked(
    attempt: int, chance: float, asked: float | None
) -> None:
    wait = delay(attempt, backoff=0.5, chance=chance, asked=None)
    plain = min(0.5 * 2 ** (attempt - 1), 8)
    assert 0.75 * plain <= wait <= min(1.25 * plain, 8)
    assert delay(attempt, backoff=0.5, chance=chance, asked=asked) >= (asked or 0)


@pytest.mark.parametrize(
    ("attempt", "wait", "left", "again"),
    [
        (1, 1, 5, True),
        (2, 1, float("inf"), True),
        (3, 1, 5, False),
        (1, 5, 5, False),
        (1, 6, 5, False),
        (1, 1, -1, False),
    ],
)
def test_another_try_needs_attempts_and_time(
    attempt: int, wait: float, left: float, again: bool
) -> None:
    assert another(PASSING, attempt, 3, wait, left) is again


def test_what_does_not_pass_by_itself_is_not_tried_again() -> None:
    assert not another(LASTING, 1, 3, 0, 9)
    assert not another(
        InvalidRequest(Reason.INVALID_ID, "The id is blank.", "Give one."), 1, 3, 0, 9
    )
