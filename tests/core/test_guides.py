"""What a guide loses with a tool: the row, the entry, the recipe, the paragraph that names it, and no more."""

from __future__ import annotations

import pytest

from heritage_gateway.guides import above_told, without

GUIDE = """---
name: a-guide
description: With the a_ tools.
---

# A guide

| You want | Call |
|---|---|
| one | `a_one` |
| two | `a_two` |

Pass ids on.
After `a_one` they cost nothing.

## Traps
- Of `a_one`, told
  in two lines.

## Reading
- A list of `a_two`.
- A list.

## Recipes
1. **First.** One.
   ```json
   {"tool": "a_one"}
   ```
2. **Second.** Two, not `a_one_more`.
   ```json
   {"tool": "a_two"}
   ```
"""

_BOTH = (
    "Over all collections: heritage_search asks all at once, heritage_view_image shows a picture."
)


def test_a_guide_to_tools_that_are_all_served_is_untouched() -> None:
    assert without(GUIDE, ()) == GUIDE
    assert without(GUIDE, {"a_three", "a"}) == GUIDE


def test_what_names_an_absent_tool_goes_and_recipes_are_counted_anew() -> None:
    told = without(GUIDE, {"a_one"})
    assert told == (
        GUIDE.replace("| one | `a_one` |\n", "")
        .replace("Pass ids on.\nAfter `a_one` they cost nothing.\n", "")
        .replace("## Traps\n- Of `a_one`, told\n  in two lines.\n", "")
        .replace('1. **First.** One.\n   ```json\n   {"tool": "a_one"}\n   ```\n', "")
        .replace("2. **Second", "1. **Second")
    )


def test_a_name_within_a_longer_one_is_not_meant() -> None:
    assert "1. **First" in without(GUIDE, {"a_one_more"})
    assert "2. **Second" not in without(GUIDE, {"a_one_more"})


@pytest.mark.parametrize(
    ("tools", "guided", "told"),
    [
        ([], {"heritage-guide": {}}, ""),
        (["heritage_cite"], {}, "Over all collections: heritage_cite writes citations."),
        (
            ["heritage_search", "heritage_view_image"],
            {"heritage-guide": {}},
            f"{_BOTH} The guide is skill://heritage-guide/SKILL.md.",
        ),
    ],
)
def test_the_tools_over_all_providers_are_told_in_a_sentence(
    tools: list[str], guided: dict[str, object], told: str
) -> None:
    assert above_told(tools, guided) == told
