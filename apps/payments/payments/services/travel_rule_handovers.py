"""Hand settled payments over to the travel-rule ledger, and describe their settlement."""

from datetime import datetime, timedelta
from typing import Any

from apps.payments.payments.models import HandOver, Payment
from apps.platform.db.compiled_statements import insert_if_absent
from apps.platform.jobs import job_queue

# the travel-rule ledger's job; a few of them, so that workers that settle do not wait for one row
RECORD, SHARES = "travelrule.record", 8
HANDOVER_DELAY = timedelta(seconds=1)


def serialize_settlement_details(payment: Payment, *, tx_hash: str, network: str) -> dict[str, Any]:
    """Return the details of a settlement for its institution; values of SettlementOut."""
    price = payment.price
    return {
        "tx_hash": tx_hash,
        "amount": price["net"],
        "currency": payment.currency,
        "asset": payment.asset,
        "network": network,
        "exchange_rate": price["rate"],
        "fee": price["fee"],
    }


def hand_over_to_travel_rule(payment: Payment, *, now: datetime) -> None:
    """Hand a settled payment over to the travel rule; part of the transaction that settles it."""
    # a transfer that was taken back after its record, and came again, is recorded already
    if not insert_if_absent(HandOver(payment=payment), unique=("payment_id",)):
        return
    # records are written in batches: none is urgent, and each job costs as much as a record
    job_queue.enqueue_job(
        job=RECORD, key=str(payment.pk % SHARES), now=now, eta=now + HANDOVER_DELAY
    )


def withdraw_handover(payment: Payment) -> None:
    """Hand over no more what the travel rule has not recorded of a payment that is not settled."""
    HandOver.objects.filter(payment=payment, taken_at=None).delete()


def list_pending_handovers(*, limit: int, above: int = 0) -> list[HandOver]:
    """Return settled payments that the travel-rule ledger has not taken, the oldest first.

    Only those with a number above `above`. The caller records each and calls
    `mark_handover_recorded` in the same transaction.
    """
    rows = HandOver.objects.filter(taken_at=None, pk__gt=above).select_related("payment")
    return list(rows.order_by("pk")[:limit])


def mark_handover_recorded(*, hand: HandOver, now: datetime) -> bool:
    """Mark a settled payment as recorded; False if it is already marked."""
    return HandOver.objects.filter(pk=hand.pk, taken_at=None).update(taken_at=now) == 1
