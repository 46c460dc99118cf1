"""What an originator paid below the threshold on one day, in UTC."""

from datetime import UTC, timedelta

from django.db.models import QuerySet

from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.rules import record_status


def select_same_day_payments(
    record: TravelRecord, rows: QuerySet[TravelRecord]
) -> QuerySet[TravelRecord]:
    """Return what an originator paid below the threshold on the day of a record, in UTC."""
    begins = record.created_at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return rows.filter(
        originator=record.originator_id,
        owner=record.owner,
        direction=record_status.OUTBOUND,
        reason=record_status.BELOW,
        created_at__gte=begins,
        created_at__lt=begins + timedelta(days=1),
    ).order_by("created_at", "pk")
