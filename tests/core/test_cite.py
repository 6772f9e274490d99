"""heritage_cite over houses of strangers: each id to its house, failures apart, cut at a citation."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from conftest import Standin
from core.citation.made_works import PAINTING, PLANE
from core.virtual_time import run
from desk import Desk, check
from heritage_gateway.capability import Claim, Naming, Verdict, Work
from heritage_gateway.errors import NothingFound, Queued, Reason, UpstreamUnavailable
from heritage_gateway.federation import federated
from heritage_gateway.federation.cite import cite_works
from heritage_gateway.plugin import Provider, Services
from heritage_gateway.registry import House
from heritage_gateway.settings import EnvironmentSettings, GatewaySettings
from heritage_gateway.tool import Answer, Border
from mirror import unsaid

NAME = "heritage_cite"


@dataclass
class Shelf:
    """A house that has the works `a1` to `a9`, and troubles of all kinds under other names."""

    letter: str
    asked: list[str] = field(default_factory=list)
    title: str = "A Seminole Woman"

    def claim(self, given: str) -> Claim:
        if given.startswith(self.letter):
            return "mine"
        return "maybe" if given.startswith("x") else "foreign"

    async def work(self, given: str) -> Work:
        self.asked.append(given)
        if "down" in given:
            raise UpstreamUnavailable("The catalogue is down.", "Try again later.")
        if "full" in given:
            raise Queued("No place is free.", "Nothing was sent.", retry_after=90.0)
        if "slow" in given:
            await anyio.sleep(3600)
        if "crash" in given:
            raise KeyError("https://secret.example/?api_key=SECRET")
        if not given[-1].isdigit():
            raise NothingFound(Reason.NOT_FOUND, f"There is no {given}.", "Search for it.")
        return replace(PAINTING, id=given, title=self.title, link=f"https://x.example/{given}")

    @property
    def provider(self) -> Provider:
        return Provider(
            name=self.letter,
            title=f"House {self.letter}",
            settings=EnvironmentSettings(),
            tools=(),
            instructions="",
            naming=Naming(self.claim, self.work),
        )


def asked(
    *shelves: Shelf, deadline: float = 40.0, budget: int = 20_000, **arguments: Any
) -> Answer:
    """On a loop where time passes at once."""
    place = House(tuple(shelf.provider for shelf in shelves), {})

    async def call() -> Answer:
        tool = cite_works(place, Services(GatewaySettings.read()))
        answer = await Border(deadline, budget).call(tool, {"accessed": "2026-10-08", **arguments})
        check(tool, answer)
        return answer

    answer = run(call())
    assert answer.is_error or not unsaid(answer)
    return answer


def test_citations_come_in_the_order_given_each_from_its_house() -> None:
    answer = asked(Shelf("a"), Shelf("b"), ids=["b2", " a1 ", "b3"])
    told = answer.structure["citations"]
    assert [(one["given"], one["id"], one["house"]) for one in told] == [
        ("b2", "b2", "House b"),
        ("a1", "a1", "House a"),
        ("b3", "b3", "House b"),
    ]
    assert told[0]["text"] == (
        "Catlin, George. *A Seminole Woman*. 1838. Oil on canvas. Smithsonian American Art Museum, "
        "1985.66.307. Accessed October 8, 2026. https://x.example/b2."
    )
    assert answer.structure["accessed"] == "2026-10-08"
    assert "failed" not in answer.structure or answer.structure["failed"] == []
    assert "continue" not in answer.structure


@pytest.mark.parametrize("style", ["chicago", "mla", "apa", "bibtex", "ris", "csl-json"])
def test_every_style_says_the_same_in_text_and_structure(style: str) -> None:
    shelf = Shelf("a", title=r'A ``` "fence" \ {brace} *star*')
    answer = asked(shelf, ids="a1", style=style)
    (one,) = answer.structure["citations"]
    assert one["text"] in answer.text
    if style == "csl-json":
        assert json.loads(one["text"])["title"] == shelf.title
    if style not in {"chicago", "mla", "apa"}:
        assert "````\n" in answer.text  # the fence is longer than any row of backticks inside


@pytest.mark.parametrize("given", ["a1", '["a1"]', ["a1"]])
def test_one_id_may_come_without_a_list(given: object) -> None:
    assert [one["id"] for one in asked(Shelf("a"), ids=given).structure["citations"]] == ["a1"]


def test_what_fails_spoils_nothing_else() -> None:
    shelf = Shelf("a")
    ids = ["a1", "nobody's", "a-down", "a-crash", "a-none", "a-full", "a-slow", "a2"]
    answer = asked(shelf, ids=ids)
    assert [one["id"] for one in answer.structure["citations"]] == ["a1", "a2"]
    failed = {one["given"]: one["reason"] for one in answer.structure["failed"]}
    assert failed == {
        "nobody's": "invalid_id",
        "a-down": "upstream_unavailable",
        "a-crash": "internal",
        "a-none": "not_found",
        "a-full": "rate_limit_exceeded",
        "a-slow": "upstream_timeout",
    }
    assert "SECRET" not in answer.text
    assert answer.structure["continue"] == {
        "tool": NAME,
        "arguments": {
            "ids": ["a-down", "a-full", "a-slow"],
            "style": "chicago",
            "accessed": "2026-10-08",
        },
    }
    assert "6 ids could not be cited" in answer.structure["notice"]


def test_nothing_cited_is_an_error_that_names_each_and_an_outage_outranks_an_absence() -> None:
    answer = asked(Shelf("a"), ids=["a-none", "a-down", "a-full"])
    assert answer.is_error
    assert answer.reason == "upstream_unavailable"
    assert answer.structure["error"]["data"].get("retry_after") is None  # the wait of another id
    assert "a-none: There is no a-none." in answer.text
    assert "a-down: The catalogue is down." in answer.text
    assert asked(Shelf("a"), ids=["a-none", "nobody's"]).reason == "not_found"
    alone = asked(Shelf("a"), ids="a-full")
    assert alone.reason == "rate_limit_exceeded"
    assert alone.structure["error"]["data"]["retry_after"] == 90.0


def test_those_who_may_have_it_are_asked_until_one_has_it_and_nobody_twice() -> None:
    a, b = Shelf("a"), Shelf("b")
    answer = asked(a, b, ids=["x1", "b1", "b1", "x1"])
    assert [one["house"] for one in answer.structure["citations"]] == ["House a", "House b"]
    assert (a.asked, b.asked) == (["x1"], ["b1"])
    assert "given twice" in answer.structure["notice"]


def test_what_is_the_own_of_one_house_is_asked_of_no_other() -> None:
    class Claiming(Shelf):
        def claim(self, given: str) -> Claim:
            return "maybe"

    other = Claiming("b")
    assert asked(Shelf("a"), other, ids=["a-none"]).reason == "not_found"
    assert asked(Shelf("a"), other, ids=["a-down"]).reason == "upstream_unavailable"
    assert other.asked == []


def test_a_house_that_gave_no_answer_is_named_where_another_had_it() -> None:
    first = Shelf("a")
    broken = replace_work(first, UpstreamUnavailable("It is down.", "Later."))
    (one,) = asked(broken, Shelf("b"), ids=["x1"]).structure["citations"]
    assert one["house"] == "House b"
    assert one["warnings"] == ["House a may have a record of this id too, and gave no answer."]


def replace_work(shelf: Shelf, error: Exception) -> Shelf:
    class Broken(Shelf):
        async def work(self, given: str) -> Work:
            self.asked.append(given)
            raise error

    return Broken(shelf.letter)


def test_an_absence_is_no_absence_while_another_house_is_silent() -> None:
    silent = replace_work(Shelf("b"), UpstreamUnavailable("It is down.", "Later."))
    answer = asked(Shelf("a"), silent, ids=["x-none"])
    assert answer.reason == "upstream_unavailable"


def test_an_answer_too_large_is_cut_at_a_citation_and_goes_on() -> None:
    ids = [f"a{number}" for number in range(10, 60)]
    shelf = Shelf("a")
    whole = {one["id"] for one in asked(shelf, ids=ids).structure["citations"]}
    assert whole == set(ids)
    seen: list[str] = []
    while ids:
        answer = asked(Shelf("a"), budget=2_000, ids=ids)
        served = [one["id"] for one in answer.structure["citations"]]
        assert served
        seen += served
        ids = answer.structure.get("continue", {"arguments": {"ids": []}})["arguments"]["ids"]
        assert not ids or "cut to" in answer.structure["notice"]
    assert seen == [f"a{number}" for number in range(10, 60)]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"ids": []}, "ids"),
        ({"ids": [f"a{n}" for n in range(51)]}, "ids"),
        ({"ids": ["a1"], "style": "turabian"}, "style"),
        ({"ids": ["a1"], "accessed": "yesterday"}, "accessed"),
        ({"ids": ["a1"], "format": "mla"}, "format"),
    ],
)
def test_what_is_wrong_is_refused_by_name(arguments: dict[str, Any], named: str) -> None:
    answer = asked(Shelf("a"), **arguments)
    assert answer.reason == "invalid_input"
    assert f"`{named}" in answer.text


def test_what_to_check_is_said_with_a_citation() -> None:
    class Undated(Shelf):
        async def work(self, given: str) -> Work:
            return replace(PLANE, id=given)

    (one,) = asked(Undated("a"), ids="a1").structure["citations"]
    assert one["warnings"] == ["The record gives no date."]


def test_what_may_be_done_with_a_work_stands_beside_its_citation() -> None:
    class Kept(Shelf):
        async def work(self, given: str) -> Work:
            return replace(PLANE, id=given, rights=Verdict("conditions", "Ask us.", "objectRights"))

    answer = asked(Kept("a"), ids="a1")
    (one,) = answer.structure["citations"]
    assert one["rights"] == {
        "permission": "conditions",
        "words": "Ask us.",
        "field": "objectRights",
    }
    assert 'may it be used: conditions, by "Ask us." (objectRights)' in answer.text
    (silent,) = asked(Shelf("a"), ids="a1").structure["citations"]
    assert silent["rights"] == {"permission": "unknown"}


def test_the_day_of_access_is_asked_for_in_its_form() -> None:
    for day in ("yesterday", "10/08/2026", "2026-02-30", "20261008"):
        answer = asked(Shelf("a"), ids="a1", accessed=day)
        assert answer.is_error
        assert "YYYY-MM-DD" in answer.text


def test_failures_are_cut_to_the_budget_too_and_asked_for_again() -> None:
    ids = ["a1", *(f"a-{number}-none" + "x" * 60 for number in range(49))]
    answer = asked(Shelf("a"), ids=ids, budget=4_000)
    assert len(answer.text) < 9_000
    told, failed = answer.structure["citations"], answer.structure["failed"]
    assert len(told) == 1
    assert 0 < len(failed) < 49
    assert answer.structure["continue"]["arguments"]["ids"] == ids[1 + len(failed) :]
    assert f"{49 - len(failed)} more could not be cited; `continue` gets them." in answer.text


def test_the_tool_is_there_only_where_a_provider_names_works() -> None:
    services = Services(GatewaySettings.read())
    mute = replace(Shelf("a").provider, naming=None)

    def offered(provider: Provider) -> set[str]:
        return {tool.name for tool in federated(House((provider,), {}), services)}

    assert NAME in offered(Shelf("a").provider)
    assert NAME not in offered(mute)


# -- the built-in providers ------------------------------------------------------------------------


@pytest.mark.standin
@pytest.mark.anyio
async def test_records_of_both_houses_in_one_answer(standin: Standin) -> None:
    async with Desk() as desk:
        ids = [
            "saam_1985.66.307",
            "https://www.loc.gov/item/2007680728/",
            "sn85025570/1894-06-07/ed-1",
            "https://www.loc.gov/resource/sn85025570/1894-06-07/ed-1/?sp=2",
            "https://chroniclingamerica.loc.gov/lccn/sn85025570/1894-06-07/ed-1/seq-2/",
            "saam_no.such.thing",
            "no such thing",
        ]
        answer = await desk.call(NAME, ids=ids, accessed="2026-10-08")
        told = answer.structure["citations"]
        assert [one["given"] for one in told] == ids[:4]
        assert {one["given"] for one in answer.structure["failed"]} == set(ids[5:])
        assert told[0]["text"].startswith(
            "Catlin, George. *A Seminole Woman*. 1838. Oil on canvas."
        )
        assert "*[John Morrill, Boston Beaneaters, baseball card portrait]*" in told[1]["text"]
        assert "June 7, 1894" in told[2]["text"]
        assert "June 7, 1894, p. 2." in told[3]["text"]
        assert f"cited under another of its names: {ids[4]}" in answer.structure["notice"]
        assert not unsaid(answer)
        for style in ("mla", "apa", "bibtex", "ris", "csl-json"):
            assert not unsaid(await desk.call(NAME, ids=ids[:4], style=style))


@pytest.mark.standin
@pytest.mark.anyio
async def test_a_failing_catalogue_does_not_cost_the_others_record(standin: Standin) -> None:
    standin.fault("500", host="si", path="^/content", times=-1)
    async with Desk() as desk:
        answer = await desk.call(NAME, ids=["saam_1985.66.307", "2007680728"])
        assert [one["given"] for one in answer.structure["citations"]] == ["2007680728"]
        (failed,) = answer.structure["failed"]
        assert failed["reason"].startswith("upstream")


@pytest.mark.standin
@pytest.mark.anyio
async def test_the_link_that_a_citation_prints_can_be_cited_again(standin: Standin) -> None:
    async with Desk() as desk:
        (first,) = (await desk.call(NAME, ids=["NASM_a19670093000"])).structure["citations"]
        assert "n2t.net/ark:/65665/" in first["link"]
        (again,) = (await desk.call(NAME, ids=[first["link"]])).structure["citations"]
        assert (again["id"], again["text"]) == ("nasm_A19670093000", first["text"])
    async with Desk() as desk:
        answer = await desk.call(NAME, ids=[first["link"]])
        assert answer.reason == "invalid_id"
        assert "Give the id of the record" in answer.text
