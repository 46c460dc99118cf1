"""ISO 20022's codes for how far a message and its transactions are."""

from apps.payments.models import Payment
from apps.payments.pain001.models import FileTransaction, PaymentFile

# states of payments (DESIGN.md section 4) in codes that pain.002.001.03 has too
OF_PAYMENT = {
    "SUBMITTED": "ACTC",
    "VERIFIED": "ACCP",
    "AWAITING_SETTLEMENT": "ACSP",
    "HELD": "PDNG",
    "SETTLED": "ACSC",
    "BLOCKED": "RJCT",
    "FAILED": "RJCT",
}
REFUSED, PARTLY, RECEIVED, TAKEN = "RJCT", "PART", "ACTC", "ACCP"


def status_of(line: FileTransaction, payment: Payment | None) -> str:
    """Return the status of a transaction that was judged; "" of a payment that is not proved."""
    if payment is None:
        return "" if line.payment_id else REFUSED
    return OF_PAYMENT[payment.state]


def group_status(file: PaymentFile) -> str:
    """Return the status of a message, by what was taken of it.

    RJCT: all of it was refused; PART: some; ACTC: it is being worked off; ACCP: all was taken.
    """
    if file.refused:
        return REFUSED if file.refused == file.total else PARTLY
    return TAKEN if file.state == "DONE" else RECEIVED
