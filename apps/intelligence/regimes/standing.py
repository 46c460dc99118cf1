"""How predictions and calls stand, as `ledger` tells it: of records that prove themselves alone."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.intelligence.models import (
    CallOutcome,
    IntelligenceAnswer,
    RegimeOutcome,
    RegimePrediction,
)
from apps.intelligence.regimes import proving, recalibrated
from apps.intelligence.rules.calls import NO_CALL

SUMS = ("brier", "rps", "brier_climatology", "brier_persistence")
CALLS = "48h-call"  # the product whose kept answers are calls
ROUGH = "ESTIMATED"


@dataclass(frozen=True, slots=True)
class Made:
    """A prediction, or an answer with calls: which one, of which horizon, when, how good."""

    pk: int
    horizon: int
    at: datetime
    rough: bool


@dataclass(frozen=True, slots=True)
class Came:
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
class Called:
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


def read(now: datetime) -> Mapping[str, Any]:
    """Return counts and sums up to a moment.

    `predictions`: horizon -> how many; `rough`: how many rest on the sample or on proxies; `last`:
    when the newest was made; `outcomes`: horizon -> {n, unknown, hits}; `days`: horizon ->
    (day, cases, the sums of SUMS in millionths), oldest first; `sure`: horizon -> (hundredths,
    cases, right). `calls`: see `_calls`. `recalibration`: the one that holds, or None.
    """
    made = proving.records(RegimePrediction, now, _made)
    known = {one.pk for one in made}
    scored = [one for one in came(now) if one.of in known]
    return {
        "predictions": Counter(one.horizon for one in made),
        "rough": sum(one.rough for one in made),
        "last": max((one.at for one in made), default=None),
        "outcomes": _outcomes(scored),
        "days": _by(scored, lambda one: one.horizon),
        "sure": _sure(scored),
        "calls": _calls(now),
        **recalibrated.holding(now),
    }


def came(now: datetime) -> list[Came]:
    """Return what came of predictions, up to a moment."""
    return proving.records(RegimeOutcome, now, _came)


def called(now: datetime) -> list[Called]:
    """Return what came of calls, up to a moment."""
    return proving.records(CallOutcome, now, _called)


def _made(one: RegimePrediction) -> Made:
    return Made(one.pk, one.horizon, one.recorded_at, one.quality == ROUGH)


def _came(one: RegimeOutcome) -> Came:
    scores = tuple(getattr(one, name) for name in SUMS) if one.regime else ()
    return Came(
        one.prediction_id, one.horizon, one.due, one.right, one.sure or 0, scores, one.regime
    )


def _outcomes(came: Iterable[Came]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for one in came:
        told = found.setdefault(one.horizon, {"n": 0, "unknown": 0, "hits": 0})
        told["n"] += 1
        told["unknown"] += not one.scores
        told["hits"] += one.right is True
    return found


def _by(came: Iterable[Any], name: Any) -> dict[Any, list[tuple[Any, ...]]]:
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


def _sure(came: Iterable[Came]) -> dict[int, list[tuple[int, int, int]]]:
    cases: dict[int, Counter[int]] = {}
    hits: dict[int, Counter[int]] = {}
    for one in came:
        if one.scores:
            cases.setdefault(one.horizon, Counter())[one.sure] += 1
            hits.setdefault(one.horizon, Counter())[one.sure] += one.right is True
    return {
        days: [(sure, count, hits[days][sure]) for sure, count in sorted(found.items())]
        for days, found in cases.items()
    }


def _calls(now: datetime) -> dict[str, Any]:
    """Return how calls on 48 hours stand.

    `made`: how many answers, `rough`: how many of them rest on the sample or on proxies;
    `subjects`: subject -> {resolved, unknown, uncalled, hits}; `days`: subject -> (day, cases,
    their Brier and that of base rates, in millionths), oldest first.
    """
    answers = proving.records(IntelligenceAnswer, now, _answered, product=CALLS)
    came = called(now)
    subjects: dict[str, dict[str, int]] = {}
    for one in came:
        nothing = {"resolved": 0, "unknown": 0, "uncalled": 0, "hits": 0}
        told = subjects.setdefault(one.subject, nothing)
        told["resolved"] += 1
        told["unknown"] += not one.known
        told["uncalled"] += one.known and one.uncalled
        told["hits"] += one.right is True
    return {
        "made": len(answers),
        "rough": sum(one.rough for one in answers),
        "subjects": subjects,
        "days": _by(came, lambda one: one.subject),
    }


def _answered(one: IntelligenceAnswer) -> Made:
    return Made(one.pk, 0, one.recorded_at, one.quality == ROUGH)


def _called(one: CallOutcome) -> Called:
    scored = one.brier is not None and one.brier_base is not None
    return Called(
        of=one.answer_id,
        subject=one.subject,
        due=one.due,
        known=bool(one.came),
        uncalled=one.direction == NO_CALL,
        right=one.right,
        scores=(one.brier or 0, one.brier_base or 0) if scored else None,
    )
