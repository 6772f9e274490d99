"""All houses at once, each answering on its own hosts, for the tools that stand above them."""

from __future__ import annotations

from collections.abc import Sequence

import httpx

from loc.pretend_library import PretendLibrary
from recording.page import Page, Scripted
from smithsonian.pretend_catalogue import PretendCatalogue


class PretendHouses:
    """`script` holds what is said first, in the order in which the requests come, whoever is asked."""

    def __init__(self, script: Sequence[Scripted]) -> None:
        self._script = list(script)
        self._library = PretendLibrary()
        self._catalogue = PretendCatalogue()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        scripted = self._script.pop(0) if self._script else None
        if isinstance(scripted, Page):
            return scripted.response()
        page = self._page(request)
        return (scripted(page) if scripted else page).response()

    def _page(self, request: httpx.Request) -> Page:
        if request.url.host.endswith(".loc.gov"):
            return self._library.answer(request)
        return self._catalogue.answer(request.url.path, dict(request.url.params))
