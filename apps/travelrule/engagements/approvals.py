"""Engagements that wait for another senior officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.access import tenants
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.travelrule.models import Engagement

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def engagements(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("travelrule.decide_engagement"):
        return None
    return pending(Engagement.objects.select_related("examiner"), user, waiting)


def waiting(change: Engagement) -> Waiting:
    """Return an engagement as a line of what waits for approval."""
    held = tenants.names(change.institutions)
    named = ", ".join(held.get(one, one) for one in change.institutions) or "all institutions"
    days = f"{change.records_from:%d %b %Y} to {change.records_to:%d %b %Y}"
    spans = f"{_said(change.starts_at)} to before {_said(change.ends_at)}"
    address = reverse("admin:travelrule_engagement_change", args=[change.pk]) if change.pk else ""
    return Waiting(
        kind="Engagement of an examiner",
        title=str(change),
        changes=(
            ("The account opens pages", "nothing", spans),
            ("Records made on", "none", f"{days}, both included, in UTC"),
            ("Records of", "none", named),
        ),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=address,
    )


def means(change: Engagement) -> tuple[str, ...]:
    """Return what follows from an engagement when it is approved."""
    return (
        f"{change.examiner.get_username()} reads, samples and takes away these records, and "
        "nothing else; every page bears their name and is on record.",
        "Before and after that time, and once it is ended early, the account opens nothing.",
    )


def _said(moment: datetime) -> str:
    return f"{moment:%d %b %Y %H:%M:%S} UTC"
