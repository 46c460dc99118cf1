"""Engagements are proposed by one senior officer, approved by another, and ended by either."""

from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.payments.travelrule.engagements.scope import is_examiner
from apps.payments.travelrule.models import Engagement
from apps.payments.travelrule.rules import engagements
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault
from apps.platform.desk.proposal_records import Step, record_step

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class EngagementConflict(Conflict):
    """The engagement cannot be made, decided or ended so."""

    code, title = "engagement_conflict", "The engagement cannot be changed as proposed"


@transaction.atomic
def propose_engagement(
    *,
    by: "User",
    examiner: "User",
    authority: str,
    starts_at: datetime,
    ends_at: datetime,
    records_from: date,
    records_to: date,
    institutions: list[str],
    reason: str,
    now: datetime,
) -> Engagement:
    """Propose an examiner's engagement; EngagementConflict if it is invalid."""
    change = Engagement(
        examiner=examiner,
        authority=authority,
        starts_at=starts_at,
        ends_at=ends_at,
        records_from=records_from,
        records_to=records_to,
        institutions=sorted(institutions),
        reason=reason,
    )
    check_engagement(change, now=now)
    change.propose(by=by, now=now)
    return change


def check_engagement(change: Engagement, *, now: datetime) -> None:
    """Raise EngagementConflict for an engagement that could not be approved."""
    engagement_fault = engagements.find_engagement_fault(
        engagements.EngagementSpan(change.starts_at, change.ends_at), now
    )
    if not engagement_fault and change.records_to < change.records_from:
        engagement_fault = "The days of the records must be in order."
    if not engagement_fault and not is_examiner(change.examiner):
        engagement_fault = "This account is not in the group of visiting examiners, or not active."
    if engagement_fault:
        raise EngagementConflict(engagement_fault)


@transaction.atomic
def approve_engagement(*, change: Engagement, by: "User", note: str, now: datetime) -> None:
    """Let the examiner in; EngagementConflict for the proposer and the examiner, or when it is
    over.
    """
    if change.examiner_id == by.pk:
        raise EngagementConflict("You cannot approve your own access.")
    change.settle(approved=True, by=by, note=note, now=now, refused=EngagementConflict)
    # again: the time may have passed since it was proposed, or the examiner left the group
    check_engagement(change, now=now)


@transaction.atomic
def reject_engagement(*, change: Engagement, by: "User", note: str, now: datetime) -> None:
    """Reject a proposal; EngagementConflict as for approving, and without a reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=EngagementConflict)


@transaction.atomic
def end_engagement(*, change: Engagement, by: "User", why: str, now: datetime) -> None:
    """End an engagement before its time; EngagementConflict for one that is none, or without a
    reason.
    """
    change.lock(refused=EngagementConflict)
    why = why.strip()
    if fault := find_note_fault(why, most=LONGEST_REASON):
        raise EngagementConflict(f"Say why it is ended. {fault}")
    if change.state != Engagement.State.APPROVED or change.ends_at <= now or change.ended_at:
        raise EngagementConflict(
            "There is nothing to end: the engagement is not approved or is over."
        )
    change.ended_at, change.ended_by, change.ended_why = now, by, why
    change.save(update_fields=["ended_at", "ended_by", "ended_why"])
    record_step(change, Step.ENDED, by=by.get_username(), now=now)
