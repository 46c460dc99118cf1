"""Travel-rule records in the search of every page, and in legal holds."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse

from apps.desk.search import SHOWN, Group, Hit
from apps.payments.models import Payment
from apps.travelrule import parties
from apps.travelrule.engagements.scope import records_of
from apps.travelrule.models import TravelEvent, TravelRecord
from apps.travelrule.pages.listing import Row, drawn, of_payment
from apps.travelrule.pages.record import address_of
from apps.travelrule.rules.recording import OUTBOUND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LEDGER = TravelEvent.LEDGER
WHOLE = "travelrule.travelrecord"
SHORTEST_HASH = 32


def records(user: "User", text: str, now: datetime) -> Group | None:
    """Find records by id, payment (its id or reference), hash of a transfer, party or account."""
    if not user.has_perm("travelrule.view_travelrecord"):
        return None
    seen = records_of(user, now)
    found, exact = _of_id(seen, text), True
    address = reverse("admin:travelrule_travelrecord_changelist")
    if not found and (found := _called(seen, text)):
        exact = False
        address += "?" + urlencode({"payment": text})
    if not found:
        exact = False
        named = parties.matching(name=text) or []
        held = parties.matching(account=text) or []
        either = [*named, *held]
        rows = seen.filter(Q(originator__in=either) | Q(beneficiary__in=either))
        found = list(rows.order_by("-created_at", "-pk")[: SHOWN + 1]) if either else []
        address += "?" + urlencode({"name" if named else "account": text})
    more = "All of these records" if len(found) > SHOWN else ""
    hits = [_hit(one, exact=exact and len(found) == 1) for one in drawn(found[:SHOWN])]
    return Group("Travel-rule records", WHOLE, hits, more, address)


def _of_id(seen: QuerySet[TravelRecord], text: str) -> list[TravelRecord]:
    """Return the records whose id, payment's id or transfer a text is."""
    wanted = Q(tx_hash=text) if len(text) >= SHORTEST_HASH else Q(pk__in=())
    try:
        number = UUID(text)
        wanted |= Q(record_id=number) | Q(payment_id=number)
    except ValueError:
        if len(text) < SHORTEST_HASH:
            return []
    return list(seen.filter(wanted).order_by("-created_at", "-pk")[: SHOWN + 1])


def _called(seen: QuerySet[TravelRecord], text: str) -> list[TravelRecord]:
    """Return the records of payments that their institution calls so."""
    return list(seen.filter(of_payment(text)).order_by("-created_at", "-pk")[: SHOWN + 1])


def _hit(row: Row, *, exact: bool) -> Hit:
    record = row.record
    at = f"{record.created_at:%d %b %Y %H:%M} UTC"
    label = f"{row.names.originator} to {row.names.beneficiary}"
    detail = " · ".join((row.way, row.status, row.amount, at))
    return Hit(label, detail, address_of(record.pk), exact, f"{WHOLE}:{record.pk}")


def steps_of(number: int) -> tuple[str, list[int]]:
    """Return the events of a record: a hold on it is a hold on each."""
    events = TravelEvent.objects.filter(record=number).order_by("number")
    return LEDGER, list(events.values_list("pk", flat=True))


def steps_of_payment(number: int) -> tuple[str, list[int]]:
    """Return the events of our own record of a payment, which is held with it."""
    paid = Payment.objects.filter(pk=number).values("payment_id")
    records = TravelRecord.objects.filter(payment_id__in=paid, direction=OUTBOUND)
    events = TravelEvent.objects.filter(record__in=records).exclude(payload="")
    return LEDGER, list(events.order_by("pk").values_list("pk", flat=True))


def told(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return events by the id and day of their records, without anybody's name."""
    rows = TravelEvent.objects.filter(pk__in=numbers).select_related("record")
    return {
        one.pk: (
            f"Travel-rule record {one.record.record_id} of {one.record.created_at:%d %b %Y}",
            address_of(one.record_id),
        )
        for one in rows
    }
