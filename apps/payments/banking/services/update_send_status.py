"""Update our own payments by the bank's reports: settled, returned, failed.

The caller holds the lock of the payment's transaction at the bank, so that the merged reports are
the latest.
"""

from datetime import datetime

from django.db import transaction

from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.merged_deliveries import load_transaction_state
from apps.payments.banking.models import Send
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.routes import parse_status
from apps.payments.banking.rules.send_troubles import TROUBLE_BY_STATE
from apps.payments.banking.rules.transitions import EVENTS_BY_BANK_STATUS, UNDER_WAY, has_transition
from apps.payments.banking.services import send_cases
from apps.payments.banking.transaction_rows import lock_transaction


def update_send_status(bank_id: str, status: str, *, now: datetime) -> None:
    """Move the payment of a transaction to the bank's status; a repeat does nothing.

    Raises BankRowIntegrityError (503) if it is not as recorded.
    """
    row = Send.objects.select_for_update().filter(bank_id=bank_id).first() if status else None
    # an unknown status is no outcome: the payment is under way
    event = EVENTS_BY_BANK_STATUS.get(status, UNDER_WAY)
    # a repeat, or a report before the bank's answer, which catch_up_send_status applies later
    if row is None or not has_transition(row.THING, row.state, event):
        return
    verify_rows([row])
    line = record_transition(row, event, now=now, bank_status=status[:20])
    if line.next in TROUBLE_BY_STATE:
        send_cases.open_trouble_case(
            row, TROUBLE_BY_STATE[line.next], now=now, facts={"status": status}
        )


@transaction.atomic
def catch_up_send_status(bank_id: str, *, answered: str, now: datetime) -> None:
    """Apply reports of a payment that came before the bank's answer, else the answer itself."""
    lock_transaction(bank_id, now=now)
    # the webhook is newer than the answer to the call, where it has reported anything
    status = parse_status(load_transaction_state(bank_id)) or parse_status({"status": answered})
    update_send_status(bank_id, status, now=now)
