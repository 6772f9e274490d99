"""Paging that never promises a page that cannot be had."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.notice import Notice, duration
from heritage_gateway.paging import Ask, Page


def page(start: int = 0, rows: int = 20, *, shown: int, total: int, **more: Any) -> Page:
    return Page(Ask(start, rows, most=1000), shown=shown, total=total, **more)


def test_a_page_in_the_middle_names_the_next_start() -> None:
    said = page(start=20, shown=20, total=215).notice().text
    assert said == "175 more match; start=40 gets the next page."


def test_the_last_page_says_nothing() -> None:
    last = page(start=200, shown=15, total=215)
    assert not last.truncated
    assert last.notice().text is None


def test_past_the_end_is_no_truncation_and_names_the_last_valid_start() -> None:
    beyond = page(start=300, shown=0, total=215)
    assert not beyond.truncated
    assert "start=300 lies past the end" in str(beyond.notice().text)
    assert "The last valid start is 214." in str(beyond.notice().text)


def test_a_page_over_the_cap_opens_its_notice_with_the_cap() -> None:
    said = str(page(rows=1500, shown=1000, total=5000).notice().text)
    assert said.startswith("rows=1500 was asked; a page holds at most 1,000 objects.")
    assert said.endswith("start=1000 gets the next page.")


def test_a_page_cut_by_the_budget_gives_the_number_served_as_its_cap() -> None:
    cut = page(rows=100, shown=37, total=5000, available=100)
    assert cut.cap == 37
    assert "cut to 37 objects" in str(cut.notice().text)
    assert "start=37 " in str(cut.notice().text)


def test_the_parts_of_a_notice_keep_their_order() -> None:
    notice = Notice().with_(snapshot="S.").with_(withheld="W.").with_(failed="F.", capped="C.")
    assert notice.text == "C. F. W. S."


def test_waits_are_rounded_up() -> None:
    assert [duration(0.2), duration(19.1), duration(121), duration(3600)] == [
        "1 second",
        "20 seconds",
        "3 minutes",
        "60 minutes",
    ]


@given(
    total=st.integers(0, 400),
    sizes=st.lists(st.integers(1, 90), min_size=1),
    cut=st.integers(1, 90),
)
def test_following_the_next_start_visits_every_row_once(
    total: int, sizes: list[int], cut: int
) -> None:
    seen: list[int] = []
    start, turn = 0, 0
    while True:
        rows = sizes[turn % len(sizes)]
        at_hand = max(0, min(rows, total - start))
        shown = min(at_hand, cut)
        served = page(start=start, rows=rows, shown=shown, total=total, available=at_hand)
        seen += range(start, start + shown)
        if not served.truncated:
            break
        assert f"start={served.next_start} " in str(served.notice().text)
        start, turn = served.next_start, turn + 1
    assert seen == list(range(total))
