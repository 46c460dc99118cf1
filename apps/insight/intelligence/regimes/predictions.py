"""Store predictions with their answer, and later their outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction

from apps.insight.intelligence.method_inputs import MethodResult
from apps.insight.intelligence.models import RegimeOutcome, RegimePrediction
from apps.insight.intelligence.regimes import track_record
from apps.insight.intelligence.rules.forecast_scores import brier_score, ranked_probability_score
from apps.insight.intelligence.rules.regimes import REGIMES, VERSION, regime_index
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.common.days import start_of_day
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.composites import find_composite
from apps.reference.signals.composition import ComposedScore, compute_composite
from apps.reference.signals.quality import TooFewInputs

REGIME_COMPOSITE = find_composite("regime")
MILLION = 1_000_000
BATCH_SIZE = 500
DAY = timedelta(days=1)


def save_predictions(slot: int, result: MethodResult, now: datetime) -> None:
    """Write one prediction for each horizon, in the transaction of its answer."""
    RegimePrediction.write_each(
        now=now,
        rows=[
            (
                prediction["payload"],
                {
                    "slot": slot,
                    "version": result.apart["version"],
                    "horizon": prediction["horizon"],
                    "due": now.date() + timedelta(days=prediction["horizon"]),
                    "regime": prediction["regime"],
                    "quality": result.quality.label,
                },
            )
            for prediction in result.apart["predictions"]
        ],
    )


def is_slot_free(slot: int) -> bool:
    """Tell whether a slot has no predictions yet."""
    return not RegimePrediction.objects.filter(slot=slot, version=VERSION).exists()


def resolve_predictions(*, now: datetime) -> int:
    """Record the outcomes of due predictions; returns how many.

    A prediction that fails its integrity check is skipped; an outcome that fails it does not count,
    and is recorded again.
    """
    over = RegimePrediction.objects.filter(due__lt=now.date())
    known = {
        prediction_result.of for prediction_result in track_record.load_prediction_results(now)
    }
    waiting = [pk for pk in over.order_by("pk").values_list("pk", flat=True) if pk not in known]
    days: dict[date, DayEndComposite | None] = {}
    done = 0
    for chunk in iter_chunks(waiting, BATCH_SIZE):
        for regime_prediction in filter_verified_records(over.filter(pk__in=chunk).order_by("pk")):
            if regime_prediction.due not in days:
                # by what was known at the end of the day, however late this runs
                days[regime_prediction.due] = compose_day_end(regime_prediction.due)
            done += _record_regime_outcome(regime_prediction, days[regime_prediction.due], now)
    return done


@dataclass(frozen=True, slots=True)
class DayEndComposite:
    """The composite as it was known at the end of a day."""

    composed: ComposedScore

    @property
    def at(self) -> int:
        """The place of its regime among REGIMES."""
        return regime_index(float(self.composed.score))


def compose_day_end(day: date) -> DayEndComposite | None:
    """Return what was known at the end of a day; None where too little was."""
    try:
        return DayEndComposite(compute_composite(REGIME_COMPOSITE, as_of=start_of_day(day + DAY)))
    except TooFewInputs:
        return None


def _record_regime_outcome(
    regime_prediction: RegimePrediction, end_composite: DayEndComposite | None, now: datetime
) -> bool:
    """Record the outcome of a prediction; False if another run already did."""
    scores = (
        _score_prediction(regime_prediction, end_composite.at)
        if end_composite and regime_prediction.data
        else {}
    )
    with transaction.atomic():
        # locks the prediction against a second run of the job: no constraint does, because a forged
        # outcome would then keep the true one out
        RegimePrediction.objects.select_for_update().get(pk=regime_prediction.pk)
        if filter_verified_records(regime_prediction.outcomes.all()):
            return False
        RegimeOutcome.write(
            payload=_build_outcome_payload(end_composite.composed) if end_composite else {},
            now=now,
            prediction_id=regime_prediction.pk,
            horizon=regime_prediction.horizon,
            due=regime_prediction.due,
            **scores,
        )
    return True


def _score_prediction(regime_prediction: RegimePrediction, came: int) -> dict[str, Any]:
    data = regime_prediction.data
    chances, usual = (
        _parse_regime_chances(data["chances"]),
        _parse_regime_chances(data["climatology"]),
    )
    # persistence, the reference forecast that nothing changes
    stays = [float(name == data["current"]) for name in REGIMES]
    return {
        "regime": REGIMES[came],
        "right": regime_prediction.regime == REGIMES[came],
        "sure": round(100 * float(data["probability"])),
        "brier": round(MILLION * brier_score(chances, came)),
        "rps": round(MILLION * ranked_probability_score(chances, came)),
        "brier_climatology": round(MILLION * brier_score(usual, came)),
        "brier_persistence": round(MILLION * brier_score(stays, came)),
    }


def _parse_regime_chances(chances: Mapping[str, str]) -> list[float]:
    return [float(chances[name]) for name in REGIMES]


def _build_outcome_payload(composed_score: ComposedScore) -> dict[str, Any]:
    points = [contribution.point for contribution in composed_score.contributions]
    return {
        "score": str(composed_score.score),
        "coverage": str(composed_score.quality.coverage),
        "quality": composed_score.quality.label,
        "inputs": {
            point.series: [point.day.isoformat(), format_utc(point.vintage)] for point in points
        },
    }
