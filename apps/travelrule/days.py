"""What an originator paid below the threshold on one day, in UTC."""

from datetime import UTC, timedelta

from django.db.models import QuerySet

from apps.travelrule.models import TravelRecord
from apps.travelrule.rules import recording


def payments_of_day(record: TravelRecord, rows: QuerySet[TravelRecord]) -> QuerySet[TravelRecord]:
    """Return what an originator paid below the threshold on the day of a record, in UTC."""
    begins = record.created_at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return rows.filter(
        originator=record.originator_id,
        owner=record.owner,
        direction=recording.OUTBOUND,
        reason=recording.BELOW,
        created_at__gte=begins,
        created_at__lt=begins + timedelta(days=1),
    ).order_by("created_at", "pk")
