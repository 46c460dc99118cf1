"""Which weights are in force: the newest version on record, or the prior ones."""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef

from apps.compliance.aml.models import WeightChange, WeightRecord
from apps.compliance.aml.rules.scorecard import Weights, prior_weights
from apps.compliance.aml.rules.signals import BY_ID
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records

LOOK_EVERY = 1.0  # seconds between reads of the ledger, per process
PRIOR = 0  # the version of the weights before anything was learnt


class WeightsIntegrityError(Unavailable):
    """Integrity check failed for the weights in force."""

    code, title = "weights_unproved", "Weights integrity check failed"


@dataclass(frozen=True, slots=True)
class ActiveWeights:
    """A version of the weights; 0 are the prior ones."""

    version: int
    weights: Weights


# of this process; another one that approves weights is noticed within LOOK_EVERY
_cache: dict[str, Any] = {
    "loaded_at": float("-inf"),
    "weights": ActiveWeights(PRIOR, prior_weights()),
}


def load_active_weights(now: datetime) -> ActiveWeights:
    """Return the weights in force; at most one query a second and process."""
    if time.monotonic() - _cache["loaded_at"] >= LOOK_EVERY:
        _cache.update(weights=_load_newest(), loaded_at=time.monotonic())
    active_weights: ActiveWeights = _cache["weights"]
    return active_weights


def forget_weights() -> None:
    """Clear the cache, so that the next call reads the weights again."""
    _cache["loaded_at"] = float("-inf")


def _load_newest() -> ActiveWeights:
    """Return the newest version; WeightsIntegrityError for one that was altered, or is gone."""
    row = WeightRecord.objects.order_by("-version").first()
    # who deletes the newest record would put the weights before it back into force
    unrecorded_changes = WeightChange.objects.filter(state=WeightChange.State.APPROVED).exclude(
        Exists(WeightRecord.objects.filter(change=OuterRef("pk")))
    )
    if unrecorded_changes.exists():
        raise WeightsIntegrityError(
            "Weights of AML signals were approved, but their record is missing."
        )
    if row is None:
        return ActiveWeights(PRIOR, prior_weights())
    if not filter_verified_records([row]):
        raise WeightsIntegrityError("Integrity check failed for the newest weights of AML signals.")
    return ActiveWeights(row.version, weights_of_record(row))


def weights_of_record(row: WeightRecord) -> dict[str, dict[str, int]]:
    """Return the weights of a version; a signal that came since has its prior weight."""
    # begun with today's table: signals that are gone drop out, new ones have their prior weight
    weights = prior_weights()
    for cohort, points_by_signal in row.data["weights"].items():
        for name, first in weights[cohort].items():
            weight = points_by_signal.get(name, first)
            # what correlates with sanctions never weighs less, whatever a version says
            weights[cohort][name] = max(weight, first) if BY_ID[name].sanctions else weight
    return weights
