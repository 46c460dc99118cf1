"""Changes of weights that wait for another senior officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.compliance.aml.models import WeightChange
from apps.compliance.aml.rules.scorecard import POINT
from apps.compliance.aml.rules.signals import BY_ID
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_pending_weight_changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("aml.decide_weightchange"):
        return None
    return pending_approvals(WeightChange.objects.all(), user, build_approval_row)


def build_approval_row(change: WeightChange) -> PendingApproval:
    """Return a proposal as a line of what waits for approval."""
    address = reverse("admin:aml_weightchange_change", args=[change.pk]) if change.pk else ""
    return PendingApproval(
        kind="Weights of AML signals",
        title=str(change),
        changes=tuple(_weight_change_row(one) for one in change.grounds),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=address,
    )


def _weight_change_row(one: dict[str, object]) -> tuple[str, str, str]:
    row = BY_ID.get(str(one["signal"]))
    title = row.title if row else str(one["signal"])
    was, becomes = (f"{int(str(one[name])) / POINT:.1f} points" for name in ("was", "becomes"))
    return f"{title}, {str(one['cohort']).lower()}: {one['why']}", was, becomes


def describe_consequences(change: WeightChange) -> tuple[str, ...]:
    """Return what follows from a change for screens, and how labelled screens rank by it."""
    ranks = [
        f"{one['cohort'].title()}: AUC {one['before']} becomes {one['after']} on {one['bad']} bad "
        f"and {one['good']} good decisions."
        for one in change.measured
        if one["bad"] and one["good"]
    ]
    return (
        *ranks,
        "Screens from then on are weighed so; those before stay as they are.",
    )
