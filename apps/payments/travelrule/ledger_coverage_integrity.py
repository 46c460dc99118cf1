"""Verify that every settled payment reached the travel-rule ledger, or still waits for it."""

from collections.abc import Callable, Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from apps.payments.payments.models import HandOver, Payment
from apps.payments.travelrule.models import TravelRecord

AT_ONCE = 500


def verify_handovers(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield settled payments without a hand-over, and hand-overs without a record.

    Without its hand-over row a payment is never recorded.
    """
    rows = Payment.objects.filter(_build_fault_filter()).order_by("pk").values_list("pk", flat=True)
    for number in rows.iterator(AT_ONCE):
        # again under the payment's lock: it may have been settled or recorded since it was read
        with transaction.atomic():
            payment = Payment.objects.select_for_update().filter(pk=number).first()
            if (
                payment is not None
                and Payment.objects.filter(_build_fault_filter(), pk=number).exists()
            ):
                yield _describe_fault(payment)
    progress(HandOver.objects.count())


def _build_fault_filter() -> Q:
    handed = HandOver.objects.filter(payment=OuterRef("pk"))
    recorded = TravelRecord.objects.filter(payment_id=OuterRef("payment_id"))
    missed = Q(state="SETTLED") & ~Exists(handed)
    waits_unsettled = ~Q(state="SETTLED") & Exists(handed.filter(taken_at=None))
    unrecorded = Exists(handed.filter(taken_at__isnull=False)) & ~Exists(recorded)
    return missed | waits_unsettled | unrecorded


def _describe_fault(payment: Payment) -> str:
    hand_over = HandOver.objects.filter(payment=payment).first()
    if hand_over is None:
        return f"payment {payment.pk} settled, but was not handed over to the travel rule"
    if hand_over.taken_at is None:
        return f"payment {payment.pk} waits for the travel rule, but is not settled"
    return f"payment {payment.pk} is marked as recorded by the travel rule, but has no record"
