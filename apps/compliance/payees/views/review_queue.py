"""The registrar's queue, oldest first: registrations under review, LEIs that are not in force."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q, QuerySet

from apps.backoffice.review.models import UNDECIDED, Case
from apps.compliance.payees.models import Registration
from apps.compliance.payees.rules.lei_states import LAPSED, NOT_IN_FORCE
from apps.compliance.payees.rules.next_steps import WaitingRegistration, describe_next_step
from apps.compliance.payees.selectors.public_lookups import current_lei_status
from apps.compliance.payees.services.case_decisions import parse_case_registration
from apps.compliance.payees.services.registration_cases import CONTEST, KIND
from apps.platform.common.clock import EPOCH
from apps.platform.desk import list_pages
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.values import HeldEntity

if TYPE_CHECKING:
    from django.contrib.auth.models import User

REVIEW, LEI = "review", "lei"
TABS = {REVIEW: "Under review", LEI: "LEIs not in force"}
SINCE = {REVIEW: "review_since", LEI: "lei_since"}
MICROSECOND = timedelta(microseconds=1)
LATEST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MICROSECOND  # what a datetime can hold


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueQuery(list_pages.ListQuery):
    """Which of the two queues, and the position: `after` is time and id of a row.

    The time is in microseconds; a point separates them.
    """

    of: str = REVIEW

    @classmethod
    def read(cls, query: Any) -> "QueueQuery":
        """Read a query string; unknown values mean the first queue, from its beginning."""
        of, (since, dot, pk) = query.get("of", ""), query.get("after", "").partition(".")
        known = (
            dot
            and list_pages.parse_row_number_place(since)
            and list_pages.parse_row_number_place(pk)
            and int(since) <= LATEST
        )
        return cls(of=of if of in TABS else REVIEW, after=f"{since}.{pk}" if known else "")

    def rows(self) -> QuerySet[Registration]:
        """Return what waits, the oldest first, behind the place of the address."""
        name, registrations = SINCE[self.of], queued_registrations(self.of)
        if self.after:
            since, _, pk = self.after.partition(".")
            at = EPOCH + timedelta(microseconds=int(since))
            # by time and id, as the index is ordered; rows without a time come last
            later = Q(**{f"{name}__gt": at}) | Q(**{name: at, "pk__gt": int(pk)})
            registrations = registrations.filter(later | Q(**{f"{name}__isnull": True}))
        return registrations.order_by(F(name).asc(nulls_last=True), "pk")


def queued_registrations(of: str) -> QuerySet[Registration]:
    """Return the active registrations of a queue."""
    active = Registration.objects.active()
    if of == REVIEW:
        return active.filter(under_review=True)
    return active.filter(lei_status__in=NOT_IN_FORCE)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A waiting registration: since when, how many days, its open case and reason, next step."""

    registration: Registration
    lei_status: str
    lei_since: datetime | None
    since: datetime | None
    days: int
    case: Case | None
    why: str
    action: str


def build_queue_context(*, query: QueueQuery, user: "User", now: datetime) -> dict[str, Any]:
    """Return the page context; five queries for any length of the queue.

    Users who may not see cases learn that there is one, without a link.
    """
    shown, last = list_pages.take_page(query.rows())
    leis = {registration.lei for registration in shown if registration.lei}
    held_entities = LeiRecord.objects.held(leis) if leis else {}
    keys = {row.wallet.lower() for row in shown}
    open_cases = Case.objects.filter(kind=KIND, wallet_key__in=keys).filter(status__in=UNDECIDED)
    # a contested wallet is not under review: its own registration is not in doubt
    open_cases = open_cases.exclude(ref__startswith=f"{CONTEST}.").defer("evidence").order_by("-pk")
    cases = {
        pk: case for case in open_cases if (pk := parse_case_registration(case.ref)) is not None
    }
    return {
        "title": "Under review",
        "asked": query,
        "tabs": [
            (of, title, query.address(of=of), queued_registrations(of).count())
            for of, title in TABS.items()
        ],
        "rows": [
            _build_queue_row(registration, query.of, held_entities, cases.get(registration.pk), now)
            for registration in shown
        ],
        "may_see_cases": user.has_perm("review.view_case"),
        **query.turns(_row_position(last, query.of) if last else ""),
    }


def _row_position(row: Registration, of: str) -> str:
    since = getattr(row, SINCE[of]) or EPOCH
    return f"{(since - EPOCH) // MICROSECOND}.{row.pk}"


def _build_queue_row(
    row: Registration,
    of: str,
    held_entities: dict[str, HeldEntity],
    case: Case | None,
    now: datetime,
) -> QueueRow:
    status, record = current_lei_status(row, held_entities, now=now), held_entities.get(row.lei)
    since = getattr(row, SINCE[of])
    waits = WaitingRegistration(
        status, case.status if case else "", record.entity.successor if record else ""
    )
    # an LEI lapses on the day of its renewal
    due = record.entity.next_renewal if record else None
    lapse_date = (
        datetime(due.year, due.month, due.day, tzinfo=UTC) if due and status == LAPSED else None
    )
    return QueueRow(
        registration=row,
        lei_status=status,
        lei_since=lapse_date or row.lei_since,
        since=since,
        days=(now - since).days if since else 0,
        case=case,
        why=" ".join(rule["sentence"] for rule in case.rules) if case else "",
        action=describe_next_step(waits),
    )
