"""Holds payments as they stand against the ledger of what happened to them."""

from collections.abc import Callable, Iterator

from django.db.models import F

from apps.core.batches import chunks
from apps.payments.models import Payment, PaymentEvent

AT_ONCE = 500


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each payment that is not as its last event has it."""
    for piece in chunks(Payment.objects.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        yield from faults(piece)
        progress(len(piece))


def faults(payments: list[Payment]) -> Iterator[str]:
    """Yield what differs between payments and their last events; two queries at most."""
    last = PaymentEvent.objects.filter(
        payment__in=[one.pk for one in payments], number=F("payment__steps")
    )
    held = {one.payment_id: one for one in last}
    for payment in payments:
        event = held.get(payment.pk)
        if event is None:
            yield f"payment {payment.pk} has no event {payment.steps}"
        elif not event.purged and event.data["stands"] != payment.stands:
            yield f"payment {payment.pk} is not as event {event.pk} has it"
