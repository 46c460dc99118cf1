"""The ledger of payments: each step of each, with how it stood after it."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.core.ledger import LedgerRecord
from apps.payments.models.payments import Payment

FORGOTTEN = "forgotten"


class PaymentEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and what it rests on.

    The first has the instruction; CHECKED the records of the checks; PRICED rate, quote and fee.
    """

    LEDGER: ClassVar[str] = "payment_events"
    STEPS_OF: ClassVar[str] = "payment_id"

    payment = models.ForeignKey(
        Payment, on_delete=models.DO_NOTHING, related_name="events", db_constraint=False
    )
    number = models.PositiveSmallIntegerField()
    event = models.CharField(max_length=16)
    state = models.CharField(max_length=20)
    turn = models.CharField(max_length=8)

    class Meta:
        verbose_name = "payment event"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["payment", "number"], name="pay_event_once")
        ]

    def __str__(self) -> str:
        return f"{self.payment_id}.{self.number} {self.event}"

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep what a payment that has not ended rests on, however old it is."""
        return models.Q(payment__ended_at=None)

    def forget(self, *, now: datetime) -> None:
        """Let go of the parties, which the payment's row repeats."""
        Payment.objects.filter(pk=self.payment_id).update(
            instruction={},
            creditor_key=FORGOTTEN,
            debtor_key=FORGOTTEN,
            creditor_lei="",
            debtor_lei="",
            creditor_wallet=FORGOTTEN,
            debtor_wallet="",
            callback_url="",
        )
