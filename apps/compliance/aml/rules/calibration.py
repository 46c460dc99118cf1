"""Calibration: what officers' decisions teach: weights per cohort, moved a little at a time. Pure.

For each signal and cohort it is counted how often the signal held where officers found
wrong-doing and where they did not: two Beta distributions that begin at (1, 1). The logarithm of
the ratio of their means, in points, is what the signal proved to be worth. That is shrunk to the
prior weight, and each step is bounded.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.compliance.aml.rules.scorecard import COHORTS, POINT, Weights, prior_weights
from apps.compliance.aml.rules.signals import SIGNALS

FROZEN_BELOW = 50  # labels of a cohort
SHRINK = 100  # labels with the signal at which half of its weight is learnt
PER_NAT = 10 * POINT  # points for a signal that is e times as frequent where it was wrong
MOST_MOVE = 30  # per cent of the prior weight that one step may move
FURTHEST = (25, 250)  # per cent of the prior weight beyond which no step goes
WORSE = 0.02  # of AUC, on a cohort that is measured: not applied
MEASURED_FROM = 50  # of each class


@dataclass(slots=True)
class CohortCounts:
    """Labels of a cohort: how many were bad and good, and of those how many had each signal."""

    bad: int = 0
    good: int = 0
    held_bad: dict[str, int] = field(default_factory=dict)
    held_good: dict[str, int] = field(default_factory=dict)

    def add(self, *, bad: bool, signals: frozenset[str]) -> None:
        """Count a label."""
        counts = self.held_bad if bad else self.held_good
        for signal in signals:
            counts[signal] = counts.get(signal, 0) + 1
        self.bad, self.good = self.bad + bad, self.good + (not bad)


@dataclass(frozen=True, slots=True)
class WeightMove:
    """How a weight moves and why: thousandths of points, `learned` before all bounds."""

    cohort: str
    signal: str
    was: int
    learned: int
    becomes: int
    why: str


def learned_weight(counts: CohortCounts, signal: str) -> int:
    """Return what a signal proved to be worth in a cohort, in thousandths of points."""
    # (held + 1) / (all + 2) is the mean of the Beta distribution after these labels
    bad = (counts.held_bad.get(signal, 0) + 1) / (counts.bad + 2)
    good = (counts.held_good.get(signal, 0) + 1) / (counts.good + 2)
    # a signal that speaks for a payment weighs nothing; no weight is negative
    return max(0, round(PER_NAT * math.log(bad / good)))


def compute_weight_moves(
    *, counts: Mapping[str, CohortCounts], current: Weights
) -> tuple[WeightMove, ...]:
    """Return how each weight would move now, those that stay included."""
    return tuple(
        _compute_move(
            cohort, signal.id, counts.get(cohort, CohortCounts()), current[cohort][signal.id]
        )
        for cohort in COHORTS
        for signal in SIGNALS
    )


def _compute_move(cohort: str, signal: str, counts: CohortCounts, was: int) -> WeightMove:
    row = next(aml_signal for aml_signal in SIGNALS if aml_signal.id == signal)
    first, labels = row.weight * POINT, counts.bad + counts.good
    learned = learned_weight(counts, signal)
    if labels < FROZEN_BELOW:
        why = f"frozen: {labels} labels of {FROZEN_BELOW}"
        return WeightMove(cohort, signal, was, learned, was, why)
    if min(counts.bad, counts.good) < MEASURED_FROM:
        why = (
            f"frozen: {counts.bad} bad and {counts.good} good, {MEASURED_FROM} of each can be "
            "measured"
        )
        return WeightMove(cohort, signal, was, learned, was, why)
    support = counts.held_bad.get(signal, 0) + counts.held_good.get(signal, 0)
    # with few labels the prior prevails; floor division keeps whole thousandths
    shrunk = (learned * support + first * SHRINK) // (support + SHRINK)
    step = first * MOST_MOVE // 100
    becomes = min(max(shrunk, was - step), was + step)
    why = f"{support} of {labels} labels" + ("" if becomes == shrunk else ", step bounded")
    low, high = (first * share // 100 for share in FURTHEST)
    if becomes != (bounded := min(max(becomes, low), high)):
        becomes, why = bounded, f"{support} of {labels} labels, range bounded"
    # document 1 section 2.4 rule 3, after all bounds so that none of them undoes it
    if row.sanctions and becomes < first:
        becomes, why = first, "correlates with sanctions: never below its prior weight"
    return WeightMove(cohort, signal, was, learned, becomes, why)


def apply_weight_moves(weight_moves: tuple[WeightMove, ...]) -> dict[str, dict[str, int]]:
    """Return the weights after these moves."""
    after = prior_weights()
    for weight_move in weight_moves:
        after[weight_move.cohort][weight_move.signal] = weight_move.becomes
    return after


@dataclass(frozen=True, slots=True)
class CohortMeasurement:
    """AUC of a cohort before and after, with how many of each class it rests on."""

    cohort: str
    bad: int
    good: int
    before: float
    after: float

    @property
    def counts(self) -> bool:
        """Whether there are enough of each class for the gate."""
        return min(self.bad, self.good) >= MEASURED_FROM

    @property
    def worse(self) -> bool:
        """Whether the change would rank this cohort worse than tolerated."""
        return self.counts and self.after < self.before - WORSE


def find_refusal(cohort_measurements: list[CohortMeasurement]) -> str:
    """Return why a change may not be applied, or an empty text."""
    if not any(cohort_measurement.counts for cohort_measurement in cohort_measurements):
        return (
            f"No cohort has {MEASURED_FROM} labels of each class yet: nothing shows that it is not "
            "worse."
        )
    worse = [
        cohort_measurement for cohort_measurement in cohort_measurements if cohort_measurement.worse
    ]
    return "; ".join(
        f"{measurement.cohort} would rank worse: "
        f"AUC {measurement.before:.3f} becomes {measurement.after:.3f}"
        for measurement in worse
    )
