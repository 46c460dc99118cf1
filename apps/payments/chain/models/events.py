"""The ledger of orders: each step of each, with how it stood after it."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.payments.chain.models.orders import Order, Transfer
from apps.platform.ledger.records import LedgerRecord

FORGOTTEN = "forgotten"


class ChainEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and what it rests on.

    The first has the order in full, FOUND the transfer.
    """

    LEDGER: ClassVar[str] = "chain_events"
    STEPS_OF: ClassVar[str] = "order_id"

    order = models.ForeignKey(
        Order, on_delete=models.DO_NOTHING, related_name="events", db_constraint=False
    )
    number = models.PositiveSmallIntegerField()
    event = models.CharField(max_length=12)
    state = models.CharField(max_length=12)
    turn = models.CharField(max_length=8)
    # the order's own id, of its first step alone: one whose row is gone is not made anew
    made = models.UUIDField(null=True, unique=True)

    class Meta:
        verbose_name = "step of an expected transfer"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["order", "number"], name="chain_event_once")
        ]

    def __str__(self) -> str:
        return f"{self.order_id}.{self.number} {self.event}"

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep what an order that has not ended rests on, however old it is."""
        return models.Q(order__ended_at=None)

    def forget(self, *, now: datetime) -> None:
        """Let go of the wallets, which the order's row and its transfer repeat.

        With the last step: until then the row is held against what that one says.
        """
        if not Order.objects.filter(pk=self.order_id, steps=self.number).exists():
            return
        Transfer.objects.filter(order__pk=self.order_id).update(payer=FORGOTTEN, payee=FORGOTTEN)
        Order.objects.filter(pk=self.order_id).update(recipient=FORGOTTEN, sender="")
