"""Holds payments as they stand against the ledger of what happened to them."""

from collections.abc import Callable, Iterator, Sequence

from django.db.models import F

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.payments.models import Payment, PaymentEvent

AT_ONCE = 500


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each payment that is not as its last event has it."""
    for piece in chunks(Payment.objects.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        yield from faults(piece).values()
        progress(len(piece))


def faults(payments: Sequence[Payment]) -> dict[int, str]:
    """Return what differs between payments and their last events, by number; one query."""
    last = PaymentEvent.objects.filter(
        payment__in=[one.pk for one in payments], number=F("payment__steps")
    )
    held = {one.payment_id: one for one in proven(last)}
    return {one.pk: why for one in payments if (why := _fault(one, held.get(one.pk)))}


def _fault(payment: Payment, event: PaymentEvent | None) -> str:
    if event is None:
        return f"payment {payment.pk} has no event {payment.steps} of ours"
    if not event.purged and event.data["stands"] != payment.stands:
        return f"payment {payment.pk} is not as event {event.pk} has it"
    return ""


def unproved(payments: Sequence[Payment]) -> list[int]:
    """Return the numbers of payments that are not as they were recorded."""
    return list(faults(payments))
