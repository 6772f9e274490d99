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
from smithsonian.make_cassettes import the_demo


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
    calls = [line for line in text.splitlines() if line.startswith("> smithsonian_")]
    assert calls == [f"> {name} {json.dumps(given)}" for name, given in the_demo().calls]
    for told in (
        "record_id nasm_A19670093000",
        "# Lockheed Vega 5B, Amelia Earhart",
        "**Thunder god**",
        (
            "Error (invalid_input): `filters.unitcode` is not an argument of this tool; "
            "did you mean `filters.unit_code`?"
        ),
        "- Container: Box 55",
    ):
        assert told in text


def test_a_record_that_a_search_showed_costs_no_request() -> None:
    """Of the calls, two search and one gets an archive's record; the others are answered at home."""
    recorded = json.loads(the_demo().recording.read_text("utf-8"))
    assert [entry["path"] for entry in recorded] == [
        "/search",
        "/search",
        "/content/ead_component:sova-naa-1974-28-ref832",
    ]


@pytest.mark.parametrize(
    "environment",
    [
        {"SMITHSONIAN_BASE_URL": "http://127.0.0.1:9/si", "HERITAGE_RATE_LIMITS": "off"},
        {"SMITHSONIAN_BASE_URL": "https://proxy.example/deep/path/v2/"},
        {"HERITAGE_PROVIDERS": "elsewhere", "HERITAGE_DISABLE_TOOLS": "smithsonian_get_object"},
        {"HERITAGE_ANSWER_BUDGET": "100", "HERITAGE_CALL_DEADLINE": "0.001"},
        {"SMITHSONIAN_API_KEY": " some key\n", "HTTPS_PROXY": "http://127.0.0.1:9"},
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
    monkeypatch.setattr("heritage_gateway.http.retry.delay", lambda *_, **__: 0.0)
    assert cli.main(["demo"]) == 1
    assert "Error (upstream_unavailable)" in capfdbinary.readouterr().out.decode()


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
