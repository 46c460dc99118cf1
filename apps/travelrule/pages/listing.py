"""The list of travel-rule records: what its address asks for, and one page of it by key.

The filters are those by which examiners ask for records of transfers (FFIEC BSA/AML Manual,
"Funds Transfers Recordkeeping"): period, party, account, amount, institution, direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.access import tenants
from apps.desk import lists
from apps.payments.models import Payment
from apps.travelrule import parties
from apps.travelrule.engagements.scope import start
from apps.travelrule.models import SameDay, TravelRecord
from apps.travelrule.pages.message import Names, names
from apps.travelrule.rules.lifecycle import STATUSES
from apps.travelrule.rules.recording import BELOW, DIRECTIONS, OUTBOUND, ROWS
from apps.travelrule.rules.thresholds import usd
from apps.travelrule.steps import Key, keys_of
from apps.travelrule.telling import Event, is_proved, shown_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_TEXT = 200
MOST_PARTIES = 1000  # that one look finds (parties.matching)
WORDS = {
    "EXEMPT": "Below the threshold",
    "PENDING": "To be sent",
    "SENT": "Sent",
    "STORED": "Kept",
    "FAILED": "Failed",
}
TONES = {"SENT": "ok", "PENDING": "warn", "FAILED": "bad", "STORED": "info"}
WAYS = {"OUTBOUND": "Outbound", "INBOUND": "Inbound"}
ROLES = {"originator": "Originator", "beneficiary": "Beneficiary"}
APPLIES = {"yes": "The rule applies", "no": "The rule does not apply"}
REASONS = {row.reason: row.reason.replace("_", " ").capitalize() for row in ROWS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for; what is unknown narrows nothing. Days are ISO, in UTC.

    `role` says which side `name` and `account` are of; `least` and `most` are USD, both included.
    `payment` is the id of one, or what its institution calls it. `together` is the number of a
    day's payments that were flagged.
    """

    name: str = ""
    account: str = ""
    payment: str = ""
    role: str = ""
    since: str = ""
    until: str = ""
    least: str = ""
    most: str = ""
    owner: str = ""
    direction: str = ""
    status: str = ""
    applies: str = ""
    reason: str = ""
    together: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""

        def one_of(key: str, known: Any) -> str:
            given = query.get(key, "")
            return given if given in known else ""

        return cls(
            name=query.get("name", "").strip()[:LONGEST_TEXT],
            account=query.get("account", "").strip()[:LONGEST_TEXT],
            payment=query.get("payment", "").strip()[:LONGEST_TEXT],
            role=one_of("role", ROLES),
            since=lists.day(query.get("since", "")),
            until=lists.day(query.get("until", "")),
            least=_amount(query.get("least", "")),
            most=_amount(query.get("most", "")),
            owner=query.get("owner", "")[:80],
            direction=one_of("direction", DIRECTIONS),
            status=one_of("status", STATUSES),
            applies=one_of("applies", APPLIES),
            reason=one_of("reason", REASONS),
            together=lists.number_place(query.get("together", "")),
            after=_place(query.get("after", "")),
        )

    def narrowed(self, rows: QuerySet[TravelRecord]) -> QuerySet[TravelRecord]:
        """Return those of the records that are asked for, in no order."""
        for name in ("owner", "direction", "status", "reason"):
            if value := getattr(self, name):
                rows = rows.filter(**{name: value})
        if self.applies:
            rows = rows.filter(applies=self.applies == "yes")
        if self.since:
            rows = rows.filter(created_at__gte=start(date.fromisoformat(self.since)))
        if self.until:
            ends = start(date.fromisoformat(self.until)) + timedelta(days=1)
            rows = rows.filter(created_at__lt=ends)
        if self.least:
            rows = rows.filter(amount_usd__gte=Decimal(self.least))
        if self.most:
            rows = rows.filter(amount_usd__lte=Decimal(self.most))
        if self.payment:
            rows = rows.filter(of_payment(self.payment))
        if self.together:
            rows = rows.filter(_together(int(self.together)))
        return rows if (found := self.found()) is None else rows.filter(self._of(found))

    def found(self) -> list[int] | None:
        """Return the parties of the name and account that are asked for; None for neither."""
        found = parties.matching(name=self.name, account=self.account)
        return None if found is None else list(found)

    def _of(self, found: list[int]) -> Q:
        sides = [self.role] if self.role else list(ROLES)
        either = Q(pk__in=())
        for side in sides:
            either |= Q(**{f"{side}__in": found})
        return either

    def paged(self, rows: QuerySet[TravelRecord]) -> QuerySet[TravelRecord]:
        """Return records, the newest first, behind the place of the address."""
        if self.after:
            micros, _, number = self.after.partition("-")
            moment = EPOCH + timedelta(microseconds=int(micros))
            # the first bound is what an index is read by
            behind = Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=int(number))
            rows = rows.filter(Q(created_at__lte=moment) & behind)
        return rows.order_by("-created_at", "-pk")


def of_payment(text: str) -> Q:
    """Return what finds records by their payment: its id, or its institution's reference."""
    called = Q(payment_id__in=Payment.objects.filter(reference=text).values("payment_id"))
    try:
        return called | Q(payment_id=UUID(text))
    except ValueError:
        return called


def _together(number: int) -> Q:
    """Return what holds of the payments of a day that were flagged."""
    day = SameDay.objects.filter(pk=number).first()
    if day is None:
        return Q(pk__in=())
    begins = start(day.day)
    return Q(
        originator=day.originator_id,
        owner=day.owner,
        direction=OUTBOUND,
        reason=BELOW,
        created_at__gte=begins,
        created_at__lt=begins + timedelta(days=1),
    )


def place_of(record: TravelRecord) -> str:
    """Return the place behind a record."""
    return f"{(record.created_at - EPOCH) // timedelta(microseconds=1)}-{record.pk}"


def _place(text: str) -> str:
    micros, _, number = text.partition("-")
    known = all(one.isascii() and one.isdigit() and len(one) <= 17 for one in (micros, number))
    return text if known else ""


def _amount(text: str) -> str:
    """Return an amount of USD as a plain number, or an empty text for what is none."""
    try:
        number = Decimal(text.replace(",", "").strip())
    except InvalidOperation:
        return ""
    if not number.is_finite() or number < 0 or number.adjusted() > 11:
        return ""
    return f"{round(number, 2):f}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `ours` is whether the record is as its last event has it."""

    record: TravelRecord
    ours: bool
    names: Names
    client: str
    status: str
    tone: str
    way: str
    amount: str
    reason: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list; `following` is the place of the next one, "" on the last."""

    rows: list[Row]
    following: str


def page(asked: Asked, rows: QuerySet[TravelRecord]) -> Page:
    """Return one page of those records that are asked for; five queries, two to find names."""
    shown, last = lists.cut(asked.paged(asked.narrowed(rows)))
    return Page(drawn(shown), place_of(last) if last else "")


def drawn(shown: list[TravelRecord]) -> list[Row]:
    """Return records as they are drawn; three queries, however many."""
    events, keys = shown_of(shown), keys_of([one.pk for one in shown])
    clients = tenants.names({one.owner for one in shown if one.owner})
    return [_row(one, events.get(one.pk, ()), keys.get(one.pk), clients) for one in shown]


def _row(
    record: TravelRecord,
    events: Sequence[Event],
    key: Key | None,
    clients: dict[str, str],
) -> Row:
    return Row(
        record=record,
        ours=is_proved(record, events),
        names=names(record, events, key),
        client=clients.get(record.owner, record.owner),
        status=WORDS[record.status],
        tone=TONES.get(record.status, ""),
        way=WAYS[record.direction],
        amount=amount_of(record),
        reason=REASONS.get(record.reason, record.reason),
    )


def amount_of(record: TravelRecord) -> str:
    """Return what was transferred in words, and in USD where it is another currency."""
    said = f"{record.amount} {record.currency}".strip() or "not stated"
    if record.amount_usd is None or record.currency == "USD":
        return said
    return f"{said} ({usd(record.amount_usd)} USD)"
