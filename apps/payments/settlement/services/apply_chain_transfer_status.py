"""Apply the chain's status of a settlement's transfer: only a final one makes it SETTLED."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.payments.services.pricing import subtract_month_volume
from apps.payments.settlement.integrity import (
    INTEGRITY_FAILED,
    SettlementIntegrityError,
    verify_settlement,
)
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.notifications import publish_settlement_status
from apps.payments.settlement.record_transition import record_transition
from apps.payments.settlement.services import agent_mandates, pricing


def apply_chain_transfer_status(order_id: UUID, standing: TransferStatus, now: datetime) -> None:
    """Apply the transition for a transfer's status; safe to repeat.

    Part of the transaction of the notifying job. Raises SettlementIntegrityError if the settlement
    was altered or removed: the job runs again.
    """
    # locked: an officer, a resubmission and an earlier notification may change it meanwhile
    row = Settlement.objects.select_for_update().filter(order_id=order_id).first()
    if row is None:
        raise SettlementIntegrityError(INTEGRITY_FAILED)
    row = verify_settlement(row)
    facts = {"txHash": standing.tx_hash, "logIndex": standing.log_index, "why": standing.why}
    place = standing.log_index or 0
    # one transaction may hold several transfers: the log index tells them apart
    same = standing.state == "FINAL" and (standing.tx_hash, place) == (row.tx_hash, row.tx_place)
    if row.state == "SETTLED" and not same:
        # undo the settlement; its transfer may come again
        settled = row.settled_at
        record_transition(row, "UNDONE", now=now, facts=facts, tx_hash="", tx_place=0)
        publish_settlement_status(row, now=now)
        # from the month in which it was counted, which may have ended
        if settled is not None:
            subtract_month_volume(
                owner=row.owner, usd=row.amount_usd or Decimal(0), settled=settled
            )
    if standing.state == "FINAL" and row.state == "AWAITING_SETTLEMENT":
        record_transition(
            row, "CONFIRMED", now=now, facts=facts, tx_hash=standing.tx_hash, tx_place=place
        )
        publish_settlement_status(row, now=now)
        # last: all settlements of an institution wait for this row
        pricing.add_month_volume(owner=row.owner, usd=row.amount_usd or Decimal(0), now=now)
    elif standing.state == "EXPIRED" and row.state == "AWAITING_SETTLEMENT":
        record_transition(row, "RAN_OUT", now=now, facts=facts)
        agent_mandates.release_mandate(row=row, now=now)
        publish_settlement_status(row, now=now)
