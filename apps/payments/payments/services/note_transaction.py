"""The hash of the transaction that carries a payment, as its institution tells it."""

from datetime import datetime
from typing import Any

from apps.payments.chain.expected_transfers import InvalidHash
from apps.payments.payments.integrity import load_verified_payment
from apps.payments.payments.presenters import serialize_payment_with_execution
from apps.payments.payments.rails import evm
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, DomainError, NotFound


class InvalidTransactionHash(DomainError):
    """The text is not a transaction hash."""

    code, title = "bad_transaction_hash", "This is not a transaction hash"


def note_payment_transaction(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Note which transaction carries a payment of the caller's, and return the payment.

    NotFound for another's payment, InvalidTransactionHash (400) for a text that is none. A hash
    proves nothing: nothing changes where no transfer is awaited.
    """
    payment = load_verified_payment(owner=caller.ref, payment_id=asked["payment_id"])
    if payment is None:
        raise NotFound(NO_SUCH_ID)
    try:
        evm.report_payment_transaction(payment, asked["tx_hash"], now=now)
    except InvalidHash as error:
        raise InvalidTransactionHash(
            str(error), errors=[{"field": "txHash", "message": str(error)}]
        ) from None
    return serialize_payment_with_execution(payment)
