"""Gather a PEP report: `POST /compliance/pep-screen` (document 1 section 2.6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.compliance.screening.models.cached_reports import KeptReport, PepReport
from apps.compliance.screening.rules import pep as pep_rules
from apps.compliance.screening.rules.offices import Office
from apps.compliance.screening.rules.pep_country_filter import CountryTie, classify_country_tie
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.names.cpu_budget import CpuBudgetExceeded, check_cpu_budget
from apps.reference.watchlists import engine
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET, screen_cpu_budget
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.pep_search import PepResemblance, find_resembling_peps
from apps.reference.watchlists.rules.score_limits import PEP_SCORE, to_whole_percent

LIMIT = 50  # PEPs per part of a name; the report shows fewer (services.SHOWN) and counts all


@dataclass(frozen=True, slots=True)
class OfficeHolder:
    """A PEP that matches the name, and the relation to the requested country."""

    ref: str
    dataset: str
    name: str
    countries: tuple[str, ...]
    fact: pep_rules.PepMatch
    rule: pep_rules.PepRule
    standing: CountryTie = "ASKED_FOR_NONE"

    def office(self, day: date) -> Office | None:
        """Return the office to show: a current one before a former, the latest first."""
        ranked = sorted(
            self.fact.offices,
            key=lambda held_office: (
                held_office.current(day),
                held_office.national(),
                held_office.since,
            ),
            reverse=True,
        )
        return ranked[0] if ranked else None


def find_office_holders(
    *, name: str, index: MatchIndex, day: date, country: str = "", position: str = ""
) -> list[OfficeHolder]:
    """Return the PEPs at 0.60 or more, of any country, most likely first."""
    holders = [
        _build_holder(resemblance, index.entity(resemblance.hit.position), country, position, day)
        for resemblance in _find_resemblances(name, index, country)
    ]
    likely = [holder for holder in holders if holder.fact.score >= PEP_SCORE]
    return sorted(
        likely, key=lambda holder: (-holder.fact.confidence, -holder.fact.score, holder.ref)
    )


def _find_resemblances(name: str, index: MatchIndex, country: str) -> Iterator[PepResemblance]:
    """Yield the PEPs that a part of the name field resembles, each once, by its best part."""
    best: dict[str, PepResemblance] = {}
    for part in parse_name_field(name).parts:
        check_cpu_budget()
        for resembling_pep in find_resembling_peps(
            index=index, name=part.text, limit=LIMIT, country=country
        ):
            rival = best.get(resembling_pep.hit.ref)
            # the better score; of equal ones the one that does not agree by sound alone
            if rival is None or (resembling_pep.hit.score, rival.by_sound) > (
                rival.hit.score,
                resembling_pep.by_sound,
            ):
                best[resembling_pep.hit.ref] = resembling_pep
    yield from best.values()


def _build_holder(
    pep_resemblance: PepResemblance, entity: ListedEntity, country: str, position: str, day: date
) -> OfficeHolder:
    hit = pep_resemblance.hit
    offices = tuple(
        Office(
            office.title,
            # without a country of the office the only one of the person; of several none is certain
            office.country or sole_country(entity.countries),
            office.since,
            office.until,
        )
        for office in entity.positions
    )
    score = to_whole_percent(hit.score)
    known = {code.upper() for code in (*entity.countries, *(office.country for office in offices))}
    tie = classify_country_tie(country=country, countries=known - {""}, offices=offices)
    of_country = tie in ("OF_IT", "ABOVE_STATES")
    confidence = pep_rules.identity_confidence(
        score=score, position=position, offices=offices, near=pep_resemblance.near
    )
    confirmed = of_country or pep_rules.holds_given_office(position=position, offices=offices)
    fact = pep_rules.PepMatch(
        score, confidence, offices, pep_resemblance.by_sound and not confirmed
    )
    rule = pep_rules.rate_match(fact, day)
    return OfficeHolder(hit.ref, hit.dataset, hit.name, tuple(entity.countries), fact, rule, tie)


def sole_country(countries: tuple[str, ...]) -> str:
    """Return the one country of several that is certain: the only one, else none."""
    return countries[0] if len(countries) == 1 else ""


@dataclass(frozen=True, slots=True)
class PepReportInputs:
    """The PEPs of a new report, most likely first.

    `left_out` counts those excluded by the requested country; `unread` are sentences why the name
    was not fully checked.
    """

    key: str
    question: list[str]
    lists: Engine
    holders: tuple[OfficeHolder, ...]
    left_out: int = 0
    unread: tuple[str, ...] = ()

    @property
    def country(self) -> str:
        """The country that the report was narrowed to, empty for none."""
        return self.question[1]


def gather_pep_report(*, asked: dict[str, Any], now: datetime) -> KeptReport | PepReportInputs:
    """Search PEPs for a name, unless a report of the last 6 hours is cached.

    Raises 503 when there is no usable PEP list.
    """
    lists = engine.load_current_engine(now, need=("pep",))
    name, country, position = asked["name"], asked.get("country", ""), asked.get("position", "")
    question = [name, country.upper(), position]
    # the day is part of the key: an office may end at midnight
    basis = [lists.list_set.id, *lists.lacking("pep")]
    key = canonical_digest([question, basis, pep_rules.VERSION, now.date()])
    stored = PepReport.kept(key=key, now=now)
    if stored is not None:
        return KeptReport(stored)
    asked_for = {"name": name, "country": country, "position": position}
    unread = dict.fromkeys(parse_name_field(name).unread)
    office_holders: list[OfficeHolder] = []
    try:
        with screen_cpu_budget():
            office_holders = find_office_holders(index=lists.pep, day=now.date(), **asked_for)
    except CpuBudgetExceeded:
        # the report then has no matches and its signed statement says that the name was not checked
        unread[OVER_BUDGET] = None
    counted = tuple(
        office_holder for office_holder in office_holders if office_holder.standing != "ELSEWHERE"
    )
    left_out = len(office_holders) - len(counted)
    return PepReportInputs(key, question, lists, counted, left_out, tuple(unread))
