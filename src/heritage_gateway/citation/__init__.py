"""Citations of a work in the styles of scholarship and the formats of reference managers; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Literal

from heritage_gateway.capability import Work
from heritage_gateway.citation.apa import apa
from heritage_gateway.citation.bibtex import bibtex
from heritage_gateway.citation.chicago import chicago
from heritage_gateway.citation.csl import csl, csl_json
from heritage_gateway.citation.dates import dating
from heritage_gateway.citation.mla import mla
from heritage_gateway.citation.names import credited
from heritage_gateway.citation.ris import ris

Style = Literal["chicago", "mla", "apa", "bibtex", "ris", "csl-json"]
PROSE: tuple[Style, ...] = (
    "chicago",
    "mla",
    "apa",
)  # the styles that are read rather than imported

_STYLES: Mapping[Style, Callable[[Work, date], str]] = {
    "chicago": chicago,
    "mla": mla,
    "apa": apa,
    "bibtex": bibtex,
    "ris": ris,
    "csl-json": csl_json,
}


def cite(work: Work, style: Style, accessed: date) -> str:
    """The citation; in the styles that are read it is markdown, with titles in italics."""
    return _STYLES[style](work, accessed)


def cautions(work: Work) -> tuple[str, ...]:
    """What a reader should know of a citation before it is used."""
    said: list[str] = []
    if not dating(work).is_known:
        said.append("The record gives no date.")
    if work.kind == "newspaper_page" and work.page:
        said.append("The page is the number of the image in the issue.")
    if any(name.attributed for name in credited(work.creators).makers):
        said.append("The record attributes the work; it does not say who made it.")
    return tuple(said)


__all__ = ["PROSE", "Style", "cautions", "cite", "csl"]
