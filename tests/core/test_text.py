"""Catalogue text: mark-up goes, words stay, and nothing can pose as the server's own line."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from heritage_gateway.text import block, clip, inline, plain, seen

MARKUP = st.text(alphabet="ab <>/&;!-\"'=\\`*_[]():~#x1\n", max_size=60)
ANY = st.one_of(st.text(), MARKUP)
OVERRIDES = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.parametrize(
    ("upstream", "told"),
    [
        ("H<sub>2</sub>O", "H2O"),
        ("Bell X-1 <i>Glamorous Glennis</i>", "Bell X-1 Glamorous Glennis"),
        ("<I>Chi Wara</I>", "Chi Wara"),
        ("one<br/>two<BR>three", "one two three"),
        ('<p align="left">one</p><p>two</p>', "one two"),
        ("one <b> two </b> three", "one two three"),
        ("double  space stays", "double  space stays"),
        ("Jodhpur & Udaipur", "Jodhpur & Udaipur"),
        ("5 < 6 and 7>5", "5 < 6 and 7>5"),
        ("<5 mm", "<5 mm"),
        ("<Smith> wrote <a@b.org>", "<Smith> wrote <a@b.org>"),
        ("<map missing>", "<map missing>"),
        ("M&uuml;ller &#39;x&#x27; &amp;lt;", "Müller 'x' &lt;"),
        ("&lt;i&gt;", "<i>"),
        ("&nosuch; &amp &#0; &#xD800; &#99999999;", "&nosuch; &amp &#0; &#xD800; &#99999999;"),
        ("Anxiety\u00a0", "Anxiety"),
        ("a\u00a0b&nbsp;c", "a b c"),
        ("first\n\nsecond", "first\n\nsecond"),
        ("first\r\nsecond", "first\nsecond"),
        ("<p>first</p>\n\n<p>second</p>", "first\n\nsecond"),
        ("a<script>b</script>c<style>d", "acd"),
        ("a<!-- b > c -->d<!-- e", "ad<!-- e"),
        ('<a title="x > y" href=z>w</a>', "w"),
        ("a\ud800b\x00c\x80d\u202ee\U000e0041f", "abcdef"),
        ("葛飾北斎", "葛飾北斎"),
    ],
)
def test_upstream_text_becomes_plain_text(upstream: str, told: str) -> None:
    assert plain(upstream) == told


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"], exclude_characters="<&")))
def test_a_text_without_markup_comes_out_as_it_went_in(value: str) -> None:
    assert plain(value) == value


@given(ANY)
def test_no_control_and_no_override_comes_out(value: str) -> None:
    for told in (plain(value), inline(value), block(value)):
        assert all(c == "\n" or unicodedata.category(c) not in {"Cc", "Cs"} for c in told)
        assert not OVERRIDES & set(told)


@given(ANY.filter(lambda value: "&" not in value and "<" not in value))
def test_plain_text_stays_what_it_is_a_second_time(value: str) -> None:
    assert plain(plain(value)) == plain(value)


@pytest.mark.parametrize("told", [plain, inline, block])
@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a",
        '<a "',
        "<script>",
        "<!--",
        " <b> ",
        "&",
        "[",
        "\\",
        "*",
        "_",
        "\n <p>",
        "<p\n",
        "&#",
    ],
)
def test_a_megabyte_of_malice_is_read_within_a_second(
    piece: str, told: Callable[[str], str]
) -> None:
    size = 1_000_000 if told is plain else 200_000
    hostile = piece * (size // len(piece))
    started = time.process_time()
    told(hostile)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("[untitled]", "[untitled]"),
        ("nmah_694280", "nmah_694280"),
        ("Landscape\\tree\\pine tree", "Landscape\\tree\\pine tree"),
        ("two\n\nlines  here", "two lines here"),
        ("[click](http://x)", "[click]\\(http://x)"),
        ("*bold* `code` <b>", "\\*bold\\* \\`code\\` \\<b>"),
        ("\\<b>", "\\\\\\<b>"),
        ("ends in \\", "ends in \\\\"),
        ("a < b", "a < b"),
    ],
)
def test_a_piece_of_a_line_is_escaped_no_more_than_needed(value: str, told: str) -> None:
    assert inline(value) == told


@given(MARKUP)
def test_a_piece_of_a_line_opens_nothing(value: str) -> None:
    rendered = MarkdownIt().parse(f"Title: {inline(value)}")
    assert [token.type for token in rendered] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in rendered[1].children or []} <= {"text", "text_special"}


@given(MARKUP)
def test_a_piece_of_a_line_reads_as_it_was_written(value: str) -> None:
    rendered = MarkdownIt().disable("entity").parse(f"Title: {inline(value)}")
    read = "".join(child.content for child in rendered[1].children or [])
    assert read == f"Title: {' '.join(value.split())}".rstrip()


# The rules of `inline` one by one, as they are said rather than as they are found fastest.
RULES = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|[*`]|<(?=[A-Za-z/!?])|(?<=\])[(\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)"
)


@given(ANY)
def test_a_piece_of_a_line_is_what_the_rules_make_of_it(value: str) -> None:
    shown = re.sub(r"\s+", " ", seen(value)).strip()
    assert inline(value) == RULES.sub(r"\\\g<0>", shown)


@given(ANY)
def test_every_line_of_a_block_is_quoted(value: str) -> None:
    told = block(value)
    assert all(line.startswith(">") for line in told.split("\n"))
    assert len(told.splitlines()) == len(told.split("\n"))


@given(MARKUP)
def test_a_block_never_ends_its_quotation(value: str) -> None:
    rendered = MarkdownIt().parse(f"{block(value)}\n\nThe server says [x] and [a].")
    assert rendered[0].type == "blockquote_open"
    assert rendered[-2].content == "The server says [x] and [a]."
    assert {child.type for child in rendered[-2].children or []} == {"text"}


def test_a_clipped_text_ends_between_words() -> None:
    assert clip("The quick brown fox", 12) == "The quick…"
    assert clip("The quick brown fox", 100) == "The quick brown fox"
    assert clip("Donaudampfschifffahrt", 8) == "Donauda…"
    assert clip("anything", 0) == ""


@given(ANY, st.integers(0, 40))
def test_a_clipped_text_keeps_to_its_limit(value: str, limit: int) -> None:
    told = clip(value, limit)
    assert len(told) <= limit
    assert told == value or value.startswith(told[:-1])
