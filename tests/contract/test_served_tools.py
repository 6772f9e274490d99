"""Which tools are served: never more than an agent can oversee, and the contract's alone where set."""

from __future__ import annotations

import pytest
from fastmcp import Client

from desk import Desk
from heritage_gateway.cli import main
from heritage_gateway.federation import federated
from heritage_gateway.plugin import Services
from heritage_gateway.registry import ABOVE, load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings, SettingsError
from shared import CONTRACT, contract

MOST = 20
ALONE = {
    *(f"smithsonian_{verb}" for verb in ("search_objects", "list_terms", "get_object")),
    *(f"smithsonian_{verb}" for verb in ("get_media", "browse_category", "find_related")),
    *(f"libofcongress_{verb}" for verb in ("search", "get_item", "search_newspapers")),
    *(f"libofcongress_{verb}" for verb in ("get_newspaper_page", "search_subjects")),
    "libofcongress_browse_collections",
}


async def served() -> set[str]:
    services = Services(GatewaySettings.read())
    async with Client(build(load(services), services)) as client:
        return {tool.name for tool in await client.list_tools()}


@pytest.mark.anyio
async def test_no_more_than_twenty_tools_are_served() -> None:
    names = await served()
    assert names == set(Desk().tools)
    assert len(names) <= MOST


@pytest.mark.anyio
async def test_the_twelve_tools_of_the_contract_alone_where_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HERITAGE_TOOLS", "contract")
    assert await served() == ALONE
    if CONTRACT.exists():
        assert all(map(contract, ALONE))


def test_the_command_line_lists_and_calls_the_same(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("HERITAGE_TOOLS", "contract")
    assert main(["tools"]) == 0
    out, _ = capfdbinary.readouterr()
    assert {line for line in out.decode().splitlines() if not line.startswith(" ")} == ALONE
    for name in ("heritage_search", "libofcongress_get_subject"):
        assert main(["call", name, "query=x"]) == 2
        assert b"no tool is called" in capfdbinary.readouterr().err


@pytest.mark.parametrize("name", ABOVE)
def test_a_tool_over_all_providers_can_be_switched_off(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_DISABLE_TOOLS", name)
    desk = Desk()
    assert set(ABOVE) - desk.tools.keys() == {name}


def test_the_names_of_the_tools_over_all_providers_are_known() -> None:
    services = Services(GatewaySettings.read())
    assert {tool.name for tool in federated(load(services), services)} == set(ABOVE)


def test_an_unknown_setting_of_tools_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERITAGE_TOOLS", "twelve")
    with pytest.raises(SettingsError, match="HERITAGE_TOOLS cannot be used"):
        GatewaySettings.read()
