"""PEP screen: `POST /compliance/pep-screen`.

Specification: document 1 section 2.6; DESIGN.md section 4.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction

from apps.core.canonical import digest
from apps.core.signing import attest
from apps.screening import rules_pep
from apps.screening.models.reports import PepReport
from apps.screening.rules import percent
from apps.watchlists import engine as engines
from apps.watchlists.actions import remember_party
from apps.watchlists.engine import Engine
from apps.watchlists.matching.index import Hit, MatchIndex, Query
from apps.watchlists.models import PartyKind
from apps.watchlists.values import ListedEntity

LIMIT = 50
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Match:
    """A listed office holder that the name resembles."""

    ref: str
    dataset: str
    name: str
    countries: tuple[str, ...]
    fact: rules_pep.Fact
    rule: rules_pep.Rule

    def office(self, day: date) -> rules_pep.Office | None:
        """Return the office to show: a current one before a former, the latest first."""
        ranked = sorted(
            self.fact.offices,
            key=lambda one: (one.current(day), one.national(), one.since),
            reverse=True,
        )
        return ranked[0] if ranked else None


def matches(
    *, name: str, index: MatchIndex, day: date, country: str = "", position: str = ""
) -> list[Match]:
    """Return the office holders at 0.60 or more, the likeliest first."""
    cutoff = rules_pep.SHOWN_SCORE / 100
    hits = index.search(Query(name, schema="Person"), cutoff=cutoff, limit=LIMIT)
    found = [_match(hit, index.entity(hit.position), position, day) for hit in hits]
    kept = [
        one
        for one in found
        if one.fact.score >= rules_pep.SHOWN_SCORE
        and rules_pep.in_country(country=country, countries=_countries(one))
    ]
    return sorted(kept, key=lambda one: (-one.fact.confidence, -one.fact.score, one.ref))


def _match(hit: Hit, entity: ListedEntity, position: str, day: date) -> Match:
    offices = tuple(
        rules_pep.Office(one.title, one.country or _only(entity.countries), one.since, one.until)
        for one in entity.positions
    )
    score = percent(hit.score)
    raised = rules_pep.confidence(score=score, position=position, offices=offices)
    fact = rules_pep.Fact(score, raised, offices)
    rule = rules_pep.level(fact, day)
    return Match(hit.ref, hit.dataset, hit.name, tuple(entity.countries), fact, rule)


def _only(countries: tuple[str, ...]) -> str:
    return countries[0] if len(countries) == 1 else ""


def _countries(match: Match) -> set[str]:
    held = {office.country for office in match.fact.offices}
    return {one.upper() for one in (*match.countries, *held) if one}


def report(*, name: str, country: str = "", position: str = "", now: datetime) -> dict[str, Any]:
    """Return the PEP report of a name, at most 6 hours old.

    Raises 503 when there is no usable PEP list.
    """
    lists = engines.current(now, need=("pep",))
    question = [name, country.upper(), position]
    # the day is part of the key: an office may end at midnight
    key = digest([question, lists.list_set.id, rules_pep.VERSION, now.date()])
    kept = PepReport.objects.filter(key=key, expires_at__gt=now).first()
    if kept is not None:
        return dict(kept.body)
    found = matches(name=name, index=lists.pep, day=now.date(), country=country, position=position)
    body = _body(found, lists, question, now)
    with transaction.atomic():
        _keep(key, body, now)
        remember_party(kind=PartyKind.SCREENED, schema="Person", name=name, now=now)
    return body


def _keep(key: str, body: dict[str, Any], now: datetime) -> None:
    PepReport.objects.bulk_create(
        [
            PepReport(
                key=key,
                body=body,
                made_at=now,
                expires_at=now + timedelta(hours=rules_pep.CACHED_HOURS),
            )
        ],
        update_conflicts=True,
        update_fields=["body", "made_at", "expires_at"],
        unique_fields=["key"],
    )


def _body(found: list[Match], lists: Engine, question: list[str], now: datetime) -> dict[str, Any]:
    risk = rules_pep.gravest([one.rule.level for one in found])
    return {
        "riskLevel": risk,
        "pepMatches": [_shown(one, now.date()) for one in found[:SHOWN]],
        "matchCount": len(found),
        "eddRequired": rules_pep.edd_required(risk),
        "fatfR12": _attestation(found, risk, lists, question, now),
        "dataQuality": "SAMPLE" if lists.freshness["pep"].sample else "LIVE",
        "listVersions": lists.list_set.versions,
        "cachedAt": int(now.timestamp()),
    }


def _shown(match: Match, day: date) -> dict[str, Any]:
    office = match.office(day)
    return {
        "name": match.name,
        "position": office.title if office else None,
        "country": (office.country if office else "") or _only(match.countries) or None,
        "since": office.since if office else None,
        "until": (office.until or None) if office else None,
        "current": office.current(day) if office else None,
        "score": match.fact.score / 100,
        "confidence": match.fact.confidence / 100,
        "riskLevel": match.rule.level,
        "rule": match.rule.ref,
        "dataset": match.dataset,
        "entityId": match.ref,
    }


def _attestation(
    found: list[Match],
    risk: rules_pep.RiskLevel,
    lists: Engine,
    question: list[str],
    now: datetime,
) -> dict[str, Any]:
    """Return the signed statement for FATF R.12; it names the question by its digest only."""
    due = rules_pep.edd_required(risk)
    return attest(
        {
            "type": "FATF_R12_PEP",
            "question": digest(question),
            "checked": True,
            "riskLevel": risk,
            "matches": [one.ref for one in found[:SHOWN]],
            "eddRequired": due,
            "measures": list(rules_pep.MEASURES) if due else [],
            "rulesVersion": rules_pep.VERSION,
            "listSet": lists.list_set.id,
            "issuedAt": int(now.timestamp()),
        }
    )
