"""Find what is missing: rows of recorded records, and transmissions of messages to be sent."""

from collections.abc import Callable, Iterator

from django.db.models import Exists, OuterRef

from apps.payments.travelrule.models import Transmission, TravelEvent, TravelRecord
from apps.platform.db.parallel_scan import WHOLE, Span, filter_span

AT_ONCE = 1000


def find_missing_records(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield the records of which there are events and no row, and those that nothing sends."""
    travel_records = TravelRecord.objects.filter(pk=OuterRef("record_id"))
    rows = TravelEvent.objects.filter(~Exists(travel_records), number=1)
    rows = filter_span(rows, "record_id", span).order_by("record_id")
    for number in rows.values_list("record_id", flat=True).iterator(AT_ONCE):
        yield f"travel-rule record {number} is recorded, but its row is missing"
    due = Transmission.objects.filter(
        record=OuterRef("pk"),
        number=OuterRef("steps"),
        due_at__isnull=False,
        lei=OuterRef("counterparty_lei"),
    )
    waiting = filter_span(TravelRecord.objects.filter(~Exists(due), status="PENDING"), "pk", span)
    for number in waiting.order_by("pk").values_list("pk", flat=True).iterator(AT_ONCE):
        yield f"travel-rule record {number} is to be sent, but has no transmission"
