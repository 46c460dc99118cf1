"""What an examiner sees first: which periods exist, what was flagged, and how to verify it all."""

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Q, Sum
from django.urls import reverse

from apps.access.keys import tenant_names as tenants
from apps.payments.travelrule import tallies
from apps.payments.travelrule.engagements.scope import (
    ExaminerAccess,
    is_examiner,
    load_examiner_access,
)
from apps.payments.travelrule.export.streams import VERIFIER
from apps.payments.travelrule.models import (
    DrawnSample,
    Engagement,
    SameDay,
    SavedFilter,
    Tally,
    TravelEvent,
    TravelRecord,
)
from apps.payments.travelrule.proofs.stamping import stamps
from apps.payments.travelrule.rules.transitions import STATUSES
from apps.payments.travelrule.rules.us_threshold import format_usd, threshold_on
from apps.payments.travelrule.views.filter_labels import label_filter_value
from apps.payments.travelrule.views.record_list import RecordQuery
from apps.platform.desk.home import Panel
from apps.platform.ledger.verification.verified_reads import read_chain_end

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_ROWS = 25  # of each list on this page
MAX_MONTHS = 72  # five years of retention, and what a hold keeps longer


@dataclass
class MonthCounts:
    """A month: its first and last day within the scope, its counts by status, and their sum."""

    since: date
    until: date
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All records of the month."""
        return sum(self.counts.values())

    @property
    def cells(self) -> list[tuple[str, int]]:
        """Each status with the address of its records, and how many they are."""
        return [(self.address(status=status), self.counts.get(status, 0)) for status in STATUSES]

    @property
    def all(self) -> str:
        """The address of all records of the month."""
        return self.address()

    def address(self, **more: str) -> str:
        """Return where the month's records are listed."""
        record_query = RecordQuery(
            since=self.since.isoformat(), until=self.until.isoformat(), **more
        )
        return reverse("admin:travelrule_travelrecord_changelist") + record_query.address()


def build_overview_context(*, user: "User", now: datetime) -> dict[str, Any]:
    """Return what the page draws, for the records that a reader sees; ten queries at most."""
    examiner_access: ExaminerAccess = load_examiner_access(user, now)
    engagement = examiner_access.engagement
    position, digest = read_chain_end(TravelEvent.LEDGER)
    counted, at = tallies.load_counted_position()
    shown = count_months(engagement)
    filters = (
        []
        if engagement is None
        else list(SavedFilter.objects.filter(engagement=engagement).order_by("pk")[:MAX_ROWS])
    )
    if engagement is None:
        institutions = []
    else:
        tenant_names = (
            tenants.load_tenant_names(engagement.institutions) if engagement.institutions else {}
        )
        institutions = [
            tenant_names.get(institution, institution) for institution in engagement.institutions
        ]
    return {
        "engagement": engagement,
        "institutions": institutions,
        "months": shown,
        "statuses": [label_filter_value("status", status) for status in STATUSES],
        "total": sum(counts.total for counts in shown),
        "position": position,
        "digest": digest,
        "counted": counted,
        "counted_at": at,
        "behind": max(0, position - counted),
        "days": list_flagged_days(engagement),
        "filters": filters,
        "samples": _load_samples(user, engagement),
        "threshold": threshold_on(now.date()).usd,
        "stamped": stamps.describe_latest_stamp(),
        "verifier": hashlib.sha256(VERIFIER.read_bytes()).hexdigest(),
    }


def build_examiner_panel(user: "User", now: datetime) -> Panel | None:
    """Return the home page of who examines under an engagement; None for others."""
    if not is_examiner(user):
        return None
    return Panel("travelrule/standing.html", build_overview_context(user=user, now=now))


def count_months(engagement: Engagement | None) -> list[MonthCounts]:
    """Return the months that have records of a scope, the newest first; one or a few queries."""
    # Tallies count whole months, so that no page counts millions of records. At most the first and
    # the last month of a scope are counted by their records.
    rows = Tally.objects.all()
    parts: list[MonthCounts] = []
    if engagement is not None:
        if engagement.institutions:
            rows = rows.filter(owner__in=engagement.institutions)
        whole, parts = _split_months(engagement)
        rows = rows.filter(whole)
    months: dict[date, MonthCounts] = {part.since: part for part in parts}
    sums = rows.values_list("month", "status").annotate(many=Sum("count")).order_by("-month")
    for month, status, many in sums[: MAX_MONTHS * len(STATUSES)]:
        month_counts = months.setdefault(
            month, MonthCounts(month, _next_month(month) - timedelta(days=1))
        )
        month_counts.counts[status] = many
    shown = [counts for counts in months.values() if counts.total]
    return sorted(shown, key=lambda counts: counts.since, reverse=True)[:MAX_MONTHS]


def _split_months(engagement: Engagement) -> tuple[Q, list[MonthCounts]]:
    """Return the condition for months wholly in a scope, and the counts of its partial months."""
    first, last = engagement.records_from, engagement.records_to
    begins = first if first.day == 1 else _next_month(first)
    ends = _next_month(last) if (last + timedelta(days=1)).day == 1 else last.replace(day=1)
    whole = Q(month__gte=begins, month__lt=ends)
    # a set: a scope inside one month has one part, and not one at each end
    spans = (
        {(first, min(last, _next_month(first) - timedelta(days=1)))} if first < begins else set()
    )
    if last >= ends:
        spans.add((max(first, ends), last))
    return whole, [_count_part(engagement, *span) for span in sorted(spans)]


def _count_part(engagement: Engagement, since: date, until: date) -> MonthCounts:
    begins = datetime(since.year, since.month, since.day, tzinfo=UTC)
    ends = datetime(until.year, until.month, until.day, tzinfo=UTC) + timedelta(days=1)
    rows = TravelRecord.objects.filter(created_at__gte=begins, created_at__lt=ends)
    if engagement.institutions:
        rows = rows.filter(owner__in=engagement.institutions)
    counted = {status: rows.filter(status=status).count() for status in STATUSES}
    return MonthCounts(since, until, counted)


def _next_month(day: date) -> date:
    # 32 days after the first of any month is a day of the next one
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def list_flagged_days(engagement: Engagement | None) -> list[dict[str, Any]]:
    """Return the latest days on which an originator's payments reach the threshold together."""
    rows = SameDay.objects.order_by("-day", "-total_usd", "pk")
    if engagement is not None:
        rows = rows.filter(day__gte=engagement.records_from, day__lte=engagement.records_to)
        if engagement.institutions:
            rows = rows.filter(owner__in=engagement.institutions)
    shown = list(rows[:MAX_ROWS])
    clients = tenants.load_tenant_names({same_day.owner for same_day in shown})
    page = reverse("admin:travelrule_travelrecord_changelist")
    return [
        {
            "day": same_day.day,
            "client": clients.get(same_day.owner, same_day.owner),
            "count": same_day.count,
            "total": format_usd(same_day.total_usd),
            "address": f"{page}?together={same_day.pk}",
        }
        for same_day in shown
    ]


def _load_samples(user: "User", engagement: Engagement | None) -> list[DrawnSample]:
    if not user.has_perm("travelrule.view_drawnsample"):
        return []
    rows = DrawnSample.objects.all()
    if engagement is not None:
        rows = rows.filter(scope=engagement)
    return list(rows.select_related("by")[:MAX_ROWS])
