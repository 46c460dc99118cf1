"""Reads of messages by API: an institution's own alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse

from apps.payments.payments.integrity import INTEGRITY_FAILED, PaymentIntegrityError
from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.models import FileTransaction, PaymentFile
from apps.payments.payments.pain001.pain002 import load_payments_of_lines, render_status_report
from apps.payments.payments.pain001.serializers import FileOut
from apps.payments.payments.pain001.services.answer_message import serialize_file
from apps.payments.payments.pain001.statuses import (
    load_group_status,
    load_group_statuses,
    reasons_of_transaction,
    status_of_transaction,
)
from apps.platform.api.callers import Caller
from apps.platform.api.pagination import EncryptedCursorPagination
from apps.platform.api.representation import render_answer
from apps.platform.common.problems import NO_SUCH_ID, NotFound

XML_TYPES = ("application/xml", "text/xml")


def load_own_file(file_id: UUID, caller: Caller) -> PaymentFile:
    """Return a file of the caller's; NotFound for another's, as for none."""
    payment_file = PaymentFile.objects.of(caller.ref).filter(file_id=file_id).first()
    if payment_file is None:
        raise NotFound(NO_SUCH_ID)
    return payment_file


def read_file(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime, accept: str
) -> HttpResponse | StreamingHttpResponse:
    """Return the current status of a file; as pain.002 if `accept` names XML."""
    file = load_own_file(asked["file_id"], caller)
    if any(kind in accept.lower() for kind in XML_TYPES):
        pieces = (piece.encode() for piece in render_status_report(file, now=now))
        return StreamingHttpResponse(pieces, content_type="application/xml")
    shown = render_answer(FileOut, serialize_file(file, load_group_status(file)))
    return JsonResponse(shown, json_dumps_params={"ensure_ascii": False})


class TransactionCursor(EncryptedCursorPagination):
    """Pages of transactions in the order of their message."""

    ordering = "number"


def list_files(*, asked: Mapping[str, Any], caller: Caller, now: datetime) -> QuerySet[PaymentFile]:
    """Return the caller's files, the newest first."""
    return PaymentFile.objects.of(caller.ref)


def serialize_files(files: Sequence[PaymentFile]) -> list[dict[str, Any]]:
    """Return a page of files; see FilesOut."""
    statuses = load_group_statuses(files)
    return [serialize_file(file, statuses[file.pk]) for file in files]


def list_file_transactions(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[FileTransaction]:
    """Return the judged transactions of a file of the caller's."""
    return FileTransaction.objects.filter(file=load_own_file(asked["file_id"], caller))


def serialize_transactions(lines: Sequence[FileTransaction], *, owner: str) -> list[dict[str, Any]]:
    """Return the values of LineOut for some transactions of an owner's file; one query.

    PaymentIntegrityError (503) where a payment of them is not as it was recorded.
    """
    payments = load_payments_of_lines(lines, owner=owner)
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
