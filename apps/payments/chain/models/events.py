"""The ledger of orders: each step of each, with its state afterwards."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.payments.chain.models.orders import Order
from apps.payments.chain.models.transfers import Transfer
from apps.platform.ledger.records import FORGOTTEN, LedgerRecord


class ChainEvent(LedgerRecord):
    """One step. Payload: `stands` (a digest of the row after it), `rules`, and its evidence.

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
    # the order's own id, only in its first step: one whose row is deleted is not made again
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
        """Keep the events of an order that has not ended, however old it is."""
        return models.Q(order__ended_at=None)

    def forget(self, *, now: datetime) -> None:
        """Clear the wallets, which the order's row and its transfer repeat."""
        # only with the last step: until then the row is compared with that event
        if not Order.objects.filter(pk=self.order_id, steps=self.number).exists():
            return
        Transfer.objects.filter(order__pk=self.order_id).update(payer=FORGOTTEN, payee=FORGOTTEN)
        Order.objects.filter(pk=self.order_id).update(recipient=FORGOTTEN, sender="")
