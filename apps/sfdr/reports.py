"""POST /sfdr/pai-report and GET /sfdr/report (document 1 section 2.8)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.core.callers import NOBODY, Caller
from apps.core.canonical import canonical
from apps.core.parsing import loads
from apps.core.rendering import Wire, render
from apps.esg import looking
from apps.esg.sources import configured
from apps.lei.models import LeiRecord
from apps.sfdr import reporting
from apps.sfdr.models import PaiReport
from apps.sfdr.portfolio import Asked, Portfolio, asked_of, put_together
from apps.sfdr.rules import periods
from apps.sfdr.rules.indicators import VERSION, Judged
from apps.sfdr.serializers import PaiOut

FULL = "REQUIRES_FULL_SCREEN"
UPGRADE = (
    "POST /sfdr/screen computes all 18 indicators of Annex I, with the sanctions check, for 10 USD "
    "by x402."
)


@dataclass(frozen=True, slots=True)
class Gathered:
    """A portfolio and its indicators; `told` is how they are answered.

    It is made here: what can fail, fails before anybody pays.
    """

    portfolio: Portfolio
    rows: tuple[Judged, ...]
    told: Mapping[str, Any]


def _gathered(portfolio: Portfolio) -> Gathered:
    rows = reporting.judged(portfolio)
    told = {
        "summary": reporting.summary(rows),
        "indicators": reporting.indicators(rows, portfolio.ends),
        "data_quality": reporting.quality(portfolio, rows),
        "legal_basis": reporting.legal(),
        "rules_version": VERSION,
    }
    return Gathered(portfolio, rows, told)


def gather(*, asked: dict[str, Any], now: datetime) -> Gathered:
    """Return the indicators of a portfolio; RateUnavailable (422), 400 for a time to come."""
    ends = [one["quarter_end"] for one in asked.get("quarters", ())]
    if any(end > now.date() for end in ends):
        raise ValidationError({"quarters": ["A quarter that has not ended has no holdings yet."]})
    portfolio = put_together(asked=asked_of(asked), now=now, until=_until(asked, now), ends=ends)
    return _gathered(portfolio)


def _until(asked: Mapping[str, Any], now: datetime) -> date:
    """Return the last day of which figures count; 400 for a period that has not begun."""
    period = periods.read(asked.get("reporting_period", ""))
    if period is None:
        return now.date()
    if period.begin > now.date():
        raise ValidationError({"reportingPeriod": ["This period has not begun."]})
    return min(period.end, now.date())


def conclude(*, asked: dict[str, Any], gathered: Gathered, caller: Caller, now: datetime) -> Wire:
    """Keep the report and return it; lookups of its companies are queued where sources are set."""
    report_id, portfolio = uuid.uuid4(), gathered.portfolio
    values = {
        "report_id": report_id,
        "portfolio_name": asked["portfolio_name"],
        "reporting_period": asked["reporting_period"],
        "figures_until": portfolio.until.isoformat(),
        "currency": asked["currency"],
        "generated_at": now,
        "weighting": portfolio.weighting,
        "averaging": reporting.averaging(portfolio),
        **gathered.told,
    }
    body = render(PaiOut, values)
    plan_lookups([one.id for one in portfolio.holdings if one.block == "COMPANY"], now)
    write(
        kind=PaiReport.Kind.REPORT,
        report_id=report_id,
        asked=asked,
        body=body,
        portfolio=portfolio,
        caller=caller,
        now=now,
    )
    return body


def write(
    *,
    kind: str,
    report_id: uuid.UUID,
    asked: Mapping[str, Any],
    body: Wire,
    portfolio: Portfolio,
    caller: Caller,
    now: datetime,
    payer: str = "",
) -> None:
    """Keep a report or screen as it was given, with every figure that it rests on."""
    summary = body["summary"]
    payload = {
        "request": loads(canonical(dict(asked))),
        "response": body,
        "figures": list(portfolio.figures),
        "versions": {"rules": VERSION},
    }
    PaiReport.write(
        payload=payload,
        now=now,
        report_id=report_id,
        kind=kind,
        # an address is somebody's: who calls without a key stays unnamed
        owner="" if caller.kind == NOBODY else caller.ref,
        payer=payer,
        period=asked.get("reporting_period", ""),
        holdings=len(portfolio.holdings),
        overall=summary["overallStatus"],
        computed=summary["computed"],
        required=summary["requiresAdditionalData"],
        sample=portfolio.sample,
        rules_version=VERSION,
    )


def plan_lookups(leis: list[str], now: datetime) -> None:
    """Queue a lookup of each company whose name is held, where ESG sources are set up."""
    if not configured(of="entity"):
        return
    for lei, held in sorted(LeiRecord.objects.held(leis).items()):
        entity = held.entity
        looking.plan(lei=lei, name=entity.legal_name, country=entity.country, again=False, now=now)


def partial(
    *, asked: dict[str, Any], gathered: Gathered, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a first look at one entity; see PaiPartialOut. Nothing is kept."""
    found = {one.indicator.id: one for one in gathered.rows}
    return {
        "lei": asked["lei"],
        "report": "partial",
        "pai_indicators": {
            "ghg_emissions": _told(found[1]),
            "carbon_footprint": _told(found[2]),
            "biodiversity_risk": _told(found[7]),
            "board_gender_diversity": _told(found[13]),
            "sanctions_check": FULL,
            "aml_check": FULL,
            "ungc_compliance": FULL,
        },
        "data_quality": reporting.quality(gathered.portfolio, gathered.rows),
        "legal_basis": reporting.legal(),
        "upgrade": UPGRADE,
    }


def _told(one: Judged) -> str:
    if not one.computed or one.outcome.value is None:
        return one.status
    return f"{reporting.plain(one.outcome.value)} {one.indicator.unit}"


def gather_entity(*, asked: dict[str, Any], now: datetime) -> Gathered:
    """Return the indicators of one entity, taken as if it were held whole; 400 as above."""
    given, until = tuple(asked.get("inputs", ())), _until(asked, now)
    one = Asked(asked["lei"], "COMPANY", None, "EUR", given)
    alone = put_together(asked=[one], now=now, until=until)
    [holding] = alone.holdings
    worth = holding.get("enterprise_value_eur")
    if worth is not None:
        one = Asked(asked["lei"], "COMPANY", worth, "EUR", given)
        alone = put_together(asked=[one], now=now, until=until)
    return _gathered(alone)
