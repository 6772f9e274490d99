"""Small rooms, each with a sentence at its door; the core never spells a provider's name."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from heritage_gateway.registry import installed

ROOT = Path(__file__).parents[2]
CORE = ROOT / "src"
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 60

# Words that are the name of a provider too, and whose they are.
NAMESAKES = {'"loc"': "pydantic's, for the place of an error in what was given"}

# What may be longer, and why: "path" or "path::function".
WAIVERS: dict[str, str] = {}

MODULES = sorted(path for folder in (CORE, ROOT / "providers") for path in folder.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def too_long(path: Path) -> Iterator[str]:
    source = path.read_text("utf-8")
    if len(source.splitlines()) > MOST_LINES:
        yield name(path)
    for function in functions(ast.parse(source)):
        if (function.end_lineno or 0) - function.lineno + 1 > MOST_LINES_OF_A_FUNCTION:
            yield f"{name(path)}::{function.name}"


def words(source: str) -> Iterator[str]:
    """All of a module but comments and docstrings: names and strings decide what it does."""
    told = {
        node.body[0].value.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT and token.start[0] not in told:
            yield token.string


def test_no_module_and_no_function_is_longer_than_agreed() -> None:
    found = {waived for path in MODULES for waived in too_long(path)}
    assert found - set(WAIVERS) == set()


def test_every_waiver_is_still_needed_and_has_a_reason() -> None:
    found = {waived for path in MODULES for waived in too_long(path)}
    assert set(WAIVERS) - found == set()
    assert all(WAIVERS.values())


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_opens_with_a_sentence(path: Path) -> None:
    told = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert told
    assert told.split("\n\n")[0].rstrip().endswith((".", ":"))


_WORD = re.compile(r"[^\W_]+")  # an underscore parts words; "lock" and "local" hold no "loc"


def spelt(text: str, names: set[str]) -> set[str]:
    """The names of providers that stand in a text as whole words."""
    return names & set(_WORD.findall(text.lower()))


def test_the_core_never_spells_the_name_of_a_provider() -> None:
    providers = set(installed())
    assert providers
    for path in sorted(CORE.rglob("*.py")):
        for word in words(path.read_text("utf-8")):
            found = spelt(word, providers)
            allowed = word in NAMESAKES or _introduces_the_server(word)
            assert not found or allowed, f"{name(path)}: {word}"


def test_a_spelt_name_would_be_found() -> None:
    assert spelt("heritage_loc.plugin", {"loc"}) == {"loc"}
    assert spelt('"https://www.loc.gov/"', {"loc", "smithsonian"}) == {"loc"}
    assert spelt("LOC_BASE_URL", {"loc"}) == {"loc"}
    assert spelt("the lock of a local block", {"loc"}) == set()


def _introduces_the_server(word: str) -> bool:
    """The help of the command line says in one sentence what the product is about."""
    return "One MCP server for the Smithsonian" in word


def test_every_room_stands_on_the_page_about_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    packages = {ROOT / "src" / "heritage_gateway"} | {
        ROOT / "providers" / entry.module.partition(".")[0] for entry in installed().values()
    }
    rooms = {
        path.stem + ("/" if path.is_dir() else "")
        for package in packages
        for path in package.iterdir()
        if not path.name.startswith(("_", ".")) and path.name != "py.typed"
    }
    assert {room for room in rooms if f"`{room}`" not in page} == set()
