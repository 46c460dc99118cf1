"""Which records somebody sees: an examiner under an engagement, those of its scope alone."""

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
    "Your engagement is not as it was recorded: your account opens nothing. Tell whoever let "
)
ALTERED_REFUSAL += "you in."


@dataclass(frozen=True, slots=True)
class ExaminerAccess:
    """How an account stands: `refused` says in words why it opens nothing."""

    engagement: Engagement | None = None
    refused: str = ""


def is_examiner(user: "User") -> bool:
    """Tell whether an account opens anything under an engagement alone; an administrator does."""
    return user.is_active and not user.is_superuser and user.has_perm(EXAMINE_PERMISSION)


def load_examiner_access(user: "User", now: datetime) -> ExaminerAccess:
    """Return how an account stands at a moment; two queries for who is bound, else none.

    An engagement that is not as its last recorded step has it lets nobody in.
    """
    if not is_examiner(user):
        return ExaminerAccess()
    mine = Engagement.objects.filter(examiner=user, state=Engagement.State.APPROVED)
    approved = list(mine.select_related("examiner").order_by("-ends_at", "-pk"))
    spans = [EngagementSpan(one.starts_at, one.ends_at, one.ended_at) for one in approved]
    if why := find_refusal(spans, now):
        return ExaminerAccess(refused=why)
    found = next(one for one in approved if one.stands_at(now))
    return (
        ExaminerAccess(refused=ALTERED_REFUSAL)
        if describe_alteration(found)
        else ExaminerAccess(found)
    )


def select_visible_records(user: "User", now: datetime) -> QuerySet[TravelRecord]:
    """Return the records that somebody who may see records sees; none for who may not."""
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
    """Return what holds of the records of an engagement's scope."""
    begins, ends = start_of_day(engagement.records_from), start_of_day(engagement.records_to)
    found = Q(created_at__gte=begins, created_at__lt=ends + timedelta(days=1))
    if engagement.institutions:
        found &= Q(owner__in=engagement.institutions)
    return found
