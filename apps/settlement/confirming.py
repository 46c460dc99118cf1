"""What the chain tells of a settlement's transfer: it is SETTLED only once that is final."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from apps.chain.orders import Standing
from apps.settlement import entitling, pricing
from apps.settlement.models import Settlement
from apps.settlement.moving import move
from apps.settlement.projection import proved


def told(order_id: UUID, standing: Standing, now: datetime) -> None:
    """Take the turn that a transfer's standing comes to; told again, nothing happens again.

    Part of the transaction of the job that tells it. SettlementUnproved where the settlement was
    altered: the job comes again.
    """
    row = Settlement.objects.select_for_update().filter(order_id=order_id).first()
    if row is None:
        return
    row = proved(row)
    facts = {"txHash": standing.tx_hash, "logIndex": standing.log_index, "why": standing.why}
    if standing.state == "FINAL" and row.state == "AWAITING_SETTLEMENT":
        move(row, "CONFIRMED", now=now, facts=facts, tx_hash=standing.tx_hash)
        pricing.count(owner=row.owner, usd=row.amount_usd or Decimal(0), now=now)
    elif standing.state == "CONFLICT" and row.state == "SETTLED":
        move(row, "UNDONE", now=now, facts=facts, tx_hash="")
    elif standing.state == "EXPIRED" and row.state == "AWAITING_SETTLEMENT":
        move(row, "RAN_OUT", now=now, facts=facts)
        entitling.releases(row=row, now=now)
