"""Moves our own payments by what the bank tells of them: settled, returned, failed.

Whoever calls holds the lock of the transaction that the bank has for a payment, so that the fold of
what was told is the last word.
"""

from datetime import datetime

from django.db import transaction

from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import Send
from apps.payments.banking.rules.lifecycle import EVENTS_BY_BANK_STATUS, UNDER_WAY, has_transition
from apps.payments.banking.rules.routes import parse_status
from apps.payments.banking.rules.troubles import TROUBLE_BY_STATE
from apps.payments.banking.services import cases
from apps.payments.banking.transaction_state import load_transaction_state, lock_transaction
from apps.payments.banking.transitions import record_transition


def update_send_status(bank_id: str, status: str, *, now: datetime) -> None:
    """Take the payment of a transaction to where the bank's status has it; told again, nothing.

    BankRowIntegrityError (503) where it is not as it was recorded.
    """
    row = Send.objects.select_for_update().filter(bank_id=bank_id).first() if status else None
    event = EVENTS_BY_BANK_STATUS.get(status, UNDER_WAY)
    if row is None or not has_transition(row.THING, row.state, event):
        return
    verify_rows([row])
    line = record_transition(row, event, now=now, bank_status=status[:20])
    if line.next in TROUBLE_BY_STATE:
        cases.open_trouble_case(row, TROUBLE_BY_STATE[line.next], now=now, facts={"status": status})


@transaction.atomic
def catch_up_send_status(bank_id: str, *, answered: str, now: datetime) -> None:
    """Follow what the bank told of a payment before its answer was noted, else what it answered."""
    lock_transaction(bank_id, now=now)
    told = parse_status(load_transaction_state(bank_id)) or parse_status({"status": answered})
    update_send_status(bank_id, told, now=now)
