"""The command line, run in this process but for what only a process of its own can show."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from heritage_gateway import __version__
from heritage_gateway.cli import main
from heritage_gateway.cli.call import collected

Standin = Any


def run(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"heritage-gateway {__version__}\n"


def test_pairs_and_json_become_arguments() -> None:
    given = collected(["query=moon", "filters.unit_code=NASM"], '{"rows": 5}')
    assert given == {"rows": 5, "query": "moon", "filters": {"unit_code": "NASM"}}


def test_a_value_may_hold_an_equals_sign() -> None:
    assert collected(["query=a=b"], None) == {"query": "a=b"}


def test_a_key_that_is_given_again_makes_a_list() -> None:
    assert collected(["ids=a", "style=mla", "ids=b"], None) == {"ids": ["a", "b"], "style": "mla"}


@pytest.mark.parametrize(
    ("pairs", "text", "said"),
    [
        (["moon"], None, "'moon' is not of the form key=value."),
        (["=moon"], None, "'=moon' is not of the form key=value."),
        (["a=1", "a.b=2"], None, "'a.b' names a key inside a plain value."),
        ([], "[1]", "--json is not a JSON object."),
        ([], "{", "--json is not a JSON object."),
    ],
)
def test_what_cannot_be_read_is_told(pairs: list[str], text: str | None, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        collected(pairs, text)


def test_an_unknown_tool_gets_the_nearest(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, err = run(capfdbinary, "call", "smithsonian_search_object", "query=x")
    assert (code, out) == (2, "")
    assert "Did you mean smithsonian_search_objects?" in err


def test_a_failing_call_ends_with_1(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run(capfdbinary, "call", "smithsonian_get_object", "id=../x")
    assert code == 1
    assert out.startswith("Error (invalid_id): ")


@pytest.mark.parametrize(
    "words", [["--structured", "id= "], ["--json", "{}", "id= ", "--structured"]]
)
def test_words_may_stand_behind_options(
    words: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, out, _ = run(capfdbinary, "call", "smithsonian_get_object", *words)
    assert code == 1
    assert json.loads(out)["error"]["data"]["reason"] == "invalid_id"


@pytest.mark.parametrize("words", [["call", "x", "--jsn=1"], ["tools", "a=b"], ["--prot", "8000"]])
def test_an_unknown_option_is_wrong_usage(
    words: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(capfdbinary, *words)
    assert ended.value.code == 2


def test_the_structure_is_asked_for_with_a_switch(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    code, out, _ = run(capfdbinary, "call", "smithsonian_get_object", "id= ", "--structured")
    assert code == 1
    assert json.loads(out)["error"]["data"]["reason"] == "invalid_id"


def test_a_wrong_setting_ends_every_command_with_2(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_PROVIDERS", "smithsonain")
    for words in (["tools"], ["providers"], ["doctor"], ["serve"], ["call", "x"]):
        code, out, err = run(capfdbinary, *words)
        assert (code, out) == (2, "")
        assert "no provider is called smithsonain; installed are" in err


def test_tools_as_json_are_the_schemas(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run(capfdbinary, "tools", "--json")
    assert code == 0
    tools = {tool["name"]: tool for tool in json.loads(out)}
    assert tools["smithsonian_get_object"]["inputSchema"]["required"] == ["id"]


def test_a_tool_that_is_switched_off_is_neither_listed_nor_called(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERITAGE_DISABLE_TOOLS", "smithsonian_get_media")
    _, out, _ = run(capfdbinary, "tools")
    assert "smithsonian_get_media" not in out
    code, _, err = run(capfdbinary, "call", "smithsonian_get_media", "id=x")
    assert code == 2
    assert "no tool is called" in err


@pytest.mark.standin
def test_doctor_says_what_is_set_and_what_answers(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, standin: Standin
) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "SECRETSECRET")
    code, out, err = run(capfdbinary, "doctor")
    assert code == 0
    assert "SMITHSONIAN_API_KEY = set (12 characters, ends in ET)" in out
    assert "The Smithsonian is asked with your own key." in out
    assert "ok: Smithsonian Open Access API: it answers, and counts" in out
    assert "SECRETSECRET" not in out + err


@pytest.mark.standin
def test_doctor_says_what_does_not_answer(
    capfdbinary: pytest.CaptureFixture[bytes], standin: Standin
) -> None:
    standin.fault("500", host="si", times=-1)
    code, out, _ = run(capfdbinary, "doctor")
    assert code == 1
    assert "NO ANSWER: Smithsonian Open Access API: " in out


@pytest.mark.standin
def test_doctor_rechecks_disputed_facts(
    capfdbinary: pytest.CaptureFixture[bytes], standin: Standin
) -> None:
    code, out, _ = run(capfdbinary, "doctor", "--facts")
    assert "holds: More than 1,000 rows are answered with 10." in out
    assert "holds: fq is dropped in silence." in out
    # The stand-in serves records of 2020, when Asian art still had its old code.
    assert "DIFFERS: Asian art is NMAA; FSG matches nothing. Seen: NMAA 0, FSG 1." in out
    assert code == 1


def test_providers_name_the_hosts_that_may_be_reached(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    code, out, _ = run(capfdbinary, "providers")
    assert code == 0
    assert "smithsonian: Smithsonian Open Access; 6 tools" in out
    assert "may reach api.si.edu" in out
