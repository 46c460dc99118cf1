"""Changes of sources that wait for another operator."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals
from apps.reference.watchlists import source_policy
from apps.reference.watchlists.models import SourceChange

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_pending_changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("watchlists.decide_sourcechange"):
        return None
    return pending_approvals(
        SourceChange.objects.select_related("source"), user, describe_pending_change
    )


def describe_pending_change(change: SourceChange) -> PendingApproval:
    """Return a proposal as a line of what waits for approval."""
    field = change.get_field_display()
    was, becomes = (
        "\n".join(source_policy.format_value(one)) for one in (change.before, change.after)
    )
    return PendingApproval(
        kind="Source change",
        title=f"{change.source.title}: {field.lower()}",
        changes=((field, was, becomes),),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=reverse("admin:watchlists_sourcechange_change", args=[change.pk]),
    )
