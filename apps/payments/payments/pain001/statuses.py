"""ISO 20022 status codes of messages and their transactions."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Exists, OuterRef

from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.models import FileTransaction, PaymentFile

# states of payments (DESIGN.md section 4) in codes that pain.002.001.03 has too
STATUS_OF_PAYMENT_STATE = {
    "SUBMITTED": "ACTC",
    "VERIFIED": "ACCP",
    "AWAITING_SETTLEMENT": "ACSP",
    "HELD": "PDNG",
    "SETTLED": "ACSC",
    "BLOCKED": "RJCT",
    "FAILED": "RJCT",
}
REFUSED, PARTLY, RECEIVED, TAKEN = "RJCT", "PART", "ACTC", "ACCP"


def status_of_transaction(line: FileTransaction, payment: Payment | None) -> str:
    """Return the status of a judged transaction; "" if its payment failed the integrity check."""
    if payment is None:
        return "" if line.payment_id else REFUSED
    return STATUS_OF_PAYMENT_STATE[payment.state]


def reasons_of_transaction(line: FileTransaction, payment: Payment | None) -> list[dict[str, Any]]:
    """Return why a transaction is rejected: its faults, or its payment's message.

    For a payment that is the sentence that the API returns elsewhere too: it names no place in the
    message, because the message is valid.
    """
    if payment is None or not payment.error:
        return list(line.faults)
    return [{"code": "NARR", "text": payment.error, "path": "", "line": 0}]


def load_group_status(file: PaymentFile) -> str:
    """Return the status of a message from those of its transactions; one query."""
    return load_group_statuses([file])[file.pk]


def load_group_statuses(files: Iterable[PaymentFile]) -> dict[int, str]:
    """Return the statuses of messages by number, from their rejected transactions; one query.

    RJCT: all are rejected; PART: some; ACTC: none so far, and some are not judged; ACCP: none.
    """
    files = list(files)
    # by ISO 20022 no transaction is RJCT in a message that is ACTC or ACCP, so payments that were
    # blocked or failed later count too
    ended = Payment.objects.filter(
        payment_id=OuterRef("payment_id"),
        state__in=[state for state, code in STATUS_OF_PAYMENT_STATE.items() if code == REFUSED],
    )
    rows = FileTransaction.objects.filter(Exists(ended), file__in=[file.pk for file in files])
    failed = dict(rows.values_list("file").annotate(Count("pk")))
    return {
        file.pk: _group_status_of(file, file.refused + failed.get(file.pk, 0)) for file in files
    }


def _group_status_of(file: PaymentFile, rejected: int) -> str:
    if rejected:
        return REFUSED if rejected == file.total else PARTLY
    return TAKEN if file.state == "DONE" else RECEIVED
