"""Erases a record, as an order does that the law knows."""

from apps.core.clock import now
from apps.core.models import PurgeReason
from apps.core.retention import purge
from apps.core.sealing import seal
from apps.travelrule.models import TravelEvent, TravelRecord


def erased(record: TravelRecord) -> None:
    """Erase what a record says."""
    seal(ledger=TravelEvent.LEDGER, now=now())
    first = TravelEvent.objects.get(record=record, number=1)
    purge(
        ledger=TravelEvent.LEDGER, record_id=first.pk, reason=PurgeReason.ERASURE,
        by="olivia", why="Ordered by a court.", now=now(),
    )  # fmt: skip
