"""The nouns: an object as a row and as a whole record, and its media.

These are the shapes that answers publish. Optional fields are absent when unknown, never null.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.rights import Rights


class Noun(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Labelled(Noun):
    label: str
    value: str


class Note(Noun):
    label: str
    content: str


class Maker(Noun):
    role: Annotated[str, Field(description="Label in the record, such as Artist, Sitter, Donor.")]
    name: str


class Taxonomy(Noun):
    kingdom: tuple[str, ...] | None = None
    phylum: tuple[str, ...] | None = None
    class_: Annotated[tuple[str, ...] | None, Field(alias="class")] = None
    order: tuple[str, ...] | None = None
    family: tuple[str, ...] | None = None


class Coordinates(Noun):
    latitude: Annotated[float, Field(description="Decimal degrees as recorded.")]
    longitude: Annotated[float, Field(description="Decimal degrees as recorded.")]
    locality: str | None = None


class Exhibition(Noun):
    name: str
    building: str | None = None


class NonImageMedia(Noun):
    type: str
    url: str | None = None
    is_cc0: bool


class MediaSummary(Noun):
    count: Annotated[int, Field(description="Media of all types.")]
    cc0_image_count: Annotated[int, Field(description="Images that smithsonian_get_media returns.")]
    has_cc0_images: bool
    thumbnail_url: str | None = None
    non_image_media: Annotated[
        tuple[NonImageMedia, ...],
        Field(description="3D models, scanned books and the like, in catalogue order."),
    ]


class ObjectRow(Noun):
    """An object in a list."""

    record_id: Annotated[str, Field(description="Input of smithsonian_get_object.")]
    title: str
    date: Annotated[
        str | None, Field(description="First index term, often a decade; not a dating.")
    ] = None
    unit_code: str
    museum_name: str
    holding_museum_name: Annotated[
        str | None, Field(description="Present when another unit than unit_code holds the object.")
    ] = None
    object_type: str | None = None
    thumbnail_url: str | None = None
    is_cc0: Annotated[bool, Field(description="Licence of the metadata, not of the media.")]
    has_media: Annotated[bool, Field(description="Media can be delivered.")]
    record_link: str | None = None


class ObjectRecord(Noun):
    """An object with everything that its record says."""

    record_id: str
    title: str
    unit_code: str
    museum_name: str
    holding_museum_name: Annotated[
        str | None, Field(description="Present when another unit than unit_code holds the object.")
    ] = None
    description: str | None = None
    dates: tuple[Labelled, ...]
    makers: tuple[Maker, ...]
    place: tuple[Labelled, ...]
    culture: Annotated[tuple[str, ...], Field(description="Index terms.")]
    topics: Annotated[tuple[str, ...], Field(description="Index terms, then free text.")]
    materials: tuple[str, ...]
    dimensions: tuple[str, ...]
    notes: Annotated[tuple[Note, ...], Field(description="All notes, in source order.")]
    other: Annotated[
        tuple[Labelled, ...], Field(description="What the record says beyond the other fields.")
    ] = ()
    scientific_names: tuple[str, ...]
    taxonomy: Taxonomy | None = None
    coordinates: tuple[Coordinates, ...]
    exhibitions: Annotated[
        tuple[Exhibition, ...], Field(description="Where it is on view now or will be.")
    ]
    identifiers: tuple[Labelled, ...]
    credit_line: str | None = None
    object_rights: str | None = None
    rights: Annotated[
        Rights | None, Field(description="Of the object; each image has its own.")
    ] = None
    is_cc0: Annotated[bool, Field(description="Licence of the metadata, not of the media.")]
    record_link: Annotated[str | None, Field(description="Page for people.")] = None
    media_summary: MediaSummary


class Rendition(Noun):
    """A downloadable file of an image; its size in pixels only where it is known to be true."""

    url: str
    width: int | None = None
    height: int | None = None


class MediaImage(Noun):
    media_id: str
    is_cc0: bool
    thumbnail_url: Annotated[str | None, Field(description="About 120 pixels.")] = None
    screen_url: Annotated[str | None, Field(description="About 800 pixels.")] = None
    high_res_jpeg: Rendition | None = None
    high_res_tiff: Rendition | None = None
    alt_text: str | None = None
    description: str | None = None
    rights: Rights | None = None
