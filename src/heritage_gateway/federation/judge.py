"""Does this exist? What can be said of one id, link or citation, and what it was concluded from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from heritage_gateway.capability import Listed, Work
from heritage_gateway.federation.citation_text import Reading, read, words_of
from heritage_gateway.federation.likeness import alike, folded, same_date, same_title
from heritage_gateway.federation.lists import Known, Outcome, ask
from heritage_gateway.federation.lookup import Look, Namer, claims, look_up
from heritage_gateway.text import clip, inline

Existence = Literal["exists", "not_found", "cannot_tell"]
_ROWS = 10
_MOST_KEYS = 3
_MOST_CANDIDATES = 5
_LIKE = 0.4  # of 1; what is less like the title is no candidate for it
_TELLING_WORDS = 3  # a title of fewer words is borne by many things


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the caller says of a thing; `text` is what is to be checked."""

    text: str
    title: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    field: Literal["title", "date"]
    claimed: str
    recorded: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A record as a house has it."""

    house: str
    id: str
    title: str
    date: str
    link: str

    @classmethod
    def of(cls, house: str, work: Work) -> Thing:
        return cls(house, work.id, work.title, work.date or work.iso, work.link)

    @classmethod
    def listed(cls, house: str, row: Listed) -> Thing:
        return cls(house, row.id, row.title, row.date or "", row.link or "")


@dataclass(frozen=True, slots=True)
class Judged:
    """`tried` are look-ups and searches in words, in order; `why` is there unless a thing was found."""

    verdict: Existence
    thing: Thing | None = None
    why: str = ""
    differences: tuple[Difference, ...] = ()
    tried: tuple[str, ...] = ()
    candidates: tuple[Thing, ...] = ()
    retry_after: float | None = None


@dataclass(slots=True)
class _Trail:
    """What was tried for one thing, and the shortest known wait after which more can be told."""

    tried: list[str] = field(default_factory=list[str])
    waits: list[float] = field(default_factory=list[float])

    def looked(self, given: str, looks: Sequence[Look]) -> None:
        shown = inline(clip(given, 120))
        for look in looks:
            said = "found" if look.work else "no such record"
            if look.is_foreign:
                said = "this is no id there"
            elif look.error and look.is_open:
                said = f"no answer ({look.error.reason}): {look.error.message}"
                self._wait(look.error.retry_after)
            self.tried.append(f"{look.house}, record {shown}: {said}.".replace("..", "."))

    def searched(self, words: str, outcomes: Sequence[Outcome]) -> None:
        for found in outcomes:
            if found.results:
                said = f"{found.results.total:,} found."
            else:
                said = f"{found.state}: {found.error.message}" if found.error else found.state
                self._wait(found.error.retry_after if found.error else None)
            self.tried.append(f'{found.known.title}, searched for "{inline(words)}": {said}')

    def _wait(self, seconds: float | None) -> None:
        self.waits += [seconds] if seconds is not None else []

    def judged(self, verdict: Existence, **more: Any) -> Judged:
        wait = min(self.waits, default=None) if verdict == "cannot_tell" else None
        return Judged(verdict, tried=tuple(self.tried), retry_after=wait, **more)


@dataclass(frozen=True, slots=True)
class Judge:
    """`absent` are houses that are not here, in words: nobody can tell what they hold."""

    houses: tuple[Namer, ...]
    lists: tuple[Known, ...]
    absent: tuple[str, ...] = ()

    async def judge(self, claimed: Claimed) -> Judged:
        trail = _Trail()
        text = claimed.text.strip()
        claim, houses = claims(self.houses, text)
        if claim == "mine" or (claim == "maybe" and any(map(str.isdigit, text))):
            return await self._of_id(text, houses, claimed, trail, is_sure=claim == "mine")
        reading = read(text)
        if reading.links and reading.links[0] == text:
            return trail.judged("cannot_tell", why="No house of this server has such links.")
        if not any(map(str.isspace, text)) and reading.ids and not claimed.title:
            return trail.judged("cannot_tell", why="No house of this server has ids of this form.")
        return await self._of_text(reading, claimed, trail)

    # -- ids ---------------------------------------------------------------------------------------

    async def _of_id(
        self,
        given: str,
        houses: Sequence[Namer],
        claimed: Claimed,
        trail: _Trail,
        *,
        is_sure: bool,
    ) -> Judged:
        looks = await look_up(houses, given)
        trail.looked(given, looks)
        things = [Thing.of(look.house, look.work) for look in looks if look.work]
        if things:
            things.sort(key=lambda thing: _differences(claimed, thing) != ())
            return trail.judged(
                "exists",
                thing=things[0],
                differences=_differences(claimed, things[0]),
                candidates=tuple(things[1:]),
            )
        if any(look.is_open for look in looks):
            return trail.judged("cannot_tell", why="A house that may have it gave no answer.")
        if not any(look.is_absent for look in looks):
            hints = " ".join(
                f"{look.error.message} {look.error.hint}" for look in looks if look.error
            )
            return trail.judged("cannot_tell", why=hints)
        if not is_sure and self.absent:
            return trail.judged(
                "cannot_tell", why=f"It may be an id of a house that is not here: {self._not_here}."
            )
        return trail.judged("not_found", why="No record has this id.")

    @property
    def _not_here(self) -> str:
        return ", ".join(self.absent)

    # -- citations ---------------------------------------------------------------------------------

    async def _of_text(self, reading: Reading, claimed: Claimed, trail: _Trail) -> Judged:
        """By the ids and links in it, else by its title."""
        stated = replace(
            claimed,
            title=claimed.title or (reading.title if reading.is_sure else ""),
            date=claimed.date or reading.dated,
        )
        title = claimed.title or reading.title
        keys = [(key, *claims(self.houses, key)) for key in (*reading.links, *reading.ids)]
        sure = [(key, houses) for key, claim, houses in keys if claim == "mine"][:_MOST_KEYS]
        loose = [(key, houses) for key, claim, houses in keys if claim == "maybe"][:_MOST_KEYS]
        looks: list[Look] = []
        for key, houses in sure or loose:
            found = await look_up(houses, key)
            trail.looked(key, found)
            for look in found:
                if look.work and (sure or not title or _named(reading, title, look.work.title)):
                    thing = Thing.of(look.house, look.work)
                    differences = _differences(stated, thing, reading)
                    return trail.judged("exists", thing=thing, differences=differences)
            looks += found
        if any(look.is_open for look in looks):
            return trail.judged("cannot_tell", why="A house that may have it gave no answer.")
        by_title = await self._of_title(title, reading, stated, trail)
        if sure and any(look.is_absent for look in looks):
            if by_title.verdict == "exists" and by_title.thing:
                return replace(
                    by_title,
                    verdict="cannot_tell",
                    thing=None,
                    differences=(),
                    why="No record has the id that is cited, but one has the title.",
                    candidates=(by_title.thing,),
                )
            return trail.judged(
                "not_found",
                why="No record has the id that is cited.",
                candidates=by_title.candidates,
            )
        return by_title

    async def _of_title(
        self, title: str, reading: Reading, stated: Claimed, trail: _Trail
    ) -> Judged:
        words = words_of(title)
        if not words or not self.lists:
            why = "It holds no id, link or title that could be looked up."
            return trail.judged("cannot_tell", why=why)
        outcomes = await ask(self.lists, words, _ROWS)
        trail.searched(words, outcomes)
        rows = [(found, row) for found in outcomes if found.results for row in found.results.rows]
        wanted = [
            (found, row)
            for found, row in rows
            if same_title(title, row.title) and same_date(stated.date, row.date or "") is not False
        ]
        wanted = _each_once(wanted)
        dated = [pair for pair in wanted if same_date(stated.date, pair[1].date or "")]
        if len(wanted) == 1 or len(dated) == 1:
            return await self._of_row((dated or wanted)[0], title, reading, stated, trail)
        candidates = _candidates(title, rows)
        if wanted:
            why = f"{len(wanted)} records have this title; an id or a date tells which is meant."
            return trail.judged("cannot_tell", why=why, candidates=candidates)
        if rows:
            why = "No record with this title is among the first that hold its words."
            return trail.judged("cannot_tell", why=why, candidates=candidates)
        return await self._of_nothing(title, reading, outcomes, trail)

    async def _of_row(
        self,
        pair: tuple[Outcome, Listed],
        title: str,
        reading: Reading,
        stated: Claimed,
        trail: _Trail,
    ) -> Judged:
        """A row of the right title, held against its record."""
        found, row = pair
        thing, creators = Thing.listed(found.known.title, row), ""
        claim, houses = claims(self.houses, row.link or row.id)
        if claim == "mine":
            looks = await look_up(houses, row.link or row.id)
            trail.looked(row.id, looks)
            for look in looks:
                if look.work:
                    thing = Thing.of(look.house, look.work)
                    creators = " ".join(creator.name for creator in look.work.creators)
        date = same_date(stated.date, thing.date)
        # a title with a comma in it is no citation, and names nobody
        names = () if same_title(reading.text, thing.title) else reading.names
        author = _named_in(names, creators)
        if date is False or author is False:
            which = "date" if date is False else "creator"
            why = f"A record has this title, but another {which}."
            return trail.judged("cannot_tell", why=why, candidates=(thing,))
        if len(folded(title).split()) < _TELLING_WORDS and not date and not author:
            why = "Such a short title may be that of many things; a date or a name would tell."
            return trail.judged("cannot_tell", why=why, candidates=(thing,))
        # a title cut before its subtitle is that title, not another
        return trail.judged("exists", thing=thing)

    async def _of_nothing(
        self, title: str, reading: Reading, outcomes: Sequence[Outcome], trail: _Trail
    ) -> Judged:
        """No row at all: what was heard is weighed, and fewer words are tried before a verdict."""
        if any(found.results and found.results.total for found in outcomes):
            return trail.judged("cannot_tell", why="Records hold its words, but none was shown.")
        silent = [found.known.title for found in outcomes if not found.results]
        if silent or self.absent:
            why = f"Nothing can be told of {', '.join(dict.fromkeys((*silent, *self.absent)))}."
            return trail.judged("cannot_tell", why=why)
        fewer = _fewer(title, reading.names)
        if fewer and fewer != words_of(title):
            again = await ask(self.lists, fewer, _ROWS)
            trail.searched(fewer, again)
            if not all(found.results for found in again):
                return trail.judged("cannot_tell", why="A house that may have it gave no answer.")
            rows = [(found, row) for found in again if found.results for row in found.results.rows]
            if candidates := _candidates(title, rows, least=_LIKE):
                why = "No record has these words all together, but some have a title like it."
                return trail.judged("cannot_tell", why=why, candidates=candidates)
        return trail.judged("not_found", why="No record of any house has the words of its title.")


def _differences(
    claimed: Claimed, thing: Thing, reading: Reading | None = None
) -> tuple[Difference, ...]:
    """What is claimed and is not so; what is not claimed, or not recorded, is no difference."""
    found: list[Difference] = []
    title = claimed.title or (reading.title if reading else "")
    is_named = _named(reading, title, thing.title) if reading else same_title(title, thing.title)
    if reading and title == reading.title and not reading.is_sure:
        # a sentence with an id in it claims no title; a citation has a name or a date as well
        is_named = is_named or not (reading.names or reading.dated)
    if title and thing.title and not is_named:
        found.append(Difference("title", clip(title, 300), thing.title))
    if same_date(claimed.date, thing.date) is False:
        found.append(Difference("date", clip(claimed.date, 100), thing.date))
    return tuple(found)


def _named(reading: Reading, title: str, recorded: str) -> bool:
    """Does a citation name a record by its title, wherever in its text?"""
    return same_title(title, recorded) or f" {folded(recorded)} " in f" {folded(reading.text)} "


def _named_in(names: Sequence[str], creators: str) -> bool | None:
    """None where the citation names nobody, or the record does."""
    if not names or not creators:
        return None
    words = set(folded(creators).split())
    return any(set(folded(name).split()) <= words for name in names)


def _each_once(pairs: list[tuple[Outcome, Listed]]) -> list[tuple[Outcome, Listed]]:
    """A thing may stand in two lists of one house."""
    return list({(row.link or row.id): (found, row) for found, row in pairs}.values())


def _candidates(
    title: str, rows: Sequence[tuple[Outcome, Listed]], least: float = 0.0
) -> tuple[Thing, ...]:
    """The rows most like it first."""
    ranked = sorted(
        ((alike(title, row.title), found, row) for found, row in rows), key=lambda one: -one[0]
    )
    things = (
        Thing.listed(found.known.title, row) for likeness, found, row in ranked if likeness >= least
    )
    return tuple(dict.fromkeys(things))[:_MOST_CANDIDATES]


def _fewer(title: str, names: Sequence[str]) -> str:
    """The two longest words of a title, in their order, with the name before it."""
    words = words_of(title).split()
    telling = sorted(words, key=len, reverse=True)[:2]
    kept = [word for word in words if word in telling]
    return " ".join([*names[:1], *dict.fromkeys(kept)]) if len(words) > 1 else ""
