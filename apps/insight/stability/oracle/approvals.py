"""Changes of tier weights that wait for another operator, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.insight.stability.models import TierChange
from apps.insight.stability.oracle.presenters import LAYER_TITLES
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_pending_changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("stability.decide_tierchange"):
        return None
    return pending_approvals(TierChange.objects.all(), user, build_waiting_entry)


def build_waiting_entry(change: TierChange) -> PendingApproval:
    """Return a proposal as a line of what waits for approval."""
    address = reverse("admin:stability_tierchange_change", args=[change.pk]) if change.pk else ""
    return PendingApproval(
        kind="Weights of the oracle",
        title=str(change),
        changes=tuple(_format_weight_change(one) for one in change.grounds),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=address,
    )


def _format_weight_change(one: dict[str, object]) -> tuple[str, str, str]:
    named = LAYER_TITLES.get(str(one["tier"]), str(one["tier"]))
    was, becomes = (f"{int(str(one[name])) / 10:g} %" for name in ("was", "becomes"))
    return f"{named}: {one['why']}", was, becomes


def describe_consequences(change: TierChange) -> tuple[str, ...]:
    """Return what follows from a change, and how it tells bad weeks from good ones."""
    (before, pairs), (after, _) = change.measured["before"], change.measured["after"]
    ranks = (
        [f"Of {change.measured['weeks']} weeks: AUC {before / pairs:.3f} becomes "
         f"{after / pairs:.3f}."]
        if pairs
        else []
    )  # fmt: skip
    return (*ranks, "Runs from then on are weighed so; those before stay as they are.")
