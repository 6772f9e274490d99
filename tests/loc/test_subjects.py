"""Subject headings as they are suggested and as they are linked."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heritage_loc.normalise import heading, suggest1, suggest2
from loc.shapes import JSON

URI = "http://id.loc.gov/authorities/subjects/"
MADS = "http://www.loc.gov/mads/rdf/v1#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def hit(label: str, token: str, **fields: Any) -> dict[str, Any]:
    return {"suggestLabel": label, "aLabel": label, "uri": URI + token, "vLabel": "", **fields}


def told(body: object) -> list[tuple[str, str, str | None]]:
    found = suggest2(body)
    assert found is not None
    return [(row.label, row.uri.removeprefix(URI), row.matched_variant) for row in found.rows]


def test_a_hit_says_through_which_variant_it_was_found() -> None:
    body = {
        "count": 101,
        "hits": [hit("Motion pictures", "sh1", vLabel="Movies"), hit("Cats", "sh2")],
    }
    assert told(body) == [("Motion pictures", "sh1", "Movies"), ("Cats", "sh2", None)]
    found = suggest2(body)
    assert found is not None
    assert found.total == 101


def test_a_hit_of_2024_has_both_in_one_label() -> None:
    old = {"suggestLabel": "Longing (USE Desire)", "aLabel": "", "uri": f"{URI}sh3"}
    assert told({"hits": [old]}) == [("Desire", "sh3", "Longing")]
    kept = hit("Desire", "sh3", suggestLabel="Longing (USE Desire)", vLabel="Longing")
    assert told({"hits": [kept]}) == [("Desire", "sh3", "Longing")]


def test_only_subjects_are_kept_and_each_once() -> None:
    others = (
        "http://id.loc.gov/authorities/names/n1",
        "http://id.loc.gov/authorities/childrensSubjects/sj1",
        "http://id.loc.gov/resources/works/1",
        "https://evil.example/authorities/subjects/sh1",
        f"{URI}sh1/../../names/n1",
        "",
    )
    hits = [hit("x", "sh9", uri=uri) for uri in others] + [hit("Cats", "sh2"), hit("Cats", "sh2")]
    assert told({"hits": hits}) == [("Cats", "sh2", None)]


def test_the_older_service_is_read_from_its_four_lists() -> None:
    uris = ["http://id.loc.gov/authorities/names/n1", "https" + URI[4:] + "sh2"]
    found = suggest1(["cats", ["Cats, Ann", "Cats"], ["1 result", "1 result"], uris])
    assert found is not None
    assert [(row.label, row.uri) for row in found.rows] == [("Cats", f"{URI}sh2")]
    assert (found.total, found.full, found.dropped) == (None, False, 1)


def test_a_full_pool_of_names_hides_subjects() -> None:
    names = [f"http://id.loc.gov/authorities/names/n{n}" for n in range(50)]
    found = suggest1(["smith", ["x"] * 50, [""] * 50, names])
    assert found is not None
    assert (found.rows, found.full, found.dropped) == ((), True, 50)


def test_what_is_no_answer_is_none_and_no_empty_one() -> None:
    assert suggest2({}) is None
    assert suggest2("No search entered") is None
    assert suggest1([]) is None
    assert suggest1({"hits": []}) is None
    empty = suggest2({"count": 0, "hits": []})
    assert empty is not None
    assert empty.total == 0


# -- records -----------------------------------------------------------------------------------------


def literal(value: str) -> list[dict[str, str]]:
    return [{"@language": "en", "@value": value}]


def refs(*names: str) -> list[dict[str, str]]:
    return [{"@id": name} for name in names]


def node(name: str, label: str) -> dict[str, Any]:
    return {"@id": name, f"{MADS}authoritativeLabel": literal(label)}


CATS: list[dict[str, Any]] = [
    {"@id": "_:b1", f"{MADS}variantLabel": literal("Domestic cat")},
    node(f"{URI}sh2", "Felis"),
    node(f"{URI}sh3", "Kittens"),
    node("_:b2", "Nameless"),
    {
        "@id": f"{URI}sh1",
        TYPE: refs(f"{MADS}Topic", f"{MADS}Authority"),
        f"{MADS}authoritativeLabel": literal("Cats"),
        f"{MADS}hasVariant": refs("_:b1"),
        f"{SKOS}altLabel": literal("Domestic cat") + literal("Felis catus"),
        f"{MADS}hasBroaderAuthority": refs(f"{URI}sh2"),
        f"{SKOS}broader": refs(f"{URI}sh2"),
        f"{MADS}hasNarrowerAuthority": refs(f"{URI}sh3", f"{URI}sh4"),
        f"{MADS}hasReciprocalAuthority": refs("_:b2", f"{URI}sh3"),
        f"{MADS}note": [{"@value": "On <b>domestic</b> cats."}],
        f"{SKOS}note": [{"@value": "On <b>domestic</b> cats."}],
    },
]


def test_a_record_is_read_from_its_flat_nodes() -> None:
    found = heading(CATS, "sh1")
    assert found is not None
    assert found.model_dump(exclude_none=True) == {
        "label": "Cats",
        "uri": f"{URI}sh1",
        "url": "https://id.loc.gov/authorities/subjects/sh1.html",
        "variants": ("Domestic cat", "Felis catus"),
        "broader": ({"label": "Felis", "uri": f"{URI}sh2"},),
        "narrower": ({"label": "Kittens", "uri": f"{URI}sh3"}, {"uri": f"{URI}sh4"}),
        "related": ({"label": "Nameless"},),
        "scope_note": "On domestic cats.",
        "deprecated": False,
        "replaced_by": (),
    }


def test_a_deprecated_heading_names_what_to_use() -> None:
    body = [
        {
            "@id": f"{URI}sh87003768",
            TYPE: refs(f"{MADS}Topic", f"{MADS}Variant", f"{MADS}DeprecatedAuthority"),
            f"{MADS}variantLabel": literal("Gaṇeśa (Hindu deity)"),
            f"{MADS}deletionNote": literal("Covered by a name."),
            f"{MADS}useInstead": refs("http://id.loc.gov/authorities/names/n2017065815"),
        }
    ]
    found = heading(body, "sh87003768")
    assert found is not None
    assert found.deprecated
    assert found.label == "Gaṇeśa (Hindu deity)"
    assert [link.uri for link in found.replaced_by] == [
        "http://id.loc.gov/authorities/names/n2017065815"
    ]
    assert found.deprecation_note == "Covered by a name."


def test_a_line_of_the_bulk_file_is_the_same_in_short() -> None:
    body = {
        "@context": {"madsrdf": MADS},
        "@id": "/authorities/subjects/sh1",
        "@graph": [
            {
                "@id": f"{URI}sh1",
                "@type": ["madsrdf:Authority"],
                "madsrdf:authoritativeLabel": {"@language": "en", "@value": "Cats"},
                "madsrdf:hasVariant": {"@id": "_:b1"},
                "madsrdf:hasBroaderAuthority": {"@id": f"{URI}sh2"},
            },
            {"@id": "_:b1", "madsrdf:variantLabel": "Felis catus"},
        ],
    }
    found = heading(body, "sh1")
    assert found is not None
    assert found.variants == ("Felis catus",)
    assert [link.model_dump(exclude_none=True) for link in found.broader] == [{"uri": f"{URI}sh2"}]


def test_an_answer_about_something_else_is_none() -> None:
    assert heading(CATS, "sh99") is None
    assert heading({}, "sh1") is None
    assert heading([{"@id": f"{URI}sh1"}], "sh1") is None


@given(
    st.lists(
        st.fixed_dictionaries(
            {"@id": st.sampled_from([f"{URI}sh1", f"{URI}sh2", "_:b1"])},
            optional={
                f"{MADS}authoritativeLabel": JSON,
                f"{MADS}hasVariant": JSON,
                f"{SKOS}broader": JSON,
                "@type": JSON,
            },
        ),
        max_size=4,
    )
)
def test_no_shape_makes_a_heading_fail(body: list[object]) -> None:
    heading(body, "sh1")
    suggest2({"hits": body})
    suggest1(body)
