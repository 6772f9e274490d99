"""From upstream's rows to nouns: pure, and never failing on an odd row."""

from __future__ import annotations

from heritage_gateway.rights import Rights
from heritage_smithsonian.media import glimpse, media, summary
from heritage_smithsonian.models import ObjectRecord, ObjectRow
from heritage_smithsonian.normalise.archive import archive_parts
from heritage_smithsonian.normalise.header import Header, first_date, first_type, read_header
from heritage_smithsonian.normalise.header import record_id as record_id
from heritage_smithsonian.normalise.museum import museum_parts
from heritage_smithsonian.rights import of_object
from heritage_smithsonian.wire import Raw, is_archival


def object_row(row: Raw) -> ObjectRow:
    """A row of a list. Its date is the first index term: one of a set of decades, in no order."""
    header = read_header(row)
    has_media, thumbnail_url = glimpse(row)
    return ObjectRow(
        record_id=header.record_id,
        title=header.title,
        date=first_date(row),
        unit_code=header.unit_code,
        museum_name=header.museum_name,
        holding_museum_name=header.holding_museum_name,
        object_type=first_type(row),
        thumbnail_url=thumbnail_url,
        is_cc0=header.is_cc0,
        has_media=has_media,
        record_link=header.record_link,
    )


def object_record(row: Raw) -> ObjectRecord:
    """The whole record: what has no field of its own stands in `other` under its own label."""
    header = read_header(row)
    parts = archive_parts(row) if is_archival(row) else museum_parts(row, header)
    return ObjectRecord(
        record_id=header.record_id,
        title=header.title,
        unit_code=header.unit_code,
        museum_name=header.museum_name,
        holding_museum_name=header.holding_museum_name,
        description=parts.description,
        dates=parts.dates,
        makers=parts.makers,
        place=parts.place,
        culture=parts.culture,
        topics=parts.topics,
        materials=parts.materials,
        dimensions=parts.dimensions,
        notes=parts.notes,
        other=parts.other,
        scientific_names=parts.scientific_names,
        taxonomy=parts.taxonomy,
        coordinates=parts.coordinates,
        exhibitions=parts.exhibitions,
        identifiers=parts.identifiers,
        credit_line=parts.credit_line,
        object_rights=parts.object_rights,
        rights=Rights.of(of_object(row)),
        is_cc0=header.is_cc0,
        record_link=header.record_link,
        media_summary=summary(media(row)),
    )


__all__ = ["Header", "object_record", "object_row", "read_header", "record_id"]
