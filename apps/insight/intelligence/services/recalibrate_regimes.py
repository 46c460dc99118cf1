"""Recalibrate predictions once a month, from the outcomes known at the time."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import round_to_step
from apps.insight.intelligence.models import Recalibration, RegimePrediction
from apps.insight.intelligence.regimes import active_recalibration, track_record
from apps.insight.intelligence.rules.recalibration import (
    LEAST_SEPARATE_CASES,
    HorizonAdjustment,
    PredictionCase,
    recalibrate_horizon,
)
from apps.insight.intelligence.rules.regimes import HORIZONS, REGIMES, VERSION
from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.verification.verified_reads import filter_verified_records

BATCH_SIZE = 500


def issue_recalibration(*, now: datetime) -> Recalibration | None:
    """Write the recalibration of a month; None if there is one, or too few cases."""
    month = now.date().replace(day=1)
    recalibrations = active_recalibration.load_recalibrations(now)
    if recalibrations and recalibrations[-1].month >= month:
        return None
    cases = _load_prediction_cases(now)
    horizon_adjustments = {days: recalibrate_horizon(cases[days], days) for days in HORIZONS}
    if all(adjustment.apart < LEAST_SEPARATE_CASES for adjustment in horizon_adjustments.values()):
        return None
    recalibration: Recalibration = Recalibration.write(
        payload={
            "horizons": {
                str(days): _serialize_adjustment(adjustment)
                for days, adjustment in horizon_adjustments.items()
            }
        },
        now=now,
        number=len(recalibrations) + 1,
        month=month,
        version=VERSION,
    )
    return recalibration


def _load_prediction_cases(now: datetime) -> Mapping[int, list[PredictionCase]]:
    """Return by horizon the predictions whose outcome was known at a moment."""
    came = {
        prediction_result.of: REGIMES.index(prediction_result.regime)
        for prediction_result in track_record.load_prediction_results(now)
        if prediction_result.regime
    }
    # of this method only: outcomes of another chain say nothing about this one
    regime_predictions = RegimePrediction.objects.filter(version=VERSION, recorded_at__lte=now)
    grouped_prediction_cases: dict[int, list[PredictionCase]] = {days: [] for days in HORIZONS}
    for chunk in iter_chunks(sorted(came), BATCH_SIZE):
        for regime_prediction in filter_verified_records(
            regime_predictions.filter(pk__in=chunk).order_by("pk")
        ):
            if regime_prediction.data:
                # the chain's own forecast, before recalibration; early records have only one
                data = regime_prediction.data
                own = data.get("chain") or data["chances"]
                chances, usual = (
                    tuple(float(of[name]) for name in REGIMES) for of in (own, data["climatology"])
                )
                prediction_case = PredictionCase(
                    regime_prediction.due, chances, usual, came[regime_prediction.pk]
                )
                grouped_prediction_cases[regime_prediction.horizon].append(prediction_case)
    return grouped_prediction_cases


def _serialize_adjustment(horizon_adjustment: HorizonAdjustment) -> dict[str, Any]:
    return {
        "weight": str(horizon_adjustment.weight),
        "cases": horizon_adjustment.cases,
        "days": horizon_adjustment.days,
        "apart": horizon_adjustment.apart,
        "before": str(round_to_step(horizon_adjustment.before, FOUR_DECIMALS)),
        "after": str(round_to_step(horizon_adjustment.after, FOUR_DECIMALS)),
    }
