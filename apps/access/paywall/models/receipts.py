"""Receipts of money that was received, and of money to be refunded; a ledger."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.common.money import MoneyField
from apps.platform.ledger.records import LedgerRecord


class Receipt(LedgerRecord):
    """One settled payment, or the remaining credit of a closed session."""

    LEDGER: ClassVar[str] = "receipts"
    # accounts are kept for ten years (for instance Swiss Code of Obligations Art. 958f)
    YEARS: ClassVar[int] = 10

    class Kind(models.TextChoices):
        PAYMENT = "PAYMENT", "Payment"
        REFUND_DUE = "REFUND_DUE", "Refund due"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    claim_id = models.BigIntegerField("payment")
    resource = models.CharField(max_length=100)
    amount = MoneyField("amount (USDC)")
    network = models.CharField(max_length=40)
    facilitator = models.CharField(max_length=20)
    transaction = models.CharField(max_length=130, blank=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["claim_id", "kind"], name="receipt_once")
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["recorded_at", "id"], name="receipt_by_time")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.amount} USDC"
