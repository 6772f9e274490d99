"""The demo shows the work without a key and without a network, whatever is set around it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from heritage_gateway import cli
from heritage_gateway.plugin import Demo, Provider, Services
from heritage_gateway.registry import House
from recording.houses import HOUSES
from recording.maker import the_demo


@pytest.fixture(autouse=True)
def _own_process() -> Iterator[None]:
    """A command sets variables for the libraries that it starts; they end with the test."""
    with patch.dict(os.environ):
        yield


@pytest.fixture(autouse=True)
def _no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the demo sends nothing")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def shown(capfdbinary: pytest.CaptureFixture[bytes]) -> str:
    assert cli.main(["demo"]) == 0
    return capfdbinary.readouterr().out.decode("utf-8")


def test_a_session_is_shown_as_an_agent_sees_it(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = shown(capfdbinary)
    calls = [line for line in text.splitlines() if line.startswith("> ") and "{" in line]
    assert calls == [
        f"> {name} {json.dumps(given)}" for house in HOUSES for name, given in the_demo(house).calls
    ]
    for told in (
        "passage with the words: ",
        "Passage at ",
        "found through: Traditional music",
        "# Christopher Columbo",
        "record_id nasm_A19670093000",
        "# Lockheed Vega 5B, Amelia Earhart",
        (
            "Error (invalid_input): `filters.unitcode` is not an argument of this tool; "
            "did you mean `filters.unit_code`?"
        ),
        "[newspapers]: answered, ",
        "*Lockheed Vega 5B, Amelia Earhart* [Object]. National Air and Space Museum",
    ):
        assert told in text


def test_it_is_short(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """What is longer is not read."""
    assert len(shown(capfdbinary).splitlines()) < 155


def test_what_is_known_already_costs_no_request() -> None:
    """A record that a search showed, and where the text lies of a page that a search showed."""
    asked = {
        house.name: [
            entry["path"] for entry in json.loads(the_demo(house).recording.read_text("utf-8"))
        ]
        for house in HOUSES
    }
    assert asked == {
        "loc": [
            "/newspapers/",
            "/text-services/word-coordinates-service",
            "/authorities/subjects/suggest2",
            "/item/lomaxbib000097/",
        ],
        "smithsonian": ["/search"],
        "heritage": ["/search/", "/newspapers/", "/search", "/item/lomaxbib000097/"],
    }


@pytest.mark.parametrize(
    "environment",
    [
        {"SMITHSONIAN_BASE_URL": "http://127.0.0.1:9/si", "HERITAGE_RATE_LIMITS": "off"},
        {"SMITHSONIAN_BASE_URL": "https://proxy.example/deep/path/v2/"},
        {"HERITAGE_PROVIDERS": "elsewhere", "HERITAGE_DISABLE_TOOLS": "smithsonian_get_object"},
        {"HERITAGE_ANSWER_BUDGET": "100", "HERITAGE_CALL_DEADLINE": "0.001"},
        {"SMITHSONIAN_API_KEY": " some key\n", "HTTPS_PROXY": "http://127.0.0.1:9"},
        {"LOC_BASE_URL": "https://proxy.example/loc/", "LOC_TILE_URL": "http://127.0.0.1:9/tile"},
    ],
    ids="+".join,
)
def test_it_shows_the_same_whatever_is_set(
    environment: dict[str, str],
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = shown(capfdbinary)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert shown(capfdbinary) == plain


def test_a_call_that_upstream_does_not_answer_fails_the_demo(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    empty = tmp_path / "answers.json"
    empty.write_text("[]", "utf-8")
    call = ("smithsonian_search_objects", {"query": "not recorded"})
    monkeypatch.setattr("heritage_smithsonian.plugin.DEMO", Demo(empty, (call,)))
    monkeypatch.setattr("heritage_loc.plugin.DEMO", None)
    monkeypatch.setattr("heritage_gateway.http.retry.delay", lambda *_, **__: 0.0)
    assert cli.main(["demo"]) == 1
    assert "Error (upstream_unavailable)" in capfdbinary.readouterr().out.decode()


def test_it_offers_no_call_of_a_tool_that_is_not_served(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_TOOLS", "contract")
    monkeypatch.setenv("SMITHSONIAN_BASE_URL", "http://127.0.0.1:9/si")
    monkeypatch.setenv("HERITAGE_CALL_DEADLINE", "0.001")
    assert cli.main(["demo", "--live"]) == 1
    assert "> heritage_" not in capfdbinary.readouterr().out.decode()


def test_a_house_without_a_demo_shows_none(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from core import stranger

    def load(services: Services) -> House:
        provider: Provider = stranger.plugin(services)
        return House((provider,), {})

    monkeypatch.setattr("heritage_gateway.cli.demo.load", load)
    assert cli.main(["demo"]) == 0
    assert ">" not in capfdbinary.readouterr().out.decode()
