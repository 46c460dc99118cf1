"""Concludes a PEP report: its values, the signed statement, and what is kept of it."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.core.callers import Caller
from apps.core.canonical import digest
from apps.core.rendering import Wire, render
from apps.core.signing import attest
from apps.screening.models.answered import remember_answer
from apps.screening.models.reports import PepReport
from apps.screening.pep.gather import Found, Holder, Kept, only
from apps.screening.rules import narrowing
from apps.screening.rules import pep as rules
from apps.screening.rules.offices import END_NOT_KNOWN
from apps.screening.serializers.reports import PepReportOut
from apps.watchlists.encounters import remember_party
from apps.watchlists.engine import Engine
from apps.watchlists.models import PartyKind

SHOWN = 20


def conclude(
    *, asked: dict[str, Any], gathered: Kept | Found, caller: Caller, now: datetime
) -> Wire:
    """Return the report and record it; a new one is kept, and its party is remembered."""
    kept = isinstance(gathered, Kept)
    body = Wire(gathered.body) if isinstance(gathered, Kept) else _new(asked, gathered, caller, now)
    told = {"asked": asked, "body": body, "result": body["riskLevel"], "kept": kept}
    remember_answer(kind="PEP", owner=caller.ref, now=now, **told)
    return body


def _new(asked: dict[str, Any], gathered: Found, caller: Caller, now: datetime) -> Wire:
    body = render(PepReportOut, _values(gathered, now))
    until = now + timedelta(hours=rules.CACHED_HOURS)
    PepReport.keep(key=gathered.key, body=body, now=now, until=until)
    met = {"kind": PartyKind.SCREENED, "schema": "Person", "name": asked["name"]}
    remember_party(**met, owner=caller.ref, pep=True, now=now)
    return body


def _values(gathered: Found, now: datetime) -> dict[str, Any]:
    found, lists = gathered.holders, gathered.lists
    risk = rules.gravest([one.rule.level for one in found])
    return {
        "risk_level": risk,
        "pep_matches": [_shown(one, gathered.country, now.date()) for one in found[:SHOWN]],
        "match_count": len(found),
        "edd_required": rules.edd_required(risk),
        "fatf_r12": _attestation(gathered, risk, now),
        "data_quality": _quality(lists),
        "list_versions": lists.list_set.versions,
        "cached_at": int(now.timestamp()),
    }


def _quality(lists: Engine) -> str:
    """Return SAMPLE when a list of office holders is, PARTIAL when an enabled one is missing."""
    if lists.freshness["pep"].sample:
        return "SAMPLE"
    return "PARTIAL" if lists.lacking("pep") else "LIVE"


def _shown(holder: Holder, country: str, day: date) -> dict[str, Any]:
    office = holder.office(day)
    return {
        "name": holder.name,
        "position": office.title if office else None,
        "country": (office.country if office else "") or only(holder.countries) or None,
        "since": office.since if office else None,
        "until": (office.until or None) if office else None,
        "current": office.current(day) if office else None,
        "score": Decimal(holder.fact.score) / 100,
        "confidence": Decimal(holder.fact.confidence) / 100,
        "risk_level": holder.rule.level,
        "rule": holder.rule.code,
        "rule_reference": holder.rule.ref,
        "dataset": holder.dataset,
        "entity_id": holder.ref,
        "evidence": list(_evidence(holder, country, day)),
    }


def _evidence(holder: Holder, country: str, day: date) -> Iterator[str]:
    """Yield what must be known of a match beside its numbers."""
    why = narrowing.why(country=country, standing=holder.standing)
    if why:
        yield why
    office = holder.office(day)
    if office and office.open_ended(day):
        yield END_NOT_KNOWN
    if holder.fact.by_sound:
        yield "The names agree by sound alone, and neither country nor office bears it out."


def _attestation(gathered: Found, risk: rules.RiskLevel, now: datetime) -> dict[str, Any]:
    """Return the signed statement for FATF R.12; it names the question by its digest only.

    A name that was not read whole, or not looked for on every list, was not checked: `unread` and
    `sourcesMissing` say why.
    """
    lacking = gathered.lists.lacking("pep")
    due = rules.edd_required(risk)
    return attest(
        {
            "type": "FATF_R12_PEP",
            "question": digest(gathered.question),
            "checked": not gathered.unread and not lacking,
            "unread": list(gathered.unread),
            "sourcesMissing": list(lacking),
            "country": gathered.country or None,
            "narrowing": narrowing.said(country=gathered.country, left_out=gathered.left_out),
            "riskLevel": risk,
            "matches": [one.ref for one in gathered.holders[:SHOWN]],
            "eddRequired": due,
            "measures": list(rules.MEASURES) if due else [],
            "rulesVersion": rules.VERSION,
            "listSet": gathered.lists.list_set.id,
            "issuedAt": int(now.timestamp()),
        }
    )
