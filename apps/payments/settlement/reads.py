"""Reads of settlements, and the hash that their callers tell."""

from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.payments.chain import orders
from apps.payments.chain.integrity import INTEGRITY_FAILED, OrderIntegrityError
from apps.payments.settlement.integrity import verify_settlement
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.payloads import serialize_settlement
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, Conflict, DomainError, NotFound


class NoTransferExpected(Conflict):
    """No transfer is expected for this settlement: it was not released, or it has ended."""

    code, title = "nothing_expected", "No transfer is expected"


class InvalidTransactionHash(DomainError):
    """The text is not a transaction hash."""

    code, title = "bad_tx_hash", "This is not a transaction hash"


def read_settlement(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a settlement: the institution's own, or a rehearsal by its unguessable id."""
    return serialize_settlement(_load_own_settlement(asked, caller), now)


def note_settlement_transaction(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Note which transaction executes a settlement; of a rehearsal nothing is looked for."""
    row = _load_own_settlement(asked, caller)
    if row.sandbox:
        return serialize_settlement(row, now)
    if not row.price:
        raise NoTransferExpected("This settlement was not released, so no transfer is expected.")
    try:
        if orders.load_transfer_status(row.order_id).closed:
            raise NoTransferExpected("No transfer is expected for this settlement any more.")
        orders.report_transaction(row.order_id, asked["tx_hash"], now=now)
    except orders.InvalidHash as error:
        said = str(error)
        raise InvalidTransactionHash(said, errors=[{"field": "txHash", "message": said}]) from None
    except orders.OrderNotFound:
        raise OrderIntegrityError(INTEGRITY_FAILED) from None
    return serialize_settlement(row, now)


def _load_own_settlement(asked: dict[str, Any], caller: Caller) -> Settlement:
    row = Settlement.objects.filter(settlement_id=asked["settlement_id"]).first()
    own = row is not None and caller.kind == KeyKind.INSTITUTION and row.owner == caller.ref
    if row is None or not (row.sandbox or own):
        raise NotFound(NO_SUCH_ID)
    return verify_settlement(row)
