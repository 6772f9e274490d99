"""BibTeX, RIS and CSL-JSON: well formed whatever the record says, and the record's facts in them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from core.citation.made_works import ATTRIBUTED, BOOK, MAP, PAGE, PHOTOGRAPH, PLANE, TODAY, WORKS
from core.citation.test_styles import works
from heritage_gateway.capability import Creator, Work
from heritage_gateway.citation import cite, csl

TEXT = {"type": "string", "minLength": 1}
NAME = {
    "type": "object",
    "properties": dict.fromkeys(("family", "given", "suffix", "literal"), TEXT),
    "additionalProperties": False,
    "minProperties": 1,
}
NAMES = {"type": "array", "items": NAME, "minItems": 1}
MOMENT = {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}
DATE = {
    "type": "object",
    "properties": {
        "date-parts": {"type": "array", "items": MOMENT, "minItems": 1, "maxItems": 2},
        "circa": {"const": True},
        "literal": TEXT,
    },
    "additionalProperties": False,
    "minProperties": 1,
}
TYPES = (
    *("graphic", "map", "book", "manuscript", "song", "motion_picture", "musical_score"),
    *("article-newspaper", "periodical", "document", "collection", "webpage"),
)  # of CSL 1.0.2
PLAIN = (
    *("id", "title", "container-title", "edition", "page", "publisher", "publisher-place"),
    *("medium", "archive", "call-number", "note", "URL"),
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(PLAIN, TEXT),
        **dict.fromkeys(("author", "editor", "translator"), NAMES),
        "type": {"enum": TYPES},
        "issued": DATE,
        "accessed": DATE,
    },
    "required": ["id", "type", "accessed"],
    "additionalProperties": False,
}
VALID = Draft202012Validator(SCHEMA)


def fields(entry: str) -> dict[str, str]:
    found = re.findall(r"^  (\w+) = (.*),$", entry, re.MULTILINE)
    return dict(found)


def test_an_entry_of_bibtex_to_the_letter() -> None:
    assert cite(BOOK, "bibtex", TODAY).splitlines() == [
        "@book{48042060,",
        "  author = {{Ptolemy} and Germanus, Nicolaus},",
        "  translator = {D'Angelo, Jacopo},",
        "  title = {{Cosmographia}},",
        "  publisher = {Lienhart Holle},",
        "  address = {Ulm},",
        "  year = {1482},",
        "  institution = {Library of Congress, Rare Book and Special Collections Division},",
        "  number = {Incun. 1482 .P8},",
        "  url = {https://www.loc.gov/item/48042060/},",
        "  urldate = {2026-10-08},",
        "}",
    ]


def test_a_page_is_an_article_of_its_paper_in_every_format() -> None:
    entry = cite(PAGE, "bibtex", TODAY)
    assert entry.startswith("@article{resource-sn92070146-1924-11-20-ed-1-sp-6,")
    assert fields(entry)["journal"] == "{{Imperial Valley press}}"
    assert fields(entry)["month"] == "nov"
    assert fields(entry)["day"] == "{20}"
    assert fields(entry)["address"] == "{El Centro, Calif.}"
    assert fields(entry)["pages"] == "{6}"
    lines = cite(PAGE, "ris", TODAY).splitlines()
    assert lines[0] == "TY  - NEWS"
    assert {"T2  - Imperial Valley press", "CY  - El Centro, Calif."} < set(lines)
    assert {"PY  - 1924", "DA  - 1924/11/20", "SP  - 6", "Y2  - 2026/10/08"} < set(lines)
    item = csl(PAGE, TODAY)
    assert item["type"] == "article-newspaper"
    assert item["container-title"] == "Imperial Valley press"
    assert item["issued"] == {"date-parts": [[1924, 11, 20]]}
    assert "edition" not in item


def test_nothing_is_invented_for_an_undated_work() -> None:
    assert "year" not in fields(cite(PLANE, "bibtex", TODAY))
    assert "PY  - " not in cite(PLANE, "ris", TODAY)
    assert "issued" not in csl(PLANE, TODAY)


def test_a_date_that_is_no_year_keeps_its_words() -> None:
    assert "DA  - [1769?]" in cite(MAP, "ris", TODAY)
    assert csl(MAP, TODAY)["issued"] == {"date-parts": [[1769]], "circa": True}
    vague = replace(MAP, date="19th century")
    assert csl(vague, TODAY)["issued"] == {"literal": "19th century"}
    assert csl(PHOTOGRAPH, TODAY)["issued"] == {"date-parts": [[1920], [1924]], "circa": True}
    assert fields(cite(vague, "bibtex", TODAY))["note"] == "{Dated 19th century}"


@pytest.mark.parametrize(
    ("dated", "date", "year"),
    [
        ("1936", None, "{1936}"),
        ("March 1936", None, "{1936}"),
        ("1927-1929", "{1927/1929}", None),
        ("c. 1920-1924", "{1920~/1924~}", None),
        ("ca. 1936-03", "{1936-03~}", None),
        ("[1769?]", "{1769?}", None),
        ("19th century", None, None),
        ("undated", None, None),
    ],
)
def test_a_year_of_bibtex_is_one_year_and_what_is_none_is_a_date_of_biblatex(
    dated: str, date: str | None, year: str | None
) -> None:
    told = fields(cite(replace(MAP, date=dated), "bibtex", TODAY))
    assert (told.get("date"), told.get("year")) == (date, year)


@pytest.mark.parametrize("page", ["6", ""])
def test_a_page_and_an_issue_are_known_by_their_title_in_a_list_of_entries(page: str) -> None:
    work = replace(PAGE, page=page)
    named = "Imperial Valley press, November 20, 1924" + (", page 6" if page else "")
    assert fields(cite(work, "bibtex", TODAY))["title"] == f"{{{{{named}}}}}"
    assert f"TI  - {named}" in cite(work, "ris", TODAY).splitlines()
    assert csl(work, TODAY)["title"] == named


def test_an_attribution_is_a_note() -> None:
    assert csl(ATTRIBUTED, TODAY)["note"] == "Attributed to Giuseppe Cesari"
    assert "N1  - Attributed to Giuseppe Cesari" in cite(ATTRIBUTED, "ris", TODAY)


def test_names_of_bibtex_cannot_fall_apart() -> None:
    work = replace(
        BOOK,
        creators=(
            Creator("Kurz and Allison, 1880-1903"),
            Creator("King, Martin Luther, Jr.", "author"),
        ),
    )
    assert fields(cite(work, "bibtex", TODAY))["author"] == (
        "{{Kurz and Allison} and King, Jr., Martin Luther}"
    )


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.id)
def test_the_formats_hold_the_facts(work: Work) -> None:
    item = csl(work, TODAY)
    VALID.validate(item)
    assert json.loads(cite(work, "csl-json", TODAY)) == item
    assert item["URL"] == work.link
    for told in (cite(work, "bibtex", TODAY), cite(work, "ris", TODAY)):
        assert work.link in told
        assert work.holder in told


@given(works())
def test_every_entry_of_bibtex_is_balanced(work: Work) -> None:
    entry = cite(work, "bibtex", TODAY)
    assert re.match(r"@\w+\{[A-Za-z0-9_.:+-]+,\n", entry)
    depth = 0
    body = entry[entry.index("{") :]
    for at, mark in enumerate(body):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        assert depth > 0 or at == len(body) - 1
    assert depth == 0
    assert not re.search(r"(?<!\\)[&%$#]", re.sub(r"  url = .*", "", entry))


@given(works())
def test_every_line_of_ris_is_a_tag(work: Work) -> None:
    lines = cite(work, "ris", TODAY).split("\n")
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines)
    assert lines[0].startswith("TY  - ")
    assert lines[-1] == "ER  - "
    assert sum(line.startswith("ER  -") for line in lines) == 1


@given(works())
def test_every_item_of_csl_is_valid(work: Work) -> None:
    VALID.validate(json.loads(cite(work, "csl-json", TODAY)))
