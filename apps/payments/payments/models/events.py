"""The ledger of payments: each step of each, with its state afterwards."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import models

from apps.payments.payments.models.payments import Payment
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.ledger.records import FORGOTTEN, LedgerRecord


def reference_key(owner: str, reference: str) -> str:
    """Return the key of an owner's reference in the ledger of payments."""
    # a digest: the open columns of a ledger hold no text of a client (ledger/records.py)
    return canonical_digest(["payment reference", owner, reference])


def id_key(owner: str, payment_id: UUID) -> str:
    """Return the key of the id of an owner's payment in the ledger."""
    return canonical_digest(["payment id", owner, str(payment_id)])


class PaymentEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and its evidence.

    The first has the instruction; CHECKED the records of the checks; PRICED rate, quote and fee. By
    `reference_key` and `id_key`, which only the first has, a payment is known even if its row is
    deleted: its reference pays once, and its id is never answered as unknown.
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
    reference_key = models.CharField(max_length=64, null=True)
    id_key = models.CharField(max_length=64, null=True)

    class Meta:
        verbose_name = "payment event"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["payment", "number"], name="pay_event_once"),
            models.UniqueConstraint(
                fields=["reference_key"],
                condition=models.Q(reference_key__isnull=False),
                name="pay_reference_recorded_once",
            ),
            models.UniqueConstraint(
                fields=["id_key"],
                condition=models.Q(id_key__isnull=False),
                name="pay_id_recorded_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payment_id}.{self.number} {self.event}"

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep the events of a payment that has not ended, however old it is."""
        return models.Q(payment__ended_at=None)

    def forget(self, *, now: datetime) -> None:
        """Clear the parties, which the payment's row repeats."""
        # only with the last step: until then the row is compared with that event
        last = Payment.objects.filter(pk=self.payment_id, steps=self.number)
        last.update(
            instruction={},
            creditor_key=FORGOTTEN,
            debtor_key=FORGOTTEN,
            creditor_lei="",
            debtor_lei="",
            creditor_wallet=FORGOTTEN,
            debtor_wallet="",
            callback_url="",
        )
