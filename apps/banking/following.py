"""Moves our own payments by what the bank tells of them: settled, returned, failed.

Whoever calls holds the lock of the transaction that the bank has for a payment, so that the fold of
what was told is the last word.
"""

from datetime import datetime

from django.db import transaction

from apps.banking import cases
from apps.banking.folding import locked, state_of
from apps.banking.models import Send
from apps.banking.moving import move
from apps.banking.projection import proved
from apps.banking.rules.lifecycle import ENDS, UNDER_WAY, knows
from apps.banking.rules.routing import status_of
from apps.banking.rules.troubles import OF_END


def follow(bank_id: str, status: str, *, now: datetime) -> None:
    """Take the payment of a transaction to where the bank's status has it; told again, nothing.

    BankRowUnproved (503) where it is not as it was recorded.
    """
    row = Send.objects.select_for_update().filter(bank_id=bank_id).first() if status else None
    event = ENDS.get(status, UNDER_WAY)
    if row is None or not knows(row.THING, row.state, event):
        return
    proved([row])
    line = move(row, event, now=now, bank_status=status[:20])
    if line.next in OF_END:
        cases.trouble(row, OF_END[line.next], now=now, facts={"status": status})


@transaction.atomic
def catch_up(bank_id: str, *, answered: str, now: datetime) -> None:
    """Follow what the bank told of a payment before its answer was noted, else what it answered."""
    locked(bank_id, now=now)
    told = status_of(state_of(bank_id)) or status_of({"status": answered})
    follow(bank_id, told, now=now)
