"""Other weights of the tiers: learnt from outcomes, held against them, decided by two operators."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.core.chain import proven
from apps.core.problems import Conflict
from apps.stability.models import TierChange, TierOutcome, TierRecord
from apps.stability.oracle import weighing
from apps.stability.oracle.rules import learning, worse
from apps.stability.oracle.rules.curves import METHOD
from apps.stability.oracle.rules.layers import LAYERS
from apps.stability.oracle.rules.learning import Moved, Outcome
from apps.stability.oracle.rules.worse import Week

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_WEEKS = 1000  # the newest outcomes, that a change is learnt from and held against


class TiersNotBorne(Conflict):
    """The change is not borne by what came of the runs, or the weights have moved on."""

    code, title = "tier_weights_not_borne", "The weights of the tiers cannot be changed so"


def weeks() -> list[Week]:
    """Return the newest resolved outcomes; those that are not as they were recorded count not."""
    found = proven(TierOutcome.objects.order_by("-day")[:MOST_WEEKS])
    return [Week(one.bad, one.data["values"]) for one in found if not one.purged]


def outcomes_of(found: Sequence[Week]) -> list[Outcome]:
    """Return which tiers had warned in each week."""
    return [Outcome(one.bad, frozenset(learning.warned(one.values))) for one in found]


def draft(*, returns_to: int | None = None) -> TierChange:
    """Return a change that is not stored; raises TiersNotBorne as `propose` does."""
    held, found = weighing.in_force(), weeks()
    if returns_to is None:
        counts = learning.counted(outcomes_of(found))
        moved = learning.moves(counts=counts, current=held.weights)
    else:
        moved = _returning(held.weights, returns_to)
    if all(one.was == one.becomes for one in moved):
        raise TiersNotBorne(f"No weight would move: {moved[0].why}.")
    after = learning.weights_of(moved, current=held.weights)
    before, then = (worse.ranked(found, weights) for weights in (held.weights, after))
    rarer = min(sum(one.bad for one in found), sum(not one.bad for one in found))
    if returns_to is None and (why := worse.refused(before=before, after=then, each=rarer)):
        raise TiersNotBorne(why)
    return TierChange(
        weights=after,
        grounds=[_ground(one) for one in moved if one.was != one.becomes],
        measured={"before": list(before), "after": list(then), "weeks": len(found)},
        based_on=held.version,
        returns_to=returns_to,
    )


def _returning(current: Mapping[str, int], version: int) -> tuple[Moved, ...]:
    target = weighing.version(version)
    if target is None:
        raise TiersNotBorne(f"There are no weights of version {version}.")
    why = f"return to version {version}"
    return tuple(Moved(one.id, current[one.id], target[one.id], why) for one in LAYERS)


def _ground(one: Moved) -> dict[str, Any]:
    return {"tier": one.tier, "was": one.was, "becomes": one.becomes, "why": one.why}


def propose(*, by: "User", reason: str, now: datetime, returns_to: int | None = None) -> TierChange:
    """Propose the weights that outcomes taught, or a return to an earlier version.

    Raises TiersNotBorne when nothing would move, or bad weeks would be told worse. A return is
    never refused for that: it takes back what turned out wrong.
    """
    change = draft(returns_to=returns_to)
    change.proposed_by, change.proposed_at, change.reason = by, now, reason
    with transaction.atomic():
        change.save()
        change.opened(by=by, now=now)
    return change


@transaction.atomic
def approve(*, change: TierChange, by: "User", now: datetime, note: str = "") -> TierRecord:
    """Put weights into force as another operator; TiersNotBorne where others are since."""
    change.settle(approved=True, by=by, note=note, now=now, refused=TiersNotBorne)
    newest = TierRecord.objects.select_for_update().order_by("-version").first()
    version = newest.version if newest else weighing.PRIOR
    if version != change.based_on:
        raise TiersNotBorne(f"Weights {version} are in force since it was proposed: propose anew.")
    record: TierRecord = TierRecord.write(
        payload={
            "weights": change.weights,
            "grounds": change.grounds,
            "measured": change.measured,
            "returnsTo": change.returns_to,
            "proposedBy": change.proposed_by.get_username(),
            "approvedBy": by.get_username(),
            "reason": change.reason,
        },
        now=now,
        version=version + 1,
        change=change,
        method=METHOD,
    )
    return record


@transaction.atomic
def reject(*, change: TierChange, by: "User", now: datetime, note: str) -> None:
    """Turn a change down; TiersNotBorne as for approving, and without a reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=TiersNotBorne)
