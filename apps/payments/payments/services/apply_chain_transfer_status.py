"""Apply what the chain says of a payment's transfer: one taken back settles nothing."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.payments.integrity import INTEGRITY_FAILED, PaymentIntegrityError, verify_payment
from apps.payments.payments.models import Payment
from apps.payments.payments.record_transition import ADVANCE, record_transition
from apps.payments.payments.services import pricing, travel_rule_handovers
from apps.platform.jobs import job_queue

STATES_WITH_TRANSFER = ("AWAITING_SETTLEMENT", "SETTLED")


@transaction.atomic
def apply_chain_transfer_status(order_id: UUID, standing: TransferStatus, now: datetime) -> None:
    """Advance a payment whose transfer changed status; a repeated call has no effect.

    PaymentIntegrityError if the payment was altered or removed: the job is retried.
    """
    row = Payment.objects.select_for_update().filter(payment_id=order_id).first()
    if row is None:
        raise PaymentIntegrityError(INTEGRITY_FAILED)
    if row.state not in STATES_WITH_TRANSFER:
        return
    if row.state == "SETTLED":
        # another hash: it settled by a transfer that was taken back, and came again in another
        # transaction
        if (standing.state, standing.tx_hash) != ("FINAL", row.tx_hash):
            _reverse_settlement(verify_payment(row), standing, now)
        return
    # the rail reads the status itself; a job that waits for its time would only do so minutes later
    Payment.objects.filter(pk=row.pk).update(due_at=now)
    job_queue.enqueue_job(job=ADVANCE, key=str(row.pk), now=now)


def _reverse_settlement(row: Payment, standing: TransferStatus, now: datetime) -> None:
    """Take back that a payment is settled, and what hangs on it; its transfer may come again."""
    facts = {"settlement": row.price["settlement"], "why": standing.why}
    settled = row.settled_at
    price = {name: value for name, value in row.price.items() if name != "settlement"}
    record_transition(row, "UNDONE", now=now, facts=facts, price=price, tx_hash="", tx_place=0,
         settled_at=None, ended_at=None)  # fmt: skip
    travel_rule_handovers.withdraw_handover(row)
    if settled is not None:
        usd = Decimal(price["amountUsd"])
        pricing.subtract_month_volume(owner=row.owner, usd=usd, settled=settled)
