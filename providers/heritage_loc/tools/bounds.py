"""Inputs that several tools of the Library share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from heritage_gateway.arguments import LARGEST, NO_BOOLEAN
from heritage_gateway.errors import InvalidRequest, Reason

_LONGEST_QUERY = 500

Limit = Annotated[int, Field(ge=1, le=100, description="Rows a page, at most 100."), NO_BOOLEAN]
PageNumber = Annotated[int, Field(ge=1, le=LARGEST, description="Page, from 1."), NO_BOOLEAN]
Year = Annotated[int, Field(ge=-LARGEST, le=LARGEST), NO_BOOLEAN]


def searchable(query: str) -> str:
    """A query with something in it. Raises `InvalidRequest`."""
    if not any(sign.isalnum() for sign in query):
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            "`query` holds no word that can be searched for.",
            "Give at least one word.",
        )
    if len(query) > _LONGEST_QUERY:
        raise InvalidRequest(
            Reason.INVALID_INPUT,
            f"`query` is {len(query):,} characters long; at most {_LONGEST_QUERY} can be sent.",
            "Search for the few words that matter most.",
        )
    return query
