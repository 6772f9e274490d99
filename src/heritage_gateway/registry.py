"""Which providers are installed, which are wanted, and which of them could be loaded."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from heritage_gateway.plugin import Provider, Services
from heritage_gateway.settings import SettingsError
from heritage_gateway.tool import AnyTool

log = logging.getLogger(__name__)
GROUP = "heritage_gateway.providers"

# The tools over all providers: no provider may take such a name, and each may be switched off.
ABOVE = ("heritage_search", "heritage_verify", "heritage_cite", "heritage_view_image")


@dataclass(frozen=True, slots=True)
class House:
    """The providers that serve, and why others do not (name -> one sentence).

    `disabled` are tools that are left out; with `contract_only` all that the contract does not know.
    """

    providers: tuple[Provider, ...]
    failures: Mapping[str, str]
    switched_off: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    contract_only: bool = False

    def tools(self, provider: Provider) -> tuple[AnyTool, ...]:
        """The tools of a provider that are served."""
        return tuple(
            tool
            for tool in provider.tools
            if tool.name not in self.disabled
            and (not self.contract_only or tool.name in provider.contract)
        )


def installed() -> dict[str, EntryPoint]:
    """Sorted by name, so that tools are listed in the same order everywhere."""
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def load(services: Services, known: Mapping[str, EntryPoint] | None = None) -> House:
    """Load the wanted plugins; one that fails is left out and reported, the rest serves.

    Raises `SettingsError` for a name in HERITAGE_PROVIDERS that no installed plugin has.
    """
    known = installed() if known is None else known
    wanted = services.settings.providers
    if wanted is not None and (unknown := [name for name in wanted if name not in known]):
        raise SettingsError(
            f"HERITAGE_PROVIDERS cannot be used: no provider is called {', '.join(unknown)}; "
            f"installed are {', '.join(known) or 'none'}."
        )
    providers: list[Provider] = []
    failures: dict[str, str] = {}
    for name, entry in known.items():
        if wanted is not None and name not in wanted:
            continue
        try:
            providers.append(_checked(entry.load()(services)))
        except SettingsError:
            raise  # a wrong variable is the user's to mend, and must not serve half
        except (Exception, SystemExit) as error:  # a plugin may not end the server either
            failures[name] = f"{name} could not be loaded: {type(error).__name__}."
            log.exception("provider %s could not be loaded; the others serve", name)
    # A tool of a provider that failed to load may be meant: nobody can tell.
    _check_names(providers, () if failures else services.settings.disable_tools)
    off = tuple(name for name in known if wanted is not None and name not in wanted)
    return House(
        tuple(providers),
        failures,
        switched_off=off,
        disabled=services.settings.disable_tools,
        contract_only=services.settings.tools == "contract",
    )


def _checked(provider: object) -> Provider:
    if not isinstance(provider, Provider):
        raise TypeError("a plugin returns a Provider")
    return provider


def _check_names(providers: list[Provider], disabled: Sequence[str]) -> None:
    names = [*(tool.name for provider in providers for tool in provider.tools), *ABOVE]
    lists = [one.key for provider in providers for one in provider.searching]
    for noun, known in (("tool", names), ("list", lists)):
        if twice := {name for name in known if known.count(name) > 1}:
            raise SettingsError(f"Two providers offer a {noun} called {', '.join(sorted(twice))}.")
    if unknown := [name for name in disabled if name not in names]:
        raise SettingsError(
            f"HERITAGE_DISABLE_TOOLS cannot be used: no tool is called {', '.join(unknown)}; "
            f"there are {', '.join(names)}."
        )
