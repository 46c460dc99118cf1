"""One record whole: its message for people, why it is what it is, its history, and its proof."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse

from apps.access import tenants
from apps.core.models import LegalHold, Seal
from apps.payments.models import Payment
from apps.travelrule import sealing
from apps.travelrule.days import payments_of_day
from apps.travelrule.ivms.rules.table import BY_ID
from apps.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.travelrule.pages import message as told
from apps.travelrule.pages.listing import TONES, WAYS, WORDS, amount_of
from apps.travelrule.proofs.stamping import stamps
from apps.travelrule.rules import lifecycle, recording, sending, thresholds
from apps.travelrule.rules.aggregates import Together, together
from apps.travelrule.telling import events_of, executed_at, is_proved, opened_text

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LINKED = 20  # records of one payment, or of one day, that a page names
SHOWN_BYTES = 20_000  # of what came, on the page; all of it can be taken away


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the history; `ours` is whether it is proved, `seal` its place in the chain.

    `how` says of a message that was sent, or could not be, to whom and with which answer.
    """

    at: datetime
    words: str
    turn: str
    ours: bool
    seal: int | None
    how: str


def context(*, record: TravelRecord, user: "User", seen: QuerySet[TravelRecord]) -> dict[str, Any]:
    """Return what the page draws; `seen` are the records that its reader may see."""
    events = events_of([record])[record.pk]
    key = RecordKey.objects.filter(record=record).first()
    message, why = told.read(record, events, key)
    raw, faults, named, reference = _parts(record, events, key)
    steps = list(_steps(record, events))
    places = [one.seal for one in steps if one.seal]
    return {
        "record": record,
        "title": _title(message, why),
        "status": WORDS[record.status],
        "tone": TONES.get(record.status, ""),
        "way": WAYS[record.direction],
        "amount": amount_of(record),
        "client": tenants.name(record.owner) if record.owner else "no institution of ours",
        "proved": is_proved(record, events),
        "gone": why,
        "sides": told.sides(message, links=user.has_perm("lei.view_leirecord")) if message else [],
        "why": list(_why(record)),
        "executed_at": executed_at(events[0]) if events else None,
        "faults": [(one, _sentence(one.get("rule", ""))) for one in faults],
        "steps": steps,
        "sealed": bool(steps) and all(one.seal for one in steps),
        "stamped": stamps.covering(max(places)) if places else "",
        "raw": raw[:SHOWN_BYTES].decode(errors="backslashreplace"),
        "named": named,
        "reference": reference,
        "raw_size": len(raw),
        "raw_cut": len(raw) > SHOWN_BYTES,
        "payment": _payment(record, user),
        "others": others(record, seen),
        "day": same_day(record, seen),
        "holds": _holds(events),
        "may_hold": user.has_perm("core.view_legalhold"),
        "hold_at": f"{reverse('admin:core_legalhold_changelist')}?"
        + urlencode({"find": str(record.record_id)}),
        "may_export": user.has_perm("travelrule.export_travelrecord"),
        "retention": thresholds.RETENTION,
    }


def _sentence(rule: str) -> str:
    known = BY_ID.get(rule)
    return known.sentence if known else ""


def _title(message: dict[str, Any], why: str) -> str:
    if why:
        return "Transfer whose message cannot be shown"
    return " to ".join(told.name_of(message, side) for side, _ in told.SIDES)


def _parts(
    record: TravelRecord, events: Sequence[TravelEvent], key: RecordKey | None
) -> tuple[bytes, list[dict[str, str]], str, str]:
    """Return what came, the rules that it breaks, and what sender and institution call it."""
    try:
        named = told.kept(record, events, key, "named").decode()
        raw, faults = told.kept(record, events, key, "raw"), told.faults_of(record, events, key)
        text = opened_text(record, events[0], key) if events else None
        return raw, faults, named, text.get("reference", "") if text else ""
    except sealing.Unreadable:
        return b"", [], "", ""


def _why(record: TravelRecord) -> Iterator[told.Fact]:
    """Yield why the record is what it is: rule, threshold, amount, rate."""
    row = recording.row_of(record.reason)
    yield told.Fact(f"Rule {record.rule}", row.says, f"rules of {record.rules}")
    yield told.Fact("Threshold", f"{record.threshold_usd:,.2f} USD or more", thresholds.REGULATION)
    usd = (
        "not to be valued"
        if record.amount_usd is None
        else f"{thresholds.usd(record.amount_usd)} USD"
    )
    yield told.Fact("Amount in USD", usd)
    if record.rate:
        on = f"{record.rate_on:%d %b %Y}" if record.rate_on else ""
        source = ", ".join(filter(None, (on, record.rate_source)))
        yield told.Fact("Rate", f"{record.rate} USD for one {record.currency}", source)
    if record.counterparty or record.counterparty_lei:
        said = record.counterparty or record.counterparty_lei
        yield told.Fact("Counterparty", said, record.counterparty_lei)
    for label, value in (
        ("Network", record.network),
        ("Transfer", record.tx_hash),
        ("Read as", record.dialect),
    ):
        if value:
            yield told.Fact(label, value)


def _steps(record: TravelRecord, proved: Sequence[TravelEvent]) -> Iterator[Step]:
    turns = {one.code: one for one in lifecycle.TURNS}
    ours = {one.pk for one in proved}
    rows = list(TravelEvent.objects.filter(record=record).order_by("number"))
    seals = Seal.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=[one.pk for one in rows])
    places = dict(seals.values_list("record_id", "position"))
    for one in rows:
        words = turns[one.turn].says if one.turn in turns else one.event
        known = one.pk in ours
        how = _how(one) if known and not one.purged else ""
        yield Step(one.recorded_at, words, one.turn, known, places.get(one.pk), how)


def _how(event: TravelEvent) -> str:
    """Return what the event of a transmission keeps of its last attempt; "" for another one."""
    said, failed = event.data, sending.BY_WORD.get(event.data.get("error", ""))
    attempts = said.get("attempts")
    facts = (
        failed.says if failed else "",
        f"to {said['host']}" if said.get("host") else "",
        f"HTTP {said['status']}" if isinstance(said.get("status"), int) else "",
        f"{attempts} attempt{'' if attempts == 1 else 's'}" if attempts else "",
        f"its receipt {said['receiverId']}" if said.get("receiverId") else "",
        f"SHA-256 of the bytes {said['sha256']}" if said.get("sha256") else "",
    )
    return " · ".join(filter(None, facts))


def _payment(record: TravelRecord, user: "User") -> tuple[str, str]:
    """Return the linked payment in words, and its page for who may open it."""
    if record.payment_id is None:
        return "", ""
    words = str(record.payment_id)
    if not user.has_perm("payments.view_payment"):
        return words, ""
    held = Payment.objects.filter(payment_id=record.payment_id).values_list("pk", flat=True).first()
    return words, reverse("admin:payments_payment_change", args=[held]) if held else ""


def others(record: TravelRecord, seen: QuerySet[TravelRecord]) -> list[tuple[str, str]]:
    """Return the other records of the same payment, in words, with their pages."""
    if record.payment_id is None:
        return []
    rows = seen.filter(payment_id=record.payment_id).exclude(pk=record.pk).order_by("pk")
    return [(_called(one), address_of(one.pk)) for one in rows[:LINKED]]


def _called(record: TravelRecord) -> str:
    return f"{WAYS[record.direction]}, {WORDS[record.status].lower()}, {amount_of(record)}"


def address_of(number: int) -> str:
    """Return the page of a record."""
    return reverse("admin:travelrule_travelrecord_change", args=[number])


def same_day(record: TravelRecord, seen: QuerySet[TravelRecord]) -> dict[str, Any] | None:
    """Return what an originator's payments below the threshold come to on the record's day.

    Those of its institution that the reader may see. None for a record that is none of them.
    """
    if record.originator_id is None or record.reason != recording.BELOW:
        return None
    if record.direction != recording.OUTBOUND:
        return None
    rows = list(payments_of_day(record, seen))
    found: Together = together(
        amounts_usd=[one.amount_usd for one in rows if one.amount_usd is not None],
        day=record.created_at.astimezone(UTC).date(),
    )
    if found.count < 2:
        return None
    near = [one for one in rows if one.pk != record.pk][:LINKED]
    listed = [(amount_of(one), one.created_at, address_of(one.pk)) for one in near]
    return {
        "found": found,
        "total": thresholds.usd(found.total_usd),
        "rows": listed,
        "more": len(rows) - 1 - len(listed),
    }


def _holds(events: Sequence[TravelEvent]) -> list[LegalHold]:
    numbers = [one.pk for one in events]
    held = LegalHold.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=numbers)
    return list(held.filter(lifted_at=None).order_by("pk"))
