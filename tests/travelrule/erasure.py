"""Erases a record, as an order does that the law knows."""

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.platform.common.clock import now
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.retention import purge_payload
from apps.platform.ledger.sealer import seal_ledger


def erased(record: TravelRecord) -> None:
    """Erase what a record says."""
    seal_ledger(ledger=TravelEvent.LEDGER, now=now())
    first = TravelEvent.objects.get(record=record, number=1)
    purge_payload(
        ledger=TravelEvent.LEDGER, record_id=first.pk, reason=PurgeReason.ERASURE,
        by="olivia", why="Ordered by a court.", now=now(),
    )  # fmt: skip
