"""Report predictions, their outcomes and their skill (document 3 section 2.6)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.regimes import active_recalibration
from apps.insight.intelligence.rules import forecast_scores
from apps.insight.intelligence.rules.calls_48h_subjects import SUBJECTS
from apps.insight.intelligence.rules.regimes import HORIZONS
from apps.reference.signals.composites import Composite
from apps.reference.signals.quality import TOLERATED, Quality
from apps.reference.signals.quality_labels import Label

FOUR_DECIMALS = Decimal("0.0001")
MILLION = 1_000_000
# positions in a row of days, after the day and the number of cases
BRIER, RPS, CLIMATOLOGY, PERSISTENCE = 2, 3, 4, 5
# the same in a row of days of calls
BASE_RATES = 3
# days of a block of calls, which share most of their outcomes
CALL_OVERLAP_DAYS = 7


def compute_prediction_ledger(known: MethodInputs) -> MethodResult:
    """Return the state of all predictions; without any it says that there is nothing to score."""
    beside = known.beside
    horizons = {f"h{days}": _summarize_horizon(beside, days) for days in HORIZONS}
    total = sum(horizon["predictions"] for horizon in horizons.values())
    resolved = sum(horizon["resolved"] for horizon in horizons.values())
    summary = {
        "total_predictions": total,
        "resolved": resolved,
        "pending": total - resolved,
        "by_horizon": horizons,
    }
    calls_made, rough = total + beside["calls"]["made"], beside["rough"] + beside["calls"]["rough"]
    # without predictions the answer cannot be LIVE
    quality_label: Label = "PARTIAL"
    if rough > TOLERATED * calls_made:
        quality_label = "ESTIMATED"
    elif calls_made and not rough:
        quality_label = "LIVE"
    quality = Quality(
        label=quality_label,
        coverage=Decimal(1 if resolved else 0),
        as_of=beside["last"] or known.as_of,
        reasons=(*(("estimated_inputs",) if rough else ()), *(() if resolved else ("unresolved",))),
        missing=(),
    )
    body = {
        "summary": summary,
        "recalibration": active_recalibration.serialize_recalibration(beside["recalibration"]),
        "calls": [_summarize_calls(beside["calls"], row) for row in SUBJECTS],
    }
    return MethodResult(body=body, quality=quality)


def _summarize_horizon(horizon: Mapping[str, Any], days: int) -> dict[str, Any]:
    came = horizon["outcomes"].get(days, {"n": 0, "unknown": 0, "hits": 0})
    scored = came["n"] - came["unknown"]
    rows = horizon["days"].get(days, [])
    return {
        "predictions": horizon["predictions"].get(days, 0),
        "resolved": came["n"],
        "unknown": came["unknown"],
        "scored": scored,
        "regime_accuracy": _rounded_ratio(came["hits"], scored),
        "brier": _mean_score(rows, BRIER),
        "rps": _mean_score(rows, RPS),
        "against_climatology": _skill_against(rows, CLIMATOLOGY, days),
        "against_persistence": _skill_against(rows, PERSISTENCE, days),
        "reliability": [
            {
                "low": round_to_step(reliability_bin.low),
                "high": round_to_step(reliability_bin.high),
                "n": reliability_bin.count,
                "said": round_to_step(reliability_bin.said, FOUR_DECIMALS),
                "came": round_to_step(reliability_bin.came, FOUR_DECIMALS),
            }
            for reliability_bin in forecast_scores.bin_by_confidence(
                (sure / 100, count, right) for sure, count, right in horizon["sure"].get(days, [])
            )
        ],
    }


def _summarize_calls(record: Mapping[str, Any], row: Composite) -> dict[str, Any]:
    """Return the track record of calls on one subject; see CallRecordOut."""
    nothing = {"resolved": 0, "unknown": 0, "uncalled": 0, "hits": 0}
    came = record["subjects"].get(row.name, nothing)
    rows = record["days"].get(row.name, [])
    scored = came["resolved"] - came["unknown"] - came["uncalled"]
    return {
        "subject": row.name,
        "title": row.title,
        "calls": record["made"],
        "resolved": came["resolved"],
        "unknown": came["unknown"],
        "uncalled": came["uncalled"],
        "scored": scored,
        "accuracy": _rounded_ratio(came["hits"], scored),
        "brier": _mean_score(rows, BRIER),
        "against_base_rates": _skill_against(rows, BASE_RATES, CALL_OVERLAP_DAYS),
    }


def _skill_against(rows: Sequence[tuple[Any, ...]], place: int, days: int) -> dict[str, Any]:
    """Return the skill against a reference, with an interval from blocks of `days` days."""
    # predictions of neighbouring days share most of their outcome: single days would make the
    # interval too narrow
    own, other = [float(row[BRIER]) for row in rows], [float(row[place]) for row in rows]
    within = forecast_scores.skill_interval(own, other, block=days)
    score = forecast_scores.skill_score(own, other)
    return {
        "n": sum(row[1] for row in rows),
        "days": len(rows),
        "brier": _mean_score(rows, place),
        "skill": _round_or_none(score),
        "low": _round_or_none(within[0] if within else None),
        "high": _round_or_none(within[1] if within else None),
    }


def _mean_score(rows: Sequence[tuple[Any, ...]], place: int) -> Decimal | None:
    return _rounded_ratio(sum(row[place] for row in rows), MILLION * sum(row[1] for row in rows))


def _rounded_ratio(part: int, whole: int) -> Decimal | None:
    return round_to_step(Decimal(part) / whole, FOUR_DECIMALS) if whole else None


def _round_or_none(value: float | None) -> Decimal | None:
    return None if value is None else round_to_step(value, FOUR_DECIMALS)
