"""Does this exist? What can be said of one id, link or citation, and what it was concluded from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from heritage_gateway.capability import Listed
from heritage_gateway.federation.asking import side_by_side
from heritage_gateway.federation.citation_text import (
    Reading,
    fewer_words,
    read,
    unwrapped,
    words_of,
)
from heritage_gateway.federation.comparison import (
    YEAR_ALONE,
    Claimed,
    Difference,
    Existence,
    Judged,
    Thing,
    contradiction,
    dated,
    differing,
    is_made_by,
    is_pointed_at,
    named,
)
from heritage_gateway.federation.likeness import alike, folded, same_date, same_title
from heritage_gateway.federation.lists import Known, Outcome, ask
from heritage_gateway.federation.lookup import Look, Namer, claims, look_up, recased
from heritage_gateway.text import clip, inline

_ROWS = 10
_MOST_KEYS = 3
_MOST_CANDIDATES = 5
_LIKE = 0.4  # of 1; what is less like the title is no candidate for it
_TELLING_WORDS = 3  # a title of fewer words is borne by many things
_MOST_RECORDS = 10  # of rows with the title, to see which has the number that is cited
Row = tuple[Outcome, Listed]


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
            self.tried.append(f"{look.house}, record {shown}: {said.removesuffix('.')}.")

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
        text = unwrapped(claimed.text)
        is_word = not any(map(str.isspace, text))
        claim, houses = claims(self.houses, text) if is_word else ("foreign", ())
        if claim == "mine" or (claim == "maybe" and any(map(str.isdigit, text))):
            return await self._of_id(text, houses, claimed, trail, is_sure=claim == "mine")
        reading = read(claimed.text)
        if reading.links and reading.links[0] == text:
            return trail.judged("cannot_tell", why="No house of this server has such links.")
        if is_word and reading.ids and not claimed.title:
            return trail.judged("cannot_tell", why="No house of this server has ids of this form.")
        return await self._of_text(reading, claimed, trail)

    # -- ids ---------------------------------------------------------------------------------------

    async def _looked(self, given: str, houses: Sequence[Namer], trail: _Trail) -> tuple[Look, ...]:
        """As it is given, and where nobody has that, in the letter case that ids have."""
        looks = await look_up(houses, given)
        trail.looked(given, looks)
        if not all(look.is_absent for look in looks):
            return looks
        for other in recased(given):
            again = await look_up(houses, other)
            trail.looked(other, again)
            if not all(look.is_absent for look in again):
                return again
        return looks

    async def _of_id(
        self,
        given: str,
        houses: Sequence[Namer],
        claimed: Claimed,
        trail: _Trail,
        *,
        is_sure: bool,
    ) -> Judged:
        looks = await self._looked(given, houses, trail)
        things = [Thing.of(look.house, look.work) for look in looks if look.work]
        if things:
            things.sort(key=lambda thing: differing(claimed, thing) != ())
            return trail.judged(
                "exists",
                thing=things[0],
                differences=differing(claimed, things[0]),
                candidates=tuple(things[1:]),
            )
        if any(look.is_open for look in looks):
            return trail.judged("cannot_tell", why="A house that may have it gave no answer.")
        absent = [look.house for look in looks if look.is_absent]
        if is_sure and not absent:
            hints = " ".join(
                f"{look.error.message} {look.error.hint}" for look in looks if look.error
            )
            return trail.judged("cannot_tell", why=hints)
        why = f"{' and '.join(absent) or 'No house'} has no record with this id."
        if is_sure:
            return trail.judged("not_found", why=why)
        return await self._of_number(given, claimed, why, trail)

    async def _of_number(self, given: str, claimed: Claimed, why: str, trail: _Trail) -> Judged:
        """What is no id may be the number of a thing, or stand in its record."""
        if YEAR_ALONE.fullmatch(given):
            return trail.judged("cannot_tell", why=f"{why} A year alone is that of many things.")
        outcomes = await ask(self.lists, given, _ROWS, everything=True)
        trail.searched(given, outcomes)
        rows = _each_once(_rows(outcomes))
        things = await self._things(rows, trail)
        reading = Reading(text=given, numbers=(given,))
        own = [thing for thing in things if is_pointed_at(reading, thing)]
        if len(own) == 1:
            return trail.judged("exists", thing=own[0], differences=differing(claimed, own[0]))
        if things:
            said = "Several records have this number." if own else "These records hold it."
            return trail.judged(
                "cannot_tell",
                why=f"{why} {said}",
                candidates=tuple(own or things)[:_MOST_CANDIDATES],
            )
        if silence := self._silence(outcomes):
            return trail.judged("cannot_tell", why=f"{why} {silence}")
        return trail.judged("not_found", why=f"{why} No list that was searched holds it.")

    def _silence(self, outcomes: Sequence[Outcome]) -> str:
        """Why a search without rows says nothing of what there is; empty where it does."""
        if any(found.results and found.results.total for found in outcomes):
            return "Records hold its words, but none was shown."
        silent = [found.known.title for found in outcomes if not found.results]
        unheard = ", ".join(dict.fromkeys((*silent, *self.absent)))
        return f"Nothing can be told of {unheard}." if unheard else ""

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
            found = await self._looked(key, houses, trail)
            for look in found:
                thing = Thing.of(look.house, look.work) if look.work else None
                if thing and (sure or not title or named(reading, title, thing)):
                    differences = differing(stated, thing, reading)
                    return trail.judged("exists", thing=thing, differences=differences)
            looks += found
        if any(look.is_open for look in looks):
            return trail.judged("cannot_tell", why="A house that may have it gave no answer.")
        by_title = await self._of_title(title, reading, stated, trail)
        if sure and any(look.is_absent for look in looks):
            if by_title.verdict == "exists" and by_title.thing:
                if is_pointed_at(reading, by_title.thing):
                    return by_title
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
        outcomes = await ask(self.lists, words, _ROWS, everything=True)
        trail.searched(words, outcomes)
        rows = _rows(outcomes)
        titled = _each_once([(found, row) for found, row in rows if same_title(title, row.title)])
        if own := await self._of_own(title, titled, reading, stated, trail):
            return own
        wanted = [
            pair for pair in titled if same_date(stated.date, pair[1].date or "") is not False
        ]
        exact = [pair for pair in wanted if same_date(stated.date, pair[1].date or "")]
        if len(wanted) == 1 or len(exact) == 1:
            return await self._of_row((exact or wanted)[0], title, reading, stated, trail)
        if not rows:
            return await self._of_nothing(title, reading, stated, outcomes, trail)
        differences: tuple[Difference, ...] = ()
        if wanted:
            why = f"{len(wanted)} records have this title; an id or a date tells which is meant."
        elif titled:
            why = "A record has this title, but another date."
            differences = differing(stated, Thing.listed(titled[0][0].known.title, titled[0][1]))
        else:
            why = "No record with this title is among the first that hold its words."
        return trail.judged(
            "cannot_tell", why=why, differences=differences, candidates=_candidates(title, rows)
        )

    async def _of_own(
        self,
        title: str,
        titled: Sequence[Row],
        reading: Reading,
        stated: Claimed,
        trail: _Trail,
    ) -> Judged | None:
        """The record whose number or link is cited; None where none is cited, or found."""
        if not reading.numbers and not reading.links:
            return None
        own = await self._own(title, titled, reading, trail)
        if len(own) == 1:
            differences = differing(stated, own[0], reading)
            return trail.judged("exists", thing=own[0], differences=differences)
        if own:
            why = "Several records have this title and number."
            return trail.judged("cannot_tell", why=why, candidates=own[:_MOST_CANDIDATES])
        return None

    async def _own(
        self, title: str, titled: Sequence[Row], reading: Reading, trail: _Trail
    ) -> tuple[Thing, ...]:
        """Of several with its title those whose number or link is cited; the number is searched, too."""
        things = await self._things(titled, trail)
        if own := tuple(thing for thing in things if is_pointed_at(reading, thing)):
            linked = replace(reading, numbers=(), text="")
            return tuple(thing for thing in own if is_pointed_at(linked, thing)) or own
        for number in reading.numbers[:1]:
            outcomes = await ask(self.lists, number, _ROWS, everything=True)
            trail.searched(number, outcomes)
            things = await self._things(_each_once(_rows(outcomes)), trail)
        return tuple(
            thing
            for thing in things
            if is_pointed_at(reading, thing) and named(reading, title, thing)
        )

    async def _things(self, rows: Sequence[Row], trail: _Trail) -> tuple[Thing, ...]:
        """The records of rows; where there is none to be had, what the row says."""
        return await side_by_side(
            partial(self._thing, pair, trail) for pair in rows[:_MOST_RECORDS]
        )

    async def _thing(self, pair: Row, trail: _Trail) -> Thing:
        found, row = pair
        for key in filter(None, (row.id, row.link)):
            claim, houses = claims(self.houses, key)
            if claim == "foreign":
                continue
            looks = await look_up(houses, key)
            for look in looks:
                if look.work and (claim == "mine" or same_title(row.title, look.work.title)):
                    return Thing.of(look.house, look.work)
            trail.looked(key, [look for look in looks if not look.work])
        return Thing.listed(found.known.title, row)

    async def _of_row(
        self,
        pair: Row,
        title: str,
        reading: Reading,
        stated: Claimed,
        trail: _Trail,
    ) -> Judged:
        """A row of the right title, held against its record."""
        thing = await self._thing(pair, trail)
        if thing.is_record:
            trail.tried.append(f"{thing.house}, record {inline(clip(pair[1].id, 120))}: found.")
        date = dated(stated.date, thing)
        # a title with a comma in it is no citation, and names nobody
        names = () if same_title(reading.text, thing.title) else reading.names
        author = is_made_by(names, thing.creators)
        other = contradiction(reading, thing, date=date, author=author)
        if other:
            why = f"A record has this title, but another {other}."
            differences = differing(stated, thing) if other == "date" else ()
            return trail.judged(
                "cannot_tell", why=why, differences=differences, candidates=(thing,)
            )
        if names and not thing.is_record:
            why = "A record has this title; whether its creator is the one named could not be seen."
            return trail.judged("cannot_tell", why=why, candidates=(thing,))
        if len(folded(title).split()) < _TELLING_WORDS and not date and not author:
            why = "Such a short title may be that of many things; a date or a name would tell."
            return trail.judged("cannot_tell", why=why, candidates=(thing,))
        # a title cut before its subtitle is that title, not another
        return trail.judged("exists", thing=thing)

    async def _of_nothing(
        self,
        title: str,
        reading: Reading,
        stated: Claimed,
        outcomes: Sequence[Outcome],
        trail: _Trail,
    ) -> Judged:
        """No row at all: what was heard is weighed, and fewer words are tried before a verdict."""
        if silence := self._silence(outcomes):
            return trail.judged("cannot_tell", why=silence)
        head, *rest = title.split(",")
        if rest and not reading.is_sure and title == reading.title and len(head.split()) > 1:
            # "Title, Creator": what follows must then be borne out by the record
            names = tuple(part.strip() for part in rest if part.strip())
            shorter = replace(reading, title=head, names=names)
            return await self._of_title(head, shorter, stated, trail)
        fewer = fewer_words(title, reading.names)
        if fewer and fewer != words_of(title):
            again = await ask(self.lists, fewer, _ROWS, everything=True)
            trail.searched(fewer, again)
            if not all(found.results for found in again):
                return trail.judged("cannot_tell", why="A house that may have it gave no answer.")
            if candidates := _candidates(title, _rows(again), least=_LIKE):
                why = "No record has these words all together, but some have a title like it."
                return trail.judged("cannot_tell", why=why, candidates=candidates)
        return trail.judged("not_found", why="No record of any house has the words of its title.")


def _rows(outcomes: Sequence[Outcome]) -> list[Row]:
    return [(found, row) for found in outcomes if found.results for row in found.results.rows]


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
