"""Reads of the ledger: an institution's own record, and the export for whoever may see all."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.exceptions import NotFound as NotAPlace
from rest_framework.exceptions import ValidationError

from apps.access.models import Kind
from apps.core.callers import Caller
from apps.core.pagination import opened_place, sealed_place
from apps.core.problems import NO_SUCH_ID, NotFound
from apps.travelrule.models import TravelRecord
from apps.travelrule.rules.recording import OUTBOUND
from apps.travelrule.telling import RecordUnproved, told

PAGE = 100
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def by_payment(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the record of a payment; NotFound for another institution's, as for none.

    RecordUnproved (503) where it is not as it was recorded.
    """
    rows = TravelRecord.objects.filter(payment_id=asked["payment_id"], direction=OUTBOUND)
    if caller.kind != Kind.MASTER:
        rows = rows.filter(owner=caller.ref)
    record = rows.first()
    if record is None:
        raise NotFound(NO_SUCH_ID)
    shown = told([record])
    if not shown:
        raise RecordUnproved("The record is not as it was recorded; the operator has to look.")
    return shown[0]


def export(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return one page of the records of a stretch of time; see ExportOut."""
    limit, offset = asked.get("limit", PAGE), asked.get("offset", 0)
    rows = chosen(asked, now)
    after = place_of(asked["cursor"]) if asked.get("cursor") else None
    if after:
        moment, number = after
        rows = rows.filter(Q(created_at__gt=moment) | Q(created_at=moment, pk__gt=number))
    found = list(rows[offset : offset + limit + 1])
    page = found[:limit]
    shown = told(page)
    answer = {"records": shown, "limit": limit, "offset": offset, "generated_at": now}
    if len(found) > limit:
        answer["next_cursor"] = cursor_of(page[-1])
    withheld = len(page) - len(shown)
    return answer | ({"withheld": withheld} if withheld else {})


def chosen(asked: dict[str, Any], now: datetime) -> QuerySet[TravelRecord]:
    """Return the records of a query, the oldest first; both ends of a stretch are inclusive."""
    since, until = asked.get("from_", EPOCH), asked.get("to", now)
    end = until.replace(microsecond=999_999)
    rows = TravelRecord.objects.filter(created_at__gte=since, created_at__lte=end)
    if asked.get("status"):
        rows = rows.filter(status=asked["status"])
    return rows.order_by("created_at", "pk")


def cursor_of(record: TravelRecord) -> str:
    """Return the place behind a record."""
    micros = (record.created_at - EPOCH) // timedelta(microseconds=1)
    return sealed_place(f"{micros}.{record.pk}")


def place_of(cursor: str) -> tuple[datetime, int]:
    """Return moment and number of a place; ValidationError (400) for a text that is none."""
    try:
        micros, _, number = opened_place(cursor).partition(".")
        return EPOCH + timedelta(microseconds=int(micros)), int(number)
    except (NotAPlace, ValueError, OverflowError) as error:
        raise ValidationError({"cursor": ["This is not a cursor of ours."]}) from error
