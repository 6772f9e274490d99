"""What may be done with objects and images: every captured wording, and the fields that contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heritage_gateway.capability import Verdict
from heritage_gateway.rights import warns
from heritage_smithsonian.media import media
from heritage_smithsonian.normalise import object_record
from heritage_smithsonian.rights import (
    IMAGE_RULES,
    OBJECT_RULES,
    of_image,
    of_object,
    ruling_on_image,
    ruling_on_object,
)
from heritage_smithsonian.wire import Raw, descriptive, mapping, mappings
from shared import captured_records

# The rules of objects in their order, and how many captured records each of them decides.
OBJECTS = {
    "it is closed to readers": 3,
    "the whole that it belongs to is closed to readers": 6,
    "copyright is claimed, whatever else is said": 1,
    "CC0": 1_918,
    "no copyright, or none known": 3,
    "there is no copyright, or none is known": 0,
    "copyright is protected or use is restricted": 0,
    "rights were given to the public": 0,
    "rights were given to the public for some of the collection": 4,
    "terms of use are to be asked for, or somebody holds rights": 294,
    "a rights statement of the house applies": 0,
    "nothing is registered, which leaves it open": 0,
    "a year from which the term is reckoned, no more": 0,
    "a holder of the copyright is named": 1,
    "how the original is seen, not how it may be used": 12,
    "part of the collection is restricted; whether this is, is not said": 1,
    "whom to name, not what is allowed": 459,
    "": 731,
}


def entries(row: dict[str, Any]) -> Iterator[Raw]:
    online = mapping(descriptive(row).get("online_media"))
    yield from (one for one in mappings(online.get("media")) if "usage" in one)


def said(label: str, words: str, **block: Any) -> dict[str, Any]:
    entry = {"label": label, "content": words, **block}
    return {"content": {"freetext": {"objectRights": [entry]}}}


def kept(block: str, words: str, *, inherited: bool) -> dict[str, Any]:
    flags = {"flag": ["inherited"]} if inherited else {}
    entry = {"label": "Restrictions", "content": words, **flags}
    return {"type": "ead_component", "content": {"freetext": {block: [entry]}}}


@pytest.mark.captured
def test_every_captured_object_is_decided_by_the_rule_that_it_should_be() -> None:
    found = Counter(ruling_on_object(row).rule for row in captured_records())
    assert {name: found[name] for name in OBJECTS} == OBJECTS
    assert found.total() == sum(OBJECTS.values())
    assert [rule.name for rule in OBJECT_RULES] == list(OBJECTS)[:-1]


@pytest.mark.captured
def test_no_captured_words_go_unrecognised() -> None:
    for row in captured_records():
        found = ruling_on_object(row)
        assert bool(found.rule) == bool(found.verdict.words)
        assert object_record(row).rights is not None


@pytest.mark.captured
def test_every_captured_image_is_released_and_some_with_a_warning() -> None:
    found = Counter(
        ruling_on_image(row, entry).rule
        for row in captured_records()
        for entry in entries(row)
        if entry.get("type") in (None, "Images")
    )
    assert found.total() > 4_000
    assert set(found) == {"CC0", "released, with a warning of the rights of others"}
    assert found["released, with a warning of the rights of others"] == 44


@pytest.mark.captured
def test_an_image_is_free_only_where_its_own_field_says_so() -> None:
    for row in captured_records():
        for medium in media(row):
            assert medium.rights.permission in {"free_to_use", "conditions"}
            assert medium.is_cc0
            assert medium.rights.field == "usage.access"


@pytest.mark.parametrize(
    ("label", "words", "permission"),
    [
        ("Restrictions & Rights", "CC0", "free_to_use"),
        ("Restrictions & Rights", "No Known Copyright Restrictions", "free_to_use"),
        ("Restrictions & Rights", "No Copyright - United States", "free_to_use"),
        ("Restrictions & Rights", "Usage conditions apply", "conditions"),
        ("Restrictions & Rights", "In Copyright - Rights-holder Unlocatable", "conditions"),
        ("Restrictions & Rights", "Copyright protected/restricted", "restricted"),
        ("Restrictions & Rights", "No access restrictions. Write to us.", "unknown"),
        ("Access Information", "24 hours of advance notice are needed.", "unknown"),
        ("Credit Line", "A. Photographer, a zoo", "unknown"),
        ("Copyright", "None", "free_to_use"),
        ("Copyright", "None known", "free_to_use"),
        ("Copyright", "None; © Somebody", "conditions"),
        ("Credit Line", "© A. Photographer", "conditions"),
        ("Copyright", "None registered", "unknown"),
        ("Restrictions & Rights", "Not in the public domain", "conditions"),
        ("Restrictions & Rights", "No copyright infringement is intended", "unknown"),
        ("Restrictions & Rights", "No copyright: used by permission", "conditions"),
        ("Restrictions & Rights", "No Copyright - Non-Commercial Use Only", "conditions"),
        ("Restrictions & Rights", "No Copyright - Contractual Restrictions", "conditions"),
        ("Restrictions & Rights", "No Copyright - Other Known Legal Restrictions", "conditions"),
        ("Copyright", "death date 1923", "unknown"),
        ("Copyright", "© Somebody", "conditions"),
        ("Copyright", "A gallery", "conditions"),
        ("Restrictions & Rights", "Something that nobody ever wrote", "unknown"),
    ],
)
def test_words_about_an_object(label: str, words: str, permission: str) -> None:
    verdict = of_object(said(label, words))
    assert (verdict.permission, verdict.words) == (permission, words)
    assert verdict.field.startswith("objectRights")


@pytest.mark.parametrize(
    ("block", "words", "inherited", "permission"),
    [
        ("accessrestrict", "Restricted until 2090", False, "restricted"),
        ("accessrestrict", "RESTRICTED", True, "restricted"),
        ("accessrestrict", "Some letters are restricted.", True, "conditions"),
        ("accessrestrict", "The papers are open for research.", True, "unknown"),
        ("userestrict", "Contact the repository for terms of use.", True, "conditions"),
        ("userestrict", "Literary rights have been given to the public.", False, "free_to_use"),
        ("userestrict", "Literary rights have been given to the public.", True, "conditions"),
        ("userestrict", "Literary rights have not been given to the public.", False, "conditions"),
    ],
)
def test_what_is_said_of_a_collection_is_not_taken_for_one_folder(
    block: str, words: str, *, inherited: bool, permission: str
) -> None:
    verdict = of_object(kept(block, words, inherited=inherited))
    assert verdict.permission == permission
    assert verdict.field.endswith("(inherited)") == inherited


def test_the_licence_of_the_metadata_permits_nothing() -> None:
    row = {"content": {"descriptiveNonRepeating": {"metadata_usage": {"access": "CC0"}}}}
    assert of_object(row) == Verdict("unknown")
    assert of_image(row, {"type": "Images", "idsId": "X-1"}) == Verdict("unknown")


def test_of_contradicting_fields_the_image_s_own_decides_where_it_frees() -> None:
    row = {"content": {"indexedStructured": {"online_media_rights": ["Copyright protected"]}}}
    free: Raw = {"usage": {"access": "CC0"}}
    silent: Raw = {"usage": {}}
    assert of_image(row, free) == Verdict("free_to_use", "CC0", "usage.access")
    assert of_image(row, silent).permission == "restricted"
    unreleased: Raw = {"usage": {"access": "Usage conditions apply"}}
    assert of_image(row, unreleased).permission == "restricted"
    assert of_image({}, unreleased).permission == "conditions"


def test_thanks_to_a_donor_are_no_warning() -> None:
    usage = {"access": "CC0", "text": "Support was provided by a donor."}
    assert of_image({}, {"usage": usage}).permission == "free_to_use"
    usage["text"] = "Legal restrictions may apply to your use."
    assert of_image({}, {"usage": usage}).words == f"CC0. {usage['text']}"


@pytest.mark.parametrize(
    "words", ["Usage conditions apply", "Not for commercial use", "© 2020 Jane Doe"]
)
def test_a_warning_beside_a_released_image_is_heard(words: str) -> None:
    verdict = of_image({}, {"usage": {"access": "CC0", "text": words}})
    assert verdict == Verdict("conditions", f"CC0. {words}", "usage.access")


def test_a_remark_that_nobody_knows_leaves_a_released_image_unknown() -> None:
    verdict = of_image({}, {"usage": {"access": "CC0", "text": "Something that nobody wrote"}})
    assert verdict == Verdict("unknown", "Something that nobody wrote", "usage.text")


STRICTNESS = ("restricted", "conditions", "unknown", "free_to_use")
HARMLESS = ("CC0", "No Known Copyright Restrictions", "24 hours of advance notice are needed.")
RESTRICTIVE = (
    *(
        "Not in the public domain",
        "No Copyright - Non-Commercial Use Only",
        "Usage conditions apply",
    ),
    *("© 2020 Jane Doe", "Copyright protected", "Something that nobody ever wrote", "In Copyright"),
)


@given(
    st.lists(st.sampled_from([*HARMLESS, *RESTRICTIVE]), min_size=1, max_size=3),
    st.sampled_from(RESTRICTIVE),
)
def test_no_restrictive_words_make_an_object_freer(before: list[str], words: str) -> None:
    def permission(texts: list[str]) -> int:
        block = [{"label": "Restrictions & Rights", "content": one} for one in texts]
        verdict = of_object({"content": {"freetext": {"objectRights": block}}})
        return STRICTNESS.index(verdict.permission)

    assert permission([*before, words]) <= permission(before)
    assert permission([words, *before]) < STRICTNESS.index("free_to_use")


@given(
    st.sampled_from(["", "CC0", "Usage conditions apply"]),
    st.sampled_from(["", "Thanks to a donor.", *RESTRICTIVE]),
    st.lists(st.sampled_from([*HARMLESS, *RESTRICTIVE]), max_size=2),
    st.sampled_from([words for words in RESTRICTIVE if warns(words)]),
)
def test_no_restrictive_words_make_an_image_freer(
    access: str, text: str, rights: list[str], words: str
) -> None:
    def permission(text: str, rights: list[str]) -> int:
        row = {"content": {"indexedStructured": {"online_media_rights": rights}}}
        verdict = of_image(row, {"usage": {"access": access, "text": text}})
        return STRICTNESS.index(verdict.permission)

    said = bool(access or text or rights)
    before = permission(text, rights)
    assert permission(text, [*rights, words]) <= before or not said
    assert permission(f"{text} {words}", rights) <= before or not said
    assert permission(f"{text} {words}", rights) < STRICTNESS.index("free_to_use")


def test_both_tables_can_be_read() -> None:
    for table in (OBJECT_RULES, IMAGE_RULES):
        names = [rule.name for rule in table]
        assert len(set(names)) == len(names)
