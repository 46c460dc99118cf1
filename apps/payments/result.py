"""A payment in the words of the API (document 2 section 2.2)."""

from typing import Any

from apps.payments.models import Payment
from apps.payments.rules.lifecycle import FINAL


def result(payment: Payment) -> dict[str, Any]:
    """Return the values of PaymentOut: what GET answers and a callback says."""
    said: dict[str, Any] = {
        "svc_payment_id": str(payment.payment_id),
        "tms_reference": payment.reference,
        "status": payment.state,
        "submitted_at": payment.submitted_at,
    }
    # what an officer may yet turn is told at the end
    told = ("vop", "compliance") if payment.state in FINAL else ("vop",)
    said |= {name: payment.said[name] for name in told if name in payment.said}
    if payment.settled_at is not None:
        said |= {"settled_at": payment.settled_at, "settlement": payment.price["settlement"]}
    return said | ({"error": payment.error} if payment.error else {})
