"""Note the hash of the transaction that executes a settlement, as its caller reports it."""

from datetime import datetime
from typing import Any

from apps.payments.chain import expected_transfers
from apps.payments.chain.integrity import INTEGRITY_FAILED, OrderIntegrityError
from apps.payments.settlement.presenters import serialize_settlement
from apps.payments.settlement.selectors.own_settlements import load_own_settlement
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict, DomainError


class NoTransferExpected(Conflict):
    """No transfer is expected for this settlement: it was not released, or it has ended."""

    code, title = "nothing_expected", "No transfer is expected"


class InvalidTransactionHash(DomainError):
    """The text is not a transaction hash."""

    code, title = "bad_tx_hash", "This is not a transaction hash"


def note_settlement_transaction(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Note which transaction executes a settlement; for a rehearsal nothing is looked up."""
    row = load_own_settlement(asked, caller)
    if row.sandbox:
        return serialize_settlement(row, now)
    # a settlement is priced when it goes ahead, and only then is a transfer expected
    if not row.price:
        raise NoTransferExpected("This settlement was not released, so no transfer is expected.")
    try:
        if expected_transfers.load_transfer_status(row.order_id).closed:
            raise NoTransferExpected("No transfer is expected for this settlement any more.")
        expected_transfers.report_transaction(row.order_id, asked["tx_hash"], now=now)
    except expected_transfers.InvalidHash as error:
        message = str(error)
        raise InvalidTransactionHash(
            message, errors=[{"field": "txHash", "message": message}]
        ) from None
    except expected_transfers.OrderNotFound:
        raise OrderIntegrityError(INTEGRITY_FAILED) from None
    return serialize_settlement(row, now)
