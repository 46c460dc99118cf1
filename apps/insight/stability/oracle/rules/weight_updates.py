"""Learn the weights of the tiers from resolved outcomes, a little at a time. Pure.

Once a day a run is kept as a prediction: which tiers warned (a value below 75). Seven days later it
resolves: bad when in that time the peg was 50 basis points off, or the dollar moved by 4 % or more
against the euro. A tier that warns more often before bad weeks deserves more weight. The learnt
weight is shrunk towards the initial weight, and each step is bounded; the seven tiers keep their
sum, so that the other two layers keep their weights.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from apps.insight.stability.oracle.rules.decision import PEG_ALERT_FROM
from apps.insight.stability.oracle.rules.layers import (
    SHARES,
    TIERS,
    Weights,
    apportion_weights,
    initial_weights,
)

RESOLVES_AFTER = timedelta(days=7)
# a tier's value in ten-thousandths of a point
WARNS_BELOW = 75 * SHARES
# per cent of EUR/USD in the seven days
MOVED_FROM = Decimal(4)
# outcomes
FROZEN_BELOW = 50
# outcomes of each kind, bad and good
EACH_FROM = 10
# warnings of a tier at which half of the difference to its initial weight is learnt
SHRINK = 100
# per cent of the initial weight that one step may move
MOST_MOVE = 30
# per cent of the initial weight beyond which no step goes
FURTHEST = (25, 250)
# document 3 section 2.3: the default, which is off; nothing here executes policy on a chain
POLICY_THRESHOLD = Decimal("0.99")


@dataclass(frozen=True, slots=True)
class WeekOutcome:
    """One resolved prediction: which tiers had warned, and whether it turned out bad."""

    bad: bool
    warned: frozenset[str]


@dataclass(slots=True)
class WarningCounts:
    """Outcomes, and of those how many each tier had warned of."""

    bad: int = 0
    good: int = 0
    warned_bad: dict[str, int] = field(default_factory=dict)
    warned_good: dict[str, int] = field(default_factory=dict)


def count_warnings(outcomes: Sequence[WeekOutcome]) -> WarningCounts:
    """Return the counts of outcomes."""
    warning_counts = WarningCounts()
    for outcome in outcomes:
        warned = warning_counts.warned_bad if outcome.bad else warning_counts.warned_good
        for tier in outcome.warned:
            warned[tier] = warned.get(tier, 0) + 1
        warning_counts.bad, warning_counts.good = (
            warning_counts.bad + outcome.bad,
            warning_counts.good + (not outcome.bad),
        )
    return warning_counts


def list_warning_tiers(values: Mapping[str, int]) -> list[str]:
    """Return the tiers that warned by their values, in ten-thousandths of a point."""
    return [tier for tier in TIERS if values.get(tier, WARNS_BELOW) < WARNS_BELOW]


def is_bad_week(*, deviation: Decimal, moved: Decimal) -> bool:
    """Tell whether a prediction's week was bad: the largest deviation, and EUR/USD's move."""
    return deviation >= PEG_ALERT_FROM or abs(moved) >= MOVED_FROM


@dataclass(frozen=True, slots=True)
class WeightMove:
    """How a tier's weight moves and why, in thousandths."""

    tier: str
    was: int
    becomes: int
    why: str


def warning_lift(counts: WarningCounts, tier: str) -> float:
    """Return how much oftener a tier warned before what was bad: two Beta means, from (1, 1)."""
    before_bad = (counts.warned_bad.get(tier, 0) + 1) / (counts.bad + 2)
    before_good = (counts.warned_good.get(tier, 0) + 1) / (counts.good + 2)
    return before_bad / before_good


def compute_moves(*, counts: WarningCounts, current: Weights) -> tuple[WeightMove, ...]:
    """Return how each tier's weight would move now, those that stay included."""
    why = explain_freeze(counts)
    if why:
        return tuple(WeightMove(tier, current[tier], current[tier], why) for tier in TIERS)
    first = initial_weights()
    bounded = [_bounded_weight(counts, tier, current[tier], first[tier]) for tier in TIERS]
    return _keep_tier_sum(bounded, current=current, counts=counts)


def explain_freeze(counts: WarningCounts) -> str:
    """Return why nothing may move yet, or an empty text."""
    total = counts.bad + counts.good
    if total < FROZEN_BELOW:
        return f"frozen: {total} outcomes of {FROZEN_BELOW}"
    if min(counts.bad, counts.good) < EACH_FROM:
        return f"frozen: {counts.bad} bad and {counts.good} good, {EACH_FROM} of each are needed"
    return ""


def _bounded_weight(counts: WarningCounts, tier: str, was: int, first: int) -> int:
    """Return a tier's weight after shrinking and bounds, before the sum is kept."""
    count = counts.warned_bad.get(tier, 0) + counts.warned_good.get(tier, 0)
    worth = round(first * (1 + math.log(warning_lift(counts, tier))))
    shrunk = (worth * count + first * SHRINK) // (count + SHRINK)
    low, high = _weight_bounds(was=was, first=first)
    return min(max(shrunk, low), high)


def _weight_bounds(*, was: int, first: int) -> tuple[int, int]:
    step = first * MOST_MOVE // 100
    least, most = (first * share // 100 for share in FURTHEST)
    return max(was - step, least), min(was + step, most)


def _keep_tier_sum(
    proposed: Sequence[int], *, current: Weights, counts: WarningCounts
) -> tuple[WeightMove, ...]:
    """Return the moves with the sum of the tiers kept, none beyond its bounds."""
    first = initial_weights()
    whole = sum(current[tier] for tier in TIERS)
    weights = apportion_weights(proposed, whole=whole)
    bounds = [_weight_bounds(was=current[tier], first=first[tier]) for tier in TIERS]
    weights = [
        min(max(value, low), high) for value, (low, high) in zip(weights, bounds, strict=True)
    ]
    # clamping has changed the sum: spread the rest over the tiers in order; there is always room,
    # because the weights in force are within all bounds and have the same sum
    over = whole - sum(weights)
    distributed = []
    for value, (low, high) in zip(weights, bounds, strict=True):
        moved = min(max(value + over, low), high) - value
        distributed.append(value + moved)
        over -= moved
    return tuple(
        WeightMove(tier, current[tier], becomes, _explain_move(counts, tier))
        for tier, becomes in zip(TIERS, distributed, strict=True)
    )


def _explain_move(counts: WarningCounts, tier: str) -> str:
    held_bad, held_good = counts.warned_bad.get(tier, 0), counts.warned_good.get(tier, 0)
    return (
        f"warned before {held_bad} of {counts.bad} bad and {held_good} of {counts.good} good weeks"
    )


def weights_after_moves(
    weight_moves: Sequence[WeightMove], *, current: Mapping[str, int]
) -> dict[str, int]:
    """Return the weights of all layers after these moves."""
    return dict(current) | {weight_move.tier: weight_move.becomes for weight_move in weight_moves}
