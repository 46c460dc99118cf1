"""Reads of the ledger: an institution's own record, and the export for whoever may see all."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from rest_framework.exceptions import NotFound as NotAPlace
from rest_framework.exceptions import ValidationError

from apps.access.models import Kind
from apps.core.among import Among
from apps.core.callers import Caller
from apps.core.pagination import opened_place, sealed_place
from apps.core.problems import NO_SUCH_ID, NotFound
from apps.travelrule.models import RecordRow, TravelRecord
from apps.travelrule.rules.recording import OUTBOUND
from apps.travelrule.telling import Record, RecordUnproved, told

PAGE = 100
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def by_payment(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the record of a payment; NotFound for another institution's, as for none.

    RecordUnproved (503) where it is not as it was recorded.
    """
    shown = told([outbound_of(asked["payment_id"], caller)])
    if not shown:
        raise RecordUnproved("The record is not as it was recorded; the operator has to look.")
    return shown[0]


def outbound_of(payment_id: UUID, caller: Caller) -> TravelRecord:
    """Return our own record of a payment; NotFound for another institution's, as for none."""
    rows = TravelRecord.objects.filter(payment_id=payment_id, direction=OUTBOUND)
    if caller.kind != Kind.MASTER:
        rows = rows.filter(owner=caller.ref)
    record = rows.first()
    if record is None:
        raise NotFound(NO_SUCH_ID)
    return record


def export(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return one page of the records of a stretch of time; see ExportOut."""
    limit, offset = asked.get("limit", PAGE), asked.get("offset", 0)
    rows = behind(chosen(asked, now), asked.get("cursor"))
    asked_for = (_skipped(rows, offset, limit + 1) if offset else rows)[: limit + 1]
    found = [RecordRow._make(one) for one in asked_for.values_list(*RecordRow._fields)]
    page = found[:limit]
    shown = told(page)
    answer = {"records": shown, "limit": limit, "offset": offset, "generated_at": now}
    if len(found) > limit:
        answer["next_cursor"] = cursor_of(page[-1])
    withheld = len(page) - len(shown)
    return answer | ({"withheld": withheld} if withheld else {})


def _skipped(rows: QuerySet[TravelRecord], offset: int, limit: int) -> QuerySet[TravelRecord]:
    """Return records behind so many, which are passed over in an index and not read."""
    numbers = list(rows.values_list("pk", flat=True)[offset : offset + limit])
    return TravelRecord.objects.filter(Among("pk", numbers)).order_by("created_at", "pk")


def chosen(asked: dict[str, Any], now: datetime) -> QuerySet[TravelRecord]:
    """Return the records of a query, the oldest first; both ends of a stretch are inclusive."""
    since, until = asked.get("from_", EPOCH), asked.get("to", now)
    end = until.replace(microsecond=999_999)
    rows = TravelRecord.objects.filter(created_at__gte=since, created_at__lte=end)
    if asked.get("status"):
        rows = rows.filter(status=asked["status"])
    return rows.order_by("created_at", "pk")


def behind(rows: QuerySet[TravelRecord], cursor: str | None) -> QuerySet[TravelRecord]:
    """Return the records behind a place; all of them without one."""
    if not cursor:
        return rows
    moment, number = place_of(cursor)
    # the first condition is what an index serves; the second parts records of one moment
    later = Q(created_at__gt=moment) | Q(created_at=moment, pk__gt=number)
    return rows.filter(later, created_at__gte=moment)


def cursor_of(record: Record) -> str:
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
