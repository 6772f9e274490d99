"""Which providers serve: one door for all, and a broken one does not close it."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from heritage_gateway.plugin import Services
from heritage_gateway.registry import GROUP, installed, load
from heritage_gateway.settings import GatewaySettings, SettingsError

KNOWN = {
    name: EntryPoint(name, f"core.stranger:{function}", GROUP)
    for name, function in {"broken": "broken", "stranger": "plugin"}.items()
}


def services(**settings: object) -> Services:
    return Services(GatewaySettings.model_validate(settings))


def test_built_in_providers_enter_by_the_door_of_strangers() -> None:
    assert "smithsonian" in installed()


def test_a_plugin_that_fails_to_load_is_reported_and_the_rest_serves() -> None:
    house = load(services(), KNOWN)
    assert [provider.name for provider in house.providers] == ["stranger"]
    assert house.failures == {"broken": "broken could not be loaded: RuntimeError."}


@pytest.mark.parametrize(
    ("function", "told"), [("empty_handed", "TypeError"), ("giving_up", "SystemExit")]
)
def test_a_plugin_that_returns_no_provider_or_ends_the_process_is_left_out(
    function: str, told: str
) -> None:
    odd = EntryPoint("odd", f"core.stranger:{function}", GROUP)
    house = load(services(), {"odd": odd, "stranger": KNOWN["stranger"]})
    assert [provider.name for provider in house.providers] == ["stranger"]
    assert house.failures == {"odd": f"odd could not be loaded: {told}."}


def test_only_the_wanted_providers_are_loaded() -> None:
    house = load(services(providers=("stranger",)), KNOWN)
    assert house.failures == {}
    assert house.switched_off == ("broken",)


def test_an_unknown_provider_stops_the_start_and_the_known_ones_are_listed() -> None:
    with pytest.raises(SettingsError) as caught:
        load(services(providers=("smithsonain", "stranger")), KNOWN)
    assert str(caught.value) == (
        "HERITAGE_PROVIDERS cannot be used: no provider is called smithsonain; "
        "installed are broken, stranger."
    )


def test_two_tools_of_one_name_stop_the_start() -> None:
    twice = {"one": KNOWN["stranger"], "two": KNOWN["stranger"]}
    with pytest.raises(SettingsError, match="Two providers offer a tool called stranger_greet"):
        load(services(), twice)


def test_an_unknown_tool_cannot_be_switched_off_in_silence() -> None:
    with pytest.raises(SettingsError, match="no tool is called stranger_gret; there are"):
        load(services(disable_tools=("stranger_gret",)), {"stranger": KNOWN["stranger"]})


def test_a_tool_of_a_broken_plugin_may_be_switched_off() -> None:
    house = load(services(disable_tools=("broken_tool",)), KNOWN)
    assert [provider.name for provider in house.providers] == ["stranger"]
