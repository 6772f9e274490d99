"""The Library of Congress as a provider: which tools it has, what it reaches, what may be asked of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from heritage_gateway.capability import Naming, Picturing, Work
from heritage_gateway.plugin import Demo, Probe, Provider, Services, Template
from heritage_loc.address import item_id
from heritage_loc.catalogue import Catalogue
from heritage_loc.facts import disputed
from heritage_loc.linked_data import LinkedData
from heritage_loc.lists import lists
from heritage_loc.pictures import Pictures
from heritage_loc.query import Request, SearchQuery
from heritage_loc.settings import LocSettings
from heritage_loc.text_service import TextService
from heritage_loc.tools.browse_collections import browse_collections
from heritage_loc.tools.get_item import get_item
from heritage_loc.tools.get_newspaper_page import get_newspaper_page
from heritage_loc.tools.get_subject import get_subject
from heritage_loc.tools.search import search
from heritage_loc.tools.search_newspapers import search_newspapers
from heritage_loc.tools.search_subjects import search_subjects
from heritage_loc.works import claim, meant, work_of_item, work_of_page
from heritage_loc.www import Www

INSTRUCTIONS = (
    "Library of Congress tools reach its digital collections (libofcongress_search), the text of "
    "historical US newspapers (libofcongress_search_newspapers) and its subject headings. Requests are "
    "paced: about 15 a minute. The guide is skill://libofcongress-guide/SKILL.md."
)

# `cassettes/README.md` says how the answers are made; a test holds them to these calls.
DEMO = Demo(
    recording=Path(__file__).with_name("demo") / "answers.json",
    calls=(
        (
            "libofcongress_search_newspapers",
            {"query": "clara bow", "state": "california", "date_from": "1924-10-01"},
        ),
        (
            "libofcongress_get_newspaper_page",
            {
                "page_url": "https://www.loc.gov/resource/sn92070146/1924-11-20/ed-1/?sp=6",
                "find": "platinum",
                "max_characters": 60,
            },
        ),
        ("libofcongress_search_subjects", {"query": "traditional music"}),
        ("libofcongress_get_item", {"item_id": "lomaxbib000097"}),
    ),
)

# What `HERITAGE_TOOLS=contract` serves.
CONTRACT = tuple(
    f"libofcongress_{verb}"
    for verb in (
        *("search", "get_item", "search_newspapers", "get_newspaper_page"),
        *("search_subjects", "browse_collections"),
    )
)


def plugin(services: Services) -> Provider:
    """The entry point."""
    settings = LocSettings.read()
    limits = services.settings.rate_limits == "on"
    tile = services.client(settings.tile(rate_limits=limits))
    catalogue = Catalogue(
        Www(services.client(settings.www(rate_limits=limits))),
        TextService(tile),
        LinkedData(services.client(settings.linked_data(rate_limits=limits))),
    )
    return Provider(
        name="loc",
        title="Library of Congress",
        settings=settings,
        tools=(
            search(catalogue),
            get_item(catalogue),
            search_newspapers(catalogue),
            get_newspaper_page(catalogue),
            search_subjects(catalogue),
            get_subject(catalogue),
            browse_collections(catalogue),
        ),
        instructions=INSTRUCTIONS,
        skills=Path(__file__).with_name("skills"),
        demo=DEMO,
        templates=(_item_template(catalogue),),
        remarks=(f"The Library of Congress needs no key. {settings.pace_told}",),
        probes=_probes(catalogue),
        facts=disputed(catalogue.www),
        contract=CONTRACT,
        searching=lists(catalogue),
        naming=_naming(catalogue),
        picturing=Picturing(claim, Pictures(catalogue, tile).picture),
    )


def _naming(catalogue: Catalogue) -> Naming:
    async def work(given: str) -> Work:
        """A page of anything but a newspaper is cited as the item that it belongs to."""
        wanted = meant(given)
        if isinstance(wanted, str):
            return work_of_item((await catalogue.item(wanted))[0])
        page = (await catalogue.page(wanted))[0].page
        if wanted.issue_id or page.item_id is None:
            return work_of_page(page, wanted)
        whole = work_of_item((await catalogue.item(page.item_id))[0])
        return replace(whole, link=wanted.url)

    return Naming(claim, work)


def _item_template(catalogue: Catalogue) -> Template:
    async def read(name: str) -> str:
        record, _ = await catalogue.item(item_id(name))
        published = record.model_dump(mode="json", exclude_none=True)
        return json.dumps(published, ensure_ascii=False, indent=1)

    return Template(
        uri_template="libofcongress://item/{+item_id}",
        read=read,
        name="libofcongress-item",
        description="The record of one item of the Library of Congress, as JSON.",
        mime="application/json",
    )


def _probes(catalogue: Catalogue) -> tuple[Probe, ...]:
    async def catalogue_answers() -> str:
        asked = SearchQuery(query="jazz", limit=1).request
        found = await catalogue.www.search(Request(asked.path, asked.params))
        return f"it answers, with {len(found.value)} blocks."

    async def headings_answer() -> str:
        await catalogue.subjects.suggest("jazz", offset=0)
        return "it answers."

    return (
        Probe("Library of Congress catalogue", catalogue_answers),
        Probe("Library of Congress subject headings", headings_answer),
    )
