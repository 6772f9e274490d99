"""Letters that only look different are one; nothing else is."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.index.folding import folded

# Letters of alphabets in which case and accents are told apart by every system alike.
LETTERED = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x24F) | st.sampled_from("ΑΩάώςΣЖжЁё漢가ǽǣﬁẞ")
)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("STRAẞE", "strasse"),
        ("Ærø, ǣ, Ǽ", "aero, ae, ae"),
        ("Ǿ ø Ø", "o o o"),
        ("Œuvre œuvre", "oeuvre oeuvre"),
        ("Đorđe Ðð Þþ", "dorde dd thth"),
        ("ſo ﬁne", "so fine"),
        ("İzmir Iğdır", "izmir igdir"),
        ("Ko\u0308ln Köln", "koln koln"),
        ("ΟΔΌΣ οδός", "οδοσ οδοσ"),
        ("Ёлка й", "елка и"),
        ("H₂O ½", "h2o 1\u20442"),
        ("Ｆｕｌｌ", "full"),
        ("漢字", "漢字"),
        ("half \ud83d of a letter é", "half  of a letter e"),
    ],
)
def test_a_text_is_folded(typed: str, plain: str) -> None:
    assert folded(typed) == plain


def test_ascii_keeps_its_case_for_the_engine() -> None:
    assert folded("Quilt") == "Quilt"


@given(LETTERED)
def test_case_and_composition_make_no_difference(text: str) -> None:
    plain = folded(text).lower()
    assert folded(text.upper()).lower() == plain
    assert folded(text.lower()).lower() == plain
    assert folded(unicodedata.normalize("NFD", text)).lower() == plain
    assert folded(unicodedata.normalize("NFC", text)).lower() == plain


@given(st.text(st.characters()))
def test_any_text_can_be_folded_and_written(text: str) -> None:
    folded(text).encode()


@given(LETTERED)
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.lists(st.text(), min_size=1))
def test_texts_are_folded_together_as_they_are_one_by_one(texts: list[str]) -> None:
    """The engine folds the texts of an entry in one go."""
    apart = [text.replace("\0", " ") for text in texts]
    together = folded("\0".join(apart)).split("\0")
    assert list(map(str.lower, together)) == [folded(text).lower() for text in apart]


@given(st.text(st.characters(categories=["L", "N"], max_codepoint=0x24F)))
def test_no_word_is_lost(text: str) -> None:
    assert bool(re.search(r"\w", text)) == bool(re.search(r"\w", folded(text)))
