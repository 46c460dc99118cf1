"""What the chain tells of the transfers of bank payments (config/chain.py)."""

import uuid
from datetime import datetime

from apps.banking.models import BankTransaction
from apps.banking.moving import move
from apps.banking.projection import proved
from apps.banking.rules.lifecycle import knows
from apps.chain.orders import Standing


def told(order_id: uuid.UUID, standing: Standing, now: datetime) -> None:
    """Note that a transfer is final, fell back or is over; told twice it does nothing twice."""
    found = BankTransaction.objects.select_for_update().filter(order_id=order_id).first()
    event = "FELL_BACK" if standing.state not in ("FINAL", "EXPIRED") else standing.state
    if found is None or not knows(found.THING, found.state, event):
        return
    proved([found])
    facts = {"txHash": standing.tx_hash, "logIndex": standing.log_index}
    move(found, event, now=now, facts=facts, tx_hash=standing.tx_hash)
