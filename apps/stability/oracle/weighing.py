"""Which weights of layers are in force: the newest version on record, or those as first set."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from apps.core.chain import proven
from apps.core.problems import Unavailable
from apps.stability.models import TierChange, TierRecord
from apps.stability.oracle.rules.layers import prior

PRIOR = 0  # the version of the weights before anything was learnt


class TierWeightsUnproved(Unavailable):
    """The weights in force are not as they were recorded."""

    code, title = "weights_unproved", "The weights cannot be relied on"


@dataclass(frozen=True, slots=True)
class InForce:
    """A version of the weights, in thousandths by layer; 0 are those as first set."""

    version: int
    weights: Mapping[str, int]


def in_force() -> InForce:
    """Return the newest weights; TierWeightsUnproved for those that were altered, or are gone."""
    row = TierRecord.objects.order_by("-version").first()
    gone = TierChange.objects.filter(state=TierChange.State.APPROVED).exclude(
        Exists(TierRecord.objects.filter(change=OuterRef("pk")))
    )
    if gone.exists():
        raise TierWeightsUnproved("Weights of tiers were approved, and their record is gone.")
    if row is None:
        return InForce(PRIOR, prior())
    if not proven([row]):
        raise TierWeightsUnproved("The newest weights of tiers are not as they were recorded.")
    return InForce(row.version, dict(row.data["weights"]))


def version(number: int) -> Mapping[str, int] | None:
    """Return the weights of a version, or None where there is none that is proved."""
    if number == PRIOR:
        return prior()
    row = TierRecord.objects.filter(version=number).first()
    return dict(row.data["weights"]) if row is not None and proven([row]) else None
