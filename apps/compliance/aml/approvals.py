"""Changes of weights that wait for another senior officer, in words."""

from apps.compliance.aml.models import WeightChange
from apps.compliance.aml.rules.scorecard import POINT
from apps.compliance.aml.rules.signals import BY_ID
from apps.platform.desk.proposal_admin import PendingProposals


def _weight_change_row(measurement: dict[str, object]) -> tuple[str, str, str]:
    row = BY_ID.get(str(measurement["signal"]))
    title = row.title if row else str(measurement["signal"])
    was, becomes = (
        f"{int(str(measurement[name])) / POINT:.1f} points" for name in ("was", "becomes")
    )
    return f"{title}, {str(measurement['cohort']).lower()}: {measurement['why']}", was, becomes


def describe_consequences(change: WeightChange) -> tuple[str, ...]:
    """Return what follows from a change for screens, and how labelled screens rank by it."""
    ranks = [
        f"{measurement['cohort'].title()}: AUC {measurement['before']} becomes "
        f"{measurement['after']} on {measurement['bad']} bad and {measurement['good']} good "
        "decisions."
        for measurement in change.measured
        if measurement["bad"] and measurement["good"]
    ]
    return (
        *ranks,
        "The new weights apply to later screens. Earlier screens are not changed.",
    )


PENDING = PendingProposals(
    WeightChange,
    kind="Weights of AML signals",
    title=str,
    changes=lambda change: map(_weight_change_row, change.grounds),
)
