"""Payment files and their transactions as the API answers them."""

from collections.abc import Sequence
from typing import Any

from apps.payments.payments.integrity import INTEGRITY_FAILED, PaymentIntegrityError
from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.models import FileTransaction, PaymentFile
from apps.payments.payments.pain001.pain002 import load_payments_of_lines
from apps.payments.payments.pain001.services.answer_message import serialize_file
from apps.payments.payments.pain001.statuses import (
    load_group_statuses,
    reasons_of_transaction,
    status_of_transaction,
)


def serialize_files(files: Sequence[PaymentFile]) -> list[dict[str, Any]]:
    """Return a page of files; see FilesOut."""
    statuses = load_group_statuses(files)
    return [serialize_file(file, statuses[file.pk]) for file in files]


def serialize_transactions(lines: Sequence[FileTransaction], *, owner: str) -> list[dict[str, Any]]:
    """Return the values of LineOut for some transactions of an owner's file; one query.

    PaymentIntegrityError (503) where a payment of them is not as it was recorded.
    """
    payments = load_payments_of_lines(lines, owner=owner)
    # a page with a gap would look complete to a client
    if any(line.payment_id and line.payment_id not in payments for line in lines):
        raise PaymentIntegrityError(INTEGRITY_FAILED)
    return [
        _serialize_transaction(line, payments[line.payment_id] if line.payment_id else None)
        for line in lines
    ]


def _serialize_transaction(line: FileTransaction, payment: Payment | None) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "number": line.number,
        "payment_info_id": line.payment_info_id,
        "end_to_end_id": line.end_to_end_id,
        "uetr": line.uetr,
        "status": status_of_transaction(line, payment),
        "reasons": reasons_of_transaction(line, payment),
    }
    if line.instruction_id:
        payload["instruction_id"] = line.instruction_id
    if payment is not None:
        payload["svc_payment_id"] = str(line.payment_id)
        source = payment.instruction.get("source", {})
        payload["unmapped"] = source.get("unmapped", [])
    return payload
