"""The page of a record: its message for people, its reasons, its history, and its proof."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Count, QuerySet, Sum
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.payments.payments.models import Payment
from apps.payments.travelrule.ivms.rules.table import BY_ID
from apps.payments.travelrule.labels import STATUS_LABELS
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.proofs.stamping import stamps
from apps.payments.travelrule.rules import record_status, transitions, transmissions, us_threshold
from apps.payments.travelrule.rules.aggregates import DayTotal, build_day_total
from apps.payments.travelrule.selectors.same_day_payments import select_same_day_payments
from apps.payments.travelrule.selectors.serialized_records import executed_at_of
from apps.payments.travelrule.selectors.verified_records import (
    decrypt_record_text,
    is_record_verified,
    load_verified_events,
)
from apps.payments.travelrule.views import ivms_message
from apps.payments.travelrule.views.record_list import (
    DIRECTION_LABELS,
    STATUS_TONES,
    format_record_amount,
)
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.ledger.models import LegalHold, Seal

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_LINKED = 20  # records of one payment, or of one day, that a page names
MAX_SHOWN_BYTES = 20_000  # of a received message, on the page; the whole can be downloaded


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of the history; `ours` is whether it is proved, `seal` its place in the chain.

    `how` says of a message that was sent, or could not be, to whom and with which answer.
    """

    at: datetime
    words: str
    turn: str
    ours: bool
    seal: int | None
    how: str


def build_record_context(
    *, record: TravelRecord, user: "User", seen: QuerySet[TravelRecord]
) -> dict[str, Any]:
    """Return what the page draws; `seen` are the records that its reader may see."""
    events = load_verified_events([record])[record.pk]
    key = RecordKey.objects.filter(record=record).first()
    message, why = ivms_message.read_stored_message(record, events, key)
    raw, faults, named, reference = _decrypt_parts(record, events, key)
    steps = list(_build_history(record, events))
    places = [step.seal for step in steps if step.seal]
    numbers = [event.pk for event in events]
    legal_holds = LegalHold.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=numbers)
    return {
        "record": record,
        "title": _build_title(message, why),
        "status": STATUS_LABELS[record.status],
        "tone": STATUS_TONES.get(record.status, ""),
        "way": DIRECTION_LABELS[record.direction],
        "amount": format_record_amount(record),
        "client": tenant_names.load_tenant_name(record.owner)
        if record.owner
        else "not one of our institutions",
        "proved": is_record_verified(record, events),
        "gone": why,
        "sides": ivms_message.build_message_sides(
            message, links=user.has_perm("lei.view_leirecord")
        )
        if message
        else [],
        "why": list(_list_reasons(record)),
        "executed_at": executed_at_of(events[0]) if events else None,
        "faults": [(fault, _rule_sentence_of(fault.get("rule", ""))) for fault in faults],
        "steps": steps,
        "sealed": bool(steps) and all(step.seal for step in steps),
        "stamped": stamps.describe_covering_stamp(max(places)) if places else "",
        # a message that was refused may be anything; the cut may fall inside a character
        "raw": raw[:MAX_SHOWN_BYTES].decode(errors="backslashreplace"),
        "named": named,
        "reference": reference,
        "raw_size": len(raw),
        "raw_cut": len(raw) > MAX_SHOWN_BYTES,
        "payment": _link_payment(record, user),
        "others": list_linked_records(record, seen),
        "day": summarize_same_day(record, seen),
        "holds": list(legal_holds.filter(lifted_at=None).order_by("pk")),
        "may_hold": user.has_perm("core.view_legalhold"),
        "hold_at": f"{reverse('admin:core_legalhold_changelist')}?"
        + urlencode({"find": str(record.record_id)}),
        "may_export": user.has_perm("travelrule.export_travelrecord"),
        "retention": us_threshold.RETENTION,
    }


def _rule_sentence_of(rule: str) -> str:
    known = BY_ID.get(rule)
    return known.sentence if known else ""


def _build_title(message: dict[str, Any], why: str) -> str:
    if why:
        return "Transfer whose message cannot be shown"
    return " to ".join(
        ivms_message.side_name_of(message, side) for side, _ in ivms_message.SIDE_TITLES
    )


def _decrypt_parts(
    record: TravelRecord, events: Sequence[TravelEvent], key: RecordKey | None
) -> tuple[bytes, list[dict[str, str]], str, str]:
    """Return what came, the rules that it breaks, and what sender and institution call it."""
    try:
        named = ivms_message.load_encrypted_part(record, events, key, "named").decode()
        raw, faults = (
            ivms_message.load_encrypted_part(record, events, key, "raw"),
            ivms_message.load_message_faults(record, events, key),
        )
        text = decrypt_record_text(record, events[0], key) if events else None
        return raw, faults, named, text.get("reference", "") if text else ""
    except DecryptionFailed:
        return b"", [], "", ""


def _list_reasons(record: TravelRecord) -> Iterator[ivms_message.LabelledFact]:
    """Yield why the record is what it is: rule, threshold, amount, rate."""
    row = record_status.rule_of_reason(record.reason)
    yield ivms_message.LabelledFact(f"Rule {record.rule}", row.says, f"rules of {record.rules}")
    yield ivms_message.LabelledFact(
        "Threshold", f"{record.threshold_usd:,.2f} USD or more", us_threshold.REGULATION
    )
    usd = (
        "no value available"
        if record.amount_usd is None
        else f"{us_threshold.format_usd(record.amount_usd)} USD"
    )
    yield ivms_message.LabelledFact("Amount in USD", usd)
    if record.rate:
        on = f"{record.rate_on:%d %b %Y}" if record.rate_on else ""
        source = ", ".join(filter(None, (on, record.rate_source)))
        yield ivms_message.LabelledFact("Rate", f"{record.rate} USD per {record.currency}", source)
    if record.counterparty or record.counterparty_lei:
        counterparty = record.counterparty or record.counterparty_lei
        yield ivms_message.LabelledFact("Counterparty", counterparty, record.counterparty_lei)
    for label, value in (
        ("Network", record.network),
        ("Transfer", record.tx_hash),
        ("Read as", record.dialect),
    ):
        if value:
            yield ivms_message.LabelledFact(label, value)


def _build_history(record: TravelRecord, proved: Sequence[TravelEvent]) -> Iterator[HistoryLine]:
    # all rows, and not only those that verify: a forged step is shown, marked as not ours
    turns = {transition.code: transition for transition in transitions.TRANSITIONS}
    ours = {travel_event.pk for travel_event in proved}
    rows = list(TravelEvent.objects.filter(record=record).order_by("number"))
    seals = Seal.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=[row.pk for row in rows])
    places = dict(seals.values_list("record_id", "position"))
    for row in rows:
        words = turns[row.turn].says if row.turn in turns else row.event
        known = row.pk in ours
        how = _describe_attempt(row) if known and not row.purged else ""
        yield HistoryLine(row.recorded_at, words, row.turn, known, places.get(row.pk), how)


def _describe_attempt(event: TravelEvent) -> str:
    """Return what the event of a transmission keeps of its last attempt; "" for another one."""
    attempt_data, failed = (
        event.data,
        transmissions.FAILURES_BY_WORD.get(event.data.get("error", "")),
    )
    attempts = attempt_data.get("attempts")
    facts = (
        failed.says if failed else "",
        f"to {attempt_data['host']}" if attempt_data.get("host") else "",
        f"HTTP {attempt_data['status']}" if isinstance(attempt_data.get("status"), int) else "",
        f"{attempts} attempt{'' if attempts == 1 else 's'}" if attempts else "",
        f"receipt {attempt_data['receiverId']}" if attempt_data.get("receiverId") else "",
        f"SHA-256 of the message {attempt_data['sha256']}" if attempt_data.get("sha256") else "",
    )
    return " · ".join(filter(None, facts))


def _link_payment(record: TravelRecord, user: "User") -> tuple[str, str]:
    """Return the linked payment in words, and its page for who may open it."""
    if record.payment_id is None:
        return "", ""
    words = str(record.payment_id)
    if not user.has_perm("payments.view_payment"):
        return words, ""
    payment = (
        Payment.objects.filter(payment_id=record.payment_id).values_list("pk", flat=True).first()
    )
    return words, reverse("admin:payments_payment_change", args=[payment]) if payment else ""


def list_linked_records(
    record: TravelRecord, seen: QuerySet[TravelRecord]
) -> list[tuple[str, str]]:
    """Return the other records of the same payment, in words, with their pages."""
    if record.payment_id is None:
        return []
    rows = seen.filter(payment_id=record.payment_id).exclude(pk=record.pk).order_by("pk")
    return [(_describe_record(row), record_url(row.pk)) for row in rows[:MAX_LINKED]]


def _describe_record(record: TravelRecord) -> str:
    return (
        f"{DIRECTION_LABELS[record.direction]}, {STATUS_LABELS[record.status].lower()}, "
        f"{format_record_amount(record)}"
    )


def record_url(number: int) -> str:
    """Return the page of a record."""
    return reverse("admin:travelrule_travelrecord_change", args=[number])


def summarize_same_day(record: TravelRecord, seen: QuerySet[TravelRecord]) -> dict[str, Any] | None:
    """Return the total of an originator's payments below the threshold on the record's day.

    They are those of its institution that the reader may see. None if the record is not one.
    """
    if record.originator_id is None or record.reason != record_status.BELOW:
        return None
    if record.direction != record_status.OUTBOUND:
        return None
    rows = select_same_day_payments(record, seen)
    # in the database: the payer of a payroll has thousands of payments on one day
    totals = rows.order_by().aggregate(many=Count("amount_usd"), total=Sum("amount_usd"))
    day_total: DayTotal = build_day_total(
        count=totals["many"],
        total_usd=totals["total"] or Decimal(0),
        day=record.created_at.astimezone(UTC).date(),
    )
    # a single payment is no pattern
    if day_total.count < 2:
        return None
    listed = [
        (
            format_record_amount(travel_record),
            travel_record.created_at,
            record_url(travel_record.pk),
        )
        for travel_record in rows.exclude(pk=record.pk)[:MAX_LINKED]
    ]
    return {
        "found": day_total,
        "total": us_threshold.format_usd(day_total.total_usd),
        "rows": listed,
        "more": day_total.count - 1 - len(listed),
    }
