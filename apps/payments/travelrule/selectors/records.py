"""Read the ledger: an institution's own record, and the export for callers who may see all."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.access.keys.models import KeyKind
from apps.payments.travelrule.filters import TravelRecordFilter
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.rules.record_status import OUTBOUND
from apps.payments.travelrule.selectors.serialized_records import serialize_records
from apps.payments.travelrule.selectors.verified_records import Record, RecordIntegrityError
from apps.platform.api.callers import Caller
from apps.platform.api.pagination import decrypt_cursor, encrypt_cursor
from apps.platform.common.clock import EPOCH
from apps.platform.common.problems import NO_SUCH_ID, NotFound
from apps.platform.db.any_array import InArray

EXPORT_CURSOR = "travel-rule-export"


def load_payment_record(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the record of a payment; NotFound for another institution's, as for none.

    RecordIntegrityError (503) where it is not as it was recorded.
    """
    shown = serialize_records([load_outbound_record(asked["payment_id"], caller)])
    if not shown:
        raise RecordIntegrityError("Integrity check failed for this record. Contact the operator.")
    return shown[0]


def load_outbound_record(payment_id: UUID, caller: Caller) -> TravelRecord:
    """Return our own record of a payment; NotFound for another institution's, as for none."""
    rows = TravelRecord.objects.filter(payment_id=payment_id, direction=OUTBOUND)
    if caller.kind != KeyKind.MASTER:
        rows = rows.filter(owner=caller.ref)
    record = rows.first()
    if record is None:
        raise NotFound(NO_SUCH_ID)
    return record


def select_record_window(
    rows: QuerySet[TravelRecord], offset: int, limit: int
) -> QuerySet[TravelRecord]:
    """Return `limit` records after the first `offset`."""
    # numbers first: the database passes over them in an index, without reading the rows
    numbers = list(rows.values_list("pk", flat=True)[offset : offset + limit])
    return TravelRecord.objects.filter(InArray("pk", numbers)).order_by("created_at", "pk")


def select_records(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[TravelRecord]:
    """Return the records of a query regardless of the reader, the oldest first."""
    return filter_records(asked, now)


def filter_records(asked: Mapping[str, Any], now: datetime) -> QuerySet[TravelRecord]:
    """Return the records of a query, the oldest first, up to now unless it names a time."""
    rows = TravelRecord.objects.order_by("created_at", "pk")
    travel_records: QuerySet[TravelRecord] = TravelRecordFilter({"to": now, **asked}, rows).qs
    return travel_records


def select_after_cursor(rows: QuerySet[TravelRecord], cursor: str | None) -> QuerySet[TravelRecord]:
    """Return the records behind a place; all of them without one."""
    if not cursor:
        return rows
    moment, number = parse_record_cursor(cursor)
    # the index is read by `created_at__gte`; `later` separates records of the same moment
    later = Q(created_at__gt=moment) | Q(created_at=moment, pk__gt=number)
    return rows.filter(later, created_at__gte=moment)


def record_cursor(record: Record) -> str:
    """Return the place behind a record."""
    micros = (record.created_at - EPOCH) // timedelta(microseconds=1)
    return encrypt_cursor(f"{micros}.{record.pk}", of=EXPORT_CURSOR)


def parse_record_cursor(cursor: str) -> tuple[datetime, int]:
    """Return moment and number of a place; ValidationError (400) for a text that is none."""
    micros, _, number = decrypt_cursor(cursor, of=EXPORT_CURSOR).partition(".")
    return EPOCH + timedelta(microseconds=int(micros)), int(number)
