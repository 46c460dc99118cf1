"""What the chain tells of the transfers of bank payments."""

import uuid
from datetime import datetime
from decimal import Decimal

from apps.payments.banking.integrity import INTEGRITY_DETAIL, BankRowIntegrityError, verify_rows
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.banking.rules.lifecycle import has_transition
from apps.payments.banking.transitions import record_transition
from apps.payments.chain.orders import TransferStatus
from apps.payments.settlement.services import pricing

FINAL = "FINAL"


def apply_transfer_outcome(order_id: uuid.UUID, standing: TransferStatus, now: datetime) -> None:
    """Note that a transfer is final, fell back or is over; told twice it does nothing twice.

    What settled counts in the month of its institution, once. BankRowIntegrityError where the
    payment was altered or removed: the job comes again.
    """
    found = BankTransaction.objects.select_for_update().filter(order_id=order_id).first()
    if found is None:
        raise BankRowIntegrityError(INTEGRITY_DETAIL)
    event = "FELL_BACK" if standing.state not in (FINAL, "EXPIRED") else standing.state
    if not has_transition(found.THING, found.state, event):
        return
    verify_rows([found])
    counts = event == FINAL and not _was_final_before(found)
    facts = {"txHash": standing.tx_hash, "logIndex": standing.log_index}
    record_transition(found, event, now=now, facts=facts, tx_hash=standing.tx_hash)
    if counts:
        pricing.add_month_volume(owner=found.owner, usd=found.amount or Decimal(0), now=now)


def _was_final_before(row: BankTransaction) -> bool:
    """Tell whether it was final before the chain took it back."""
    return BankEvent.objects.filter(subject=row.subject, event=FINAL).exists()
