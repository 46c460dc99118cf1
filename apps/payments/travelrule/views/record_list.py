"""The list of travel-rule records: what its address asks for, and one page of it by key.

The filters are those by which examiners ask for records of transfers (FFIEC BSA/AML Manual,
"Funds Transfers Recordkeeping"): period, party, account, amount, institution, direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from django.db.models import Q, QuerySet

from apps.access.keys import tenant_names
from apps.payments.payments.models import Payment
from apps.payments.travelrule import party_index
from apps.payments.travelrule.filters import DeskTravelRecordFilter
from apps.payments.travelrule.labels import STATUS_LABELS
from apps.payments.travelrule.models import SameDay, TravelRecord
from apps.payments.travelrule.rules.record_status import BELOW, DIRECTIONS, OUTBOUND, RECORD_RULES
from apps.payments.travelrule.rules.transitions import STATUSES
from apps.payments.travelrule.rules.us_threshold import format_usd
from apps.payments.travelrule.selectors.event_rows import KeyRow, load_key_rows
from apps.payments.travelrule.selectors.verified_records import (
    Event,
    is_record_verified,
    load_list_events,
)
from apps.payments.travelrule.views.ivms_message import SideNames, load_side_names
from apps.platform.common.clock import EPOCH
from apps.platform.common.days import start_of_day
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk import list_pages

MAX_TEXT_LENGTH = 200
STATUS_TONES = {"SENT": "ok", "PENDING": "warn", "FAILED": "bad", "STORED": "info"}
DIRECTION_LABELS = {"OUTBOUND": "Outbound", "INBOUND": "Inbound"}
ROLE_LABELS = {"originator": "Originator", "beneficiary": "Beneficiary"}
APPLIES_LABELS = {"yes": "The rule applies", "no": "The rule does not apply"}
REASON_LABELS = {row.reason: row.reason.replace("_", " ").capitalize() for row in RECORD_RULES}


def _parse_place(text: str) -> str:
    micros, _, number = text.partition("-")
    # 17 digits: microseconds since 1970 have 16 until the year 2286
    known = all(part.isascii() and part.isdigit() and len(part) <= 17 for part in (micros, number))
    return text if known else ""


def _parse_amount(text: str) -> str:
    """Return an amount of USD as a plain number, or an empty text for what is none."""
    try:
        number = Decimal(text.replace(",", "").strip())
    except InvalidOperation:
        return ""
    # up to 10^12 USD, which the column holds in micro-units
    if not number.is_finite() or number < 0 or number.adjusted() > 11:
        return ""
    return f"{round(number, 2):f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordQuery(list_pages.ListQuery):
    """What the address asks for; what is unknown narrows nothing. Days are ISO, in UTC.

    `role` says which side `name` and `account` are of; `least` and `most` are USD, both included.
    `payment` is the id of one, or what its institution calls it. `together` is the number of a
    day's payments that were flagged.
    """

    name: str = list_pages.text_field(MAX_TEXT_LENGTH)
    account: str = list_pages.text_field(MAX_TEXT_LENGTH)
    payment: str = list_pages.text_field(MAX_TEXT_LENGTH)
    role: str = list_pages.choice_field(ROLE_LABELS)
    since: str = list_pages.filter_field(list_pages.parse_day_filter)
    until: str = list_pages.filter_field(list_pages.parse_day_filter)
    least: str = list_pages.filter_field(_parse_amount)
    most: str = list_pages.filter_field(_parse_amount)
    owner: str = list_pages.value_field(80)
    direction: str = list_pages.choice_field(DIRECTIONS)
    status: str = list_pages.choice_field(STATUSES)
    applies: str = list_pages.choice_field(APPLIES_LABELS)
    reason: str = list_pages.choice_field(REASON_LABELS)
    together: str = list_pages.filter_field(list_pages.parse_row_number_place)
    after: str = list_pages.filter_field(_parse_place)

    def narrowed(self, rows: QuerySet[TravelRecord]) -> QuerySet[TravelRecord]:
        """Return the requested records, unordered."""
        rows = DeskTravelRecordFilter(self.chosen, rows).qs
        if self.applies:
            rows = rows.filter(applies=self.applies == "yes")
        if self.since:
            rows = rows.filter(created_at__gte=start_of_day(date.fromisoformat(self.since)))
        if self.until:
            ends = start_of_day(date.fromisoformat(self.until)) + timedelta(days=1)
            rows = rows.filter(created_at__lt=ends)
        if self.payment:
            rows = rows.filter(build_payment_filter(self.payment))
        if self.together:
            rows = rows.filter(_build_same_day_filter(int(self.together)))
        return (
            rows
            if (matching_parties := self.found()) is None
            else rows.filter(self._of(matching_parties))
        )

    def found(self) -> list[int] | None:
        """Return the parties of the requested name and account; None for neither."""
        matching_parties = party_index.find_matching_parties(name=self.name, account=self.account)
        return None if matching_parties is None else list(matching_parties)

    def _of(self, parties: list[int]) -> Q:
        sides = [self.role] if self.role else list(ROLE_LABELS)
        either = Q(pk__in=())  # matches nothing
        for side in sides:
            either |= Q(**{f"{side}__in": parties})
        return either

    def paged(self, rows: QuerySet[TravelRecord]) -> QuerySet[TravelRecord]:
        """Return records, the newest first, behind the place of the address."""
        if self.after:
            micros, _, number = self.after.partition("-")
            moment = EPOCH + timedelta(microseconds=int(micros))
            # the first condition is what the index is read by; the second separates records of
            # the same moment
            behind = Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=int(number))
            rows = rows.filter(Q(created_at__lte=moment) & behind)
        return rows.order_by("-created_at", "-pk")


def build_payment_filter(text: str) -> Q:
    """Return what finds records by their payment: its id, or its institution's reference."""
    called = Q(payment_id__in=Payment.objects.filter(reference=text).values("payment_id"))
    number = parse_uuid(text)
    return called | Q(payment_id=number) if number else called


def _build_same_day_filter(number: int) -> Q:
    """Return what holds of the payments of a day that were flagged."""
    day = SameDay.objects.filter(pk=number).first()
    if day is None:
        return Q(pk__in=())
    begins = start_of_day(day.day)
    return Q(
        originator=day.originator_id,
        owner=day.owner,
        direction=OUTBOUND,
        reason=BELOW,
        created_at__gte=begins,
        created_at__lt=begins + timedelta(days=1),
    )


def place_of_record(record: TravelRecord) -> str:
    """Return the place behind a record."""
    return f"{(record.created_at - EPOCH) // timedelta(microseconds=1)}-{record.pk}"


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line of the list; `ours` is whether the record is as its last event has it."""

    record: TravelRecord
    ours: bool
    names: SideNames
    client: str
    status: str
    tone: str
    way: str
    amount: str
    reason: str


def build_record_page(query: RecordQuery, rows: QuerySet[TravelRecord]) -> list_pages.ListPage:
    """Return one page of the requested records; five queries, two to find names."""
    shown, last = list_pages.take_page(query.paged(query.narrowed(rows)))
    return list_pages.ListPage(build_record_lines(shown), place_of_record(last) if last else "")


def build_record_lines(shown: list[TravelRecord]) -> list[RecordLine]:
    """Return records as they are drawn; three queries, however many."""
    events, keys = (
        load_list_events(shown),
        load_key_rows([travel_record.pk for travel_record in shown]),
    )
    clients = tenant_names.load_tenant_names(
        {travel_record.owner for travel_record in shown if travel_record.owner}
    )
    return [
        _build_record_line(
            travel_record, events.get(travel_record.pk, ()), keys.get(travel_record.pk), clients
        )
        for travel_record in shown
    ]


def _build_record_line(
    record: TravelRecord,
    events: Sequence[Event],
    key: KeyRow | None,
    clients: dict[str, str],
) -> RecordLine:
    return RecordLine(
        record=record,
        ours=is_record_verified(record, events),
        names=load_side_names(record, events, key),
        client=clients.get(record.owner, record.owner),
        status=STATUS_LABELS[record.status],
        tone=STATUS_TONES.get(record.status, ""),
        way=DIRECTION_LABELS[record.direction],
        amount=format_record_amount(record),
        reason=REASON_LABELS.get(record.reason, record.reason),
    )


def format_record_amount(record: TravelRecord) -> str:
    """Return what was transferred in words, and in USD where it is another currency."""
    text = f"{record.amount} {record.currency}".strip() or "not stated"
    if record.amount_usd is None or record.currency == "USD":
        return text
    return f"{text} ({format_usd(record.amount_usd)} USD)"
