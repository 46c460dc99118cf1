"""What the chain tells of a payment's transfer: one that it takes back settles nothing."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from apps.chain.orders import Standing
from apps.core import jobs
from apps.payments import pricing, settling
from apps.payments.models import Payment
from apps.payments.moving import ADVANCE, move
from apps.payments.projection import proved

CONCERNED = ("AWAITING_SETTLEMENT", "SETTLED")


@transaction.atomic
def told(order_id: UUID, standing: Standing, now: datetime) -> None:
    """Go on with a payment whose transfer stands otherwise; told again, nothing happens again.

    PaymentUnproved where the payment was altered: the job comes again.
    """
    held = Payment.objects.select_for_update()
    row = held.filter(payment_id=order_id, state__in=CONCERNED).first()
    if row is None:
        return
    if row.state == "SETTLED":
        if (standing.state, standing.tx_hash) != ("FINAL", row.tx_hash):
            _undone(proved(row), standing, now)
        return
    Payment.objects.filter(pk=row.pk).update(due_at=now)
    jobs.enqueue(job=ADVANCE, key=str(row.pk), now=now)


def _undone(row: Payment, standing: Standing, now: datetime) -> None:
    """Take back that a payment is settled, and what hangs on it; its transfer may come again."""
    facts = {"settlement": row.price["settlement"], "why": standing.why}
    settled = row.settled_at
    price = {name: one for name, one in row.price.items() if name != "settlement"}
    move(row, "UNDONE", now=now, facts=facts, price=price, tx_hash="", tx_place=0,
         settled_at=None, ended_at=None)  # fmt: skip
    settling.take_back(row)
    if settled is not None:
        usd = Decimal(price["amountUsd"])
        pricing.count_back(owner=row.owner, usd=usd, settled=settled)
