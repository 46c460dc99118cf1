"""The registrar's queue, oldest first: registrations under review, LEIs that are not in force."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q, QuerySet

from apps.backoffice.review.models import UNDECIDED, Case
from apps.compliance.payees.models import Registration
from apps.compliance.payees.registration.cases import CONTEST, KIND
from apps.compliance.payees.registration.public_lookups import current_lei_status
from apps.compliance.payees.rules.lei import LAPSED, NOT_IN_FORCE
from apps.compliance.payees.rules.next_steps import WaitingRegistration, describe_next_step
from apps.compliance.payees.services.case_decisions import parse_case_registration
from apps.platform.desk import list_pages
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.values import HeldEntity

if TYPE_CHECKING:
    from django.contrib.auth.models import User

REVIEW, LEI = "review", "lei"
TABS = {REVIEW: "Under review", LEI: "LEIs not in force"}
SINCE = {REVIEW: "review_since", LEI: "lei_since"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueQuery(list_pages.ListQuery):
    """Which of the two queues, and from where on: `after` is `microseconds.id` of a row."""

    of: str = REVIEW

    @classmethod
    def read(cls, query: Any) -> "QueueQuery":
        """Read a query string; what is unknown is the first queue, from its beginning."""
        of, (since, dot, pk) = query.get("of", ""), query.get("after", "").partition(".")
        known = (
            dot
            and list_pages.parse_row_number_place(since)
            and list_pages.parse_row_number_place(pk)
        )
        return cls(of=of if of in TABS else REVIEW, after=f"{since}.{pk}" if known else "")

    def rows(self) -> QuerySet[Registration]:
        """Return what waits, the oldest first, behind the place of the address."""
        name, found = SINCE[self.of], queued_registrations(self.of)
        if self.after:
            since, _, pk = self.after.partition(".")
            at = _EPOCH + timedelta(microseconds=int(since))
            later = Q(**{f"{name}__gt": at}) | Q(**{name: at, "pk__gt": int(pk)})
            found = found.filter(later | Q(**{f"{name}__isnull": True}))
        return found.order_by(F(name).asc(nulls_last=True), "pk")


def queued_registrations(of: str) -> QuerySet[Registration]:
    """Return the active registrations of a queue."""
    active = Registration.objects.active()
    if of == REVIEW:
        return active.filter(under_review=True)
    return active.filter(lei_status__in=NOT_IN_FORCE)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One that waits: since when, how many days, its open case and why, and what is next."""

    registration: Registration
    lei_status: str
    lei_since: datetime | None
    since: datetime | None
    days: int
    case: Case | None
    why: str
    action: str


def build_queue_context(*, asked: QueueQuery, user: "User", now: datetime) -> dict[str, Any]:
    """Return what the page draws; five queries however long the queue is.

    Who may not see cases is told that there is one, and is not led to it.
    """
    shown, last = list_pages.take_page(asked.rows())
    leis = {one.lei for one in shown if one.lei}
    held = LeiRecord.objects.held(leis) if leis else {}
    keys = {row.wallet.lower() for row in shown}
    found = Case.objects.filter(kind=KIND, wallet_key__in=keys).filter(status__in=UNDECIDED)
    found = found.exclude(ref__startswith=f"{CONTEST}.").defer("evidence").order_by("-pk")
    cases = {pk: one for one in found if (pk := parse_case_registration(one.ref)) is not None}
    return {
        "title": "Under review",
        "asked": asked,
        "tabs": [
            (of, title, asked.address(of=of), queued_registrations(of).count())
            for of, title in TABS.items()
        ],
        "rows": [_build_queue_row(one, asked.of, held, cases.get(one.pk), now) for one in shown],
        "may_see_cases": user.has_perm("review.view_case"),
        **asked.turns(_row_position(last, asked.of) if last else ""),
    }


def _row_position(row: Registration, of: str) -> str:
    since = getattr(row, SINCE[of]) or _EPOCH
    return f"{(since - _EPOCH) // timedelta(microseconds=1)}.{row.pk}"


def _build_queue_row(
    row: Registration, of: str, held: dict[str, HeldEntity], case: Case | None, now: datetime
) -> QueueRow:
    status, record = current_lei_status(row, held, now=now), held.get(row.lei)
    since = getattr(row, SINCE[of])
    waits = WaitingRegistration(
        status, case.status if case else "", record.entity.successor if record else ""
    )
    return QueueRow(
        registration=row,
        lei_status=status,
        lei_since=_lapse_date(record, status) or row.lei_since,
        since=since,
        days=(now - since).days if since else 0,
        case=case,
        why=" ".join(rule["sentence"] for rule in case.rules) if case else "",
        action=describe_next_step(waits),
    )


def _lapse_date(record: HeldEntity | None, status: str) -> datetime | None:
    """Return the day on which an LEI lapsed, where GLEIF says it: that of its renewal."""
    due = record.entity.next_renewal if record else None
    return datetime(due.year, due.month, due.day, tzinfo=UTC) if due and status == LAPSED else None
