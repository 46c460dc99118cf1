"""The transfer of a settlement: what executes it, and what the chain is asked to look for."""

from datetime import datetime, timedelta
from decimal import Decimal

from apps.chain import orders
from apps.chain.orders import Execution, Wanted
from apps.settlement.models import Settlement
from apps.settlement.rules.routes import CHAIN

WITHIN = timedelta(hours=1)  # rate and fees are locked for so long
ABOUT = "settlement"


def deadline(now: datetime) -> datetime:
    """Return until when a settlement that goes now is to be executed."""
    return now + WITHIN


def order_of(row: Settlement) -> Wanted:
    """Return the transfer of a settlement; the same settlement is the same order."""
    return Wanted(
        order_id=row.order_id,
        about=ABOUT,
        owner=row.owner,
        chain=CHAIN,
        asset=row.asset,
        amount=Decimal(row.price["assetAmount"]),
        recipient=row.recipient,
        sender=row.sender,
        deadline=datetime.fromisoformat(row.price["deadline"]),
    )


def expect(row: Settlement, *, now: datetime) -> Execution:
    """Expect the transfer of a settlement, durably; part of the transaction that lets it go."""
    return orders.expect(order_of(row), now=now)


def execution(row: Settlement) -> Execution:
    """Return what executes a settlement, also of a rehearsal: then nothing is looked for."""
    return orders.parameters(order_of(row))
