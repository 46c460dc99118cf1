"""The queue as a page: views and filters with counts, one page at a time by key."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review import second_looks
from apps.backoffice.review.models import UNDECIDED, Case, Escalation, Status
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.backoffice.review.views import queue_filters
from apps.backoffice.review.views.queue_query import NEWEST_FIRST, QueueQuery
from apps.platform.desk import list_pages
from apps.platform.desk.home import Tile

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Condition = Callable[["User", datetime], Q]
UNDECIDED_ALONE = Q(status__in=UNDECIDED, merged_into=None)


@dataclass(frozen=True, slots=True)
class QueueView:
    """One saved view; `needs` is a permission without which it is not there."""

    slug: str
    title: str
    rows: Condition
    needs: str = "review.view_case"


def _match_awake(now: datetime) -> Q:
    return Q(snoozed_until=None) | Q(snoozed_until__lte=now)


VIEWS = (
    QueueView(
        "open",
        "Open",
        lambda user, now: Q(status=Status.OPEN, merged_into=None) & _match_awake(now),
    ),
    QueueView("late", "Overdue", lambda user, now: UNDECIDED_ALONE & Q(due_at__lt=now)),
    QueueView(
        "mine",
        "Mine",
        lambda user, now: (
            UNDECIDED_ALONE & (Q(claimed_by=user, claimed_until__gt=now) | Q(assigned_to=user))
        ),
        needs="review.claim_case",
    ),
    QueueView(
        "confirm",
        "To confirm",
        lambda user, now: Q(status=Status.AWAITING_SECOND, merged_into=None) & ~Q(first_by=user),
        needs="review.approve_second",
    ),
    QueueView(
        "escalated",
        "Escalated",
        lambda user, now: UNDECIDED_ALONE & ~Q(escalation=""),
        needs="review.approve_second",
    ),
    QueueView(
        "second",
        "Awaiting second officer",
        lambda user, now: Q(status=Status.AWAITING_SECOND, merged_into=None),
    ),
    QueueView("snoozed", "Snoozed", lambda user, now: UNDECIDED_ALONE & Q(snoozed_until__gt=now)),
    QueueView("decided", "Decided", lambda user, now: Q(status=Status.DECIDED)),
    QueueView("all", "All", lambda user, now: Q()),
)


def list_queue_views(user: "User") -> list[QueueView]:
    """Return the views that a user may see."""
    return [view for view in VIEWS if user.has_perm(view.needs)]


def count_queue_views(user: "User", now: datetime) -> dict[str, int]:
    """Return how many cases each counted view holds, in two queries."""
    # one pass over the undecided cases counts all of their views; "all" is not counted
    live = [view for view in list_queue_views(user) if view.slug not in NEWEST_FIRST]
    undecided: dict[str, int] = Case.objects.undecided().aggregate(
        **{view.slug: Count("pk", filter=view.rows(user, now)) for view in live}
    )
    return undecided | {"decided": Case.objects.filter(status=Status.DECIDED).count()}


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One line of the queue; `verdict` is what is recorded, `strange` that the case differs.

    The reader must not see the decision or the officer of an `untold` case: it is sampled, and they
    may judge it blind. `why` and `officer` have the full text of lines that the page cuts.
    """

    case: Case
    verdict: Verdict
    strange: bool
    tenant: str
    left: str
    late: bool
    holder: str
    aside: bool
    officer: str
    untold: bool = False

    @property
    def why(self) -> str:
        """Every rule that brought the case here, in words."""
        reason = [told_reason["sentence"] for told_reason in self.case.told]
        return " ".join(reason) or self.case.summary or self.case.title

    @property
    def look(self) -> str:
        """The address of the case's preview."""
        return reverse("admin:review_case_preview", args=[self.case.pk])


@dataclass(frozen=True, slots=True)
class QueuePage:
    """One page of the queue: its rows, the place of the next one ("" on the last), filters."""

    rows: list[QueueRow]
    following: str
    filters: list[queue_filters.OfferedFilter]


def build_queue_page(*, user: "User", query: QueueQuery, now: datetime) -> QueuePage:
    """Return one page: four queries, and one more for the counts of a view of open cases."""
    view = next(queue_view for queue_view in VIEWS if queue_view.slug == query.view)
    cases = Case.objects.filter(view.rows(user, now))
    people = ("claimed_by", "first_by", "assigned_to")
    ordered = query.order_by(query.narrow(cases)).select_related(*people).defer("evidence")
    page_rows, last = list_pages.take_page(ordered)
    following = query.place_of(last) if last else ""
    # views of all or of decided cases grow without end: their filters show no counts
    groups = [] if query.view in NEWEST_FIRST else queue_filters.count_filter_groups(cases, query)
    owners = {case.owner for case in page_rows} | {group["owner"] for group, _ in groups}
    names = tenant_names.load_tenant_names(owners | {query.owner})
    offered = queue_filters.build_queue_filters(groups, query, names)
    return QueuePage(build_queue_rows(page_rows, names, user, now), following, offered)


def build_queue_rows(
    cases: list[Case], names: dict[str, str], user: "User", now: datetime
) -> list[QueueRow]:
    """Return cases as lines of the queue, with the decisions that a reader may see."""
    verdicts = load_verdicts([case.pk for case in cases])
    hushed = find_blind_cases(user, cases)
    return [
        _build_row(case, verdicts.get(case.pk, Verdict()), names, now, case.pk in hushed)
        for case in cases
    ]


def find_blind_cases(user: "User", cases: list[Case]) -> set[int]:
    """Return the cases whose decision a reader must not see."""
    decided = [case.pk for case in cases if case.status == Status.DECIDED]
    return second_looks.find_unjudged_cases(user, decided) if decided else set()


def _build_row(
    case: Case, verdict: Verdict, names: dict[str, str], now: datetime, hushed: bool
) -> QueueRow:
    holder = case.holder(now)
    return QueueRow(
        case=case,
        verdict=Verdict() if hushed else verdict,
        untold=hushed,
        strange=not hushed and (verdict.status, verdict.outcome) != (case.status, case.outcome),
        tenant=names.get(case.owner, case.owner),
        left=format_time_left(due=case.due_at, now=now),
        late=case.due_at < now,
        holder=holder.get_username() if holder else "",
        aside=case.snoozed_until is not None and case.snoozed_until > now,
        officer="In quality sample" if hushed else _describe_officer(case, verdict, now),
    )


def _describe_officer(case: Case, verdict: Verdict, now: datetime) -> str:
    """Say who has a case, and until when; of a decided one who decided."""
    if case.status == Status.DECIDED:
        return " and ".join(filter(None, (verdict.first, verdict.second)))
    if case.ended:
        return "None (retired)"
    parts = []
    if case.merged_into_id:
        parts.append(f"Merged into case {case.merged_into_id}")
    if case.status == Status.AWAITING_SECOND:
        parts.append(f"Awaiting a second officer; first: {verdict.first}")
    if case.escalation == Escalation.OFFICER:
        parts.append("Escalated")
    if case.snoozed_until and case.snoozed_until > now:
        parts.append(f"Snoozed until {case.snoozed_until:%d %b %H:%M} UTC")
    if holder := case.holder(now):
        parts.append(f"{holder} until {case.claimed_until:%H:%M} UTC")
    elif case.assigned_to:
        parts.append(f"Assigned to {case.assigned_to}")
    return ". ".join(parts) or "Unassigned"


def format_time_left(*, due: datetime, now: datetime) -> str:
    """Return the time until (or since) a moment in words: `2 h 10 min left`, `3 d late`."""
    return f"{format_time_span(abs(due - now))} {'late' if due < now else 'left'}"


def format_time_span(length: timedelta) -> str:
    """Return a length of time in words: `2 h 10 min`, `3 d`."""
    minutes = int(length / timedelta(minutes=1))
    days, hours = minutes // 1440, minutes // 60
    if days >= 2:
        return f"{days} d"
    if hours:
        return f"{hours} h {minutes % 60} min" if hours < 10 else f"{hours} h"
    return f"{minutes} min"


TILES = ("late", "mine", "open", "escalated")


def build_queue_tiles(user: "User", now: datetime) -> list[Tile]:
    """Return the queue's figures for the home page; none for who may not see cases."""
    if not user.has_perm("review.view_case"):
        return []
    counts = count_queue_views(user, now)
    titles = {view.slug: view.title for view in VIEWS}
    address = reverse("admin:review_case_changelist")
    tiles = [
        Tile(titles[slug], counts[slug], f"{address}?view={slug}", _choose_tone(slug, counts[slug]))
        for slug in TILES
        if slug in counts
    ]
    oldest = Case.objects.undecided().order_by("opened_at").values_list("pk", "opened_at").first()
    if oldest:
        pk, opened = oldest
        tiles.append(
            Tile(
                "Oldest",
                format_time_span(now - opened),
                reverse("admin:review_case_change", args=[pk]),
            )
        )
    return tiles


def _choose_tone(slug: str, count: int) -> Any:
    return {"late": "bad", "escalated": "warn"}.get(slug, "") if count else ""
