"""Changes of tier weights that wait for another operator, in words."""

from apps.insight.stability.models import TierChange
from apps.insight.stability.oracle.presenters import LAYER_TITLES
from apps.platform.desk.proposal_admin import PendingProposals


def _format_weight_change(weight_change: dict[str, object]) -> tuple[str, str, str]:
    named = LAYER_TITLES.get(str(weight_change["tier"]), str(weight_change["tier"]))
    was, becomes = (f"{int(str(weight_change[name])) / 10:g} %" for name in ("was", "becomes"))
    return f"{named}: {weight_change['why']}", was, becomes


def describe_consequences(change: TierChange) -> tuple[str, ...]:
    """Return what follows from a change, and how it tells bad weeks from good ones."""
    (before, pairs), (after, _) = change.measured["before"], change.measured["after"]
    ranks = (
        [f"Over {change.measured['weeks']} weeks, AUC changes from {before / pairs:.3f} to "
        f"{after / pairs:.3f}."]
        if pairs
        else []
    )  # fmt: skip
    return (*ranks, "Later runs use these weights; earlier runs do not change.")


PENDING = PendingProposals(
    TierChange,
    kind="Oracle weights",
    title=str,
    changes=lambda change: map(_format_weight_change, change.grounds),
)
