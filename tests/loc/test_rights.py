"""What may be done with items: every captured wording, the item's own before its collection's."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from heritage_gateway.capability import Verdict
from heritage_loc.normalise import item_record
from heritage_loc.rights import RULES, of_item, ruling
from shared import CAPTURED

# The rules in their order, and how many captured records and rows each of them decides.
DECIDED = {
    "access is restricted": 2,
    "access is for some readers only": 1,
    "the item may not be published": 0,
    "the item is under conditions, or may be": 2,
    "no restrictions known for the item": 2,
    "public domain in general, but parts may be protected": 1,
    "no restrictions known for the collection": 138,
    "the Library cannot say, and leaves it to the reader": 0,
    "protected items need permission, and which are protected is not said": 1,
    "how the original is seen, not how it may be used": 0,
    "": 231,
}


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
        {"access_restricted": "yes", "rights": [None, "None", ""]},
    ],
)
def test_where_nothing_is_said_nothing_is_permitted(block: dict[str, Any]) -> None:
    assert of_item(block).permission == "unknown"


def test_fragile_originals_say_nothing_of_use() -> None:
    block = {"restriction": "Restricted access: fragile, and not served.", "rights": []}
    assert of_item(block).permission == "unknown"
    assert of_item(block) != Verdict("free_to_use")
