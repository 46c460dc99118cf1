"""POST /sfdr/pai-report and GET /sfdr/report (document 1 section 2.8)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.services import entity_lookups
from apps.insight.esg.sfdr import presenters
from apps.insight.esg.sfdr.requested_holdings import RequestedHolding, parse_requested_holdings
from apps.insight.esg.sfdr.rules import periods
from apps.insight.esg.sfdr.rules.indicators import VERSION, JudgedIndicator
from apps.insight.esg.sfdr.serializers import PaiOut
from apps.insight.esg.sfdr.services.assemble_portfolio import Portfolio, assemble_portfolio
from apps.insight.esg.sources import list_configured_sources
from apps.platform.api.callers import NOBODY, Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.common.strict_json import parse_json
from apps.platform.crypto.canonical import canonical_json
from apps.reference.lei.models import LeiRecord

FULL = "REQUIRES_FULL_SCREEN"
UPGRADE = (
    "POST /sfdr/screen computes all 18 indicators of Annex I, with sanctions screening, for 10 "
    "USD by x402."
)


@dataclass(frozen=True, slots=True)
class GatheredReport:
    """A portfolio, its indicators, and the part of the answer that follows from them."""

    portfolio: Portfolio
    rows: tuple[JudgedIndicator, ...]
    # built while gathering, so that what can fail fails before anybody pays
    answer: Mapping[str, Any]


def _build_gathered_report(portfolio: Portfolio) -> GatheredReport:
    rows = presenters.judge_portfolio(portfolio)
    report = {
        "summary": presenters.summarize_indicators(rows),
        "indicators": presenters.serialize_indicators(rows, portfolio.ends),
        "data_quality": presenters.grade_data_quality(portfolio, rows),
        "legal_basis": presenters.build_legal_basis(),
        "rules_version": VERSION,
    }
    return GatheredReport(portfolio, rows, report)


def gather_report(*, asked: dict[str, Any], now: datetime) -> GatheredReport:
    """Return the indicators of a portfolio; RateUnavailable (422), 400 for a future quarter."""
    ends = [quarter["quarter_end"] for quarter in asked.get("quarters", ())]
    if any(end > now.date() for end in ends):
        raise ValidationError({"quarters": ["A quarter must have ended to have holdings."]})
    portfolio = assemble_portfolio(
        requested_holdings=parse_requested_holdings(asked),
        now=now,
        until=_last_counted_day(asked, now),
        ends=ends,
    )
    return _build_gathered_report(portfolio)


def _last_counted_day(asked: Mapping[str, Any], now: datetime) -> date:
    """Return the last day whose figures count; 400 for a period that has not begun."""
    period = periods.parse_period(asked.get("reporting_period", ""))
    if period is None:
        return now.date()
    if period.begin > now.date():
        raise ValidationError({"reportingPeriod": ["This period has not started."]})
    return min(period.end, now.date())


def conclude_report(
    *, asked: dict[str, Any], gathered: GatheredReport, caller: Caller, now: datetime
) -> RenderedAnswer:
    """Store the report and return it; queue lookups of its companies if sources are configured."""
    report_id, portfolio = uuid.uuid4(), gathered.portfolio
    values = {
        "report_id": report_id,
        "portfolio_name": asked["portfolio_name"],
        "reporting_period": asked["reporting_period"],
        "figures_until": portfolio.until.isoformat(),
        "currency": asked["currency"],
        "generated_at": now,
        "weighting": portfolio.weighting,
        "averaging": presenters.averaging_method(portfolio),
        **gathered.answer,
    }
    body = render_answer(PaiOut, values)
    plan_lookups([holding.id for holding in portfolio.holdings if holding.block == "COMPANY"], now)
    record_report(
        kind=PaiReport.Kind.REPORT,
        report_id=report_id,
        asked=asked,
        body=body,
        portfolio=portfolio,
        caller=caller,
        now=now,
    )
    return body


def record_report(
    *,
    kind: str,
    report_id: uuid.UUID,
    asked: Mapping[str, Any],
    body: RenderedAnswer,
    portfolio: Portfolio,
    caller: Caller,
    now: datetime,
    payer: str = "",
) -> None:
    """Store a report or screen as it was returned, with every figure that it rests on."""
    summary = body["summary"]
    payload = {
        # dates and decimals become plain JSON, which is what a record stores
        "request": parse_json(canonical_json(dict(asked))),
        "response": body,
        "figures": list(portfolio.figures),
        "versions": {"rules": VERSION},
    }
    PaiReport.write(
        payload=payload,
        now=now,
        report_id=report_id,
        kind=kind,
        # an IP address is personal data, so callers without a key are not named
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
    if not list_configured_sources(of="entity"):
        return
    for lei, held_entity in sorted(LeiRecord.objects.held(leis).items()):
        entity = held_entity.entity
        entity_lookups.plan_entity_lookup(
            lei=lei, name=entity.legal_name, country=entity.country, again=False, now=now
        )


def conclude_partial_report(
    *, asked: dict[str, Any], gathered: GatheredReport, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a preview of one entity; see PaiPartialOut. Nothing is stored."""
    judged_indicators_by_id = {row.indicator.id: row for row in gathered.rows}
    return {
        "lei": asked["lei"],
        "report": "partial",
        "pai_indicators": {
            "ghg_emissions": _format_outcome(judged_indicators_by_id[1]),
            "carbon_footprint": _format_outcome(judged_indicators_by_id[2]),
            "biodiversity_risk": _format_outcome(judged_indicators_by_id[7]),
            "board_gender_diversity": _format_outcome(judged_indicators_by_id[13]),
            "sanctions_check": FULL,
            "aml_check": FULL,
            "ungc_compliance": FULL,
        },
        "data_quality": presenters.grade_data_quality(gathered.portfolio, gathered.rows),
        "legal_basis": presenters.build_legal_basis(),
        "upgrade": UPGRADE,
    }


def _format_outcome(judged_indicator: JudgedIndicator) -> str:
    if not judged_indicator.computed or judged_indicator.outcome.value is None:
        return judged_indicator.status
    return (
        f"{presenters.format_value(judged_indicator.outcome.value)} "
        f"{judged_indicator.indicator.unit}"
    )


def gather_entity_report(*, asked: dict[str, Any], now: datetime) -> GatheredReport:
    """Return the indicators of one entity, as a portfolio of that entity alone.

    Raises ValidationError (400) for a reporting period that has not begun.
    """
    inputs, until = tuple(asked.get("inputs", ())), _last_counted_day(asked, now)
    requested_holding = RequestedHolding(asked["lei"], "COMPANY", None, "EUR", inputs)
    alone = assemble_portfolio(requested_holdings=[requested_holding], now=now, until=until)
    [holding] = alone.holdings
    # holding the whole company makes the financed emissions its own; without a value, indicators 1,
    # 2, 8 and 9 could not be computed (value divided by enterprise value)
    worth = holding.get("enterprise_value_eur")
    if worth is not None:
        requested_holding = RequestedHolding(asked["lei"], "COMPANY", worth, "EUR", inputs)
        alone = assemble_portfolio(requested_holdings=[requested_holding], now=now, until=until)
    return _build_gathered_report(alone)
