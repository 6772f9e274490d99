"""What may be done with items: every captured wording, the item's own before its collection's."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.capability import Verdict
from heritage_loc.normalise import item_record
from heritage_loc.rights import RULES, is_closed, of_item, ruling
from shared import CAPTURED

# The rules in their order, and how many captured records and rows each of them decides.
DECIDED = {
    "access is restricted": 2,
    "how the original is seen, not how it may be used": 0,
    "access to the original is restricted, which is not the image": 0,
    "access is for some readers only": 1,
    "part of it may be closed; whether this is, is not said": 0,
    "it is closed to readers": 0,
    "readers need permission": 0,
    "the item may not be published": 0,
    "the item is under conditions, or may be": 2,
    "nobody has looked into the rights": 0,
    "no restrictions known for the item": 2,
    "public domain in general, but parts may be protected": 1,
    "no restrictions known for the collection": 138,
    "protected items need permission, and which are protected is not said": 1,
    "the Library cannot say, and leaves it to the reader": 0,
    "permission is spoken of": 0,
    "": 231,
}
FREE = "The Library is not aware of any U.S. copyright protection in the collection."


def blocks() -> Iterator[dict[str, Any]]:
    """Records of items, and rows read as if they were; lists of legacy services are left out."""
    for path in sorted((CAPTURED / "loc").glob("search/*.json")):
        yield from json.loads(path.read_text("utf-8"))["results"]
    for path in sorted((CAPTURED / "loc").glob("item/*.json")):
        body = json.loads(path.read_text("utf-8"))
        yield body["item"]
        yield from (*body.get("related_items", []), *body.get("more_like_this", []))


@pytest.mark.captured
def test_every_captured_record_is_decided_by_the_rule_that_it_should_be() -> None:
    readable = [block for block in blocks() if item_record({"item": block}, "asked")]
    found = Counter(ruling(block).rule for block in readable)
    assert {name: found[name] for name in DECIDED} == DECIDED
    assert found.total() == sum(DECIDED.values())
    assert [rule.name for rule in RULES] == list(DECIDED)[:-1]


@pytest.mark.captured
def test_no_captured_words_go_unrecognised() -> None:
    for block in blocks():
        found = ruling(block)
        assert bool(found.rule) == bool(found.verdict.words)


@pytest.mark.parametrize(
    ("block", "permission", "field"),
    [
        ({"access_restricted": True, "unrestricted": True}, "restricted", "access_restricted"),
        ({"access_advisory": ["Access limited to members."]}, "restricted", "access_advisory"),
        ({"rights_advisory": "May not be reproduced."}, "restricted", "rights_advisory"),
        ({"rights_advisory": "Publication may be restricted."}, "conditions", "rights_advisory"),
        ({"rights_information": ["In copyright."]}, "conditions", "rights_information"),
        ({"rights_advisory": "No known restrictions."}, "free_to_use", "rights_advisory"),
        ({"rights": ["<p>They are in the public domain.</p>"]}, "free_to_use", "rights"),
        ({"rights": ["It is not aware of any U.S. copyright."]}, "free_to_use", "rights"),
        ({"rights": ["The Library does not own rights in it."]}, "unknown", "rights"),
        ({"rights": ["Written permission of the owners is required."]}, "conditions", "rights"),
        ({"access_condition": "Fragile originals."}, "unknown", "access_condition"),
        ({"item": {"rights_advisory": "No known restrictions."}}, "free_to_use", "rights_advisory"),
    ],
)
def test_words_about_an_item(block: dict[str, Any], permission: str, field: str) -> None:
    verdict = of_item(block)
    assert (verdict.permission, verdict.field) == (permission, field)
    assert "<" not in verdict.words


def test_what_is_said_of_the_item_goes_before_what_is_said_of_all() -> None:
    general = ["The Library does not own rights in its collections."]
    block = {"rights": general, "rights_advisory": "No known restrictions on publication."}
    assert of_item(block).permission == "free_to_use"
    block["rights_advisory"] = "Publication may be restricted."
    assert of_item(block | {"rights": ["No known restrictions."]}).permission == "conditions"


@pytest.mark.parametrize(
    "block",
    [
        {},
        {"access_restricted": False, "digitized": True},
        {"rights": "//www.loc.gov/rr/print/res/620_base.html"},
        {"access_restricted": "no", "rights": [None, "None", ""]},
    ],
)
def test_where_nothing_is_said_nothing_is_permitted(block: dict[str, Any]) -> None:
    assert of_item(block).permission == "unknown"


def test_fragile_originals_say_nothing_of_use() -> None:
    block = {"restriction": "Restricted access: fragile, and not served.", "rights": []}
    assert of_item(block).permission == "unknown"
    assert of_item(block) != Verdict("free_to_use")


OWN = {
    "Publication restricted. For information see: a page": "restricted",
    "Copyright reserved by photographer.": "restricted",
    "Reproduction prohibited": "restricted",
    "Not to be reproduced without consent of the family.": "conditions",
    "Use restricted until 2050.": "restricted",
    "Copyright 1985 by Jane Doe": "conditions",
    "Restricted": "restricted",
    "Rights status not evaluated. For general information see: a page": "unknown",
    "Released under CC BY-NC-ND 4.0": "conditions",
    "This item is not in the public domain.": "conditions",
    "No copyright information is known.": "unknown",
    "No known restrictions on publication of the map; text is under copyright.": "conditions",
    "In the public domain. Permission is required for musical works.": "conditions",
    "No known restrictions. However, some materials may be protected.": "conditions",
    "No known restrictions on publication outside of the archive.": "conditions",
    "Public domain status unclear": "conditions",
    "Public domain?": "conditions",
    "Cannot be reproduced.": "restricted",
    "Publication rights retained by the donor. No known restrictions otherwise.": "conditions",
    "Reproduction requires written agreement; no known restrictions.": "conditions",
    "Something that nobody ever wrote": "unknown",
}


@pytest.mark.parametrize(("words", "permission"), OWN.items())
def test_what_is_said_of_the_item_is_not_outvoted_by_what_frees_all(
    words: str, permission: str
) -> None:
    verdict = of_item({"rights": FREE, "rights_advisory": words})
    assert (verdict.permission, verdict.field) == (permission, "rights_advisory")


STANDING = (
    "The written permission of the copyright owners is required for use of protected items beyond that "
    "allowed by fair use or other exemptions."
)


@pytest.mark.parametrize(
    ("words", "permission"),
    [
        (
            "It is not aware of any copyright protection (see Title 17) or any other restrictions.",
            "free_to_use",
        ),
        ("They are in the public domain and free to use and reuse.", "free_to_use"),
        (f"{FREE} {STANDING}", "free_to_use"),
        (STANDING, "conditions"),
        ("They are in the public domain. Permission is required for musical works.", "conditions"),
        ("No known restrictions. However, some may be protected by copyright.", "conditions"),
        ("No known restrictions for the maps; the texts are under copyright.", "conditions"),
        ("Most are in the public domain.", "conditions"),
        ("They are not in the public domain.", "unknown"),
        ("No copyright information is known.", "unknown"),
    ],
)
def test_a_free_phrase_counts_only_where_nothing_beside_it_warns(
    words: str, permission: str
) -> None:
    assert of_item({"rights": words}).permission == permission


def test_an_expired_copyright_is_no_warning() -> None:
    said = "No known restrictions on publication. No renewal found in Copyright Office."
    assert of_item({"rights_advisory": said}).permission == "free_to_use"


@pytest.mark.parametrize("field", ["access_advisory", "restriction", "access_condition"])
@pytest.mark.parametrize(
    "words",
    [
        "Closed to researchers.",
        "Restricted.",
        "Collection is closed until 2050.",
        "Not available for public use.",
        "Available onsite only.",
        "Restricted access: fragile. Closed until 2050.",
    ],
)
def test_what_is_closed_stays_closed_whatever_else_is_said(field: str, words: str) -> None:
    for said in (FREE, "May not be reproduced."):
        verdict = of_item({"rights": FREE, "rights_advisory": said, field: [words]})
        assert is_closed(verdict)
        assert verdict.words == words


@pytest.mark.parametrize("value", [True, 1, "true", "True", "yes", ["true"]])
def test_restricted_access_is_a_fact_however_it_is_written(value: object) -> None:
    assert is_closed(of_item({"access_restricted": value, "rights": FREE}))
    assert is_closed(of_item({"item": {"access_restricted": value}, "rights": FREE}))


@pytest.mark.parametrize(
    "words",
    [
        "Access restricted; material extremely fragile.",
        "Restricted access: the originals are fragile and cannot be served.",
        "Access to originals restricted. Use the digital images.",
        "Use the microfilm; the original is closed.",
    ],
)
def test_a_closed_original_closes_no_image_and_frees_none(words: str) -> None:
    alone = of_item({"access_advisory": words, "rights": FREE})
    assert (alone.permission, is_closed(alone)) == ("unknown", False)
    own = {"access_advisory": words, "rights_advisory": "No known restrictions on publication."}
    assert of_item(own).permission == "free_to_use"


@pytest.mark.parametrize(
    "words", ["Use the surrogates in place of fragile originals.", "Open for research.", "None"]
)
def test_how_the_original_is_seen_leaves_the_verdict_to_others(words: str) -> None:
    assert of_item({"access_advisory": words, "rights": FREE}).permission == "free_to_use"


STRICTNESS = ("restricted", "conditions", "unknown", "free_to_use")
SAYINGS = {
    "rights_advisory": (*OWN, "No known restrictions on publication.", "Public domain."),
    "rights": (FREE, "Written permission of the owners is required.", "It does not own rights."),
    "access_advisory": ("Fragile originals.", "Open for research.", "Some boxes are restricted."),
}


@given(
    st.fixed_dictionaries(
        {key: st.lists(st.sampled_from(said), max_size=2) for key, said in SAYINGS.items()}
    ),
    st.sampled_from([*SAYINGS, "rights_information", "restriction"]),
    st.sampled_from([*OWN, "Closed.", "Access restricted; fragile.", "© A gallery", "Ask us."]),
)
def test_no_restrictive_words_make_a_record_freer(
    block: dict[str, list[str]], field: str, words: str
) -> None:
    before = of_item(block).permission
    after = of_item(block | {field: [*block.get(field, []), words]}).permission
    known = any(block.values())
    assert after != "free_to_use" or before == "free_to_use"
    assert not known or STRICTNESS.index(after) <= STRICTNESS.index(before)
