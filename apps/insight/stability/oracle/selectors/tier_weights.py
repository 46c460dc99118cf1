"""Load the weights of layers in force: the newest version on record, or the initial ones."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from apps.insight.stability.models import TierChange, TierRecord
from apps.insight.stability.oracle.rules.layers import initial_weights
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records

INITIAL_VERSION = 0  # the version of the weights before anything was learnt


class TierWeightsIntegrityError(Unavailable):
    """Integrity check failed for the weights in force."""

    code, title = "weights_unproved", "Tier weights integrity check failed"


@dataclass(frozen=True, slots=True)
class WeightsInForce:
    """A version of the weights, in thousandths by layer; 0 are those as first set."""

    version: int
    weights: Mapping[str, int]


def load_weights_in_force() -> WeightsInForce:
    """Return the newest weights; TierWeightsIntegrityError if they were altered or are missing."""
    row = TierRecord.objects.order_by("-version").first()
    # a deleted newest record would put an older version into force; the approval shows the gap
    unrecorded_changes = TierChange.objects.filter(state=TierChange.State.APPROVED).exclude(
        Exists(TierRecord.objects.filter(change=OuterRef("pk")))
    )
    if unrecorded_changes.exists():
        raise TierWeightsIntegrityError("Tier weights were approved, but their record is missing.")
    if row is None:
        return WeightsInForce(INITIAL_VERSION, initial_weights())
    if not filter_verified_records([row]):
        raise TierWeightsIntegrityError("Integrity check failed for the newest tier weights.")
    return WeightsInForce(row.version, dict(row.data["weights"]))


def load_weights_of_version(number: int) -> Mapping[str, int] | None:
    """Return the weights of a version, or None where there is none that is proved."""
    if number == INITIAL_VERSION:
        return initial_weights()
    row = TierRecord.objects.filter(version=number).first()
    return dict(row.data["weights"]) if row is not None and filter_verified_records([row]) else None
