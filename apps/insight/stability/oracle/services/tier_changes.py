"""New weights of the tiers: learnt from outcomes, tested on them, decided by two operators."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.insight.stability.models import TierChange, TierOutcome, TierRecord
from apps.insight.stability.oracle.rules import weight_comparison, weight_updates
from apps.insight.stability.oracle.rules.curves import METHOD
from apps.insight.stability.oracle.rules.layers import LAYERS
from apps.insight.stability.oracle.rules.weight_comparison import ResolvedWeek
from apps.insight.stability.oracle.rules.weight_updates import WeekOutcome, WeightMove
from apps.insight.stability.oracle.selectors import tier_weights
from apps.platform.common.problems import Conflict
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# newest outcomes from which a change is learnt and on which it is tested
MOST_WEEKS = 1000


class TierChangeRefused(Conflict):
    """The recorded outcomes do not support the change, or the weights have changed since."""

    code, title = "tier_weights_not_borne", "Tier weights cannot be changed this way"


def load_resolved_weeks() -> list[ResolvedWeek]:
    """Return the newest resolved outcomes that pass their integrity check."""
    tier_outcomes = filter_verified_records(TierOutcome.objects.order_by("-day")[:MOST_WEEKS])
    return [
        ResolvedWeek(outcome.bad, outcome.data["values"])
        for outcome in tier_outcomes
        if not outcome.purged
    ]


def outcomes_of_weeks(resolved_weeks: Sequence[ResolvedWeek]) -> list[WeekOutcome]:
    """Return which tiers had warned in each week."""
    return [
        WeekOutcome(
            resolved_week.bad, frozenset(weight_updates.list_warning_tiers(resolved_week.values))
        )
        for resolved_week in resolved_weeks
    ]


def draft_tier_change(*, returns_to: int | None = None) -> TierChange:
    """Return a change that is not stored; raises TierChangeRefused as `propose_tier_change`
    does.
    """
    weights_in_force, resolved_weeks = tier_weights.load_weights_in_force(), load_resolved_weeks()
    if returns_to is None:
        counts = weight_updates.count_warnings(outcomes_of_weeks(resolved_weeks))
        moved = weight_updates.compute_moves(counts=counts, current=weights_in_force.weights)
    else:
        moved = _moves_to_version(weights_in_force.weights, returns_to)
    if all(move.was == move.becomes for move in moved):
        raise TierChangeRefused(f"No weight would move: {moved[0].why}.")
    after = weight_updates.weights_after_moves(moved, current=weights_in_force.weights)
    before, then = (
        weight_comparison.count_ordered_pairs(resolved_weeks, weights)
        for weights in (weights_in_force.weights, after)
    )
    rarer = min(
        sum(week.bad for week in resolved_weeks), sum(not week.bad for week in resolved_weeks)
    )
    # a return is never refused for separating worse: it undoes a mistake
    if returns_to is None and (
        why := weight_comparison.explain_refusal(before=before, after=then, each=rarer)
    ):
        raise TierChangeRefused(why)
    return TierChange(
        weights=after,
        grounds=[
            {
                "tier": move.tier,
                "was": move.was,
                "becomes": move.becomes,
                "why": move.why,
            }
            for move in moved
            if move.was != move.becomes
        ],
        measured={"before": list(before), "after": list(then), "weeks": len(resolved_weeks)},
        based_on=weights_in_force.version,
        returns_to=returns_to,
    )


def _moves_to_version(current: Mapping[str, int], version: int) -> tuple[WeightMove, ...]:
    target = tier_weights.load_weights_of_version(version)
    if target is None:
        raise TierChangeRefused(f"There is no version {version} of the weights.")
    why = f"return to version {version}"
    return tuple(WeightMove(layer.id, current[layer.id], target[layer.id], why) for layer in LAYERS)


def propose_tier_change(
    *, by: "User", reason: str, now: datetime, returns_to: int | None = None
) -> TierChange:
    """Propose the weights that outcomes taught, or a return to an earlier version.

    Raises TierChangeRefused if no weight would change, or bad weeks would be separated less well.
    """
    change = draft_tier_change(returns_to=returns_to)
    change.reason = reason
    change.propose(by=by, now=now)
    return change


@transaction.atomic
def approve_tier_change(
    *, change: TierChange, by: "User", now: datetime, note: str = ""
) -> TierRecord:
    """Put weights into force as another operator; TierChangeRefused where others are since."""
    return change.put_into_force(
        TierRecord,
        by=by,
        note=note,
        now=now,
        refused=TierChangeRefused,
        prior_version=tier_weights.INITIAL_VERSION,
        method=METHOD,
    )


@transaction.atomic
def reject_tier_change(*, change: TierChange, by: "User", now: datetime, note: str) -> None:
    """Turn a change down; TierChangeRefused as for approving, and without a reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=TierChangeRefused)
