"""Changes of sources that wait for another operator."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.watchlists import policy
from apps.watchlists.models import SourceChange

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("watchlists.decide_sourcechange"):
        return None
    return pending(SourceChange.objects.select_related("source"), user, waiting)


def waiting(change: SourceChange) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    field = change.get_field_display()
    was, becomes = ("\n".join(policy.shown(one)) for one in (change.before, change.after))
    return Waiting(
        kind="Source change",
        title=f"{change.source.title}: {field.lower()}",
        changes=((field, was, becomes),),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=reverse("admin:watchlists_sourcechange_change", args=[change.pk]),
    )
