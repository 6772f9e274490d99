"""What pandoc makes of our CSL-JSON and BibTeX: the same names, titles and dates in the same order."""

from __future__ import annotations

import json
import re

import pytest

from core.citation.made_works import TODAY, WORKS
from heritage_gateway.capability import Work
from heritage_gateway.citation import cite, csl
from heritage_gateway.citation.dates import dating
from heritage_gateway.citation.names import credited

pypandoc = pytest.importorskip("pypandoc", reason="pandoc has no wheel here")
pytestmark = pytest.mark.heavy


def rendered(source: str, form: str) -> str:
    """In the style that pandoc ships: Chicago, author and date."""
    told = pypandoc.convert_text(source, "plain", form, extra_args=["--citeproc", "--wrap=none"])
    return " ".join(str(told).split())


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.id)
def test_pandoc_prints_what_we_say_in_our_order(work: Work) -> None:
    told = rendered(json.dumps([csl(work, TODAY)]), "csljson")
    ours = cite(work, "chicago", TODAY)
    names = credited(work.creators).makers
    parts = [name.inverted.rstrip(".") for name in names[:1]]
    parts += [name.plain for name in names[1:]]
    parts += [work.container if work.kind == "newspaper_page" else work.title.rstrip(".")]
    places = [told.casefold().find(part.casefold()) for part in parts]  # it capitalises titles
    assert -1 not in places, told
    assert places == sorted(places) or work.kind == "newspaper_page"
    assert [ours.find(part) for part in parts] == sorted(ours.find(part) for part in parts)
    assert re.search(re.escape(work.link), told)
    when = dating(work)
    assert (str(when.start[0]) if when.start else when.words or "n.d.") in told


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.id)
def test_pandoc_reads_our_bibtex_as_it_reads_our_csl(work: Work) -> None:
    told = json.loads(pypandoc.convert_text(cite(work, "bibtex", TODAY), "csljson", "bibtex"))
    (item,), ours = told, csl(work, TODAY)
    plain = [
        {k: re.sub("<[^>]+>", "", v) for k, v in one.items()} for one in item.get("author", [])
    ]
    names = [" ".join(one.values()) for one in plain]
    assert len(names) == len(ours.get("author", []))
    for name, one in zip(names, ours.get("author", []), strict=True):
        assert set(re.findall(r"\w+", " ".join(one.values()))) == set(re.findall(r"\w+", name))
    assert re.sub("<[^>]+>", "", item["title"]) == ours["title"]
    assert item["URL"] == ours["URL"]
