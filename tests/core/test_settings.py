"""The environment: read once, blanks count as absent, and a wrong variable is named in a sentence."""

from __future__ import annotations

import pytest

from heritage_gateway.settings import GatewaySettings, SettingsError
from heritage_smithsonian.settings import DEMO_PACE, KEY_PACE, SmithsonianSettings


def test_without_any_variable_everything_has_a_default() -> None:
    assert GatewaySettings.read() == GatewaySettings()
    assert GatewaySettings().providers is None


def test_names_are_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERITAGE_PROVIDERS", " smithsonian, loc ,,")
    assert GatewaySettings.read().providers == ("smithsonian", "loc")


def test_a_blank_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERITAGE_ANSWER_BUDGET", "")
    monkeypatch.setenv("HERITAGE_CALL_DEADLINE", " \n")
    monkeypatch.setenv("HERITAGE_PROVIDERS", " , ")
    monkeypatch.setenv("HERITAGE_CACHE_DIR", "")
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "  \n")
    assert GatewaySettings.read() == GatewaySettings.model_construct()
    assert not SmithsonianSettings.read().has_own_key


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("HERITAGE_ANSWER_BUDGET", "many", "HERITAGE_ANSWER_BUDGET cannot be used: "),
        ("HERITAGE_ANSWER_BUDGET", "-1", "HERITAGE_ANSWER_BUDGET cannot be used: "),
        ("HERITAGE_CALL_DEADLINE", "0", "HERITAGE_CALL_DEADLINE cannot be used: "),
        ("HERITAGE_LOG_LEVEL", "loud", "HERITAGE_LOG_LEVEL cannot be used: "),
        ("HERITAGE_OUTPUT_SCHEMAS", "no", "HERITAGE_OUTPUT_SCHEMAS cannot be used: "),
    ],
)
def test_a_wrong_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        GatewaySettings.read()
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://x",
        "api.si.edu",
        "http://",
        "https://user:word@api.si.edu",
        "https://api.si.edu/?key=1",
    ],
)
def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("SMITHSONIAN_BASE_URL", address)
    with pytest.raises(SettingsError, match="SMITHSONIAN_BASE_URL cannot be used"):
        SmithsonianSettings.read()


def test_blanks_and_line_ends_in_a_key_are_stripped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", " abc \n def\r\n")
    assert SmithsonianSettings.read().api(paced=True).headers == {"X-Api-Key": "abcdef"}


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "SECRETSECRET")
    settings = SmithsonianSettings.read()
    assert "SECRET" not in repr(settings) + str(settings) + repr(settings.api(paced=True))


def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SMITHSONIAN_API_KEY", "SECRÉT")
    with pytest.raises(SettingsError) as caught:
        SmithsonianSettings.read()
    assert "SMITHSONIAN_API_KEY" in str(caught.value)
    assert "SECR" not in str(caught.value)


def test_each_pace_keeps_below_95_percent_of_the_published_hour() -> None:
    assert DEMO_PACE.admits(3600) <= 30 * 0.95
    assert KEY_PACE.admits(3600) <= 1000 * 0.95


def test_a_stray_dotenv_file_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / ".env").write_text("HERITAGE_ANSWER_BUDGET=1\n")
    monkeypatch.chdir(folder)
    assert GatewaySettings.read().answer_budget == 20_000
