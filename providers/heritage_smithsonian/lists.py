"""The list of the Smithsonian that a question over all houses is put to: the objects of its catalogue.

It goes on with `smithsonian_search_objects`, so it has the same count, without archival records. What
must overlook nothing asks for these as well.
"""

from __future__ import annotations

from heritage_gateway.capability import Call, Listed, Results, Searching
from heritage_gateway.paging import Ask
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.query import Filters
from heritage_smithsonian.tools.search_objects import lucene_of, refuse_missing_rows

_OBJECTS_ALONE = "Archival records (finding aids) are not in this count."


def lists(catalogue: Catalogue) -> tuple[Searching, ...]:
    async def objects(query: str, rows: int) -> Results:
        lucene = lucene_of(query, Filters())
        found = await catalogue.search(lucene, start=0, rows=rows)
        refuse_missing_rows(found, Ask(0, rows, rows))
        said = (*found.doubts, *lucene.mended, found.origin.sentence, _OBJECTS_ALONE)
        return Results(found.total, tuple(map(_object, found.rows)), " ".join(filter(None, said)))

    async def everything(query: str, rows: int) -> Results:
        found = await catalogue.everything(lucene_of(query, Filters()), rows=rows)
        refuse_missing_rows(found, Ask(0, rows, rows))
        return Results(found.total, tuple(map(_object, found.rows)))

    return (Searching("smithsonian", "Smithsonian Open Access", objects, _after, everything),)


def _after(query: str, shown: int) -> Call:
    return Call(
        "smithsonian_search_objects", {"query": query, **({"start": shown} if shown else {})}
    )


def _object(row: ObjectRow) -> Listed:
    about = ", ".join(filter(None, (row.object_type, row.museum_name)))
    return Listed(row.record_id, row.title, row.record_link, row.date, about)
