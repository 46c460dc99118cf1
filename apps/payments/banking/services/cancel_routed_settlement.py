"""Cancel the settlement of a payment that failed at the bank."""

from datetime import datetime

from apps.payments.banking.models import BankTransaction
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.transitions import has_transition
from apps.payments.banking.services import deposit_cases
from apps.payments.chain.expected_transfers import close_order

CANCEL_RULE = "BR-23"


def cancel_routed_settlement(row: BankTransaction, *, status: str, now: datetime) -> None:
    """End the order of a routed payment whose transfer was not sent; else notify officers.

    Call it under the lock of the payment.
    """
    # `close_order`: a transaction whose hash is known counts as sent, because it may have been;
    # one that is not watched for (a rehearsal) was not sent
    if row.state == "SETTLED" or not close_order(row.order_id, now=now):
        deposit_cases.open_undone_case(row, status=status, now=now)
    elif has_transition(row.THING, row.state, "CALLED_OFF"):
        facts = {"status": status, "quote": row.quote_id}
        record_transition(
            row, "CALLED_OFF", now=now, facts=facts, rule=CANCEL_RULE, routed={}, due_at=None
        )
