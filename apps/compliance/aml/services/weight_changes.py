"""New weights: learnt from decisions, checked by a backtest, and decided by two seniors."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.compliance.aml import active_weights, integrity
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, WeightChange, WeightRecord
from apps.compliance.aml.models.decision_labels import ALL
from apps.compliance.aml.rules import calibration, scorecard
from apps.compliance.aml.rules.calibration import CohortCounts, CohortMeasurement, WeightMove
from apps.compliance.aml.rules.rank_auc import compute_rank_auc
from apps.compliance.aml.rules.scorecard import COHORTS, Weights, judge_signals
from apps.compliance.aml.rules.signal_context import FiredSignal
from apps.compliance.aml.rules.signals import BY_ID
from apps.platform.common.problems import Conflict
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_LABELS = 5_000  # newest decisions per class and cohort that a change is tested on
# a count within a cohort that gives a screen its cohort again
COUNT_OF = {"UNKNOWN": 0, "NEW": 1, "DEVELOPING": 10, "ESTABLISHED": 100}


class WeightChangeRefused(Conflict):
    """The change is not supported by officers' decisions, or the weights have changed since."""

    code, title = "weights_not_borne", "This change of weights is not possible"


def load_label_counts() -> dict[str, CohortCounts]:
    """Return what officers decided so far, by cohort; one query."""
    label_counts = {name: CohortCounts() for name in COHORTS}
    for row in LabelCount.objects.all():
        cohort_counts = label_counts[row.cohort]
        if row.signal == ALL:
            cohort_counts.bad, cohort_counts.good = row.bad, row.good
        else:
            cohort_counts.held_bad[row.signal], cohort_counts.held_good[row.signal] = (
                row.bad,
                row.good,
            )
    return label_counts


def learn_weight_moves(*, now: datetime) -> tuple[WeightMove, ...]:
    """Return how the weights in force would move now."""
    return calibration.compute_weight_moves(
        counts=load_label_counts(), current=active_weights.load_active_weights(now).weights
    )


def measure_weights(*, before: Weights, after: Weights) -> list[CohortMeasurement]:
    """Rank the labelled screens of each cohort by both weights."""
    return [_measure_cohort(name, before, after) for name in COHORTS]


def _measure_cohort(cohort: str, before: Weights, after: Weights) -> CohortMeasurement:
    rows = list(_labelled_signals(cohort))
    bad = [flag for flag, _ in rows]
    ranked = [
        compute_rank_auc([_score_signals(fired, cohort, w) for _, fired in rows], bad)
        for w in (before, after)
    ]
    return CohortMeasurement(cohort, sum(bad), len(bad) - sum(bad), *ranked)


def _labelled_signals(cohort: str) -> Iterator[tuple[bool, Sequence[FiredSignal]]]:
    """Yield the decision on each screen of a cohort, with the signals of its proved record."""
    for bad in (True, False):
        # each class by itself: the bad ones are few and must not drop out behind newer good ones
        labels = Label.objects.filter(cohort=cohort, bad=bad).order_by("-pk")
        ids = list(labels.values_list("screen_id", flat=True)[:MOST_LABELS])
        for start in range(0, len(ids), 500):
            aml_screens = AmlScreen.objects.filter(screen_id__in=ids[start : start + 500])
            for aml_screen in filter_verified_records(list(aml_screens)):
                signals = aml_screen.data.get("response", {}).get("signals")
                if signals is not None:
                    yield (
                        bad,
                        [
                            FiredSignal(row["id"], row["value"], row["strength"], row["sentence"])
                            for row in signals
                            if row["id"] in BY_ID
                        ],
                    )


def _score_signals(fired: Sequence[FiredSignal], cohort: str, weights: Weights) -> int:
    return judge_signals(signals=fired, count=COUNT_OF[cohort], weights=weights).evidence


def propose_weight_change(
    *, by: "User", reason: str, now: datetime, returns_to: int | None = None
) -> WeightChange:
    """Propose the weights that decisions taught, or a return to an earlier version.

    Raises WeightChangeRefused when nothing would move, or the backtest shows that a cohort would
    rank worse. A return is never refused for its ranking: it takes back what turned out wrong.
    """
    change = draft_weight_change(now=now, returns_to=returns_to)
    change.reason = reason
    change.propose(by=by, now=now)
    return change


def draft_weight_change(*, now: datetime, returns_to: int | None = None) -> WeightChange:
    """Return a change that is not stored; raises WeightChangeRefused as `propose_weight_change`
    does.
    """
    in_force = active_weights.load_active_weights(now)
    # weights must not be learnt from decisions that nobody made
    if returns_to is None and (why := find_label_fault()):
        raise WeightChangeRefused(f"Integrity check failed for recorded decisions: {why}.")
    moved = (
        learn_weight_moves(now=now)
        if returns_to is None
        else _moves_back_to(in_force.weights, returns_to)
    )
    if all(move.was == move.becomes for move in moved):
        raise WeightChangeRefused(
            "No weight would change: too few decisions, or none with new information."
        )
    # how the labelled screens rank by the weights in force and by the new ones
    after = calibration.apply_weight_moves(moved)
    weights = measure_weights(before=in_force.weights, after=after)
    # a return takes back what turned out wrong, so its ranking does not matter
    if returns_to is None and (why := calibration.find_refusal(weights)):
        raise WeightChangeRefused(why)
    return WeightChange(
        weights=after,
        grounds=[
            {
                "cohort": move.cohort,
                "signal": move.signal,
                "was": move.was,
                "becomes": move.becomes,
                "why": move.why,
            }
            for move in moved
            if move.was != move.becomes
        ],
        measured=[_serialize_measurement(measurement) for measurement in weights],
        based_on=in_force.version,
        returns_to=returns_to,
    )


def find_label_fault() -> str:
    """Return the first fault of labels and their counts, or an empty text."""
    return next(
        itertools.chain(integrity.verify_label_counts(), integrity.verify_labels(lambda _: None)),
        "",
    )


def _moves_back_to(current: Weights, version: int) -> tuple[WeightMove, ...]:
    """Return the moves from the weights in force back to those of a version."""
    if version == active_weights.PRIOR:
        target: Weights = scorecard.prior_weights()
    else:
        row = WeightRecord.objects.filter(version=version).first()
        # an altered version answers like one that never was
        if row is None or not filter_verified_records([row]):
            raise WeightChangeRefused(f"There are no weights of version {version}.")
        target = active_weights.weights_of_record(row)
    return tuple(
        WeightMove(cohort, name, was, 0, target[cohort][name], f"return to version {version}")
        for cohort, points in current.items()
        for name, was in points.items()
    )


def _serialize_measurement(cohort_measurement: CohortMeasurement) -> dict[str, Any]:
    ranks = {
        "before": f"{cohort_measurement.before:.4f}",
        "after": f"{cohort_measurement.after:.4f}",
    }
    return {
        "cohort": cohort_measurement.cohort,
        "bad": cohort_measurement.bad,
        "good": cohort_measurement.good,
    } | ranks


@transaction.atomic
def approve_weight_change(
    *, change: WeightChange, by: "User", now: datetime, note: str = ""
) -> WeightRecord:
    """Put weights into force as another senior officer; WeightChangeRefused where others are
    since.
    """
    record = change.put_into_force(
        WeightRecord,
        by=by,
        note=note,
        now=now,
        refused=WeightChangeRefused,
        prior_version=active_weights.PRIOR,
        rules_version=scorecard.VERSION,
    )
    # not before: this process would cache the weights that are still in force
    transaction.on_commit(active_weights.forget_weights)
    return record


@transaction.atomic
def reject_weight_change(*, change: WeightChange, by: "User", now: datetime, note: str) -> None:
    """Turn a change down; WeightChangeRefused as for approving, and without a reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=WeightChangeRefused)
