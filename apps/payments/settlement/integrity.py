"""Verify settlements against the ledger of their events."""

import logging

from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.models.settlements import reference_key
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.state_row_checks import StateRowCheck

INTEGRITY_FAILED = "Integrity check failed for this settlement. Contact the operator."
logger = logging.getLogger(__name__)


class SettlementIntegrityError(Unavailable):
    """Integrity check failed for the settlement: it was altered."""

    code, title = "settlement_unproved", "Settlement integrity check failed"


def verify_settlement(row: Settlement) -> Settlement:
    """Return a settlement in its current state if it matches its last event; one query.

    Raises SettlementIntegrityError (503) if it does not. A rehearsal is returned as it is.
    """
    # A rehearsal moves nothing and has no events. A row with events was a real one before somebody
    # set its `sandbox`: it is compared with them.
    if row.sandbox and not SettlementEvent.objects.filter(settlement=row).exists():
        return row
    return CHECK.verify(row)


def load_settlement_by_reference(*, owner: str, reference: str) -> Settlement | None:
    """Return the settlement of a reference, None if the reference was never used.

    Raises SettlementIntegrityError (503) if one was recorded and no row has the reference.
    """
    rows = Settlement.objects.filter(owner=owner, reference=reference)
    if (row := rows.first()) is not None:
        return row
    key = reference_key(owner, reference)
    if not SettlementEvent.objects.filter(reference_key=key).exists():
        return None
    row = rows.first()  # another call may have made it since
    # the row was removed, or its owner or reference altered: a new one would settle twice
    if row is None:
        logger.error("a settlement of %s was recorded, but no row has its reference", owner)
        raise SettlementIntegrityError(INTEGRITY_FAILED)
    return row


CHECK = StateRowCheck(
    rows=Settlement,
    events=SettlementEvent,
    of="settlement",
    error=SettlementIntegrityError,
    detail=INTEGRITY_FAILED,
    gone="has events, and no row",
    exempt=lambda row: row.sandbox,
)
find_settlement_faults = CHECK.find_faults
verify_settlements = CHECK.compare
