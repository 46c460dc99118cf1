"""What the chain tells of the transfers of bank payments (config/chain.py)."""

import uuid
from datetime import datetime
from decimal import Decimal

from apps.banking.models import BankEvent, BankTransaction
from apps.banking.moving import move
from apps.banking.projection import proved
from apps.banking.rules.lifecycle import knows
from apps.chain.orders import Standing
from apps.settlement import pricing

FINAL = "FINAL"


def told(order_id: uuid.UUID, standing: Standing, now: datetime) -> None:
    """Note that a transfer is final, fell back or is over; told twice it does nothing twice.

    What settled counts in the month of its institution, once.
    """
    found = BankTransaction.objects.select_for_update().filter(order_id=order_id).first()
    event = "FELL_BACK" if standing.state not in (FINAL, "EXPIRED") else standing.state
    if found is None or not knows(found.THING, found.state, event):
        return
    proved([found])
    counts = event == FINAL and not _was_final(found)
    facts = {"txHash": standing.tx_hash, "logIndex": standing.log_index}
    move(found, event, now=now, facts=facts, tx_hash=standing.tx_hash)
    if counts:
        pricing.count(owner=found.owner, usd=found.amount or Decimal(0), now=now)


def _was_final(row: BankTransaction) -> bool:
    """Tell whether it was final before the chain took it back."""
    return BankEvent.objects.filter(subject=row.subject, event=FINAL).exists()
