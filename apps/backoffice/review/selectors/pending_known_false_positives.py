"""Known false positives that wait for a second officer, for the list of pending approvals."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from apps.backoffice.review.known_false_positive_integrity import Events, load_known_events
from apps.backoffice.review.models import Case, KnownAction, KnownFalsePositive, KnownState, Outcome
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.local_dates import local_date

if TYPE_CHECKING:
    from django.contrib.auth.models import User

KIND = "Known false positive"
Rows = QuerySet[KnownFalsePositive]


def list_waiting_known(user: "User", now: datetime) -> Approvals | None:
    """Return waiting proposals and extensions: not the officer's own, and not expired ones.

    One whose case is not approved yet, for its reason, waits for that first.
    """
    standing = KnownFalsePositive.objects.filter(expires_on__gte=local_date(now))
    closed = Case.objects.filter(pk=OuterRef("case"), reason_code=OuterRef("reason_code"))
    approved = Exists(closed.filter(outcome=Outcome.APPROVE))
    # two queries, each with its own index: an OR would read every row, and no row is both
    new = standing.filter(approved, state=KnownState.PROPOSED).exclude(proposed_by=user)
    longer = standing.filter(extend_to__isnull=False).exclude(extend_by=user)
    return Approvals(
        lambda: new.count() + longer.count(), lambda most: _build_lines(new, longer, most)
    )


def _build_lines(new: Rows, longer: Rows, most: int) -> list[PendingApproval]:
    """Return at most so many, the oldest first; three queries."""
    false_positives = [
        *new.select_related("proposed_by").order_by("proposed_at", "pk")[:most],
        *longer.select_related("extend_by").order_by("extend_at", "pk")[:most],
    ]
    events = load_known_events([positive.pk for positive in false_positives])
    return sorted(
        (_build_line(positive, events[positive.pk]) for positive in false_positives),
        key=lambda row: row.at,
    )[:most]


def _build_line(false_positive: KnownFalsePositive, events: Events) -> PendingApproval:
    longer = false_positive.extend_to is not None
    action = KnownAction.EXTENSION if longer else KnownAction.PROPOSED
    known_event = next((event for event in reversed(events) if event.action == action), None)
    data = known_event.data if known_event else {}
    until = f"{false_positive.expires_on:%d %b %Y}"
    becomes = f"{false_positive.extend_to:%d %b %Y}" if false_positive.extend_to else until
    by = false_positive.extend_by if longer else false_positive.proposed_by
    return PendingApproval(
        kind=KIND,
        title=f"{false_positive}, extension" if longer else str(false_positive),
        changes=(("Valid through", until if longer else "", becomes),),
        by=by.get_username() if by else "",
        at=(false_positive.extend_at if longer else None) or false_positive.proposed_at,
        why="\n".join(filter(None, (data.get("reason", ""), data.get("note", "")))),
        address=reverse("admin:review_knownfalsepositive_change", args=[false_positive.pk]),
    )
