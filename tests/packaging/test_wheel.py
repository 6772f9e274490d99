"""The wheel is whole: built, installed far from the checkout, and run there."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from heritage_gateway import __version__
from heritage_gateway.cli.demo import ABOVE
from heritage_gateway.guides import SKILLS
from heritage_gateway.plugin import Services
from heritage_gateway.registry import load
from heritage_gateway.settings import GatewaySettings

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "heritage_gateway": "src",
    "heritage_loc": "providers",
    "heritage_smithsonian": "providers",
}

pytestmark = pytest.mark.heavy


def run(
    *words: str | Path, cwd: Path, environment: Mapping[str, str] = os.environ
) -> subprocess.CompletedProcess[str]:
    told = subprocess.run(
        words, cwd=cwd, env=dict(environment), capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a fresh environment that holds the wheel and nothing else."""
    home = tmp_path_factory.mktemp("far") / "venv"
    venv.create(home, with_pip=True)
    place = home / ("Scripts" if os.name == "nt" else "bin")
    constraints = ROOT / "constraints.txt"
    run(place / "python", "-m", "pip", "install", "-q", "-c", constraints, wheel, cwd=home)
    return place


def test_it_holds_every_file_of_every_package(names: set[str]) -> None:
    for package, folder in PACKAGES.items():
        files = {
            path.relative_to(ROOT / folder).as_posix()
            for path in (ROOT / folder / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert files - names == set()
        assert f"{package}/py.typed" in names


def test_it_holds_nothing_else(names: set[str]) -> None:
    assert {name.partition("/")[0] for name in names} == {
        *PACKAGES,
        f"heritage_gateway-{__version__}.dist-info",
    }


def test_it_holds_the_recorded_answers_of_the_demo(names: set[str]) -> None:
    house = load(Services(GatewaySettings.read()))
    recordings = [
        (ROOT / "providers", provider.demo.recording)
        for provider in house.providers
        if provider.demo
    ]
    assert len(recordings) == 2
    for root, recording in (*recordings, (ROOT / "src", ABOVE.recording)):
        assert recording.relative_to(root).as_posix() in names


def test_it_holds_the_guides(names: set[str]) -> None:
    house = load(Services(GatewaySettings.read()))
    own = [(ROOT / "providers", provider.skills) for provider in house.providers]
    for root, skills in (*own, (ROOT / "src", SKILLS)):
        assert skills is not None
        guides = {path.relative_to(root).as_posix() for path in skills.rglob("*.md")}
        assert guides
        assert guides <= names


def test_it_carries_licence_and_entry_points(wheel: Path) -> None:
    info = f"heritage_gateway-{__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        assert "MIT" in archive.read(f"{info}/licenses/LICENSE").decode()
        metadata = archive.read(f"{info}/METADATA").decode()
        entries = archive.read(f"{info}/entry_points.txt").decode()
    assert "Metadata-Version: 2.4\n" in metadata
    assert "License-Expression: MIT\n" in metadata
    assert (
        "[heritage_gateway.providers]\nloc = heritage_loc.plugin:plugin\nsmithsonian = " in entries
    )
    assert "[console_scripts]\nheritage-gateway = " in entries


def test_it_runs_far_from_the_checkout(scripts: Path, tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    } | {"HOME": str(tmp_path)}
    command = scripts / "heritage-gateway"
    told = run(command, "--version", cwd=tmp_path, environment=environment)
    assert told.stdout == f"heritage-gateway {__version__}\n"
    told = run(command, "demo", cwd=tmp_path, environment=environment)
    assert "> libofcongress_search_newspapers" in told.stdout
    assert "> smithsonian_search_objects" in told.stdout
    assert "Error (upstream" not in told.stdout
    assert list(tmp_path.iterdir()) == [], "the server writes nothing into the reader's folders"


def test_no_test_and_no_vcrpy_is_needed_to_run(scripts: Path, tmp_path: Path) -> None:
    told = run(scripts / "python", "-m", "pip", "list", "--format=freeze", cwd=tmp_path)
    assert {"pytest", "vcrpy", "hypothesis", "trustme"}.isdisjoint(
        line.partition("==")[0] for line in told.stdout.splitlines()
    )
