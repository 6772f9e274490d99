"""The providers that have cassettes, a further one needs only its line here, and all of them together."""

from __future__ import annotations

from collections.abc import Iterator

from core.cassette_cases import CASES
from core.pretend_houses import PretendHouses
from loc.cassette_cases import CASES as LOC_CASES
from loc.pretend_library import PretendLibrary
from recording.case import Case, House
from smithsonian.cassette_cases import CASES as SMITHSONIAN_CASES
from smithsonian.pretend_catalogue import ROOT, PretendCatalogue

PROVIDERS = (
    House("loc", LOC_CASES, lambda script: PretendLibrary(script=list(script)), pause=4.0),
    House(
        "smithsonian",
        SMITHSONIAN_CASES,
        lambda script: PretendCatalogue(script=list(script)),
        root=ROOT,
    ),
)
# What stands above them asks all of them.
HOUSES = (*PROVIDERS, House("heritage", CASES, PretendHouses, root=ROOT, pause=4.0))


def everything() -> Iterator[tuple[House, Case]]:
    return ((house, case) for house in HOUSES for case in house.cases)
