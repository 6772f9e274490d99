from __future__ import annotations

from core.http.clock import Clock
from heritage_gateway.http import AnswerCache


def value(cache: AnswerCache, key: str) -> object:
    kept = cache.get(key)
    return "absent" if kept is None else kept.value


def test_each_answer_has_its_own_lifetime() -> None:
    clock = Clock(0.0)
    cache = AnswerCache(clock=clock)
    cache.put("day", 1, 86_400, 10)
    cache.put("moment", 2, 5, 10)
    clock.now = 4.9
    assert (value(cache, "day"), value(cache, "moment")) == (1, 2)
    clock.now = 5
    assert (value(cache, "day"), value(cache, "moment")) == (1, "absent")
    clock.now = 86_400
    assert value(cache, "day") == "absent"


def test_nothing_without_a_lifetime_is_kept() -> None:
    cache = AnswerCache()
    cache.put("a", 1, 60, 10)
    cache.put("a", 2, 0, 10)
    assert value(cache, "a") == "absent"


def test_nothing_is_a_value_too() -> None:
    cache = AnswerCache()
    cache.put("a", None, float("inf"), 0)
    assert value(cache, "a") is None


def test_the_least_recently_used_answer_makes_room() -> None:
    cache = AnswerCache(max_bytes=100)
    cache.put("a", 1, 60, 40)
    cache.put("b", 2, 60, 40)
    assert value(cache, "a") == 1
    cache.put("c", 3, 60, 40)
    assert [value(cache, key) for key in "abc"] == [1, "absent", 3]


def test_an_answer_larger_than_the_cache_is_not_kept_and_drives_nothing_out() -> None:
    cache = AnswerCache(max_bytes=100)
    cache.put("a", 1, 60, 40)
    cache.put("b", 2, 60, 40)
    cache.put("b", 3, 60, 101)
    assert [value(cache, key) for key in "ab"] == [1, "absent"]
