"""What README.md says is what the product does."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from fastmcp import Client

from conftest import Standin
from docs.blocks import README, blocks, under
from docs.tables import PAGES, RIGHTS, rewritten, variables
from heritage_gateway import cli
from heritage_gateway.capability import Creator, Permission, Work
from heritage_gateway.citation import Style, cautions
from heritage_gateway.federation.comparison import Existence
from heritage_gateway.plugin import Services
from heritage_gateway.registry import ABOVE, load
from heritage_gateway.server import build
from heritage_gateway.settings import GatewaySettings
from heritage_loc.settings import ENDPOINT, LocSettings
from heritage_smithsonian.settings import DEMO_PACE, KEY_PACE

TEXT = README.read_text("utf-8")
COMMANDS = [
    shlex.split(command)[1:]
    for block in (*under("Tools"), *under("Command line"))
    for command in block.commands
    if command.startswith("heritage-gateway")
]


def between(name: str) -> str:
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    return TEXT.partition(begin)[2].partition(end)[0].strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_of_a_page_are_those_of_the_product(page: Path) -> None:
    told = "run .venv/bin/python tests/docs/tables.py"
    assert rewritten(page) == page.read_text("utf-8"), told


def test_it_names_no_variable_that_does_not_exist() -> None:
    house = load(Services(GatewaySettings.read()))
    named = set(re.findall(r"\b(?:HERITAGE|SMITHSONIAN|LOC)_[A-Z_]+", TEXT))
    assert named == variables(house)


def test_its_two_commands_stand_near_its_top_and_set_up_in_the_same_way() -> None:
    setup, test = (between(name).splitlines() for name in ("setup", "test"))
    assert [setup[0], setup[-1], test[0], test[-1]] == ["```sh", "```", "```sh", "```"]
    assert (len(setup), len(test)) == (3, 3)
    assert TEXT[: TEXT.index(test[1])].count("\n") < 40
    make, install, show = setup[1].split(" && ")
    whole = install.replace("-e .", "-e '.[mirror]'")
    assert test[1].split(" && ") == [make, f"{whole} --group dev", ".venv/bin/pytest"]
    assert show == ".venv/bin/heritage-gateway demo"


def test_ci_runs_exactly_its_test_command() -> None:
    ci = (README.parent / ".ci" / "run").read_text("utf-8")
    taken = next(line for line in ci.splitlines() if line.startswith("command=$("))
    extract = f"{taken}\nprintf '%s' \"$command\""
    told = subprocess.run(
        ["bash", "-c", extract], cwd=README.parent, capture_output=True, text=True, check=True
    )
    assert told.stdout == between("test").splitlines()[1]


def test_its_limits_are_those_that_are_kept() -> None:
    assert f"| none (`DEMO_KEY`) | 30 | {DEMO_PACE.admits(3600):.0f} |" in TEXT
    assert f"| your own | 1000 | {KEY_PACE.admits(3600):.0f} |" in TEXT
    settings = LocSettings.read()
    www, tile, linked = (
        upstream(rate_limits=True).paces[ENDPOINT]
        for upstream in (settings.www, settings.tile, settings.linked_data)
    )
    assert (www.burst, www.interval) == (4, 4)
    assert (
        f"4 at once, then one every 4 seconds: at most {www.admits(60):.0f} in any minute" in TEXT
    )
    assert (tile.burst, tile.rate, tile.per) == (10, 60, 60)
    assert f"10 at once, then 60 a minute: at most {tile.admits(60):.0f} in any minute" in TEXT
    assert (linked.burst, linked.interval) == (5, 1)
    assert "5 at once, then one a second" in TEXT


def test_the_slower_pace_keeps_what_two_notes_of_the_library_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "`LOC_BURST=1` with\n`LOC_INTERVAL=7` keeps both numbers" in TEXT
    monkeypatch.setenv("LOC_BURST", "1")
    monkeypatch.setenv("LOC_INTERVAL", "7")
    pace = LocSettings.read().www(rate_limits=True).paces[ENDPOINT]
    assert pace.admits(60) <= 10
    assert pace.burst == 1
    assert pace.interval >= 5


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_its_commands_are_understood(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (
        cli.cache,
        cli.call,
        cli.demo,
        cli.doctor,
        cli.providers,
        cli.serve,
        cli.tools,
    ):
        monkeypatch.setattr(module, "run", lambda *_: 0)
    if words == ["--version"]:
        with pytest.raises(SystemExit, match=r"^0$"):
            cli.main(words)
    else:
        assert cli.main(words) == 0


def test_it_shows_every_command() -> None:
    shown = {word for words in COMMANDS for word in words[:1]}
    assert shown == {
        *("serve", "call", "tools", "providers", "doctor", "cache", "demo", "mirror", "--version"),
    }
    assert [] in COMMANDS


@pytest.mark.standin
@pytest.mark.parametrize(
    "words",
    [words for words in COMMANDS if words[:1] not in ([], ["serve"], ["--version"])],
    ids=" ".join,
)
def test_its_commands_do_what_they_say(
    words: list[str],
    standin: Standin,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    del standin
    monkeypatch.chdir(tmp_path)  # a picture is saved where one stands
    status = cli.main(words)
    told = capsysbinary.readouterr()
    # The stand-in is small, so that a fact may differ there; it is looked at all the same.
    assert status == 0 or words == ["doctor", "--facts"], told
    assert told.out.strip()


@pytest.mark.parametrize(
    "page",
    [
        *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
        *("docs/architecture.md", "docs/mirror.md", "docs/citations-and-rights.md"),
    ],
)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    path = README.parent / page
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_it_shows_each_tool_above_the_collections_once() -> None:
    called = [words[1] for words in COMMANDS if words[:1] == ["call"]]
    assert [name for name in called if name.startswith("heritage_")] == [
        *("heritage_search", "heritage_verify", "heritage_cite", "heritage_view_image"),
    ]
    assert set(ABOVE) <= set(called)


@pytest.mark.anyio
async def test_what_it_says_of_the_smaller_list_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = await _listed()
    monkeypatch.setenv("HERITAGE_TOOLS", "contract")
    assert everything - await _listed() == {*ABOVE, "libofcongress_get_subject"}


async def _listed() -> set[str]:
    services = Services(GatewaySettings.read())
    async with Client(build(load(services), services)) as client:
        return {tool.name for tool in await client.list_tools()}


def test_the_page_on_citations_names_every_style_every_verdict_and_every_warning() -> None:
    text = RIGHTS.read_text("utf-8")
    for word in (*get_args(Style), *get_args(Permission), *get_args(Existence)):
        assert f"`{word}`" in text, word
    attributed = Creator("Catlin, George", "Attributed to")
    unsure = Work("1", "newspaper_page", "A page", "https://x.example", (attributed,), page="6")
    said = cautions(unsure)
    assert len(said) == 3
    assert all(f"| {caution} |" in text for caution in said)


@pytest.mark.anyio
@pytest.mark.standin
async def test_its_resources_can_be_read(standin: Standin) -> None:
    del standin
    services = Services(GatewaySettings.read())
    async with Client(build(load(services), services)) as client:
        addresses = re.findall(r"`((?:skill|libofcongress)://[^`{]+)`", TEXT)
        assert len(addresses) == 4
        for address in addresses:
            assert await client.read_resource(address)
        templates = {found.uri_template for found in await client.list_resource_templates()}
        assert set(re.findall(r"`(\w+://[^`]*\{[^`]+)`", TEXT)) <= templates
    await services.aclose()


def test_it_runs_nothing_that_is_not_in_this_project() -> None:
    shell = [command for block in blocks() if block.language == "sh" for command in block.commands]
    first = {Path(shlex.split(command)[0]).name for command in shell}
    assert first == {"python3", "heritage-gateway", "claude"}


def test_the_version_is_the_one_of_the_package() -> None:
    script = Path(sys.executable).parent / "heritage-gateway"
    told = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("heritage-gateway ")
