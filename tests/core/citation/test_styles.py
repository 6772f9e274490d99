"""The three styles that are read: works of each kind to the letter, and what holds for any work."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.citation.made_works import (
    ATTRIBUTED,
    BIRD,
    BOOK,
    FOLDER,
    MAP,
    PAGE,
    PAINTING,
    PHOTOGRAPH,
    PLANE,
    SONG,
    TODAY,
    WORKS,
)
from heritage_gateway.capability import Creator, Kind, Work
from heritage_gateway.citation import PROSE, Style, cautions, cite

SEEN, SEEN_MLA, SEEN_APA = (
    "Accessed October 8, 2026.",
    "Accessed 8 Oct. 2026.",
    "Retrieved October 8, 2026, from",
)
SAAM = "Smithsonian American Art Museum"
RARE = "Library of Congress, Rare Book and Special Collections Division, Incun. 1482 .P8"

PRINTED: dict[str, tuple[Work, str, str, str]] = {
    "painting": (
        PAINTING,
        f"Catlin, George. *A Seminole Woman*. 1838. Oil on canvas. {SAAM}, 1985.66.307. {SEEN} {{}}.",
        f"Catlin, George. *A Seminole Woman*. 1838. {SAAM}, 1985.66.307, {{}}. {SEEN_MLA}",
        f"Catlin, G. (1838). *A Seminole Woman* [Oil on canvas]. {SAAM}, 1985.66.307. {SEEN_APA} {{}}",
    ),
    "book": (
        BOOK,
        (
            "Ptolemy and Nicolaus Germanus. *Cosmographia*. Translated by Jacopo D'Angelo. Ulm: Lienhart "
            f"Holle, 1482. {RARE}. {SEEN} {{}}."
        ),
        (
            "Ptolemy and Nicolaus Germanus. *Cosmographia*. Translated by Jacopo D'Angelo, Lienhart Holle, "
            f"1482, {RARE}, {{}}. {SEEN_MLA}"
        ),
        (
            "Ptolemy, & Germanus, N. (1482). *Cosmographia* (J. D'Angelo, Trans.). Lienhart Holle. "
            f"{RARE}. {SEEN_APA} {{}}"
        ),
    ),
    "newspaper page": (
        PAGE,
        (
            "*Imperial Valley press* (El Centro, Calif.). November 20, 1924, p. 6. Library of Congress. "
            f"{SEEN} {{}}."
        ),
        (
            "*Imperial Valley press* [El Centro, Calif.], 20 Nov. 1924, p. 6. Library of Congress, {}. "
            f"{SEEN_MLA}"
        ),
        (
            "*Imperial Valley press* (El Centro, Calif., p. 6). (1924, November 20). Library of Congress. "
            f"{SEEN_APA} {{}}"
        ),
    ),
    "song": (
        SONG,
        (
            "Jones, John B. “Christopher Columbo.” Houston, Texas, April 9, 1939. Sound disc: analog, 78 "
            "rpm; 12 in. Library of Congress, American Folklife Center, AFC 1939/001: AFS 02589a01. "
            f"{SEEN} {{}}."
        ),
        (
            "Jones, John B. “Christopher Columbo.” Houston, Texas, 9 Apr. 1939, Library of Congress, "
            f"American Folklife Center, AFC 1939/001: AFS 02589a01, {{}}. {SEEN_MLA}"
        ),
        (
            "Jones, J. B. (1939, April 9). *Christopher Columbo* [Audio recording]. Library of Congress, "
            f"American Folklife Center, AFC 1939/001: AFS 02589a01. {SEEN_APA} {{}}"
        ),
    ),
    "map of a guessed date": (
        MAP,
        (
            "*Lines run in the Jersies*. [1769?]. Library of Congress, Geography and Map Division. "
            f"{SEEN} {{}}."
        ),
        (
            "*Lines run in the Jersies*. [1769?], Library of Congress, Geography and Map Division, {}. "
            f"{SEEN_MLA}"
        ),
        (
            "*Lines run in the Jersies* [Map]. ([1769?]). Library of Congress, Geography and Map Division. "
            f"{SEEN_APA} {{}}"
        ),
    ),
    "folder of an archive": (
        FOLDER,
        (
            "Silverman, Sydel. Women and the Admin. Hierarchy. Sydel Silverman papers. ca. 1978–1979. "
            f"National Anthropological Archives, NAA.2011-11_ref424. {SEEN} {{}}."
        ),
        (
            "Silverman, Sydel. Women and the Admin. Hierarchy. circa 1978–1979. Sydel Silverman papers. "
            f"National Anthropological Archives, NAA.2011-11_ref424, {{}}. {SEEN_MLA}"
        ),
        (
            "Silverman, S. (ca. 1978–1979). Women and the Admin. Hierarchy [Archival material]. Sydel "
            f"Silverman papers. National Anthropological Archives, NAA.2011-11_ref424. {SEEN_APA} {{}}"
        ),
    ),
    "undated thing made by a company": (
        PLANE,
        (
            "Boeing Company. *Lunar Orbiter, Engineering Mock-up*. n.d. Aluminum, mixed metals, phenolics. "
            f"National Air and Space Museum, A19700318000. {SEEN} {{}}."
        ),
        (
            "Boeing Company. *Lunar Orbiter, Engineering Mock-up*. National Air and Space Museum, "
            f"A19700318000, {{}}. {SEEN_MLA}"
        ),
        (
            "Boeing Company. (n.d.). *Lunar Orbiter, Engineering Mock-up* [Object]. National Air and Space "
            f"Museum, A19700318000. {SEEN_APA} {{}}"
        ),
    ),
    "photograph of two": (
        PHOTOGRAPH,
        (
            "Gruber, Martin A., and Dorothea Lange. *Views of the National Zoological Park*. ca. "
            f"1920–1924. Smithsonian Institution Archives. {SEEN} {{}}."
        ),
        (
            "Gruber, Martin A., and Dorothea Lange. *Views of the National Zoological Park*. circa "
            f"1920–1924. Smithsonian Institution Archives, {{}}. {SEEN_MLA}"
        ),
        (
            "Gruber, M. A., & Lange, D. (ca. 1920–1924). *Views of the National Zoological Park* "
            f"[Photograph]. Smithsonian Institution Archives. {SEEN_APA} {{}}"
        ),
    ),
    "specimen": (
        BIRD,
        (
            "*Passerculus sandwichensis nevadensis*. April 22, 1958. National Museum of Natural History, "
            f"Birds, 466243. {SEEN} {{}}."
        ),
        (
            "*Passerculus sandwichensis nevadensis*. 22 Apr. 1958. National Museum of Natural History, "
            f"Birds, 466243, {{}}. {SEEN_MLA}"
        ),
        (
            "*Passerculus sandwichensis nevadensis* [Specimen]. (1958, April 22). National Museum of "
            f"Natural History, Birds, 466243. {SEEN_APA} {{}}"
        ),
    ),
    "attributed drawing": (
        ATTRIBUTED,
        f"Cesari, Giuseppe (attributed to). *Hercules Holding a Club*. n.d. {SAAM}. {SEEN} {{}}.",
        f"Cesari, Giuseppe (attributed to). *Hercules Holding a Club*. {SAAM}, {{}}. {SEEN_MLA}",
        (
            "Cesari, G. (attributed to). (n.d.). *Hercules Holding a Club* [Artwork]. "
            f"{SAAM}. {SEEN_APA} {{}}"
        ),
    ),
}


@pytest.mark.parametrize("case", PRINTED.values(), ids=PRINTED)
def test_works_of_each_kind_are_printed_to_the_letter(case: tuple[Work, str, str, str]) -> None:
    work, *printed = case
    styles: tuple[Style, ...] = ("chicago", "mla", "apa")
    for style, expected in zip(styles, printed, strict=True):
        assert cite(work, style, TODAY) == expected.format(work.link)


def test_many_names_are_shortened_as_each_style_has_it() -> None:
    crowd = replace(PAINTING, creators=tuple(Creator(f"Name{n}, Given") for n in range(22)))
    assert cite(crowd, "chicago", TODAY).startswith(
        "Name0, Given, Given Name1, Given Name2, et al. *"
    )
    assert cite(crowd, "mla", TODAY).startswith("Name0, Given, et al. *")
    assert "Name18, G., … Name21, G. (1838)" in cite(crowd, "apa", TODAY)


def test_an_editor_leads_only_where_nobody_wrote_it() -> None:
    edited = replace(BOOK, creators=(Creator("Dearborn, Walter F.", "editor"),))
    assert cite(edited, "chicago", TODAY).startswith("Dearborn, Walter F., ed. *")
    assert cite(edited, "mla", TODAY).startswith("Dearborn, Walter F., editor. *")
    assert cite(edited, "apa", TODAY).startswith("Dearborn, W. F. (Ed.). (1482)")
    both = replace(BOOK, creators=(Creator("Polo, Marco"), *edited.creators))
    assert "*Cosmographia*. Edited by Walter F. Dearborn." in cite(both, "chicago", TODAY)
    assert "*Cosmographia* (W. F. Dearborn, Ed.)" in cite(both, "apa", TODAY)


def test_a_second_edition_of_a_day_is_told_apart() -> None:
    second = replace(PAGE, edition="2")
    assert "November 20, 1924, ed. 2, p. 6." in cite(second, "chicago", TODAY)


def test_a_title_that_names_its_container_is_printed_once() -> None:
    told = replace(FOLDER, title="Sydel Silverman papers: letters")
    assert cite(told, "chicago", TODAY).count("Silverman papers") == 1
    placed = replace(PAGE, container="Imperial Valley press (El Centro, Calif.)")
    assert cite(placed, "mla", TODAY).count("El Centro") == 1


def test_quotations_in_a_quoted_title_are_single() -> None:
    told = cite(replace(SONG, title='Ballad of "John Henry"'), "chicago", TODAY)
    assert "“Ballad of ‘John Henry’.”" in told


@pytest.mark.parametrize(
    "materials",
    [
        "Nozzle, phenolic liner; lines, stainless steel; valves, stainless steel",
        "Airframe: wood\nEngine: steel",
        f"Paint on {'very ' * 20}old canvas",
    ],
)
def test_the_materials_of_all_parts_are_no_medium(materials: str) -> None:
    for told in everything(replace(PAINTING, medium=materials)):
        assert materials[:8] not in told
    assert "Paper; ivory." in cite(replace(PAINTING, medium="paper; ivory"), "chicago", TODAY)


def everything(work: Work) -> list[str]:
    styles: tuple[Style, ...] = (*PROSE, "bibtex", "ris", "csl-json")
    return [cite(work, style, TODAY) for style in styles]


def test_what_a_reader_should_know_is_said() -> None:
    assert cautions(PAINTING) == ()
    assert cautions(PLANE) == ("The record gives no date.",)
    assert "image" in cautions(PAGE)[0]
    assert "attributes" in " ".join(cautions(ATTRIBUTED))


def test_catalogue_text_is_never_live() -> None:
    hostile = replace(PAINTING, title="*Bold* [x](http://evil.example) `code`", identifier="<b>")
    told = cite(hostile, "chicago", TODAY)
    assert "\\*Bold\\*" in told
    assert "](" not in told
    assert "\\`code\\`" in told
    assert "\\<b>" in told


WORDS = st.text(max_size=12) | st.sampled_from(
    ["", "A.", "What?", "[x]", "None?", "a, b", "ca. 1880"]
)
KINDS = st.sampled_from(get_args(Kind))


@st.composite
def works(draw: st.DrawFn) -> Work:
    return Work(
        id=draw(st.text(min_size=1, max_size=8)),
        kind=draw(KINDS),
        title=draw(WORDS),
        link="https://x.example/1",
        creators=tuple(
            Creator(
                draw(WORDS), draw(st.sampled_from(["", "editor", "translator", "attributed to"]))
            )
            for _ in range(draw(st.integers(0, 4)))
        ),
        date=draw(WORDS),
        publisher=draw(WORDS),
        place=draw(WORDS),
        container=draw(WORDS),
        edition=draw(WORDS),
        page=draw(WORDS),
        medium=draw(WORDS),
        holder=draw(WORDS),
        identifier=draw(WORDS),
    )


@given(works())
def test_no_work_breaks_a_style(work: Work) -> None:
    said = " ".join(str(part) for part in (work.title, work.date, work.creators, work.holder))
    for style in PROSE:
        told = cite(work, style, TODAY)
        assert work.link in told
        assert "2026" in told
        assert "\n" not in told
        assert "None" not in told or "None" in f"{said}{work}"


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.id)
def test_a_title_stands_once(work: Work) -> None:
    name = work.container if work.kind == "newspaper_page" else work.title.rstrip(".")
    for style in PROSE:
        told = cite(work, style, TODAY)
        assert told.count(name) == 1
        assert ".." not in told
        assert ", ," not in told
