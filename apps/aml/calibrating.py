"""Other weights: learnt from decisions, held against a backtest, and decided by two seniors."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.aml import projection, weighing
from apps.aml.models import AmlScreen, Label, LabelCount, WeightChange, WeightRecord
from apps.aml.models.labels import ALL
from apps.aml.rules import calibration, scoring
from apps.aml.rules.calibration import Counts, Measured, Moved
from apps.aml.rules.evaluation import ranks_bad
from apps.aml.rules.scene import Fired
from apps.aml.rules.scoring import COHORTS, Weights, judge
from apps.aml.rules.signals import BY_ID
from apps.core.chain import proven
from apps.core.problems import Conflict

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_LABELS = 5_000  # of each class and cohort, the newest, that a change is held against
# a count within a cohort that gives a screen its cohort again
COUNT_OF = {"UNKNOWN": 0, "NEW": 1, "DEVELOPING": 10, "ESTABLISHED": 100}


class NotBorne(Conflict):
    """The change is not borne by what officers decided, or the weights have moved on."""

    code, title = "weights_not_borne", "The weights cannot be changed so"


def counts() -> dict[str, Counts]:
    """Return what officers decided so far, by cohort; one query."""
    found = {name: Counts() for name in COHORTS}
    for row in LabelCount.objects.all():
        held = found[row.cohort]
        if row.signal == ALL:
            held.bad, held.good = row.bad, row.good
        else:
            held.held_bad[row.signal], held.held_good[row.signal] = row.bad, row.good
    return found


def learnt(*, now: datetime) -> tuple[Moved, ...]:
    """Return how the weights in force would move now."""
    return calibration.moves(counts=counts(), current=weighing.in_force(now).weights)


def measured(*, before: Weights, after: Weights) -> list[Measured]:
    """Rank the labelled screens of each cohort by both weights."""
    return [_measured(name, before, after) for name in COHORTS]


def _measured(cohort: str, before: Weights, after: Weights) -> Measured:
    rows = list(_labelled(cohort))
    bad = [flag for flag, _ in rows]
    ranked = [
        ranks_bad([_points(fired, cohort, w) for _, fired in rows], bad) for w in (before, after)
    ]
    return Measured(cohort, sum(bad), len(bad) - sum(bad), *ranked)


def _labelled(cohort: str) -> Iterator[tuple[bool, Sequence[Fired]]]:
    """Yield the decision on each screen of a cohort, with the signals of its proved record."""
    for bad in (True, False):
        labels = Label.objects.filter(cohort=cohort, bad=bad).order_by("-pk")
        ids = list(labels.values_list("screen_id", flat=True)[:MOST_LABELS])
        for start in range(0, len(ids), 500):
            found = AmlScreen.objects.filter(screen_id__in=ids[start : start + 500])
            for one in proven(list(found)):
                said = one.data.get("response", {}).get("signals")
                if said is not None:
                    yield bad, [_fired(row) for row in said if row["id"] in BY_ID]


def _fired(row: dict[str, Any]) -> Fired:
    return Fired(row["id"], row["value"], row["strength"], row["sentence"])


def _points(fired: Sequence[Fired], cohort: str, weights: Weights) -> int:
    return judge(signals=fired, count=COUNT_OF[cohort], weights=weights).points


def propose(
    *, by: "User", reason: str, now: datetime, returns_to: int | None = None
) -> WeightChange:
    """Propose the weights that decisions taught, or a return to an earlier version.

    Raises NotBorne when nothing would move, or the backtest shows that a cohort would rank worse.
    A return is never refused for its ranking: it takes back what turned out wrong.
    """
    change = draft(now=now, returns_to=returns_to)
    change.proposed_by, change.proposed_at, change.reason = by, now, reason
    with transaction.atomic():
        change.save()
        change.opened(by=by, now=now)
    return change


def draft(*, now: datetime, returns_to: int | None = None) -> WeightChange:
    """Return a change that is not stored; raises NotBorne as `propose` does."""
    held = weighing.in_force(now)
    if returns_to is None and (why := unborne()):
        raise NotBorne(f"Decisions on record are not what officers decided: {why}.")
    moved = learnt(now=now) if returns_to is None else _returning(held.weights, returns_to)
    if all(one.was == one.becomes for one in moved):
        raise NotBorne("No weight would move: too few decisions, or none that says anything new.")
    after = calibration.weights_of(moved)
    found = measured(before=held.weights, after=after)
    if returns_to is None and (why := calibration.refused(found)):
        raise NotBorne(why)
    return WeightChange(
        weights=after,
        grounds=[_ground(one) for one in moved if one.was != one.becomes],
        measured=[_measure(one) for one in found],
        based_on=held.version,
        returns_to=returns_to,
    )


def unborne() -> str:
    """Return the first fault of labels and their counts, or an empty text."""
    return next(itertools.chain(projection.counts(), projection.labels(lambda _: None)), "")


def _returning(current: Weights, version: int) -> tuple[Moved, ...]:
    """Return the moves from the weights in force back to those of a version."""
    if version == weighing.PRIOR:
        target: Weights = scoring.prior()
    else:
        row = WeightRecord.objects.filter(version=version).first()
        if row is None or not proven([row]):
            raise NotBorne(f"There are no weights of version {version}.")
        target = weighing.of(row)
    return tuple(
        Moved(cohort, name, was, 0, target[cohort][name], f"return to version {version}")
        for cohort, held in current.items()
        for name, was in held.items()
    )


def _ground(one: Moved) -> dict[str, Any]:
    return {
        "cohort": one.cohort,
        "signal": one.signal,
        "was": one.was,
        "becomes": one.becomes,
        "why": one.why,
    }


def _measure(one: Measured) -> dict[str, Any]:
    ranks = {"before": f"{one.before:.4f}", "after": f"{one.after:.4f}"}
    return {"cohort": one.cohort, "bad": one.bad, "good": one.good} | ranks


@transaction.atomic
def approve(*, change: WeightChange, by: "User", now: datetime, note: str = "") -> WeightRecord:
    """Put weights into force as another senior officer; NotBorne where others are since."""
    change.settle(approved=True, by=by, note=note, now=now, refused=NotBorne)
    newest = WeightRecord.objects.select_for_update().order_by("-version").first()
    version = newest.version if newest else weighing.PRIOR
    if version != change.based_on:
        raise NotBorne(f"Weights {version} are in force since it was proposed: propose anew.")
    record: WeightRecord = WeightRecord.write(
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
        rules_version=scoring.VERSION,
    )
    transaction.on_commit(weighing.forget)
    return record


@transaction.atomic
def reject(*, change: WeightChange, by: "User", now: datetime, note: str) -> None:
    """Turn a change down; NotBorne as for approving, and without a reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=NotBorne)
