"""From the answers of the Library's hosts to nouns: pure, and never failing on an odd one."""

from __future__ import annotations

from heritage_loc.normalise.collections import collection_row, collection_rows
from heritage_loc.normalise.items import item_date, item_record
from heritage_loc.normalise.linked import heading
from heritage_loc.normalise.newspapers import NewspaperHit, is_page, matching, newspaper_hit
from heritage_loc.normalise.pages import (
    PageResource,
    page_resource,
    page_text,
    plain_text,
    snippet,
    text_of_work,
)
from heritage_loc.normalise.paging import CEILING, Paging, paging
from heritage_loc.normalise.rows import merged, search_row, search_rows
from heritage_loc.normalise.subjects import Suggestions, suggest1, suggest2

__all__ = [
    "CEILING",
    "NewspaperHit",
    "PageResource",
    "Paging",
    "Suggestions",
    "collection_row",
    "collection_rows",
    "heading",
    "is_page",
    "item_date",
    "item_record",
    "matching",
    "merged",
    "newspaper_hit",
    "page_resource",
    "page_text",
    "paging",
    "plain_text",
    "search_row",
    "search_rows",
    "snippet",
    "suggest1",
    "suggest2",
    "text_of_work",
]
