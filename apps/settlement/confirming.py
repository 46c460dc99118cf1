"""What the chain tells of a settlement's transfer: it is SETTLED only once that is final."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from apps.chain.orders import Standing
from apps.payments.pricing import count_back
from apps.settlement import entitling, pricing
from apps.settlement.models import Settlement
from apps.settlement.moving import move
from apps.settlement.projection import proved
from apps.settlement.telling import tell


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
    place = standing.log_index or 0
    same = standing.state == "FINAL" and (standing.tx_hash, place) == (row.tx_hash, row.tx_place)
    if row.state == "SETTLED" and not same:
        _undone(row, facts, now)
    if standing.state == "FINAL" and row.state == "AWAITING_SETTLEMENT":
        move(row, "CONFIRMED", now=now, facts=facts, tx_hash=standing.tx_hash, tx_place=place)
        tell(row, now=now)
        pricing.count(owner=row.owner, usd=row.amount_usd or Decimal(0), now=now)
    elif standing.state == "EXPIRED" and row.state == "AWAITING_SETTLEMENT":
        move(row, "RAN_OUT", now=now, facts=facts)
        entitling.releases(row=row, now=now)
        tell(row, now=now)


def _undone(row: Settlement, facts: Mapping[str, Any], now: datetime) -> None:
    """Take back that a settlement is settled; its transfer may come again."""
    settled = row.settled_at
    move(row, "UNDONE", now=now, facts=facts, tx_hash="", tx_place=0)
    tell(row, now=now)
    if settled is not None:
        count_back(owner=row.owner, usd=row.amount_usd or Decimal(0), settled=settled)
