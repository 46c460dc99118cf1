"""A payment in the words of the API (document 2 section 2.2)."""

from typing import Any

from apps.payments.payments.instructions import format_decimal
from apps.payments.payments.models import Payment
from apps.payments.payments.rails import evm
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.lifecycle import FINAL


def serialize_payment(payment: Payment) -> dict[str, Any]:
    """Return the values of PaymentOut: what GET answers and a callback says."""
    said: dict[str, Any] = {
        "svc_payment_id": str(payment.payment_id),
        "tms_reference": payment.reference,
        "status": payment.state,
        "submitted_at": payment.submitted_at,
    }
    if payment.state == "HELD":
        said["status_detail"] = messages.HELD
    # what an officer may yet turn is told at the end
    told = ("vop", "compliance") if payment.state in FINAL else ("vop",)
    said |= {name: payment.said[name] for name in told if name in payment.said}
    if payment.settled_at is not None:
        said |= {"settled_at": payment.settled_at, "settlement": payment.price["settlement"]}
    return said | ({"error": payment.error} if payment.error else {})


def serialize_payment_with_execution(payment: Payment) -> dict[str, Any]:
    """Return the values of PaymentOut with what executes a payment that waits for its transfer.

    Two queries where it waits, else none.
    """
    return serialize_payment(payment) | _serialize_execution(payment)


def _serialize_execution(payment: Payment) -> dict[str, Any]:
    pending_execution = evm.load_pending_execution(payment)
    if pending_execution is None:
        return {}
    wanted, stands = pending_execution
    transfer: dict[str, Any] = {
        "state": stands.state,
        "confirmations": stands.confirmations,
        "needed": stands.needed,
    }
    more = {"tx_hash": stands.tx_hash, "until": stands.until, "why": stands.why}
    said: dict[str, Any] = {
        "chain_id": wanted.chain_id,
        "network": wanted.network,
        "asset": wanted.asset,
        "asset_address": wanted.asset_address,
        "recipient": wanted.recipient,
        "amount": format_decimal(wanted.amount),
        "amount_minor": str(wanted.amount_minor),
        "reference": wanted.reference,
        "deadline": wanted.deadline,
        "transfer": transfer | {name: one for name, one in more.items() if one},
    }
    return {"execution": said | ({"sender": wanted.sender} if wanted.sender else {})}
