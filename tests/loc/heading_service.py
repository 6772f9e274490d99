"""A small id.loc.gov with headings and see-from terms of the tests' own choosing.

It matches as the real one does: every word is a beginning of a word of the heading or of one of its
see-from terms, hits are counted from 1, and the older service mixes names among the subjects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import httpx

URI = "http://id.loc.gov/authorities/subjects/"
MONTH = {"cache-control": "public, max-age=2419200"}

# label: see-from terms
HEADINGS: dict[str, tuple[str, ...]] = {
    "Motion pictures": ("Cinema", "Films", "Movies", "Moving-pictures"),
    "Motion pictures--History": (),
    "Motion picture theaters": ("Movie theaters",),
    "World War, 1939-1945": ("Second World War, 1939-1945", "World War II, 1939-1945"),
    "World War, 1939-1945--Aerial operations": (),
    "World War, 1914-1918": ("First World War, 1914-1918", "World War I, 1914-1918"),
    "Photography, Aerial": ("Aerial photography", "Air photography"),
    "Aerial photographs": (),
    "Cats": ("Domestic cats", "House cats"),
    "Cats in literature": (),
    "Caterpillars": (),
    "Jazz": ("Jazz music",),
    "Jazz--History and criticism": (),
    "Jazz musicians": ("Musicians, Jazz",),
    "Voyages and travels": ("Journeys", "Travels"),
    "Labor movement": (),
    "Cookery": (),
    "Cooking": ("Cookery",),
    "Afro-Americans": (),
    "African Americans": ("Afro-Americans", "Black Americans"),
}
TOKENS = {label: f"sh{85000001 + number}" for number, label in enumerate(HEADINGS)}
REPLACED = {"Afro-Americans": "African Americans", "Cookery": "Cooking"}


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def holds(text: str, wanted: Sequence[str]) -> bool:
    return all(any(word.startswith(one) for word in words(text)) for one in wanted)


class HeadingService:
    """`fails` names the parts that answer with 503: suggest2, suggest, label or record."""

    def __init__(self, *fails: str, headings: dict[str, tuple[str, ...]] | None = None) -> None:
        self.fails = set(fails)
        self.headings = HEADINGS if headings is None else headings
        self.tokens = {label: f"sh{85000001 + n}" for n, label in enumerate(self.headings)}
        self.asked: list[httpx.URL] = []
        self.names = 6

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.answer)

    def answer(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        if url.host != "id.loc.gov":
            raise httpx.ConnectError("no such host here")
        self.asked.append(url)
        path = unquote(url.path)
        if path.endswith("/suggest2"):
            return self._part("suggest2", self.suggest2(url.params))
        if path == "/suggest/":
            return self._part("suggest", self.suggest(url.params))
        if "/label/" in path:
            return self._part("label", self.label(path.split("/label/")[1]))
        return self._part("record", self.record(path.rsplit("/", 1)[1].removesuffix(".json")))

    def _part(self, name: str, reply: httpx.Response) -> httpx.Response:
        return httpx.Response(500, html="failing") if name in self.fails else reply

    # -- suggestions -------------------------------------------------------------------------------

    def _matching(self, typed: str) -> list[tuple[str, str]]:
        """Labels with the see-from term that matched, in no order that would help anybody."""
        wanted = words(typed)
        found: list[tuple[str, str]] = []
        for label, variants in self.headings.items():
            if label in REPLACED:
                continue
            via = (
                ""
                if holds(label, wanted)
                else next((v for v in variants if holds(v, wanted)), None)
            )
            if via is not None:
                found.append((label, via))
        return sorted(found, key=lambda pair: ("--" not in pair[0], pair[0]))

    def suggest2(self, params: httpx.QueryParams) -> httpx.Response:
        assert params["searchtype"] == "keyword"
        start, count = int(params.get("offset", "1")), int(params["count"])
        hits = self._matching(params["q"])
        page = [
            {
                "suggestLabel": label,
                "aLabel": label,
                "vLabel": via,
                "uri": URI + self.tokens[label],
                "token": self.tokens[label],
                "rank": "1",
            }
            for label, via in hits[start - 1 : start - 1 + count]
        ]
        body = {"q": f"{params['q']}*", "count": len(hits), "start": start, "hits": page}
        return httpx.Response(200, json=body, headers=MONTH)

    def suggest(self, params: httpx.QueryParams) -> httpx.Response:
        assert params["memberOf"] == "http://id.loc.gov/authorities/subjects"
        subjects = [(label, URI + self.tokens[label]) for label, _ in self._matching(params["q"])]
        names = [
            (f"{params['q']} {n}", f"http://id.loc.gov/authorities/names/n{n:08}")
            for n in range(self.names)
        ]
        children = [("Children", "http://id.loc.gov/authorities/childrensSubjects/sj96004000")]
        pool = (names + children + subjects)[: int(params["count"])]
        lists = [params["q"], [a for a, _ in pool], ["1 result"] * len(pool), [b for _, b in pool]]
        return httpx.Response(200, json=lists, headers=MONTH)

    # -- headings ----------------------------------------------------------------------------------

    def label(self, typed: str) -> httpx.Response:
        known = {label.lower(): label for label in self.headings}
        label = known.get(typed.lower())
        if label is None:
            return httpx.Response(404, html="<html><body>404</body></html>")
        token = self.tokens[label]
        headers = {"location": f"/authorities/subjects/{token}", "x-uri": URI + token}
        return httpx.Response(302, headers=headers)

    def record(self, token: str) -> httpx.Response:
        label = next((name for name, known in self.tokens.items() if known == token), None)
        if label is None:
            return httpx.Response(404, html="<html><body>404</body></html>")
        mads = "http://www.loc.gov/mads/rdf/v1#"
        own: dict[str, Any] = {
            "@id": URI + token,
            f"{mads}authoritativeLabel": [{"@value": label, "@language": "en"}],
            f"{mads}hasVariant": [
                {f"{mads}variantLabel": [{"@value": variant}], "@id": f"_:b{n}"}
                for n, variant in enumerate(self.headings[label])
            ],
        }
        nodes = [own]
        if label in REPLACED:
            instead = REPLACED[label]
            own["@type"] = [f"{mads}DeprecatedAuthority"]
            own[f"{mads}useInstead"] = [{"@id": URI + self.tokens[instead]}]
            nodes.append(
                {
                    "@id": URI + self.tokens[instead],
                    f"{mads}authoritativeLabel": [{"@value": instead}],
                }
            )
        return httpx.Response(200, json=nodes, headers=MONTH)
