"""Reads of messages by API: an institution's own alone."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse

from apps.core.callers import Caller
from apps.core.pagination import Cursor, Paged
from apps.core.problems import NO_SUCH_ID, NotFound
from apps.core.rendering import render
from apps.payments.models import Payment
from apps.payments.pain001.answering import values_of
from apps.payments.pain001.models import FileTransaction, PaymentFile
from apps.payments.pain001.pain002 import payments_of, report
from apps.payments.pain001.serializers import FileOut
from apps.payments.pain001.statuses import group_status, group_statuses, reasons_of, status_of
from apps.payments.projection import UNPROVED, PaymentUnproved

XML_TYPES = ("application/xml", "text/xml")


def file_of(file_id: UUID, caller: Caller) -> PaymentFile:
    """Return a file of the caller's; NotFound for another's, as for none."""
    found = PaymentFile.objects.of(caller.ref).filter(file_id=file_id).first()
    if found is None:
        raise NotFound(NO_SUCH_ID)
    return found


def one(
    request: HttpRequest, *, asked: dict[str, Any], caller: Caller, now: datetime
) -> HttpResponse | StreamingHttpResponse:
    """Give a file as it stands; as pain.002 with `Accept: application/xml`."""
    file = file_of(asked["file_id"], caller)
    accepts = request.headers.get("Accept", "").lower()
    if any(kind in accepts for kind in XML_TYPES):
        pieces = (piece.encode() for piece in report(file, now=now))
        return StreamingHttpResponse(pieces, content_type="application/xml")
    shown = render(FileOut, values_of(file, group_status(file)))
    return JsonResponse(shown, json_dumps_params={"ensure_ascii": False})


class ByNumber(Cursor):
    """Pages of transactions in the order of their message."""

    ordering = "number"


def listed(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the caller's files, the newest first; with `messageId` that one."""
    rows = PaymentFile.objects.of(caller.ref)
    if message := asked.get("message_id", ""):
        rows = rows.filter(message_id=message)
    return Paged(rows, show=_files)


def _files(files: Sequence[PaymentFile]) -> list[dict[str, Any]]:
    statuses = group_statuses(files)
    return [values_of(file, statuses[file.pk]) for file in files]


def lines(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the judged transactions of a file of the caller's, in their order."""
    rows = FileTransaction.objects.filter(file=file_of(asked["file_id"], caller))
    if status := asked.get("outcome", ""):
        rows = rows.filter(outcome=status)
    return Paged(rows, show=partial(line_values, owner=caller.ref), by=ByNumber)


def line_values(lines: Sequence[FileTransaction], *, owner: str) -> list[dict[str, Any]]:
    """Return the values of LineOut for some transactions of an owner's file; one query.

    PaymentUnproved (503) where a payment of them is not as it was recorded.
    """
    payments = payments_of(lines, owner=owner)
    if any(one.payment_id and one.payment_id not in payments for one in lines):
        raise PaymentUnproved(UNPROVED)
    return [_line(line, payments[line.payment_id] if line.payment_id else None) for line in lines]


def _line(line: FileTransaction, payment: Payment | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": line.number,
        "payment_info_id": line.payment_info_id,
        "end_to_end_id": line.end_to_end_id,
        "uetr": line.uetr,
        "status": status_of(line, payment),
        "reasons": reasons_of(line, payment),
    }
    if line.instruction_id:
        found["instruction_id"] = line.instruction_id
    if payment is not None:
        found["svc_payment_id"] = str(line.payment_id)
        source = payment.instruction.get("source", {})
        found["unmapped"] = source.get("unmapped", [])
    return found
