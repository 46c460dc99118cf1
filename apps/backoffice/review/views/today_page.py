"""The home page "Today": what waits for the reader, and how the desk is doing."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case, Outcome, Status
from apps.backoffice.review.views import queue_page
from apps.backoffice.review.views.queue_query import (
    DECISION_TIMES,
    get_start_of_day,
    match_decision_time,
)
from apps.platform.desk import charts
from apps.platform.desk.home import Panel

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DAYS = 14  # of the chart of cases that came and went
PERIOD = timedelta(days=30)  # of the charts of decided cases
ROWS = 6  # cases that are due next
MOST_RULES = 8  # bars of false positives, the most frequent rules first


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart, and what it shows in words."""

    title: str
    about: str
    bars: list[charts.ChartBar]


@dataclass(frozen=True, slots=True)
class Today:
    """Everything of the home page that is about cases."""

    due: list[queue_page.QueueRow]
    days: list[charts.ChartDay]
    bars: list[Chart]


def build_today_panel(user: "User", now: datetime) -> Panel | None:
    """Return the panel of cases on the home page."""
    today = load_today(user=user, now=now)
    return Panel("review/today.html", today, "review/today_head.html") if today else None


def load_today(*, user: "User", now: datetime) -> Today | None:
    """Return what the home page shows of cases; None for who may not see any."""
    if not user.has_perm("review.view_case"):
        return None
    people = ("claimed_by", "first_by", "assigned_to")
    cases = Case.objects.select_related(*people).defer("evidence")
    # an officer who may not claim sees what is due next on the desk
    if user.has_perm("review.claim_case"):
        open_cases = Case.objects.open_to(user, now)
    else:
        open_cases = Case.objects.undecided().due_first()
    first = open_cases.filter(status=Status.OPEN)  # what waits for a second is listed apart
    # numbers first: their order is read from the queue's index alone, without each row's evidence
    due = list(cases.filter(pk__in=list(first.values_list("pk", flat=True)[:ROWS])).due_first())
    due_rows = queue_page.build_queue_rows(
        due, tenant_names.load_tenant_names({case.owner for case in due}), user, now
    )
    view = next(queue_view for queue_view in queue_page.VIEWS if queue_view.slug == "open")
    counts_by_type = dict(
        Case.objects.filter(view.rows(user, now))
        .order_by()
        .values_list("kind")
        .annotate(Count("pk"))
    )
    rows = [
        (case_types.get_case_type_title(kind), count, f"{count:,}", _build_queue_url(kind=kind))
        for kind, count in sorted(counts_by_type.items(), key=lambda pair: -pair[1])
    ]
    chart_open_by_type = Chart(
        "Open by case type", "Open cases of each type", charts.build_bars(rows)
    )
    return Today(
        due_rows,
        _chart_case_flow(now),
        [chart_open_by_type, *_chart_decided_cases(now)],
    )


def _chart_case_flow(now: datetime) -> list[charts.ChartDay]:
    """Return how many cases came and went on each of the last days."""
    last = now.astimezone(UTC).date()
    dates = [last - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    since = get_start_of_day(dates[0].isoformat())
    series = []
    decided = Case.objects.filter(status=Status.DECIDED)
    for name, column, cases in (
        ("in", "opened_at", Case.objects.all()),
        ("out", "decided_at", decided),
    ):
        counted = (
            cases.filter(**{f"{column}__gte": since})
            .order_by()
            .annotate(day=TruncDate(column, tzinfo=UTC))
            .values_list("day")
            .annotate(Count("pk"))
        )
        counts_by_day = dict(counted)
        field = column.removesuffix("_at")
        view = "all" if name == "in" else "decided"
        addresses = [_build_queue_url(view=view, **{field: day.isoformat()}) for day in dates]
        series.append((name, [counts_by_day.get(day, 0) for day in dates], addresses))
    return charts.build_day_chart(labels=[f"{day:%d %b}" for day in dates], series=series)


def _chart_decided_cases(now: datetime) -> list[Chart]:
    """Return two charts of what was decided lately, from one count."""
    since = (now.astimezone(UTC) - PERIOD).date().isoformat()
    spans = {
        f"took{number}": Count("pk", filter=match_decision_time(number))
        for number in range(len(DECISION_TIMES))
    }
    groups = (
        Case.objects.filter(status=Status.DECIDED, decided_at__gte=get_start_of_day(since))
        .order_by()
        .values("kind", "rule_refs", "outcome", "reason_code")
        .annotate(count=Count("pk"), **spans)
    )
    outcome_rows: list[dict[str, Any]] = [dict(group) for group in groups]
    times = [
        sum(group[f"took{number}"] for group in outcome_rows)
        for number in range(len(DECISION_TIMES))
    ]
    rows = [
        (
            label,
            times[number],
            f"{times[number]:,}",
            _build_queue_url(view="decided", took=str(number), since=since),
        )
        for number, (label, _, _) in enumerate(DECISION_TIMES)
    ]
    about = f"Decided cases of the last {PERIOD.days} days, by time from opening to decision"
    times_bars = charts.build_bars(rows if any(times) else [])
    return [
        Chart("Time to decision", about, times_bars),
        _chart_false_positives(outcome_rows, since),
    ]


def _chart_false_positives(groups: list[dict[str, Any]], since: str) -> Chart:
    """Return per rule how many of its cases were decided to be about another party.

    Rules for which no reason says so (a country, an amount) can have no false positive.
    """
    total: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for group in groups:
        kind = group["kind"]
        approving = (
            case_types.get_case_type(kind).reasons[Outcome.APPROVE] if kind in CASE_TYPES else ()
        )
        reasons = [reason for reason in approving if reason.false_positive]
        # rules that only inform are on most cases
        opening_rules = [
            ref
            for ref in group["rule_refs"].split("|")
            if ref and not case_types.get_rule_label(ref).informs
        ]
        for rule in opening_rules:
            if not any(not reason.rules or rule in reason.rules for reason in reasons):
                continue
            total[rule] += group["count"]
            is_false_positive = group["outcome"] == Outcome.APPROVE
            is_false_positive = is_false_positive and group["reason_code"] in {
                reason.code for reason in reasons
            }
            others[rule] += group["count"] if is_false_positive else 0
    rows = [
        (
            case_types.get_rule_label(rule).title,
            round(100 * others[rule] / count),
            f"{round(100 * others[rule] / count)} % of {count:,}",
            _build_queue_url(view="decided", rule=rule, since=since),
        )
        for rule, count in total.most_common(MOST_RULES)
    ]
    # the length is the share itself, not its ratio to the longest
    bars = [charts.ChartBar(label, words, size, address) for label, size, words, address in rows]
    about = (
        f"Share of each rule's decided cases of the last {PERIOD.days} days in which the party "
        "was found not to be the listed party"
    )
    return Chart("False positives by rule", about, bars)


def _build_queue_url(**asked: str) -> str:
    return f"{reverse('admin:review_case_changelist')}?{urlencode({'view': 'open', **asked})}"
