"""Answer a message with its payment or its file, in JSON or as pain.002."""

from datetime import datetime
from typing import Any

from apps.payments.payments.integrity import (
    INTEGRITY_FAILED,
    PaymentIntegrityError,
    load_verified_payment,
)
from apps.payments.payments.pain001.models import PaymentFile
from apps.payments.payments.pain001.pain002 import render_status_report
from apps.payments.payments.pain001.services import receive_message
from apps.payments.payments.pain001.services.receive_message import InspectedMessage, MessageBody
from apps.payments.payments.pain001.statuses import load_group_status
from apps.payments.payments.presenters import serialize_payment
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller


def answer_message(
    *, asked: MessageBody, gathered: InspectedMessage, caller: Caller, now: datetime
) -> Answer:
    """Take a message: 202 for a new one, 200 for one that was taken before."""
    file, new = receive_message.store_message(
        message_body=asked, inspected_message=gathered, caller=caller, now=now
    )
    beside = gathered.overview.extras
    response: dict[str, Any] = {
        "file": serialize_file(file, load_group_status(file)),
        "unmapped": [*gathered.group.unmapped, *beside],
    }
    headers = {"Location": f"{asked.address}/{file.file_id}"}
    # one transaction is judged in this call, so the answer can be its payment
    if file.total == 1:
        receive_message.require_accepted_payment(file, asked, gathered.group, now=now)
        only = file.transactions.get()
        # `require_accepted_payment` has refused it otherwise
        assert only.payment_id is not None
        payment = load_verified_payment(owner=file.owner, payment_id=only.payment_id)
        if payment is None:
            raise PaymentIntegrityError(INTEGRITY_FAILED)
        source = payment.instructed.source
        response |= serialize_payment(payment) | {
            "unmapped": [*(source.unmapped if source else ()), *beside]
        }
        headers["X-SVC-PaymentId"] = str(payment.payment_id)
    xml = "".join(render_status_report(file, now=now)) if asked.answer_xml else ""
    return Answer(response, status=202 if new else 200, headers=headers, xml=xml)


def serialize_file(file: PaymentFile, status: str) -> dict[str, Any]:
    """Return the values of FileOut; `status` is that of the message (statuses.py)."""
    payload = {
        "file_id": str(file.file_id),
        "message_id": file.message_id,
        "format": file.kind,
        "version": file.version,
        "sha256": file.digest,
        "size": file.size,
        "state": file.state,
        "group_status": status,
        "transactions": file.total,
        "judged": file.done,
        "accepted": file.taken,
        "refused": file.refused,
        "received_at": file.received_at,
    }
    if file.trouble:
        payload["trouble"] = file.trouble
    if file.finished_at is not None:
        payload["finished_at"] = file.finished_at
    return payload
