"""Reads of messages by API: an institution's own alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
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
from apps.payments.pain001.statuses import status_of

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
    shown = render(FileOut, values_of(file))
    return JsonResponse(shown, json_dumps_params={"ensure_ascii": False})


class ByNumber(Cursor):
    """Pages of transactions in the order of their message."""

    ordering = "number"


def listed(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the caller's files, the newest first; with `messageId` that one."""
    rows = PaymentFile.objects.of(caller.ref)
    if message := asked.get("message_id", ""):
        rows = rows.filter(message_id=message)
    return Paged(rows, show=lambda files: [values_of(file) for file in files])


def lines(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the judged transactions of a file of the caller's, in their order."""
    rows = FileTransaction.objects.filter(file=file_of(asked["file_id"], caller))
    if status := asked.get("outcome", ""):
        rows = rows.filter(outcome=status)
    return Paged(rows, show=line_values, by=ByNumber)


def line_values(lines: Sequence[FileTransaction]) -> list[dict[str, Any]]:
    """Return the values of LineOut for some transactions; one query."""
    payments = payments_of(lines, "instruction")
    return [_line(line, payments) for line in lines]


def _line(line: FileTransaction, payments: Mapping[object, Payment]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": line.number,
        "payment_info_id": line.payment_info_id,
        "end_to_end_id": line.end_to_end_id,
        "uetr": line.uetr,
        "status": status_of(line, payments.get(line.payment_id)),
        "reasons": line.faults,
    }
    if line.instruction_id:
        found["instruction_id"] = line.instruction_id
    if line.payment_id is not None:
        found["svc_payment_id"] = str(line.payment_id)
        payment = payments.get(line.payment_id)
        source = payment.instruction.get("source", {}) if payment is not None else {}
        found["unmapped"] = source.get("unmapped", [])
    return found
