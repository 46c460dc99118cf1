"""Travel-rule records in the search of every page, and in legal holds."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse

from apps.payments.payments.models import Payment
from apps.payments.travelrule import party_index
from apps.payments.travelrule.engagements.scope import select_visible_records
from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.rules.record_status import OUTBOUND
from apps.payments.travelrule.views.record_list import (
    RecordLine,
    build_payment_filter,
    build_record_lines,
)
from apps.payments.travelrule.views.record_page import record_url
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LEDGER = TravelEvent.LEDGER
RECORD_LABEL = "travelrule.travelrecord"
MIN_HASH_LENGTH = 32  # characters; hashes of transactions have 64 and more


def search_travel_records(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find records by id, payment (its id or reference), hash of a transfer, party or account."""
    if not user.has_perm("travelrule.view_travelrecord"):
        return None
    visible_records = select_visible_records(user, now)
    # from the most to the least specific: an id or hash, a payment's reference, a party
    travel_records, exact = _find_by_id(visible_records, text), True
    address = reverse("admin:travelrule_travelrecord_changelist")
    if not travel_records and (travel_records := _find_by_reference(visible_records, text)):
        exact = False
        address += "?" + urlencode({"payment": text})
    if not travel_records:
        exact = False
        named = party_index.find_matching_parties(name=text) or []
        matching_parties = party_index.find_matching_parties(account=text) or []
        either = [*named, *matching_parties]
        rows = visible_records.filter(Q(originator__in=either) | Q(beneficiary__in=either))
        travel_records = list(rows.order_by("-created_at", "-pk")[: SHOWN + 1]) if either else []
        address += "?" + urlencode({"name" if named else "account": text})
    more = "All of these records" if len(travel_records) > SHOWN else ""
    hits = [
        _build_record_hit(record_line, exact=exact and len(travel_records) == 1)
        for record_line in build_record_lines(travel_records[:SHOWN])
    ]
    return SearchGroup("Travel-rule records", RECORD_LABEL, hits, more, address)


def _find_by_id(travel_records: QuerySet[TravelRecord], text: str) -> list[TravelRecord]:
    """Return the records whose id, payment's id or transfer a text is."""
    condition = Q(tx_hash=text) if len(text) >= MIN_HASH_LENGTH else Q(pk__in=())
    try:
        number = UUID(text)
        condition |= Q(record_id=number) | Q(payment_id=number)
    except ValueError:
        if len(text) < MIN_HASH_LENGTH:
            return []
    return list(travel_records.filter(condition).order_by("-created_at", "-pk")[: SHOWN + 1])


def _find_by_reference(travel_records: QuerySet[TravelRecord], text: str) -> list[TravelRecord]:
    """Return the records of payments that their institution calls so."""
    return list(
        travel_records.filter(build_payment_filter(text)).order_by("-created_at", "-pk")[
            : SHOWN + 1
        ]
    )


def _build_record_hit(row: RecordLine, *, exact: bool) -> SearchHit:
    record = row.record
    at = f"{record.created_at:%d %b %Y %H:%M} UTC"
    label = f"{row.names.originator} to {row.names.beneficiary}"
    detail = " · ".join((row.way, row.status, row.amount, at))
    return SearchHit(label, detail, record_url(record.pk), exact, f"{RECORD_LABEL}:{record.pk}")


def list_held_events(number: int) -> tuple[str, list[int]]:
    """Return the events of a record: a hold on it is a hold on each."""
    events = TravelEvent.objects.filter(record=number).order_by("number")
    return LEDGER, list(events.values_list("pk", flat=True))


def list_held_payment_events(number: int) -> tuple[str, list[int]]:
    """Return the events of our own record of a payment, which is held with it."""
    paid = Payment.objects.filter(pk=number).values("payment_id")
    records = TravelRecord.objects.filter(payment_id__in=paid, direction=OUTBOUND)
    events = TravelEvent.objects.filter(record__in=records).exclude(payload="")
    return LEDGER, list(events.order_by("pk").values_list("pk", flat=True))


def label_events(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return events by the id and day of their records, without anybody's name."""
    rows = TravelEvent.objects.filter(pk__in=numbers).select_related("record")
    return {
        row.pk: (
            f"Travel-rule record {row.record.record_id} of {row.record.created_at:%d %b %Y}",
            record_url(row.record_id),
        )
        for row in rows
    }
