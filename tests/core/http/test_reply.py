from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.errors import UpstreamMalformed
from heritage_gateway.http import Reply

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
WHOLE = '{"a": [1, -2.5e3, "x\\u00e9\\\\", null, true], "b": {"c": false}}'


def reply(body: bytes | str = b"", status: int = 200, **headers: str) -> Reply:
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, named, data, "api.si.edu")


def test_a_whole_text_is_decoded() -> None:
    assert reply(WHOLE).json() == {"a": [1, -2500.0, "xé\\", None, True], "b": {"c": False}}
    assert reply(b"\xef\xbb\xbf[1]").json() == [1]


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_a_text_cut_anywhere_is_worth_another_try(length: int) -> None:
    with pytest.raises(UpstreamMalformed) as caught:
        reply(WHOLE[:length]).json()
    assert caught.value.transient
    assert caught.value.message == "The answer of api.si.edu is cut off in the middle."


def test_a_text_cut_inside_a_character_is_worth_another_try() -> None:
    with pytest.raises(UpstreamMalformed) as caught:
        reply('"é'.encode()[:-1]).json()
    assert caught.value.transient


@pytest.mark.parametrize(
    "body",
    [
        b"garbage",
        b"{'a': 1}",
        b"[1 2]",
        b'{"a": 1} trailing',
        b'{"a": 1,, "b": 2}',
        b"[NaN]",
        b"[Infinity]",
        b"[-Infinity]",
        b"[1e999]",
        b"[-1E400]",
        b'["\xff\xfe"]',
        b'"\xe9 in the middle"',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"[" * 100_000 + b"]" * 100_000,
        b"9" * 5000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_garbled_data_is_malformed_and_not_asked_for_again(body: bytes) -> None:
    with pytest.raises(UpstreamMalformed) as caught:
        reply(body).json()
    assert not caught.value.transient
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_bare_control_characters_in_texts_are_let_through() -> None:
    assert reply(b'{"url": "a\nb"}').json() == {"url": "a\nb"}


def test_half_a_surrogate_pair_is_replaced_and_a_whole_one_kept() -> None:
    body = r'{"\ud800": ["a\udc00b", "\ud83d\ude00", "\\ud800", 1, null, {"x": "\uD83D"}]}'
    value = reply(body).json()
    assert value == {"\ufffd": ["a\ufffdb", "😀", "\\ud800", 1, None, {"x": "\ufffd"}]}
    json.dumps(value, ensure_ascii=False).encode()


@given(st.recursive(st.none() | st.integers() | st.text() | st.booleans(), st.lists))
def test_what_was_encoded_comes_back(value: object) -> None:
    assert reply(json.dumps(value)).json() == value


@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:\\ud8-.eE1ntf ', max_size=40))
def test_any_bytes_give_a_value_or_are_malformed(body: bytes | str) -> None:
    try:
        value = reply(body).json()
    except UpstreamMalformed:
        return
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("answer", "html"),
    [
        (reply(b"x", content_type="Text/HTML; charset=utf-8"), True),
        (reply(b"\n <!DOCTYPE HTML><p>", content_type="application/json"), True),
        (reply(b"\xef\xbb\xbf<html lang=en>"), True),
        (reply(b"<!-- x --><html>"), True),
        (reply(b"<?xml version='1.0'?><alto/>", content_type="text/xml"), False),
        (reply(b'{"a": "<html>"}', content_type="application/json"), False),
        (reply(b"<htmlish>"), False),
        (reply(), False),
    ],
)
def test_a_web_page_is_told_by_its_type_or_its_beginning(answer: Reply, html: bool) -> None:
    assert answer.is_html is html


JSD = "<html><script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"


@pytest.mark.parametrize(
    ("answer", "challenge"),
    [
        (reply("", 403, cf_mitigated="challenge"), True),
        (reply("<html><title>Just a moment...</title>", 403), True),
        (reply("<html><title>Attention Required! | Cloudflare</title>", 403), True),
        (reply("<html><div class='g-reCAPTCHA'>", 200), True),
        (reply("<html><script src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page'>", 503), True),
        (reply("<html><div id='cf-challenge'>", 429), True),
        (reply(JSD, 200), False),
        (reply("<html>404, contact us (captcha)", 404), False),
        (reply("<html><title>Request Rejected</title>", 403), False),
        (reply('{"title": "Just a moment"}', 200, content_type="application/json"), False),
    ],
)  # fmt: skip
def test_a_challenge_is_known_by_kind_and_not_by_a_word_in_a_text(
    answer: Reply, challenge: bool
) -> None:
    assert answer.is_challenge is challenge


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 1.5 ", 1.5),
        ("0", 0),
        ("Thu, 01 Jan 2026 12:01:00 GMT", 60),
        ("Thu, 01 Jan 2026 13:00:00 +0100", 0),
        ("Thu, 01 Jan 2026 12:00:10 -0000", 10),
        ("Thu, 01 Jan 2026 11:59:00 GMT", None),
        ("-5", None),
        ("inf", None),
        ("nan", None),
        ("1e999", None),
        ("9" * 400, None),
        ("٣", None),
        ("soon", None),
        ("Thu, 99 Jan 2026 12:01:00 GMT", None),
        ("Thu, 01 Jan 99999999999 12:01:00 GMT", None),
        ("", None),
    ],
)
def test_a_wait_is_read_from_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert reply(retry_after=value).retry_after(NOW) == seconds
    assert reply().retry_after(NOW) is None


@given(st.text(max_size=40))
def test_any_wait_header_is_a_number_or_nothing(value: str) -> None:
    seconds = reply(retry_after=value).retry_after(NOW)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("value", "remaining"),
    [("29", 29), (" 0", 0), ("-1", None), ("many", None), ("²", None), ("", None), ("9" * 99, None)],
)  # fmt: skip
def test_the_remaining_calls_are_a_number_or_unknown(value: str, remaining: int | None) -> None:
    assert reply(x_ratelimit_remaining=value).rate_remaining == remaining


def test_a_reply_shows_neither_body_nor_headers() -> None:
    assert "s3cret" not in repr(reply("s3cret", set_cookie="s3cret"))
