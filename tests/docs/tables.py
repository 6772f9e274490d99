"""The tables of README.md and docs/ that are made from the product: tools, settings, hosts, rules.

`.venv/bin/python tests/docs/tables.py` writes them anew; test_readme.py says when that is due.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fastmcp import Client
from pydantic.fields import FieldInfo

from heritage_gateway.plugin import Services
from heritage_gateway.registry import House, load
from heritage_gateway.rights import Rule
from heritage_gateway.server import build
from heritage_gateway.settings import EnvironmentSettings, GatewaySettings
from heritage_loc.rights import RULES as ITEM_RULES
from heritage_smithsonian.rights import IMAGE_RULES, OBJECT_RULES

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
RIGHTS = ROOT / "docs" / "citations-and-rights.md"
PAGES = {
    README: ("tools", "settings", "hosts"),
    RIGHTS: ("object rules", "image rules", "item rules"),
}


def rewritten(page: Path) -> str:
    """The text of a page with every table between its markers as the product has it now."""
    text, tables = page.read_text("utf-8"), asyncio.run(_tables())
    for name in PAGES[page]:
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"{page.name} lacks the markers of its table of {name}.")
        text = "\n".join([before + begin, *tables[name], end + after])
    return text


async def _tables() -> dict[str, list[str]]:
    services = Services(GatewaySettings.read())
    house = load(services)
    return {
        "tools": await _tools(house, services),
        "settings": list(_settings(house)),
        "hosts": list(_hosts(services)),
        "object rules": list(_rules(OBJECT_RULES)),
        "image rules": list(_rules(IMAGE_RULES)),
        "item rules": list(_rules(ITEM_RULES)),
    }


async def _tools(house: House, services: Services) -> list[str]:
    """As a client of the server sees them."""
    async with Client(build(house, services)) as client:
        tools = await client.list_tools()
    rows = [(f"`{tool.name}`", first_sentence(tool.description or "")) for tool in tools]
    return list(_table(("Tool", "What for"), rows))


def _settings(house: House) -> Iterator[str]:
    rows = [
        (
            f"`{variable}`",
            _default(one.model_fields[name]),
            one.model_fields[name].description or "",
        )
        for one in _classes(house)
        for name, variable in one.variables().items()
    ]
    return _table(("Variable", "Default", "Meaning"), rows)


def variables(house: House) -> set[str]:
    """Every environment variable that the settings classes read."""
    return {variable for one in _classes(house) for variable in one.variables().values()}


def _classes(house: House) -> list[type[EnvironmentSettings]]:
    return [GatewaySettings, *(type(provider.settings) for provider in house.providers)]


def _hosts(services: Services) -> Iterator[str]:
    rows = [(f"`{upstream.host}`", upstream.title) for upstream in services.hosts.values()]
    return _table(("Host", "What it is"), rows)


def _rules(rules: Sequence[Rule]) -> Iterator[str]:
    rows = [
        (one.name, f"`{one.permission}`", ", ".join(f"`{field}`" for field in one.fields))
        for one in rules
    ]
    return _table(("What the words say", "Verdict", "Fields"), rows)


def _default(field: FieldInfo) -> str:
    value = field.default
    return "none" if value is None or value in ("", ()) else f"`{value}`"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def first_sentence(text: str) -> str:
    found = re.match(r".*?[.;](?=\s|$)", text, re.DOTALL)
    return found.group().replace("\n", " ").rstrip(";.") + "." if found else text


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(rewritten(each), "utf-8")
