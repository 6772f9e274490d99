"""The list of the Smithsonian that a question over all houses is put to: the objects of its catalogue."""

from __future__ import annotations

from heritage_gateway.capability import Call, Listed, Results, Searching
from heritage_gateway.paging import Ask
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.models import ObjectRow
from heritage_smithsonian.query import Filters
from heritage_smithsonian.tools.search_objects import lucene_of, refuse_missing_rows


def lists(catalogue: Catalogue) -> tuple[Searching, ...]:
    async def objects(query: str, rows: int) -> Results:
        lucene = lucene_of(query, Filters())
        found = await catalogue.search(lucene, start=0, rows=rows)
        refuse_missing_rows(found, Ask(0, rows, rows))
        said = (*found.doubts, *lucene.mended, found.origin.sentence)
        return Results(found.total, tuple(map(_object, found.rows)), " ".join(filter(None, said)))

    return (Searching("smithsonian", "Smithsonian Open Access", objects, _after),)


def _after(query: str, shown: int) -> Call:
    return Call(
        "smithsonian_search_objects", {"query": query, **({"start": shown} if shown else {})}
    )


def _object(row: ObjectRow) -> Listed:
    about = ", ".join(filter(None, (row.object_type, row.museum_name)))
    return Listed(row.record_id, row.title, row.record_link, row.date, about)
