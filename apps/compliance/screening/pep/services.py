"""Conclude a PEP report: its values, the signed statement, and its record."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.compliance.screening.models.cached_reports import KeptReport, PepReport
from apps.compliance.screening.pep.selectors import OfficeHolder, PepReportInputs, sole_country
from apps.compliance.screening.rules import pep as pep_rules
from apps.compliance.screening.rules import pep_country_filter
from apps.compliance.screening.rules.offices import END_NOT_KNOWN
from apps.compliance.screening.serializers.reports import PepReportOut
from apps.compliance.screening.services.conclude_report import conclude_report
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.crypto.signatures import sign_statement
from apps.reference.watchlists.models import PartyKind
from apps.reference.watchlists.services.screened_parties import remember_party

SHOWN = 20  # matches in a report, most likely first; `matchCount` has their number


def conclude_pep_report(
    *,
    asked: dict[str, Any],
    gathered: KeptReport | PepReportInputs,
    caller: Caller,
    now: datetime,
) -> RenderedAnswer:
    """Return the report, record it, and remember its party; a new report is kept."""
    # for a kept report too: a party is remembered per client, and another may have caused it
    remember_party(
        kind=PartyKind.SCREENED,
        schema="Person",
        name=asked["name"],
        owner=caller.ref,
        pep=True,
        now=now,
    )
    return conclude_report(
        _create_report,
        kind="PEP",
        result="riskLevel",
        asked=asked,
        gathered=gathered,
        caller=caller,
        now=now,
    )


def _create_report(
    asked: dict[str, Any], gathered: PepReportInputs, caller: Caller, now: datetime
) -> RenderedAnswer:
    holders, lists = gathered.holders, gathered.lists
    risk = pep_rules.highest_level([holder.rule.level for holder in holders])
    if lists.freshness["pep"].sample:
        data_quality = "SAMPLE"
    else:
        data_quality = "PARTIAL" if lists.lacking("pep") else "LIVE"
    report_values = {
        "risk_level": risk,
        "pep_matches": [
            _serialize_holder(holder, gathered.country, now.date()) for holder in holders[:SHOWN]
        ],
        "match_count": len(holders),
        "edd_required": pep_rules.is_edd_required(risk),
        "fatf_r12": _sign_attestation(gathered, risk, now),
        "data_quality": data_quality,
        "list_versions": lists.list_set.versions,
        "cached_at": int(now.timestamp()),
    }
    body = render_answer(PepReportOut, report_values)
    until = now + timedelta(hours=pep_rules.CACHED_HOURS)
    PepReport.keep(key=gathered.key, body=body, now=now, until=until)
    return body


def _serialize_holder(holder: OfficeHolder, country: str, day: date) -> dict[str, Any]:
    office = holder.office(day)
    return {
        "name": holder.name,
        "position": office.title if office else None,
        "country": (office.country if office else "") or sole_country(holder.countries) or None,
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
        "evidence": list(_match_evidence(holder, country, day)),
    }


def _match_evidence(holder: OfficeHolder, country: str, day: date) -> Iterator[str]:
    """Yield what must be known of a match beside its numbers."""
    why = pep_country_filter.explain_inclusion(country=country, standing=holder.standing)
    if why:
        yield why
    office = holder.office(day)
    if office and office.open_ended(day):
        yield END_NOT_KNOWN
    if holder.fact.by_sound:
        yield "The names agree only by sound, and neither country nor office confirms the match."


def _sign_attestation(
    gathered: PepReportInputs, risk: pep_rules.RiskLevel, now: datetime
) -> dict[str, Any]:
    """Return the signed statement for FATF R.12; it names the question by its digest only."""
    lacking = gathered.lists.lacking("pep")
    due = pep_rules.is_edd_required(risk)
    return sign_statement(
        {
            "type": "FATF_R12_PEP",
            "question": canonical_digest(gathered.question),
            # a name that was not read whole, or not looked for on every list, was not checked
            "checked": not gathered.unread and not lacking,
            "unread": list(gathered.unread),
            "sourcesMissing": list(lacking),
            "country": gathered.country or None,
            "narrowing": pep_country_filter.describe_country_filter(
                country=gathered.country, left_out=gathered.left_out
            ),
            "riskLevel": risk,
            "matches": [holder.ref for holder in gathered.holders[:SHOWN]],
            "eddRequired": due,
            "measures": list(pep_rules.MEASURES) if due else [],
            "rulesVersion": pep_rules.VERSION,
            "listSet": gathered.lists.list_set.id,
            "issuedAt": int(now.timestamp()),
        }
    )
