"""Hand-overs: what the travel rule must record of a settled payment, until its ledger does."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.payments.models.payments import Payment


class HandOver(models.Model):
    """One settled payment that the travel-rule ledger is to record; written as it settles.

    It repeats nothing of the payment, whose own events prove amount, parties and transfer.
    `taken_at` is set in the transaction that records it.
    """

    payment = models.OneToOneField(Payment, on_delete=models.PROTECT, related_name="hand_over")
    taken_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["id"], condition=Q(taken_at=None), name="pay_handover_waits")
        ]

    def __str__(self) -> str:
        return f"travel rule: {self.payment_id}"
