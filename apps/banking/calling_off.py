"""Calls off the settlement of a payment that did not come about at the bank."""

from datetime import datetime

from apps.banking import cases
from apps.banking.models import BankTransaction
from apps.banking.moving import move
from apps.banking.rules.lifecycle import knows
from apps.chain.orders import close

RULE = "BR-23"


def call_off(row: BankTransaction, *, status: str, now: datetime) -> None:
    """End the order of a routed payment whose transfer was not sent; else officers are told.

    Call it under the lock of the payment. A transaction that is named counts as sent: nobody knows
    that it was not. What nobody watches for (a rehearsal) was not sent.
    """
    if row.state == "SETTLED" or not close(row.order_id, now=now):
        cases.undone(row, status=status, now=now)
    elif knows(row.THING, row.state, "CALLED_OFF"):
        facts = {"status": status, "quote": row.quote_id}
        move(row, "CALLED_OFF", now=now, facts=facts, rule=RULE, routed={}, due_at=None)
