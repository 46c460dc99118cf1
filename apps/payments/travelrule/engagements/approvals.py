"""Engagements that wait for another senior officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.access.keys import tenants
from apps.payments.travelrule.models import Engagement
from apps.payments.travelrule.rules.engagements import format_moment_to_second
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def find_engagement_approvals(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("travelrule.decide_engagement"):
        return None
    return pending_approvals(
        Engagement.objects.select_related("examiner"), user, build_engagement_approval
    )


def build_engagement_approval(change: Engagement) -> PendingApproval:
    """Return an engagement as a line of what waits for approval."""
    held = tenants.load_tenant_names(change.institutions)
    named = ", ".join(held.get(one, one) for one in change.institutions) or "all institutions"
    days = f"{change.records_from:%d %b %Y} to {change.records_to:%d %b %Y}"
    starts, ends = map(format_moment_to_second, (change.starts_at, change.ends_at))
    spans = f"{starts} to before {ends}"
    address = reverse("admin:travelrule_engagement_change", args=[change.pk]) if change.pk else ""
    return PendingApproval(
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


def describe_engagement_effects(change: Engagement) -> tuple[str, ...]:
    """Return what follows from an engagement when it is approved."""
    return (
        f"{change.examiner.get_username()} reads, samples and takes away these records, and "
        "nothing else; every page bears their name and is on record.",
        "Before and after that time, and once it is ended early, the account opens nothing.",
    )
