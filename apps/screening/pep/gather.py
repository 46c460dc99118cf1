"""Gathers a PEP report: `POST /compliance/pep-screen` (document 1 section 2.6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.core.canonical import digest
from apps.screening.models.reports import PepReport
from apps.screening.rules import pep as rules
from apps.screening.rules.narrowing import Standing, standing
from apps.screening.rules.offices import Office
from apps.watchlists import engine as engines
from apps.watchlists.engine import Engine
from apps.watchlists.holders import Resembled, office_holders
from apps.watchlists.matching.index import MatchIndex
from apps.watchlists.namefield import read
from apps.watchlists.rules import PEP_SCORE, percent
from apps.watchlists.values import ListedEntity

LIMIT = 50


@dataclass(frozen=True, slots=True)
class Holder:
    """A listed office holder that the name resembles, and where he stands to a country."""

    ref: str
    dataset: str
    name: str
    countries: tuple[str, ...]
    fact: rules.Fact
    rule: rules.Rule
    standing: Standing = "ASKED_FOR_NONE"

    def office(self, day: date) -> Office | None:
        """Return the office to show: a current one before a former, the latest first."""
        ranked = sorted(
            self.fact.offices,
            key=lambda one: (one.current(day), one.national(), one.since),
            reverse=True,
        )
        return ranked[0] if ranked else None


def holders(
    *, name: str, index: MatchIndex, day: date, country: str = "", position: str = ""
) -> list[Holder]:
    """Return the office holders at 0.60 or more, of any country, the likeliest first."""
    found = [
        _match(one, index.entity(one.hit.position), country, position, day)
        for one in _resembled(name, index, country)
    ]
    kept = [one for one in found if one.fact.score >= PEP_SCORE]
    return sorted(kept, key=lambda one: (-one.fact.confidence, -one.fact.score, one.ref))


def _resembled(name: str, index: MatchIndex, country: str) -> Iterator[Resembled]:
    """Yield whom a part of the name field resembles, each once, by the part that does most."""
    best: dict[str, Resembled] = {}
    for part in read(name).parts:
        for one in office_holders(index=index, name=part.text, limit=LIMIT, country=country):
            rival = best.get(one.hit.ref)
            if rival is None or (one.hit.score, rival.by_sound) > (rival.hit.score, one.by_sound):
                best[one.hit.ref] = one
    yield from best.values()


def _match(one: Resembled, entity: ListedEntity, country: str, position: str, day: date) -> Holder:
    hit = one.hit
    offices = tuple(
        Office(held.title, held.country or only(entity.countries), held.since, held.until)
        for held in entity.positions
    )
    score = percent(hit.score)
    known = {code.upper() for code in (*entity.countries, *(one.country for one in offices))}
    stands = standing(country=country, countries=known - {""}, offices=offices)
    of_country = stands in ("OF_IT", "ABOVE_STATES")
    sure = rules.confidence(score=score, position=position, offices=offices, near=one.near)
    borne_out = of_country or rules.holds(position=position, offices=offices)
    fact = rules.Fact(score, sure, offices, one.by_sound and not borne_out)
    rule = rules.level(fact, day)
    return Holder(hit.ref, hit.dataset, hit.name, tuple(entity.countries), fact, rule, stands)


def only(countries: tuple[str, ...]) -> str:
    """Return the one country of several that is certain: the only one, else none."""
    return countries[0] if len(countries) == 1 else ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A report of the last 6 hours, as it was given."""

    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """The holders that a new report names, the likeliest first.

    `left_out` counts those whom the country asked for left out, `unread` are sentences why the
    name was not fully checked.
    """

    key: str
    question: list[str]
    lists: Engine
    holders: tuple[Holder, ...]
    left_out: int = 0
    unread: tuple[str, ...] = ()

    @property
    def country(self) -> str:
        """The country that the report was narrowed to, empty for none."""
        return self.question[1]


def gather(*, asked: dict[str, Any], now: datetime) -> Kept | Found:
    """Look for office holders of a name, unless a report of the last 6 hours is kept.

    Raises 503 when there is no usable PEP list.
    """
    lists = engines.current(now, need=("pep",))
    name, country, position = asked["name"], asked.get("country", ""), asked.get("position", "")
    question = [name, country.upper(), position]
    # the day is part of the key: an office may end at midnight
    known = [lists.list_set.id, *lists.lacking("pep")]
    key = digest([question, known, rules.VERSION, now.date()])
    kept = PepReport.kept(key=key, now=now)
    if kept is not None:
        return Kept(kept)
    asked_for = {"name": name, "country": country, "position": position}
    found = holders(index=lists.pep, day=now.date(), **asked_for)
    counted = tuple(one for one in found if one.standing != "ELSEWHERE")
    left_out = len(found) - len(counted)
    return Found(key, question, lists, counted, left_out, tuple(read(name).unread))
