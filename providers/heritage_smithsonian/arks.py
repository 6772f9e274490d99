"""Ark links, as citations print them, back to the records that they lead to.

The catalogue keeps the ark of a record, and is not known to find a record by it. So the arks of all
records that were shown are remembered, and of another one the free text is asked; a record is taken
only where it has that very ark itself.
"""

from __future__ import annotations

from heritage_gateway.errors import InvalidRequest, Reason
from heritage_gateway.text import clip, inline
from heritage_smithsonian.catalogue import Answer, Catalogue
from heritage_smithsonian.query import Filters, Unsearchable, build
from heritage_smithsonian.wire import Raw
from heritage_smithsonian.works import ark_of, arks, named

_LIKELY = 5  # rows that are looked through


async def record_of(catalogue: Catalogue, given: str) -> Answer[Raw]:
    """The record of an id or a link. Raises `NothingFound`, and `InvalidRequest` for what names none."""
    ark = ark_of(given)
    if not ark:
        return await catalogue.record(named(given))
    if known := catalogue.arks.record_of(ark):
        return await catalogue.record(known)
    lucene = build(f'"{ark.rpartition("/")[2]}"', Filters())
    if not isinstance(lucene, Unsearchable):
        found = await catalogue.records(lucene, most=_LIKELY)
        for row in found.value:
            if ark in arks(row):
                return Answer(row, found.source, found.origin)
    raise InvalidRequest(
        Reason.INVALID_ID,
        f'"{inline(clip(given.strip(), 120))}" leads to a record of the Smithsonian, but its catalogue '
        "finds no record by such a link.",
        "Give the id of the record, which stands beside each citation; or search for its title with "
        "smithsonian_search_objects.",
    )
