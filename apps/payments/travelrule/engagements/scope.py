"""The records that a user sees: an examiner sees only those in an engagement's scope."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from apps.payments.travelrule.models import Engagement, TravelRecord
from apps.payments.travelrule.rules.engagements import EngagementSpan, find_refusal
from apps.platform.common.days import start_of_day
from apps.platform.desk.proposal_records import describe_alteration

if TYPE_CHECKING:
    from django.contrib.auth.models import User

EXAMINE_PERMISSION = "travelrule.examine"
ALTERED_REFUSAL = (
    "Integrity check failed for your engagement: your account has no access. Contact the person "
    "who approved it."
)


@dataclass(frozen=True, slots=True)
class ExaminerAccess:
    """The access of an account: `refused` says why it opens nothing."""

    engagement: Engagement | None = None
    refused: str = ""


def is_examiner(user: "User") -> bool:
    """Tell whether an account has access only under an engagement."""
    # a superuser has every permission, this one included, and is not restricted by it
    return user.is_active and not user.is_superuser and user.has_perm(EXAMINE_PERMISSION)


def load_examiner_access(user: "User", now: datetime) -> ExaminerAccess:
    """Return an account's access at a moment; two queries for examiners, else none.

    An engagement that differs from its last recorded step gives no access.
    """
    if not is_examiner(user):
        return ExaminerAccess()
    mine = Engagement.objects.filter(examiner=user, state=Engagement.State.APPROVED)
    # of several that are in force, the one that ends last
    approved = list(mine.select_related("examiner").order_by("-ends_at", "-pk"))
    spans = [
        EngagementSpan(engagement.starts_at, engagement.ends_at, engagement.ended_at)
        for engagement in approved
    ]
    if why := find_refusal(spans, now):
        return ExaminerAccess(refused=why)
    current_engagement = next(engagement for engagement in approved if engagement.stands_at(now))
    return (
        ExaminerAccess(refused=ALTERED_REFUSAL)
        if describe_alteration(current_engagement)
        else ExaminerAccess(current_engagement)
    )


def select_visible_records(user: "User", now: datetime) -> QuerySet[TravelRecord]:
    """Return the records that a user sees; none without the permission."""
    if not user.has_perm("travelrule.view_travelrecord"):
        return TravelRecord.objects.none()
    examiner_access = load_examiner_access(user, now)
    if examiner_access.refused:
        return TravelRecord.objects.none()
    rows = TravelRecord.objects.all()
    return (
        rows
        if examiner_access.engagement is None
        else rows.filter(build_scope_filter(examiner_access.engagement))
    )


def build_scope_filter(engagement: Engagement) -> Q:
    """Return the condition for records in an engagement's scope."""
    begins, ends = start_of_day(engagement.records_from), start_of_day(engagement.records_to)
    # the last day is included
    condition = Q(created_at__gte=begins, created_at__lt=ends + timedelta(days=1))
    # without institutions all records are in scope, also those of no institution (inbound messages)
    if engagement.institutions:
        condition &= Q(owner__in=engagement.institutions)
    return condition
