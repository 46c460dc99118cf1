"""Apply the chain's status of a bank payment's transfer: final, taken back or expired."""

import uuid
from datetime import datetime
from decimal import Decimal

from apps.payments.banking.integrity import INTEGRITY_DETAIL, BankRowIntegrityError, verify_rows
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.transitions import has_transition
from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.settlement.services import pricing

FINAL = "FINAL"


def apply_chain_transfer_status(
    order_id: uuid.UUID, standing: TransferStatus, now: datetime
) -> None:
    """Record that a transfer is final, was taken back or has expired; safe to repeat.

    Raises BankRowIntegrityError if the payment was altered or removed: the job runs again.
    """
    # locked: a delivery of the bank may change the same payment now
    bank_transaction = BankTransaction.objects.select_for_update().filter(order_id=order_id).first()
    if bank_transaction is None:
        raise BankRowIntegrityError(INTEGRITY_DETAIL)
    # any state but these two means that the transfer is not final (any more)
    event = "FELL_BACK" if standing.state not in (FINAL, "EXPIRED") else standing.state
    # already applied, or nothing to take back: the job may run twice
    if not has_transition(bank_transaction.THING, bank_transaction.state, event):
        return
    verify_rows([bank_transaction])
    # a settlement counts once in the month of its institution, whatever the chain took back since
    counts = event == FINAL and not _was_final_before(bank_transaction)
    facts = {"txHash": standing.tx_hash, "logIndex": standing.log_index}
    record_transition(bank_transaction, event, now=now, facts=facts, tx_hash=standing.tx_hash)
    if counts:
        pricing.add_month_volume(
            owner=bank_transaction.owner, usd=bank_transaction.amount or Decimal(0), now=now
        )


def _was_final_before(row: BankTransaction) -> bool:
    """Tell whether it was final before the chain took it back."""
    return BankEvent.objects.filter(subject=row.subject, event=FINAL).exists()
