"""What the travel rule wants recorded of a settled payment, until its ledger has taken it."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.core.money import MoneyField
from apps.payments.models.payments import Payment


class HandOver(models.Model):
    """One settled payment that the travel-rule ledger is to record; written as it settles.

    `amount_usd` is the amount at the rate of the payment (document 2 section 2.3). The parties
    stand in the payment's instruction. `taken_at` is set in the transaction that records it.
    """

    payment = models.OneToOneField(Payment, on_delete=models.PROTECT, related_name="hand_over")
    owner = models.CharField(max_length=80)
    amount_usd = MoneyField()
    rate = models.CharField(max_length=30)
    rate_on = models.DateField()
    rate_source = models.CharField(max_length=20)
    network = models.CharField(max_length=40)
    tx_hash = models.CharField(max_length=128)
    settled_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["id"], condition=Q(taken_at=None), name="pay_handover_waits")
        ]

    def __str__(self) -> str:
        return f"travel rule: {self.payment_id}"
