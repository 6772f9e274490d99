"""The nouns: items and newspaper pages as rows and in full, collections, subject headings.

These are the shapes that answers publish. Optional fields are absent when unknown, never null.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heritage_gateway.rights import Rights


class Noun(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Labelled(Noun):
    label: str
    value: str


class SearchRow(Noun):
    """Something in a list: mostly an item, sometimes a collection, a guide or a blog post."""

    id: Annotated[str, Field(description="Input of libofcongress_get_item where is_item is true.")]
    title: str
    date: Annotated[str | None, Field(description="As exact as the record, no more.")] = None
    description: str | None = None
    format: Annotated[str | None, Field(description="Original format in the Library's words.")] = (
        None
    )
    is_item: Annotated[bool, Field(description="libofcongress_get_item can resolve it.")]
    url: str
    contributors: tuple[str, ...] | None = None
    collection_slug: Annotated[
        str | None, Field(description="Present when this is a collection that can be searched.")
    ] = None
    resource_url: Annotated[
        str | None, Field(description="Its digitised pages; input of get_newspaper_page.")
    ] = None


class ItemRecord(Noun):
    """An item with everything that its record says."""

    item_id: str
    title: str
    date: Annotated[str | None, Field(description="As exact as the record, no more.")] = None
    created_published: Annotated[
        str | None, Field(description="Place, publisher and date in the record's own words.")
    ] = None
    contributors: Annotated[
        tuple[str, ...], Field(description="People and bodies, with their role where given.")
    ]
    subject_headings: tuple[str, ...]
    notes: tuple[str, ...]
    summary: str | None = None
    rights_information: str | None = None
    rights: Rights | None = None
    physical_description: str | None = None
    call_number: str | None = None
    languages: tuple[str, ...]
    locations: tuple[str, ...]
    former_ids: tuple[str, ...]
    original_formats: tuple[str, ...]
    online_formats: tuple[str, ...]
    access_restricted: Annotated[
        bool | None, Field(description="As the record says; absent is unknown.")
    ] = None
    access_advisory: str | None = None
    other_titles: tuple[str, ...] = ()
    genres: tuple[str, ...] = ()
    part_of: Annotated[tuple[str, ...], Field(description="Collections and divisions.")] = ()
    repository: str | None = None
    other: Annotated[
        tuple[Labelled, ...], Field(description="What the record says beyond the other fields.")
    ] = ()
    citations: Annotated[tuple[Labelled, ...], Field(description="Ready-made, by style.")] = ()
    resource_links: Annotated[
        tuple[str, ...], Field(description="Pages, files and images, each once.")
    ]
    related_items: Annotated[
        tuple[str, ...], Field(description="Item ids; an address or a title where there is none.")
    ]
    url: str


class NewspaperRow(Noun):
    """One page of a newspaper in a list."""

    url: Annotated[str, Field(description="Input of libofcongress_get_newspaper_page.")]
    title: str
    description: Annotated[str | None, Field(description="Excerpt of the page's text.")] = None
    excerpt_kind: Annotated[
        Literal["match", "opening"] | None,
        Field(description="match: holds the words; opening: how the page begins."),
    ] = None
    date: str | None = None
    states: Annotated[tuple[str, ...], Field(description="All under which the title is indexed.")]
    newspaper_title: str | None = None
    lccn: str | None = None
    page_number: Annotated[int | None, Field(description="Image in the issue, from 1.")] = None


class NewspaperPage(Noun):
    """One digitised page and its text; of other resources, the page of a book or a manuscript."""

    page_url: str
    title: str | None = None
    newspaper_title: str | None = None
    date: str | None = None
    states: tuple[str, ...] = ()
    place_of_publication: str | None = None
    edition: str | None = None
    lccn: str | None = None
    item_id: Annotated[
        str | None, Field(description="Issue or item; input of libofcongress_get_item.")
    ] = None
    sequence: Annotated[int | None, Field(description="Image in the issue, from 1.")] = None
    segment_count: Annotated[int | None, Field(description="Images in the issue.")] = None
    rights: Annotated[
        Rights | None, Field(description="Present where the record says something.")
    ] = None
    image_url: str | None = None
    pdf_url: str | None = None
    ocr_text: str
    ocr_available: Annotated[bool, Field(description="Digitised text exists.")]


class CollectionRow(Noun):
    slug: Annotated[str, Field(description="Input collection_slug of libofcongress_search.")]
    title: str
    description: str | None = None
    item_count: int | None = None
    formats: Annotated[
        tuple[str, ...], Field(description="Formats it holds that have a search of their own.")
    ] = ()
    url: str


class SubjectRow(Noun):
    label: str
    uri: str
    matched_variant: Annotated[
        str | None, Field(description="The see-from term through which it was found.")
    ] = None


class LinkedHeading(Noun):
    """A heading named by another; one of the two may be all that is known."""

    label: str | None = None
    uri: str | None = None


class SubjectHeading(Noun):
    label: str
    uri: str
    url: Annotated[str, Field(description="Page for people.")]
    variants: Annotated[tuple[str, ...], Field(description="See-from terms.")]
    broader: tuple[LinkedHeading, ...]
    narrower: tuple[LinkedHeading, ...]
    related: tuple[LinkedHeading, ...]
    scope_note: str | None = None
    deprecated: bool
    deprecation_note: str | None = None
    replaced_by: tuple[LinkedHeading, ...] = ()
