"""Serialize a judged portfolio for the API: indicators, summary, legal basis."""

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_DOWN, Decimal, localcontext
from typing import Any

from apps.insight.esg.sfdr.rules.indicators import (
    LEGAL_AS_OF,
    LEGAL_BASIS,
    LEGAL_NOTE,
    JudgedIndicator,
    judge_quarters,
    overall_status,
)
from apps.insight.esg.sfdr.services.assemble_portfolio import Portfolio

DIGITS = Decimal("0.0001")
# significant digits, more than any figures within their bounds need: with the default of 28,
# quantize raises InvalidOperation for a large figure
LONGEST = 200


def judge_portfolio(portfolio: Portfolio) -> tuple[JudgedIndicator, ...]:
    """Return the 18 indicators of a portfolio, each the mean of its quarters."""
    return judge_quarters(portfolio.quarters)


def format_value(value: Decimal) -> str:
    """Return a figure to four decimals, without an exponent or trailing zeros."""
    with localcontext(prec=LONGEST):
        text = f"{value.quantize(DIGITS):f}"
    return text.rstrip("0").rstrip(".") or "0"


def serialize_indicators(
    rows: Sequence[JudgedIndicator], ends: Sequence[date] = ()
) -> list[dict[str, Any]]:
    """Return each indicator; see PaiIndicatorOut. `ends` are those of quarters, where there are."""
    return [_serialize_indicator(row, ends) for row in rows]


def _serialize_indicator(judged_indicator: JudgedIndicator, ends: Sequence[date]) -> dict[str, Any]:
    row, outcome = judged_indicator.indicator, judged_indicator.outcome
    return {
        "id": row.id,
        "name": row.name,
        "annex": row.annex,
        "metric": row.metric,
        "status": judged_indicator.status,
        "rule": judged_indicator.rule.code,
        "value": judged_indicator.status if outcome.value is None else format_value(outcome.value),
        "unit": row.unit,
        "coverage_percent": _floor_percent(outcome.covered),
        "estimated_percent": _floor_percent(outcome.estimated),
        "missing": list(outcome.missing),
        "thresholds": {
            "review": str(row.review),
            "elevated": str(row.elevated),
            "side": "BELOW" if row.low else "ABOVE",
        },
        "parts": [
            {
                "name": part.name,
                "value": None if part.value is None else format_value(part.value),
                "coverage_percent": _floor_percent(part.covered),
            }
            for part in outcome.parts
        ],
        "quarters": [
            {
                "quarter_end": end.isoformat(),
                "value": None if of.value is None else format_value(of.value),
                "coverage_percent": _floor_percent(of.covered),
            }
            for end, of in zip(ends, judged_indicator.quarters if ends else (), strict=True)
        ],
    }


def _floor_percent(value: Decimal) -> int:
    """Return a whole per cent, rounded down."""
    # 99.9 % of the inputs must not be shown as all of them
    return int(value.quantize(Decimal(1), ROUND_DOWN))


def summarize_indicators(rows: Sequence[JudgedIndicator]) -> dict[str, Any]:
    """Return the counts and the overall status of a report; see PaiSummaryOut."""
    statuses = [row.status for row in rows]
    return {
        "total_indicators": len(rows),
        "computed": sum(row.computed for row in rows),
        "requires_additional_data": statuses.count("DATA_REQUIRED"),
        "elevated_risk_flags": statuses.count("ELEVATED_RISK"),
        "overall_status": overall_status(rows),
    }


def averaging_method(portfolio: Portfolio) -> str:
    """Say what values are of: the mean of four quarters that Article 6(3) asks for, or one day."""
    return "FOUR_QUARTERS" if portfolio.ends else "ONE_DAY"


def build_legal_basis() -> dict[str, Any]:
    """Return the legal basis of a report; see PaiLegalOut."""
    return {"basis": LEGAL_BASIS, "as_of": LEGAL_AS_OF, "note": LEGAL_NOTE}


def grade_data_quality(portfolio: Portfolio, rows: Sequence[JudgedIndicator]) -> str:
    """Return the worst of the inputs: SAMPLE, ESTIMATED, GIVEN, PARTIAL or LIVE.

    GIVEN: some inputs were supplied by the caller and not verified.
    """
    if portfolio.sample:
        return "SAMPLE"
    if portfolio.estimated:
        return "ESTIMATED"
    if portfolio.given:
        return "GIVEN"
    concerned = [row for row in rows if row.status != "NOT_APPLICABLE"]
    return "LIVE" if all(indicator.outcome.covered == 100 for indicator in concerned) else "PARTIAL"
