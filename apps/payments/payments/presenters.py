"""A payment in the words of the API (document 2 section 2.2)."""

from typing import Any

from apps.payments.payments.instructions import format_decimal
from apps.payments.payments.models import Payment
from apps.payments.payments.rails import evm
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.transitions import FINAL


def serialize_payment(payment: Payment) -> dict[str, Any]:
    """Return the values of PaymentOut: what GET answers and a callback says."""
    payload: dict[str, Any] = {
        "svc_payment_id": str(payment.payment_id),
        "tms_reference": payment.reference,
        "status": payment.state,
        "submitted_at": payment.submitted_at,
    }
    # the same sentence for every hold: the reason must not show (document 1 section 2.4)
    if payment.state == "HELD":
        payload["status_detail"] = messages.HELD
    # outcomes that an officer may still change are disclosed only at the end
    shown_parts = ("vop", "compliance") if payment.state in FINAL else ("vop",)
    payload |= {name: payment.said[name] for name in shown_parts if name in payment.said}
    if payment.settled_at is not None:
        payload |= {"settled_at": payment.settled_at, "settlement": payment.price["settlement"]}
    return payload | ({"error": payment.error} if payment.error else {})


def serialize_payment_with_execution(payment: Payment) -> dict[str, Any]:
    """Return the values of PaymentOut with what executes a payment that waits for its transfer.

    Two queries where it waits, else none.
    """
    return serialize_payment(payment) | _serialize_execution(payment)


def _serialize_execution(payment: Payment) -> dict[str, Any]:
    pending_execution = evm.load_pending_execution(payment)
    if pending_execution is None:
        return {}
    awaited, stands = pending_execution
    transfer: dict[str, Any] = {
        "state": stands.state,
        "confirmations": stands.confirmations,
        "needed": stands.needed,
    }
    more = {"tx_hash": stands.tx_hash, "until": stands.until, "why": stands.why}
    payload: dict[str, Any] = {
        "chain_id": awaited.chain_id,
        "network": awaited.network,
        "asset": awaited.asset,
        "asset_address": awaited.asset_address,
        "recipient": awaited.recipient,
        "amount": format_decimal(awaited.amount),
        "amount_minor": str(awaited.amount_minor),
        "reference": awaited.reference,
        "deadline": awaited.deadline,
        "transfer": transfer | {name: value for name, value in more.items() if value},
    }
    return {"execution": payload | ({"sender": awaited.sender} if awaited.sender else {})}
