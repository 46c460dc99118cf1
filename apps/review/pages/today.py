"""Today: what waits for the reader, and how the desk is doing."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.urls import reverse

from apps.access import tenants
from apps.desk import charts
from apps.desk.home import Panel
from apps.review import kinds
from apps.review.models import Case, Outcome, Status
from apps.review.pages import queue
from apps.review.pages.asked import TOOK, start_of, took
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DAYS = 14
PERIOD = timedelta(days=30)
ROWS = 6
MOST_RULES = 8


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart, and what it shows in words."""

    title: str
    about: str
    bars: list[charts.Bar]


@dataclass(frozen=True, slots=True)
class Today:
    """Everything of the home page that is about cases."""

    due: list[queue.Row]
    days: list[charts.Day]
    bars: list[Chart]


def panel(user: "User", now: datetime) -> Panel | None:
    """Return what the home page shows of cases, ready to draw."""
    found = today(user=user, now=now)
    return Panel("review/today.html", found, "review/today_head.html") if found else None


def today(*, user: "User", now: datetime) -> Today | None:
    """Return what the home page shows of cases; None for who may not see any."""
    if not user.has_perm("review.view_case"):
        return None
    return Today(_due(user, now), _flow(now), [_kinds(user, now), *_decided(now)])


def _due(user: "User", now: datetime) -> list[queue.Row]:
    people = ("claimed_by", "first_by", "assigned_to")
    cases = Case.objects.select_related(*people).defer("evidence")
    # by number: the order then reads the queue's index alone, not each row's evidence
    due = list(cases.filter(pk__in=_next(user, now)).due_first())
    return queue.rows(due, tenants.names({case.owner for case in due}), user, now)


def _next(user: "User", now: datetime) -> list[int]:
    """Return what an officer should take next; for who takes none, what is due next."""
    if user.has_perm("review.claim_case"):
        open_cases = Case.objects.open_to(user, now)
    else:
        open_cases = Case.objects.undecided().due_first()
    first = open_cases.filter(status=Status.OPEN)  # what waits for a second is listed apart
    return list(first.values_list("pk", flat=True)[:ROWS])


def _flow(now: datetime) -> list[charts.Day]:
    """Return how many cases came and went on each of the last days."""
    last = now.astimezone(UTC).date()
    dates = [last - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    since = start_of(dates[0].isoformat())
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
        found = dict(counted)
        field = column.removesuffix("_at")
        view = "all" if name == "in" else "decided"
        addresses = [_address(view=view, **{field: day.isoformat()}) for day in dates]
        series.append((name, [found.get(day, 0) for day in dates], addresses))
    return charts.days(labels=[f"{day:%d %b}" for day in dates], series=series)


def _kinds(user: "User", now: datetime) -> Chart:
    view = next(one for one in queue.VIEWS if one.slug == "open")
    found = dict(
        Case.objects.filter(view.rows(user, now))
        .order_by()
        .values_list("kind")
        .annotate(Count("pk"))
    )
    rows = [
        (kinds.title(kind), count, f"{count:,}", _address(kind=kind))
        for kind, count in sorted(found.items(), key=lambda pair: -pair[1])
    ]
    return Chart("Open by kind", "Open cases of each kind", charts.bars(rows))


def _decided(now: datetime) -> list[Chart]:
    """Return two charts of what was decided lately, from one count."""
    since = (now.astimezone(UTC) - PERIOD).date().isoformat()
    spans = {f"took{number}": Count("pk", filter=took(number)) for number in range(len(TOOK))}
    groups = (
        Case.objects.filter(status=Status.DECIDED, decided_at__gte=start_of(since))
        .order_by()
        .values("kind", "rule_refs", "outcome", "reason_code")
        .annotate(count=Count("pk"), **spans)
    )
    found: list[dict[str, Any]] = [dict(group) for group in groups]
    times = [sum(group[f"took{number}"] for group in found) for number in range(len(TOOK))]
    rows = [
        (
            label,
            times[number],
            f"{times[number]:,}",
            _address(view="decided", took=str(number), since=since),
        )
        for number, (label, _, _) in enumerate(TOOK)
    ]
    about = f"Decided cases of the last {PERIOD.days} days, by time from opening to decision"
    times_bars = charts.bars(rows if any(times) else [])
    return [Chart("Time to decision", about, times_bars), _false_positives(found, since)]


def _false_positives(groups: list[dict[str, Any]], since: str) -> Chart:
    """Return per rule how many of its cases were decided to be about another party.

    Rules for which no reason says so (a country, an amount) can have no false positive.
    """
    total: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for group in groups:
        reasons = _of_another(group["kind"])
        for rule in _weighty(group["rule_refs"]):
            if not any(not one.rules or rule in one.rules for one in reasons):
                continue
            total[rule] += group["count"]
            said = group["outcome"] == Outcome.APPROVE
            said = said and group["reason_code"] in {one.code for one in reasons}
            others[rule] += group["count"] if said else 0
    rows = [
        (
            kinds.rule_words(rule).title,
            round(100 * others[rule] / count),
            f"{round(100 * others[rule] / count)} % of {count:,}",
            _address(view="decided", rule=rule, since=since),
        )
        for rule, count in total.most_common(MOST_RULES)
    ]
    # the length is the share itself, not its ratio to the longest
    made = [charts.Bar(label, words, size, address) for label, size, words, address in rows]
    about = (
        f"Share of each rule's decided cases of the last {PERIOD.days} days "
        "in which the party was found to be another than the listed one"
    )
    return Chart("False positives by rule", about, made)


def _of_another(kind: str) -> list[kinds.Reason]:
    """Return the reasons of a kind that find the party to be another than the listed one."""
    approving = kinds.named(kind).reasons[Outcome.APPROVE] if kind in KINDS else ()
    return [one for one in approving if one.false_positive]


def _weighty(refs: str) -> list[str]:
    """Return the rules that bring cases here: what informs alone is on most of them."""
    return [ref for ref in refs.split("|") if ref and not kinds.rule_words(ref).informs]


def _address(**asked: str) -> str:
    return f"{reverse('admin:review_case_changelist')}?{urlencode({'view': 'open', **asked})}"
