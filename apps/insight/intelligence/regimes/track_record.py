"""The track record of predictions and calls, only from verified records."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.insight.intelligence.models import (
    CallOutcome,
    IntelligenceAnswer,
    RegimeOutcome,
    RegimePrediction,
)
from apps.insight.intelligence.regimes import active_recalibration, verified_records
from apps.insight.intelligence.rules.calls_48h import NO_CALL

SCORE_FIELDS = ("brier", "rps", "brier_climatology", "brier_persistence")
# the product whose stored answers are calls
CALL_PRODUCT = "48h-call"
ROUGH_QUALITY = "ESTIMATED"


@dataclass(frozen=True, slots=True)
class RecordedForecast:
    """A prediction, or an answer with calls: its id, horizon, time, and whether estimated."""

    pk: int
    horizon: int
    at: datetime
    rough: bool


@dataclass(frozen=True, slots=True)
class PredictionResult:
    """One outcome: `of` is its prediction, `scores` are those of SCORE_FIELDS in millionths.

    Without a `regime` nothing was known on the day.
    """

    of: int
    horizon: int
    due: date
    right: bool | None
    sure: int
    scores: tuple[int, ...]
    regime: str


@dataclass(frozen=True, slots=True)
class CallResult:
    """The outcome of a call in the answer `of`; its Brier score and that of base rates, in
    millionths, None if not scored.
    """

    of: int
    subject: str
    due: date
    known: bool
    uncalled: bool
    right: bool | None
    scores: tuple[int, int] | None


def load_track_record(now: datetime) -> Mapping[str, Any]:
    """Return counts and sums up to a moment.

    `predictions`: horizon -> how many; `rough`: how many rest on the sample or on proxies; `last`:
    when the newest was made; `outcomes`: horizon -> {n, unknown, hits}; `days`: horizon ->
    (day, cases, the sums of SCORE_FIELDS in millionths), oldest first; `sure`: horizon ->
    (hundredths, cases, right). `calls`: the same for calls, see below. `recalibration`: the one in
    force, or None.
    """
    records = verified_records.load_verified_records(RegimePrediction, now, _extract_prediction)
    known = {forecast.pk for forecast in records}
    # an outcome of a prediction that fails its integrity check does not count either
    scored = [
        prediction_result
        for prediction_result in load_prediction_results(now)
        if prediction_result.of in known
    ]
    outcomes: dict[int, dict[str, int]] = {}
    for prediction_result in scored:
        counts = outcomes.setdefault(prediction_result.horizon, {"n": 0, "unknown": 0, "hits": 0})
        counts["n"] += 1
        counts["unknown"] += not prediction_result.scores
        counts["hits"] += prediction_result.right is True
    # `made`: how many answers, `rough`: how many of them rest on the sample or on proxies;
    # `subjects`: subject -> {resolved, unknown, uncalled, hits}; `days`: subject -> (day, cases,
    # their Brier and that of base rates, in millionths), oldest first.
    answers = verified_records.load_verified_records(
        IntelligenceAnswer, now, _extract_answer, product=CALL_PRODUCT
    )
    call_results = load_call_results(now)
    subjects: dict[str, dict[str, int]] = {}
    for call_result in call_results:
        nothing = {"resolved": 0, "unknown": 0, "uncalled": 0, "hits": 0}
        tally = subjects.setdefault(call_result.subject, nothing)
        tally["resolved"] += 1
        tally["unknown"] += not call_result.known
        tally["uncalled"] += call_result.known and call_result.uncalled
        tally["hits"] += call_result.right is True
    return {
        "predictions": Counter(forecast.horizon for forecast in records),
        "rough": sum(forecast.rough for forecast in records),
        "last": max((forecast.at for forecast in records), default=None),
        "outcomes": outcomes,
        "days": _sum_scores_by_day(scored, lambda result: result.horizon),
        "sure": _count_by_confidence(scored),
        "calls": {
            "made": len(answers),
            "rough": sum(answer.rough for answer in answers),
            "subjects": subjects,
            "days": _sum_scores_by_day(call_results, lambda result: result.subject),
        },
        **active_recalibration.load_active_recalibration(now),
    }


def load_prediction_results(now: datetime) -> list[PredictionResult]:
    """Return outcomes of predictions, up to a moment."""
    return verified_records.load_verified_records(RegimeOutcome, now, _extract_prediction_result)


def load_call_results(now: datetime) -> list[CallResult]:
    """Return outcomes of calls, up to a moment."""
    return verified_records.load_verified_records(CallOutcome, now, _extract_call_result)


def _extract_prediction(regime_prediction: RegimePrediction) -> RecordedForecast:
    return RecordedForecast(
        regime_prediction.pk,
        regime_prediction.horizon,
        regime_prediction.recorded_at,
        regime_prediction.quality == ROUGH_QUALITY,
    )


def _extract_prediction_result(regime_outcome: RegimeOutcome) -> PredictionResult:
    scores = (
        tuple(getattr(regime_outcome, name) for name in SCORE_FIELDS)
        if regime_outcome.regime
        else ()
    )
    return PredictionResult(
        regime_outcome.prediction_id,
        regime_outcome.horizon,
        regime_outcome.due,
        regime_outcome.right,
        regime_outcome.sure or 0,
        scores,
        regime_outcome.regime,
    )


def _sum_scores_by_day(came: Iterable[Any], name: Any) -> dict[Any, list[tuple[Any, ...]]]:
    """Return by name the days that have scores, each with its cases and the sums of these."""
    sums: dict[Any, dict[date, list[int]]] = {}
    for result in came:
        if result.scores:
            days = sums.setdefault(name(result), {})
            sums_of_day = days.setdefault(result.due, [0] * (1 + len(result.scores)))
            sums_of_day[:] = [
                whole + part for whole, part in zip(sums_of_day, (1, *result.scores), strict=True)
            ]
    return {
        key: [(day, *day_sums) for day, day_sums in sorted(days.items())]
        for key, days in sums.items()
    }


def _count_by_confidence(
    prediction_results: Iterable[PredictionResult],
) -> dict[int, list[tuple[int, int, int]]]:
    cases: dict[int, Counter[int]] = {}
    hits: dict[int, Counter[int]] = {}
    for prediction_result in prediction_results:
        if prediction_result.scores:
            cases.setdefault(prediction_result.horizon, Counter())[prediction_result.sure] += 1
            hits.setdefault(prediction_result.horizon, Counter())[prediction_result.sure] += (
                prediction_result.right is True
            )
    return {
        days: [(sure, count, hits[days][sure]) for sure, count in sorted(counts.items())]
        for days, counts in cases.items()
    }


def _extract_answer(intelligence_answer: IntelligenceAnswer) -> RecordedForecast:
    return RecordedForecast(
        intelligence_answer.pk,
        0,
        intelligence_answer.recorded_at,
        intelligence_answer.quality == ROUGH_QUALITY,
    )


def _extract_call_result(call_outcome: CallOutcome) -> CallResult:
    scored = call_outcome.brier is not None and call_outcome.brier_base is not None
    return CallResult(
        of=call_outcome.answer_id,
        subject=call_outcome.subject,
        due=call_outcome.due,
        known=bool(call_outcome.came),
        uncalled=call_outcome.direction == NO_CALL,
        right=call_outcome.right,
        scores=(call_outcome.brier or 0, call_outcome.brier_base or 0) if scored else None,
    )
