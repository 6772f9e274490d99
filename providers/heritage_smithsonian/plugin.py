"""The Smithsonian as a provider: which tools it has, what it reaches, what may be asked of it."""

from __future__ import annotations

from pathlib import Path

from heritage_gateway.capability import Naming, Picturing, Work
from heritage_gateway.http import is_loopback
from heritage_gateway.plugin import Counting, Demo, Probe, Provider, Services
from heritage_smithsonian.arks import record_of
from heritage_smithsonian.catalogue import Catalogue
from heritage_smithsonian.edan import Edan
from heritage_smithsonian.facts import disputed
from heritage_smithsonian.lists import lists
from heritage_smithsonian.mirror.shelf import Shelf
from heritage_smithsonian.pictures import Pictures
from heritage_smithsonian.pictures import claim as claim_picture
from heritage_smithsonian.query import Lucene
from heritage_smithsonian.settings import SmithsonianSettings
from heritage_smithsonian.source import MIRROR_FIELDS
from heritage_smithsonian.tools.browse_category import browse_category
from heritage_smithsonian.tools.find_related import find_related
from heritage_smithsonian.tools.get_media import get_media
from heritage_smithsonian.tools.get_object import get_object
from heritage_smithsonian.tools.list_terms import list_terms
from heritage_smithsonian.tools.search_objects import search_objects
from heritage_smithsonian.works import claim
from heritage_smithsonian.works import work as work_of

INSTRUCTIONS = (
    "Smithsonian tools reach 14 million objects of all Smithsonian museums, archives and libraries. "
    "Start with smithsonian_search_objects; pass its record_id to the other tools. "
    "The guide is skill://smithsonian-guide/SKILL.md."
)

# `cassettes/README.md` says how the answers are made; a test holds them to these calls.
DEMO = Demo(
    recording=Path(__file__).with_name("demo") / "answers.json",
    calls=(
        ("smithsonian_search_objects", {"query": "amelia earhart"}),
        ("smithsonian_get_object", {"id": "nasm_A19670093000"}),
        ("smithsonian_search_objects", {"query": "quilt", "filters": {"unitcode": "NMAH"}}),
    ),
)

# What `HERITAGE_TOOLS=contract` serves.
CONTRACT = tuple(
    f"smithsonian_{verb}"
    for verb in (
        *("search_objects", "list_terms", "get_object", "get_media"),
        *("browse_category", "find_related"),
    )
)


def plugin(services: Services) -> Provider:
    """The entry point."""
    settings = SmithsonianSettings.read()
    paced = services.settings.rate_limits == "on" or not is_loopback(settings.base_url)
    edan = Edan(services.client(settings.api(paced=paced)), settings.rate_hint)
    shelf = Shelf(settings.mirror_folder)
    catalogue = Catalogue.over(edan, shelf, choice=settings.source)

    calm = services.settings.rate_limits == "on" or not is_loopback(settings.ids_url)
    pictures = Pictures(catalogue, services.client(settings.images(paced=calm)))

    async def count() -> str:
        found = await edan.search(Lucene("*"), start=0, rows=0)
        return f"it answers, and counts {found.total:,} objects."

    async def look() -> str:
        mirror = await shelf.latest()
        if mirror is None:
            return shelf.trouble or "there is none; `heritage-gateway mirror sync` makes one."
        held = sum(mirror.imprint.units.values())
        return f"it is of {mirror.imprint.published:%Y-%m-%d}, and holds {held:,} objects."

    return Provider(
        name="smithsonian",
        title="Smithsonian Open Access",
        settings=settings,
        tools=(
            search_objects(catalogue),
            list_terms(catalogue),
            get_object(catalogue),
            get_media(catalogue),
            browse_category(catalogue),
            find_related(catalogue),
        ),
        instructions=INSTRUCTIONS,
        skills=Path(__file__).with_name("skills"),
        demo=DEMO,
        remarks=tuple(_remarks(settings, paced=paced)),
        probes=(
            Probe("Smithsonian Open Access API", count),
            Probe("local mirror of the Smithsonian", look),
        ),
        facts=disputed(edan),
        contract=CONTRACT,
        counting=Counting(MIRROR_FIELDS, catalogue.count),
        searching=lists(catalogue),
        naming=_naming(catalogue),
        picturing=Picturing(claim_picture, pictures.picture),
    )


def _naming(catalogue: Catalogue) -> Naming:
    async def work(given: str) -> Work:
        return work_of((await record_of(catalogue, given)).value)

    return Naming(claim, work)


def _remarks(settings: SmithsonianSettings, *, paced: bool) -> list[str]:
    said = [
        "The Smithsonian is asked with your own key."
        if settings.has_own_key
        else f"The Smithsonian is asked with DEMO_KEY. {settings.rate_hint}"
    ]
    if not paced:
        said.append("Requests to the Smithsonian are not paced (HERITAGE_RATE_LIMITS=off).")
    return said
