"""The queue as a page: views and filters with counts, one page at a time by key."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.module_loading import import_string

from apps.access import tenants
from apps.desk import lists
from apps.desk.home import Tile
from apps.review.models import UNDECIDED, Case, Escalation, Status
from apps.review.pages import filters
from apps.review.pages.asked import NEWEST_FIRST, Asked
from apps.review.verdicts import Verdict, verdicts
from config.review import UNTOLD

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Condition = Callable[["User", datetime], Q]
STANDING = Q(status__in=UNDECIDED, merged_into=None)


@dataclass(frozen=True, slots=True)
class View:
    """One saved view; `needs` is a permission without which it is not there."""

    slug: str
    title: str
    rows: Condition
    needs: str = "review.view_case"


def _awake(now: datetime) -> Q:
    return Q(snoozed_until=None) | Q(snoozed_until__lte=now)


VIEWS = (
    View(
        "open",
        "Open",
        lambda user, now: Q(status=Status.OPEN, merged_into=None) & _awake(now),
    ),
    View("late", "Past due", lambda user, now: STANDING & Q(due_at__lt=now)),
    View(
        "mine",
        "Mine",
        lambda user, now: (
            STANDING & (Q(claimed_by=user, claimed_until__gt=now) | Q(assigned_to=user))
        ),
        needs="review.claim_case",
    ),
    View(
        "confirm",
        "To confirm",
        lambda user, now: Q(status=Status.AWAITING_SECOND, merged_into=None) & ~Q(first_by=user),
        needs="review.approve_second",
    ),
    View(
        "escalated",
        "Escalated",
        lambda user, now: STANDING & ~Q(escalation=""),
        needs="review.approve_second",
    ),
    View(
        "second",
        "Awaiting second officer",
        lambda user, now: Q(status=Status.AWAITING_SECOND, merged_into=None),
    ),
    View("snoozed", "Put aside", lambda user, now: STANDING & Q(snoozed_until__gt=now)),
    View("decided", "Decided", lambda user, now: Q(status=Status.DECIDED)),
    View("all", "All", lambda user, now: Q()),
)


def views_of(user: "User") -> list[View]:
    """Return the views that a user may see."""
    return [view for view in VIEWS if user.has_perm(view.needs)]


def counts(user: "User", now: datetime) -> dict[str, int]:
    """Return how many cases each counted view holds, in two queries."""
    live = [view for view in views_of(user) if view.slug not in NEWEST_FIRST]
    undecided: dict[str, int] = Case.objects.undecided().aggregate(
        **{view.slug: Count("pk", filter=view.rows(user, now)) for view in live}
    )
    return undecided | {"decided": Case.objects.filter(status=Status.DECIDED).count()}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the queue; `verdict` is what is recorded, `strange` that the case says else.

    Of an `untold` case the reader is not told how it was decided, nor by whom: it is sampled, and
    they may judge it unknowing. A line is cut where it is too long: `why` and `officer` say all
    of it.
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
        said = [one["sentence"] for one in self.case.told]
        return " ".join(said) or self.case.summary or self.case.title

    @property
    def look(self) -> str:
        """The address of the case's preview."""
        return reverse("admin:review_case_preview", args=[self.case.pk])


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the queue: its rows, the place of the next one ("" on the last), filters."""

    rows: list[Row]
    following: str
    filters: list[filters.Offered]


def page(*, user: "User", asked: Asked, now: datetime) -> Page:
    """Return one page: four queries, and one more for the counts of a view of open cases."""
    view = next(one for one in VIEWS if one.slug == asked.view)
    cases = Case.objects.filter(view.rows(user, now))
    people = ("claimed_by", "first_by", "assigned_to")
    ordered = asked.order_by(asked.narrow(cases)).select_related(*people).defer("evidence")
    found, last = lists.cut(ordered)
    following = asked.place_of(last) if last else ""
    groups = [] if asked.view in NEWEST_FIRST else filters.groups_of(cases, asked)
    owners = {case.owner for case in found} | {group["owner"] for group, _ in groups}
    names = tenants.names(owners | {asked.owner})
    offered = filters.offered(groups, asked, names)
    return Page(rows(found, names, user, now), following, offered)


def rows(cases: list[Case], names: dict[str, str], user: "User", now: datetime) -> list[Row]:
    """Return cases as lines of the queue, with what a reader is told of their decisions."""
    known = verdicts([case.pk for case in cases])
    hushed = untold(user, cases)
    return [
        _row(case, known.get(case.pk, Verdict()), names, now, case.pk in hushed) for case in cases
    ]


def untold(user: "User", cases: list[Case]) -> set[int]:
    """Return of which cases a reader is not told how they were decided (config/review.py)."""
    decided = [case.pk for case in cases if case.status == Status.DECIDED]
    found: set[int] = import_string(UNTOLD)(user, decided) if decided else set()
    return found


def _row(case: Case, verdict: Verdict, names: dict[str, str], now: datetime, hushed: bool) -> Row:
    holder = case.holder(now)
    return Row(
        case=case,
        verdict=Verdict() if hushed else verdict,
        untold=hushed,
        strange=not hushed and (verdict.status, verdict.outcome) != (case.status, case.outcome),
        tenant=names.get(case.owner, case.owner),
        left=time_left(due=case.due_at, now=now),
        late=case.due_at < now,
        holder=holder.get_username() if holder else "",
        aside=case.snoozed_until is not None and case.snoozed_until > now,
        officer="Being sampled" if hushed else _officer(case, verdict, now),
    )


def _officer(case: Case, verdict: Verdict, now: datetime) -> str:
    """Say who has a case, and until when; of a decided one who decided."""
    if case.status == Status.DECIDED:
        return " and ".join(filter(None, (verdict.first, verdict.second)))
    if case.ended:
        return "Nobody: it was retired"
    said = []
    if case.merged_into_id:
        said.append(f"Goes with case {case.merged_into_id}")
    if case.status == Status.AWAITING_SECOND:
        said.append(f"Awaiting a second officer; first: {verdict.first}")
    if case.escalation == Escalation.OFFICER:
        said.append("Escalated")
    if case.snoozed_until and case.snoozed_until > now:
        said.append(f"Aside until {case.snoozed_until:%d %b %H:%M} UTC")
    if holder := case.holder(now):
        said.append(f"{holder} until {case.claimed_until:%H:%M} UTC")
    elif case.assigned_to:
        said.append(f"Assigned to {case.assigned_to}")
    return ". ".join(said) or "Nobody"


def time_left(*, due: datetime, now: datetime) -> str:
    """Return the time until (or since) a moment in words: `2 h 10 min left`, `3 d late`."""
    return f"{span(abs(due - now))} {'late' if due < now else 'left'}"


def span(length: timedelta) -> str:
    """Return a length of time in words: `2 h 10 min`, `3 d`."""
    minutes = int(length / timedelta(minutes=1))
    days, hours = minutes // 1440, minutes // 60
    if days >= 2:
        return f"{days} d"
    if hours:
        return f"{hours} h {minutes % 60} min" if hours < 10 else f"{hours} h"
    return f"{minutes} min"


TILES = ("late", "mine", "open", "escalated")


def tiles(user: "User", now: datetime) -> list[Tile]:
    """Return the queue's figures for the home page; none for who may not see cases."""
    if not user.has_perm("review.view_case"):
        return []
    found = counts(user, now)
    titles = {view.slug: view.title for view in VIEWS}
    address = reverse("admin:review_case_changelist")
    made = [
        Tile(titles[slug], found[slug], f"{address}?view={slug}", _tone(slug, found[slug]))
        for slug in TILES
        if slug in found
    ]
    oldest = Case.objects.undecided().order_by("opened_at").values_list("pk", "opened_at").first()
    if oldest:
        pk, opened = oldest
        made.append(
            Tile("Oldest", span(now - opened), reverse("admin:review_case_change", args=[pk]))
        )
    return made


def _tone(slug: str, count: int) -> Any:
    return {"late": "bad", "escalated": "warn"}.get(slug, "") if count else ""
