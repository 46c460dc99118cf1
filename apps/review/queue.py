"""The queue as a page: views with counts, search, filters, one page at a time by key."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.urls import reverse

from apps.access.models import Account
from apps.core.desk import Tile
from apps.review.models import UNDECIDED, Case, CaseQuerySet, Risk, Status
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PAGE = 50
Condition = Callable[["User", datetime], Q]


@dataclass(frozen=True, slots=True)
class View:
    """One saved view; `needs` is a permission without which it is not there."""

    slug: str
    title: str
    rows: Condition
    needs: str = "review.view_case"


VIEWS = (
    View("open", "Open", lambda user, now: Q(status=Status.OPEN)),
    View("late", "Past due", lambda user, now: Q(status__in=UNDECIDED, due_at__lt=now)),
    View(
        "mine",
        "Mine",
        lambda user, now: Q(status__in=UNDECIDED, claimed_by=user, claimed_until__gt=now),
        needs="review.claim_case",
    ),
    View(
        "confirm",
        "Needs my approval",
        lambda user, now: Q(status=Status.AWAITING_SECOND) & ~Q(first_by=user),
        needs="review.approve_second",
    ),
    View("second", "Awaiting second officer", lambda user, now: Q(status=Status.AWAITING_SECOND)),
    View("decided", "Decided", lambda user, now: Q(status=Status.DECIDED)),
    View("all", "All", lambda user, now: Q()),
)
NEWEST_FIRST = {"decided": "decided_at", "all": "opened_at"}


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
class Asked:
    """What the address asks of the queue; unknown values fall back to none."""

    view: str = "open"
    search: str = ""
    kind: str = ""
    risk: str = ""
    after: str = ""

    @classmethod
    def read(cls, query: Any, allowed: list[View]) -> "Asked":
        """Read a query string; a search without a view looks everywhere."""
        search = query.get("q", "").strip()[:200]
        view = query.get("view", "")
        if view not in {one.slug for one in allowed}:
            view = "all" if search else "open"
        kind, risk = query.get("kind", ""), query.get("risk", "")
        return cls(
            view=view,
            search=search,
            kind=kind if kind in KINDS else "",
            risk=risk if risk in Risk.values else "",
            after=query.get("after", "")[:80],
        )

    def address(self, **changes: str) -> str:
        """Return the query string of this page with some of it changed."""
        parts = {"view": self.view, "q": self.search, "kind": self.kind, "risk": self.risk}
        return "?" + urlencode({name: value for name, value in (parts | changes).items() if value})


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the queue."""

    case: Case
    tenant: str
    left: str
    late: bool
    holder: str


def page(*, user: "User", asked: Asked, now: datetime) -> tuple[list[Row], str]:
    """Return the rows of one page and the key of the next one ("" on the last)."""
    view = next(one for one in VIEWS if one.slug == asked.view)
    cases = Case.objects.filter(view.rows(user, now)).select_related("claimed_by", "first_by")
    if asked.search:
        cases = cases.search(asked.search)
    if asked.kind:
        cases = cases.filter(kind=asked.kind)
    if asked.risk:
        cases = cases.filter(risk=asked.risk)
    found = list(_after(cases.defer("evidence"), asked)[: PAGE + 1])
    following = _key(found[PAGE - 1], asked.view) if len(found) > PAGE else ""
    tenants = tenant_names({case.owner for case in found[:PAGE]})
    return [_row(case, tenants, now) for case in found[:PAGE]], following


def _row(case: Case, tenants: dict[str, str], now: datetime) -> Row:
    holder = case.holder(now)
    return Row(
        case=case,
        tenant=tenants.get(case.owner, case.owner),
        left=time_left(due=case.due_at, now=now),
        late=case.due_at < now,
        holder=holder.get_username() if holder else "",
    )


def _after(cases: CaseQuerySet, asked: Asked) -> CaseQuerySet:
    """Order a view and start it behind the key that the address names."""
    column = NEWEST_FIRST.get(asked.view, "due_at")
    newest = asked.view in NEWEST_FIRST
    sign, step = ("-", "lt") if newest else ("", "gt")
    moment, _, number = asked.after.partition("~")
    if number.isascii() and number.isdigit() and len(number) < 19:
        try:
            at = datetime.fromisoformat(moment)
        except ValueError:
            return cases.order_by(f"{sign}{column}", f"{sign}pk")
        if at.tzinfo is not None:
            cases = cases.filter(
                Q(**{f"{column}__{step}": at}) | Q(**{column: at, f"pk__{step}": int(number)})
            )
    return cases.order_by(f"{sign}{column}", f"{sign}pk")


def _key(case: Case, view: str) -> str:
    moment: datetime = getattr(case, NEWEST_FIRST.get(view, "due_at"))
    return f"{moment.isoformat()}~{case.pk}"


def tenant_names(owners: set[str]) -> dict[str, str]:
    """Return the names of the accounts among these tenant references."""
    numbers = {
        int(owner.removeprefix("account:")): owner
        for owner in owners
        if owner.startswith("account:") and owner.removeprefix("account:").isdigit()
    }
    rows = Account.objects.filter(pk__in=numbers).values_list("pk", "name")
    return {numbers[number]: name for number, name in rows}


def time_left(*, due: datetime, now: datetime) -> str:
    """Return the time until (or since) a moment in words: `2 h 10 min left`, `3 d late`."""
    late = due < now
    minutes = int(abs(due - now) / timedelta(minutes=1))
    days, hours = minutes // 1440, minutes // 60
    if days >= 2:
        words = f"{days} d"
    elif hours:
        words = f"{hours} h {minutes % 60} min" if hours < 10 else f"{hours} h"
    else:
        words = f"{minutes} min"
    return f"{words} {'late' if late else 'left'}"


def tiles(user: "User", now: datetime) -> list[Tile]:
    """Return the queue's figures for the home page; none for who may not see cases."""
    if not user.has_perm("review.view_case"):
        return []
    found = counts(user, now)
    address = reverse("admin:review_case_changelist")
    return [
        Tile(view.title, found[view.slug], f"{address}?view={view.slug}", _tone(view, found))
        for view in views_of(user)
        if view.slug in found and view.slug != "decided"
    ]


def _tone(view: View, found: dict[str, int]) -> Any:
    if not found[view.slug]:
        return ""
    return {"late": "bad", "confirm": "warn"}.get(view.slug, "")
