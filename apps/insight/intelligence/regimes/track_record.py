"""The track record of predictions and calls: of records that prove themselves alone."""

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
from apps.insight.intelligence.rules.calls import NO_CALL

SCORE_FIELDS = ("brier", "rps", "brier_climatology", "brier_persistence")
CALL_PRODUCT = "48h-call"  # the product whose kept answers are calls
ROUGH_QUALITY = "ESTIMATED"


@dataclass(frozen=True, slots=True)
class RecordedForecast:
    """A prediction, or an answer with calls: which one, of which horizon, when, how good."""

    pk: int
    horizon: int
    at: datetime
    rough: bool


@dataclass(frozen=True, slots=True)
class PredictionResult:
    """What came of one: `of` is its prediction, `scores` are those of SUMS in millionths.

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
    """What came of a call, `of` which answer; its Brier score and that of base rates, in
    millionths; None unscored.
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
    (day, cases, the sums of SUMS in millionths), oldest first; `sure`: horizon -> (hundredths,
    cases, right). `calls`: see `_summarize_call_results`. `recalibration`: the one that holds, or
    None.
    """
    made = verified_records.load_verified_records(RegimePrediction, now, _extract_prediction)
    known = {one.pk for one in made}
    scored = [
        prediction_result
        for prediction_result in load_prediction_results(now)
        if prediction_result.of in known
    ]
    return {
        "predictions": Counter(one.horizon for one in made),
        "rough": sum(one.rough for one in made),
        "last": max((one.at for one in made), default=None),
        "outcomes": _count_outcomes(scored),
        "days": _sum_scores_by_day(scored, lambda one: one.horizon),
        "sure": _count_by_confidence(scored),
        "calls": _summarize_call_results(now),
        **active_recalibration.load_active_recalibration(now),
    }


def load_prediction_results(now: datetime) -> list[PredictionResult]:
    """Return what came of predictions, up to a moment."""
    return verified_records.load_verified_records(RegimeOutcome, now, _extract_prediction_result)


def load_call_results(now: datetime) -> list[CallResult]:
    """Return what came of calls, up to a moment."""
    return verified_records.load_verified_records(CallOutcome, now, _extract_call_result)


def _extract_prediction(one: RegimePrediction) -> RecordedForecast:
    return RecordedForecast(one.pk, one.horizon, one.recorded_at, one.quality == ROUGH_QUALITY)


def _extract_prediction_result(one: RegimeOutcome) -> PredictionResult:
    scores = tuple(getattr(one, name) for name in SCORE_FIELDS) if one.regime else ()
    return PredictionResult(
        one.prediction_id, one.horizon, one.due, one.right, one.sure or 0, scores, one.regime
    )


def _count_outcomes(prediction_results: Iterable[PredictionResult]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for prediction_result in prediction_results:
        told = found.setdefault(prediction_result.horizon, {"n": 0, "unknown": 0, "hits": 0})
        told["n"] += 1
        told["unknown"] += not prediction_result.scores
        told["hits"] += prediction_result.right is True
    return found


def _sum_scores_by_day(came: Iterable[Any], name: Any) -> dict[Any, list[tuple[Any, ...]]]:
    """Return by name the days that have scores, each with its cases and the sums of these."""
    found: dict[Any, dict[date, list[int]]] = {}
    for one in came:
        if one.scores:
            days = found.setdefault(name(one), {})
            held = days.setdefault(one.due, [0] * (1 + len(one.scores)))
            held[:] = [whole + part for whole, part in zip(held, (1, *one.scores), strict=True)]
    return {
        key: [(day, *some) for day, some in sorted(days.items())] for key, days in found.items()
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
        days: [(sure, count, hits[days][sure]) for sure, count in sorted(found.items())]
        for days, found in cases.items()
    }


def _summarize_call_results(now: datetime) -> dict[str, Any]:
    """Return how calls on 48 hours stand.

    `made`: how many answers, `rough`: how many of them rest on the sample or on proxies;
    `subjects`: subject -> {resolved, unknown, uncalled, hits}; `days`: subject -> (day, cases,
    their Brier and that of base rates, in millionths), oldest first.
    """
    answers = verified_records.load_verified_records(
        IntelligenceAnswer, now, _extract_answer, product=CALL_PRODUCT
    )
    call_results = load_call_results(now)
    subjects: dict[str, dict[str, int]] = {}
    for one in call_results:
        nothing = {"resolved": 0, "unknown": 0, "uncalled": 0, "hits": 0}
        told = subjects.setdefault(one.subject, nothing)
        told["resolved"] += 1
        told["unknown"] += not one.known
        told["uncalled"] += one.known and one.uncalled
        told["hits"] += one.right is True
    return {
        "made": len(answers),
        "rough": sum(answer.rough for answer in answers),
        "subjects": subjects,
        "days": _sum_scores_by_day(call_results, lambda one: one.subject),
    }


def _extract_answer(one: IntelligenceAnswer) -> RecordedForecast:
    return RecordedForecast(one.pk, 0, one.recorded_at, one.quality == ROUGH_QUALITY)


def _extract_call_result(one: CallOutcome) -> CallResult:
    scored = one.brier is not None and one.brier_base is not None
    return CallResult(
        of=one.answer_id,
        subject=one.subject,
        due=one.due,
        known=bool(one.came),
        uncalled=one.direction == NO_CALL,
        right=one.right,
        scores=(one.brier or 0, one.brier_base or 0) if scored else None,
    )
